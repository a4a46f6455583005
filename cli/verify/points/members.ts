/** Members of a throw-away project. Only the account that the user has named is used. */

import { fieldsOf, listEntries, textOf } from "../service";
import type { CreatedProject } from "../throwaways";
import type { Trial } from "../trial";
import { good, resultOf, Undetermined, valueByCode } from "../undetermined";
import { invite, statusOf } from "./invitations";
import type { Points } from "./point";
import { createAnother, theProject } from "./project";
import { allEntries, requireOrganizationKey } from "./reading";

type NamedAccount = Awaited<ReturnType<typeof namedAccount>>;

/**
 * @throws Undetermined if the run would leave the account in an organization that it is not in yet
 */
async function namedAccount(trial: Trial) {
  const { user, orgId } = trial.options;
  if (user === undefined) throw new Undetermined("It requires an existing account. Name one with --user.");
  const people = await allEntries(trial, "orgs", orgId, "users");
  const named = people.find(({ username }) => String(username).toLowerCase() === user.toLowerCase());
  if (named === undefined) {
    throw new Undetermined("The account of --user is not in the organization, and would remain in it.");
  }
  return { id: String(named.id), username: String(named.username), roles: listEntries(named.roles) };
}

/**
 * Only an account without a project shows the difference: in a project, the API key may be its user
 * administrator.
 */
async function accountLookup(trial: Trial): Promise<string> {
  const { username, roles } = await trial.run(namedAccount);
  await requireOrganizationKey(trial);
  const response = await trial.read(["users", "byName", username]);
  if (!response.isGood) return valueByCode(response, { NOT_USER_ADMIN: "user-admin" });
  const { teamIds } = fieldsOf(response);
  if (roles.some(({ groupId }) => groupId) || (Array.isArray(teamIds) && teamIds.length > 0)) {
    throw new Undetermined(
      "The account of --user is in a project or a team. Name an account that is in none.",
    );
  }
  return "organization";
}

async function isMember(trial: Trial, project: CreatedProject, { id }: NamedAccount): Promise<boolean> {
  const members = await allEntries(trial, "groups", project.id, "users");
  return members.some((member) => member.id === id);
}

/** Whether the service adds an account that exists at once, and sends no invitation. */
async function bypass(trial: Trial): Promise<boolean> {
  const account = await trial.run(namedAccount);
  const project = await theProject(trial);
  if (await isMember(trial, project, account)) {
    throw new Undetermined(
      "The account of --user became a member of each new project. Name another account.",
    );
  }
  const response = good(await invite(trial, project, account.username, "GROUP_READ_ONLY"));
  return textOf(response, "id") === undefined && (await isMember(trial, project, account));
}

/** A throw-away project that the named account is a member of. */
async function projectOfMember(trial: Trial): Promise<CreatedProject> {
  const account = await trial.run(namedAccount);
  const project = await theProject(trial);
  if (await isMember(trial, project, account)) return project;
  const owned = await createAnother(trial, trial.name("-owned"), {}, { projectOwnerId: account.id });
  good(owned.response);
  if (owned.project && (await isMember(trial, owned.project, account))) return owned.project;
  throw new Undetermined("The account of --user could not be made a member.");
}

async function inviteMember(trial: Trial): Promise<string> {
  const { username } = await trial.run(namedAccount);
  // This runs first: an invitation of a user who is not a member would change who is one.
  await resultOf(trial.run(bypass));
  const project = await trial.run(projectOfMember);
  const response = await invite(trial, project, username, "GROUP_READ_ONLY");
  return valueByCode(response, { DEFAULT_INVITATION_EXCEPTION: "refuse" }, "invite");
}

/**
 * Only a member who does not own the project can be removed, so it must have been added by the
 * bypass.
 */
async function deleteUserStatus(trial: Trial): Promise<string> {
  if (!(await trial.run(bypass))) {
    throw new Undetermined("The service invites an account first, so there is no member to remove.");
  }
  const { id } = await trial.run(namedAccount);
  const project = await theProject(trial);
  const path = ["groups", project.id, "users", id];
  return statusOf(good(await trial.write({ method: "DELETE", path })));
}

export const memberPoints: Points = {
  accountLookup: ["GET /users/byName/{name} of the account of --user", accountLookup],
  bypassInvitations: ["POST /groups/{id}/invites of the account of --user", bypass],
  inviteMember: ["POST /groups/{id}/invites of the account of --user, who is a member", inviteMember],
  deleteUserStatus: ["DELETE /groups/{id}/users/{id} of the account of --user", deleteUserStatus],
};
