/**
 * Writes the plugin as one archive, for `pulumi plugin install resource opsmanager VERSION --file FILE`. It needs Node.js on
 * the machine and nothing else: no npm, no node_modules.
 *
 *   node scripts/archive.mts [--os linux|darwin|windows] [--arch amd64|arm64] [--out FOLDER]
 *
 * System and architecture are in the name, as Pulumi requires it, and are this machine's by default. What is in
 * the archive is JavaScript and runs on all of them; the one for Windows has a launcher more.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { Header } from "tar";
import { bundlePlugin } from "./lib/bundle.mts";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { Failure, isStarted, readOptions, runScript } from "./lib/script.mjs";

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

/**
 * The license texts of packages whose code is part of a file that we hand out, as Apache-2.0, BSD and MIT require.
 *
 * @param packageFolders relative to the repository
 */
function licenseTexts(packageFolders: readonly string[]) {
  const chapters = packageFolders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(inRepository(folder, "package.json"), "utf8"));
    return [`${name} ${version}\nLicense: ${license}`, ...textsIn(inRepository(folder), name)].join("\n\n");
  });
  const introduction = "The plugin contains code of these packages, under the licenses below.";
  return `${[introduction, ...chapters].join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

function textsIn(folder: string, name: string) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (files.length === 0) throw new Failure(`${name} comes without a license text, so it cannot be bundled`);
  return files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
}

const blockSize = 512;
const operatingSystem = 9; // a byte of the gzip header (RFC 1952); 255 is "unknown"

/**
 * A `.tar.gz` that depends on nothing but its content: no owner, and a time that is always the same (tar knows no "none").
 * Of the package `tar` this takes the headers only; its `create` reads modes from files, and Windows has none to read.
 *
 * @param files in the order they get in the archive
 */
function tarball(files: readonly { path: string; content: string | Buffer; executable?: boolean }[]): Buffer {
  const entries = files.flatMap(({ path, content, executable }) => {
    const data = Buffer.from(content);
    const header = new Header({
      path,
      type: "File",
      mode: executable ? 0o755 : 0o644,
      size: data.length,
      uid: 0,
      gid: 0,
      mtime: new Date("2000-01-01T00:00:00Z"),
    });
    header.encode();
    return [header.block ?? Buffer.alloc(0), data, Buffer.alloc(-data.length & (blockSize - 1))];
  });
  const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]), { level: 9 });
  archive[operatingSystem] = 255;
  return archive;
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const option = { type: "string" } as const;
    console.log(await writeArchive(readOptions({ os: option, arch: option, out: option })));
  });
}
