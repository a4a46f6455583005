import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { print } from "./progress.mjs";

const pollMilliseconds = 200;
const takeoverMilliseconds = 1_000;
const touchMilliseconds = 5_000;
/** The owner updates its lock continuously. A lock older than this belongs to a machine that stopped. */
const staleMilliseconds = 120_000;

/**
 * Does the work while no other process does work under the same lock, a file that names its owner.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T> | T} work
 * @param {string} [what] begins the line that reports a wait
 * @returns {Promise<T>}
 */
export async function withLock(path, work, what) {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const isOurs = () => contentOf(path) === own;
  mkdirSync(dirname(path), { recursive: true });
  let isReported = what === undefined;
  while (!(await take(path, own))) {
    if (!isReported) print(`${what}: waiting for ${ownerIn(path)}`);
    isReported = true;
    await sleep(pollMilliseconds);
  }
  const touch = setInterval(() => isOurs() && utimesSync(path, new Date(), new Date()), touchMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    // Where the machine slept, another process may have taken the lock over.
    if (isOurs()) rmSync(path, { force: true });
  }
}

/** @param {string} path */
function ownerIn(path) {
  const pid = /"pid":(\d+)/.exec(contentOf(path))?.[1];
  return pid === undefined ? "another process" : `process ${pid}`;
}

/** @param {string} path @param {string} own */
async function take(path, own) {
  try {
    writeFileSync(path, own, { flag: "wx" });
    return true;
  } catch (error) {
    // Windows reports one that is just being removed with EPERM or EBUSY.
    if (!["EEXIST", "EPERM", "EBUSY"].includes(codeOf(error))) throw error;
  }
  if (!isStale(path)) return false;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    rmSync(path, { recursive: true, force: true });
  // Several processes may take it over at a time. It belongs to the last one.
  writeFileSync(path, own);
  await sleep(takeoverMilliseconds);
  return contentOf(path) === own;
}

/** @param {string} path */
function isStale(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > staleMilliseconds) return true;
    const { pid, host } = JSON.parse(contentOf(path));
    return host === hostname() && !isRunning(pid);
  } catch {
    return false; // it was released meanwhile, or is just being written
  }
}

/** @param {string} path */
function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it was released meanwhile
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // it belongs to another user
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
