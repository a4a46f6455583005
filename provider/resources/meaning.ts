/**
 * What an error answer says about an object: gone, not readable with this key, or not offered by this service.
 *
 * One predicate for all resources, because neighbours that disagree about "gone" are a classic fault of providers.
 */
import { ApiError } from "../errors";

/** 404 codes of the service for things that are not there; the malformed-id codes mean the same of a recorded id. */
const GONE_CODES = new Set([
  "GROUP_NOT_FOUND",
  "INVALID_GROUP_ID",
  "USER_NOT_FOUND",
  "INVALID_USER_ID",
  "USERNAME_NOT_FOUND",
  "USER_NOT_IN_GROUP",
]);
/** The service answers so both for a project this key may not see and for one that does not exist. */
const GONE_OR_HIDDEN_CODES = new Set(["NOT_IN_GROUP", "USER_CANNOT_ACCESS_GROUP"]);

type Meaning = "gone" | "gone-or-hidden" | "unreadable" | "missing-operation" | "failure";

export function meaningOf(error: unknown): Meaning {
  if (!(error instanceof ApiError) || error.code === "OPSMANAGER_KEY_REFUSED") return "failure";
  const { status, errorCode } = error;
  if (errorCode === undefined) {
    if (status === 404 || status === 405 || status === 501) return "missing-operation";
    return status === 403 ? "unreadable" : "failure";
  }
  // Deleting an accepted invitation answers 400 on some versions and 404 on others.
  if (errorCode === "INVALID_INVITATION_ID" && (status === 400 || status === 404)) return "gone";
  if (status === 404 && GONE_CODES.has(errorCode)) return "gone";
  if (status === 401 && GONE_OR_HIDDEN_CODES.has(errorCode)) return "gone-or-hidden";
  return status === 401 || status === 403 ? "unreadable" : "failure";
}
