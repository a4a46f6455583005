/** One thread of `worlds.mts`. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { loadTypeScript } from "./typescript.mts";

const { root, module, function: name, options } = workerData;
const exported = loadTypeScript(join(root, "test", "proof", "worlds", module));
const result = await exported[name](options, (message: unknown) => parentPort?.postMessage({ message }));
parentPort?.postMessage({ result: result ?? {} });
