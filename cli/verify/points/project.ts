/** Creating, changing and reading a throw-away project. */
import { hasCode } from "../../../provider/text/errors";
import { type ApiResponse, type Entry, fieldsOf, type TrialRequest, textOf } from "../service";
import type { CreatedProject } from "../throwaways";
import type { Trial } from "../trial";
import { codeAmong, good, InconclusiveResponse, resultOf, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";

export const MISSING_MAPPING = "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING";

/** Mappings of these roles to a group that does not exist, so no user gets them. */
export function mappingsOf(
  ...roleNames: readonly (string | undefined)[]
): readonly { readonly roleName: string; readonly ldapGroups: readonly string[] }[] {
  const given = new Set(roleNames.filter((roleName) => roleName !== undefined));
  const ldapGroups = ["cn=opsmanager-verify-no-such-group,dc=example,dc=com"];
  return [...given].map((roleName) => ({ roleName, ldapGroups }));
}

/** The project role that an error names. */
export function namedRole({ parameters }: ApiResponse): string | undefined {
  const role = parameters.find((value) => typeof value === "string" && /^GROUP_[A-Z_]+$/.test(value));
  return typeof role === "string" ? role : undefined;
}

/**
 * Creates a project and records it.
 *
 * @returns the response, and the project unless the service rejected it
 */
export async function create(
  trial: Trial,
  name: string,
  extra: Entry,
  query: TrialRequest["query"] = {},
): Promise<{ readonly response: ApiResponse; readonly project?: CreatedProject }> {
  trial.throwIfStopped();
  const project = trial.throwaways.expect(name);
  const body = { name, orgId: trial.options.orgId, ...extra };
  const response = await trial.write({ method: "POST", path: ["groups"], query, body }).catch((error) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) trial.throwaways.forget(project);
    throw error;
  });
  const id = textOf(response, "id");
  if (response.isGood && id !== undefined) {
    project.id = id;
    return { response, project: project as CreatedProject };
  }
  // A response of 2xx without an id may still have created it; the removal searches for its name.
  if (!response.isGood && response.status >= 400 && response.status < 500) trial.throwaways.forget(project);
  return { response };
}

/**
 * Creates the first project. A service may require more than name and organization; its error
 * names it.
 *
 * @throws Undetermined if the service rejects it otherwise
 */
async function creation(trial: Trial) {
  /** The errorCodes of requests that held less than the service required. */
  const refusals: string[] = [];
  /** What the request needs in addition to name and organization. */
  let extra: Entry = {};
  for (;;) {
    const { response, project } = await create(trial, trial.name(), extra);
    if (project) return { project, extra, refusals };
    const code = response.errorCode ?? "";
    const demand = demandOf(response);
    if (demand === undefined || refusals.includes(code)) {
      const { reason } = new InconclusiveResponse(response);
      throw new Undetermined(`No throw-away project could be created. ${reason}`);
    }
    refusals.push(code);
    extra = { ...extra, ...demand };
  }
}

function demandOf(response: ApiResponse): Entry | undefined {
  switch (response.errorCode) {
    case "BILLING_UNSUPPORTED":
      return { withDefaultAlertsSettings: false };
    case MISSING_MAPPING:
      return { ldapGroupMappings: mappingsOf("GROUP_OWNER", namedRole(response)) };
    default:
      return undefined;
  }
}

/** The throw-away project that most experiments change. */
export async function theProject(trial: Trial): Promise<CreatedProject> {
  return (await trial.run(creation)).project;
}

/** Creates one more project, with what the service required for the first one. */
export async function createAnother(
  trial: Trial,
  name: string,
  more: Entry = {},
  query?: TrialRequest["query"],
): ReturnType<typeof create> {
  const { extra } = await trial.run(creation);
  return create(trial, name, { ...extra, ...more }, query);
}

export async function patch(trial: Trial, body: Entry): Promise<ApiResponse> {
  const { id } = await theProject(trial);
  return trial.write({ method: "PATCH", path: ["groups", id], body });
}

/** Reads the fields of the throw-away project. */
export async function readProjectFields(trial: Trial): Promise<Entry> {
  const { id } = await theProject(trial);
  return fieldsOf(good(await trial.read(["groups", id])));
}

/** Sends a change without effect, to read the response. */
export async function samePatch(trial: Trial): Promise<ApiResponse> {
  const { name } = await theProject(trial);
  return good(await patch(trial, { name }));
}

async function changeName(trial: Trial, name: string): Promise<ApiResponse> {
  const project = await theProject(trial);
  const response = await patch(trial, { name });
  if (response.isGood) project.name = name;
  return response;
}

export async function renamed(trial: Trial): Promise<ApiResponse> {
  await resultOf(trial.run(duplicate));
  return changeName(trial, trial.name("-b"));
}

/** A second project of the same name, before anything changes the name of the first. */
export async function duplicate(trial: Trial): Promise<boolean> {
  const { response } = await createAnother(trial, (await theProject(trial)).name);
  return valueByCode(response, { GROUP_ALREADY_EXISTS: false }, true);
}

/**
 * A separate project for experiments that delete it, with tags if the service accepts them in
 * POST.
 *
 * @returns the project, and the response to a request with tags if the service rejected it
 */
export async function secondProject(
  trial: Trial,
): Promise<{ project: CreatedProject; tagsRefusal?: ApiResponse }> {
  const name = trial.name("-c");
  const tagged = await createAnother(trial, name, { tags: [trial.tag("C")] });
  if (tagged.project) return { project: tagged.project };
  const plain = await createAnother(trial, name);
  if (plain.project) return { project: plain.project, tagsRefusal: tagged.response };
  throw new InconclusiveResponse(plain.response);
}

async function tagsInPost(trial: Trial): Promise<string> {
  const { project, tagsRefusal } = await trial.run(secondProject);
  if (tagsRefusal) return valueByCode(tagsRefusal, { INVALID_ATTRIBUTE: "refuse" });
  const { tags } = fieldsOf(good(await trial.read(["groups", project.id])));
  if (!Array.isArray(tags))
    throw new Undetermined("The service does not show the tags to these credentials.");
  return tags.includes(trial.tag("C")) ? "store" : "ignore";
}

/** The longest name that is tried. */
const LONGEST_NAME = 1024;

async function maxNameLength(trial: Trial): Promise<number> {
  if (!(await trial.run(renamed)).isGood) {
    throw new Undetermined("It requires a renamed project, and the service rejects renaming.");
  }
  const fits = async (length: number) => {
    const response = await changeName(trial, trial.name("-").padEnd(length, "x"));
    return valueByCode(response, { INVALID_GROUP_NAME: false }, true);
  };
  const longest = await longestThat(fits, trial.name("-").length);
  await changeName(trial, trial.name("-b"));
  return longest;
}

/** @returns 0 if the greatest length fits, which counts as unlimited */
async function longestThat(
  fits: (length: number) => Promise<boolean>,
  fittingLength: number,
): Promise<number> {
  if (await fits(LONGEST_NAME)) return 0;
  let [fitting, tooLong] = [fittingLength, LONGEST_NAME];
  // The length that Atlas documents is tried first, because two requests are enough then.
  const guesses = [64, 65];
  while (tooLong - fitting > 1) {
    const guess = guesses.shift() ?? Math.floor((fitting + tooLong) / 2);
    if (guess <= fitting || guess >= tooLong) continue;
    if (await fits(guess)) fitting = guess;
    else tooLong = guess;
  }
  return fitting;
}

/** Maps a group that does not exist, so no user gets the role. */
async function idpMappings(trial: Trial): Promise<string> {
  if (!("idpGroupMappings" in (await trial.run(readProjectFields)))) return "absent";
  const mapping = { roleName: "GROUP_OWNER", idpGroups: ["opsmanager-verify-no-such-group"] };
  good(await patch(trial, { idpGroupMappings: [mapping] }));
  const { idpGroupMappings } = await readProjectFields(trial);
  return Array.isArray(idpGroupMappings) && idpGroupMappings.length > 0 ? "present" : "dropped";
}

export const projectPoints: Points = {
  defaultAlerts: [
    "POST /groups without withDefaultAlertsSettings",
    async (trial) => {
      const { refusals } = await trial.run(creation);
      return refusals.includes("BILLING_UNSUPPORTED") ? "refuse" : "accept";
    },
  ],
  ldapMappingsInPost: [
    "POST /groups without ldapGroupMappings",
    async (trial) => {
      const { refusals } = await trial.run(creation);
      if (refusals.includes(MISSING_MAPPING)) return "required";
      if ("ldapGroupMappings" in (await trial.run(readProjectFields))) return "optional";
      throw new Undetermined("The service is not LDAP-backed.");
    },
  ],
  allowDuplicateNames: ["POST /groups with the name of the throw-away project", duplicate],
  emptyPatch: [
    "PATCH /groups/{id} with {}",
    async (trial) => {
      const response = await patch(trial, {});
      const codes = ["MISSING_ONE_OF_THREE_ATTRIBUTES", "MISSING_ONE_OF_ATTRIBUTES", "MISSING_ATTRIBUTE"];
      return codeAmong(response, codes, "accept");
    },
  ],
  renaming: [
    "PATCH /groups/{id} with another name",
    async (trial) => {
      return valueByCode(await trial.run(renamed), { CANNOT_CHANGE_GROUP_NAME: "refuse" }, "allow");
    },
  ],
  agentApiKeyInPatch: [
    "PATCH /groups/{id} with its own name",
    async (trial) => "agentApiKey" in fieldsOf(await trial.run(samePatch)),
  ],
  idpMappings: ["PATCH /groups/{id} with a mapping of GROUP_OWNER in idpGroupMappings", idpMappings],
  lastActiveAgent: [
    "GET /groups/{id} of a project without agents",
    async (trial) => {
      return "lastActiveAgent" in (await trial.run(readProjectFields)) ? "always" : "with-agents";
    },
  ],
  masterSlaveCounts: [
    "GET /groups/{id}, and its hostCounts",
    async (trial) => {
      const { hostCounts } = await trial.run(readProjectFields);
      if (typeof hostCounts !== "object" || hostCounts === null) {
        throw new Undetermined("The project has no hostCounts.");
      }
      return "master" in hostCounts && "slave" in hostCounts;
    },
  ],
  tagsInPost: ["POST /groups with tags", tagsInPost],
  maxNameLength: ["PATCH /groups/{id} with names of rising length", maxNameLength],
};
