/** Reads of several projects of one organization: what they cost, and what they must never show. */
import fc from "fast-check";
import { project } from "../../../provider/resources/project";
import type { Context } from "../../../provider/resources/resource";
import type { Properties } from "../../../provider/resources/values";
import type { InjectedFault, SandboxOptions } from "../../../sandbox";
import { type Run, runs } from "./with-project";

const start = runs();

interface Declared {
  readonly id: string;
  state: Properties;
  readonly inputs: Properties;
}

/** As the engine handles them: so many resources at a time. */
const PARALLEL = 16;

/** An organization with this many projects, whose state is as they are now. */
async function organization(
  count: number,
  {
    tags = ["EU"],
    options,
    settings,
  }: {
    readonly tags?: readonly string[];
    readonly options?: SandboxOptions;
    readonly settings?: Properties;
  } = {},
): Promise<{ readonly run: Run; readonly projects: Declared[] }> {
  const names = Array.from({ length: count }, (_, index) => `project-${index}`);
  const run = await start(
    { ...options, seed: { projects: names.map((name) => ({ name, tags: [...tags] })) } },
    settings,
  );
  const orgId = run.sandbox.orgId;
  const projects = run.sandbox.state.projects.map(({ id, name }) => ({
    id,
    inputs: { orgId, name, tags: [...tags] },
    state: {
      projectId: id,
      orgId,
      name,
      tags: [...tags],
      onDestroy: "delete",
      origin: "created",
      tagsVisible: true,
    },
  }));
  return { run, projects };
}

function contextOf({ context }: Run, id: string): Context {
  return { ...context, urn: `urn:pulumi:dev::proj::opsmanager:index:Project::${id}` };
}

async function read(run: Run, { id, state, inputs }: Declared): Promise<Properties | undefined> {
  return (await project.read({ id, state, oldInputs: inputs, context: contextOf(run, id) }))?.state;
}

async function readAll(run: Run, projects: readonly Declared[]): Promise<(Properties | undefined)[]> {
  const waiting = [...projects.entries()];
  const states: (Properties | undefined)[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) states[next[0]] = await read(run, next[1]);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return states;
}

/** Requests with a signature by what they read. */
function requests({ sandbox }: Run): { readonly single: number; readonly pages: number } {
  const paths = sandbox.requests.filter(({ authorized }) => authorized).map(({ path }) => path);
  const pages = paths.filter((path) => path.includes("/orgs/")).length;
  return { single: paths.length - pages, pages };
}

describe("a refresh", () => {
  test("of 1,000 projects reads four of them, and the list of their organization once", async () => {
    const { run, projects } = await organization(1000);
    expect(await readAll(run, projects)).toEqual(projects.map(({ state }) => state));
    expect(requests(run)).toEqual({ single: 4, pages: 2 });
  });

  test("of four projects reads each of them, and no list", async () => {
    const { run, projects } = await organization(600);
    await readAll(run, projects.slice(0, 4));
    expect(requests(run)).toEqual({ single: 4, pages: 0 });
  });

  test("of a few projects in a large organization makes at most two requests for each", async () => {
    const { run, projects } = await organization(5000);
    await readAll(run, projects.slice(-10));
    const { single, pages } = requests(run);
    expect(single + pages).toBeLessThanOrEqual(20);
  });

  test("reads a project that is not as recorded by itself", async () => {
    const { run, projects } = await organization(20);
    run.sandbox.changeProject(projects[11]?.id ?? "", { tags: ["US"] });
    const states = await readAll(run, projects);
    expect(states[11]).toMatchObject({ tags: ["US"] });
    expect(requests(run)).toEqual({ single: 5, pages: 1 });
  });

  test("reads a project by itself that the list lacks, and finds that it was deleted", async () => {
    const { run, projects } = await organization(20);
    run.sandbox.removeProject(projects[11]?.id ?? "");
    expect((await readAll(run, projects))[11]).toBeUndefined();
    // The second list proves that the organization is there and lacks the project.
    expect(requests(run)).toEqual({ single: 5, pages: 2 });
  });

  test("reads each project where the entries of the list have no tags", async () => {
    const { run, projects } = await organization(600, {
      options: { orgProjectFields: "without-tags-and-mappings" },
    });
    await readAll(run, projects);
    expect(requests(run)).toEqual({ single: 600, pages: 1 });
  });

  test("reads each project with tags declared as none, where the list shows tags of no project", async () => {
    const { run, projects } = await organization(20, { tags: [] });
    await readAll(run, projects);
    expect(requests(run)).toEqual({ single: 20, pages: 1 });
  });

  test.each<InjectedFault>([
    { status: 401, body: '{"error":401,"errorCode":"USER_UNAUTHORIZED"}' },
    { status: 403 },
    { status: 404 },
    { status: 500 },
    { status: 200, contentType: "text/html", body: "<html>Sign in</html>" },
    { status: 200, body: '{"results":"none"}' },
    "truncate",
    "reset-after-write",
  ])("reads each project where the list cannot be read: %j", async (fault) => {
    const { run, projects } = await organization(20);
    run.sandbox.addFault({ method: "GET", pathPattern: "/orgs/", fault, times: 0 });
    expect(await readAll(run, projects)).toEqual(projects.map(({ state }) => state));
    expect(requests(run).single).toBe(20);
  });

  test("reads the list again in the next operation", async () => {
    const { run, projects } = await organization(20);
    await readAll(run, projects);
    run.sandbox.changeProject(projects[7]?.id ?? "", { tags: ["US"] });
    run.context.session.forget();
    expect((await readAll(run, projects))[7]).toMatchObject({ tags: ["US"] });
  });
});

/** One step: what happens at the same time. */
const happening = fc.record({
  reads: fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
  /** Changes by other programs. */
  changes: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  /** Updates by this process. */
  updates: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  isNewOperation: fc.boolean(),
});

test.each([0, 30])(
  "no read is older than the operation, this process's last write or readCacheSeconds: %i, whatever happens between",
  async (readCacheSeconds) => {
    const { run, projects } = await organization(12, { settings: { readCacheSeconds } });
    let change = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 6 }), async (steps) => {
        run.context.session.forget();
        /** Tags that a read may show, by project: those since its oldest allowed moment. */
        const liveTags = ({ id }: Declared) => String(run.sandbox.project(id)?.tags);
        const allowed = projects.map((declared) => [liveTags(declared)]);
        for (const { reads, changes, updates, isNewOperation } of steps) {
          if (isNewOperation) run.context.session.forget();
          const recordedBefore = projects.map((declared) => ({ ...declared }));
          if (isNewOperation || readCacheSeconds === 0) {
            for (const [index, declared] of projects.entries()) allowed[index] = [liveTags(declared)];
          }
          const inStep = (index: number) => projects[index] as Declared;
          const update = async (index: number): Promise<void> => {
            const declared = inStep(index);
            const { id, inputs } = declared;
            change += 1;
            const tags = [`T${change}`];
            allowed[index]?.push(tags.join());
            declared.state = await project.update({
              id,
              state: declared.state,
              oldInputs: inputs,
              inputs: { ...inputs, tags },
              preview: false,
              ignoreChanges: [],
              context: contextOf(run, id),
            });
          };
          const seen = reads.map(async (index) => {
            const state = await read(run, inStep(index));
            if (state !== undefined && !updates.includes(index)) inStep(index).state = state;
            return { index, tags: String(state?.tags) };
          });
          for (const index of changes) {
            if (updates.includes(index)) continue;
            change += 1;
            run.sandbox.changeProject(inStep(index).id, { tags: [`T${change}`] });
            allowed[index]?.push(`T${change}`);
          }
          const updated = updates.map(update);
          for (const { index, tags } of await Promise.all(seen)) expect(allowed[index]).toContain(tags);
          await Promise.all(updated);
          for (const index of updates) {
            allowed[index] = [liveTags(inStep(index))];
            // The first one is another resource of the same project, which records what it was before.
            for (const declared of [recordedBefore[index] as Declared, inStep(index)])
              expect(allowed[index]).toContain(String((await read(run, declared))?.tags));
          }
        }
      }),
      { numRuns: 100 },
    );
  },
);
