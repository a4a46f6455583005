/** Points that need only reads: unknown objects, lists, headers. */
import { allPages } from "../../../provider/api/pages";
import { hasCode } from "../../../provider/text/errors";
import { headerValues } from "../../../provider/transport";
import { NO_ID, versionOf } from "../../lib/connection";
import { type ApiResponse, type Entry, fieldsOf, listEntries, textOf } from "../service";
import type { Trial } from "../trial";
import { codeAmong, good, InconclusiveResponse, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";

export const organization = (trial: Trial): Promise<ApiResponse> => trial.read(["orgs", trial.options.orgId]);

const firstProjects = (trial: Trial): Promise<ApiResponse> => trial.read(["groups"]);

/**
 * Every entry of a paged list.
 *
 * @throws Undetermined if the list cannot be read
 */
export async function allEntries(trial: Trial, ...path: readonly string[]): Promise<readonly Entry[]> {
  const entries = await allPages(`Listing ${path.at(-1)}`, async (page) => {
    return good(await trial.read(path, { query: { ...page } })).body;
  }).catch((error) => {
    throw hasCode(error, "OPSMANAGER_UNEXPECTED_RESPONSE")
      ? new Undetermined("The list is incomplete.")
      : error;
  });
  return listEntries(entries);
}

/**
 * The API key's roles in the organization; `undefined` for a global key, which is none of the
 * organization's.
 *
 * @throws Undetermined for a service account, which has no API key
 */
export async function organizationKey(trial: Trial): Promise<readonly Entry[] | undefined> {
  const { publicKey } = trial.connection.settings;
  if (publicKey === undefined) {
    throw new Undetermined(
      "The provider authenticates as a service account, but the point requires the roles of its API key.",
    );
  }
  const keys = await allEntries(trial, "orgs", trial.options.orgId, "apiKeys");
  const own = keys.find((key) => key.publicKey === publicKey);
  return own === undefined ? undefined : listEntries(own.roles);
}

/** @throws Undetermined for a global key */
export async function requireOrganizationKey(trial: Trial): Promise<void> {
  if ((await trial.run(organizationKey)) !== undefined) return;
  throw new Undetermined("The API key is a global one, but the point requires a key without a global role.");
}

const unknownProject = (trial: Trial): Promise<ApiResponse> => trial.read(["groups", NO_ID]);

const unknownPath = (trial: Trial): Promise<ApiResponse> => trial.read(["opsmanager-verify-unknown-path"]);

function isWebPage({ wire }: ApiResponse): boolean {
  return /html/i.test(headerValues(wire, "content-type")[0] ?? "");
}

async function orgNameFilter(trial: Trial): Promise<string> {
  const name = textOf(good(await trial.run(organization)), "name") ?? "";
  const lists = async (filter: string) => {
    const response = good(await trial.read(["orgs"], { query: { name: filter } }));
    return listEntries(response.body).some(({ id }) => id === trial.options.orgId);
  };
  const start = [...name].slice(0, -1).join("").trimEnd();
  if (start === "" || !(await lists(name)))
    throw new Undetermined("The filter does not return the organization.");
  return (await lists(start)) ? "prefix" : "exact";
}

async function orgProjects(trial: Trial): Promise<string> {
  const listed = await allEntries(trial, "orgs", trial.options.orgId, "groups");
  const readable = new Set((await allEntries(trial, "groups")).map(({ id }) => id));
  if (listed.some(({ id }) => !readable.has(id))) return "all";
  throw new Undetermined("The list holds no project that the API key may not read.");
}

const unknownApiKey = (trial: Trial): Promise<ApiResponse> =>
  trial.read(["orgs", trial.options.orgId, "apiKeys", NO_ID]);

export const readingPoints: Points = {
  unknownApiKey: [
    "GET /orgs/{id}/apiKeys/{id} of an API key that does not exist",
    async (trial) => {
      const response = await unknownApiKey(trial);
      codeAmong(response, ["API_KEY_NOT_FOUND"]);
      return String(response.status);
    },
  ],
  rootApiKey: ["GET /", async (trial) => "apiKey" in fieldsOf(good(await trial.read([])))],
  onlyDocumented: [
    "GET /groups",
    async (trial) => {
      const response = await trial.run(firstProjects);
      if (response.isNotOffered) return true;
      return valueByCode(response, {}, false);
    },
  ],
  versionString: [
    "GET /orgs/{id}, and the X-MongoDB-Service-Version of its response",
    async (trial) => versionOf(good(await trial.run(organization)).wire) ?? "",
  ],
  versionOnErrors: [
    "GET /groups/{id} with an id that no project has, and the headers of its response",
    async (trial) => {
      const refused = await trial.run(unknownProject);
      if (refused.isGood || isWebPage(refused)) throw new InconclusiveResponse(refused);
      if (versionOf(refused.wire)) return true;
      if (versionOf(good(await trial.run(organization)).wire)) return false;
      throw new Undetermined("No response contains the version.");
    },
  ],
  unknownPath: [
    "GET of a path that does not exist",
    async (trial) => {
      const response = await trial.run(unknownPath);
      if (!response.isNotOffered) throw new InconclusiveResponse(response);
      if (response.errorCode === "RESOURCE_NOT_FOUND") return "RESOURCE_NOT_FOUND";
      return isWebPage(response) ? "web-page" : "bare";
    },
  ],
  orgNameFilter: ["GET /orgs?name= with the beginning of the organization's name", orgNameFilter],
  unknownProject: [
    "GET /groups/{id} with an id that no project has",
    async (trial) => codeAmong(await trial.run(unknownProject), ["GROUP_NOT_FOUND", "NOT_IN_GROUP"]),
  ],
  unknownName: [
    "GET /groups/byName/{name} with a name that no project has",
    async (trial) => {
      const response = await trial.read(["groups", "byName", trial.name("-unknown")]);
      return codeAmong(response, ["GROUP_NAME_NOT_FOUND", "NOT_IN_GROUP"]);
    },
  ],
  unknownNameInOrg: [
    "GET /orgs/{id}/groups?name= with a name that no project has",
    async (trial) => {
      const query = { name: trial.name("-unknown") };
      const response = await trial.read(["orgs", trial.options.orgId, "groups"], { query });
      if (response.isGood && listEntries(response.body).length > 0) {
        throw new Undetermined("The list is not filtered by name.");
      }
      return codeAmong(response, ["GROUP_NAME_NOT_FOUND"], "empty");
    },
  ],
  orgProjects: ["GET /orgs/{id}/groups beside GET /groups", orgProjects],
};
