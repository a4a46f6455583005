/** The plugin process that the runs of a Jest worker attach to, by the engine's own PULUMI_DEBUG_PROVIDERS. */
import { join } from "node:path";
import { repositoryRoot } from "../repository";
import { JsonProcess } from "./json-process";
import { roomForNew } from "./node-host";

export interface ResidentPlugin {
  readonly port: number;
  readonly process: JsonProcess;
}

/** No engine ends a plugin that it has not started, so it ends when its stdin closes. */
const endWithStdin = `--import=data:text/javascript,${encodeURIComponent('process.stdin.resume().once("end",()=>process.exit())')}`;

const launcher = join(repositoryRoot, "pulumi-resource-opsmanager");

export async function startResidentPlugin(): Promise<ResidentPlugin> {
  const env = { NODE_OPTIONS: endWithStdin };
  const plugin = new JsonProcess("The resident plugin", process.execPath, [roomForNew, launcher], env);
  return { port: await plugin.nextResponse<number>(), process: plugin };
}
