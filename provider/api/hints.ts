/** Advice on an error answer: the last sentence of its message. */
import type { ApiFault } from "../errors";
import type { Refusal } from "../transport";

export interface HintContext {
  readonly publicKey: string;
  readonly keySource: string;
  readonly origin: string;
  readonly method: string;
  /** What a 401 without a code rejects. */
  readonly refusal: Refusal | undefined;
}

/** Statuses for a path or a method that a service does not know (RFC 9110 sections 15.5.5, 15.5.6 and 15.6.2). */
export const NOT_OFFERED_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/** Roles of a key for tags. The current documents name a project role; an older page names global roles. */
export const ROLE_TO_SEE_TAGS =
  "the role Project Read Only, in older versions Global Owner or Global Read Only";
export const ROLE_TO_WRITE_TAGS = "the role Project Automation Admin, in older versions Global Owner";

const MISSING_ROLE: Readonly<Record<string, string>> = {
  NOT_GROUP_USER_ADMIN: "Project User Admin",
  NOT_USER_ADMIN: "User Admin",
  NOT_GLOBAL_USER_ADMIN: "Global User Admin",
  NOT_ORG_ADMIN: "Organization Owner",
  NOT_ORG_GROUP_CREATOR: "Organization Project Creator or Organization Owner",
};

/** Sentences by the service's stable code (ops-manager API, error list). */
const BY_CODE: Readonly<Record<string, string>> = {
  USER_UNAUTHORIZED: `The API key lacks a role for this: give it Project Owner in the project. Tags need ${ROLE_TO_WRITE_TAGS}.`,
  NOT_IN_GROUP: "The API key has no role in that project, or the project does not exist.",
  USER_CANNOT_ACCESS_GROUP: "The API key has no role in that project, or the project does not exist.",
  GROUP_NOT_FOUND: "Check the project id, and that baseUrl leads to the service that holds the project.",
  INVALID_GROUP_ID: "A project id has 24 hexadecimal digits.",
  ORG_NOT_FOUND: "Check orgId, and that baseUrl leads to the service that holds the organization.",
  GROUP_ALREADY_EXISTS: "Choose another name, or adopt the existing project by its projectId.",
  CANNOT_CHANGE_GROUP_NAME: "The API key may not rename this project: give it Project Owner.",
  INVALID_GROUP_NAME: "Choose another name.",
  INVALID_GROUP_NAME_10GEN: 'A name may not hold "10gen-" or "-10gen".',
  INVALID_GROUP_TOKEN:
    "A tag has at most 32 characters: letters, digits, `.`, `_` and `-`; some versions want capitals.",
  TOO_MANY_GROUP_TOKENS: "A project has at most 10 tags.",
  TOO_MANY_GROUP_TAGS: "A project has at most 10 tags.",
  DISALLOWED_ATTRIBUTE_TURN_ON_LDAP:
    "This service is not LDAP-backed: take ldapGroupMappings out, or turn LDAP on in the service first.",
  MISSING_ROLE_ENTRY_IN_LDAP_MAPPING:
    "Map GROUP_OWNER to at least one LDAP group in ldapGroupMappings; some versions require other project roles too. This service does not accept []: to stop managing the mappings, take ldapGroupMappings out.",
  API_KEY_CANNOT_CREATE_GROUP:
    "The API key may not create projects: give it Organization Project Creator, or adopt an existing project by projectId.",
  BILLING_UNSUPPORTED:
    "Set withDefaultAlertsSettings to false: this service has no billing alerts to create.",
  CANNOT_CLOSE_ACCOUNT_ACTIVE_BACKUP:
    'Stop and terminate its backups first, or set onDestroy to "release" to let the project stay.',
  CANNOT_CLOSE_GROUP_ACTIVE_BACKUP:
    'Stop and terminate its backups first, or set onDestroy to "release" to let the project stay.',
  ATLAS_GROUP: "That is an Atlas project; this provider manages projects of Ops Manager and Cloud Manager.",
  WRITES_NOT_ALLOWED_DURING_APP_UPGRADES:
    "The service is being upgraded: run the command again when it has ended.",
  RATE_LIMITED: "Set requestsPerSecond or a lower maxConcurrentRequests.",
  CANNOT_DELETE_LAST_OWNER:
    'A project keeps at least one owner: give GROUP_OWNER to somebody else first, or set onDestroy to "release" to let the person stay.',
  CANNOT_DELETE_LAST_ADMIN:
    'A project keeps at least one owner: give GROUP_OWNER to somebody else first, or set onDestroy to "release" to let the person stay.',
  CANNOT_DEMOTE_LAST_OWNER:
    "A project keeps at least one owner: give GROUP_OWNER to another member first. An invited owner counts once the invitation is accepted.",
  USER_NOT_FOUND:
    "Check userId, and that baseUrl leads to the service that holds the account. Somebody without an account is invited by username.",
  INVALID_USER_ID: "A user id has 24 hexadecimal digits.",
  USERNAME_NOT_FOUND: "Check the username, as the service's list of users spells it.",
  USER_NOT_IN_GROUP:
    "The person has no role of their own in that project; whoever is in through a team or the organization is managed there.",
  INVALID_USERNAME: "As a rule a username is an e-mail address.",
  INVALID_EMAIL_ADDRESS: "Check the username: an invitation goes to it as an e-mail address.",
  BLOCKED_USERNAME: "The service does not invite this address: ask its administrator, or use another one.",
  INVALID_ROLE_FOR_GROUP: "Use roles of a project: their names begin with GROUP_.",
  INVALID_ENUM_VALUE:
    "Check the names of the roles: this version of the service knows no such one. Roles of a project begin with GROUP_.",
  UNSUPPORTED_ROLE: "This version of the service does not give out that role: choose another one.",
  CANNOT_ADD_GLOBAL_ROLE: "Use roles of a project, which begin with GROUP_, instead of global ones.",
  CANNOT_ADD_PENDING_USER:
    "The account waits for its own invitation to be accepted: until then it can only be invited, by username.",
  MAX_USERS_PER_GROUP_EXCEEDED:
    "The project is full: take somebody out first, or ask the service's administrator for a higher limit.",
  INVITATIONS_RATE_LIMITED_IP:
    "The service takes only so many invitations a minute: run the command again in a minute; what was done stays done.",
  RATE_LIMITED_IP:
    "The service takes only so many requests a minute from this address: run the command again.",
  DEFAULT_INVITATION_EXCEPTION:
    "The service may know the person as a member or as invited already, or cannot send mail: look at the project's people and invitations there, and run the command again.",
  INVITATION_ONLY_MODE_OR_LDAP:
    "This service takes people from LDAP groups, or only people who accepted an invitation. With LDAP, add the person to a group that ldapGroupMappings of the project names; otherwise invite the person by username.",
  INVALID_INVITATION_ID:
    "The invitation was accepted, has expired or was deleted: only pending invitations can be read.",
};

/**
 * Lists the advice for each `errorCode` that has one, for the generated table in
 * docs/troubleshooting.md.
 */
export function hintsByErrorCode(): Readonly<Record<string, string>> {
  const roles = Object.entries(MISSING_ROLE).map(([code, role]) => [code, missingRoleHint("", role)]);
  return { ...Object.fromEntries(roles), ...BY_CODE };
}

function missingRoleHint(publicKey: string, role: string): string {
  return `The API key ${publicKey ? `${publicKey} ` : ""}needs the role ${role}.`;
}

export function hintFor(fault: ApiFault, context: HintContext): string {
  const { errorCode, status } = fault;
  const { method, origin, publicKey, refusal } = context;
  if (refusal) return refusedCredentials(refusal, context);
  if (errorCode !== undefined) {
    const role = MISSING_ROLE[errorCode];
    if (role) return missingRoleHint(publicKey, role);
    if (/(ACCESS_LIST|WHITELIST)/.test(errorCode)) {
      return `Add the address above to the access list of API key ${publicKey}; a new entry can take minutes to count.`;
    }
    const known = Object.hasOwn(BY_CODE, errorCode) ? BY_CODE[errorCode] : undefined;
    if (known !== undefined) return known;
  }
  if (status === 401 || status === 403) return `The API key ${publicKey} lacks a role for this.`;
  if (NOT_OFFERED_STATUSES.has(status)) {
    return `The service has no such operation or no such object: check baseUrl (${origin}) and the service's version${method === "GET" ? "" : `, and that a proxy lets ${method} through`}.`;
  }
  if (status >= 500)
    return "The service has a fault of its own: its log says more. Running the command again is safe.";
  return "";
}

/**
 * Advice for a 401 without a code. It has four possible causes, and the answer does not show
 * which.
 */
function refusedCredentials(refusal: Refusal, { publicKey, keySource, origin }: HintContext): string {
  if (refusal === "scheme") {
    return `Something other than this API asked for a login, or the service wants another one than HTTP Digest with MD5 or SHA-256: check baseUrl (${origin}), and whether a proxy asks for its own login.`;
  }
  if (refusal === "nonce") {
    return `${origin} calls each of its nonces stale. Several servers behind one address may not share them: make the balancer keep a client on one server, and run the command again.`;
  }
  return [
    `The service refused API key ${publicKey} from ${keySource}. One of these is the case:`,
    "the key pair is wrong or was deleted;",
    "the key belongs to another service or organization;",
    `it has an access list without this machine's address (as ${origin} sees it);`,
    "it lacks the role for this, or the project is gone, on a version that gives no code for that.",
    "After a rotation with an explicit provider, run: pulumi up --refresh --run-program.",
  ].join(" ");
}
