import { keepDefault, succeeded } from "../../support";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { jsonSteps } from "../support/mechanics";
import { paymentsOn } from "../support/payments";
import {
  bothProviders,
  changedPaths,
  emptyProgram,
  errorsOf,
  operations,
  projectNamed,
  projectProgram,
  projectsNamed,
  projectsProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const { createPayments } = paymentsOn(setUpStack);

const slowServices: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(slowServices.splice(0).map((service) => service.close()));
});

const orgId = "5f0000000000000000000001";

// The dynamic provider reports a difference without its properties, and does not refresh before an update.
const ignoringProviders = [
  { provider: "plugin", shown: { name: "update" }, refreshes: true },
  { provider: "dynamic", shown: {}, refreshes: false },
] as const;

describe.each(ignoringProviders)("ignoreChanges ($provider)", ({ provider, shown, refreshes }) => {
  // Trap 2 with 1b of the engine's rules: a refresh calls Diff with the raw values and the list of ignoreChanges.
  it("hides drift of the property it names from up and refresh, corrects the others, and sends no changed value", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const options = { ignoreChanges: ["tags"] };
    const { sandbox, stack } = await createPayments({ tags: ["PROD"] }, { provider, options });
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    sandbox.changeProject(id, { tags: ["BY-HAND"] });
    sandbox.clearRequests();
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.refresh({ previewOnly: true, expectNoChanges: true }));

    sandbox.changeProject(id, { name: "by-hand" });
    const refresh = await stack.refresh({ previewOnly: true, expectNoChanges: true, json: true });
    expect(refresh.exitCode).toBe(7);
    const named = Object.keys(jsonSteps(refresh, "payments")[0]?.detailedDiff ?? {});
    // The engine's own comparison of the dynamic provider's inputs also names hidden ones.
    expect(named.filter((property) => !property.startsWith("__"))).toEqual(["name"]);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview)).toEqual(shown);
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { name: "payments" } }]);
    expect(sandbox.project(id)).toMatchObject({ name: "payments", tags: ["BY-HAND"] });

    sandbox.changeProject(id, { tags: ["PROD"] });
    await stack.setProgram(
      projectProgram({ orgId: sandbox.orgId, name: "payments-2", tags: ["OTHER"] }, options),
    );
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments-2").tags).toEqual(["PROD"]);
  });

  it("takes lists that are empty and a name that no program may give, and the rest of the stack is applied", async () => {
    const olga = "owner@example.com";
    const ignored = (type: string, property: string, properties: Record<string, unknown>) =>
      [property, { type, properties, options: { ignoreChanges: [property] } }] as const;
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: {
          orgs: [{ id: orgId, name: "Example Org" }],
          users: [{ username: olga, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
          projects: [{ name: "payments", members: { [olga]: ["GROUP_OWNER"] } }],
        },
      },
      program: (service) => {
        const projectId = projectNamed(service, "payments").id;
        const team = (name: string) => ({ orgId, name, usernames: [olga] });
        return {
          resources: {
            ...Object.fromEntries([
              ignored("ProjectMembers", "members", { projectId, members: { [olga]: ["GROUP_OWNER"] } }),
              ignored("Team", "usernames", team("emptied")),
              ignored("Team", "name", team("renamed")),
            ]),
            payments: { type: "Project", properties: { projectId, tags: ["PROD"] } },
          },
        };
      },
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.removeMember(id, { username: olga });
    for (const { name, id: teamId } of sandbox.state.teams)
      sandbox.changeTeam(teamId, name === "emptied" ? { userIds: [] } : { name: "a\u0001b" });
    if (!refreshes) await succeeded(stack.refresh());
    sandbox.changeProject(id, { tags: ["OTHER"] });
    sandbox.clearRequests();
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 3, update: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3, update: 1 });
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags: ["PROD"] } }]);
  });

  it("leaves the groups of one mapping unchanged if it names a path inside, and corrects the rest", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const mappings = [
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] },
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=audit"] },
    ];
    const { sandbox, stack, id } = await createPayments(
      { tags: ["PROD"], ldapGroupMappings: mappings },
      { provider, sandbox: { ldap: true }, options: { ignoreChanges: ["ldapGroupMappings[0].ldapGroups"] } },
    );
    const changed = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=by-hand"] }, ...mappings.slice(1)];
    sandbox.changeProject(id, { ldapGroupMappings: changed });
    sandbox.clearRequests();
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    sandbox.changeProject(id, {
      tags: ["URGENT"],
      ldapGroupMappings: [
        ...changed.slice(0, 1),
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=unlisted"] },
      ],
    });
    await succeeded(stack.up());
    expect(sandbox.project(id)).toMatchObject({ tags: ["PROD"], ldapGroupMappings: changed });
  });
});

describe.each(bothProviders)("resource options (%s)", (provider) => {
  it("protect stops destroy until it is removed, an alias renames without a write, and retainOnDelete keeps the project", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }, { protect: true }),
    });
    const { orgId } = sandbox;
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.clearRequests();
    const { exitCode, output } = await stack.destroy();
    expect([exitCode === 0, output]).toEqual([false, expect.stringContaining("protect")]);
    expect(writes(sandbox)).toEqual([]);
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    expect(await stack.resource("payments")).toMatchObject({ protect: true });

    await stack.setProgram(
      projectsProgram({
        billing: {
          properties: { orgId, name: "payments", tags: ["PROD"] },
          options: { aliases: [{ name: "payments" }] },
        },
        kept: { properties: { orgId, name: "kept" }, options: { retainOnDelete: true } },
      }),
    );
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1, create: 1 });
    expect(writes(sandbox)).toEqual([{ method: "POST", path: "/groups", body: { orgId, name: "kept" } }]);
    expect(await stack.resource("billing")).toMatchObject({ id, outputs: { origin: "created" } });
    expect(await stack.resource("payments")).toBeUndefined();

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect((await stack.state()).resources).toEqual([]);
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${id}` }]);
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
    expect(projectsNamed(sandbox, "kept")).toHaveLength(1);
  });

  it("replaceOnChanges on the name creates a new project and deletes the old one", async () => {
    const options = { replaceOnChanges: ["name"] };
    const { sandbox, stack, id } = await createPayments({}, { provider, options });
    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "billing" }, options));
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "billing").id).not.toBe(id);
    expect(sandbox.project(id)).toBeUndefined();
  });
});

// Trap 4 and design, "One remote object": the replacement of a project by itself deletes nothing.
it("replaceOnChanges on the tags takes the same project over instead of deleting it", async () => {
  const options = { replaceOnChanges: ["tags"] };
  const { sandbox, stack, id } = await createPayments({ tags: ["PROD"] }, { options });
  sandbox.clearRequests();
  await stack.setProgram(
    projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["TEAM-A"] }, options),
  );
  const up = await succeeded(stack.up());
  expect(operations(up)).toEqual({ payments: "replace" });
  expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags: ["TEAM-A"] } }]);
  expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "created" } });
  await stack.setProgram(emptyProgram);
  await succeeded(stack.up());
  expect(sandbox.project(id)).toBeUndefined();
});

// Trap 12: the engine itself interrupts nothing. No custom timeouts in the dynamic provider (known difference).
it.each(["POST", "PATCH"])(
  "gives up a create after its custom timeout, reports it, and keeps the project it made (during %s)",
  async (method) => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD"] }, { customTimeouts: { create: "2s" } }),
    });
    const slow = await holdResponsesOf(sandbox.baseUrl);
    slowServices.push(slow);
    await stack.setConfig({ "opsmanager:baseUrl": slow.baseUrl });
    void slow.hold(method);
    const errors = await errorsOf(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    expect(errors).toMatch(/custom ?timeout|did not respond within|time limit|timed out/i);
    expect(errors).not.toContain("was canceled");
    expect(await stack.resource("payments")).toMatchObject({ id });

    slow.stopHolding();
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
    expect(writes(sandbox).filter((write) => write.method === "POST")).toHaveLength(1);
  },
);
