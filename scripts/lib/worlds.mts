/** Random worlds in several threads of this process. */
import { Worker } from "node:worker_threads";

/** Two processors are the least that a machine for `npm run proof` has. */
const threads = 2;

/** Runs an exported function of a module of `test/proof/worlds` in each thread, with its part of the worlds. */
export function inThreads<Result>(work: {
  module: string;
  function: string;
  options: object;
}): Promise<Result[]> {
  const workers = Array.from({ length: threads }, (_, index) => {
    const workerData = { ...work, options: { ...work.options, part: { index, of: threads } } };
    return new Worker(new URL("./worlds-thread.mts", import.meta.url), { workerData });
  });
  const results = Promise.all(workers.map((worker) => resultOf<Result>(worker)));
  return results.finally(() => Promise.all(workers.map((worker) => worker.terminate())));
}

function resultOf<Result>(worker: Worker): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`a thread of random worlds ended with code ${code}`)));
  });
}
