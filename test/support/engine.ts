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
}

let found: Engine | undefined;

/** Finds the engine once per test file. Where there is none yet this builds it, and says so on stderr. */
export function engine(): Engine {
  found ??= JSON.parse(
    execFileSync(process.execPath, [join(repositoryRoot, "scripts", "engine.mjs"), "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as Engine;
  return found;
}
