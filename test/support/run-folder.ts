/** What is slow to make and the same for all test files is made once in a run of Jest, by the first test that needs it. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../scripts/lib/lock.mjs";

const variable = "OPSMANAGER_TEST_RUN_FOLDER";

/** Jest calls this once, before it starts its workers. They inherit the variable. */
export default function makeRunFolder(): void {
  if (existsSync(process.env[variable] ?? "")) return; // a Jest that a test has started
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-run-"));
  process.env[variable] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

/** The folder is deleted at the end of the run. */
export function runFolder(): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error(`${variable} is not set: jest.config.cjs names no globalSetup.`);
  return folder;
}

/** What the first caller was told, for what must be known before the tests run, as it goes into their titles. */
export function askedOncePerRun<T>(name: string, ask: () => T): T {
  const answer = join(runFolder(), `${name}.json`);
  if (!existsSync(answer)) {
    const partial = `${answer}.${process.pid}`;
    writeFileSync(partial, JSON.stringify({ answer: ask() }));
    renameSync(partial, answer);
  }
  return JSON.parse(readFileSync(answer, "utf8")).answer;
}

/**
 * Returns what the first caller made, in any worker. Others wait for it, and must not change its folder.
 *
 * @param make gets an empty folder, and returns what can be written as JSON
 */
export function oncePerRun<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(runFolder(), name);
  const result = `${folder}.json`;
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(result)) return JSON.parse(readFileSync(result, "utf8")) as T;
    await rm(folder, { recursive: true, force: true }); // of an attempt that failed
    await mkdir(folder, { recursive: true });
    const made = await make(folder);
    writeFileSync(result, JSON.stringify(made));
    return made;
  });
}
