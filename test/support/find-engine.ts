import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./repository";

/** What `scripts/engine.mjs` found or built. */
export interface Engine {
  /** The folder that holds `pulumi` and its language hosts. */
  readonly bin: string;
  readonly version: string;
  readonly source: "environment" | "path" | "cache" | "installer" | "built";
  readonly nodeHostVersion: string;
  /** Whether the Node language host can start a plugin from PulumiPlugin.yaml and generate SDKs. */
  readonly canRunPlugins: boolean;
  /** The executable of `test/engine/resident-command-line`, if the engine was built from the same modules. */
  readonly residentCommandLine: string | undefined;
}

/** Where there is no engine yet this builds it, and prints its progress on stderr. */
export function findEngine(): Engine {
  const found = JSON.parse(
    execFileSync(process.execPath, [join(repositoryRoot, "scripts", "engine.mjs"), "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as Engine;
  const { residentCommandLine: path } = found;
  return { ...found, residentCommandLine: path === undefined ? undefined : join(found.bin, path) };
}
