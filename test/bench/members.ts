/** Refresh of many `ProjectMember` in a few projects, on a service that takes 20 ms to respond. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Seed } from "../../sandbox";
import { type StackSetup, tearDownStacks } from "../engine/support/stack-setup";
import { type ResourceState, succeeded } from "../support";
import { comparedFigures, latencyMs, withContestants } from "./contestants";
import { inTurns, operations, runMeasured, setUpMeasuredStack } from "./pulumi";
import { grouped, type Row } from "./row";

const targets = { ratio: 1.2, requests: 60 };
const { up, refresh } = operations;
const roles = ["GROUP_READ_ONLY"];

interface Membership {
  readonly projectId: string;
  readonly projectName: string;
  readonly userId: string;
  readonly username: string;
}

export const members: Row = {
  name: "members",
  async run({ quick, print }) {
    const [projects, people] = quick ? [2, 3] : [20, 100];
    const memberships = membershipsOf(projects, people);
    const count = memberships.length;
    const what = `${grouped(count)} ProjectMember in ${projects} projects`;
    print(`${what}: setting up`);
    try {
      const setup = await setUp(memberships);
      setup.sandbox.setSwitches({ latencyMs });
      print(`${refresh.what} of ${what} at ${latencyMs} ms`);
      const samples = await withContestants(setup.sandbox, (contestants) =>
        inTurns(quick ? 1 : 3, contestants, ({ env }) => runMeasured(setup, refresh, count, env)),
      );
      return comparedFigures(`${refresh.what} of ${what} at ${latencyMs} ms`, samples, targets);
    } finally {
      await tearDownStacks();
    }
  },
};

/** Each person is in each project. */
function membershipsOf(projects: number, people: number): Membership[] {
  const id = (kind: string, index: number) => `${kind}${String(index).padStart(23, "0")}`;
  return Array.from({ length: projects }, (_, project) =>
    Array.from({ length: people }, (_, person) => ({
      projectId: id("a", project),
      projectName: `payments-${project}`,
      userId: id("b", person),
      username: `person-${person}@example.com`,
    })),
  ).flat();
}

/**
 * A stack that holds all memberships. `up` takes the first one over; the others are copies of it in the state. An `up` of
 * all takes minutes, most of them for the state file.
 */
async function setUp(memberships: readonly Membership[]): Promise<StackSetup> {
  const [first, ...others] = memberships;
  if (first === undefined) throw new Error("There are no memberships.");
  const resource = {
    type: "ProjectMember",
    properties: { projectId: first.projectId, username: first.username, roles },
  };
  const program = () => ({ resources: { [nameOf(first)]: resource } });
  const setup = await setUpMeasuredStack("plugin", program, { seed: seedOf(memberships) });
  await runMeasured(setup, up, 1);
  const { stack } = setup;
  const { stdout } = await succeeded(stack.run("stack", "export"));
  const exported = JSON.parse(stdout) as { deployment: { resources: ResourceState[] } };
  const { resources } = exported.deployment;
  const original = resources.find(({ urn }) => urn.endsWith(`::${nameOf(first)}`));
  if (original === undefined) throw new Error("The first membership is not in the state.");
  resources.push(...others.map((membership) => copyOf(original, first, membership)));
  const file = join(stack.paths.root, "state.json");
  await writeFile(file, JSON.stringify(exported));
  await succeeded(stack.run("stack", "import", "--file", file));
  return setup;
}

function nameOf({ projectName, username }: Membership): string {
  return `${projectName}-${username}`;
}

function copyOf(original: ResourceState, first: Membership, membership: Membership): ResourceState {
  const replaced = (["projectId", "projectName", "userId", "username"] as const).reduce(
    (text, name) => text.replaceAll(first[name], membership[name]),
    JSON.stringify(original),
  );
  return JSON.parse(replaced) as ResourceState;
}

function seedOf(memberships: readonly Membership[]): Seed {
  const users = new Map(memberships.map(({ userId, username }) => [userId, { id: userId, username }]));
  const projects = new Map(memberships.map(({ projectId, projectName }) => [projectId, projectName]));
  return {
    users: [...users.values()],
    projects: [...projects].map(([id, name]) => ({
      id,
      name,
      members: Object.fromEntries(
        memberships.filter(({ projectId }) => projectId === id).map(({ username }) => [username, roles]),
      ),
    })),
  };
}
