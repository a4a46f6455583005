/** Examples in the hands of a user: copied, with the packages of their manifest. */
import { mkdtempSync, readFileSync } from "node:fs";
import { cp, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { copyProgram } from "../../../scripts/lib/program-folder.mjs";
import { engine, repositoryRoot } from "../../support";
import { linkPackages } from "../../support/installation";
import { compileCache } from "../../support/stack";
import { installation } from "./installed-package";

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
  const installed = await installation(name, JSON.parse(readFileSync(join(path, "package.json"), "utf8")));
  linkPackages(installed, path);
  const env = {
    PATH: [engine().bin, join(repositoryRoot, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    HOME: home,
    NODE_COMPILE_CACHE: compileCache,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  return { path, env, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Lets the resident hosts run the example. They have the packages of this repository, so the example and the packed package need these. */
export async function useResidentPackages({ path }: InstalledExample): Promise<void> {
  const modules = join(path, "node_modules");
  const packed = join(modules, "pulumi-opsmanager");
  const shared = await realpath(packed);
  await rm(packed);
  await cp(shared, packed, { recursive: true });
  for (const name of ["@grpc", "@pulumi", "google-protobuf", "typescript"]) {
    await rm(join(modules, name), { recursive: true });
    await symlink(join(repositoryRoot, "node_modules", name), join(modules, name), "dir");
  }
}
