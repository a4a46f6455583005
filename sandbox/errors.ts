import { STATUS_CODES } from "node:http";

/**
 * A refusal of the simulated API. Its body has the documented shape
 * `{detail, error, errorCode, parameters, reason}`; without an errorCode (wrong path or method, refused
 * credentials) `errorCode` and `parameters` are left out, as seen live.
 */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    readonly errorCode: string | undefined,
    readonly detail: string,
    readonly parameters: readonly unknown[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} ${errorCode ?? "(no errorCode)"}: ${detail}`);
    this.name = "ApiFault";
  }

  body(): Record<string, unknown> {
    const coded =
      this.errorCode === undefined ? {} : { errorCode: this.errorCode, parameters: this.parameters };
    return { detail: this.detail, error: this.status, ...coded, reason: STATUS_CODES[this.status] ?? "" };
  }
}

const fault = (status: number, code: string, detail: string, ...parameters: unknown[]): ApiFault =>
  new ApiFault(status, code, detail, parameters);

/**
 * Every refusal by name. Statuses and codes are those of the error codes in the documentation of Ops Manager
 * (`content/ops-manager` of the repository `mongodb/docs`), or of logs where `sandbox/README.md` names them. The
 * wording of `detail` is ours, since clients must not depend on it.
 */
export const refuse = {
  // The wire
  badCredentials: (headers: Readonly<Record<string, string>>) =>
    new ApiFault(401, undefined, "You are not authorized for this resource.", [], headers),
  uriMismatch: () => new ApiFault(400, undefined, "The Digest uri does not match the request's target."),
  noSuchPath: (path: string) => new ApiFault(404, undefined, `Cannot find resource ${path}.`),
  resourceNotFound: (path: string) => fault(404, "RESOURCE_NOT_FOUND", `Cannot find resource ${path}.`, path),
  wrongMethod: (method: string) => new ApiFault(405, undefined, `HTTP ${method} is not allowed here.`),
  bodyTooLarge: () => new ApiFault(413, undefined, "The request body is too large."),
  notJsonType: () => new ApiFault(415, undefined, "The request's Content-Type must be application/json."),
  invalidJson: () => fault(400, "INVALID_JSON", "Received JSON is malformed."),
  unexpected: () => fault(500, "UNEXPECTED_ERROR", "Unexpected error."),
  rateLimited: (most: number, headers: Readonly<Record<string, string>>) =>
    new ApiFault(
      429,
      "RATE_LIMITED",
      `Resource is limited to ${most} requests every 1 minutes.`,
      [most, 1],
      headers,
    ),
  invitationsRateLimited: (most: number) =>
    fault(400, "INVITATIONS_RATE_LIMITED_IP", `Limited to ${most} invitations every 1 minutes.`, most, 1),
  ipNotAllowed: (ip: string) =>
    fault(
      403,
      "IP_ADDRESS_NOT_ON_ACCESS_LIST",
      `IP address ${ip} is not allowed to access this resource.`,
      ip,
    ),

  // Fields
  missingAttribute: (name: string) =>
    fault(400, "MISSING_ATTRIBUTE", `The required attribute ${name} was not specified.`, name),
  invalidAttribute: (name: string) =>
    fault(400, "INVALID_ATTRIBUTE", `Invalid attribute ${name} specified.`, name),
  readOnlyAttribute: (name: string) =>
    fault(
      400,
      "ATTRIBUTE_READ_ONLY",
      `The attribute ${name} is read-only and cannot be changed by the user.`,
      name,
    ),
  missingAny: (code: string, names: readonly string[]) =>
    fault(400, code, `At least one of ${names.join(", ")} must be specified.`, ...names),
  invalidQuery: (name: string) =>
    fault(400, "INVALID_QUERY_PARAMETER", `Invalid query parameter ${name} specified.`, name),
  invalidEnum: (name: string, value: string) =>
    fault(
      400,
      "INVALID_ENUM_VALUE",
      `An invalid enumeration value ${value} was specified for ${name}.`,
      value,
      name,
    ),

  // Roles of the key
  unauthorized: () =>
    fault(401, "USER_UNAUTHORIZED", "Current user is not authorized to perform this action."),
  notUserAdmin: () =>
    fault(401, "NOT_USER_ADMIN", "The current user is not a user administrator of a group of this user."),
  notGroupUserAdmin: (groupId: string) =>
    fault(
      401,
      "NOT_GROUP_USER_ADMIN",
      `The current user is not a user administrator of group ${groupId}.`,
      groupId,
    ),
  notProjectCreator: (orgId: string) =>
    fault(
      401,
      "NOT_ORG_GROUP_CREATOR",
      `The current user may not create groups in organization ${orgId}.`,
      orgId,
    ),
  // Atlas keeps an organization with projects. No document of Ops Manager names the code.
  orgHasGroups: (id: string) =>
    fault(409, "CANNOT_CLOSE_ORG_ACTIVE_GROUPS", `Organization ${id} has groups.`, id),
  usernameTaken: (name: string) => fault(409, "USER_ALREADY_EXISTS", `A user ${name} exists already.`, name),
  cannotCreateOrg: () => fault(401, "API_KEY_CANNOT_CREATE_ORG", "API Keys cannot create organizations."),
  notInOrg: (orgId: string) =>
    fault(401, "NOT_IN_ORG", `The current user is not in organization ${orgId}.`, orgId),
  notInGroup: (id: string) =>
    fault(
      401,
      "NOT_IN_GROUP",
      `The current user is not in the group, or the group ${id} does not exist.`,
      id,
    ),

  // Organizations and projects
  invalidOrgId: (id: string) =>
    fault(404, "INVALID_ORG_ID", `An invalid organization ID ${id} was specified.`, id),
  orgNotFound: (id: string) => fault(404, "ORG_NOT_FOUND", `No organization with ID ${id} exists.`, id),
  invalidGroupId: (id: string) =>
    fault(404, "INVALID_GROUP_ID", `An invalid group ID ${id} was specified.`, id),
  groupNotFound: (id: string) => fault(404, "GROUP_NOT_FOUND", `No group with ID ${id} exists.`, id),
  groupNameNotFound: (name: string) =>
    fault(404, "GROUP_NAME_NOT_FOUND", `No group with name ${name} exists.`, name),
  multipleGroups: (name: string) => fault(409, "MULTIPLE_GROUPS", `Several groups are called ${name}.`, name),
  groupExists: (name: string) =>
    fault(409, "GROUP_ALREADY_EXISTS", `A group with name ${name} already exists.`, name),
  groupMismatch: (id: string) => fault(400, "GROUP_MISMATCH", `The body names another group, ${id}.`, id),
  invalidGroupName: (name: string) =>
    fault(400, "INVALID_GROUP_NAME", `Invalid group name ${name} specified.`, name),
  reservedGroupName: (name: string) =>
    fault(400, "INVALID_GROUP_NAME_10GEN", `Group name ${name} may not contain 10gen- or -10gen.`, name),
  apiKeyNotFound: (status: 400 | 404, id: string) =>
    fault(status, "API_KEY_NOT_FOUND", `No API key with ID ${id} exists.`, id),
  tooManyApiKeys: (most: number) =>
    fault(400, "MAX_API_KEYS_PER_ORG_EXCEEDED", `An organization has at most ${most} API keys.`, most),
  roleNeedsGroupId: (role: string) =>
    fault(400, "ROLE_NEEDS_GROUP_ID", `Role ${role} requires a group ID.`, role),
  badAccessListEntry: () =>
    fault(400, "BAD_ACCESS_LIST_ADD_REQUEST", "Each entry needs either ipAddress or cidrBlock."),
  accessListEntryThere: (entry: string) =>
    fault(409, "ADDRESS_ALREADY_IN_ACCESS_LIST", `${entry} is already in the access list.`, entry),
  repeatedAddress: (entry: string) =>
    fault(400, "DUPLICATE_ADDRESSES_IN_INPUT", `${entry} was given more than once.`, entry),
  accessListEntryNotFound: (entry: string) =>
    fault(404, "API_KEY_ACCESS_LIST_NOT_FOUND", `The access list has no entry ${entry}.`, entry),
  accessListDenied: () =>
    fault(400, "API_KEY_ACCESS_LIST_ACCESS_DENIED", "The access list of this key is not accessible."),
  callerInAccessList: (entry: string) =>
    fault(
      400,
      "CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST",
      `The caller's address ${entry} cannot be removed.`,
      entry,
    ),
  eventsDenied: () => fault(403, "USER_UNAUTHORIZED", "Current user is not authorized to read events."),
  eventNotFound: (id: string) => fault(404, "EVENT_NOT_FOUND", `No event with ID ${id} exists.`, id),
  invalidKeyId: (id: string) => fault(404, "INVALID_KEY_ID", `An invalid key ID ${id} was specified.`, id),
  cannotRename: () =>
    fault(403, "CANNOT_CHANGE_GROUP_NAME", "Current user is not authorized to change the group name."),
  invalidTag: (tag: string) =>
    fault(
      400,
      "INVALID_GROUP_TOKEN",
      `Tag ${tag} must be at most 32 alphanumeric characters, periods, underscores or dashes.`,
      tag,
    ),
  tooManyTags: (code: "TOO_MANY_GROUP_TOKENS" | "TOO_MANY_GROUP_TAGS", most: number) =>
    fault(code === "TOO_MANY_GROUP_TAGS" ? 401 : 400, code, `Groups are limited to ${most} tags.`, most),
  ldapIsOff: (name: string) =>
    fault(
      400,
      "DISALLOWED_ATTRIBUTE_TURN_ON_LDAP",
      `Attribute ${name} is allowed only with LDAP user management.`,
      name,
    ),
  ldapRoleTwice: (role: string) =>
    fault(
      400,
      "DUPLICATE_ROLE_ENTRY_IN_LDAP_MAPPING",
      `Role ${role} stands twice in the LDAP group mapping.`,
      role,
    ),
  ldapRoleMissing: (role: string) =>
    fault(
      400,
      "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING",
      `Missing ${role} role or missing its value in LDAP Group Mapping.`,
      role,
    ),
  invitationOnlyOrLdap: () =>
    fault(
      403,
      "INVITATION_ONLY_MODE_OR_LDAP",
      "Users cannot be added with invitation-only mode or LDAP user management.",
    ),
  activeBackup: (code: string) => fault(409, code, "A group with active backups cannot be closed."),
  billingUnsupported: () => fault(401, "BILLING_UNSUPPORTED", "Billing is not supported here."),

  // People
  invalidUserId: (id: string) => fault(404, "INVALID_USER_ID", `An invalid user ID ${id} was specified.`, id),
  userNotFound: (id: string) => fault(404, "USER_NOT_FOUND", `No user with ID ${id} exists.`, id),
  usernameNotFound: (name: string) =>
    fault(404, "USERNAME_NOT_FOUND", `No user with username ${name} exists.`, name),
  userNotInGroup: (user: string, groupId: string) =>
    fault(404, "USER_NOT_IN_GROUP", `User ${user} is not in group ${groupId}.`, user, groupId),
  lastOwnerLeaves: () =>
    fault(403, "CANNOT_DELETE_LAST_OWNER", "The last owner of a group cannot be removed."),
  lastOwnerDemoted: () =>
    fault(403, "CANNOT_DEMOTE_LAST_OWNER", "The last owner of a group cannot be demoted."),
  lastOrgOwnerDemoted: () =>
    fault(403, "CANNOT_DEMOTE_LAST_ORG_OWNER", "The last owner of an organization cannot be demoted."),
  lastAdminLeaves: () =>
    fault(
      403,
      "CANNOT_DELETE_LAST_ADMIN",
      "The last owner of an organization or of a group cannot be removed.",
    ),
  userNotInOrg: (user: string, orgId: string) =>
    fault(404, "USER_NOT_IN_ORG", `User ${user} is not in organization ${orgId}.`, user, orgId),
  globalRole: (role: string) =>
    fault(403, "CANNOT_ADD_GLOBAL_ROLE", `Global role ${role} cannot be added.`, role),
  roleNotForGroup: (role: string) =>
    fault(400, "INVALID_ROLE_FOR_GROUP", `Role ${role} is not valid for a group.`, role),
  emptyRoles: () => fault(400, "INVALID_GROUP_ROLE_UPDATE", "At least one role must be given."),
  invalidInvitation: (status: 400 | 404, id: string) =>
    fault(status, "INVALID_INVITATION_ID", `An invalid invitation ID ${id} was specified.`, id),
  invalidUsername: (name: string) =>
    fault(400, "INVALID_USERNAME", `Invalid username ${name} specified.`, name),
  cannotInvite: (name: string) =>
    fault(
      400,
      "DEFAULT_INVITATION_EXCEPTION",
      `${name} could not be invited: already invited or a member.`,
      name,
    ),

  // Teams; the codes are those of Atlas, as Ops Manager's list has only two with TEAM in them
  notOrgAdmin: (orgId: string) =>
    fault(401, "NOT_ORG_ADMIN", `The current user is not an owner of organization ${orgId}.`, orgId),
  invalidTeamId: (id: string) => fault(404, "INVALID_TEAM_ID", `An invalid team ID ${id} was specified.`, id),
  teamNotFound: (id: string) => fault(404, "TEAM_NOT_FOUND", `No team with ID ${id} exists.`, id),
  teamNameNotFound: (name: string) =>
    fault(404, "TEAM_NAME_NOT_FOUND", `No team with name ${name} exists.`, name),
  teamNotInOrg: (id: string) =>
    fault(404, "TEAM_NOT_IN_ORG", `Team ${id} is not in the group's organization.`, id),
  teamNotInGroup: (id: string, groupId: string) =>
    fault(404, "TEAM_NOT_IN_GROUP", `Team ${id} is not in group ${groupId}.`, id, groupId),
  teamInGroup: (id: string, groupId: string) =>
    fault(409, "TEAM_EXISTS_IN_GROUP", `Team ${id} is in group ${groupId} already.`, id, groupId),
  teamInUse: (id: string) =>
    fault(404, "CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT", `Team ${id} is assigned to a project.`, id),
  teamNameTaken: (name: string) =>
    fault(409, "TEAM_NAME_NOT_AVAILABLE", `The team name ${name} is not available.`, name),
  invalidTeamName: (name: string) => fault(400, "INVALID_TEAM_NAME", `Invalid team name ${name}.`, name),
  emptyTeam: () => fault(400, "CANNOT_CREATE_EMPTY_TEAM", "A team needs at least one user."),
  lastTeamUser: () =>
    fault(400, "CANNOT_REMOVE_LAST_USER_FROM_TEAM", "The last user of a team cannot be removed."),
  pendingUser: (name: string) =>
    fault(404, "CANNOT_ADD_PENDING_USER", `User ${name} has not accepted an invitation yet.`, name),
  userInTeam: (name: string) =>
    fault(409, "USER_ALREADY_IN_TEAM", `User ${name} is in the team already.`, name),
  noRolesInAssignment: () => fault(403, "NO_ROLES_IN_ASSIGNMENT", "At least one role must be given."),
  teamsWithLdap: () =>
    fault(409, "CANNOT_CREATE_TEAM_WITH_LDAP_ENABLED", "There are no teams with LDAP user management."),
  tooManyTeams: (most: number) =>
    fault(400, "MAX_TEAMS_PER_ORG_EXCEEDED", `An organization has at most ${most} teams.`, most),
  tooManyTeamUsers: (most: number) =>
    fault(400, "MAX_USERS_PER_TEAM_EXCEEDED", `A team has at most ${most} users.`, most),
  tooManyProjectTeams: (most: number) =>
    fault(400, "MAX_TEAMS_PER_GROUP_EXCEEDED", `A group has at most ${most} teams.`, most),
  tooManyAgentKeys: (most: number) =>
    fault(400, "MAX_AGENT_API_KEYS_EXCEEDED", `A group has at most ${most} agent API keys.`, most),
} as const;
