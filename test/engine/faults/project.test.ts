/**
 * One fault per outcome with the real engine: what a run records, what drift names, and that the next `up` ends as declared.
 * Every fault with every operation: test/integration/faults.
 */
import { driftReport } from "../../../cli/drift/report/schema";
import type { FaultRule, Sandbox } from "../../../sandbox";
import { type FaultRow, faults } from "../../integration/faults/matrix";
import { keepDefault, type Program, type Run, type Stack, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { operations, projectNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** A row of the matrix, and the resource and project that meet its fault. */
interface Subject {
  readonly row: FaultRow;
  readonly name: string;
}

const rowNames = [
  "reset before the write",
  "reset after the write",
  "a stale nonce",
  "a proxy's page with 200",
  "400",
];
const subjects: readonly Subject[] = rowNames.map((rowName) => {
  const row = faults.find(({ name }) => name === rowName);
  if (row === undefined) throw new Error(`The matrix has no fault "${rowName}".`);
  return { row, name: rowName.replace(/\W+/g, "-").slice(0, 32) };
});

interface Operation {
  readonly title: string;
  /** The tags that the program declares of each project; `undefined`: it declares none. */
  readonly tags: ((name: string) => readonly string[]) | undefined;
  /** The request that meets the fault. */
  readonly meets: (
    name: string,
    sandbox: Sandbox,
  ) => Pick<FaultRule, "method" | "pathPattern" | "bodyPattern">;
  /** How the error begins. */
  readonly action: RegExp;
}

const byId = (method: string) => (name: string, sandbox: Sandbox) => ({
  method,
  pathPattern: `/groups/${projectNamed(sandbox, name).id}$`,
});

/** Of one project after the other: each begins where the one before has ended. */
const life: readonly Operation[] = [
  {
    title: "create",
    tags: () => [],
    meets: (name) => ({ method: "POST", bodyPattern: `"name":"${name}"` }),
    action: /Creating project "/,
  },
  { title: "delete", tags: undefined, meets: byId("DELETE"), action: /Deleting project / },
];
/** The project is created, and then does not get its tag. The tag tells the requests apart. */
const secondHalf: Operation = {
  title: "create, its second half",
  tags: (name) => [name],
  meets: (name) => ({ method: "PATCH", bodyPattern: `"tags":\\["${name}"\\]` }),
  action: /Project \w+( \(".*"\))? was created, but is not yet as declared: Updating tags of /,
};

/** Everything waits for one resource that gets no fault, so that which project comes first is no chance. */
function programOf({ orgId }: Sandbox, { tags }: Operation): Program {
  const declared = (name: string, own: readonly string[]) => ({
    type: "Project",
    // A project whose creation lost its response is recorded as adopted.
    properties: { orgId, name, tags: own, onDestroy: "delete" },
    options: { dependsOn: ["${first}"] },
  });
  return {
    resources: {
      first: { type: "Project", properties: { orgId, name: "first" } },
      ...(tags && Object.fromEntries(subjects.map(({ name }) => [name, declared(name, tags(name))]))),
    },
  };
}

const errorOf = ({ diagnostics }: Run, name: string): string =>
  diagnostics
    .filter(({ severity, urn }) => severity === "error" && urn?.endsWith(`::${name}`))
    .map(({ message }) => message)
    .join("\n");

/** The resources that `opsmanager drift` names, as drift or as not determined. */
async function namedByDrift(stack: Stack, ...options: readonly string[]): Promise<string[]> {
  const argv = ["drift", "--stack", stack.name, "--format", "json", ...options];
  const { findings, unreadable } = driftReport.parse(JSON.parse((await opsmanager(stack, argv)).stdout));
  // Each project has owners from before, whom no resource declares.
  const different = findings.filter(({ kind }) => kind !== "undeclared");
  const urns = [...different.map(({ urn }) => urn), ...unreadable.map(({ what }) => what)];
  return [...new Set(urns.map((urn) => urn.split("::").at(-1) ?? ""))].sort();
}

async function play(sandbox: Sandbox, stack: Stack, operation: Operation): Promise<void> {
  await stack.setProgram(programOf(sandbox, operation));
  for (const { row, name } of subjects) {
    sandbox.addFault({ ...operation.meets(name, sandbox), fault: row.fault });
  }
  const run = await stack.up({ continueOnError: true });
  expect(sandbox.faults).toEqual([]);
  const isPost = operation.title === "create";
  for (const { row, name } of subjects) {
    const { error } = isPost ? row.post : row.repeatable;
    const message = error === undefined ? "" : expect.stringMatching(new RegExp(error));
    expect([name, errorOf(run, name)]).toEqual([name, message]);
    if (error !== undefined) expect(errorOf(run, name)).toMatch(operation.action);
  }

  const { resources } = await stack.state();
  const unfinished = resources.filter(({ initErrors = [] }) => initErrors.length > 0);
  const named = await namedByDrift(stack);
  const ofState = await namedByDrift(stack, "--state-only");
  expect(ofState).toEqual(expect.arrayContaining(unfinished.map(({ urn }) => urn.split("::").at(-1))));
  sandbox.clearRequests();
  const next = Object.entries(operations(await succeeded(stack.up()))).filter(([, op]) => op !== "same");
  // What the failed run left undone was drift, and nothing else was.
  expect(named).toEqual(next.map(([name]) => name).sort());
  expect(writes(sandbox)).toHaveLength(next.length);
  const { tags } = operation;
  const declared = tags === undefined ? [] : subjects.map(({ name }) => [name, tags(name)]);
  const live = sandbox.state.projects.map((project) => [project.name, project.tags]);
  expect(live.sort()).toEqual([["first", []], ...declared].sort());
}

it.each([
  ["plugin", [...life, secondHalf]],
  ["dynamic", [secondHalf]],
] as const)("one fault per outcome with each operation on a project (%s)", async (provider, played) => {
  keepDefault("refreshBeforeUpdate", "drift is compared with what the next plain up changes");
  const { sandbox, stack } = await setUpStack({
    provider,
    // Otherwise the list of the organization would serve most reads, and their faults would not be met.
    sandbox: { orgProjectFields: "without-tags-and-mappings" },
    program: () => ({}),
    config: { "opsmanager:maxRetries": 1 },
  });
  for (const operation of played) await play(sandbox, stack, operation);
});
