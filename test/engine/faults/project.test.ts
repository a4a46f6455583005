/**
 * One fault per outcome with the real engine, before and after a project exists: what a run records, what drift names, and that the next
 * `up` ends as declared. Every fault with every operation: test/integration/faults.
 */
import type { FaultRule, Sandbox } from "../../../sandbox";
import { type FaultRow, faults } from "../../integration/faults/matrix";
import { keepDefault, type Program, type Run, type Stack, succeeded } from "../../support";
import { driftOf } from "../drift/support";
import { bothProviders, operations, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** A row of the matrix, the project whose creation meets its fault, and how the error begins. */
interface Subject {
  readonly row: FaultRow;
  readonly name: string;
  readonly tags: readonly string[];
  readonly meets: Pick<FaultRule, "method" | "bodyPattern">;
  readonly error: string | undefined;
  readonly action: RegExp;
}

const rowNames = [
  "reset before the write",
  "reset after the write",
  "a stale nonce",
  "a proxy's page with 200",
  "400",
];

/** The creation itself, and its second half: the project exists, and then does not get its tag. The tag tells the requests apart. */
const subjects: readonly Subject[] = rowNames.flatMap((rowName) => {
  const row = faults.find(({ name }) => name === rowName);
  if (row === undefined) throw new Error(`The matrix has no fault "${rowName}".`);
  const name = rowName.replace(/\W+/g, "-");
  const tagged = `tagged-${name}`.slice(0, 32);
  const creation: Subject = {
    ...{ row, name, tags: [], error: row.post.error, action: /Creating project "/ },
    meets: { method: "POST", bodyPattern: `"name":"${name}"` },
  };
  const secondHalf: Subject = {
    ...{ row, name: tagged, tags: [tagged], error: row.repeatable.error },
    meets: { method: "PATCH", bodyPattern: `"tags":\\["${tagged}"\\]` },
    action: /Project \w+( \(".*"\))? was created, but is not yet as declared: Updating tags of /,
  };
  // A run explains such a page once.
  return rowName === "a proxy's page with 200" ? [secondHalf] : [creation, secondHalf];
});

/** Everything waits for one resource that gets no fault, so that which project comes first is no chance. */
function program({ orgId }: Sandbox): Program {
  const project = (name: string, more: object = {}) => ({
    type: "Project",
    properties: { orgId, name, ...more },
  });
  const declared = subjects.map(({ name, tags }) => {
    return [name, { ...project(name, { tags }), options: { dependsOn: ["${first}"] } }];
  });
  return { resources: { first: project("first"), ...Object.fromEntries(declared) } };
}

const errorOf = ({ diagnostics }: Run, name: string): string =>
  diagnostics
    .filter(({ severity, urn }) => severity === "error" && urn?.endsWith(`::${name}`))
    .map(({ message }) => message)
    .join("\n");

/** The resources that `opsmanager drift` names, as drift or as not determined. */
async function namedByDrift(stack: Stack, ...options: readonly string[]): Promise<string[]> {
  const { findings, unreadable } = (await driftOf(stack, ...options)).report;
  const urns = [...findings.map(({ urn }) => urn), ...unreadable.map(({ what }) => what)];
  return [...new Set(urns.map((urn) => urn.split("::").at(-1) ?? ""))].sort();
}

it.each(bothProviders)(
  "what a fault leaves undone is drift, and the next up does it (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "drift is compared with what the next plain up changes");
    const { sandbox, stack } = await setUpStack({
      provider,
      // Otherwise the list of the organization would serve most reads, and their faults would not be met.
      sandbox: { orgProjectFields: "without-tags-and-mappings" },
      program,
      config: { "opsmanager:maxRetries": 1 },
    });
    for (const { row, meets } of subjects) sandbox.addFault({ ...meets, fault: row.fault });
    const run = await stack.up({ continueOnError: true });
    expect(sandbox.faults).toEqual([]);
    for (const { name, error, action } of subjects) {
      const message = error === undefined ? "" : expect.stringMatching(new RegExp(error));
      expect([name, errorOf(run, name)]).toEqual([name, message]);
      if (error !== undefined) expect(errorOf(run, name)).toMatch(action);
    }

    const { resources } = await stack.state();
    const unfinished = resources.filter(({ initErrors = [] }) => initErrors.length > 0);
    expect(unfinished.length).toBeGreaterThan(0);
    const named = await namedByDrift(stack);
    const ofState = await namedByDrift(stack, "--state-only");
    expect(ofState).toEqual(expect.arrayContaining(unfinished.map(({ urn }) => urn.split("::").at(-1))));
    sandbox.clearRequests();
    const next = Object.entries(operations(await succeeded(stack.up()))).filter(([, op]) => op !== "same");
    // What the failed run left undone was drift, and nothing else was.
    expect(named).toEqual(next.map(([name]) => name).sort());
    expect(writes(sandbox)).toHaveLength(next.length);
    const live = sandbox.state.projects.map(({ name, tags }) => [name, tags]);
    const declared = subjects.map(({ name, tags }) => [name, tags]);
    expect(live.sort()).toEqual([["first", []], ...declared].sort());
  },
);
