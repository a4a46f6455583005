/** `opsmanager sandbox`: runs the sandbox in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import type { CliCommand } from "./lib/command";

/**
 * The sandbox is beside the provider in the package. The provider itself imports nothing of it.
 */
const main = join(__dirname, "..", "sandbox", "main.js");

/** `pulumi plugin run` starts the command in a process group of its own, so a Ctrl-C ends `pulumi` alone. */
const isPlugin = basename(process.argv[1] ?? "").startsWith("pulumi-resource-opsmanager");
const parent = process.ppid;

export const sandbox: CliCommand = {
  name: "sandbox",
  summary: "Starts the sandbox, a simulation of Ops Manager for trials and tests: see its --help.",
  examples: ["", "--ldap --seed seed.json"],
  define(command) {
    // The sandbox parses its own options.
    command.argument("[options...]").allowUnknownOption().helpOption(false);
  },
  async run({ args, terminal }) {
    const child = spawn(process.execPath, [main, ...args], { stdio: "inherit", env: terminal.env });
    // A Ctrl-C of the terminal reaches the child directly; a signal sent to this process alone
    // does not.
    terminal.stop.addEventListener("abort", () => void child.kill("SIGTERM"), { once: true });
    const endIfLeftAlone = () => process.ppid !== parent && child.kill("SIGTERM");
    const watch = isPlugin ? setInterval(endIfLeftAlone, 500) : undefined;
    const [code] = await once(child, "exit");
    clearInterval(watch);
    return typeof code === "number" ? code : 1;
  },
};
