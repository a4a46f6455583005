/**
 * Writes the plugin as one archive, for `pulumi plugin install resource opsmanager VERSION --file FILE`. It needs Node.js on
 * the machine and nothing else: no npm, no node_modules.
 *
 *   node scripts/archive.mts [--os linux|darwin|windows] [--arch amd64|arm64] [--out FOLDER]
 *
 * System and architecture are in the name, as Pulumi requires it, and are this machine's by default. What is in
 * the archive is JavaScript and runs on all of them; the one for Windows has a launcher more.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundlePlugin } from "./lib/bundle.mts";
import { licenseTexts } from "./lib/licenses.mts";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { Failure, isStarted, readOptions, runScript } from "./lib/script.mjs";
import { tarball } from "./lib/tarball.mts";

/** Go's names for what Node calls otherwise. */
const systems = { linux: "linux", darwin: "darwin", win32: "windows" };
const architectures = { x64: "amd64", arm64: "arm64" };

/** @returns the file */
export async function writeArchive({
  os,
  arch,
  out,
}: {
  os?: string;
  arch?: string;
  out?: string;
} = {}): Promise<string> {
  const system = oneOf("os", systems, os ?? process.platform);
  const architecture = oneOf("arch", architectures, arch ?? process.arch);
  const { version } = manifest();
  const isWindows = system === "windows";
  const folder = resolve(out ?? repositoryRoot);
  const file = join(folder, `pulumi-resource-opsmanager-v${version}-${system}-${architecture}.tar.gz`);
  mkdirSync(folder, { recursive: true });
  const known = archives.get(isWindows) ?? contentFor(isWindows).then(tarball);
  archives.set(isWindows, known);
  writeFileSync(file, await known);
  return file;
}

/** By whether they are for Windows: a release has the same content for all other platforms. */
const archives: Map<boolean, Promise<Buffer>> = new Map();

/**
 * No PulumiPlugin.yaml: with one the engine would run `npm install` in the plugin's folder when it installs the archive
 * (pkg v3.259.0, workspace/plugin.go, installDependenciesForPluginSpec). A package.json instead: the plugin reads its version
 * there, and it keeps a `"type": "module"` further up from changing how Node reads the launcher.
 */
async function contentFor(isWindows: boolean) {
  const { files, packageFolders } = await bundlePlugin();
  const { name, version, description, license, engines } = manifest();
  const summary = { name, version, description, license, engines, private: true, type: "commonjs" };
  return [
    own("LICENSE"),
    { path: "THIRD_PARTY_LICENSES.txt", content: licenseTexts(packageFolders) },
    own("dist/provider/compile-cache.js"), // a file of its own, because the launcher loads it first
    ...files.map(({ path, content }) => ({ path: `dist/${path}`, content })), // as in the npm package
    { path: "package.json", content: `${JSON.stringify(summary, null, 2)}\n` },
    own("pulumi-resource-opsmanager", true),
    ...(isWindows ? [own("pulumi-resource-opsmanager.cmd", true)] : []),
  ];
}

function own(path: string, executable = false) {
  return { path, content: readFileSync(inRepository(path)), executable };
}

function manifest() {
  return JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
}

/**
 * @param names by Node's name
 * @param value in either language
 */
function oneOf(option: string, names: Record<string, string>, value: string) {
  const known = Object.values(names);
  const name = names[value] ?? value;
  if (known.includes(name)) return name;
  throw new Failure(`--${option} ${value} is not known; there are ${known.join(", ")}`);
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const option = { type: "string" } as const;
    console.log(await writeArchive(readOptions({ os: option, arch: option, out: option })));
  });
}
