import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{ pid: number, host: string }} Owner */

const pollMilliseconds = 200;
const touchMilliseconds = 5_000;
/** The owner updates its lock continuously. A lock older than this belongs to a machine that stopped. */
const staleMilliseconds = 120_000;

/**
 * Does the work while no other process does work under the same lock, a folder that names its owner.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T> | T} work
 * @param {{ onWait?: (owner: Owner | undefined) => void }} [options] `onWait` is called once, where there is a wait.
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { onWait } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  let reported = false;
  while (!take(path)) {
    if (removeIfStale(path)) continue;
    if (!reported) onWait?.(ownerOf(path));
    reported = true;
    await sleep(pollMilliseconds);
  }
  const touch = setInterval(
    () => isOurs(path) && utimesSync(path, new Date(), new Date()),
    touchMilliseconds,
  );
  try {
    return await work();
  } finally {
    clearInterval(touch);
    if (isOurs(path)) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * A folder that contains the owner is renamed to the lock's name. That is atomic, and fails if a
 * lock exists. At no moment does a lock lack an owner.
 *
 * @param {string} path
 */
function take(path) {
  const candidate = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  mkdirSync(candidate);
  writeFileSync(join(candidate, "owner.json"), JSON.stringify({ pid: process.pid, host: hostname() }));
  try {
    renameSync(candidate, path);
    return true;
  } catch {
    rmSync(candidate, { recursive: true, force: true });
    return false;
  }
}

/**
 * Only one process at a time may remove, or the second would remove the lock that the first has just taken.
 *
 * @param {string} path
 */
function removeIfStale(path) {
  if (!isStale(path)) return false;
  const removal = `${path}.removal`;
  try {
    mkdirSync(removal);
  } catch {
    if (age(removal) > staleMilliseconds) rmSync(removal, { recursive: true, force: true });
    return false;
  }
  try {
    if (isStale(path)) rmSync(path, { recursive: true, force: true });
    return true;
  } finally {
    rmSync(removal, { recursive: true, force: true });
  }
}

/** @param {string} path */
export function isStale(path) {
  const owner = ownerOf(path);
  if (owner === undefined) return age(path) > staleMilliseconds;
  return (owner.host === hostname() && !isRunning(owner.pid)) || age(path) > staleMilliseconds;
}

/** @param {string} path @returns {Owner | undefined} */
function ownerOf(path) {
  try {
    return JSON.parse(readFileSync(join(path, "owner.json"), "utf8"));
  } catch {
    return undefined; // it was released meanwhile
  }
}

/**
 * False where the machine slept so long that another process took the lock for stale.
 *
 * @param {string} path
 */
function isOurs(path) {
  const owner = ownerOf(path);
  return owner?.pid === process.pid && owner.host === hostname();
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM"; // it belongs to another user
  }
}

/** @param {string} path */
function age(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
