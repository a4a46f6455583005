/**
 * Rejections of promises that no code awaits. The SDK leaves such promises behind when the engine
 * refuses a resource of a component; then the construction of that component failed, not this
 * process.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const rejectOperation = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs an operation to its end, which also fails if a promise that it leaves behind is rejected: what a component still does
 * after a failure is done then.
 */
export async function rejectedWith<T>(run: () => Promise<T>): Promise<T> {
  const left: unknown[] = [];
  const result = await rejectOperation
    .run((error) => left.push(error), run)
    .catch((error: unknown) => {
      throw left[0] ?? error;
    });
  if (left.length > 0) throw left[0];
  return result;
}

/** @returns whether an operation left the rejected promise behind; it has failed then */
export function rejectsOperation(error: unknown): boolean {
  const reject = rejectOperation.getStore();
  reject?.(error);
  return reject !== undefined;
}
