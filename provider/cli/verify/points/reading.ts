/** What only takes reading: unknown objects, lists, headers. */
import { headerValues } from "../../../transport";
import { good, NotFoundOut, UnexpectedAnswer, valueByCode } from "../not-found-out";
import { type Answer, entriesOf, textOf } from "../service";
import type { Trial } from "../trial";
import type { Point } from "./point";

/** No object of the service has it. */
const NO_ID = "0".repeat(24);

/** Long enough for an organization; a longer list is not needed for any point. */
const FIRST_PAGE = [["itemsPerPage", "500"]] as const;

export const projectsOfKey = (trial: Trial): Promise<Answer> => trial.read(["groups"], { query: FIRST_PAGE });

export const organization = (trial: Trial): Promise<Answer> => trial.read(["orgs", trial.options.orgId]);

export const projectsOfOrganization = (trial: Trial): Promise<Answer> =>
  trial.read(["orgs", trial.options.orgId, "groups"], { query: FIRST_PAGE });

/** The API key's roles in the organization; `undefined` if it is none of the organization's keys, but a global one. */
export async function organizationKey(
  trial: Trial,
): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  const { publicKey } = trial.connection.settings;
  const answer = good(await trial.read(["orgs", trial.options.orgId, "apiKeys"], { query: FIRST_PAGE }));
  const own = entriesOf(answer).find((key) => key.publicKey === publicKey);
  return own === undefined ? undefined : entriesOf({ ...answer, body: own.roles });
}

const unknownProject = (trial: Trial): Promise<Answer> => trial.read(["groups", NO_ID]);

const unknownPath = (trial: Trial): Promise<Answer> => trial.read(["opsmanager-verify-unknown-path"]);

function isWebPage({ response }: Answer): boolean {
  return /html/i.test(headerValues(response, "content-type")[0] ?? "");
}

async function orgNameFilter(trial: Trial): Promise<string> {
  const name = textOf(good(await trial.run(organization)), "name") ?? "";
  const lists = async (wanted: string) => {
    const answer = good(await trial.read(["orgs"], { query: [["name", wanted], ...FIRST_PAGE] }));
    return entriesOf(answer).some(({ id }) => id === trial.options.orgId);
  };
  const start = [...name].slice(0, -1).join("").trimEnd();
  if (start === "" || !(await lists(name))) throw new NotFoundOut("The name does not find the organization.");
  return (await lists(start)) ? "prefix" : "exact";
}

async function orgProjects(trial: Trial): Promise<string> {
  const listed = entriesOf(good(await trial.run(projectsOfOrganization)));
  const readable = new Set(entriesOf(good(await trial.run(projectsOfKey))).map(({ id }) => id));
  if (listed.some(({ id }) => !readable.has(id))) return "all";
  throw new NotFoundOut("The list holds no project that the API key may not read.");
}

function versionOf(answer: Answer): string {
  const header = headerValues(answer.response, "x-mongodb-service-version")[0] ?? "";
  return /versionString=([\w.-]+)/.exec(header)?.[1] ?? "";
}

export const readingPoints: readonly Point[] = [
  {
    name: "onlyDocumented",
    tries: "GET /groups",
    async observe(trial) {
      const answer = await trial.run(projectsOfKey);
      if (answer.isNotOffered) return true;
      return valueByCode(answer, {}, false);
    },
  },
  {
    name: "versionString",
    tries: "GET /orgs/{id}, and the X-MongoDB-Service-Version of its answer",
    observe: async (trial) => versionOf(good(await trial.run(organization))),
  },
  {
    name: "versionOnErrors",
    tries: "GET /groups/{id} with an id that no project has, and the headers of its answer",
    async observe(trial) {
      const refused = await trial.run(unknownProject);
      if (refused.isGood || isWebPage(refused)) throw new UnexpectedAnswer(refused);
      if (versionOf(refused) !== "") return true;
      if (versionOf(good(await trial.run(organization))) !== "") return false;
      throw new NotFoundOut("No answer carries the version.");
    },
  },
  {
    name: "unknownPath",
    tries: "GET of a path that does not exist",
    async observe(trial) {
      const answer = await trial.run(unknownPath);
      if (!answer.isNotOffered) throw new UnexpectedAnswer(answer);
      if (answer.errorCode === "RESOURCE_NOT_FOUND") return "RESOURCE_NOT_FOUND";
      return isWebPage(answer) ? "web-page" : "bare";
    },
  },
  {
    name: "orgNameFilter",
    tries: "GET /orgs?name= with the beginning of the organization's name",
    observe: orgNameFilter,
  },
  {
    name: "unknownProject",
    tries: "GET /groups/{id} with an id that no project has",
    async observe(trial) {
      const codes = { GROUP_NOT_FOUND: "GROUP_NOT_FOUND", NOT_IN_GROUP: "NOT_IN_GROUP" };
      return valueByCode(await trial.run(unknownProject), codes);
    },
  },
  {
    name: "unknownName",
    tries: "GET /groups/byName/{name} with a name that no project has",
    async observe(trial) {
      const codes = { GROUP_NAME_NOT_FOUND: "GROUP_NAME_NOT_FOUND", NOT_IN_GROUP: "NOT_IN_GROUP" };
      return valueByCode(await trial.read(["groups", "byName", trial.name("-unknown")]), codes);
    },
  },
  {
    name: "unknownNameInOrg",
    tries: "GET /orgs/{id}/groups?name= with a name that no project has",
    async observe(trial) {
      const query = [["name", trial.name("-unknown")]] as const;
      const answer = await trial.read(["orgs", trial.options.orgId, "groups"], { query });
      if (answer.isGood && entriesOf(answer).length > 0) {
        throw new NotFoundOut("The list is not filtered by name.");
      }
      return valueByCode(answer, { GROUP_NAME_NOT_FOUND: "GROUP_NAME_NOT_FOUND" }, "empty");
    },
  },
  {
    name: "orgProjects",
    tries: "GET /orgs/{id}/groups beside GET /groups",
    needs: "a key that may not read every project of the organization",
    observe: orgProjects,
  },
];
