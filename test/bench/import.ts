/**
 * From an organization to a clean second `up`: adopt, import, first and second `up`, beside the same with a provider that does
 * nothing. Each project has two people, so it is two resources.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { setUpAccessFolder } from "../engine/support/access-folder";
import { type StackSetup, tearDownStacks } from "../engine/support/stack-setup";
import { engine, repositoryRoot, succeeded } from "../support";
import { startEmptyProvider } from "./empty-provider";
import { doNothing, type Environment, operations, plugin, runMeasured } from "./pulumi";
import { type Figure, figure, grouped, type Row, timed } from "./row";

const command = join(repositoryRoot, "dist", "cli", "main.js");
const table = "from adopt to the second `up`";
const growthTarget = 1.3;

const up = { ...operations.up, what: "`pulumi up`", outcome: "unchanged" } as const;

/** Seconds of each step. */
type Times = Readonly<Record<"adopt" | "import" | "first up" | "second up", number>>;

export const importing: Row = {
  name: "import",
  async run({ quick, print }) {
    const counts = quick ? [2] : [100, 400, 1000];
    const [few = 0, many = 0] = [counts[0], counts.at(-1)];
    const measured: { count: number; ours: Times; nothing: Times }[] = [];
    for (const count of counts) {
      print(`adopt, import and up of ${grouped(count)} projects`);
      measured.push({ count, ...(await measure(count)) });
    }
    return [
      ...measured.flatMap(({ count, ours, nothing }) => [
        ...figuresOf(count, plugin, ours),
        ...figuresOf(count, doNothing, nothing),
      ]),
      figure(
        `adopt to second \`up\`: time per resource of ${grouped(many)} projects, compared with ${grouped(few)}`,
        "times",
        [perResource(measured.at(-1)?.ours, many) / perResource(measured[0]?.ours, few)],
        { target: growthTarget },
      ),
    ];
  },
};

async function measure(count: number): Promise<{ ours: Times; nothing: Times }> {
  const empty = await startEmptyProvider();
  try {
    const setup = await setUp(count);
    const adopt = await seconds(() => opsmanager(setup, ["adopt", "--name", "*"]));
    const ours = { adopt, ...(await importAndUp(setup, count)) };
    await withoutResources(setup);
    return { ours, nothing: { adopt, ...(await importAndUp(setup, count, empty.env)) } };
  } finally {
    await tearDownStacks();
    empty.close();
  }
}

function setUp(count: number): Promise<StackSetup> {
  const projects = Array.from({ length: count }, (_, index) => ({
    name: `payments-${index + 1}`,
    tags: ["PROD", "TEAM_PAYMENTS"],
    members: { "olga@example.com": ["GROUP_OWNER"], "ada@example.com": ["GROUP_READ_ONLY"] },
  }));
  return setUpAccessFolder({
    provider: "plugin",
    processes: "real",
    sandbox: { seed: { projects } },
    files: () => ({}),
  });
}

async function importAndUp(setup: StackSetup, count: number, env: Environment = {}) {
  // The projects, a list of people for each, and the folder.
  const resources = 2 * count + 1;
  return {
    import: await seconds(() => opsmanager(setup, ["import"], env)),
    "first up": (await runMeasured(setup, up, resources, env)).seconds,
    "second up": (await runMeasured(setup, up, resources, env)).seconds,
  };
}

interface Exported {
  readonly deployment: {
    readonly resources: readonly {
      readonly type: string;
      readonly id?: string;
      readonly inputs?: object;
      readonly outputs?: object;
    }[];
  };
}

interface List {
  readonly resources: readonly { readonly type: string; readonly id?: string }[];
}

/** An empty stack, and a list with all values, because a provider that does nothing reads none. */
async function withoutResources({ stack }: StackSetup): Promise<void> {
  const file = join(stack.paths.root, "state.json");
  await succeeded(stack.run("stack", "export", "--file", file));
  const state: Exported = JSON.parse(await readFile(file, "utf8"));
  const list = join(stack.paths.program, "import.json");
  const { resources }: List = JSON.parse(await readFile(list, "utf8"));
  const values = new Map(
    state.deployment.resources.map(({ type, id, inputs, outputs }) => [`${type} ${id}`, { inputs, outputs }]),
  );
  const complete = resources.map((entry) => ({
    ...entry,
    ...(entry.id !== undefined && values.get(`${entry.type} ${entry.id}`)),
  }));
  await writeFile(list, JSON.stringify({ resources: complete }));
  await writeFile(file, JSON.stringify({ ...state, deployment: { ...state.deployment, resources: [] } }));
  await succeeded(stack.run("stack", "import", "--file", file));
}

async function opsmanager({ stack }: StackSetup, args: readonly string[], env: Environment = {}) {
  const environment = { ...stack.environment(), ...env };
  const PATH = [engine().bin, environment.PATH].join(delimiter);
  await promisify(execFile)(process.execPath, [command, ...args], {
    cwd: stack.paths.program,
    env: { ...environment, PATH },
  });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  return (await timed(work)) / 1000;
}

function total(times: Times | undefined): number {
  return Object.values(times ?? {}).reduce((sum, value) => sum + value, 0);
}

function perResource(times: Times | undefined, count: number): number {
  return total(times) / (2 * count);
}

function figuresOf(count: number, name: string, times: Times): Figure[] {
  const line = `${grouped(count)} projects, ${name}`;
  const cell = (column: string) => ({ cell: { table, line, column } });
  return [
    ...Object.entries(times).map(([step, value]) => figure(`${line}: ${step}`, "s", [value], cell(step))),
    figure(`${line}: time per resource`, "ms", [perResource(times, count) * 1000], cell("per resource")),
  ];
}
