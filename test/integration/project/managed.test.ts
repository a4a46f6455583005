/** Design, Rules for all: what is declared is owned, what is left out is not managed. */
import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  changedPaths,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const seed = { projects: [{ name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings }] };

it("a property that is left out is never sent and never drifts, while declared properties are corrected", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id } = await declareExisting(
    { tags: ["EU", "NEW"] },
    { sandbox: { seed, ldap: true } },
  );
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "NEW"] } },
  ]);

  sandbox.changeProject(id, { name: "invoices", ldapGroupMappings: [] });
  expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });

  sandbox.changeProject(id, { tags: ["BY-HAND"] });
  sandbox.clearRequests();
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "NEW"] } },
  ]);
  expect(sandbox.project(id)).toMatchObject({ name: "invoices", ldapGroupMappings: [] });
});

const deletions = { name: "delete", tags: "delete", ldapGroupMappings: "delete" };

it.each([
  ["plugin", (messages: string) => [deletions, messages]],
  // The dynamic provider shows no change per property and has no guards in previews.
  ["dynamic", () => [{}, ""]],
] as const)(
  "a property that is removed from the program is not sent, is logged as no longer managed, and can be declared again (%s)",
  async (provider, shown) => {
    keepDefault(
      "refreshBeforeUpdate",
      "a plain up reads what was changed while the property was not managed",
    );
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed, ldap: true },
      program: () => ({}),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    const all = { projectId, name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings };
    await stack.setProgram(projectProgram(all));
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId }));
    const noLongerManaged = [
      "name is no longer managed; nothing was sent.",
      "tags is no longer managed; nothing was sent. Use [] to clear.",
      "ldapGroupMappings is no longer managed; nothing was sent. Use [] to clear.",
    ].join("\n");
    const preview = await succeeded(stack.preview());
    expect([changedPaths(preview), messagesOf(preview)]).toEqual(shown(noLongerManaged));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    expect(messagesOf(up)).toBe(noLongerManaged);
    expect(writes(sandbox)).toEqual([]);

    sandbox.changeProject(projectId, { name: "invoices", tags: ["BY-HAND"], ldapGroupMappings: [] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(projectProgram(all));
    await succeeded(stack.up());
    expect(sandbox.project(projectId)).toMatchObject({
      name: "payments",
      tags: ["EU", "PROD"],
      ldapGroupMappings: mappings,
    });
  },
);

it.each(bothProviders)(
  "a service that stores another value than it was sent ends create and update as initialization failed: both values are named, and the state has the stored one (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { lowerCaseTags: "upper" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["prod"] }),
    });
    const { orgId } = sandbox;
    const created = await stack.up();
    expect(created.exitCode).not.toBe(0);
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    expect(messagesOf(created)).toMatch(/tags was sent as \["prod"\], but the service stored \["PROD"\]/);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { tags: ["PROD"], origin: "created" },
      initErrors: [expect.stringContaining('["PROD"]')],
    });

    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD"] }));
    await succeeded(stack.up());
    expect((await stack.resource("payments"))?.initErrors ?? []).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });

    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD", "eu"] }));
    const updated = await stack.up();
    expect(updated.exitCode).not.toBe(0);
    expect(messagesOf(updated)).toMatch(
      /tags was sent as \["PROD","eu"\], but the service stored \["EU","PROD"\]/,
    );
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["EU", "PROD"] } });
  },
);
