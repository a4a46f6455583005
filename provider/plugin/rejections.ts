/**
 * Rejections of promises that no code awaits. The SDK leaves such promises behind when the engine
 * refuses a resource of a component; then the construction of that component failed, not this
 * process.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const rejectOperation = new AsyncLocalStorage<(error: unknown) => void>();

/** Runs an operation that also fails if a promise that it leaves behind is rejected. */
export function rejectedWith<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    rejectOperation.run(reject, () => {
      run().then(resolve, reject);
    });
  });
}

/** @returns whether an operation left the rejected promise behind; it has failed then */
export function rejectsOperation(error: unknown): boolean {
  const reject = rejectOperation.getStore();
  reject?.(error);
  return reject !== undefined;
}
