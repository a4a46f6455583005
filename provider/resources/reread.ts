/** A look after a write whose answer got lost, also where the operation itself was cancelled. */
import { RequestTimeoutError } from "../errors";

/** The engine allows 30 seconds after it has cancelled. */
const SECONDS = 10;

/** The same for a look whose write was answered: what was done has to be recorded, also when the operation was cancelled since. */
export function rereadAfterWrite<T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return signal.aborted ? rereadAfterCancel(read) : read(signal);
}

/** The operation's own signal may have been the reason why no answer came, so the look gets one of its own. */
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
