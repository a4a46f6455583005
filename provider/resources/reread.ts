/** Reads after a write whose answer was lost, even if the operation was canceled. */
import { RequestTimeoutError } from "../errors";

/** The engine waits 30 seconds after it cancels an operation. */
const SECONDS = 10;

/** Reads after an answered write, even if the operation was canceled since: the result must be recorded. */
export function rereadAfterWrite<T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return signal.aborted ? rereadAfterCancel(read) : read(signal);
}

/** Reads with a signal of its own, because the operation's signal may have prevented the answer. */
export async function rereadAfterCancel<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new RequestTimeoutError(`no answer within ${SECONDS} s.`)),
    SECONDS * 1000,
  );
  try {
    return await read(late.signal);
  } finally {
    clearTimeout(timer);
  }
}
