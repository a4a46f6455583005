/**
 * Runs within `npm version`: writes the new version into the changelog and into every page and program that names the
 * version. `npm version` itself changes package.json and its lock file, and `npm run generate` the SDKs.
 *
 *   npm_old_version=1.2.3 npm_new_version=1.3.0 node scripts/version.mts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { withRelease } from "./lib/changelog.mts";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

/** Pages, examples and Go modules of tests; what is generated and the history are left out. */
export const NAMING_THE_VERSION = ["README.md", "docs", "examples", "test/**/go.mod", ":!*package-lock.json"];

/** The tracked files that name a version of this package. */
export async function filesWithVersion(version: string): Promise<string[]> {
  return filesFromGit("grep", "-lF", version);
}

/** What a command of git lists of the pages and programs. */
async function filesFromGit(...command: string[]) {
  const found = await run("git", [...command, "--", ...NAMING_THE_VERSION], { cwd: repositoryRoot });
  return found.split("\n").filter((file) => file !== "");
}

/** Pages and examples that state that no version is released. */
export async function filesBeforeRelease(): Promise<string[]> {
  const files = await filesFromGit("ls-files");
  return files.filter((file) => isBeforeRelease(readFileSync(inRepository(file), "utf8")));
}

/** Whether a text is about the time before the first release. A line may end within the words. */
export function isBeforeRelease(text: string) {
  return /No version\s+is\s+released\s+yet|Before\s+the\s+first\s+release,/.test(text);
}

export function withVersion(text: string, from: string, to: string) {
  return text.replace(new RegExp(`(?<![\\d.])${from.replaceAll(".", "\\.")}(?!\\.?\\d)`, "g"), to);
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const { npm_old_version: from, npm_new_version: to } = process.env;
    if (!from || !to)
      throw new Failure("run `npm version <version> --no-git-tag-version --allow-same-version`");
    const change = (file: string, edit: (text: string) => string) =>
      writeFileSync(inRepository(file), edit(readFileSync(inRepository(file), "utf8")));
    change("CHANGELOG.md", (text) => withRelease(text, to, new Date()));
    for (const file of await filesWithVersion(from)) change(file, (text) => withVersion(text, from, to));
  });
}
