/**
 * Every configurable behavior of the sandbox, in one table. The type, the command line, the control
 * address and the table of the README come from here.
 *
 * Most switches stand for a behavior of the real service that two documents describe differently, or none describes:
 * "Where each behavior comes from" in `sandbox/README.md` names the sources. A client that works with both values
 * works either way.
 */

/** One switch: its allowed values, the value it starts with, and what it means. */
interface SwitchSpec<V extends string | number | boolean> {
  readonly kind: "choice" | "boolean" | "number" | "text";
  readonly initial: V;
  readonly about: string;
  /** Allowed values of a choice. */
  readonly values?: readonly V[];
  /** Name on the command line without the dashes; default: the switch's name in kebab-case. */
  readonly flag?: string;
}

function choice<const V extends string>(values: readonly V[], initial: V, about: string): SwitchSpec<V> {
  return { kind: "choice", values, initial, about };
}
function onOff(initial: boolean, about: string): SwitchSpec<boolean> {
  return { kind: "boolean", initial, about };
}
function count(initial: number, about: string, flag?: string): SwitchSpec<number> {
  return { kind: "number", initial, about, ...(flag === undefined ? {} : { flag }) };
}
function text(initial: string, about: string): SwitchSpec<string> {
  return { kind: "text", initial, about };
}

const offered = {
  onlyDocumented: onOff(
    false,
    "only the four documented operations exist; everything else is 404 as --unknown-path specifies",
  ),
  ldap: onOff(false, "the service is LDAP-backed: ldapGroupMappings are accepted and returned"),
  ldapPeople: onOff(
    false,
    "as --ldap, and the people of a project that has mappings come from LDAP groups: synchronized every hour, invitations are 403 INVITATION_ONLY_MODE_OR_LDAP",
  ),
  unknownPath: choice(
    ["RESOURCE_NOT_FOUND", "bare", "web-page"],
    "RESOURCE_NOT_FOUND",
    "a path that does not exist: 404 RESOURCE_NOT_FOUND, 404 without errorCode, or a web page with 404 (405 for a known path)",
  ),
  bypassInvitations: onOff(
    false,
    "mms.user.bypassInviteForExistingUsers: accounts that exist are added to a project at once, without an invitation",
  ),
  bypassNewUsers: onOff(
    false,
    "mms.user.bypassInviteForUsers, which replaces it since 8.0.18: as --bypass-invitations, and a name without an account gets one",
  ),
  renaming: choice(["allow", "refuse"], "allow", "refuse: renaming is 403 CANNOT_CHANGE_GROUP_NAME"),
  defaultAlerts: choice(
    ["accept", "refuse"],
    "accept",
    "refuse: POST /groups is 401 BILLING_UNSUPPORTED unless withDefaultAlertsSettings is false",
  ),
  versionString: text(
    "8.0.0.100.20260101T0000Z",
    "versionString in X-MongoDB-Service-Version; empty: no such header",
  ),
  versionOnErrors: onOff(true, "refusals carry X-MongoDB-Service-Version too"),
} as const;

const digest = {
  challenge: choice(
    ["qop", "op", "none"],
    "qop",
    'qop: qop="auth" as seen live; op: op="auth" as the API document prints; none: neither (RFC 2069 only)',
  ),
  opAccepts: choice(
    ["both", "rfc2069", "qop"],
    "both",
    "which forms of credentials are accepted when the challenge is op",
  ),
  opaque: onOff(false, "the challenge carries an opaque value that must come back"),
  digestAlgorithm: choice(
    ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess", "all"],
    "MD5",
    "algorithm of the challenge, MD5 as seen live; all: one challenge for each in one header, weakest first",
  ),
  userNames: choice(
    ["plain", "utf-8", "userhash"],
    "plain",
    "utf-8: the challenge states charset=UTF-8; userhash: it requests the hash of the key's name as well (RFC 7616, 3.4.4)",
  ),
  authenticationInfo: choice(
    ["none", "rspauth", "nextnonce", "both", "wrong-rspauth"],
    "none",
    "Authentication-Info of responses: the service's own proof, the nonce it expects next, both, or both with a wrong proof",
  ),
  nonceLifetimeSeconds: count(60, "how long a nonce is good, in seconds", "nonce-lifetime"),
  nonceReuse: choice(
    ["allow", "refuse", "refuse-silently"],
    "allow",
    "refuse: a nonce is good for one request, then 401 stale=true; refuse-silently: then 401 stale=false",
  ),
  nonceCount: choice(
    ["unique", "rising"],
    "unique",
    "unique: each nc once per nonce (RFC 7616, 3.4); rising: an nc below an earlier one is refused too",
  ),
} as const;

const visibility = {
  tagsWithoutGlobalRole: choice(
    ["allow", "hide", "refuse"],
    "allow",
    "tags for a key without a global role. allow: Project Read Only reads them, Project Automation Admin writes them; hide: written but never returned; refuse: 401 USER_UNAUTHORIZED on write",
  ),
  unknownProject: choice(
    ["GROUP_NOT_FOUND", "NOT_IN_GROUP"],
    "GROUP_NOT_FOUND",
    "a project that does not exist: 404 GROUP_NOT_FOUND or 401 NOT_IN_GROUP",
  ),
  unknownName: choice(
    ["GROUP_NAME_NOT_FOUND", "NOT_IN_GROUP"],
    "GROUP_NAME_NOT_FOUND",
    "GET /groups/byName of an unknown name: 404 GROUP_NAME_NOT_FOUND or 401 NOT_IN_GROUP",
  ),
  unknownNameInOrg: choice(
    ["empty", "GROUP_NAME_NOT_FOUND"],
    "empty",
    "GET /orgs/{id}/groups?name= without a match: an empty list or 404 GROUP_NAME_NOT_FOUND",
  ),
  orgProjects: choice(
    ["all", "visible"],
    "all",
    "GET /orgs/{id}/groups: all projects for any role in the organization, or only those the key may read",
  ),
  accountLookup: choice(
    ["user-admin", "organization"],
    "user-admin",
    "GET /users for a key without a global role: accounts with a project in which it is Project User Admin (else 401 NOT_USER_ADMIN), or all accounts of its organizations",
  ),
  orgProjectFields: choice(
    ["all", "without-tags-and-mappings"],
    "all",
    "entries of GET /orgs/{id}/groups: as in GET /groups, or without tags and ldapGroupMappings",
  ),
  orgNameFilter: choice(
    ["exact", "prefix"],
    "exact",
    "GET /orgs?name=: organizations whose name is equal to it, or starts with it; upper and lower case are the same",
  ),
  tagFilter: choice(
    ["all", "any"],
    "all",
    "GET /groups?tag=A&tag=B: projects with all of the tags, or with any",
  ),
} as const;

const projects = {
  emptyPatch: choice(
    ["MISSING_ONE_OF_THREE_ATTRIBUTES", "MISSING_ONE_OF_ATTRIBUTES", "MISSING_ATTRIBUTE", "accept"],
    "MISSING_ONE_OF_THREE_ATTRIBUTES",
    "PATCH /groups/{id} without any field: which 400, or accept it as no change",
  ),
  lowerCaseTags: choice(
    ["keep", "upper", "refuse"],
    "keep",
    "lower-case letters in tags: kept, stored in upper case, or 400 INVALID_GROUP_TOKEN",
  ),
  tooManyTags: choice(
    ["TOO_MANY_GROUP_TOKENS", "TOO_MANY_GROUP_TAGS"],
    "TOO_MANY_GROUP_TOKENS",
    "an eleventh tag: 400 TOO_MANY_GROUP_TOKENS (documented) or 401 TOO_MANY_GROUP_TAGS (seen live)",
  ),
  emptyLdapMappings: choice(
    ["refuse", "clear"],
    "refuse",
    "ldapGroupMappings: [] is 400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING, or clears",
  ),
  requiredLdapRole: text(
    "GROUP_OWNER",
    "a role that every list of mappings must contain, else 400; empty: none",
  ),
  ldapMappingRoles: choice(
    ["documented", "any"],
    "documented",
    "roles that LDAP groups can map to: the eight documented ones (GROUP_USER_ADMIN is 400 INVALID_ENUM_VALUE), or any project role",
  ),
  ldapMappingsInPost: choice(
    ["optional", "required"],
    "optional",
    "POST /groups with LDAP and without ldapGroupMappings: accepted, or 400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING",
  ),
  tagsInPost: choice(
    ["store", "ignore", "refuse"],
    "store",
    "tags in POST /groups: stored, accepted without effect, or 400 INVALID_ATTRIBUTE",
  ),
  idpMappings: choice(
    ["absent", "dropped", "present"],
    "absent",
    "idpGroupMappings, the groups of SAML and OIDC since 8.0.17: not known (400 INVALID_ATTRIBUTE), accepted without effect, or stored; responses with a project or an organization carry it unless it is not known",
  ),
  lastActiveAgent: choice(
    ["with-agents", "always"],
    "with-agents",
    "project responses carry lastActiveAgent only with an active agent, or always",
  ),
  masterSlaveCounts: onOff(false, "hostCounts carries master and slave, as fixtures of clients do"),
  agentApiKeyInPatch: onOff(true, "the PATCH response carries agentApiKey, as the API document specifies"),
  allowDuplicateNames: onOff(false, "one organization may hold several projects of the same name"),
  maxNameLength: count(64, "longest project name (64 on Atlas, unknown here); 0: no limit"),
  activeBackupCode: choice(
    ["CANNOT_CLOSE_GROUP_ACTIVE_BACKUP", "CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP"],
    "CANNOT_CLOSE_GROUP_ACTIVE_BACKUP",
    "the 409 for deleting a project with backups",
  ),
  deleteProjectStatus: choice(["200", "202"], "200", "status of DELETE /groups/{id}"),
  deletedProjectListedSeconds: count(
    0,
    "how long lists still contain a project after DELETE /groups/{id}, in seconds",
    "deleted-project-listed",
  ),
  deletedProjectNameSeconds: count(
    0,
    "how long the name of a deleted project is still 409 GROUP_ALREADY_EXISTS, in seconds",
    "deleted-project-name",
  ),
} as const;

const people = {
  deleteUserStatus: choice(["200", "202", "204"], "200", "status of DELETE /groups/{id}/users/{id}"),
  deleteInvitationStatus: choice(["200", "202", "204"], "204", "status of DELETE /groups/{id}/invites/{id}"),
  deletionBody: choice(
    ["none", "empty-object"],
    "none",
    "body of those two responses; empty-object: {}, with a 204 too, which HTTP does not allow",
  ),
  deleteGoneInvitation: choice(
    ["400", "404"],
    "400",
    "status of INVALID_INVITATION_ID when DELETE names an unknown, accepted or expired invitation",
  ),
  expiredInvitation: choice(
    ["gone", "shown"],
    "gone",
    "GET of an expired invitation: 404 INVALID_INVITATION_ID, or still 200 with expiresAt in the past",
  ),
  reinvite: choice(
    ["same", "replace", "second", "refuse"],
    "same",
    "inviting a name that is pending: same invitation with the new roles, a new one instead, a second one, or 400",
  ),
  inviteMember: choice(
    ["refuse", "invite"],
    "refuse",
    "inviting a user who is a member: 400 DEFAULT_INVITATION_EXCEPTION, or a pending invitation",
  ),
  renamedInvitee: choice(
    ["follows", "keeps-name"],
    "follows",
    "the username of a pending invitation after its account is renamed: the new name, or the one it was sent to",
  ),
  patchUserRoles: choice(
    ["replace", "merge"],
    "replace",
    "PATCH /users/{id} roles: the list replaces all roles, or is added to them",
  ),
} as const;

const teams = {
  teamAnswers: choice(
    ["all", "changed"],
    "all",
    "response of POST and PATCH /groups/{id}/teams: the first page of all teams of the project, or the changed ones",
  ),
  addedTeamAgain: choice(
    ["refuse", "replace"],
    "refuse",
    "adding a team that the project has: 409 TEAM_EXISTS_IN_GROUP, or the team gets the new roles",
  ),
  severalTeams: choice(
    ["all-or-none", "one-by-one"],
    "all-or-none",
    "several teams in POST /groups/{id}/teams, one of them refused: none is added, or those before it are",
  ),
  patchTeamRoles: choice(
    ["replace", "add"],
    "replace",
    "PATCH /groups/{id}/teams/{teamId}: the roles replace all roles of the team, or are added to them",
  ),
  projectTeam: choice(
    ["not-offered", "offered"],
    "not-offered",
    "GET /groups/{id}/teams/{teamId}, which links name and no document lists: 404 RESOURCE_NOT_FOUND, or the team",
  ),
  foreignTeam: choice(
    ["TEAM_NOT_FOUND", "TEAM_NOT_IN_ORG"],
    "TEAM_NOT_FOUND",
    "the 404 for adding a team of another organization",
  ),
  usedTeam: choice(
    ["refuse", "vanish"],
    "refuse",
    "deleting a team that a project has: 404 CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT, or the projects lose it",
  ),
  emptyTeam: choice(
    ["accept", "refuse"],
    "accept",
    "POST /orgs/{id}/teams without people: a team without people, or 400 CANNOT_CREATE_EMPTY_TEAM",
  ),
  usernamesOfNewTeam: choice(
    ["accept", "ignore"],
    "accept",
    "usernames in POST /orgs/{id}/teams, which clients send and no document names: they are in the team, or have no effect",
  ),
  lastTeamUser: choice(
    ["keep", "remove"],
    "keep",
    "removing the last person of a team: 400 CANNOT_REMOVE_LAST_USER_FROM_TEAM, or a team without people",
  ),
  deleteTeamStatus: choice(
    ["200", "202", "204"],
    "204",
    "status of the deletions of a team, of a team in a project, and of a person in a team",
  ),
  newTeamUnknownSeconds: count(
    0,
    "how long projects reject a new team with 404 TEAM_NOT_FOUND, in seconds",
    "new-team-unknown",
  ),
  maxTeamsPerProject: count(0, "most teams of a project, then 400 MAX_TEAMS_PER_GROUP_EXCEEDED; 0: no limit"),
  teamOwners: onOff(false, "a team with GROUP_OWNER counts where the last owner of a project is protected"),
  orgOwners: onOff(
    false,
    "an owner of the organization counts where the last owner of a project is protected",
  ),
  flattenTeams: onOff(false, "the default of flattenTeams in GET /groups/{id}/users"),
  teamRolesInUsers: onOff(false, "roles of an account contain the project roles that come through its teams"),
} as const;

const agentKeys = {
  agentKeyStatus: choice(["200", "201"], "201", "status of POST /groups/{id}/agentapikeys"),
  agentKeyId: choice(["_id", "id"], "_id", "name of an agent key's id"),
  agentKeyTime: choice(["number", "text"], "number", "createdTime: milliseconds since 1970, or ISO 8601"),
  agentKeyList: choice(
    ["array", "results"],
    "array",
    "GET /groups/{id}/agentapikeys: a bare array, or {results}",
  ),
  agentKeyInAnswer: onOff(true, "the response to the creation of an agent key contains the key"),
  agentKeyDesc: choice(
    ["any", "required", "unique"],
    "any",
    "desc of a new agent key: any text, 400 INVALID_ATTRIBUTE if it is empty, or also if another key has it",
  ),
  maxAgentKeys: count(0, "most agent keys of a project, then 400 MAX_AGENT_API_KEYS_EXCEEDED; 0: no limit"),
  originalAgentKey: choice(
    ["PROVISIONING", "OLD_KEY"],
    "PROVISIONING",
    "createdBy of the agent key that a project starts with",
  ),
  unknownAgentKey: choice(
    ["INVALID_KEY_ID", "RESOURCE_NOT_FOUND"],
    "INVALID_KEY_ID",
    "the 404 for deleting an unknown agent key",
  ),
  lastAgentKey: choice(
    ["delete", "keep"],
    "delete",
    "deleting the only agent key of a project: it is deleted, or 401 USER_UNAUTHORIZED",
  ),
  deleteAgentKeyStatus: choice(["200", "202", "204"], "200", "status of the deletion of an agent key"),
} as const;

const organizations = {
  orgMappings: choice(
    ["shown", "patch-only", "absent"],
    "shown",
    "the group mappings of an organization: in each response with it, in that of PATCH /orgs/{id} only, or not known (400 INVALID_ATTRIBUTE)",
  ),
  orgMappingsWriter: choice(
    ["owner", "global-user-admin"],
    "owner",
    "who writes them: Organization Owner as well, or Global User Admin only (401 USER_UNAUTHORIZED)",
  ),
  federationSettings: choice(
    ["not-offered", "offered"],
    "not-offered",
    "GET /orgs/{id}/federationSettings and /federationSettings/{id}/connectedOrgConfigs/{id}, which only Cloud Manager documents: 404 RESOURCE_NOT_FOUND, or offered, and that response for an organization without a federation only",
  ),
  deletedOrg: choice(
    ["shown", "gone"],
    "shown",
    "GET /orgs/{id} of a deleted organization by a key with a global role: 200 with isDeleted: true, or 404 ORG_NOT_FOUND",
  ),
  orgUserChanges: choice(
    ["not-offered", "offered"],
    "not-offered",
    "DELETE /orgs/{id}/users/{id} and PUT /orgs/{id}/users/{id}/roles, which only Cloud Manager documents: 404 RESOURCE_NOT_FOUND, or offered",
  ),
  deleteOrgUserStatus: choice(["200", "202", "204"], "204", "status of DELETE /orgs/{id}/users/{id}"),
} as const;

const apiKeys = {
  apiKeyStatus: choice(["200", "201"], "200", "status of POST /orgs/{id}/apiKeys and /groups/{id}/apiKeys"),
  apiKeyInAnswer: onOff(true, "the response to the creation of an API key contains the private key"),
  apiKeyMask: choice(
    ["documented", "x", "stars", "absent"],
    "documented",
    "the private key in later responses: ********-****-****- and its last block; or as a gateway masks it: every character as x or as *, or left out",
  ),
  orgMemberOfKeys: onOff(false, "each API key also has the role ORG_MEMBER in responses"),
  projectRolesOfKey: choice(
    ["keep", "drop"],
    "keep",
    "PATCH /orgs/{id}/apiKeys/{id} with roles: the roles of the key in projects stay, or are removed",
  ),
  unknownApiKey: choice(["400", "404"], "400", "status of API_KEY_NOT_FOUND"),
  rootApiKey: onOff(false, "GET / contains apiKey, the caller's own key"),
  maxApiKeys: count(
    500,
    "most API keys of an organization, then 400 MAX_API_KEYS_PER_ORG_EXCEEDED; 0: no limit",
  ),
  deleteApiKeyStatus: choice(
    ["200", "202", "204"],
    "204",
    "status of the deletions of an API key, and of its roles in a project",
  ),
  requiredAccessList: onOff(
    false,
    "a key without an entry in its access list is 403 IP_ADDRESS_NOT_ON_ACCESS_LIST",
  ),
  accessListAgain: choice(
    ["refuse", "ignore"],
    "refuse",
    "adding an entry that an access list has: 409 ADDRESS_ALREADY_IN_ACCESS_LIST, or no effect",
  ),
  callerAddress: choice(
    ["keep", "remove"],
    "keep",
    "removing the caller's address from an access list: 400 CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST, or it is removed",
  ),
} as const;

const events = {
  events: choice(
    ["on", "off", "refused"],
    "on",
    "GET /groups/{id}/events and /orgs/{id}/events, and of one event: offered, 404 RESOURCE_NOT_FOUND, or 403 USER_UNAUTHORIZED",
  ),
  eventOrder: choice(["newest", "oldest"], "newest", "which event is first in a list"),
  repeatedEventType: choice(
    ["all", "last", "refuse"],
    "all",
    "eventType=A&eventType=B: events of both types, of the last one only, or 400 INVALID_QUERY_PARAMETER",
  ),
  undocumentedEvents: onOff(
    false,
    "changes without a documented name are recorded under that of Atlas, such as GROUP_NAME_CHANGED; API_KEY_CREATED and API_KEY_DELETED replace ORG_API_KEY_ADDED and ORG_API_KEY_DELETED",
  ),
  eventActor: choice(
    ["named", "missing"],
    "named",
    "an event names the person or the key that made the change, or neither",
  ),
  eventDelayMs: count(0, "how long an event is in no response yet, in milliseconds", "event-delay"),
} as const;

const serviceAccounts = {
  serviceAccountLists: choice(
    ["not-offered", "offered"],
    "not-offered",
    "GET /orgs/{id}/serviceAccounts and /groups/{id}/serviceAccounts, which only Cloud Manager documents: 404 RESOURCE_NOT_FOUND, or offered",
  ),
  serviceAccountRoles: choice(
    ["text", "objects"],
    "text",
    "roles of a service account in these lists: the names of those in the place of the list, or objects as API keys have them, in the list of an organization also those in projects",
  ),
  orgAccountsInProject: onOff(
    false,
    "the list of a project also has the service accounts that reach it by ORG_OWNER or ORG_READ_ONLY alone, with that role",
  ),
  systemServiceAccounts: choice(
    ["hidden", "shown"],
    "hidden",
    "accounts that the service made for itself: only listed with includeSystemManaged=true, or always",
  ),
  tokenLifetimeSeconds: count(3600, "expires_in of an access token, in seconds", "token-lifetime"),
  tokenRequestsPerMinute: count(
    10,
    "requests for tokens per service account and minute before 429 rate_limited; 0: no limit",
  ),
} as const;

const limits = {
  invitationDays: count(30, "days to accept an invitation"),
  requestsPerMinute: count(0, "requests per key and minute before 429 RATE_LIMITED; 0: no limit"),
  invitationsPerMinute: count(
    0,
    "invitations per minute before 400 INVITATIONS_RATE_LIMITED_IP; 0: no limit",
  ),
  retryAfter: choice(["seconds", "date", "none"], "seconds", "Retry-After header of a 429"),
  latencyMs: count(0, "wait before every request, in milliseconds", "latency"),
} as const;

/** The switches by what they are about, as the help shows them. */
export const switchGroups = {
  "What the service offers": offered,
  "Digest authentication": digest,
  "Visibility and roles": visibility,
  "Writing projects": projects,
  "People and invitations": people,
  Teams: teams,
  "API keys": apiKeys,
  "Agent keys": agentKeys,
  "Service accounts": serviceAccounts,
  "Limits and slowness": limits,
  Organizations: organizations,
  Events: events,
} as const;

export const switchTable = {
  ...offered,
  ...digest,
  ...visibility,
  ...projects,
  ...people,
  ...teams,
  ...apiKeys,
  ...agentKeys,
  ...serviceAccounts,
  ...limits,
  ...organizations,
  ...events,
} as const satisfies Record<
  string,
  SwitchSpec<never> | SwitchSpec<string> | SwitchSpec<number> | SwitchSpec<boolean>
>;

export type SwitchName = keyof typeof switchTable;

/** The value of every switch. */
export type Switches = {
  readonly [N in SwitchName]: (typeof switchTable)[N] extends SwitchSpec<infer V> ? V : never;
};

export const switchNames = Object.keys(switchTable) as SwitchName[];

/** The values every sandbox starts with. */
export const defaultSwitches = Object.fromEntries(
  switchNames.map((name) => [name, switchTable[name].initial]),
) as Switches;

function specOf(name: string): SwitchSpec<string | number | boolean> | undefined {
  return Object.hasOwn(switchTable, name)
    ? (switchTable[name as SwitchName] as SwitchSpec<string | number | boolean>)
    : undefined;
}

/** What is wrong with this value for this switch, in words; undefined when it is fine. */
function switchProblem(name: string, value: unknown): string | undefined {
  const spec = specOf(name);
  if (spec === undefined) return `there is no switch called ${name}`;
  switch (spec.kind) {
    case "choice":
      return (spec.values as readonly unknown[]).includes(value)
        ? undefined
        : `${name} must be one of ${spec.values?.join(", ")}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `${name} must be true or false`;
    case "number":
      return typeof value === "number" && Number.isFinite(value) && value >= 0
        ? undefined
        : `${name} must be a number, 0 or more`;
    case "text":
      return typeof value === "string" ? undefined : `${name} must be text`;
  }
}

/** Checks a set of switches from outside. Throws one Error that names every fault. */
export function checkSwitches(values: Readonly<Record<string, unknown>>): Partial<Switches> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const problems = given.map(([name, value]) => switchProblem(name, value)).filter((p) => p !== undefined);
  if (problems.length > 0) throw new Error(problems.join("; "));
  return Object.fromEntries(given) as Partial<Switches>;
}
