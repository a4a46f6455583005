/** The life of a recorded project: what an update sends, what its preview logs, what a refresh records, and what is not managed. */
import {
  bothProviders,
  changedPaths,
  messagesOf,
  projectsProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded, unknown } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { holdAdopted, holdPayments, startPayments } from "./payments";

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const seed = { projects: [{ name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings }] };

describe("the preview of an update", () => {
  it("shows the declared values, and logs what would be overwritten and is not in the state", async () => {
    const { sandbox, stack, id, declareCreated } = await holdPayments(
      { tags: ["PROD"], ignoreTags: ["K8S_*"] },
      { config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    sandbox.changeProject(id, { tags: ["PROD", "OUTSIDE", "OTHERS"] });
    await declareCreated({ tags: ["EU"] });
    const preview = await succeeded(stack.preview());
    expect(messagesOf(preview)).toBe(
      'Changed in the service since it was recorded: tag "OTHERS" is removed; tag "OUTSIDE" is removed.',
    );
    const outputs = preview.steps[0]?.new?.outputs;
    expect(outputs).toMatchObject({ projectId: id, tags: ["EU"], onDestroy: "delete" });
    expect(outputs).not.toHaveProperty("ignoreTags");
    expect(writes(sandbox)).toEqual([]);
  });

  it("warns that unknown values could not be checked, and logs no other message", async () => {
    const { stack, orgId } = await holdPayments();
    await stack.setProgram(
      projectsProgram({
        orders: { properties: { orgId, name: "orders" } },
        adopted: { properties: { projectId: "${orders.projectId}" } },
        payments: { properties: { orgId, name: "payments", tags: "${adopted.tags}" } },
      }),
    );
    const preview = await succeeded(stack.preview());
    expect(preview.steps.findLast(({ name }) => name === "payments")?.new?.outputs.tags).toBe(unknown);
    expect(messagesOf(preview, "info")).toBe("");
    expect(messagesOf(preview, "warning")).toContain("Some values are not known yet");
  });
});

it("a refresh records the live values, as inputs only those of declared properties, and mappings that the response lacks as empty", async () => {
  const declared = { tags: ["PROD"], ldapGroupMappings: mappings, onDestroy: "release" };
  const { sandbox, stack, id, orgId, record } = await holdPayments(declared, { sandbox: { ldap: true } });
  const live = { name: "billing", tags: ["OUTSIDE"] };
  sandbox.changeProject(id, live);
  await succeeded(stack.refresh());
  expect(await record()).toMatchObject({ inputs: { ...declared, ...live }, outputs: live });
  expect((await record())?.inputs).not.toHaveProperty("idpGroupMappings");
  const body = { id, orgId, name: "payments", tags: [] };
  sandbox.addFault({ method: "GET", fault: { status: 200, body } });
  await succeeded(stack.refresh());
  expect(await record()).toMatchObject({ inputs: { tags: [], ldapGroupMappings: [] } });
});

it("a property that is left out is never sent and never drifts, while declared properties are corrected", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id } = await holdAdopted(
    { tags: ["EU", "NEW"] },
    { sandbox: { seed, ldap: true } },
  );
  const others = { name: "invoices", ldapGroupMappings: [] };
  sandbox.changeProject(id, others);
  expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  sandbox.changeProject(id, { tags: ["BY-HAND"] });
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "NEW"] } },
  ]);
  expect(sandbox.project(id)).toMatchObject(others);
});

const removed = [
  "name is no longer managed; nothing was sent.",
  "tags is no longer managed; nothing was sent. Use [] to clear.",
  "ldapGroupMappings is no longer managed; nothing was sent. Use [] to clear.",
].join("\n");

it.each([
  {
    provider: "plugin",
    paths: { name: "delete", tags: "delete", ldapGroupMappings: "delete" },
    logged: removed,
  },
  // The dynamic provider shows no change per property and has no guards in previews.
  { provider: "dynamic", paths: {}, logged: "" },
] as const)(
  "a property that is removed from the program is not sent, is logged as no longer managed, and can be declared again ($provider)",
  async ({ provider, paths, logged }) => {
    keepDefault("refreshBeforeUpdate", "a plain up reads what was changed while it was not managed");
    const all = { name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings };
    const { sandbox, stack, id, declare } = await holdAdopted(all, {
      provider,
      sandbox: { seed, ldap: true },
    });
    await declare({ projectId: id });
    const preview = await succeeded(stack.preview());
    expect([changedPaths(preview), messagesOf(preview)]).toEqual([paths, logged]);
    const up = await succeeded(stack.up());
    expect([up.changes, messagesOf(up)]).toEqual([{ update: 1 }, removed]);
    sandbox.changeProject(id, { name: "invoices", tags: ["BY-HAND"], ldapGroupMappings: [] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    await declare({ projectId: id, ...all });
    await succeeded(stack.up());
    expect(sandbox.project(id)).toMatchObject(all);
  },
);

it.each(bothProviders)(
  "a service that stores another value than it was sent ends create and update as initialization failed: both values are named, and the state has the stored one (%s)",
  async (provider) => {
    const { stack, record, declareCreated } = await startPayments(
      { tags: ["prod"] },
      { provider, sandbox: { lowerCaseTags: "upper" } },
    );
    const stored = async (sent: string, tags: readonly string[]) => {
      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      const message = `The service stored tags as ${JSON.stringify(tags)} instead of ${sent}`;
      expect(messagesOf(up)).toContain(message);
      const initErrors = [expect.stringContaining(message)];
      expect(await record()).toMatchObject({ outputs: { tags, origin: "created" }, initErrors });
    };
    await stored('["prod"]', ["PROD"]);
    await declareCreated({ tags: ["PROD"] });
    await succeeded(stack.up());
    expect((await record())?.initErrors ?? []).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
    await declareCreated({ tags: ["PROD", "eu"] });
    await stored('["PROD","eu"]', ["EU", "PROD"]);
  },
);
