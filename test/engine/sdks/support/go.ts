/** Go modules that use the SDK of this clone, as if it were published. */
import { execFile, execFileSync } from "node:child_process";
import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { goEnvironment, goVersion } from "../../../../scripts/lib/engine-build.mjs";
import { isUnreachable } from "../../../../scripts/lib/sdk-generator.mts";
import { isAtLeast } from "../../../../scripts/lib/version.mjs";
import { repositoryRoot } from "../../../support";
import { askedOncePerRun } from "../../../support/run-folder";

const execute = promisify(execFile);

export const sdk = join(repositoryRoot, "sdk", "go", "opsmanager");
export const sdkModule = "github.com/pulumi-opsmanager/pulumi-opsmanager/sdk/go/opsmanager";

/** Why there can be no test of the Go SDK here; `undefined` where there can. */
export function whyNoGo(): string | undefined {
  return askedOncePerRun("why-no-go", findWhyNoGo);
}

function findWhyNoGo(): string | undefined {
  const wanted = goVersion();
  let version: string | undefined;
  try {
    version = /go(\d+\.\d+(\.\d+)?)/.exec(execFileSync("go", ["version"], { encoding: "utf8" }))?.[1];
  } catch {
    return "there is no go on PATH";
  }
  if (!isAtLeast(version, wanted)) return `this is Go ${version}, older than ${wanted}`;
  return whyNoModules();
}

/** Gets the modules that the SDK needs, where they are not in the cache yet. */
function whyNoModules(): string | undefined {
  try {
    execFileSync("go", ["mod", "tidy", "-diff"], {
      cwd: sdk,
      env: { ...process.env, GOWORK: "off" },
      stdio: ["ignore", "ignore", "pipe"],
      maxBuffer: 1e8,
    });
    return undefined;
  } catch (error) {
    // Anything else is a fault of the SDK's module: the tests show it.
    if (!isUnreachable(String((error as { stderr?: unknown }).stderr))) return undefined;
    return "modules cannot be had from the Go module proxy";
  }
}

/**
 * A workspace with modules that request the published SDK and get that of this clone. The engine's
 * own module is in it too. Go then selects the versions that the engine was built with, and
 * compiles none of them again.
 *
 * @param folder gets the workspace's files
 * @param replacement a folder with the SDK, by default that of this clone
 * @returns the environment to run `go` with
 */
export async function createWorkspace(
  folder: string,
  modules: readonly string[],
  replacement = sdk,
): Promise<Record<string, string>> {
  const file = join(await realpath(folder), "go.work");
  const used = [join(repositoryRoot, "test", "engine"), ...modules].map(
    (path) => `use ${JSON.stringify(path)}`,
  );
  const replaced = `replace ${sdkModule} => ${JSON.stringify(replacement)}`;
  await writeFile(file, `${[`go ${goVersion()}`, ...used, replaced].join("\n\n")}\n`);
  const { stdout } = await execute("go", ["env", "-json", ...inherited]);
  const settings: Record<string, string> = JSON.parse(stdout);
  return { ...goEnvironment(settings), GOWORK: file };
}

/** Settings that a process with another home folder requires. */
const inherited = ["GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "GOFLAGS"];

export interface GoResult {
  readonly succeeded: boolean;
  readonly output: string;
}

export async function go(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<GoResult> {
  try {
    const { stdout, stderr } = await execute("go", args, {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 1e8,
    });
    return { succeeded: true, output: stdout + withoutDownloads(stderr) };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { succeeded: false, output: stdout + withoutDownloads(stderr) || String(error) };
  }
}

/** With an empty module cache, Go reports what it downloads before it does anything else. */
function withoutDownloads(stderr: string): string {
  return stderr.replace(/^go: downloading .*\n/gm, "");
}
