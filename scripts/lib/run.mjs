import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * Runs a command to its end and answers what it printed. Where it fails, the error carries the output.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutSeconds?: number }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, timeoutSeconds } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && !/\.exe$|^go$/.test(command), // npm and its tools are scripts there
      timeout: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => reject(new Failure(`${command} could not be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new Failure(`\`${[command, ...args].join(" ")}\` ended with ${how}:\n${output.trimEnd()}`));
    });
  });
}

/**
 * Runs a tool that a package brings, on the Node that a package brings too: it may be newer than the machine's own.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ timeoutSeconds?: number }} [options]
 */
export function runTool(name, args, options = {}) {
  const tools = inRepository("node_modules", ".bin");
  return run(join(tools, name), args, {
    ...options,
    cwd: inRepository(),
    env: { ...process.env, PATH: [tools, process.env.PATH].join(delimiter) },
  });
}
