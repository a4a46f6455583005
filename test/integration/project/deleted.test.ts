/** Design, "Read must not stop the world" and Identity: a project that vanished, or that lives elsewhere now. */

import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { createPayments, declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const payments = ({ orgId }: { orgId: string }) =>
  projectProgram({ orgId, name: "payments", tags: ["PROD"] });

// With GROUP_NOT_FOUND, the usual response: engine-cycle.test.ts.
it("a created project that was deleted outside Pulumi is created again by a plain up if Ops Manager returns NOT_IN_GROUP", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id } = await createPayments(
    { tags: ["PROD"] },
    { sandbox: { unknownProject: "NOT_IN_GROUP" } },
  );
  sandbox.removeProject(id);

  await succeeded(stack.up());
  const created = projectNamed(sandbox, "payments");
  expect(created.id).not.toBe(id);
  expect(created.tags).toEqual(["PROD"]);
  expect(await stack.resource("payments")).toMatchObject({ id: created.id, outputs: { origin: "created" } });
  expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
});

it.each(bothProviders)(
  "an adopted project that was deleted outside Pulumi is not created again: up fails with an error that names it, and nothing is written (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up reads the project");
    const { sandbox, stack, id } = await declareExisting(
      {},
      { provider, sandbox: { seed: { projects: [{ name: "payments" }] } } },
    );
    await succeeded(stack.up());
    sandbox.removeProject(id);

    expect(await errorsOf(stack.up())).toContain(id);
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toBeUndefined();
  },
);

it.each(bothProviders)(
  "a project that this key may no longer read does not count as deleted while its organization lists it: its last state is retained with one warning (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up reads the project");
    const { sandbox, stack, id } = await declareExisting(
      { tags: ["PROD"] },
      { provider, sandbox: { seed: { projects: [{ name: "payments", tags: ["PROD"] }] } } },
    );
    await succeeded(stack.up());
    const recorded = await stack.resource("payments");
    // Sees the list of the organization's projects, and none of them from inside.
    sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }] });
    sandbox.changeProject(id, { tags: ["URGENT"] });

    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(timesPrinted(up, "[unreadable]")).toBe(1);
    expect(messagesOf(up, "warning")).toContain(
      `[unreadable] [project ${id}] Project ${id} cannot be read with these credentials, so the state keeps the last known values: Reading project ${id} failed: 401 NOT_IN_GROUP`,
    );
    expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
    expect(await stack.resource("payments")).toMatchObject({
      id,
      inputs: recorded?.inputs,
      outputs: { name: "payments", tags: ["PROD"] },
    });
  },
);

describe("a project that cannot be read", () => {
  it("does not count as deleted if no list confirms it: the error names baseUrl, and the state keeps it", async () => {
    const { sandbox, stack, id } = await declareExisting(
      {},
      { sandbox: { seed: { projects: [{ name: "payments" }] } } },
    );
    await succeeded(stack.up());
    sandbox.changeKey(sandbox.publicKey, { roles: [] });

    expect(await errorsOf(stack.refresh())).toMatch(
      new RegExp(`${id} seems to be deleted.*Check baseUrl`, "s"),
    );
    expect(await stack.resource("payments")).toMatchObject({ id });
  });

  it("keeps its state if Ops Manager cannot be reached: refresh, up and destroy end with an error", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up reads the project");
    const { sandbox, stack } = await setUpStack({
      program: payments,
      config: { "opsmanager:maxRetries": 0 },
    });
    await succeeded(stack.up());
    await sandbox.close();
    for (const run of [await stack.refresh(), await stack.up(), await stack.destroy()]) {
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toContain(`${sandbox.baseUrl} cannot be reached`);
      expect(run.output).not.toContain("fault of the provider");
    }
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"] } });
  });

  it("keeps its state if a web page responds instead of Ops Manager: each error names baseUrl", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up reads the project");
    const { sandbox, stack } = await setUpStack({ program: payments });
    await succeeded(stack.up());
    const page = "<!doctype html><title>Sign in</title>";
    sandbox.addFault({
      times: 0,
      meets: "all",
      fault: { status: 200, contentType: "text/html", body: page },
    });
    for (const run of [await stack.refresh(), await stack.up(), await stack.destroy()]) {
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toMatch(/web page|text\/html/);
      expect(messagesOf(run, "error")).toContain("baseUrl");
    }
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["PROD"] } });
    sandbox.clearFaults();
    await succeeded(stack.up({ expectNoChanges: true }));
  });

  it.each(bothProviders)(
    "keeps its state if baseUrl names another service: each command ends with an error that names it, and none creates it there (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain preview and a plain up read the project");
      const { sandbox, stack } = await setUpStack({ provider, program: payments });
      await succeeded(stack.up());
      const { id, orgId } = projectNamed(sandbox, "payments");
      const recorded = await stack.resource("payments");
      sandbox.clearRequests();
      const { publicKey, privateKey } = sandbox;
      const keys = [{ publicKey, privateKey, roles: [{ roleName: "GLOBAL_OWNER" }] }];
      const { sandbox: wrong } = await setUpStack({ sandbox: { seed: { keys } }, program: () => ({}) });
      await stack.setConfig({ "opsmanager:baseUrl": wrong.baseUrl });
      const runs = [await stack.refresh(), await stack.preview(), await stack.up(), await stack.destroy()];
      for (const run of runs) {
        expect(run.exitCode).not.toBe(0);
        expect(messagesOf(run, "error")).toMatch(new RegExp(`baseUrl.*${wrong.baseUrl}`, "s"));
      }
      await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["TEAM-A"] }));
      expect(await errorsOf(stack.up())).toContain("baseUrl");
      // Where nothing refreshes first (dynamic provider), destroy itself finds out, by deleting an id that is not there.
      expect(writes(wrong).filter(({ path }) => path !== `/groups/${id}`)).toEqual([]);
      expect(await stack.resource("payments")).toMatchObject({ id, inputs: recorded?.inputs });

      await stack.setConfig({ "opsmanager:baseUrl": sandbox.baseUrl });
      await stack.setProgram(payments(sandbox));
      await succeeded(stack.up({ expectNoChanges: true }));
      expect(writes(sandbox)).toEqual([]);
    },
  );
});

async function createMoved(provider: ProviderKind) {
  const { sandbox, stack, id } = await createPayments({}, { provider });
  const elsewhere = sandbox.addOrg({ name: "Elsewhere" });
  sandbox.changeKey(sandbox.publicKey, {
    roles: [{ roleName: "GLOBAL_OWNER" }, { orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
  });
  sandbox.changeProject(id, { orgId: elsewhere.id });
  sandbox.clearRequests();
  return { sandbox, stack, id, recorded: sandbox.orgId, live: elsewhere.id };
}

// Known difference: the dynamic provider has no guards in previews.
describe.each([
  { provider: "plugin", isGuarded: true },
  { provider: "dynamic", isGuarded: false },
] as const)(
  "a project that was moved to another organization outside Pulumi ($provider)",
  ({ provider, isGuarded }) => {
    it("is an error that names both organizations while the program names the old one, and no change once it names the live one", async () => {
      keepDefault("refreshBeforeUpdate", "a plain preview and a plain up read the project");
      const { sandbox, stack, id, recorded, live } = await createMoved(provider);
      expect(messagesOf(await stack.preview(), "error").includes(live)).toBe(isGuarded);
      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      expect(messagesOf(up, "error")).toContain(recorded);
      expect(messagesOf(up, "error")).toContain(live);
      expect(up.steps.filter(({ op, refreshed }) => op !== "update" && !refreshed)).toEqual([]);
      expect(writes(sandbox)).toEqual([]);
      expect(await stack.resource("payments")).toMatchObject({ id });

      await stack.setProgram(projectProgram({ orgId: live, name: "payments" }));
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      expect(await stack.resource("payments")).toMatchObject({ id });
    });

    it("is replaced if the program names a third organization", async () => {
      const { sandbox, stack, id } = await createMoved(provider);
      const third = sandbox.addOrg({ name: "Third" });
      await stack.setProgram(projectProgram({ orgId: third.id, name: "payments" }));

      expect(operations(await succeeded(stack.preview()))).toEqual({ payments: "replace" });
      await succeeded(stack.up());
      const created = projectNamed(sandbox, "payments");
      expect(created.orgId).toBe(third.id);
      expect(created.id).not.toBe(id);
      expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    });
  },
);
