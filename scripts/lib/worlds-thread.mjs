/** One thread of `worlds.mjs`. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { loadTypeScript } from "./typescript.mjs";

const { root, module, function: name, options } = workerData;
const exported = loadTypeScript(join(root, "test", "proof", "worlds", module));
const result = await exported[name](options, (/** @type {unknown} */ message) =>
  parentPort?.postMessage({ message }),
);
parentPort?.postMessage({ result: result ?? {} });
