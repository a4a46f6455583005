/** The parent's side of `node-host-process.cjs`: starts the process, announces commands to it, and ends it. */
import { join } from "node:path";
import { JsonProcess } from "./json-process";

/**
 * For processes that work for many commands: what a command leaves is garbage at its end. With the default of 16 MB it is moved to the old
 * objects before, which takes a fifth of the time.
 */
export const roomForNew = "--max-semi-space-size=64";

/** `programs` is a language host for `nodejs`; `providers` runs dynamic providers for their launchers. */
export type NodeHostRole = "programs" | "providers";

/** A process that evaluates programs or dynamic providers for many `pulumi` commands, one command at a time. */
export interface NodeHost {
  readonly port: number;
  readonly process: JsonProcess;
  /** Announces the next command. Its programs see this environment and this working directory. */
  begin(environment: Readonly<Record<string, string>>, cwd: string): Promise<void>;
}

export async function startNodeHost(role: NodeHostRole): Promise<NodeHost> {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const script = join(__dirname, "node-host-process.cjs");
  const host = new JsonProcess(`The host of ${role}`, process.execPath, [roomForNew, script, role], env);
  const { port } = await host.nextResponse<{ port: number }>();
  return {
    port,
    process: host,
    begin: async (environment, cwd) => {
      await host.request({ begin: { environment, cwd } });
    },
  };
}
