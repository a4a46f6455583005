/** Advice on an error response: the last sentence of its message. */
import { type Credentials, callerOf, type ServiceAccount } from "../settings/config";
import type { ApiFault, SharedCause } from "../text/errors";
import { OBJECT_ID } from "../text/object-id";
import { own } from "../text/own";
import { causeOfStatus, type DigestRefusal, type TokenRefusal } from "../transport";

export type RequestContext = Credentials & {
  readonly keySource: string;
  readonly origin: string;
  readonly method: string;
  /** The least role for the call, if it is known. */
  readonly leastRole?: string | undefined;
  /** An earlier response contained the project or organization that the call is about. */
  readonly wasThere?: boolean;
};

export type HintContext = RequestContext & {
  /** What a 401 without a code rejects. */
  readonly refusal: DigestRefusal | TokenRefusal | undefined;
};

/**
 * Statuses for a path or a method that a service does not know (RFC 9110 sections 15.5.5, 15.5.6
 * and 15.6.2).
 */
export const NOT_OFFERED_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/** The service's own code for a path that it does not know (API document, "Errors"). */
export const UNKNOWN_PATH = "RESOURCE_NOT_FOUND";

/** The codes for an address outside the access list of the key (5.0 renamed them). */
const ACCESS_LIST_CODE = /ACCESS_LIST|WHITELIST/;

/** Whether the access list of the key keeps this machine out, or the key has none and needs one. */
export function isAccessListRefusal({ status, errorCode = "" }: ApiFault): boolean {
  return status === 403 && ACCESS_LIST_CODE.test(errorCode);
}

/** Whether the response names the refused address. */
function namesAddress({ errorCode = "" }: ApiFault): boolean {
  return errorCode.startsWith("IP_ADDRESS");
}

/**
 * Roles of a key for tags. The current documents name a project role; an older page names global
 * roles.
 */
export const ROLE_TO_SEE_TAGS =
  "the role Project Read Only, in older versions Global Owner or Global Read Only";
export const ROLE_TO_WRITE_TAGS = "the role Project Automation Admin, in older versions Global Owner";

/** No page names the role that writes the mappings of an organization. The roles page has one that "manages LDAP mappings". */
export const ROLE_TO_CHANGE_ORGANIZATION =
  "Organization Owner, or Global User Admin for group mappings where the service lets no owner write them";

const MISSING_ROLE: Readonly<Record<string, string>> = {
  NOT_GROUP_USER_ADMIN: "Project User Admin",
  NOT_USER_ADMIN: "User Admin",
  NOT_GLOBAL_USER_ADMIN: "Global User Admin",
  NOT_ORG_ADMIN: "Organization Owner",
  NOT_ORG_OWNER: "Organization Owner",
  NOT_ORG_GROUP_CREATOR: "Organization Project Creator or Organization Owner",
};

const NO_ROLE_IN_PROJECT = "The API key has no role in that project, or the project does not exist.";
const STOP_BACKUPS =
  'Stop and terminate its backups first. To keep the project instead, set onDestroy to "release".';
const OTHER_OWNER =
  "A project or an organization keeps at least one owner. Give GROUP_OWNER or ORG_OWNER to another member first.";
const LAST_OWNER = `${OTHER_OWNER} To keep this member instead, set onDestroy to "release".`;

/** Advice if a service takes no mappings of an identity provider's groups. */
export const NO_IDP_LOGIN =
  "Mappings of an identity provider's groups need Ops Manager 8.0.17 or later with a login through SAML or OIDC. Remove idpGroupMappings, or set up that login first.";

/** The codes for a project or an organization that does not exist, if the service has shown it before. */
const DELETED_SINCE: Readonly<Record<string, string>> = {
  GROUP_NOT_FOUND: "It was there earlier in this run and has been deleted since. Run the command again.",
  ORG_NOT_FOUND:
    "It was there earlier in this run and has been deleted since. Remove its resources from the state with pulumi state delete.",
};

/** Sentences by the service's stable code (ops-manager API, error list). */
const BY_CODE: Readonly<Record<string, string>> = {
  USER_UNAUTHORIZED: `The API key lacks a role for this. Grant it Project Owner in the project, or Organization Owner for the people, teams and keys of an organization. Tags require ${ROLE_TO_WRITE_TAGS}.`,
  NOT_IN_GROUP: NO_ROLE_IN_PROJECT,
  USER_CANNOT_ACCESS_GROUP: NO_ROLE_IN_PROJECT,
  GROUP_NOT_FOUND:
    "Check the project id. Check that baseUrl is the address of the service that has the project.",
  INVALID_GROUP_ID: "A project id has 24 hexadecimal digits.",
  ORG_NOT_FOUND:
    "Check orgId. Check that baseUrl is the address of the service that has the organization. If the organization was deleted, remove its resources from the state with pulumi state delete.",
  GROUP_ALREADY_EXISTS: "Choose another name, or adopt the existing project by its projectId.",
  CANNOT_CHANGE_GROUP_NAME: "The API key may not rename this project. Grant it Project Owner.",
  INVALID_GROUP_NAME: "Choose another name.",
  INVALID_GROUP_NAME_10GEN: 'A name may not hold "10gen-" or "-10gen".',
  INVALID_GROUP_TOKEN:
    "A tag has at most 32 characters: letters, digits, `.`, `_` and `-`; some versions require capitals.",
  TOO_MANY_GROUP_TOKENS: "A project has at most 10 tags.",
  TOO_MANY_GROUP_TAGS: "A project has at most 10 tags.",
  DISALLOWED_ATTRIBUTE_TURN_ON_LDAP:
    "This service does not use LDAP. Remove ldapGroupMappings, or enable LDAP in the service first.",
  MISSING_ROLE_ENTRY_IN_LDAP_MAPPING:
    "Map GROUP_OWNER to at least one LDAP group in ldapGroupMappings, or ORG_OWNER in those of an organization; some versions require other roles too. This service does not accept []. To stop managing the mappings, remove ldapGroupMappings.",
  API_KEY_CANNOT_CREATE_GROUP:
    "The API key may not create projects. Grant it Organization Project Creator, or adopt an existing project by projectId.",
  API_KEY_NOT_FOUND:
    "The organization has no such API key. Check its id, and that baseUrl is the address of the service that has the organization.",
  API_KEY_ACCESS_LIST_ACCESS_DENIED:
    "The access list of another key requires the role Organization Owner. Grant it to the API key, or remove accessList from the program.",
  CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST:
    "The service keeps the address from which this provider calls. Keep it in accessList, or run from another address.",
  MAX_API_KEYS_PER_ORG_EXCEEDED: "An organization has at most 500 API keys. Delete keys that are not used.",
  BILLING_UNSUPPORTED:
    "This service has no billing alerts to create. Set withDefaultAlertsSettings to false.",
  CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP: STOP_BACKUPS,
  CANNOT_CLOSE_GROUP_ACTIVE_BACKUP: STOP_BACKUPS,
  ATLAS_GROUP: "This is an Atlas project. This provider manages projects of Ops Manager and Cloud Manager.",
  WRITES_NOT_ALLOWED_DURING_APP_UPGRADES:
    "The service is being upgraded. Run the command again after the upgrade.",
  RATE_LIMITED: "Set requestsPerSecond or a lower maxConcurrentRequests.",
  CANNOT_DELETE_LAST_OWNER: LAST_OWNER,
  CANNOT_DELETE_LAST_ADMIN: LAST_OWNER,
  CANNOT_DEMOTE_LAST_OWNER: `${OTHER_OWNER} An invited owner counts only after accepting the invitation.`,
  USER_NOT_FOUND:
    "Check username or userId. Check that baseUrl is the address of the service that has the account. To invite a person without an account, use username.",
  INVALID_USER_ID: "A user id has 24 hexadecimal digits.",
  USERNAME_NOT_FOUND: "Check the username. It must be spelled as in the service's list of users.",
  USER_NOT_IN_GROUP:
    "The person has no role of their own in that project. Access through a team or the organization is managed there.",
  INVALID_USERNAME: "A username is usually an e-mail address.",
  INVALID_EMAIL_ADDRESS: "Check the username. The invitation is sent to it as an e-mail address.",
  BLOCKED_USERNAME:
    "The service does not invite this address. Use another one, or contact the service's administrator.",
  INVALID_ROLE_FOR_GROUP: "Use roles of a project. Their names begin with GROUP_.",
  INVALID_ENUM_VALUE:
    "This version of the service has no role of that name. Check the names of the roles. Those of a project begin with GROUP_, those of an organization with ORG_.",
  UNSUPPORTED_ROLE: "This version of the service does not offer that role. Choose another one.",
  CANNOT_ADD_GLOBAL_ROLE: "Use roles of a project, which begin with GROUP_, instead of global ones.",
  CANNOT_ADD_PENDING_USER:
    "The owner of the account has not accepted its invitation yet. Until then, a project can invite the account by username. No team can have it before.",
  MAX_USERS_PER_GROUP_EXCEEDED:
    "The project has its maximum number of users. Remove a user first, or have the service's administrator raise the limit.",
  INVITATIONS_RATE_LIMITED_IP:
    "The service limits invitations per minute. Run the command again in a minute. It continues from what was done.",
  RATE_LIMITED_IP:
    "The service limits requests per minute from this address. Run the command again in a minute.",
  DEFAULT_INVITATION_EXCEPTION:
    "The person may be a member or invited already, or the service cannot send mail. Check the project's users and invitations there, and run the command again.",
  INVITATION_ONLY_MODE_OR_LDAP:
    "This service adds people from LDAP groups, or only people who accepted an invitation. With LDAP, add the person to a group in the project's ldapGroupMappings. Otherwise, invite the person by username.",
  TEAM_NOT_FOUND:
    "Check the team. A team and its project belong to the same organization, and the API key must be able to see the team.",
  TEAM_NOT_IN_ORG: "Use a team of the organization that has the project.",
  TEAM_EXISTS_IN_GROUP: "The team is in the project already.",
  TEAM_NAME_NOT_AVAILABLE:
    "Another team of the organization has this name. Rename or delete that team first, in a run before this one, or choose another name. If you cannot see that team, use a key with the role Organization Owner.",
  INVALID_TEAM_NAME: "Choose another name for the team.",
  CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT: "Remove the team from its projects first.",
  CANNOT_CREATE_EMPTY_TEAM: "A team needs at least one person.",
  CANNOT_CREATE_TEAM_WITH_LDAP_ENABLED:
    "A service that uses LDAP has no teams. Map LDAP groups to project roles with ldapGroupMappings.",
  CANNOT_REMOVE_LAST_USER_FROM_TEAM: "A team keeps at least one person. Add another person first.",
  NO_ROLES_IN_ASSIGNMENT: "A team in a project has at least one role.",
  MAX_TEAMS_PER_ORG_EXCEEDED: "The organization has its maximum number of teams. Delete a team first.",
  MAX_USERS_PER_TEAM_EXCEEDED: "The team has its maximum number of people. Use a second team.",
  MAX_TEAMS_PER_GROUP_EXCEEDED: "The project has its maximum number of teams. Remove a team first.",
  INVALID_INVITATION_ID:
    "The invitation was accepted, has expired or was deleted. Only pending invitations can be read.",
};

/**
 * Lists the advice for each `errorCode` that has one, for the generated table in
 * docs/troubleshooting.md.
 */
export function hintsByErrorCode(): Readonly<Record<string, string>> {
  const roles = Object.entries(MISSING_ROLE).map(([code, role]) => [code, missingRoleHint("API key", role)]);
  return { ...Object.fromEntries(roles), ...BY_CODE };
}

function missingRoleHint(caller: string, role: string): string {
  return `The ${caller} needs the role ${role}.`;
}

export function hintFor(fault: ApiFault, context: HintContext): string {
  const { errorCode, status, detail = "" } = fault;
  const { leastRole, method, origin, refusal } = context;
  const caller = callerOf(context);
  if (refusal) return refusedCredentials(refusal, context);
  if (errorCode !== undefined) {
    // The general advice names the roles for changes.
    const role = own(MISSING_ROLE, errorCode) ?? (errorCode === "USER_UNAUTHORIZED" ? leastRole : undefined);
    if (role) return missingRoleHint(caller, role);
    const known = (context.wasThere && own(DELETED_SINCE, errorCode)) || own(BY_CODE, errorCode);
    if (known !== undefined) return context.serviceAccount ? forServiceAccount(known) : known;
  }
  if (isAccessListRefusal(fault)) {
    const address = namesAddress(fault)
      ? "the address above"
      : `this machine's address, as ${origin} sees it,`;
    return `Add ${address} to the access list of ${caller}; a new entry can take minutes to count.`;
  }
  // The error list has no code for it. An older version rejects the property as one that it does not know.
  if (status === 400 && detail.includes("idpGroupMappings")) return NO_IDP_LOGIN;
  if (status === 401 || status === 403)
    return leastRole ? missingRoleHint(caller, leastRole) : `The ${caller} lacks a role for this.`;
  if (NOT_OFFERED_STATUSES.has(status)) {
    return `The service has no such operation or no such object. Check baseUrl (${origin}) and the service's version${method === "GET" ? "" : `, and that a proxy lets ${method} through`}.`;
  }
  if (status >= 500)
    return "The service failed internally. See its log for the cause. Running the command again is safe.";
  return "";
}

/**
 * The cause that an error response has in common with those of other calls, whatever these are about.
 *
 * @param keyAccepted the service accepted the credentials for this request or an earlier one. Some
 * versions then reject them for one project that does not exist
 */
export function causeFor(
  fault: ApiFault,
  { refusal, serviceAccount }: Pick<HintContext, "refusal" | "serviceAccount">,
  keyAccepted: boolean,
): Omit<SharedCause, "explanation"> | undefined {
  if (refusal === "nonce") return { name: "Nonces refused" };
  if (refusal === "scheme") return { name: "Login not supported", mayPass: keyAccepted };
  if (refusal === "token-url") return { name: "No access token" };
  if (refusal !== undefined) {
    if (keyAccepted) return undefined;
    return { name: serviceAccount ? "Service account refused" : "Key refused" };
  }
  if (isAccessListRefusal(fault)) {
    return { name: namesAddress(fault) ? "Address not on the access list" : "Access list required" };
  }
  const { errorCode, parameters, status } = fault;
  if (errorCode === "ORG_NOT_FOUND") return causeOfMissingOrganization(parameters?.[0]);
  if (errorCode === "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES")
    return { name: "Upgrade in progress", mayPass: true };
  return causeOfStatus(status);
}

/** Everything in the organization fails for it. @param orgId `undefined` if the response does not name it */
export function causeOfMissingOrganization(orgId: unknown): Omit<SharedCause, "explanation"> | undefined {
  const isId = typeof orgId === "string" && OBJECT_ID.test(orgId);
  return isId ? { name: `Organization ${orgId} not found`, mayPass: true } : undefined;
}

/** Names the service account where a sentence names the API key that sent the request. */
function forServiceAccount(sentence: string): string {
  return sentence.replace(/\b([Tt])he API key\b/g, "$1he service account");
}

/**
 * Advice for rejected credentials. A 401 without a code has several possible causes, and the response
 * does not show which.
 */
function refusedCredentials(refusal: NonNullable<HintContext["refusal"]>, context: HintContext): string {
  const { keySource, origin, serviceAccount } = context;
  if (serviceAccount) return refusedAccount(refusal, serviceAccount, context);
  if (refusal === "scheme") {
    return `A server other than this API requires a login, or the service does not accept HTTP Digest with MD5 or SHA-256. Check baseUrl (${origin}), and whether a proxy requires a login of its own.`;
  }
  if (refusal === "nonce") {
    return `${origin} rejects each of its own nonces as stale. Several servers behind one address may not share nonces. Configure the load balancer to keep a client on one server, and run the command again.`;
  }
  return [
    `The service refused ${callerOf(context)} from ${keySource}. Possible causes:`,
    "the key pair is wrong or was deleted;",
    "the key belongs to another service or organization;",
    `it has an access list without this machine's address (as ${origin} sees it);`,
    "it lacks the role for this, or the project does not exist (some versions return no code for these cases).",
    AFTER_ROTATION,
  ].join(" ");
}

const AFTER_ROTATION = "After a rotation with an explicit provider, run: pulumi up --refresh --run-program.";

function refusedAccount(
  refusal: NonNullable<HintContext["refusal"]>,
  { tokenUrl }: ServiceAccount,
  context: HintContext,
): string {
  const caller = callerOf(context);
  if (refusal === "token-url") {
    return `${tokenUrl} returned no access token, and no error of a token endpoint. Check tokenUrl, and whether a proxy requires a login of its own.`;
  }
  if (refusal === "account") {
    return [
      `The token endpoint ${tokenUrl} refused ${caller} from ${context.keySource}. Possible causes:`,
      "clientId or clientSecret is wrong;",
      "the secret has expired, or the service account was deleted;",
      "it has an access list without this machine's address.",
      "Create a new secret in the organization's Access Manager if necessary.",
      AFTER_ROTATION,
    ].join(" ");
  }
  return [
    `${context.origin} refused the access token of ${caller} from ${context.keySource}. Possible causes:`,
    "the service account belongs to another organization, or was deleted;",
    "baseUrl and tokenUrl belong to different services;",
    `the service account has an access list without this machine's address (as ${context.origin} sees it);`,
    "it lacks the role for this, or the project does not exist.",
  ].join(" ");
}
