/**
 * What the story plays on: a sandbox, the real engine, and a temporary home, backend and program. All of it is
 * removed at the end, however the story ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { copyProgram, linkPackages } from "../lib/program-folder.mjs";
import { inRepository } from "../lib/repository.mjs";
import { Failure } from "../lib/script.mjs";

/** @typedef {import("../../sandbox/index.js").Sandbox} Sandbox */

/** @type {import("../../sandbox/index.js")} */
const { startSandbox } = createRequire(import.meta.url)(inRepository("dist", "sandbox", "index.js"));

/** Variables of the person's own Pulumi and provider that must not reach the story. */
const foreign = /^(PULUMI|OPSMANAGER|MCLI)_/;

/** How long a canceled command may take to end its plugins and release its stack. */
const secondsToEnd = 10;

/** @param {string} engineFolder */
export async function openStage(engineFolder) {
  const root = mkdtempSync(join(tmpdir(), "opsmanager-start-"));
  const service = await startSandbox({ ldap: true });
  return new Stage(root, service, environment(root, engineFolder));
}

/** @param {string} root @param {string} engineFolder */
function environment(root, engineFolder) {
  for (const folder of ["home", "state", "tmp"]) mkdirSync(join(root, folder));
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(own),
    PATH: [engineFolder, inRepository("node_modules", ".bin"), process.env.PATH].join(delimiter),
    PULUMI_HOME: join(root, "home"),
    PULUMI_BACKEND_URL: `file://${join(root, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "not a secret",
    // The types of the examples are checked by a test, so not again for each command.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NODE_COMPILE_CACHE: inRepository("node_modules", ".cache", "node-compile"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    TMPDIR: join(root, "tmp"),
  };
}

export class Stage {
  /** @type {Set<import("node:child_process").ChildProcess>} */
  #children = new Set();
  #closed = false;

  /**
   * @param {string} root
   * @param {Sandbox} service
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(root, service, env) {
    this.root = root;
    this.service = service;
    this.env = env;
    this.program = root;
  }

  /**
   * Puts an example in place as `npm install` would, but with the packages of this clone, and makes a stack of it.
   *
   * @param {string} name folder below `examples/`
   * @param {{ stack?: string, config?: Record<string, string> }} [options] configuration besides the connection
   */
  async useExample(name, { stack = "demo", config = {} } = {}) {
    const { baseUrl, publicKey, privateKey, orgId } = this.service;
    this.program = join(this.root, name);
    await copyProgram(inRepository("examples", name), this.program);
    await linkPackages(this.program);
    await this.pulumi(["stack", "init", stack]);
    const plain = { "opsmanager:baseUrl": baseUrl, "opsmanager:publicKey": publicKey, orgId, ...config };
    const settings = Object.entries(plain).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    await this.pulumi(
      ["config", "set-all", ...settings, "--secret", `opsmanager:privateKey=${privateKey}`],
      privateKey,
    );
  }

  up() {
    return this.pulumi(["up", "--yes", "--skip-preview"]);
  }

  /**
   * Runs one command of the real CLI where everyone can see it.
   *
   * @param {readonly string[]} args
   * @param {string} [secret] is masked in the command line that is shown
   * @returns {Promise<string>} what it printed
   */
  async pulumi(args, secret = "") {
    const shown = args.join(" ").replace(secret, secret && "[secret]");
    const color = process.stdout.isTTY && !process.env.NO_COLOR ? "always" : "never";
    console.log(`\n$ pulumi ${shown}`);
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", color], {
      cwd: this.program,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        process.stdout.write(chunk);
      });
    }
    const [code] = await once(child, "close");
    this.#children.delete(child);
    if (this.#closed) return new Promise(() => {}); // canceled by us: the caller no longer waits
    if (code === 0) return stripVTControlCharacters(output);
    throw new Failure(`\`pulumi ${shown}\` ended with exit code ${code}`);
  }

  /** Stops what is running and removes every trace. May be called twice. */
  async close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const child of this.#children) await ended(child);
    await this.service.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Cancels a command; one that does not end in time is killed.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
async function ended(child) {
  const closed = once(child, "close");
  child.kill("SIGINT");
  const lastResort = setTimeout(() => child.kill("SIGKILL"), secondsToEnd * 1000);
  await closed;
  clearTimeout(lastResort);
}
