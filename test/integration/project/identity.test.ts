/** Identity decides replacement, not text; and one remote object may have two names. */
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectsProgram,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { holdAdopted, holdPayments } from "./payments";

afterEach(tearDownStacks);

const withoutRead = { "opsmanager:refreshBeforeUpdate": false };

it.each(bothProviders)(
  "a project's identity is its id: another way to name it changes nothing, and another one is adopted first, then a created one is deleted and an adopted one released (%s)",
  async (provider) => {
    const seed = { projects: [{ name: "orders" }, { name: "billing" }] };
    const { sandbox, stack, id, record, declare } = await holdPayments({}, { provider, sandbox: { seed } });
    for (const projectId of [id, id.toUpperCase()]) {
      await declare({ projectId, name: "payments" });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    }
    expect(writes(sandbox)).toEqual([]);
    expect(await record()).toMatchObject({ id, outputs: { origin: "created", onDestroy: "delete" } });

    const [orders, billing] = ["orders", "billing"].map((name) => projectNamed(sandbox, name).id);
    await declare({ projectId: orders, tags: ["OTHER"] });
    await succeeded(stack.up());
    await declare({ projectId: billing });
    expect(operations(await succeeded(stack.up()))).toEqual({ payments: "replace" });
    expect(writes(sandbox)).toEqual([
      { method: "PATCH", path: `/groups/${orders}`, body: { tags: ["OTHER"] } },
      { method: "DELETE", path: `/groups/${id}` },
    ]);
    expect(await record()).toMatchObject({ id: billing, outputs: { origin: "adopted" } });
  },
);

/** Projects by the names of their resources; each is deleted with its resource. */
async function holdProjects(provider: ProviderKind, idsOf: (ids: string[]) => Record<string, string>) {
  const declaring = (projects: Readonly<Record<string, string>>) =>
    projectsProgram(
      Object.fromEntries(
        Object.entries(projects).map(([name, projectId]) => [
          name,
          { properties: { projectId, onDestroy: "delete" } },
        ]),
      ),
    );
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } },
    program: ({ state }) => declaring(idsOf(state.projects.map(({ id }) => id))),
  });
  const first = await succeeded(stack.up());
  const ids = sandbox.state.projects.map(({ id }) => id);
  return {
    sandbox,
    stack,
    first,
    ids,
    declare: (projects: Readonly<Record<string, string>>) => stack.setProgram(declaring(projects)),
  };
}

describe.each(bothProviders)("a resource that was renamed in the program (%s)", (provider) => {
  it("keeps an adopted project without an alias: it is declared by the new name", async () => {
    const { sandbox, stack, ids, declare } = await holdProjects(provider, ([old = ""]) => ({ old }));
    const [projectId = ""] = ids;
    await declare({ renamed: projectId });
    const up = await succeeded(stack.up());
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    expect(messagesOf(up)).toMatch(/was kept because .*(renamed|Project)/);
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(projectId)).toBeDefined();
    expect((await stack.state()).resources.map(({ id }) => id)).toEqual([projectId]);
  });

  it("is refused for a created project without an alias: the error names aliases, and nothing is deleted", async () => {
    keepDefault("refreshBeforeUpdate", "a read before the program shows which resource holds the project");
    const { sandbox, stack, id, orgId, record } = await holdPayments({}, { provider });
    await stack.setProgram(projectsProgram({ renamed: { properties: { orgId, name: "payments" } } }));
    const errors = await errorsOf(stack.up());
    const urn = "urn:pulumi:test::platform::opsmanager:index:Project::payments";
    // The host of the dynamic provider passes no URN.
    const advice = {
      plugin: [`This stack holds it as ${urn}.`, `aliases: ["${urn}"], in a project file by key: payments.`],
      dynamic: ["aliases: [{ name: <old name> }]"],
    }[provider];
    for (const sentence of advice) expect(errors).toContain(sentence);
    expect(writes(sandbox)).toEqual([]);
    expect(await record()).toMatchObject({ id });
  });
});

describe.each(bothProviders)("projects that change hands within one program (%s)", (provider) => {
  it("stay both when two resources swap their projectIds", async () => {
    const { sandbox, stack, ids, declare } = await holdProjects(provider, ([first = "", second = ""]) => ({
      first,
      second,
    }));
    const [one = "", other = ""] = ids;
    await declare({ first: other, second: one });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.state.projects.map(({ id }) => id)).toEqual(ids);
    expect(await stack.resource("first")).toMatchObject({ id: other });
    expect(await stack.resource("second")).toMatchObject({ id: one });
  });

  it("stay when a resource that created one goes, and another one adopts it by its id", async () => {
    const { sandbox, stack, id } = await holdPayments({}, { provider });
    await stack.setProgram(projectsProgram({ keeper: { properties: { projectId: id } } }));
    expect(operations(await succeeded(stack.up()))).toEqual({ keeper: "create", payments: "delete" });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("keeper")).toMatchObject({ id, outputs: { origin: "adopted" } });
  });
});

// Known difference: without URNs the dynamic provider cannot distinguish the two.
it.each([
  { provider: "plugin", warnings: [expect.stringMatching(/^urn:\S+::(first|second)/)] },
  { provider: "dynamic", warnings: [] },
] as const)(
  "two resources that declare one projectId are warned of each other, and the project stays when one of them goes ($provider)",
  async ({ provider, warnings }) => {
    const both = ([id = ""]: string[]) => ({ first: id, second: id });
    const { sandbox, stack, first, ids, declare } = await holdProjects(provider, both);
    const [projectId = ""] = ids;
    expect(timesPrinted(first, "is also declared by")).toBe(warnings.length);
    expect(messagesOf(first, "warning").split("is also declared by ").slice(1)).toEqual(warnings);
    await declare({ first: projectId });
    expect(operations(await succeeded(stack.up()))).toEqual({ first: "same", second: "delete" });
    expect(writes(sandbox)).toEqual([]);
    await stack.setProgram(emptyProgram);
    await succeeded(stack.up());
    expect(sandbox.project(projectId)).toBeUndefined();
  },
);

describe("pulumi up --replace", () => {
  it.each([
    // A deletion that runs first deletes a created project (create.test.ts).
    { provider: "plugin", deleteBeforeReplace: false },
    // Where this provider creates first, it stops at the name instead (providers/replacement).
    { provider: "dynamic", deleteBeforeReplace: true },
  ] as const)(
    "deletes no created project and keeps it as created ($provider, deleteBeforeReplace: $deleteBeforeReplace)",
    async ({ provider, deleteBeforeReplace }) => {
      keepDefault("refreshBeforeUpdate", "without it, the replacement stops at the project's own name");
      const { sandbox, stack, id, urn, record } = await holdPayments(
        { tags: ["PROD"] },
        { provider, options: { deleteBeforeReplace } },
      );
      expect(operations(await succeeded(stack.up({ replace: await urn() })))).toEqual({
        payments: "replace",
      });
      expect(writes(sandbox)).toEqual([]);
      expect(await record()).toMatchObject({ id, outputs: { origin: "created", onDestroy: "delete" } });
    },
  );

  it.each([
    { provider: "plugin", deleteBeforeReplace: false, refreshBeforeUpdate: true },
    { provider: "plugin", deleteBeforeReplace: true, refreshBeforeUpdate: true },
    // Without the read before the program runs, the provider knows less; the project must stay all the same.
    { provider: "plugin", deleteBeforeReplace: true, refreshBeforeUpdate: false },
    { provider: "dynamic", deleteBeforeReplace: true, refreshBeforeUpdate: true },
  ] as const)(
    "deletes no adopted project and keeps it as adopted, even with onDestroy: delete ($provider, deleteBeforeReplace: $deleteBeforeReplace, refreshBeforeUpdate: $refreshBeforeUpdate)",
    async ({ provider, deleteBeforeReplace, refreshBeforeUpdate }) => {
      const { sandbox, stack, id, urn, record } = await holdAdopted(
        { onDestroy: "delete" },
        {
          provider,
          config: { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate },
          options: { deleteBeforeReplace },
        },
      );
      expect(operations(await succeeded(stack.up({ replace: await urn() })))).toEqual({
        payments: "replace",
      });
      expect(writes(sandbox)).toEqual([]);
      expect(sandbox.project(id)).toBeDefined();
      expect(await record()).toMatchObject({ id, outputs: { origin: "adopted" } });
    },
  );

  // The advice was an alias or another name, and neither helps.
  it("without refreshBeforeUpdate stops at the project's own name and names --refresh, with which it succeeds", async () => {
    const { sandbox, stack, id, urn, record } = await holdPayments({}, { config: withoutRead });
    const replace = await urn();
    expect(await errorsOf(stack.up({ replace }))).toContain(
      "If this run replaces the resource (--replace), add --refresh.",
    );
    await succeeded(stack.up({ replace, refresh: true }));
    expect(await record()).toMatchObject({ id, outputs: { origin: "created" } });
    expect(writes(sandbox)).toEqual([]);
  });
});
