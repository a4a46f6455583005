/** The name and the groups of an organization: adopted, corrected, left alone, never without an owner. */
import { reportOn } from "../../../cli/drift/index";
import { hints } from "../../../cli/drift/report/summary";
import { undeclaredInReads } from "../../../cli/drift/undeclared";
import { Declarations } from "../../../cli/lib/access/declared";
import type { SandboxOptions } from "../../../sandbox";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { declared, namesIn } from "../cli/drift-search";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const [global, ofOwner] = ["globalkey", "ownerkey"];
const privateKey = "f0000000-0000-4000-8000-000000000000";
const owners = { roleName: "ORG_OWNER", idpGroups: ["owners"] };
const readers = { roleName: "ORG_READ_ONLY", idpGroups: ["auditors", "staff"] };
const seed = {
  orgs: [{ id: orgId, name: "Example Org", idpGroupMappings: [owners] }],
  keys: [
    { publicKey: ofOwner, privateKey, orgId, roles: [{ orgId, roleName: "ORG_OWNER" }] },
    { publicKey: global, privateKey, roles: [{ roleName: "GLOBAL_OWNER" }] },
  ],
};

const declaring = (properties: object) => ({
  resources: { it: { type: "Organization", properties: { orgId, ...properties } } },
});

async function start(
  properties: object,
  {
    provider = "plugin",
    publicKey = ofOwner,
    ...sandbox
  }: SandboxOptions & { readonly provider?: ProviderKind; readonly publicKey?: string } = {},
) {
  const set = await setUpStack({
    provider,
    sandbox: { seed, idpMappings: "present", ...sandbox },
    config: { publicKey, privateKey },
    program: () => declaring(properties),
  });
  return {
    ...set,
    org: () => set.sandbox.state.orgs[0],
    declare: (next: object) => set.stack.setProgram(declaring(next)),
  };
}

const patch = (body: object) => ({ method: "PATCH", path: `/orgs/${orgId}`, body });

it.each(bothProviders)(
  "is adopted, corrected, no longer managed, and released with all that it has (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const { sandbox, stack, org, declare } = await start(
      { idpGroupMappings: [readers, owners] },
      { provider },
    );
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 1 });
    expect(writes(sandbox)).toEqual([patch({ idpGroupMappings: [owners, readers] })]);
    await succeeded(stack.up({ expectNoChanges: true }));

    const intruders = { roleName: "ORG_OWNER", idpGroups: ["intruders", "owners"] };
    sandbox.changeOrg(orgId, { name: "Renamed", idpGroupMappings: [intruders, readers] });
    const preview = await succeeded(stack.preview({ refresh: true }));
    expect(preview.changes).toEqual({ update: 1 });
    await succeeded(stack.up());
    expect(org()).toMatchObject({ name: "Renamed", idpGroupMappings: [owners, readers] });

    await declare({ name: "Example" });
    await succeeded(stack.up());
    sandbox.changeOrg(orgId, { idpGroupMappings: [intruders] });
    await succeeded(stack.up({ expectNoChanges: true }));
    const held = org();
    expect(held).toMatchObject({ name: "Example", idpGroupMappings: [intruders] });
    sandbox.clearRequests();
    const destroyed = await succeeded(stack.destroy());
    expect(destroyed.output).toContain(
      `Organization ${orgId} ("Example") was released: it stays in the service with its name and mappings.`,
    );
    expect([writes(sandbox), org()]).toEqual([[], held]);
  },
);

it.each([
  { gone: "its only group", idpGroupMappings: [readers] },
  { gone: "all mappings", idpGroupMappings: [] },
  { gone: "its only group, for another", idpGroupMappings: [{ ...owners, idpGroups: ["new owners"] }] },
])("keeps its owners: an up that would take $gone writes nothing, and a preview says so", async (row) => {
  const { sandbox, stack, declare } = await start({ idpGroupMappings: row.idpGroupMappings });
  for (const run of [stack.preview(), stack.up()])
    expect(await errorsOf(run)).toContain(
      "none of the groups that own the organization would remain (owners)",
    );
  expect(writes(sandbox)).toEqual([]);

  const both = { ...owners, idpGroups: ["new owners", "owners"] };
  for (const next of [both, { ...both, idpGroups: ["new owners"] }]) {
    await declare({ idpGroupMappings: [next] });
    await succeeded(stack.up());
  }
  expect(writes(sandbox)).toHaveLength(2);
});

it("drift says of a group of others that owns the organization how to get rid of it, and that way works", async () => {
  const intruders = { roleName: "ORG_OWNER", idpGroups: ["intruders"] };
  const { sandbox, stack, org, declare } = await start({ name: "Example Org" });
  await succeeded(stack.up());
  sandbox.changeOrg(orgId, { idpGroupMappings: [intruders] });
  await succeeded(stack.refresh());
  const { outputs = {} } = (await stack.resource("it")) ?? {};
  const read = new Declarations([declared("Organization", orgId, { outputs })]);
  const none = new Declarations([]);
  const beside = undeclaredInReads({ owners: read, planned: none, comparison: "program" }, new Set());
  expect(namesIn(beside)).toEqual(["intruders"]);
  expect(hints(reportOn([], [], { generatedAt: "2026-03-01T06:00:00.000Z", beside }))).toEqual([
    expect.stringMatching(
      / such as \[\]\. .* declare it beside a group of yours, run pulumi up, and take it out /,
    ),
  ]);
  await declare({ idpGroupMappings: [] });
  expect(await errorsOf(stack.up())).toContain("none of the groups that own the organization would remain");
  for (const idpGroups of [["intruders", "owners"], ["owners"]]) {
    await declare({ idpGroupMappings: [{ ...owners, idpGroups }] });
    await succeeded(stack.up());
  }
  expect(org()?.idpGroupMappings).toEqual([owners]);
});

it("mappings that only the response to a PATCH shows stay recorded, with a warning, and are not sent again", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up reads them");
  const { sandbox, stack, declare } = await start(
    { idpGroupMappings: [readers] },
    { orgMappings: "patch-only" },
  );
  expect(await errorsOf(stack.up())).toContain("one of them may be the last for ORG_OWNER");
  await declare({ idpGroupMappings: [owners, readers] });
  await succeeded(stack.up());
  const again = await succeeded(stack.up({ expectNoChanges: true }));
  expect(again.output).toContain(`The service does not show idpGroupMappings of organization ${orgId}`);
  await declare({ name: "Example", idpGroupMappings: [owners, readers] });
  await succeeded(stack.up());
  expect(writes(sandbox).map(({ body }) => body)).toEqual([
    { idpGroupMappings: [owners, readers] },
    { name: "Example" },
  ]);
});

it.each<{ service: string; sandbox: SandboxOptions; cause: string }>([
  {
    service: "lets no owner write mappings",
    sandbox: { orgMappingsWriter: "global-user-admin" },
    cause: "needs the role Organization Owner, or Global User Admin for group mappings",
  },
  { service: "does not know mappings", sandbox: { orgMappings: "absent" }, cause: "Ops Manager 8.0.17" },
  {
    service: "does not store them",
    sandbox: { idpMappings: "dropped" },
    cause: "The service stored idpGroupMappings as []",
  },
  { service: "has four operations", sandbox: { onlyDocumented: true }, cause: "has no such operation" },
])("where a service $service, the error says so in each up", async ({ sandbox: options, cause }) => {
  const orgs = [{ id: orgId, name: "Example Org" }];
  const { stack } = await start({ idpGroupMappings: [owners] }, { seed: { ...seed, orgs }, ...options });
  for (let attempt = 0; attempt < 2; attempt += 1) expect(await errorsOf(stack.up())).toContain(cause);
});

it.each<{ state: string; publicKey: string; deletedOrg: "shown" | "gone"; cause: string }>([
  {
    state: "shown as deleted",
    publicKey: global,
    deletedOrg: "shown",
    cause: `Organization ${orgId} was deleted`,
  },
  { state: "not found", publicKey: global, deletedOrg: "gone", cause: "ORG_NOT_FOUND" },
  { state: "not found", publicKey: ofOwner, deletedOrg: "shown", cause: "ORG_NOT_FOUND" },
])("an organization that is $state by $publicKey is an error that keeps its record", async (row) => {
  const { publicKey, deletedOrg } = row;
  const { sandbox, stack } = await start({ name: "Example Org" }, { publicKey, deletedOrg });
  await succeeded(stack.up());
  sandbox.changeOrg(orgId, { isDeleted: true });
  for (const run of [stack.refresh(), stack.up({ refresh: true })]) {
    const errors = await errorsOf(run);
    expect(errors).toContain(row.cause);
    expect(errors).toContain("pulumi state delete");
  }
  expect((await stack.state()).resources).toHaveLength(1);
});

it("a key that loses its role keeps the record, with a warning", async () => {
  const { sandbox, stack } = await start({ name: "Example Org" });
  await succeeded(stack.up());
  sandbox.changeKey(ofOwner, { roles: [] });
  const refreshed = await succeeded(stack.refresh());
  expect(refreshed.output).toContain(`The name and group mappings of organization ${orgId} cannot be read`);
  expect((await stack.state()).resources).toHaveLength(1);
});
