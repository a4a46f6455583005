/**
 * From an organization to a clean second `up`: adopt, import, first and second `up`, beside the same with a provider that does
 * nothing. Each project has two people, so it is two resources; the last organization also has teams and API keys with roles
 * in its projects, a resource each.
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
import { type Figure, figure, grouped, type Row, ratios, timed } from "./row";

const command = join(repositoryRoot, "dist", "cli", "main.js");
const table = "from adopt to the second `up`";
const growthTarget = 1.3;
const firstUpTarget = 1.2;

interface Size {
  readonly projects: number;
  readonly teamRoles?: number;
  readonly keyRoles?: number;
}

const up = { ...operations.up, what: "`pulumi up`", outcome: "unchanged" } as const;

/** Seconds of each step. */
type Times = Readonly<Record<"adopt" | "import" | "first up" | "second up", number>>;

export const importing: Row = {
  name: "import",
  async run({ quick, print }) {
    const sizes: readonly Size[] = quick
      ? [{ projects: 2, teamRoles: 3, keyRoles: 2 }]
      : [{ projects: 100 }, { projects: 1000 }, { projects: 157, teamRoles: 313, keyRoles: 150 }];
    const measured: { size: Size; ours: Times; nothing: Times }[] = [];
    for (const size of sizes) {
      print(`adopt, import and up of ${textOf(size)}`);
      measured.push({ size, ...(await measure(size)) });
    }
    const [few, last] = [measured[0], measured.at(-1)];
    if (few === undefined || last === undefined) return [];
    const many = measured.at(-2) ?? few;
    const firstUp = ({ "first up": value }: Times) => [value];
    return [
      ...measured.flatMap(({ size, ours, nothing }) => [
        ...figuresOf(size, plugin, ours),
        ...figuresOf(size, doNothing, nothing),
      ]),
      figure(
        `adopt to second \`up\`: time per resource of ${textOf(many.size)}, compared with ${grouped(few.size.projects)}`,
        "times",
        [perResource(many.ours, many.size) / perResource(few.ours, few.size)],
        { target: growthTarget },
      ),
      figure(
        `first \`up\` of ${textOf(last.size)}: provider plugin, compared with the ${doNothing}`,
        "times",
        ratios(firstUp(last.ours), firstUp(last.nothing)),
        { target: firstUpTarget },
      ),
    ];
  },
};

async function measure(size: Size): Promise<{ ours: Times; nothing: Times }> {
  const empty = await startEmptyProvider();
  try {
    const setup = await setUp(size);
    const adopt = await seconds(() => opsmanager(setup, ["adopt", "--name", "*"]));
    const ours = { adopt, ...(await importAndUp(setup, size)) };
    await withoutResources(setup);
    return { ours, nothing: { adopt, ...(await importAndUp(setup, size, empty.env)) } };
  } finally {
    await tearDownStacks();
    empty.close();
  }
}

/** Two team roles in each project, until there are as many as wanted. */
async function setUp({ projects: count, teamRoles = 0, keyRoles = 0 }: Size): Promise<StackSetup> {
  const idOf = (kind: string, index: number) => `5f${kind}${index.toString(16).padStart(21, "0")}`;
  const numbers = (length: number) => Array.from({ length }, (_, index) => index);
  const roleNames = ["GROUP_READ_ONLY"];
  const projects = numbers(count).map((index) => ({
    id: idOf("a", index),
    name: `payments-${index + 1}`,
    tags: ["PROD", "TEAM_PAYMENTS"],
    members: { "olga@example.com": ["GROUP_OWNER"], "ada@example.com": roleNames },
    teams: [0, 1]
      .filter((which) => which * count + index < teamRoles)
      .map((which) => ({ teamId: idOf("b", 2 * (index % 20) + which), roleNames })),
  }));
  const teams = numbers(teamRoles > 0 ? 40 : 0).map((index) => {
    return { id: idOf("b", index), name: `team-${index + 1}`, usernames: ["ada@example.com"] };
  });
  const setup = await setUpAccessFolder({
    provider: "plugin",
    processes: "real",
    sandbox: { seed: { projects, teams } },
    files: () => ({}),
  });
  const { sandbox } = setup;
  const keys = 10;
  for (const key of numbers(keyRoles > 0 ? keys : 0)) {
    const granted = numbers(keyRoles).filter((index) => index % keys === key);
    sandbox.addKey({
      roles: [
        { orgId: sandbox.orgId, roleName: "ORG_READ_ONLY" },
        ...granted.map((index) => ({ groupId: idOf("a", index % count), roleName: "GROUP_READ_ONLY" })),
      ],
    });
  }
  return setup;
}

async function importAndUp(setup: StackSetup, size: Size, env: Environment = {}) {
  // With the folder.
  const count = resourcesOf(size) + 1;
  return {
    import: await seconds(() => opsmanager(setup, ["import"], env)),
    "first up": (await runMeasured(setup, up, count, env)).seconds,
    "second up": (await runMeasured(setup, up, count, env)).seconds,
  };
}

/** The projects, a list of people for each, and the roles. */
function resourcesOf({ projects, teamRoles = 0, keyRoles = 0 }: Size): number {
  return 2 * projects + teamRoles + keyRoles;
}

function textOf({ projects, teamRoles, keyRoles }: Size): string {
  const roles =
    teamRoles === undefined ? "" : ` with ${teamRoles} roles of teams and ${keyRoles} of API keys`;
  return `${grouped(projects)} projects${roles}`;
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

function perResource(times: Times, size: Size): number {
  return Object.values(times).reduce((sum, value) => sum + value, 0) / resourcesOf(size);
}

function figuresOf(size: Size, name: string, times: Times): Figure[] {
  const line = `${textOf(size)}, ${name}`;
  const cell = (column: string) => ({ cell: { table, line, column } });
  return [
    ...Object.entries(times).map(([step, value]) => figure(`${line}: ${step}`, "s", [value], cell(step))),
    figure(`${line}: time per resource`, "ms", [perResource(times, size) * 1000], cell("per resource")),
  ];
}
