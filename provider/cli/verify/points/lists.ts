/** What lists hold of a throw-away project, before and after its deletion. */
import { agesAtEnd } from "../ages";
import { good, NotFoundOut, resultOf, UnexpectedAnswer, valueByCode } from "../not-found-out";
import { type Answer, type Entry, entriesOf, fieldsOf } from "../service";
import type { Trial } from "../trial";
import type { Point } from "./point";
import { create, creationExtra, duplicate, readProject, secondProject, theProject } from "./project";
import { organizationKey } from "./reading";

/** The entry of a throw-away project in the list of its organization; `undefined` if it is not listed. */
async function listed(trial: Trial, { id, name }: { readonly id: string; readonly name: string }) {
  const query = [
    ["name", name],
    ["itemsPerPage", "500"],
  ] as const;
  const answer = await trial.read(["orgs", trial.options.orgId, "groups"], { query });
  if (answer.errorCode === "GROUP_NAME_NOT_FOUND") return undefined;
  return entriesOf(good(answer).body).find((project) => project.id === id);
}

async function orgProjectFields(trial: Trial): Promise<string> {
  const single = fieldsOf(await trial.run(readProject));
  const entry = await listed(trial, await theProject(trial));
  if (entry === undefined) throw new NotFoundOut("The organization does not list the project.");
  const shown = ["tags", "ldapGroupMappings"].filter((field) => field in single);
  if (shown.length === 0) throw new NotFoundOut("The service shows this API key neither tags nor mappings.");
  if (shown.every((field) => field in entry)) return "all";
  if (shown.some((field) => field in entry))
    throw new NotFoundOut("The entry holds some of the fields only.");
  return "without-tags-and-mappings";
}

async function deleted(trial: Trial): Promise<Answer> {
  const { project } = await trial.run(secondProject);
  trial.throwIfStopped();
  return good((await trial.throwaways.remove(project, trial.removeWith)).answer);
}

/**
 * Roles with which the API key can still read the organization, whatever happens to its own
 * projects.
 */
const READING_ROLES = ["ORG_OWNER", "ORG_READ_ONLY"];

async function requireReader(trial: Trial): Promise<void> {
  const roles = await trial.run(organizationKey);
  const readsAll = ({ roleName }: Entry) => READING_ROLES.includes(String(roleName));
  if (roles === undefined || roles.some(readsAll)) return;
  throw new NotFoundOut("The API key loses its role in the project with the project.");
}

/** How long the deleted project is listed and its name is taken, observed side by side. */
async function aftermath(trial: Trial): Promise<ReadonlyMap<string, number>> {
  const { project } = await trial.run(secondProject);
  const extra = await trial.run(creationExtra);
  const namesAreUnique = (await resultOf(trial.run(duplicate))) === false;
  await trial.run(deleted);
  const isListed = async () => (await listed(trial, project)) !== undefined;
  const isTaken = async () => {
    const { answer } = await create(trial, project.name, extra);
    return valueByCode(answer, { GROUP_ALREADY_EXISTS: true }, false);
  };
  return agesAtEnd(trial, namesAreUnique ? { isListed, isTaken } : { isListed });
}

function ended(seconds: number | undefined): number {
  if (seconds !== undefined) return seconds;
  throw new NotFoundOut("It lasts longer than this run observes; --wait observes longer.");
}

export const listPoints: readonly Point[] = [
  {
    name: "orgProjectFields",
    tries: "GET /orgs/{id}/groups beside GET /groups/{id}",
    needs: "a key that may see tags, or an LDAP-backed service",
    observe: orgProjectFields,
  },
  {
    name: "deleteProjectStatus",
    tries: "DELETE /groups/{id}",
    async observe(trial) {
      const answer = await trial.run(deleted);
      if (answer.status === 200 || answer.status === 202) return String(answer.status);
      throw new UnexpectedAnswer(answer);
    },
  },
  {
    name: "deletedProjectListedSeconds",
    tries: "GET /orgs/{id}/groups?name= after DELETE /groups/{id}",
    needs: "a key that may read the whole organization",
    async observe(trial) {
      await requireReader(trial);
      return ended((await trial.run(aftermath)).get("isListed"));
    },
  },
  {
    name: "deletedProjectNameSeconds",
    tries: "POST /groups with the name of a project after DELETE /groups/{id}",
    async observe(trial) {
      if (await trial.run(duplicate)) throw new NotFoundOut("The service accepts a name that is taken.");
      return ended((await trial.run(aftermath)).get("isTaken"));
    },
  },
];
