/** The machine's own npm, for tests that do with the package what a user does. Packages come from npm's cache where it has them. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { run } from "../../scripts/lib/run.mjs";
import { type PackedPackage, writePackage } from "../../scripts/pack.mts";
import { oncePerRun, runFolder } from "./run-folder";

export type { PackedPackage };

interface NpmOptions {
  /** Besides, or instead of, what the tests were started with. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs npm in a folder and returns what it printed; rejects with that where it fails. */
export function npm(folder: string, args: readonly string[], { env }: NpmOptions = {}): Promise<string> {
  return run("npm", [...args, "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: { ...environment(), ...env },
  });
}

/** The npm package of what is built, as `npm run pack` writes it. It is packed once in a run, and copied into the folder. */
export async function packRepository(folder: string): Promise<PackedPackage> {
  const packed = await oncePerRun("package", (out) => writePackage({ out }));
  const tarball = join(folder, basename(packed.tarball));
  await copyFile(packed.tarball, tarball);
  return { ...packed, tarball };
}

/** Why nothing can be installed here, empty where it can. Known before the tests run, as it goes into their titles. */
export function registryProblem(): string {
  const answer = join(runFolder(), "registry-problem");
  if (!existsSync(answer)) writeFileSync(answer, askRegistry());
  return readFileSync(answer, "utf8");
}

function askRegistry(): string {
  const args = ["view", "@pulumi/pulumi", "version", "--fetch-retries=0", "--fetch-timeout=30000"];
  try {
    execFileSync("npm", args, { env: environment(), stdio: "ignore", shell: process.platform === "win32" });
    return "";
  } catch {
    return "the npm registry cannot be reached";
  }
}

/** An `npm test` that runs this has passed its folder to its children, and this one belongs to another folder. */
function environment(): NodeJS.ProcessEnv {
  const about = /^(npm_package_.*|npm_lifecycle_.*|npm_config_local_prefix|init_cwd)$/i;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !about.test(name))),
    npm_config_update_notifier: "false",
  };
}
