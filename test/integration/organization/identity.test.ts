/** OrganizationMember: which account is meant, whatever it is called now, and who stays. */

import type { Sandbox } from "../../../sandbox";
import { deletions } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, member, offered, olga, orgId, peopleOf, setUpPeople } from "./people";

afterEach(tearDownStacks);

const lovelace = "ada.lovelace@example.com";
const paymentsId = "5f00000000000000000000a1";
const urn = "urn:pulumi:test::platform::opsmanager:index:OrganizationMember::ada";

/** The list of users of the next request is the one from now. */
function freezeNextUsers(sandbox: Sandbox) {
  const results = sandbox.state.users.filter(({ roles }) => roles.some((role) => role.orgId === orgId));
  const body = { results: JSON.parse(JSON.stringify(results)), totalCount: results.length };
  return () =>
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/users", fault: { status: 200, body } });
}

describe("a person who accepts between the two lists of one read", () => {
  it.each(bothProviders)("is removed by destroy, not lost (%s)", async (provider) => {
    const { sandbox, stack } = await setUpPeople({ ada: member() }, { provider, ...offered });
    await succeeded(stack.up());
    const freeze = freezeNextUsers(sandbox);
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
    freeze();
    await succeeded(stack.destroy());
    expect(peopleOf(sandbox)).toEqual([]);
  });

  it("is not invited a second time by an update (dynamic)", async () => {
    const { sandbox, stack, declare } = await setUpPeople(
      { ada: member() },
      { provider: "dynamic", ...offered },
    );
    await succeeded(stack.up());
    await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
    const freeze = freezeNextUsers(sandbox);
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
    sandbox.clearRequests();
    freeze();
    await stack.up();
    expect(writes(sandbox).filter(({ method }) => method === "POST")).toEqual([]);
  });
});

describe("a renamed account that two resources declare, by the old and the new name", () => {
  async function begin(provider: ProviderKind = "plugin") {
    const setup = await setUpPeople({ ada: member() }, { provider, ...offered });
    const { id } = setup.sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await succeeded(setup.stack.up());
    setup.sandbox.changeUser(id, { username: lovelace });
    await succeeded(setup.stack.refresh());
    return { ...setup, id };
  }

  it("is an error, or both would revert each other", async () => {
    const { stack, declare } = await begin();
    await declare({ ada: member(), lovelace: member({ username: lovelace, roles: ["ORG_READ_ONLY"] }) });
    expect(await errorsOf(stack.up())).toContain("already");
  });

  it.each(bothProviders)(
    "stays if the resource with the new name leaves the program (%s)",
    async (provider) => {
      const { sandbox, stack, declare } = await begin(provider);
      await declare({ ada: member(), lovelace: member({ username: lovelace }) });
      await stack.up();
      await declare({ ada: member() });
      await stack.up();
      expect(peopleOf(sandbox)).toEqual([`${lovelace} ORG_MEMBER`]);
    },
  );
});

describe("an account that was renamed", () => {
  async function begin(provider: ProviderKind = "plugin") {
    const setup = await setUpPeople({ ada: member() }, { provider, ...offered });
    const { id } = setup.sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await succeeded(setup.stack.up());
    setup.sandbox.changeUser(id, { username: lovelace });
    await succeeded(setup.stack.refresh());
    setup.sandbox.clearRequests();
    return { ...setup, id };
  }

  it.each(bothProviders)(
    "is not invited by its old name if the resource is renamed (%s)",
    async (provider) => {
      const { sandbox, stack, declare } = await begin(provider);
      await declare({ other: member() });
      await stack.up({ refresh: true });
      expect(writes(sandbox)).toEqual([]);
      expect(peopleOf(sandbox)).toEqual([`${lovelace} ORG_MEMBER`]);
    },
  );

  it("is not invited by its old name if the resource is replaced with --replace", async () => {
    const { sandbox, stack } = await begin();
    await stack.up({ refresh: true, replace: [urn] });
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("an invited account that exists and is renamed before it accepts", () => {
  it.each(["follows", "keeps-name"] as const)(
    "is not invited again after it accepts (%s)",
    async (renamedInvitee) => {
      const { sandbox, stack } = await setUpPeople({ ada: member() }, { ...offered, renamedInvitee });
      const { id } = sandbox.addUser({ username: ada });
      await succeeded(stack.up());
      sandbox.changeUser(id, { username: lovelace });
      sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
      sandbox.clearRequests();
      await stack.up();
      expect(writes(sandbox)).toEqual([]);
      expect(peopleOf(sandbox)).toEqual([`${lovelace} ORG_MEMBER`]);
    },
  );

  it("has the userId that the documents promise", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    const { id } = sandbox.addUser({ username: ada });
    await succeeded(stack.up());
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "pending", userId: id });
  });
});

describe("import", () => {
  it("with an organization id in capitals neither replaces nor removes anyone", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await stack.import("opsmanager:index:OrganizationMember", "ada", `${orgId.toUpperCase()}/${ada}`);
    const run = await stack.up();
    expect(operations(run)).toEqual({ ada: "same" });
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
  });
});

describe("two owners of whom one run removes both, side by side", () => {
  async function begin(roles = ["ORG_OWNER"], names = [ada, olga]) {
    const projects = [{ id: paymentsId, name: "payments", members: { [olga]: ["GROUP_READ_ONLY"] } }];
    const users = [{ username: olga, roles: [{ orgId, roleName: "ORG_OWNER" as const }] }];
    const seed = { orgs: [{ id: orgId, name: "Example Org" }], users, projects };
    const { sandbox, stack } = await setUpPeople({}, { ...offered, seed });
    const { baseUrl, publicKey, privateKey } = sandbox;
    for (const username of names.filter((name) => name !== olga))
      sandbox.setOrgMember(orgId, { username }, roles);
    const connect = () => connectPlugin({ baseUrl, publicKey, privateKey }, () => {});
    const earlier = await connect();
    const state = { initErrors: [], refreshBeforeUpdate: false, dependencies: [] };
    const type = "OrganizationMember" as const;
    const resources = await Promise.all(
      names.map(async (username) => {
        const inputs = { orgId, username, roles };
        const named = { type, name: username };
        return { ...state, ...named, inputs, ...(await earlier.create(named, inputs, false)) };
      }),
    );
    // A run of its own: what an earlier one created, it does not declare.
    const connection = await connect();
    sandbox.clearRequests();
    return { sandbox, stack, connection, resources };
  }

  it("does not ask the service to remove the last one", async () => {
    const { sandbox, connection, resources } = await begin();
    const results = await Promise.allSettled(resources.map((resource) => connection.delete(resource)));
    const errors = results.map((result) =>
      result.status === "rejected" ? String(result.reason.message) : "",
    );
    expect(errors.join("")).toContain("is the only owner of organization");
    expect(deletions(sandbox)).toHaveLength(1);
  });

  it("leaves a project the last one of its direct owners", async () => {
    const { sandbox, connection, resources } = await begin(["ORG_MEMBER"], [ada, lovelace]);
    for (const username of [ada, lovelace]) sandbox.setMember(paymentsId, { username }, ["GROUP_OWNER"]);
    const results = await Promise.allSettled(resources.map((resource) => connection.delete(resource)));
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason.message] : [],
    );
    expect(refused).toEqual([expect.stringContaining("no direct owner would be left in project")]);
    expect(deletions(sandbox)).toHaveLength(1);
  });

  it("does not ask the service to demote the last one", async () => {
    const { sandbox, connection, resources } = await begin();
    const results = await Promise.allSettled(
      resources.map((resource) =>
        connection.update(resource, { ...resource.inputs, roles: ["ORG_MEMBER"] }, false),
      ),
    );
    const errors = results.map((result) =>
      result.status === "rejected" ? String(result.reason.message) : "",
    );
    expect(errors.join("")).toContain("is the only owner of organization");
    expect(writes(sandbox)).toHaveLength(1);
  });
});

it("ownership passes in one run, in the order of dependsOn", async () => {
  const { sandbox, stack, declare } = await setUpPeople({
    ada: member(),
    olga: member({ username: olga, roles: ["ORG_OWNER"] }),
  });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(stack.up());
  await declare({
    ada: member({ roles: ["ORG_OWNER"] }),
    olga: member({ username: olga }, { dependsOn: ["${ada}"] }),
  });
  await succeeded(stack.preview());
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
});

it("the recorded invitation of a member is not lost if the invitations cannot be read", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  await succeeded(stack.up());
  expect((await stack.resource("ada"))?.outputs).toMatchObject({
    status: "active",
    invitationId: expect.any(String),
  });
  const body = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  sandbox.addFault({ method: "GET", pathPattern: "/invites$", times: 0, fault: { status: 403, body } });
  const run = await stack.destroy();
  expect([run.exitCode === 0, peopleOf(sandbox)]).toEqual([false, expect.any(Array)]);
});

it.each<[string, object]>([
  ["no roles", {}],
  ["everyone with an empty list of roles", { roles: [] }],
])("the only owner stays if the service shows %s", async (_, shown) => {
  const { sandbox, stack } = await setUpPeople({ olga: member({ username: olga, roles: ["ORG_OWNER"] }) });
  await succeeded(stack.up());
  const results = sandbox.state.users.map(({ id, username }) => ({ id, username, ...shown }));
  const body = { results, totalCount: results.length };
  sandbox.addFault({
    method: "GET",
    pathPattern: "/orgs/\\w+/users",
    times: 0,
    fault: { status: 200, body },
  });
  sandbox.clearRequests();
  expect(await errorsOf(stack.destroy())).toMatch(
    /it is not known who owns it|its list of people shows no owner/,
  );
  expect(deletions(sandbox)).toEqual([]);
});

it("a service without invitations to organizations is named as such", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  const body = {
    error: 404,
    reason: "Not Found",
    errorCode: "RESOURCE_NOT_FOUND",
    detail: "Cannot find resource.",
  };
  sandbox.addFault({ method: "GET", pathPattern: "/invites$", times: 0, fault: { status: 404, body } });
  expect(await errorsOf(stack.up())).not.toContain("needs Organization Owner");
});

it("a refresh that cannot read the invitations keeps the recorded invitation of a member", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: invitationId } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  await succeeded(stack.up());
  const body = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  sandbox.addFault({ method: "GET", pathPattern: "/invites$", times: 0, fault: { status: 403, body } });
  await succeeded(stack.refresh());
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ invitationId });
});

it("other roles that are given while the invitations cannot be read lose no recorded invitation of the member", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: invitationId } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  await succeeded(stack.up());
  const body = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  sandbox.addFault({ method: "GET", pathPattern: "/invites$", times: 0, fault: { status: 403, body } });
  await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toContain(`${ada} ORG_READ_ONLY`);
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ invitationId });
  await stack.destroy();
  expect(deletions(sandbox)).toEqual([]);
});

describe("another account that gets the name of an invited account", () => {
  const bob = "bob@example.com";
  async function begin() {
    const setup = await setUpPeople({ ada: member() });
    const { sandbox, stack } = setup;
    const { id } = sandbox.addUser({ username: ada });
    const { id: bobId } = sandbox.setOrgMember(orgId, { username: bob }, ["ORG_OWNER"]);
    await succeeded(stack.up());
    const takeName = () => {
      sandbox.changeUser(id, { username: lovelace });
      sandbox.changeUser(bobId, { username: ada });
    };
    return { ...setup, id, bobId, takeName };
  }

  it("is neither demoted nor removed after the invited one accepted", async () => {
    const { sandbox, stack, id, bobId } = await begin();
    sandbox.changeUser(id, { username: lovelace });
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
    sandbox.changeUser(bobId, { username: ada });
    await stack.up();
    expect(peopleOf(sandbox)).toContain(`${ada} ORG_OWNER`);
    await stack.destroy();
    expect(peopleOf(sandbox)).toContain(`${ada} ORG_OWNER`);
  });

  it("is not removed after the invitation was taken back", async () => {
    const { sandbox, stack, takeName } = await begin();
    sandbox.removeInvitation(sandbox.state.invitations[0]?.id ?? "");
    takeName();
    await stack.destroy();
    expect(peopleOf(sandbox)).toContain(`${ada} ORG_OWNER`);
  });
});

it("an account that has the name of a recorded, departed member is a reason for an error, not for an invitation", async () => {
  const { sandbox, stack, declare } = await setUpPeople(
    { ada: member() },
    { provider: "dynamic", ...offered },
  );
  const { id } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(stack.up());
  sandbox.changeUser(id, { username: lovelace });
  sandbox.removeOrgMember(orgId, { id });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  sandbox.clearRequests();
  await stack.up();
  expect(writes(sandbox).filter(({ method }) => method === "POST")).toEqual([]);
});

it("a secret username appears in no message, also in the spelling of the service", async () => {
  const secret = { username: { "fn::secret": ada } };
  const { sandbox, stack, declare } = await setUpPeople({});
  sandbox.setOrgMember(orgId, { username: "Ada@Example.com" }, ["ORG_READ_ONLY"]);
  await declare({ ada: member(secret) });
  for (const run of [await stack.preview(), await stack.up(), await stack.destroy()])
    expect(`${run.output}\n${messagesOf(run)}`.toLowerCase()).not.toContain(ada);
});

it.each(bothProviders)(
  "an exchange of two names between two resources removes no one (%s)",
  async (provider) => {
    const bob = "bob@example.com";
    const { sandbox, stack, declare } = await setUpPeople(
      { one: member(), two: member({ username: bob }) },
      { provider, ...offered },
    );
    for (const username of [ada, bob]) sandbox.setOrgMember(orgId, { username }, ["ORG_MEMBER"]);
    await succeeded(stack.up());
    sandbox.clearRequests();
    await declare({ one: member({ username: bob }), two: member() });
    await succeeded(stack.up());
    expect(deletions(sandbox)).toEqual([]);
  },
);

it("the person moves to another organization and leaves the old one", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  const { id: other } = sandbox.addOrg({ name: "Other" });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(stack.up());
  await declare({ ada: member({ orgId: other }) });
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([`${ada} is invited ORG_MEMBER`]);
});

it("--replace of an active member loses neither the person nor the origin", async () => {
  keepDefault("refreshBeforeUpdate", "a replacement by --replace needs a read of the person in the same run");
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
  await succeeded(stack.up());
  await succeeded(stack.up({ replace: [urn] }));
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ origin: "created" });
});
