/** What came of looking at something: the one place that tells a missing role from a missing operation. */
import { ApiError, hasCode, messageOf, OpsManagerError } from "../../errors";
import { isOperationNotOffered } from "../../resources/meaning";

export type Sight<T> =
  | { readonly kind: "seen"; readonly value: T }
  /** The operation is there; this object is not, or not for this key. */
  | { readonly kind: "refused"; readonly error: ApiError }
  /** The service has no such operation. */
  | { readonly kind: "missing" }
  /** Nothing can be said: no answer, an answer that cannot be read. */
  | { readonly kind: "unclear"; readonly why: string };

/** @throws what is not about the service, such as a cancellation */
export async function look<T>(call: Promise<T>): Promise<Sight<T>> {
  try {
    return { kind: "seen", value: await call };
  } catch (error) {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    if (isOperationNotOffered(error)) return { kind: "missing" };
    if (!(error instanceof ApiError)) return { kind: "unclear", why: messageOf(error) };
    return error.status >= 500 || error.status === 429
      ? { kind: "unclear", why: error.message }
      : { kind: "refused", error };
  }
}

/** The value where it was seen. */
export function seen<T>(sight: Sight<T> | undefined): T | undefined {
  return sight?.kind === "seen" ? sight.value : undefined;
}
