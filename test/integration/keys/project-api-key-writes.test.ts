/** ProjectApiKey: which requests are sent, what is recorded after a failure, and what the messages name. */

import { upAgain } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  admin,
  orgId,
  otherProjectId,
  ownKeyId,
  projectApiKey,
  projectId,
  rolesOf,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

const path = `/groups/${projectId}/apiKeys/${theirs.id}`;
const inProject = (...names: readonly string[]) =>
  names.map((roleName) => ({ groupId: projectId, roleName }));
const keyText = `API key ${theirs.publicKey}`;
const lacksRole = `403 NOT_ALLOWED Not now. The API key ${admin.publicKey} lacks a role for this.`;
const unreadableKeys = `Listing the API keys of project ${projectId} failed: ${lacksRole}`;
const projectKeys = { method: "GET", pathPattern: "/groups/.*apiKeys" };

/** The stack has adopted the roles of the key in the project. */
async function holdRoles(properties: object = {}) {
  const access = (more: object = {}) => projectApiKey({ keyId: theirs.id, ...properties, ...more });
  const setup = await setUpKeys({ access: access() });
  const { sandbox, stack, declare } = setup;
  await succeeded(stack.up());
  sandbox.clearRequests();
  return {
    ...setup,
    outputs: async () => (await stack.resource("access"))?.outputs,
    change: (more: object) => declare({ access: access(more) }),
  };
}

it.each([
  [
    "and announced with what destroying does",
    {},
    ` From now on this resource manages the roles of the API key in this project: destroying it, or removing it from the program, takes them away. To prevent that, set onDestroy to "release".`,
  ],
  ["and announced alone if the program releases them", { onDestroy: "release" }, ""],
])("roles that a key has already are adopted without a request, %s", async (_, properties, end) => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id, ...properties }) });
  expect(messagesOf(await succeeded(stack.up()))).toBe(
    `${keyText} has roles in project ${projectId} already.${end}`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a change of onDestroy alone sends nothing, and one of the roles sends one request", async () => {
  const { sandbox, stack, change, outputs } = await holdRoles();
  await change({ onDestroy: "release" });
  expect(await upAgain({ sandbox, stack })).toEqual({ changes: { update: 1 }, writes: [] });
  expect(await outputs()).toMatchObject({ onDestroy: "release" });
  const roles = ["GROUP_OWNER", "GROUP_READ_ONLY"];
  await change({ roles });
  expect((await upAgain({ sandbox, stack })).writes).toEqual([{ method: "PATCH", path, body: { roles } }]);
});

it.each([
  [
    "stores other roles",
    theirs,
    `${keyText} in project ${projectId}, but it stored GROUP_READ_ONLY.`,
    ["GROUP_READ_ONLY"],
  ],
  [
    "does not list the key afterwards",
    { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] },
    `${keyText} in project ${projectId}, but it does not list the API key there.`,
    ["GROUP_BACKUP_ADMIN", "GROUP_OWNER"],
  ],
])("a service that accepts roles of a key and %s is an error", async (_, { roles }, message, recorded) => {
  const { sandbox, stack, change, outputs } = await holdRoles();
  await change({ roles: ["GROUP_OWNER", "GROUP_BACKUP_ADMIN"] });
  sandbox.addFault({ method: "PATCH", pathPattern: "apiKeys", fault: { status: 200, body: {} } });
  await stack.before("PATCH", /apiKeys/, () => sandbox.changeKey(theirs.publicKey, { roles }));
  expect(await errorsOf(stack.up())).toBe(
    `The service accepted GROUP_BACKUP_ADMIN, GROUP_OWNER for ${message}`,
  );
  expect(await outputs()).toMatchObject({ roles: recorded, origin: "adopted" });
});

it("a key that someone took out of the project gets the declared roles, although ignoreChanges names them", async () => {
  const options = { ignoreChanges: ["roles"] };
  const access = (more = {}) => ({ ...projectApiKey({ keyId: theirs.id, ...more }), options });
  const { sandbox, stack, declare } = await setUpKeys({ access: access() });
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  sandbox.changeKey(theirs.publicKey, { roles: [] });
  await declare({ access: access({ onDestroy: "release" }) });
  await succeeded(stack.up());
  expect(rolesOf(sandbox, theirs.publicKey)).toEqual([`GROUP_READ_ONLY ${projectId}`]);
});

it.each(["preview", "up"] as const)("%s fails if the keys of the project cannot be read", async (command) => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  sandbox.addFault({ ...projectKeys, fault: refusal(403, "NOT_ALLOWED") });
  expect(await errorsOf(stack[command]())).toBe(unreadableKeys);
});

it.each([{ keyId: ownKeyId }, { publicKey: admin.publicKey }])(
  "a key without a role in the project (%j) is an error if the keys of the organization cannot be read",
  async (identity) => {
    const { sandbox, stack } = await setUpKeys({ access: projectApiKey(identity) });
    sandbox.addFault({
      method: "GET",
      pathPattern: "/orgs/.*",
      times: 0,
      fault: refusal(403, "NOT_ALLOWED"),
    });
    expect(await errorsOf(stack.up())).toBe(
      `Listing the API keys of organization ${orgId} failed: ${lacksRole}`,
    );
    expect(writes(sandbox)).toEqual([]);
  },
);

it.each([{ keyId: theirs.id }, { publicKey: theirs.publicKey }])(
  "a key among several of its organization (%j) gets roles in a project that shows other keys only",
  async (identity) => {
    const { sandbox, stack } = await setUpKeys({ access: projectApiKey(identity) });
    sandbox.changeKey(theirs.publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
    sandbox.addKey({ publicKey: "otherkey", orgId, desc: "other", roles: inProject("GROUP_READ_ONLY") });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path, body: { roles: ["GROUP_READ_ONLY"] } }]);
    const { id, outputs } = (await stack.resource("access")) ?? {};
    expect([id, outputs]).toEqual([
      `${projectId}/${theirs.id}`,
      {
        projectId,
        keyId: theirs.id,
        publicKey: theirs.publicKey,
        orgId,
        roles: ["GROUP_READ_ONLY"],
        origin: "created",
        onDestroy: "remove",
      },
    ]);
  },
);

describe("the provider's own key", () => {
  it("may get more roles in a project, and each role that it would lose is named", async () => {
    const { sandbox, stack, declare } = await setUpKeys({});
    const own = (...roles: readonly string[]) => ({ access: projectApiKey({ keyId: ownKeyId, roles }) });
    const roles = [{ orgId, roleName: "ORG_OWNER" }, ...inProject("GROUP_OWNER", "GROUP_READ_ONLY")];
    sandbox.changeKey(admin.publicKey, { roles });
    await declare(own("GROUP_BACKUP_ADMIN"));
    const refused = `API key ${admin.publicKey} keeps GROUP_OWNER, GROUP_READ_ONLY in project ${projectId}: the provider itself authenticates with it`;
    expect(await errorsOf(stack.up())).toContain(refused);
    expect(writes(sandbox)).toEqual([]);
    await declare(own("GROUP_BACKUP_ADMIN", "GROUP_OWNER", "GROUP_READ_ONLY"));
    await succeeded(stack.up());
    expect(rolesOf(sandbox, admin.publicKey)).toContain(`GROUP_BACKUP_ADMIN ${projectId}`);
    await declare(own("GROUP_BACKUP_ADMIN"));
    for (const run of [stack.preview(), stack.up()]) expect(await errorsOf(run)).toContain(refused);
  });

  it("may be released in one project and declared in another one", async () => {
    const { sandbox, stack, declare } = await setUpKeys({});
    sandbox.changeKey(admin.publicKey, {
      roles: [{ orgId, roleName: "ORG_OWNER" }, ...inProject("GROUP_OWNER")],
    });
    const own = { keyId: ownKeyId, roles: ["GROUP_OWNER"], onDestroy: "release" };
    await declare({ access: projectApiKey(own) });
    await succeeded(stack.up());
    await declare({ access: projectApiKey({ ...own, projectId: otherProjectId }) });
    await succeeded(stack.up());
    expect(rolesOf(sandbox, admin.publicKey)).toEqual([
      `GROUP_OWNER ${projectId}`,
      `GROUP_OWNER ${otherProjectId}`,
      `ORG_OWNER ${orgId}`,
    ]);
  });
});

describe("a refresh", () => {
  it("retains the roles of a key that cannot be read, with the reason", async () => {
    const { sandbox, stack } = await holdRoles();
    const before = await stack.resource("access");
    sandbox.addFault({ ...projectKeys, fault: refusal(403, "NOT_ALLOWED") });
    expect(messagesOf(await succeeded(stack.refresh()))).toBe(
      `[unreadable] [keys ${projectId}] The API keys of project ${projectId} cannot be read with these credentials, so the state keeps the last known values: ${unreadableKeys}`,
    );
    expect(await stack.resource("access")).toEqual(before);
  });

  it.each(["the project was deleted", "the key has no role in the project"])(
    "removes the roles of a key from the state if %s",
    async (situation) => {
      const { sandbox, stack } = await holdRoles();
      if (situation.includes("deleted")) sandbox.removeProject(projectId);
      else sandbox.changeKey(theirs.publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
      expect(messagesOf(await succeeded(stack.refresh()))).toBe("");
      expect(await stack.resource("access")).toBeUndefined();
    },
  );
});

describe("a deletion", () => {
  it("sends one request for the key in the project, and nothing if the key has no role there", async () => {
    const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
    await stack.setConfig({ refreshBeforeUpdate: false });
    await succeeded(stack.up());
    const copy = await stack.copy({});
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path }]);
    sandbox.clearRequests();
    await succeeded(copy.destroy());
    expect(writes(sandbox)).toEqual([]);
  });

  it("is refused if it would be one more removal than the run may make", async () => {
    const { sandbox, stack } = await holdRoles();
    await stack.setConfig({ maxRemovalsPerRun: 0 });
    expect(await errorsOf(stack.destroy())).toMatch(
      new RegExp(`^${keyText} keeps its roles in project ${projectId}: this run would make 1 removal`),
    );
    expect(writes(sandbox)).toEqual([]);
  });

  it("keeps the roles that another resource of the program declares, and names it", async () => {
    const { stack, declare } = await holdRoles();
    await declare({ renamed: projectApiKey({ publicKey: theirs.publicKey }) });
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `${keyText} keeps its roles in project ${projectId} because urn:pulumi:test::platform::opsmanager:index:ProjectApiKey::renamed declares it.`,
    );
  });

  it.each([
    ["refused", refusal(403, "NOT_ALLOWED")],
    ["a failure", refusal(400, "UNREADABLE")],
  ])("that is rejected fails with its own reason if the read afterwards is %s", async (_, fault) => {
    const { sandbox, stack } = await holdRoles();
    await stack.before("DELETE", /apiKeys/, () => {
      sandbox.addFault({ method: "DELETE", fault: refusal(400, "NOT_NOW") });
      sandbox.addFault({ ...projectKeys, fault });
    });
    expect(await errorsOf(stack.destroy())).toContain("failed: 400 NOT_NOW Not now.");
    expect(await stack.resource("access")).toBeDefined();
  });
});

it("an import takes the key whose id is named, before one whose public key looks like it", async () => {
  const { sandbox, stack } = await setUpKeys({});
  sandbox.addKey({ publicKey: theirs.id, orgId, desc: "other", roles: inProject("GROUP_OWNER") });
  await succeeded(stack.import("ProjectApiKey", "access", `${projectId}/${theirs.id.toUpperCase()}`));
  expect(await stack.resource("access")).toMatchObject({
    id: `${projectId}/${theirs.id}`,
    outputs: { publicKey: theirs.publicKey, roles: ["GROUP_READ_ONLY"] },
  });
  expect(theNewKey(sandbox).publicKey).toBe(theirs.id);
});
