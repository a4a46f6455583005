/** What others wrote, at the versions in `peers/` and `go-client/`, kept in the user's cache and no dependency of anything. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { cacheFolder, keyOf } from "../../../scripts/lib/cache.mjs";
import { withLock } from "../../../scripts/lib/lock.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { messageOf, Unavailable } from "../../../scripts/lib/script.mjs";

const manifests = ["package.json", "package-lock.json"].map((name) => join(__dirname, "peers", name));
const goSources = ["go.mod", "go.sum", "main.go"].map((name) => join(__dirname, "go-client", name));

const npmFolder = () => join(cacheFolder(), "bench", `npm-${keyOf(manifests)}`);

/** @throws Unavailable where npm can have them neither from the registry nor from its cache */
export function installPeers(): Promise<void> {
  return once(npmFolder(), async (folder) => {
    for (const name of ["package.json", "package-lock.json"])
      copyFileSync(join(__dirname, "peers", name), join(folder, name));
    const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1"];
    await run("npm", ["ci", ...options], { cwd: folder }).catch(
      unavailable("the packages of test/bench/wire/peers"),
    );
  });
}

export function requirePeer<Module>(name: string): Module {
  return createRequire(join(npmFolder(), "package.json"))(name);
}

/**
 * @returns the executable
 * @throws Unavailable without Go, or access to its module
 */
export async function buildGoClient(): Promise<string> {
  const folder = join(cacheFolder(), "bench", `go-${keyOf(goSources)}`);
  const program = join(folder, process.platform === "win32" ? "client.exe" : "client");
  await once(folder, () =>
    run("go", ["build", "-o", program, "."], { cwd: join(__dirname, "go-client") }).catch(
      unavailable("Go and the modules github.com/icholy/digest and github.com/mongodb-forks/digest"),
    ),
  );
  return program;
}

/**
 * @returns the interpreter of a virtual environment that has httpx
 * @throws Unavailable without Python, or access to PyPI
 */
export async function installPython(): Promise<string> {
  const requirements = join(__dirname, "python", "requirements.txt");
  const folder = join(cacheFolder(), "bench", `python-${keyOf([requirements])}`);
  const isWindows = process.platform === "win32";
  const interpreter = join(folder, ...(isWindows ? ["Scripts", "python.exe"] : ["bin", "python"]));
  const install = ["-m", "pip", "install", "-q", "--retries", "1", "-r", requirements];
  await once(folder, () =>
    run(isWindows ? "python" : "python3", ["-m", "venv", folder])
      .then(() => run(interpreter, install))
      .catch(unavailable("Python 3.10 or newer with venv, and httpx from PyPI")),
  );
  return interpreter;
}

/** @throws Unavailable without Python or curl */
export async function findCurl(): Promise<string> {
  await run("curl", ["--version"]).catch(unavailable("curl"));
  const command = process.platform === "win32" ? "python" : "python3";
  await run(command, ["--version"]).catch(unavailable("Python, which starts curl"));
  return command;
}

function unavailable(what: string) {
  return (error: unknown): never => {
    throw new Unavailable(`needs ${what}: ${messageOf(error).split("\n").slice(0, 2).join(" ")}`);
  };
}

/** Fills a folder once. An interrupted run starts again from an empty folder. */
function once(folder: string, fill: (folder: string) => Promise<unknown>): Promise<void> {
  return withLock(`${folder}.lock`, async () => {
    const complete = join(folder, "complete");
    if (existsSync(complete)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await fill(folder);
    writeFileSync(complete, "");
  });
}
