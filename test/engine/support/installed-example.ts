/** Examples in the hands of a user: copied, with the packages of their manifest. */
import { mkdtempSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { copyProgram } from "../../../scripts/lib/program-folder.mjs";
import { engine, repositoryRoot } from "../../support";
import { installPackages } from "./installed-package";

export interface InstalledExample {
  readonly path: string;
  /** That of a user who has Pulumi on PATH and a home without a login. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function installExample(name: string): Promise<InstalledExample> {
  const root = mkdtempSync(join(tmpdir(), "opsmanager-example-"));
  const path = join(root, name);
  const home = join(root, "home");
  await mkdir(home);
  await copyProgram(join(repositoryRoot, "examples", name), path);
  await installPackages(path, name);
  const env = {
    PATH: [engine().bin, join(repositoryRoot, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    HOME: home,
    NODE_COMPILE_CACHE: join(home, "node-compile"),
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  return { path, env, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}
