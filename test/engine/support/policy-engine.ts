/** `pulumi` that runs policy packs in TypeScript, with any engine that the tests have. */
import { chmodSync, copyFileSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { engine, type Stack } from "../../support";
import { type ProcessResult, startProcess } from "../../support/child-process";
import { residents } from "../../support/resident";
import { CommandLine } from "../../support/resident/command-line";

export interface PolicyEngine {
  run(stack: Stack, ...args: string[]): Promise<ProcessResult>;
  remove(): void;
}

/**
 * The engine has the Node.js language host start a policy pack. The host of an engine that was built here is too old for it. If no
 * such host exists, the engine starts `pulumi-analyzer-policy-nodejs` instead. Therefore this engine has that and no such host. The
 * engine is a resident command line of its own, because it searches for language hosts beside its executable.
 */
export function policyEngine(): PolicyEngine {
  const { residentCommandLine } = engine();
  if (residentCommandLine === undefined) return { run: runInProcess, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-policy-engine-"));
  // The engine would follow a symbolic link.
  for (const name of [basename(residentCommandLine), "pulumi-resource-pulumi-nodejs"])
    linkOrCopy(join(dirname(residentCommandLine), name), join(folder, name));
  const starter = join(folder, "pulumi-analyzer-policy-nodejs");
  writeFileSync(starter, '#!/bin/sh\nexec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$@"\n');
  chmodSync(starter, 0o755);
  const commandLine = new CommandLine(join(folder, basename(residentCommandLine)));
  return {
    run: async (stack, ...args) => {
      const cwd = stack.paths.program;
      const env = stack.environment();
      const path = (env.PATH ?? "").split(delimiter).filter((part) => part !== engine().bin);
      // The host of the program is attached, so that the engine does not search for one.
      const hosts = stack.provider === "dynamic" ? await residents().nodeHosts(env, cwd) : {};
      const resident = { ...env, ...hosts, PATH: [folder, ...path].join(delimiter) };
      return commandLine.run([...args, ...commonFlags], { cwd, env: resident });
    },
    remove: () => {
      commandLine.process.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const commonFlags = ["--non-interactive", "--color", "never"];

function runInProcess(stack: Stack, ...args: string[]): Promise<ProcessResult> {
  return startProcess(join(engine().bin, "pulumi"), [...args, ...commonFlags], {
    cwd: stack.paths.program,
    env: stack.environment(),
  }).finished;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // another file system
  }
}
