/**
 * Makes every file of a release, and publishes nothing. The same commit gives the same bytes, with the same versions of
 * Node.js, npm, Python and Go.
 *
 *   node scripts/release.mts --out FOLDER [--tag v1.2.3]
 *
 * Times come from SOURCE_DATE_EPOCH, or else from the commit. With `--tag`, everything must be ready to be published: see
 * `faultsOfTag` and `faultsOfHeading`.
 */
import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { writeArchive } from "./archive.mts";
import { faultsOfHeading, releaseNotes } from "./lib/changelog.mts";
import { filesBelow } from "./lib/files.mjs";
import { writeGoProxy } from "./lib/go-module.mts";
import { step } from "./lib/progress.mjs";
import { writeWheel } from "./lib/python-wheel.mts";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { sbom } from "./lib/sbom.mts";
import { Failure, isStarted, readOptions, runScript } from "./lib/script.mjs";
import { packageSchema } from "./lib/sdk-generator.mts";
import { writePackage } from "./pack.mts";
import { filesBeforeRelease } from "./version.mts";

const platforms = ["linux", "darwin", "windows"].flatMap((os) =>
  ["amd64", "arm64"].map((arch) => ({ os, arch })),
);

/** @returns the files, relative to `out` */
export async function writeRelease({
  out,
  tag,
}: {
  out: string;
  tag?: string | undefined;
}): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  const { version } = manifest;
  const changelog = readFileSync(inRepository("CHANGELOG.md"), "utf8");
  if (tag !== undefined) {
    const faults = [
      ...faultsOfTag(tag, version, await filesBeforeRelease()),
      ...faultsOfHeading(changelog, version),
    ];
    if (faults.length > 0) throw new Failure(["this must not be published:", ...faults].join("\n  "));
  }
  const notes = releaseNotes(changelog, version);
  const folder = emptyFolder(out);
  const time = await timeOfRelease();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  await step("release: npm package", () => writePackage({ out: folder }));
  await step("release: plugin archives", async () => {
    for (const platform of platforms) await writeArchive({ ...platform, out: folder });
  });
  await step("release: Python wheel", () => writeWheel(folder, time));
  await step("release: Go module", () => writeGoProxy(join(folder, "goproxy"), version, time));
  await step("release: schemas, SBOM, notes", async () => {
    write("schema.json", `${JSON.stringify(JSON.parse(await packageSchema()), null, 2)}\n`);
    for (const name of readdirSync(inRepository("schemas")))
      copyFileSync(inRepository("schemas", name), join(folder, name));
    write(`pulumi-opsmanager-${version}.cdx.json`, await sbom(manifest, time));
    write("release-notes.md", notes);
  });
  write("SHA256SUMS", checksums(folder));
  return namesBelow(folder);
}

/**
 * Why the files must not be published under a tag.
 *
 * @param version of package.json
 * @param unreleased pages that state that no version is released
 */
export function faultsOfTag(tag: string, version: string, unreleased: readonly string[]) {
  return [
    ...(tag === `v${version}` ? [] : [`the tag is ${tag}, and package.json has the version ${version}`]),
    // npm, PyPI and GitHub would install it by default.
    ...(/^v\d+\.\d+\.\d+$/.test(tag) ? [] : [`${tag} is a prerelease`]),
    ...unreleased.map((file) => `${file} states that no version is released yet`),
  ];
}

function emptyFolder(out: string) {
  const folder = resolve(out);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure(
      `${folder} is not empty, so it may hold files of another release. Name another folder.`,
    );
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The time of the commit: the time of the build would make each build different. */
async function timeOfRelease() {
  const seconds =
    process.env.SOURCE_DATE_EPOCH ??
    (await run("git", ["log", "-1", "--format=%ct"], { cwd: repositoryRoot }).catch(() => ""));
  if (/^\d+\s*$/.test(seconds)) return new Date(Number(seconds) * 1000);
  throw new Failure(
    "set SOURCE_DATE_EPOCH to the time of the release in seconds, as this is no clone of Git",
  );
}

/** As `sha256sum --check` reads it. */
function checksums(folder: string) {
  const hashOf = (name: string) => hash("sha256", readFileSync(join(folder, name)), "hex");
  return namesBelow(folder)
    .map((name) => `${hashOf(name)}  ${name}\n`)
    .join("");
}

function namesBelow(folder: string) {
  return filesBelow(folder).map((file) => relative(folder, file).replaceAll("\\", "/"));
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const option = { type: "string" } as const;
    const { out, tag } = readOptions({ out: option, tag: option });
    if (out === undefined) throw new Failure("name the folder of the release: --out FOLDER");
    for (const name of await writeRelease({ out, tag })) console.log(name);
  });
}
