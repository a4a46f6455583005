/** Reads of several projects of one organization: what they cost, and what they must never show. */
import fc from "fast-check";
import { type InjectedFault, type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";
import type { ProviderConnection, Recorded, Values } from "../../proof/engine-model";
import { connectPlugin } from "../../proof/plugin-connection";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** As the engine handles them: so many resources at a time. */
const PARALLEL = 16;

interface Organization {
  readonly sandbox: Sandbox;
  /** As the state of a stack records them. */
  readonly projects: Recorded[];
  /** The provider as a new operation of the engine reaches it, after the end of the last one. */
  connect(): Promise<ProviderConnection>;
}

/** An organization with this many projects, whose state is as they are now. */
async function organization(
  count: number,
  options: SandboxOptions & { readonly tags?: readonly string[]; readonly readCacheSeconds?: number } = {},
): Promise<Organization> {
  const { tags = ["EU"], readCacheSeconds = 30, ...switches } = options;
  const names = Array.from({ length: count }, (_, index) => `project-${index}`);
  const seed = { projects: names.map((name) => ({ name, tags: [...tags] })) };
  const sandbox = await startSandbox({ ...switches, seed });
  ends.push(() => sandbox.close());
  const { orgId, baseUrl, publicKey, privateKey } = sandbox;
  const projects = sandbox.state.projects.map(({ id, name }): Recorded => {
    const inputs = { orgId, name, tags: [...tags] };
    const outputs = { ...inputs, projectId: id, onDestroy: "delete", origin: "created", tagsVisible: true };
    const rest = { initErrors: [], refreshBeforeUpdate: true, dependencies: [] };
    return { name: id, type: "Project", id, inputs, outputs, ...rest };
  });
  let last: ProviderConnection | undefined;
  ends.push(async () => last?.close());
  const connect = async () => {
    await last?.close();
    const settings = { baseUrl, publicKey, privateKey, readCacheSeconds, maxRetries: 0 };
    last = await connectPlugin(settings, () => undefined);
    return last;
  };
  return { sandbox, projects, connect };
}

async function readAll(
  { connect }: Organization,
  projects: readonly Recorded[],
): Promise<(Values | undefined)[]> {
  const provider = await connect();
  const outputs: (Values | undefined)[] = [];
  await inParallel([...projects.entries()], async ([index, project]) => {
    outputs[index] = (await provider.read(project))?.outputs;
  });
  return outputs;
}

async function inParallel<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  const worker = async (): Promise<void> => {
    for (const one of waiting) await act(one);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** Requests with a signature by what they read, without those for no object, which only check baseUrl. */
function requests({ sandbox }: Organization): { readonly single: number; readonly pages: number } {
  const isOfObject = ({ path }: { readonly path: string }) => !path.includes("0".repeat(24));
  const signed = sandbox.requests.filter(({ authorized }) => authorized);
  const paths = signed.filter(isOfObject).map(({ path }) => path);
  const pages = paths.filter((path) => path.includes("/orgs/")).length;
  return { single: paths.length - pages, pages };
}

describe("a refresh", () => {
  test.each([
    {
      title: "of 1,000 projects reads four of them, and the list of their organization once",
      count: 1000,
      requested: { single: 4, pages: 2 },
    },
    {
      title: "of four projects reads each of them, and no list",
      count: 600,
      read: 4,
      requested: { single: 4, pages: 0 },
    },
    {
      title: "of ten projects in a large organization makes at most two requests for each",
      count: 2500,
      read: 10,
      requested: { single: 4, pages: 5 },
    },
    {
      title: "reads each project where the entries of the list have no tags",
      count: 60,
      options: { orgProjectFields: "without-tags-and-mappings" } as const,
      requested: { single: 60, pages: 1 },
    },
  ])("$title", async ({ count, read = count, options, requested }) => {
    const all = await organization(count, options);
    const projects = all.projects.slice(-read);
    expect(await readAll(all, projects)).toEqual(projects.map(({ outputs }) => outputs));
    expect(requests(all)).toEqual(requested);
  });

  test("reads those by themselves that are not as recorded, or that the list lacks because they were deleted", async () => {
    const all = await organization(20);
    all.sandbox.changeProject(all.projects[11]?.id ?? "", { tags: ["US"] });
    all.sandbox.removeProject(all.projects[12]?.id ?? "");
    const outputs = await readAll(all, all.projects);
    expect(outputs[11]).toMatchObject({ tags: ["US"] });
    expect(outputs[12]).toBeUndefined();
    // The second list proves that the organization is there and lacks the project.
    expect(requests(all)).toEqual({ single: 6, pages: 2 });
  });

  test.each<InjectedFault>([
    { status: 401, body: '{"error":401,"errorCode":"USER_UNAUTHORIZED"}' },
    { status: 500 },
    { status: 200, contentType: "text/html", body: "<html>Sign in</html>" },
    "reset-after-write",
  ])("reads each project where the list cannot be read: %j", async (fault) => {
    const all = await organization(20);
    all.sandbox.addFault({ method: "GET", pathPattern: "/orgs/", fault, times: 0 });
    expect(await readAll(all, all.projects)).toEqual(all.projects.map(({ outputs }) => outputs));
    expect(requests(all).single).toBe(20);
  });
});

/** Creates projects, so many at a time as the engine does. */
async function createAll(
  all: Organization,
  names: readonly string[],
  { preview, provider }: { readonly preview: boolean; readonly provider?: ProviderConnection },
): Promise<void> {
  const connection = provider ?? (await all.connect());
  await inParallel(names, async (name) => {
    const inputs = { orgId: all.sandbox.orgId, name, tags: ["EU"] };
    await connection.create({ name, type: "Project" }, inputs, preview);
  });
}

const newNames = (count: number) => Array.from({ length: count }, (_, index) => `new-${index}`);

/** Signed requests below organizations: searches for one name, and pages of the list. */
function nameChecks({ sandbox }: Organization): { readonly searches: number; readonly pages: number } {
  const lists = sandbox.requests.filter(({ authorized, path }) => authorized && path.includes("/orgs/"));
  const searches = lists.filter(({ query }) => query.includes("name=")).length;
  return { searches, pages: lists.length - searches };
}

test("a preview of 1,000 new projects searches for four names, and reads the organization's list once", async () => {
  const all = await organization(600);
  await createAll(all, newNames(1000), { preview: true });
  expect(nameChecks(all)).toEqual({ searches: 4, pages: 2 });
  expect(all.sandbox.state.projects).toHaveLength(600);
});

test("a preview finds a name that a project of the list has, and the error contains its id", async () => {
  const all = await organization(20);
  const { id } = all.sandbox.addProject({ name: "new-9", orgId: all.sandbox.orgId });
  const creations = createAll(all, newNames(10), { preview: true });
  await expect(creations).rejects.toThrow(`already has a project named "new-9": ${id}`);
});

describe("an up", () => {
  // If the creations shared the organization's list, this one would create a second project of the
  // name: an older service accepts a name twice (mongodb-kubernetes, project.go).
  test("finds a name that another program took after the first creations of the same run", async () => {
    const all = await organization(20, { allowDuplicateNames: true });
    const provider = await all.connect();
    await createAll(all, newNames(10), { preview: false, provider });
    const { id } = all.sandbox.addProject({ name: "payments", orgId: all.sandbox.orgId });
    const creation = createAll(all, ["payments"], { preview: false, provider });
    await expect(creation).rejects.toThrow(`already has a project named "payments": ${id}`);
    expect(all.sandbox.state.projects.filter(({ name }) => name === "payments")).toHaveLength(1);
  });

  test("of new projects makes three requests for each: search for the name, POST and PATCH", async () => {
    const all = await organization(0);
    await createAll(all, newNames(20), { preview: false });
    expect(requests(all)).toEqual({ single: 40, pages: 20 });
  });
});

/** One step: what happens at the same time. */
const happening = fc.record({
  reads: fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
  /** Changes by other programs. */
  changes: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  /** Updates by this process. */
  updates: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  isNewOperation: fc.nat(3).map((number) => number === 0),
});
type Happening = typeof happening extends fc.Arbitrary<infer Step> ? Step : never;

/** One operation after the other, with the tags that a read of each project may show. */
class Operations {
  #change = 0;
  readonly #allowed: string[][];

  constructor(
    private readonly all: Organization,
    private provider: ProviderConnection,
    private readonly readCacheSeconds: number,
  ) {
    this.#allowed = all.projects.map((_, index) => [this.#liveTags(index)]);
  }

  async play({ reads, changes, updates, isNewOperation }: Happening): Promise<void> {
    const { projects, sandbox } = this.all;
    if (isNewOperation) this.provider = await this.all.connect();
    if (isNewOperation || this.readCacheSeconds === 0) this.#allowOnlyLiveTags([...projects.keys()]);
    const recordedBefore = [...projects];
    const reading = reads.map(async (index) => {
      const live = await this.provider.read(this.#project(index));
      if (live !== undefined && !updates.includes(index))
        projects[index] = { ...this.#project(index), outputs: live.outputs };
      return { index, tags: String(live?.outputs.tags) };
    });
    for (const index of changes.filter((index) => !updates.includes(index)))
      sandbox.changeProject(this.#project(index).id, { tags: [this.#nextTag(index)] });
    const updating = updates.map((index) => this.#update(index));
    for (const { index, tags } of await Promise.all(reading)) expect(this.#allowed[index]).toContain(tags);
    await Promise.all(updating);
    this.#allowOnlyLiveTags(updates);
    for (const index of updates) {
      // The first one is another resource of the same project, which records what it was before.
      for (const recorded of [recordedBefore[index] as Recorded, this.#project(index)])
        expect(this.#allowed[index]).toContain(String((await this.provider.read(recorded))?.outputs.tags));
    }
  }

  async #update(index: number): Promise<void> {
    const recorded = this.#project(index);
    const news = { ...recorded.inputs, tags: [this.#nextTag(index)] };
    const { outputs } = await this.provider.update(recorded, news, false);
    this.all.projects[index] = { ...recorded, outputs };
  }

  #project(index: number): Recorded {
    return this.all.projects[index] as Recorded;
  }

  #liveTags(index: number): string {
    return String(this.all.sandbox.project(this.#project(index).id)?.tags);
  }

  #allowOnlyLiveTags(indexes: readonly number[]): void {
    for (const index of indexes) this.#allowed[index] = [this.#liveTags(index)];
  }

  #nextTag(index: number): string {
    this.#change += 1;
    this.#allowed[index]?.push(`T${this.#change}`);
    return `T${this.#change}`;
  }
}

test.each([0, 30])(
  "no read is older than the operation, this process's last write or readCacheSeconds: %i, whatever happens between",
  async (readCacheSeconds) => {
    const all = await organization(12, { readCacheSeconds });
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 6 }), async (steps) => {
        const operations = new Operations(all, await all.connect(), readCacheSeconds);
        for (const step of steps) await operations.play(step);
      }),
      { numRuns: 40 },
    );
  },
);
