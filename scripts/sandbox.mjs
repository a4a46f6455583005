/**
 * `npm run sandbox`: the sandbox, which ends with the npm that started it. npm passes
 * SIGTERM on to its shell only, and SIGKILL to no process (tried with npm 11). Otherwise, the
 * service would continue to run and keep its ports. Started in any other way it may outlive its
 * parent, as a daemon does.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { inRepository } from "./lib/repository.mjs";

const PROBE_MILLISECONDS = 500;

if (process.env.npm_lifecycle_event === "sandbox") endWithNpm();
createRequire(import.meta.url)(inRepository("dist", "sandbox", "main.js"));

function endWithNpm() {
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const isOrphaned = () => (npm === undefined ? process.ppid !== parent : !isRunning(npm));
  const probe = setInterval(() => {
    if (!isOrphaned()) return;
    clearInterval(probe);
    process.kill(process.pid, "SIGTERM");
  }, PROBE_MILLISECONDS);
  probe.unref();
}

/**
 * @param {number} pid
 * @returns {number | undefined} npm is the parent, or the parent of the shell between them; undefined if there is no `ps`
 */
function npmAbove(pid, levels = 2) {
  const [, above, title = ""] = /^\s*(\d+)\s+(.*)/.exec(processLine(pid)) ?? [];
  if (/(^|\/)npm(-cli\.js)?\b/.test(title)) return pid;
  return above === undefined || levels === 1 ? undefined : npmAbove(Number(above), levels - 1);
}

/** @param {number} pid */
function processLine(pid) {
  try {
    const options = { encoding: /** @type {const} */ ("utf8"), stdio: /** @type {const} */ ("pipe") };
    return execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], options);
  } catch {
    return "";
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
