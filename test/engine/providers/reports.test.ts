/** Known differences in what a person gets to see before, during and after a run: one stack, whose projects and people change outside Pulumi. */
import { type Program, type ProviderKind, succeeded } from "../../support";
import { bob, cleo, eve, olga, owners, readers } from "../../support/people";
import { invitationOf, invitedTo } from "../support/people-program";
import {
  changedPaths,
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  timesPrinted,
} from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { knownDifferences } from "./known-difference";

afterEach(tearDownStacks);

const tools = "5f00000000000000000000a1";
const orders = "5f00000000000000000000a2";
const legacy = "5f00000000000000000000a3";

const seed = {
  users: [{ username: bob }],
  projects: [
    { id: tools, name: "tools", members: { [olga]: owners, [eve]: readers } },
    { id: orders, name: "orders", members: { [olga]: owners, [bob]: readers } },
    { id: legacy, name: "legacy", members: { [olga]: owners } },
  ],
};

const person = (username: string) => ({
  type: "ProjectMember",
  properties: { projectId: orders, username, roles: readers },
});

const program = (orgId: string): Program => ({
  resources: {
    payments: { type: "Project", properties: { orgId, name: "payments", tags: ["PROD"] } },
    gone: { type: "Project", properties: { orgId, name: "gone", tags: ["lower-case"] } },
    legacy: { type: "Project", properties: { projectId: legacy } },
    people: {
      type: "ProjectMembers",
      properties: { projectId: tools, members: { [olga]: owners, [eve]: readers }, removeUnlisted: true },
    },
    bob: person(bob),
    cleo: person(cleo),
  },
});

knownDifferences(
  "what previews, messages and outputs report",
  [
    {
      row: "a preview reads what a create or update would find",
      plugin: { previewSucceeds: false, upSucceeds: false },
      dynamic: { previewSucceeds: true, upSucceeds: false },
    },
    { row: "messages carry the resource's URN", plugin: "gone", dynamic: undefined },
    {
      row: "drift in a plain preview",
      plugin: { preview: { name: "update", "tags[0]": "update" }, refresh: ["name", "tags"] },
      dynamic: { preview: {}, refresh: ["name", "tags"] },
    },
    {
      row: "each person who is added, removed or changed",
      plugin: {
        preview: { [`members["${eve}"][0]`]: "update", [`members["${cleo}"]`]: "delete" },
        refresh: [eve, cleo],
      },
      dynamic: { preview: {}, refresh: [eve, cleo] },
    },
    { row: "a created project that no longer exists", plugin: "create", dynamic: "replace" },
    { row: "a person who was removed outside Pulumi", plugin: "create", dynamic: "update" },
    {
      row: "an accepted invitation in the outputs",
      plugin: { afterUp: "active", afterRefresh: "active" },
      dynamic: { afterUp: "pending", afterRefresh: "active" },
    },
    { row: "a changed `baseUrl`", plugin: 1, dynamic: 0 },
    {
      row: "an adopted project that no longer exists",
      plugin: { up: "No group with ID", recorded: false },
      dynamic: { up: "was deleted, and this stack did not create it", recorded: true },
    },
    {
      row: "one person or project declared twice",
      plugin: { personTwice: "declared by urn:", warnedOfProjectTwice: 1 },
      dynamic: { personTwice: undefined, warnedOfProjectTwice: 0 },
    },
    { row: "`refreshBeforeUpdate: false`", plugin: "same", dynamic: "update" },
  ],
  async (provider: ProviderKind) => {
    const setup = await setUpStack({
      provider,
      sandbox: { seed },
      program: ({ orgId }) => projectProgram({ orgId, name: "legacy" }),
    });
    return {
      ...(await previewOfTakenName(setup)),
      ...(await firstMessages(setup)),
      ...(await changesOutside(setup)),
      ...(await otherAddress(setup)),
      ...(await deletedAdopted(setup)),
      ...(await declaredTwice(setup)),
      ...(await withoutRefresh(setup)),
    };
  },
);

async function previewOfTakenName({ stack }: StackSetup) {
  const [preview, up] = [await stack.preview(), await stack.up()];
  return {
    "a preview reads what a create or update would find": {
      previewSucceeds: preview.exitCode === 0,
      upSucceeds: up.exitCode === 0,
    },
  };
}

async function firstMessages({ sandbox, stack }: StackSetup) {
  await stack.setProgram(program(sandbox.orgId));
  const { diagnostics } = await succeeded(stack.up());
  const warning = diagnostics.find(({ message }) => message.includes("lower-case"));
  expect(warning).toBeDefined();
  return { "messages carry the resource's URN": warning?.urn?.split("::").at(-1) };
}

/** A project and a list differ, a project and a person are gone, and someone has accepted. */
async function changesOutside({ sandbox, stack }: StackSetup) {
  const before = projectNamed(sandbox, "gone").id;
  sandbox.acceptInvitation(invitationOf(sandbox, cleo, orders).id);
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { name: "by-hand", tags: ["URGENT"] });
  sandbox.setMember(tools, { username: eve }, ["GROUP_USER_ADMIN"]);
  sandbox.setMember(tools, { username: cleo }, readers);
  sandbox.removeMember(orders, { username: bob });
  sandbox.removeProject(before);
  const preview = await succeeded(stack.preview());
  const previewed = operations(preview);
  expect(previewed).toMatchObject({ payments: "update", people: "update", cleo: "same" });
  const { output } = await succeeded(stack.refresh({ previewOnly: true, diff: true }));
  const shown = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`^\\s+[~+] "?${name}\\b`, "m").test(output));

  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "gone");
  expect(id).not.toBe(before);
  expect(await stack.resource("gone")).toMatchObject({ id, outputs: { origin: "created" } });
  expect(invitedTo(sandbox, orders)).toEqual({ [bob]: readers });
  const status = async () => (await stack.resource("cleo"))?.outputs?.status;
  const afterUp = await status();
  await succeeded(stack.refresh());
  return {
    "drift in a plain preview": { preview: changedPaths(preview), refresh: shown(["name", "tags"]) },
    "each person who is added, removed or changed": {
      preview: changedPaths(preview, "people"),
      refresh: shown([eve, cleo]),
    },
    "a created project that no longer exists": previewed.gone,
    "a person who was removed outside Pulumi": previewed.bob,
    "an accepted invitation in the outputs": { afterUp, afterRefresh: await status() },
  };
}

async function otherAddress({ sandbox, stack }: StackSetup) {
  const other = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  await stack.setConfig({ "opsmanager:baseUrl": other });
  const up = await succeeded(stack.up());
  return { "a changed `baseUrl`": timesPrinted(up, `baseUrl changes from ${sandbox.baseUrl} to ${other}`) };
}

async function deletedAdopted({ sandbox, stack }: StackSetup) {
  sandbox.removeProject(legacy);
  expect((await stack.preview()).exitCode).not.toBe(0);
  const errors = await errorsOf(stack.up());
  const up = /No group with ID|was deleted, and this stack did not create it/.exec(errors)?.[0];
  const recorded = (await stack.resource("legacy")) !== undefined;
  return { "an adopted project that no longer exists": { up, recorded } };
}

async function declaredTwice({ stack }: StackSetup) {
  const twice = (type: string, properties: object): Program => ({
    resources: {
      first: { type, properties: { ...properties } },
      second: { type, properties: { ...properties }, options: { dependsOn: ["${first}"] } },
    },
  });
  await stack.setProgram(twice("ProjectMember", { projectId: tools, username: bob, roles: readers }));
  const people = await stack.up();
  await stack.setProgram(twice("Project", { projectId: tools }));
  const projects = await succeeded(stack.up());
  return {
    "one person or project declared twice": {
      personTwice: /declared by urn:/.exec(messagesOf(people, "error"))?.[0],
      warnedOfProjectTwice: timesPrinted(projects, "is also declared by"),
    },
  };
}

async function withoutRefresh({ sandbox, stack }: StackSetup) {
  const { orgId } = sandbox;
  await stack.setConfig({ "opsmanager:refreshBeforeUpdate": false });
  await stack.setProgram(projectProgram({ orgId, name: "unread", tags: ["PROD"] }));
  await succeeded(stack.up());
  sandbox.changeProject(projectNamed(sandbox, "unread").id, { tags: ["URGENT"] });
  return { "`refreshBeforeUpdate: false`": operations(await succeeded(stack.preview())).payments };
}
