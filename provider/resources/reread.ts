/** Reads after a write whose response was lost, even if the operation was canceled. */
import { messageOf, OutcomeUnknownError, RequestTimeoutError } from "../errors";

/** The engine waits 30 seconds after it cancels an operation. */
const SECONDS = 10;

/**
 * Reads after an answered write, even if the operation was canceled since: the result must be
 * recorded.
 */
export function rereadAfterWrite<T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return signal.aborted ? rereadAfterCancel(read) : read(signal);
}

/** Reads with a signal of its own, because the operation's signal may have prevented the response. */
export async function rereadAfterCancel<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new RequestTimeoutError(`no response within ${SECONDS} s.`)),
    SECONDS * 1000,
  );
  try {
    return await read(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The error for a write whose response was lost, if no read afterwards shows the change.
 *
 * @param lost the error of the write
 * @param failure why the read afterwards failed; `undefined` if it succeeded
 */
export function stillUnknown(lost: unknown, failure: string | undefined): OutcomeUnknownError {
  const result =
    failure === undefined
      ? "A read afterwards does not show the change."
      : `A read afterwards failed as well: ${failure}`;
  return new OutcomeUnknownError(
    `${messageOf(lost)} ${result} Run pulumi up again: it continues from what exists.`,
    { cause: lost },
  );
}
