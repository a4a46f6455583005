/** Files that are made of others: `npm run generate` writes them, `npm run check` compares them. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inRepository } from "./repository.mjs";
import { Failure, isStarted, readOptions, runScript } from "./script.mjs";

export interface GeneratedFile {
  /** Below the repository. */
  readonly file: string;
  /** Undefined if the file must not exist. */
  readonly text: string | undefined;
}

function isStale({ file, text }: GeneratedFile): boolean {
  const path = inRepository(file);
  return (existsSync(path) ? readFileSync(path, "utf8") : undefined) !== text;
}

/** @returns what was found, in a few words */
export function checkGenerated(files: readonly GeneratedFile[]): string {
  const stale = files.filter(isStale).map(({ file }) => file);
  if (stale.length === 0) return "up to date";
  throw new Failure(`\`npm run generate\` would change ${stale.join(", ")}`);
}

function write({ file, text }: GeneratedFile) {
  const path = inRepository(file);
  if (text === undefined) return rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The main function of a script that writes these files, or compares them with `--check`. */
export async function runGenerator(
  url: string,
  { make, check }: { make: () => Promise<readonly GeneratedFile[]>; check: () => Promise<string> },
): Promise<void> {
  if (!isStarted(url)) return;
  await runScript(async () => {
    if (readOptions({ check: { type: "boolean" } }).check) return console.log(await check());
    for (const made of (await make()).filter(isStale)) write(made);
  });
}
