/**
 * The contested points in the order of a run. Points without a project come first, then those that
 * change the throw-away project or read its events, then those that delete one.
 */
import { agentKeyPoints } from "./agent-keys";
import { digestPoints } from "./digest";
import { eventPoints } from "./events";
import { invitationPoints } from "./invitations";
import { ldapPoints } from "./ldap";
import { listPoints } from "./lists";
import { memberPoints } from "./members";
import type { Points } from "./point";
import { projectPoints } from "./project";
import { readingPoints } from "./reading";
import { serviceAccountPoints } from "./service-accounts";
import { tagPoints } from "./tags";

export const allPoints: Points = {
  ...digestPoints,
  ...readingPoints,
  ...serviceAccountPoints,
  ...projectPoints,
  ...agentKeyPoints,
  ...tagPoints,
  ...ldapPoints,
  ...memberPoints,
  ...invitationPoints,
  ...eventPoints,
  ...listPoints,
};

const WITH_TEAM = "It requires a team, which belongs to the organization and not to a throw-away project.";
const WITH_KEY = "It requires a new agent key or the deletion of one. A run handles no secrets.";
const WITH_API_KEY = "It requires a new API key or the change of one. A run handles no secrets.";
const WITH_MAPPINGS = "It requires a change of the organization's group mappings, which decide who owns it.";

/** Switches that no client can observe, or that a client must not test, each with the reason. */
export const unobservable: Readonly<Record<string, string>> = {
  activeBackupCode: "It requires a project with backups.",
  expiredInvitation: "It requires an expired invitation, which takes days.",
  renamedInvitee: "It requires a renamed account.",
  bypassNewUsers: "The service would keep the account of the invited address.",
  patchUserRoles: "PATCH /users/{id} writes to an account that the run did not create.",
  teamAnswers: WITH_TEAM,
  addedTeamAgain: WITH_TEAM,
  severalTeams: WITH_TEAM,
  patchTeamRoles: WITH_TEAM,
  projectTeam: WITH_TEAM,
  foreignTeam: WITH_TEAM,
  usedTeam: WITH_TEAM,
  emptyTeam: WITH_TEAM,
  usernamesOfNewTeam: WITH_TEAM,
  lastTeamUser: WITH_TEAM,
  deleteTeamStatus: WITH_TEAM,
  newTeamUnknownSeconds: WITH_TEAM,
  maxTeamsPerProject: WITH_TEAM,
  teamOwners: WITH_TEAM,
  orgOwners: "A run removes no owner of a project.",
  flattenTeams: WITH_TEAM,
  teamRolesInUsers: WITH_TEAM,
  agentKeyStatus: WITH_KEY,
  agentKeyInAnswer: WITH_KEY,
  agentKeyDesc: WITH_KEY,
  maxAgentKeys: WITH_KEY,
  unknownAgentKey: WITH_KEY,
  lastAgentKey: WITH_KEY,
  deleteAgentKeyStatus: WITH_KEY,
  apiKeyStatus: WITH_API_KEY,
  apiKeyInAnswer: WITH_API_KEY,
  apiKeyMask: WITH_API_KEY,
  orgMemberOfKeys: WITH_API_KEY,
  projectRolesOfKey: WITH_API_KEY,
  maxApiKeys: WITH_API_KEY,
  deleteApiKeyStatus: WITH_API_KEY,
  requiredAccessList: WITH_API_KEY,
  federationSettings: "Without a federation, the response is the same. A run sets up none.",
  accessListAgain: WITH_API_KEY,
  callerAddress: WITH_API_KEY,
  orgMappings: WITH_MAPPINGS,
  orgMappingsWriter: WITH_MAPPINGS,
  deletedOrg: "It requires a deleted organization.",
  orgUserChanges: "It requires a member of the organization that the run may remove.",
  deleteOrgUserStatus: "It requires a member of the organization that the run may remove.",
  systemServiceAccounts: "It requires a service account that the service made for itself.",
  tokenLifetimeSeconds: "It requires a service account. A run handles no tokens.",
  tokenRequestsPerMinute: "Reaching the limit would affect other clients.",
  requestsPerMinute: "Reaching the limit would affect other clients.",
  invitationsPerMinute: "Reaching the limit would send many invitations.",
  retryAfter: "It requires a request above the limit.",
  eventDelayMs: "It requires events whose times are compared with the service's clock.",
  latencyMs: "It is a property of the simulation.",
};
