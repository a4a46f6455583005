/** What lists hold of a throw-away project, before and after its deletion. */
import { agesAtEnd } from "../ages";
import { type ApiResponse, type Entry, listEntries } from "../service";
import type { Trial } from "../trial";
import { good, InconclusiveResponse, resultOf, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";
import { createAnother, duplicate, readProjectFields, secondProject, theProject } from "./project";
import { organizationKey } from "./reading";

/**
 * The entry of a throw-away project in the list of its organization; `undefined` if it is not
 * listed.
 */
async function listedEntry(trial: Trial, { id, name }: { readonly id: string; readonly name: string }) {
  const query = { name, itemsPerPage: 500 };
  const response = await trial.read(["orgs", trial.options.orgId, "groups"], { query });
  if (response.errorCode === "GROUP_NAME_NOT_FOUND") return undefined;
  return listEntries(good(response).body).find((project) => project.id === id);
}

async function orgProjectFields(trial: Trial): Promise<string> {
  const single = await trial.run(readProjectFields);
  const entry = await listedEntry(trial, await theProject(trial));
  if (entry === undefined) throw new Undetermined("The organization does not list the project.");
  const shown = ["tags", "ldapGroupMappings"].filter((field) => Object.hasOwn(single, field));
  if (shown.length === 0)
    throw new Undetermined("The service shows these credentials neither tags nor mappings.");
  if (shown.every((field) => Object.hasOwn(entry, field))) return "all";
  if (shown.some((field) => Object.hasOwn(entry, field)))
    throw new Undetermined("The entry contains only some of the fields.");
  return "without-tags-and-mappings";
}

async function deleted(trial: Trial): Promise<ApiResponse> {
  const { project } = await trial.run(secondProject);
  trial.throwIfStopped();
  return good((await trial.throwaways.remove(project)).response);
}

/**
 * Roles with which the API key can read the organization even if it has no role in a project.
 */
const READING_ROLES = ["ORG_OWNER", "ORG_READ_ONLY"];

async function requireReader(trial: Trial): Promise<void> {
  const roles = await trial.run(organizationKey);
  const readsAll = ({ roleName }: Entry) => READING_ROLES.includes(String(roleName));
  if (roles === undefined || roles.some(readsAll)) return;
  throw new Undetermined("The API key loses its role when the project is deleted.");
}

/** How long the deleted project is listed and its name stays reserved, observed in parallel. */
async function agesAfterDeletion(trial: Trial): Promise<ReadonlyMap<string, number>> {
  const { project } = await trial.run(secondProject);
  const namesAreUnique = (await resultOf(trial.run(duplicate))) === false;
  await trial.run(deleted);
  const isListed = async () => (await listedEntry(trial, project)) !== undefined;
  const isTaken = async () => {
    const { response } = await createAnother(trial, project.name);
    return valueByCode(response, { GROUP_ALREADY_EXISTS: true }, false);
  };
  return agesAtEnd(trial, namesAreUnique ? { isListed, isTaken } : { isListed });
}

function requireAge(seconds: number | undefined): number {
  if (seconds !== undefined) return seconds;
  throw new Undetermined("It lasts longer than this run observes. Increase --wait.");
}

export const listPoints: Points = {
  orgProjectFields: ["GET /orgs/{id}/groups beside GET /groups/{id}", orgProjectFields],
  deleteProjectStatus: [
    "DELETE /groups/{id}",
    async (trial) => {
      const response = await trial.run(deleted);
      if (response.status === 200 || response.status === 202) return String(response.status);
      throw new InconclusiveResponse(response);
    },
  ],
  deletedProjectListedSeconds: [
    "GET /orgs/{id}/groups?name= after DELETE /groups/{id}",
    async (trial) => {
      await requireReader(trial);
      return requireAge((await trial.run(agesAfterDeletion)).get("isListed"));
    },
  ],
  deletedProjectNameSeconds: [
    "POST /groups with the name of a project after DELETE /groups/{id}",
    async (trial) => {
      if (await trial.run(duplicate))
        throw new Undetermined("The service accepts the name of an existing project.");
      return requireAge((await trial.run(agesAfterDeletion)).get("isTaken"));
    },
  ],
};
