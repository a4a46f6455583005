/** The meaning of a caller's signal, and waits that end with it. */
import { setTimeout as wait } from "node:timers/promises";
import { CanceledError, OpsManagerError, RequestTimeoutError } from "../text/errors";

/**
 * The error for an aborted signal. The engine's Cancel and a resource's custom timeout use one
 * signal; its reason distinguishes them.
 */
export function interruption(signal: AbortSignal | undefined): OpsManagerError {
  const reason: unknown = signal?.reason;
  if (reason instanceof OpsManagerError) return reason;
  const options = { cause: reason };
  return typeof reason === "object" && reason !== null && "name" in reason && reason.name === "TimeoutError"
    ? new RequestTimeoutError("The resource's timeout expired (resource option customTimeouts).", options)
    : new CanceledError("The operation was canceled.", options);
}

/** @throws the interruption as soon as the signal is aborted, whatever becomes of `awaited` */
export async function unlessInterrupted<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return awaited;
  if (signal.aborted) throw interruption(signal);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(interruption(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([awaited, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => {
    throw interruption(signal);
  });
}
