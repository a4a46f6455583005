/** Programs with packages that a real package manager has installed. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "../../../scripts/lib/run.mjs";
import { npm } from "../../support/npm";

/** Files by their path below a folder. */
export type Files = Readonly<Record<string, string>>;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Installs what the manifests in this folder request, from the user's own caches as far as that goes. */
export async function installWith(manager: "npm" | "pnpm", folder: string): Promise<void> {
  const pnpm = "pnpm install --prefer-offline --ignore-scripts";
  if (manager === "npm") await npm(folder, ["install", "--ignore-scripts"]);
  else await npm(folder, ["exec", "--yes", "--package=pnpm@10", `--call=${pnpm}`]);
}

/** The compiler that the program has installed, over the files of its tsconfig.json. */
export async function compile(folder: string): Promise<void> {
  const compiler = require.resolve("typescript/bin/tsc", { paths: [folder] });
  await run(process.execPath, [compiler, "-p", "."], { cwd: folder });
}
