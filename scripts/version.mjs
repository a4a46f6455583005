/**
 * Runs within `npm version`: writes the new version into the changelog and into every page and program that names the
 * version. `npm version` itself changes package.json and its lock file, and `npm run generate` the SDKs.
 *
 *   npm_old_version=1.2.3 npm_new_version=1.3.0 node scripts/version.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";
import { withRelease } from "./lib/changelog.mjs";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

/** Pages, examples and Go modules of tests; what is generated and the history are left out. */
export const NAMING_THE_VERSION = ["README.md", "docs", "examples", "test/**/go.mod", ":!*package-lock.json"];

/** The tracked files that name a version of this package. @returns {Promise<string[]>} */
export async function filesWithVersion(/** @type {string} */ version) {
  return filesFromGit("grep", "-lF", version);
}

/** What a command of git lists of the pages and programs. @param {...string} command */
async function filesFromGit(...command) {
  const found = await run("git", [...command, "--", ...NAMING_THE_VERSION], { cwd: repositoryRoot });
  return found.split("\n").filter((file) => file !== "");
}

/** Pages and examples that state that no version is released. @returns {Promise<string[]>} */
export async function filesBeforeRelease() {
  const files = await filesFromGit("ls-files");
  return files.filter((file) => isBeforeRelease(readFileSync(inRepository(file), "utf8")));
}

/** Whether a text is about the time before the first release. A line may end within the words. @param {string} text */
export function isBeforeRelease(text) {
  return /No version\s+is\s+released\s+yet|Before\s+the\s+first\s+release,/.test(text);
}

/** @param {string} text @param {string} from @param {string} to */
export function withVersion(text, from, to) {
  return text.replace(new RegExp(`(?<![\\d.])${from.replaceAll(".", "\\.")}(?!\\.?\\d)`, "g"), to);
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const { npm_old_version: from, npm_new_version: to } = process.env;
    if (!from || !to)
      throw new Failure("run `npm version <version> --no-git-tag-version --allow-same-version`");
    const change = (/** @type {string} */ file, /** @type {(text: string) => string} */ edit) =>
      writeFileSync(inRepository(file), edit(readFileSync(inRepository(file), "utf8")));
    change("CHANGELOG.md", (text) => withRelease(text, to, new Date()));
    for (const file of await filesWithVersion(from)) change(file, (text) => withVersion(text, from, to));
  });
}
