/**
 * Reads after a write. The read decides what became of a write that was refused, or whose response was lost. It runs even
 * if the operation was canceled since: what was done has to be recorded.
 */
import {
  hasCode,
  messageOf,
  OutcomeUnknownError,
  RequestTimeoutError,
  UnexpectedResponseError,
} from "../../text/errors";
import { isErrorResponse } from "./meaning";

/** What to do if it is not known what became of a write. */
export const RUN_AGAIN = "Run pulumi up again: it continues from what exists.";

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
 * @param advice what to do; by default `RUN_AGAIN`
 */
export function stillUnknown(lost: unknown, result?: string, advice?: string): OutcomeUnknownError {
  const shown = result ?? "A read afterwards does not show the change.";
  const next = advice ?? RUN_AGAIN;
  return new OutcomeUnknownError(`${messageOf(lost)} ${shown} ${next}`, { cause: lost });
}

/** What a write was to achieve, as a read shows it. */
export interface Goal<Now> {
  /** Reads what the service has now. */
  read(signal: AbortSignal): Promise<Now>;
  isReached(now: Now): boolean;
}

/**
 * The result of a write, or of a read afterwards if the service refused the write or its response was lost.
 *
 * @throws the refusal, or an OutcomeUnknownError, unless the read shows that the goal is reached
 */
export async function orReached<Result, Now>(
  write: Promise<Result>,
  goal: Goal<Now>,
  signal: AbortSignal,
): Promise<Result | Now> {
  return write.catch(async (failure: unknown) => {
    if (hasCode(failure, "OPSMANAGER_OUTCOME_UNKNOWN")) return reachedAfterLoss(failure, goal);
    const now = await readDespite(failure, goal.read, signal);
    if (goal.isReached(now)) return now;
    throw failure;
  });
}

/** @throws OutcomeUnknownError unless a read after the loss of the response shows that the goal is reached */
export async function reachedAfterLoss<Now>(lost: unknown, { read, isReached }: Goal<Now>): Promise<Now> {
  const now = await orStillUnknown(rereadAfterCancel(read), lost);
  if (isReached(now)) return now;
  throw stillUnknown(lost);
}

/**
 * Reads after a refused write. The refusal itself proves little: another program may have made the same change, the
 * service may have made it with another one, and versions differ in status and code for what no longer exists.
 *
 * @throws the refusal if a read cannot help
 */
export async function readDespite<Now>(
  refusal: unknown,
  read: (signal: AbortSignal) => Promise<Now>,
  signal: AbortSignal,
): Promise<Now> {
  // A proxy's page comes in place of the response to a write that the service may have made.
  const isAnswer = isErrorResponse(refusal) || refusal instanceof UnexpectedResponseError;
  if (!isAnswer || signal.aborted) throw refusal;
  return read(signal).catch(() => {
    throw refusal;
  });
}
