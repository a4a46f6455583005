/** Design, "Identity decides replacement, not text" and "One remote object, two names". */
import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  projectsProgram,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { type Stack, setUpStack, tearDownStacks } from "../../support/model-stack";

const { createPayments, declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments", tags: ["PROD"] }] };

describe.each(bothProviders)("the identity of a project (%s)", (provider) => {
  it("is its id: writing projectId into the program of a created project changes nothing", async () => {
    const { sandbox, stack, id: projectId } = await createPayments({}, { provider });

    sandbox.clearRequests();
    await stack.setProgram(projectProgram({ projectId, name: "payments" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await stack.setProgram(projectProgram({ projectId: projectId.toUpperCase(), name: "payments" }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({
      id: projectId,
      outputs: { origin: "created", onDestroy: "delete" },
    });
  });

  it("decides a replacement: another projectId adopts the other one first, then deletes a created one", async () => {
    const { sandbox, stack } = await createPayments(
      {},
      { provider, sandbox: { seed: { projects: [{ name: "orders" }] } } },
    );
    const created = projectNamed(sandbox, "payments").id;
    const other = projectNamed(sandbox, "orders").id;

    sandbox.clearRequests();
    await stack.setProgram(projectProgram({ projectId: other, tags: ["OTHER"] }));
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([
      ["PATCH", `/groups/${other}`],
      ["DELETE", `/groups/${created}`],
    ]);
    expect(await stack.resource("payments")).toMatchObject({ id: other, outputs: { origin: "adopted" } });
  });
});

describe("the identity of a project", () => {
  it("decides a replacement: another projectId adopts the other one first, then releases an adopted one", async () => {
    const { sandbox, stack } = await declareExisting(
      {},
      { sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } } },
    );
    const other = projectNamed(sandbox, "orders").id;
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId: other, tags: ["OTHER"] }));
    const up = await succeeded(stack.up());
    expect(up.steps.map(({ op }) => op)).toEqual(
      expect.arrayContaining(["create-replacement", "replace", "delete-replaced"]),
    );
    expect(writes(sandbox)).toEqual([
      { method: "PATCH", path: `/groups/${other}`, body: { tags: ["OTHER"] } },
    ]);
    expect(await stack.resource("payments")).toMatchObject({ id: other, outputs: { origin: "adopted" } });
    expect(sandbox.state.projects).toHaveLength(2);
  });

  it("does not change with the name: the project is renamed in Ops Manager, not replaced", async () => {
    const { sandbox, stack, id } = await createPayments();

    sandbox.clearRequests();
    const declared = { orgId: sandbox.orgId, name: "invoices" };
    await stack.setProgram(projectProgram(declared));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    expect(messagesOf(up)).toBe("");
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { name: "invoices" } }]);
    expect((await stack.resource("payments"))?.outputs).toEqual({
      ...declared,
      projectId: id,
      tags: [],
      origin: "created",
      onDestroy: "delete",
      tagsVisible: true,
    });
    expect(sandbox.project(id)?.name).toBe("invoices");
  });
});

describe.each(bothProviders)("a resource that was renamed in the program (%s)", (provider) => {
  it("keeps an adopted project without an alias: it is declared by the new name", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) => {
        const { id: projectId } = projectNamed(sandbox, "payments");
        return projectsProgram({ old: { properties: { projectId, onDestroy: "delete" } } });
      },
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    await succeeded(stack.up());

    await stack.setProgram(projectsProgram({ renamed: { properties: { projectId, onDestroy: "delete" } } }));
    const up = await succeeded(stack.up());
    expect(operations(up)).toEqual({ renamed: "create", old: "delete" });
    expect(messagesOf(up)).toMatch(/was kept because .*(renamed|Project)/);
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(projectId)?.name).toBe("payments");
    expect(await stack.resource("renamed")).toMatchObject({ id: projectId });
    expect(await stack.resource("old")).toBeUndefined();
  });

  it("is refused for a created project without an alias: the error names aliases, and nothing is deleted", async () => {
    keepDefault(
      "refreshBeforeUpdate",
      "a read before the program runs shows which resource holds the project",
    );
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectsProgram({ old: { properties: { orgId, name: "payments" } } }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");

    sandbox.clearRequests();
    await stack.setProgram(
      projectsProgram({ renamed: { properties: { orgId: sandbox.orgId, name: "payments" } } }),
    );
    const errors = await errorsOf(stack.up());
    const urn = "urn:pulumi:test::platform::opsmanager:index:Project::old";
    // The host of the dynamic provider passes no URN.
    const advice = {
      plugin: [`This stack holds it as ${urn}.`, `aliases: ["${urn}"], in a project file by key: old.`],
      dynamic: ["aliases: [{ name: <old name> }]"],
    }[provider];
    for (const sentence of advice) expect(errors).toContain(sentence);
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)?.name).toBe("payments");
    expect(await stack.resource("old")).toMatchObject({ id });
  });
});

it("a renamed project is replaced by a second one without a read, and remains the same with --refresh", async () => {
  const { sandbox, stack, id } = await createPayments(
    {},
    { provider: "plugin", config: { "opsmanager:refreshBeforeUpdate": false } },
  );
  const urn = (await stack.resource("payments"))?.urn;
  sandbox.changeProject(id, { name: "billing" });

  await succeeded(stack.up({ replace: urn, refresh: true }));
  expect(projectNamed(sandbox, "payments").id).toBe(id);
  sandbox.changeProject(id, { name: "billing" });
  await succeeded(stack.up({ replace: urn }));
  expect(projectNamed(sandbox, "payments").id).not.toBe(id);
  expect(sandbox.project(id)?.name).toBe("billing");
});

describe("pulumi up --replace", () => {
  async function replacePayments(stack: Stack): Promise<void> {
    const urn = (await stack.resource("payments"))?.urn;
    const up = await succeeded(stack.up({ replace: urn }));
    expect(up.steps.map(({ op }) => op)).toContain("replace");
  }

  it.each([
    // A deletion that runs first deletes a created project (people/deleted-first).
    ["plugin", false],
    // Where this provider creates first, it stops at the name instead (providers/replacement).
    ["dynamic", true],
  ] as const)(
    "deletes no created project and keeps it as created (%s, deleteBeforeReplace: %s)",
    async (provider, deleteBeforeReplace) => {
      keepDefault("refreshBeforeUpdate", "without it, the replacement stops at the project's own name");
      const { sandbox, stack } = await createPayments(
        { tags: ["PROD"] },
        { provider, options: { deleteBeforeReplace } },
      );
      sandbox.clearRequests();
      const { id } = projectNamed(sandbox, "payments");

      await replacePayments(stack);
      expect(writes(sandbox)).toEqual([]);
      expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });
      expect(await stack.resource("payments")).toMatchObject({
        id,
        outputs: { origin: "created", onDestroy: "delete" },
      });
    },
  );

  it.each([
    ["plugin", false, true],
    ["plugin", true, true],
    // Without the read before the program runs, the provider knows less; the project must stay all the same.
    ["plugin", true, false],
    ["dynamic", false, true],
    ["dynamic", true, true],
  ] as const)(
    "deletes no adopted project and keeps it as adopted, even with onDestroy: delete (%s, deleteBeforeReplace: %s, refreshBeforeUpdate: %s)",
    async (provider, deleteBeforeReplace, refreshBeforeUpdate) => {
      const { sandbox, stack, id } = await declareExisting(
        { onDestroy: "delete" },
        {
          provider,
          config: { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate },
          sandbox: { seed },
          options: { deleteBeforeReplace },
        },
      );
      await succeeded(stack.up());

      await replacePayments(stack);
      expect(writes(sandbox)).toEqual([]);
      expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
      expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "adopted" } });
    },
  );
});

// The advice was an alias or another name, and neither helps.
it("pulumi up --replace without refreshBeforeUpdate stops at the project's own name and names --refresh, with which it succeeds (plugin)", async () => {
  const { sandbox, stack, id } = await createPayments(
    {},
    { config: { "opsmanager:refreshBeforeUpdate": false } },
  );
  const replace = (await stack.resource("payments"))?.urn;
  sandbox.clearRequests();

  expect(await errorsOf(stack.up({ replace }))).toContain(
    "If this run replaces the resource (--replace), add --refresh.",
  );

  await succeeded(stack.up({ replace, refresh: true }));
  expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "created" } });
  expect(writes(sandbox)).toEqual([]);
});

describe.each(bothProviders)("projects that change hands within one program (%s)", (provider) => {
  it("stay both when two resources swap their projectIds", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }, { name: "orders" }] } },
      program: () => ({}),
    });
    const [one, other] = [projectNamed(sandbox, "payments").id, projectNamed(sandbox, "orders").id];
    const declaring = (projectId: string) => ({ properties: { projectId, onDestroy: "delete" } });
    await stack.setProgram(projectsProgram({ first: declaring(one), second: declaring(other) }));
    await succeeded(stack.up());

    await stack.setProgram(projectsProgram({ first: declaring(other), second: declaring(one) }));
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.state.projects.map(({ id }) => id).sort()).toEqual([one, other].sort());
    expect(await stack.resource("first")).toMatchObject({ id: other });
    expect(await stack.resource("second")).toMatchObject({ id: one });
  });

  it("stay when a resource that created one goes, and another one adopts it by its id", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectsProgram({ maker: { properties: { orgId, name: "payments" } } }),
    });
    await succeeded(stack.up());
    const { id: projectId } = projectNamed(sandbox, "payments");

    sandbox.clearRequests();
    await stack.setProgram(projectsProgram({ keeper: { properties: { projectId } } }));
    expect(operations(await succeeded(stack.up()))).toEqual({ keeper: "create", maker: "delete" });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("keeper")).toMatchObject({ id: projectId, outputs: { origin: "adopted" } });
  });
});

// Known difference: without URNs the dynamic provider cannot distinguish the two.
describe.each([
  { provider: "plugin", warnings: [expect.stringMatching(/^urn:\S+::(first|second)/)] },
  { provider: "dynamic", warnings: [] },
] as const)("two resources that declare one projectId ($provider)", ({ provider, warnings }) => {
  it("are warned of each other, and the project stays when one of them goes", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (sandbox) => {
        const { id: projectId } = projectNamed(sandbox, "payments");
        return projectsProgram({
          first: { properties: { projectId, onDestroy: "delete" } },
          second: { properties: { projectId, onDestroy: "delete" } },
        });
      },
    });
    const { id: projectId } = projectNamed(sandbox, "payments");

    const up = await succeeded(stack.up());
    expect(timesPrinted(up, "is also declared by")).toBe(warnings.length);
    expect(messagesOf(up, "warning").split("is also declared by ").slice(1)).toEqual(warnings);

    await stack.setProgram(projectsProgram({ first: { properties: { projectId, onDestroy: "delete" } } }));
    expect(operations(await succeeded(stack.up()))).toEqual({ first: "same", second: "delete" });
    expect(sandbox.project(projectId)?.name).toBe("payments");
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(emptyProgram);
    await succeeded(stack.up());
    expect(sandbox.project(projectId)).toBeUndefined();
  });
});
