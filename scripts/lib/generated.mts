/** Files that are made of others: `npm run generate` writes them, `npm run check` compares them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inRepository } from "./repository.mjs";
import { Failure, isStarted, readOptions, runScript } from "./script.mjs";

export interface GeneratedFile {
  /** Below the repository. */
  readonly file: string;
  readonly text: string;
}

function isStale({ file, text }: GeneratedFile): boolean {
  return !existsSync(inRepository(file)) || readFileSync(inRepository(file), "utf8") !== text;
}

/** @returns what was found, in a few words */
export function checkGenerated(files: readonly GeneratedFile[]): string {
  const stale = files.filter(isStale).map(({ file }) => file);
  if (stale.length === 0) return "up to date";
  throw new Failure(`\`npm run generate\` would change ${stale.join(", ")}`);
}

/** The main function of a script that writes these files, or compares them with `--check`. */
export async function runGenerator(
  url: string,
  { make, check }: { make: () => Promise<readonly GeneratedFile[]>; check: () => Promise<string> },
): Promise<void> {
  if (!isStarted(url)) return;
  await runScript(async () => {
    if (readOptions({ check: { type: "boolean" } }).check) return console.log(await check());
    for (const made of (await make()).filter(isStale)) {
      mkdirSync(dirname(inRepository(made.file)), { recursive: true });
      writeFileSync(inRepository(made.file), made.text);
    }
  });
}
