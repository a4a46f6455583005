/**
 * The result of reading something. This file alone distinguishes a missing role from a missing
 * operation.
 */
import { ApiError, hasCode, messageOf, OpsManagerError } from "../../errors";
import { isOperationNotOffered } from "../../resources/meaning";

export type ReadResult<T> =
  | { readonly kind: "found"; readonly value: T }
  /** The operation exists, but this object does not, or not for this key. */
  | { readonly kind: "refused"; readonly error: ApiError }
  /** The service has no such operation. */
  | { readonly kind: "missing" }
  /** The result is unknown: no answer, or an answer that cannot be read. */
  | { readonly kind: "unclear"; readonly why: string };

/** @throws errors that do not concern the service, such as a cancellation */
export async function tryRead<T>(call: Promise<T>): Promise<ReadResult<T>> {
  try {
    return { kind: "found", value: await call };
  } catch (error) {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    if (isOperationNotOffered(error)) return { kind: "missing" };
    if (!(error instanceof ApiError)) return { kind: "unclear", why: messageOf(error) };
    return error.status >= 500 || error.status === 429
      ? { kind: "unclear", why: error.message }
      : { kind: "refused", error };
  }
}

/** The value if it was read. */
export function foundValue<T>(result: ReadResult<T> | undefined): T | undefined {
  return result?.kind === "found" ? result.value : undefined;
}
