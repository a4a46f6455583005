/** A project that vanished, cannot be read, or lives in another organization now. */
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { holdAdopted, holdPayments, idOfPayments } from "./payments";

afterEach(tearDownStacks);

// With GROUP_NOT_FOUND, the usual response: engine-cycle.test.ts.
it("a created project that was deleted outside Pulumi is created again by a plain up if Ops Manager returns NOT_IN_GROUP", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id, record } = await holdPayments(
    { tags: ["PROD"] },
    { sandbox: { unknownProject: "NOT_IN_GROUP" } },
  );
  sandbox.removeProject(id);
  await succeeded(stack.up());
  const created = projectNamed(sandbox, "payments");
  expect(created.id).not.toBe(id);
  expect(created.tags).toEqual(["PROD"]);
  expect(await record()).toMatchObject({ id: created.id, outputs: { origin: "created" } });
});

describe.each(bothProviders)("an adopted project (%s)", (provider) => {
  beforeEach(() => keepDefault("refreshBeforeUpdate", "a plain up reads the project"));

  it("that was deleted outside Pulumi is not created again: up fails with an error that names it, and nothing is written", async () => {
    const { sandbox, stack, id, record } = await holdAdopted({}, { provider });
    sandbox.removeProject(id);
    expect(await errorsOf(stack.up())).toContain(id);
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.refresh());
    expect(await record()).toBeUndefined();
  });

  it("that this key may no longer read does not count as deleted while its organization lists it: its last state is retained with one warning", async () => {
    const { sandbox, stack, id, orgId, record } = await holdAdopted({ tags: ["PROD"] }, { provider });
    const before = await record();
    // Sees the list of the organization's projects, and none of them from inside.
    sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId, roleName: "ORG_MEMBER" }] });
    sandbox.changeProject(id, { tags: ["URGENT"] });
    const up = await succeeded(stack.up());
    expect([up.changes, timesPrinted(up, "[unreadable]")]).toEqual([{ same: 1 }, 1]);
    expect(messagesOf(up, "warning")).toContain(
      `[unreadable] [project ${id}] Project ${id} cannot be read with these credentials, so the state keeps the last known values: Reading project ${id} failed: 401 NOT_IN_GROUP`,
    );
    expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
    expect(await record()).toMatchObject({ id, inputs: before?.inputs, outputs: { tags: ["PROD"] } });
  });
});

it("a project does not count as deleted if no list confirms it: the error names baseUrl, and the state keeps it", async () => {
  const { sandbox, stack, id, record } = await holdAdopted();
  sandbox.changeKey(sandbox.publicKey, { roles: [] });
  expect(await errorsOf(stack.refresh())).toMatch(
    new RegExp(`${id} stays in the state: it seems to be deleted.*Check baseUrl`, "s"),
  );
  expect(await record()).toMatchObject({ id });
});

it.each(bothProviders)(
  "a project keeps its state if baseUrl names another service: each command ends with an error that names it, and none creates it there (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview and a plain up read the project");
    const { sandbox, stack, id, record, declareCreated } = await holdPayments({}, { provider });
    const { publicKey, privateKey, baseUrl } = sandbox;
    const before = await record();
    const keys = [{ publicKey, privateKey, roles: [{ roleName: "GLOBAL_OWNER" }] }];
    const { sandbox: wrong } = await setUpStack({ sandbox: { seed: { keys } }, program: () => ({}) });
    await stack.setConfig({ baseUrl: wrong.baseUrl });
    const isNamed = new RegExp(`baseUrl.*${wrong.baseUrl}`, "s");
    for (const verb of ["refresh", "preview", "up", "destroy"] as const)
      expect(await errorsOf(stack[verb]())).toMatch(isNamed);
    await declareCreated({ tags: ["TEAM-A"] });
    expect(await errorsOf(stack.up())).toContain("baseUrl");
    // Where nothing refreshes first (dynamic provider), destroy itself finds out, by deleting an id that is not there.
    expect(writes(wrong).filter(({ path }) => path !== `/groups/${id}`)).toEqual([]);
    expect(await record()).toMatchObject({ id, inputs: before?.inputs });

    await stack.setConfig({ baseUrl });
    await declareCreated();
    await succeeded(stack.up({ expectNoChanges: true }));
    expect(writes(sandbox)).toEqual([]);
  },
);

// Known difference: the dynamic provider has no guards in previews.
it.each([
  { provider: "plugin", isGuarded: true },
  { provider: "dynamic", isGuarded: false },
] as const)(
  "a project that was moved to another organization outside Pulumi is an error that names both while the program names the old one, no change once it names the live one, and replaced if it names a third ($provider)",
  async ({ provider, isGuarded }) => {
    keepDefault("refreshBeforeUpdate", "a plain preview and a plain up read the project");
    const { sandbox, stack, id, orgId, record, declare } = await holdPayments({}, { provider });
    const [live, third] = ["Elsewhere", "Third"].map((name) => sandbox.addOrg({ name }).id);
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    sandbox.changeProject(id, { orgId: live ?? "" });
    const moved = await stack.copy({});

    expect(messagesOf(await stack.preview(), "error").includes(live ?? "")).toBe(isGuarded);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    for (const place of [orgId, live]) expect(messagesOf(up, "error")).toContain(place);
    expect(up.steps.filter(({ op, refreshed }) => op !== "update" && !refreshed)).toEqual([]);
    await declare({ orgId: live, name: "payments" });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await record()).toMatchObject({ id });

    await moved.setProgram({
      resources: { payments: { type: "Project", properties: { orgId: third, name: "payments" } } },
    });
    expect(operations(await succeeded(moved.preview()))).toEqual({ payments: "replace" });
    await succeeded(moved.up());
    expect(projectNamed(sandbox, "payments").orgId).toBe(third);
    expect(idOfPayments(sandbox)).not.toBe(id);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  },
);
