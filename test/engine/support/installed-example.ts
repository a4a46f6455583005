/** Examples in the hands of a user: copied, with the packages of their manifest. */
import { mkdtempSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { copyProgram } from "../../../scripts/lib/program-folder.mjs";
import { engine, repositoryRoot } from "../../support";
import { linkPackages } from "../../support/installation";
import { compile, installation } from "./installed-package";

export interface InstalledExample {
  readonly path: string;
  /** That of a user who has Pulumi on PATH and a home without a login. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** The example's types are checked here, as `examples-types.test.ts` has only the packages of this repository. */
export async function installExample(name: string): Promise<InstalledExample> {
  const root = mkdtempSync(join(tmpdir(), "opsmanager-example-"));
  const path = join(root, name);
  const home = join(root, "home");
  await mkdir(home);
  await copyProgram(join(repositoryRoot, "examples", name), path);
  const manifest = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
  await linkPackages(await installation(name, manifest), path);
  await compile(path);
  const env = {
    PATH: [engine().bin, join(repositoryRoot, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  return { path, env, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}
