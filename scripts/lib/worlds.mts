/** Random worlds in several threads of this process. */
import { Worker } from "node:worker_threads";
import { repositoryRoot } from "./repository.mjs";

/** Two processors are the least that a machine for `npm run proof` has. */
const threads = 2;

/**
 * Runs an exported function of a module of `test/proof/worlds` in each thread, with its part of the worlds.
 *
 * @param work `root`: folder with `test` and `provider`
 * @param isEnough gets what the function passes to its second parameter; true ends all threads
 */
export async function inThreads<Result, Message>(
  work: { module: string; function: string; options: object; root?: string },
  isEnough: (message: Message) => boolean = () => false,
): Promise<Result[]> {
  const started = Array.from({ length: threads }, (_, index) => {
    const options = { ...work.options, part: { index, of: threads } };
    const workerData = { root: repositoryRoot, ...work, options };
    return new Worker(new URL("./worlds-thread.mts", import.meta.url), { workerData });
  });
  try {
    const enough: Promise<Result[]> = new Promise((resolve) => {
      const listen = ({ message }: { message?: Message }) => {
        if (message !== undefined && isEnough(message)) resolve([]);
      };
      for (const worker of started) worker.on("message", listen);
    });
    return await Promise.race([enough, Promise.all(started.map((worker) => resultOf<Result>(worker)))]);
  } finally {
    await Promise.all(started.map((worker) => worker.terminate()));
  }
}

function resultOf<Result>(worker: Worker): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.on("message", ({ result }) => {
      if (result !== undefined) resolve(result);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`a thread of random worlds ended with code ${code}`)));
  });
}
