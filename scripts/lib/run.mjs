import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal | undefined} [signal] ends the command
 */

/**
 * Runs a command and returns what it printed. If the command fails, the error contains that output.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && !/\.exe$|^go$/.test(command), // npm and its tools are scripts there
      signal,
    });
    let output = "";
    const collect = (/** @type {Buffer | string} */ chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", ({ name, message }) => {
      const problem = name === "AbortError" ? "was canceled" : `could not be started: ${message}`;
      reject(new Failure(`${command} ${problem}`));
    });
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new Failure(`\`${[command, ...args].join(" ")}\` ended with ${how}:\n${output.trimEnd()}`));
    });
  });
}

/**
 * Runs a tool of an installed package, on the Node.js of an installed package. That Node.js may be
 * newer than the machine's own.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Pick<RunOptions, "signal">} [options]
 */
export function runTool(name, args, options = {}) {
  return run(join(tools, name), args, { ...options, cwd: inRepository(), env: environmentWithTools() });
}

const tools = inRepository("node_modules", ".bin");

/** The Node.js of an installed package. */
export const installedNode = inRepository(
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

/**
 * Runs a script on the Node.js of an installed package, in this terminal. It ends when this process is told to end, or has lost the shell
 * that started it: npm passes SIGTERM on to that shell only (tried with npm 11). An interruption by the terminal reaches it without help.
 *
 * @param {readonly string[]} command the script and its arguments
 * @returns {Promise<number>} exit code
 */
export function runOnInstalledNode(command) {
  return new Promise((resolve, reject) => {
    const parent = process.ppid;
    const child = spawn(installedNode, command, { stdio: "inherit" });
    process.on("SIGINT", () => {});
    // Once: a second signal would end a child that is still cleaning up.
    const end = () => child.killed || child.kill();
    process.on("SIGTERM", end);
    setInterval(() => process.ppid !== parent && end(), 500).unref();
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** The environment in which `node` and the other tools of installed packages come first. */
export function environmentWithTools() {
  return { ...process.env, PATH: [tools, process.env.PATH].join(delimiter) };
}
