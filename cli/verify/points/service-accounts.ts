/** What reads show of service accounts, which only Cloud Manager documents. A run makes none. */
import { isRecord } from "../../../provider/resources/contract/values";
import { type ApiResponse, type Entry, listEntries } from "../service";
import type { Trial } from "../trial";
import { good, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";
import { allEntries } from "./reading";

const pathOf = ({ options }: Trial): readonly string[] => ["orgs", options.orgId, "serviceAccounts"];

const list = (trial: Trial): Promise<ApiResponse> => trial.read(pathOf(trial));

/** @throws Undetermined if the service does not offer the list */
async function accounts(trial: Trial): Promise<readonly Entry[]> {
  good(await trial.run(list));
  return allEntries(trial, ...pathOf(trial));
}

async function lists(trial: Trial): Promise<string> {
  const response = await trial.run(list);
  return response.isNotOffered ? "not-offered" : valueByCode(response, {}, "offered");
}

async function roles(trial: Trial): Promise<string> {
  const [role] = (await trial.run(accounts)).flatMap(({ roles }) => (Array.isArray(roles) ? roles : []));
  if (role === undefined) throw new Undetermined("No service account of the organization has a role.");
  return isRecord(role) ? "objects" : "text";
}

/** Roles by which an account reaches every project of its organization. */
const REACHING_ROLES = ["ORG_OWNER", "ORG_READ_ONLY"];

function rolesOf({ roles }: Entry): readonly string[] {
  const names = Array.isArray(roles) ? roles.map((role) => (isRecord(role) ? role.roleName : role)) : [];
  return names.filter((name) => typeof name === "string");
}

/** An account whose only roles are of the organization: is it in the list of a project? */
async function inProject(trial: Trial): Promise<boolean> {
  const reaching = (await trial.run(accounts)).filter((account) =>
    rolesOf(account).some((role) => REACHING_ROLES.includes(role)),
  );
  if (reaching.length === 0) {
    throw new Undetermined("No service account reaches all projects by a role in the organization.");
  }
  const [project] = listEntries(good(await trial.read(["orgs", trial.options.orgId, "groups"])).body);
  if (project === undefined) throw new Undetermined("The organization has no project.");
  const listed = await allEntries(trial, "groups", String(project.id), "serviceAccounts");
  const entries = new Map(listed.map((entry) => [entry.clientId, rolesOf(entry)]));
  const shown = reaching.map(({ clientId }) => entries.get(clientId));
  if (shown.includes(undefined)) return false;
  if (shown.some((roles) => roles?.every((role) => !role.startsWith("GROUP_")))) return true;
  throw new Undetermined("Each of these service accounts has a role in the project as well.");
}

export const serviceAccountPoints: Points = {
  serviceAccountLists: ["GET /orgs/{id}/serviceAccounts", lists],
  serviceAccountRoles: ["GET /orgs/{id}/serviceAccounts, and the roles in it", roles],
  orgAccountsInProject: [
    "GET /groups/{id}/serviceAccounts of a project beside the list of the organization",
    inProject,
  ],
};
