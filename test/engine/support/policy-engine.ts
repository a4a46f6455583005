/** `pulumi` that runs policy packs in TypeScript, with any engine that the tests have. */
import { chmodSync, copyFileSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { engine, type Stack } from "../../support";
import { type ProcessResult, startProcess } from "../../support/child-process";
import { residents } from "../../support/resident";

export interface PolicyEngine {
  run(stack: Stack, ...args: string[]): Promise<ProcessResult>;
  remove(): void;
}

/**
 * The engine has the Node.js language host start a policy pack. The host of an engine that was built here is too old for it. If no
 * such host exists, the engine starts `pulumi-analyzer-policy-nodejs` instead, so this engine has that and no such host.
 */
export function policyEngine(): PolicyEngine {
  const { bin, canRunPlugins } = engine();
  if (canRunPlugins) return { run: (stack, ...args) => runIn(bin, stack, args), remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-policy-engine-"));
  // The engine searches for language hosts beside its executable, and would follow a symbolic link.
  for (const name of ["pulumi", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"])
    linkOrCopy(join(bin, name), join(folder, name));
  const starter = join(folder, "pulumi-analyzer-policy-nodejs");
  writeFileSync(starter, '#!/bin/sh\nexec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$@"\n');
  chmodSync(starter, 0o755);
  return {
    run: (stack, ...args) => runIn(folder, stack, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runIn(bin: string, stack: Stack, args: readonly string[]): Promise<ProcessResult> {
  const env = stack.environment();
  const path = (env.PATH ?? "").split(delimiter).filter((part) => part !== engine().bin);
  return startProcess(join(bin, "pulumi"), [...args, "--non-interactive", "--color", "never"], {
    cwd: stack.paths.program,
    env: { ...env, ...(await programHost(stack)), PATH: [bin, ...path].join(delimiter) },
  }).finished;
}

/** The host of the program is attached, so that the engine does not search for one. */
async function programHost(stack: Stack): Promise<Readonly<Record<string, string>>> {
  if (stack.provider === "plugin" || engine().canRunPlugins) return {};
  const programs = await residents().programs();
  await programs.begin(stack.environment(), stack.paths.program);
  return { PULUMI_DEBUG_LANGUAGES: `nodejs:${programs.port}` };
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // another file system
  }
}
