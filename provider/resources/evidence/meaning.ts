/**
 * What an error response means for an object: deleted, not readable with this key, or not offered by
 * this service.
 *
 * All resources use this module, because resources that disagree about "deleted" are a common fault
 * of providers.
 */
import { NOT_OFFERED_STATUSES, UNKNOWN_PATH } from "../../api/hints";
import { ApiError } from "../../text/errors";

/**
 * 404 codes for objects that do not exist. For a recorded ID, the codes for malformed IDs mean the
 * same.
 */
const DELETED_CODES = new Set([
  "GROUP_NOT_FOUND",
  "INVALID_GROUP_ID",
  "USER_NOT_FOUND",
  "INVALID_USER_ID",
  "USERNAME_NOT_FOUND",
  "USER_NOT_IN_GROUP",
  "TEAM_NOT_FOUND",
  "TEAM_NOT_IN_ORG",
  "TEAM_NOT_IN_GROUP",
  "INVALID_TEAM_ID",
]);
/** Codes for a project that does not exist, and for one that this key may not see. */
const DELETED_OR_HIDDEN_CODES = new Set(["NOT_IN_GROUP", "USER_CANNOT_ACCESS_GROUP"]);

/** Ends a message about an operation that a service does not offer: a wrong path may look like that (`ApiProof`). */
export const CHECK_BASE_URL = "If it is a complete Ops Manager or Cloud Manager, check baseUrl.";

/**
 * Whether the service does not offer the operation at all: RESOURCE_NOT_FOUND, or 404, 405 or 501
 * without an `errorCode`. The body may be a web page once the API has shown itself; a page of
 * an unknown server is no `ApiError`.
 */
export function isOperationNotOffered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, errorCode } = error;
  return errorCode === undefined
    ? NOT_OFFERED_STATUSES.has(status)
    : errorCode === UNKNOWN_PATH && status === 404;
}

/**
 * Whether "not offered" may be the response of a gateway in front of the service: it has no error code of Ops Manager.
 */
export function isPossiblyOfGateway(error: unknown): boolean {
  return isOperationNotOffered(error) && error.errorCode === undefined;
}

/** Whether the response is a 404 of the service itself that does not say what was not found. */
export function isBareNotFound(error: unknown): error is ApiError {
  const isBare = isOperationNotOffered(error) && error.status === 404 && error.errorCode === undefined;
  return isBare && error.challengeAnswered === true;
}

/** Codes of refusals that protect the only owner of a project (service's error list). */
const LAST_OWNER_CODES = new Set([
  "CANNOT_DELETE_LAST_OWNER",
  "CANNOT_DELETE_LAST_ADMIN",
  "CANNOT_DEMOTE_LAST_OWNER",
]);

export function isLastOwnerRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && LAST_OWNER_CODES.has(error.errorCode ?? "");
}

/**
 * Whether another project of the organization has the name. It may be one whose deletion is not
 * finished.
 */
export function isNameTaken(error: unknown): error is ApiError {
  return hasErrorCode(error, "GROUP_ALREADY_EXISTS");
}

/**
 * Whether the team is in the project already (service's error list; not documented for Ops
 * Manager).
 */
export function isTeamInProject(error: unknown): boolean {
  return hasErrorCode(error, "TEAM_EXISTS_IN_GROUP");
}

/** Whether a project still uses the team. The status is 404, but the team exists. */
export function isTeamInUse(error: unknown): error is ApiError {
  return hasErrorCode(error, "CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT");
}

/** Whether the service creates projects only with LDAP group mappings. */
export function lacksMappings(error: unknown): boolean {
  return hasErrorCode(error, "MISSING_ROLE_ENTRY_IN_LDAP_MAPPING");
}

/**
 * Whether the account has not confirmed its own invitation. It can only be invited (service's error
 * list).
 */
export function isPendingAccount(error: unknown): boolean {
  return hasErrorCode(error, "CANNOT_ADD_PENDING_USER");
}

/** Whether the service knows the project, and the account is not a member of it. */
export function isNotInProject(error: unknown): boolean {
  return hasErrorCode(error, "USER_NOT_IN_GROUP") || hasErrorCode(error, "USER_NOT_FOUND");
}

function hasErrorCode(error: unknown, errorCode: string): error is ApiError {
  return error instanceof ApiError && error.errorCode === errorCode;
}

/** Whether the service accepted the API key and responded with an error. */
export function isErrorResponse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== "OPSMANAGER_KEY_REFUSED";
}

type Meaning = "deleted" | "deleted-or-hidden" | "unreadable" | "missing-operation" | "failure";

export function meaningOf(error: unknown): Meaning {
  if (!isErrorResponse(error)) return "failure";
  if (isOperationNotOffered(error)) return "missing-operation";
  const { status, errorCode } = error;
  if (errorCode === undefined) return status === 403 ? "unreadable" : "failure";
  // Deleting an accepted invitation returns 400 on some versions and 404 on others.
  if (errorCode === "INVALID_INVITATION_ID" && (status === 400 || status === 404)) return "deleted";
  // 400 in the service's error list. A 404 is what other objects have.
  if (errorCode === "API_KEY_NOT_FOUND" && (status === 400 || status === 404)) return "deleted";
  if (status === 404 && DELETED_CODES.has(errorCode)) return "deleted";
  if (status === 401 && DELETED_OR_HIDDEN_CODES.has(errorCode)) return "deleted-or-hidden";
  return status === 401 || status === 403 ? "unreadable" : "failure";
}
