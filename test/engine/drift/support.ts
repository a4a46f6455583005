/** What the tests of `opsmanager drift` share: its report, and what it must leave as it is. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport, type Finding } from "../../../cli/drift/report/schema";
import type { Stack } from "../../support";
import { opsmanager } from "../support/opsmanager";
import type { StackSetup } from "../support/stack-setup";

export const [owner, reader] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];

/** The report as JSON. */
export async function driftOf(stack: Stack, ...argv: string[]) {
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json", ...argv]);
  if (stdout === "") throw new Error(stderr);
  return { exitCode, stderr, report: driftReport.parse(JSON.parse(stdout)) };
}

/** A finding in one line, such as `outside | payments | changed | name | payments | by-hand`. */
export function rowOf({ cause, name, kind, property, declared, live }: Finding): string {
  return [cause, name, kind, property, declared, live].join(" | ");
}

/** What the service has and what the state holds, which are the same before and after. */
export async function heldBy({ sandbox, stack }: StackSetup): Promise<unknown> {
  return [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = async (file: string) => [file, await readFile(file, "base64")] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}
