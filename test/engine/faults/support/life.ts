/** A stack whose objects each meet a fault of their own, in one operation after the other. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FaultRow, faults } from "../../../integration/faults/matrix";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import type { Door } from "../../../support";
import { createEstate, type Estate } from "../../support/estate";
import { startPlugin } from "../../support/plugin-process";

/** What meets one fault: a resource of this name, about a project of the service. */
export interface Subject {
  readonly row: FaultRow;
  /** Name of the resource and of the project. */
  readonly name: string;
  /** Id of the project; empty where the program makes it. */
  readonly projectId: string;
}

export interface Life {
  readonly estate: Estate;
  readonly subjects: readonly Subject[];
  /** Id of a project that meets no fault. */
  readonly firstId: string;
}

const restart = "a restart";
/** Faults of a connection that others may use next, or of the whole service. */
const spreading = new Set(["an idle connection closed", restart]);

/** Each group has a stack of its own. */
export const groups: readonly { readonly name: string; readonly rows: readonly FaultRow[] }[] = [
  { name: "each fault of one request", rows: faults.filter(({ name }) => !spreading.has(name)) },
  ...faults.filter(({ name }) => spreading.has(name)).map((row) => ({ name: row.name, rows: [row] })),
];

export interface Beginning {
  readonly door: Door;
  readonly rows: readonly FaultRow[];
  readonly options?: SandboxOptions | undefined;
  /** Makes the project of a subject; left out: the program does. */
  readonly makes?: ((sandbox: Sandbox, name: string) => { readonly id: string }) | undefined;
}

export async function beginLife({ door, rows, options, makes }: Beginning): Promise<Life> {
  // How long a service is away is for the machine to say: an attempt may come too early, and is not counted by the service.
  const isAway = rows.some(({ name }) => name === restart);
  const estate = await createEstate({
    door,
    plugin: isAway ? "attached" : "started",
    ...(options && { sandbox: options }),
    program: () => ({}),
    // Two seconds, so that a busy machine never takes as long and a fault without an answer costs little.
    config: { "opsmanager:maxRetries": isAway ? 4 : 1, "opsmanager:requestTimeoutSeconds": 2 },
  });
  const { sandbox, stack } = estate;
  if (!isAway) stack.setEnv(await withoutJitter(door, estate));
  const subjects = rows.map((row) => {
    const name = row.name
      .toLowerCase()
      .replaceAll("'", "")
      .replaceAll(/[^a-z0-9]+/g, "-");
    return { row, name, projectId: makes?.(sandbox, name).id ?? "" };
  });
  return { estate, subjects, firstId: sandbox.addProject({ name: "first" }).id };
}

/**
 * Full jitter multiplies by a random number, and a wait after a 429, which may be 15 seconds, fits into the budget of a call now
 * and then. With zero each cell has one outcome.
 */
export async function withoutJitter(door: Door, { stack }: Estate): Promise<Record<string, string>> {
  const hook = join(stack.paths.root, "without-jitter.cjs");
  const ours = /pulumi-resource-opsmanager$|dynamic-provider/;
  await writeFile(hook, `if (${ours}.test(process.argv[1] ?? "")) Math.random = () => 0;\n`);
  const env = { NODE_OPTIONS: `--require=${hook}` };
  if (door === "dynamic") return env;
  return { PULUMI_DEBUG_PROVIDERS: `opsmanager:${(await startPlugin([], env)).port}` };
}
