/** One thread of `worlds.mts`. */
import { parentPort, workerData } from "node:worker_threads";
import { inRepository } from "./repository.mjs";
import { loadTypeScript } from "./typescript.mts";

const { module, function: name, options } = workerData;
const exported = loadTypeScript(inRepository("test", "proof", "worlds", module));
parentPort?.postMessage(await exported[name](options));
