/** A stack whose objects each get a fault of their own, in one operation after the other. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../../sandbox";
import { type FaultRow, faults } from "../../../integration/faults/matrix";
import { keepDefault, type ProviderKind, type Stack } from "../../../support";
import { residents } from "../../../support/resident";
import { startPlugin } from "../../support/plugin-process";
import { type StackSetup, setUpStack } from "../../support/stack-setup";

/** An object with one fault: a resource of this name, about a project of the service. */
export interface Subject {
  readonly row: FaultRow;
  /** Name of the resource and of the project. */
  readonly name: string;
  /** Id of the project; empty where the program makes it. */
  readonly projectId: string;
}

export interface Life {
  readonly setup: StackSetup;
  readonly subjects: readonly Subject[];
  /** Id of a project that gets no fault. */
  readonly firstId: string;
}

/** One fault for each kind of outcome: `integration/faults` has all of them, with the same shared code. */
const rows: readonly FaultRow[] = [
  "reset before the write",
  "reset after the write",
  "a stale nonce",
  "a proxy's page with 200",
  "400",
].map(rowNamed);

function rowNamed(name: string): FaultRow {
  const row = faults.find((other) => other.name === name);
  if (row === undefined) throw new Error(`The matrix has no fault "${name}".`);
  return row;
}

export interface Beginning {
  readonly provider: ProviderKind;
  /** Makes the project of a subject; left out: the program does. */
  readonly makes?: ((sandbox: Sandbox, name: string) => { readonly id: string }) | undefined;
}

export async function beginLife({ provider, makes }: Beginning): Promise<Life> {
  keepDefault("refreshBeforeUpdate", "drift is compared with what the next plain up changes");
  const setup = await setUpStack({
    provider,
    plugin: "started",
    // Otherwise the list of the organization would serve most reads, and their faults would not be met.
    sandbox: { orgProjectFields: "without-tags-and-mappings" },
    program: () => ({}),
    config: { "opsmanager:maxRetries": 1 },
  });
  const { sandbox, stack } = setup;
  stack.setEnv(await environmentOf(provider, stack));
  const subjects = rows.map((row) => {
    const name = row.name
      .toLowerCase()
      .replaceAll("'", "")
      .replaceAll(/[^a-z0-9]+/g, "-");
    return { row, name, projectId: makes?.(sandbox, name).id ?? "" };
  });
  return { setup, subjects, firstId: sandbox.addProject({ name: "first" }).id };
}

/**
 * The processes that send requests, without jitter where retries are counted. Jitter multiplies a
 * wait by a random number. A wait after a 429 may be 15 seconds, and would fit into the budget of
 * some calls only. With zero each cell has one outcome.
 */
async function environmentOf(provider: ProviderKind, { paths }: Stack): Promise<Record<string, string>> {
  // The hosts of the resident processes read it for each program and provider.
  if (provider === "dynamic" && residents().commandLine !== undefined)
    return { OPSMANAGER_TEST_WITHOUT_JITTER: "true" };
  const hook = join(paths.root, "without-jitter.cjs");
  const senders = /pulumi-resource-opsmanager$|cmd.(run|dynamic-provider)/;
  await writeFile(hook, `if (${senders}.test(process.argv[1] ?? "")) Math.random = () => 0;\n`);
  const env = { NODE_OPTIONS: `--require=${hook}` };
  return provider === "dynamic" ? env : await attachedTo(env);
}

/** A plugin process with this environment, and no other. */
async function attachedTo(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  return { PULUMI_DEBUG_PROVIDERS: `opsmanager:${(await startPlugin([], env)).port}` };
}
