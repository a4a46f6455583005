/** OrganizationMember: owners, side by side too; what a service or a key does not offer; and which account is meant. */

import { deletions, nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, member, offered, olga, orgId, peopleOf, setUpPeople } from "./organization";

afterEach(tearDownStacks);

const lovelace = "ada.lovelace@example.com";
const paymentsId = "5f00000000000000000000a1";
const urn = "urn:pulumi:test::platform::opsmanager:index:OrganizationMember::ada";

it("an ORG_MEMBER that the service adds is no difference", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER", "ORG_READ_ONLY"]);
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

// Whether a PATCH without them drops them is not documented.
it("a person who is invited stays invited to the teams of the invitation when the roles change", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  const teamIds = [sandbox.addTeam({ name: "operators", orgId }).id];
  sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_READ_ONLY"], teamIds });
  await succeeded(stack.up());
  expect(writes(sandbox)).toMatchObject([{ method: "PATCH", body: { roles: ["ORG_MEMBER"], teamIds } }]);
  expect(sandbox.state.invitations).toMatchObject([{ roles: ["ORG_MEMBER"], teamIds }]);
});

describe.each(bothProviders)(
  "a person whom the service adds with a project of the same program (%s)",
  (provider) => {
    const inBoth = (projectId: string, roles: readonly string[], first: "project" | "none") => {
      const properties = { projectId, username: ada, roles: ["GROUP_READ_ONLY"] };
      const options = first === "project" ? { dependsOn: ["${inProject}"] } : {};
      return { ada: member({ roles }, options), inProject: { type: "ProjectMember" as const, properties } };
    };

    async function setUpBoth(roles: readonly string[]) {
      const switches = { ...offered, bypassInvitations: true };
      const setup = await setUpPeople({}, { provider, ...switches });
      const { sandbox, stack, declare } = setup;
      sandbox.addUser({ username: ada });
      const { id: projectId } = sandbox.addProject({ name: "payments", orgId });
      // The project's write comes between the read and the write of the organization.
      await stack.before("POST", /orgs.*invites/, () =>
        sandbox.setMember(projectId, { username: ada }, ["GROUP_READ_ONLY"]),
      );
      await declare(inBoth(projectId, roles, "none"));
      return { ...setup, projectId };
    }

    it.each([[["ORG_MEMBER"]], [["ORG_READ_ONLY"]]])(
      "is a member of the organization with %j",
      async (roles) => {
        const { sandbox, stack } = await setUpBoth(roles);
        const up = await succeeded(stack.up());
        expect(peopleOf(sandbox)).toEqual([`${ada} ${roles}`]);
        expect(await stack.resource("ada")).toMatchObject({
          outputs: { status: "active", origin: "adopted" },
        });
        expect(messagesOf(up)).toContain(`${ada} is in organization ${orgId} already`);
        expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
      },
    );

    it("is one without an invitation if the project comes first", async () => {
      const { sandbox, stack, declare, projectId } = await setUpBoth(["ORG_MEMBER"]);
      await declare(inBoth(projectId, ["ORG_MEMBER"], "project"));
      await succeeded(stack.up());
      expect(writes(sandbox).map(({ path: sent }) => sent)).toEqual([`/groups/${projectId}/users`]);
    });
  },
);

describe("the only owner of the organization", () => {
  const only = { username: olga, roles: ["ORG_OWNER"] };

  it("is not demoted, of which the preview warns, and not removed", async () => {
    const { sandbox, stack, declare } = await setUpPeople({ olga: member(only) });
    await succeeded(stack.up());
    await declare({ olga: member({ ...only, roles: ["ORG_MEMBER"] }) });
    expect(messagesOf(await succeeded(stack.preview()), "warning")).toContain(
      "is the only owner of the organization. The update fails unless another member becomes an owner before.",
    );
    expect(await errorsOf(stack.up())).toContain(`is the only owner of organization ${orgId}`);
    expect(await errorsOf(stack.destroy())).toContain("was not removed. Give ORG_OWNER to another member");
    expect(writes(sandbox)).toEqual([]);
  });

  it("is removed after another one was added", async () => {
    const { sandbox, stack } = await setUpPeople({ olga: member(only) });
    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_OWNER"]);
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
    expect(sandbox.user({ username: olga })?.roles).toEqual([]);
  });
});

describe("an invited owner who accepts during the run, while the other owner leaves", () => {
  async function begin(method: "PATCH" | "DELETE") {
    const setup = await setUpPeople({ ada: member({ roles: ["ORG_OWNER"] }) });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    await stack.before(method, /invites/, () => {
      sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
      sandbox.setOrgMember(orgId, { username: olga }, ["ORG_MEMBER"]);
    });
    return setup;
  }

  it("is not demoted", async () => {
    const { sandbox, stack, declare } = await begin("PATCH");
    await declare({ ada: member() });
    expect(await errorsOf(stack.up())).toContain(`${ada} is the only owner of organization ${orgId}`);
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
  });

  it("is not removed", async () => {
    const { sandbox, stack } = await begin("DELETE");
    expect(await errorsOf(stack.destroy())).toContain(`${ada} is the only owner of organization ${orgId}`);
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
  });
});

describe("a service that documents no changes of members", () => {
  it("refuses other roles and a removal with what to do, and nothing changes", async () => {
    const { sandbox, stack, declare } = await setUpPeople({ ada: member() }, {});
    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await succeeded(stack.up());
    await declare({ ada: member({ roles: ["ORG_OWNER"] }) });
    expect(await errorsOf(stack.up())).toContain(
      "Only Cloud Manager documents this operation, so nothing was changed.",
    );
    expect(await errorsOf(stack.destroy())).toContain('set onDestroy to "release"');
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
  });

  it("takes invitations back", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() }, {});
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(peopleOf(sandbox)).toEqual([]);
  });
});

it("no one is invited by a service that does not offer invitations, or whose invitations cannot be read, and the error says which", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  const refuse = (status: number, errorCode: string) =>
    sandbox.addFault({
      method: "GET",
      pathPattern: "/invites",
      fault: { status, body: { error: status, errorCode, detail: "No." } },
    });
  refuse(404, "RESOURCE_NOT_FOUND");
  expect(await errorsOf(stack.up())).toContain(
    `${ada} was not invited to organization ${orgId}: this service does not offer invitations to organizations.`,
  );
  refuse(403, "NOT_ALLOWED");
  expect(await errorsOf(stack.up())).toContain(
    `${ada} was not invited to organization ${orgId}: its pending invitations cannot be read, so the provider cannot tell whether one exists. Reading them needs Organization Owner.`,
  );
  expect(peopleOf(sandbox)).toEqual([]);
});

it("an account that has taken the name of one that left is not changed for it", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  sandbox.removeOrgMember(orgId, { username: ada });
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: "former@example.com" });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  expect(await errorsOf(stack.up())).toContain(
    `${ada} in organization ${orgId} is another account now: the recorded one has left. Nothing was written. To manage the other account, run pulumi refresh, and then pulumi up.`,
  );
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
});

it("an invited account has the userId that the documents promise", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  const { id } = sandbox.addUser({ username: ada });
  await succeeded(stack.up());
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "pending", userId: id });
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

it.each(["member", "new person"])("a key that may not read the members changes no %s", async (who) => {
  const { sandbox, stack, declare } = await setUpPeople(who === "member" ? { ada: member() } : {});
  await succeeded(stack.up());
  const before = peopleOf(sandbox);
  const body = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  const pathPattern = `/orgs/${orgId}/users`;
  sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 403, body } });
  sandbox.clearRequests();
  await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
  if (who === "member") expect(await errorsOf(stack.destroy())).toContain("403 NOT_ALLOWED");
  expect(writes(sandbox)).toEqual([]);
  expect(peopleOf(sandbox)).toEqual(before);
});
