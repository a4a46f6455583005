/**
 * `npm run pack`: writes the npm package and prints the path of its file.
 *
 *   node scripts/pack.mts [--out FOLDER]
 *
 * npm packs the manifest of a folder unchanged, and that of this repository names tools and
 * scripts which users do not need. So the files are copied into a folder of their own, with a manifest for users.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { isStarted, readOptions, runScript } from "./lib/script.mjs";

export interface PackedPackage {
  tarball: string;
  files: readonly { readonly path: string; readonly mode: number }[];
}

/** Packs what is built. It runs no script, because others may be using the build. */
export async function writePackage({ out }: { out?: string | undefined } = {}): Promise<PackedPackage> {
  const folder = resolve(out ?? repositoryRoot);
  mkdirSync(folder, { recursive: true });
  const manifest = publishedManifest();
  const staging = mkdtempSync(join(tmpdir(), "opsmanager-package-"));
  try {
    // npm selects again from these folders by `files`, which also has patterns of what to leave out.
    for (const name of [...manifest.files, "README.md", "LICENSE"])
      if (!name.startsWith("!")) cpSync(inRepository(name), join(staging, name), { recursive: true });
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    // The folder is an argument: an `npm run` that started this process has set another folder for its children.
    const options = ["--ignore-scripts", "--json", "--loglevel", "error", "--no-update-notifier"];
    const packed = await run("npm", ["pack", staging, ...options, "--pack-destination", folder]);
    const [{ filename, files }] = JSON.parse(packed);
    return { tarball: join(folder, filename), files };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Some Pulumi commands run `npm install` in the folder of the package, which would install the tools too. */
function publishedManifest() {
  const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8"));
  for (const field of ["private", "scripts", "devDependencies", "overrides", "allowScripts"])
    delete manifest[field];
  return manifest;
}

// Without `await`, as the tests load this file with `require`.
if (isStarted(import.meta.url)) {
  void runScript(async () => {
    console.log((await writePackage(readOptions({ out: { type: "string" } }))).tarball);
  });
}
