/** Reads after a write whose response was lost, even if the operation was canceled. */
import { messageOf, OutcomeUnknownError, RequestTimeoutError } from "../../text/errors";

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
 * The result of a read after a write whose response was lost.
 *
 * @param lost the error of the write
 * @param advice what to do if the read fails
 * @throws OutcomeUnknownError if the read fails
 */
export async function orStillUnknown<T>(read: Promise<T>, lost: unknown, advice?: string): Promise<T> {
  return read.catch((error: unknown) => {
    throw stillUnknown(lost, `A read afterwards failed as well: ${messageOf(error)}`, advice);
  });
}

/**
 * The error for a write whose response was lost, if no read afterwards shows the change.
 *
 * @param lost the error of the write
 * @param result what the read showed; by default, that it does not show the change
 * @param advice what to do; by default, to run `pulumi up` again
 */
export function stillUnknown(lost: unknown, result?: string, advice?: string): OutcomeUnknownError {
  const shown = result ?? "A read afterwards does not show the change.";
  const next = advice ?? "Run pulumi up again: it continues from what exists.";
  return new OutcomeUnknownError(`${messageOf(lost)} ${shown} ${next}`, { cause: lost });
}
