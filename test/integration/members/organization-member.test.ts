/** OrganizationMember: owners, side by side too; what a service or a key does not offer; and which account is meant. */

import type { Sandbox } from "../../../sandbox";
import { deletions, nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  ada,
  lovelace,
  memberCases,
  member as memberOf,
  olga,
  orgId,
  otherProjectId,
  peopleOf as peopleIn,
  projectId,
  startMembers,
} from "./members";

afterEach(tearDownStacks);

const [inProject, which] = memberCases;
if (inProject?.kind !== "ProjectMember" || which?.kind !== "OrganizationMember")
  throw new Error("The first kind of member is that of projects, the second one that of organizations.");

const member = (properties: Readonly<Record<string, unknown>> = {}, options = {}) =>
  memberOf(which, properties, options);
const peopleOf = (sandbox: Sandbox) => peopleIn(which, sandbox);
const owning = { roles: ["ORG_OWNER"] };
const theOwner = { username: olga, ...owning };
const notAllowed = refusal(403, "NOT_ALLOWED");
const invites = { method: "GET", pathPattern: "/invites$", times: 0 };

/** Nothing but the organization depends on Olga from now on. */
function leaveProjects(sandbox: Sandbox): void {
  for (const project of [projectId, otherProjectId]) sandbox.removeMember(project, { username: olga });
}

/** Ada is a member, declared, and her resource created. */
async function holdAda(circumstances: Parameters<typeof startMembers>[1] = {}) {
  const setup = await startMembers({ ada: member() }, circumstances);
  const { id: adaId } = setup.sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return { ...setup, adaId };
}

// With the read cache off, each protection has a read of its own.
it.each([1, 2])(
  "the last direct owner of a project is not asked to leave if the people cannot be read at read %s",
  async (last) => {
    const config = { readCacheSeconds: 0, refreshBeforeUpdate: false };
    const { sandbox, stack } = await holdAda({ config });
    leaveProjects(sandbox);
    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
    const people = { method: "GET", pathPattern: "/orgs/\\w+/users" };
    if (last > 1) sandbox.addFault({ ...people, fault: { delayMs: 0 }, times: last - 1 });
    sandbox.addFault({ ...people, fault: notAllowed });
    expect(await errorsOf(stack.destroy())).toContain(
      `Listing the people of organization ${orgId} failed: 403`,
    );
    expect(writes(sandbox)).toEqual([]);
  },
);

it("an ORG_MEMBER that the service adds is no difference", async () => {
  const { sandbox, stack } = await startMembers({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER", "ORG_READ_ONLY"]);
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

// Whether a PATCH without them drops them is not documented.
it("a person who is invited stays invited to the teams of the invitation when the roles change", async () => {
  const { sandbox, stack } = await startMembers({ ada: member() });
  const teamIds = [sandbox.addTeam({ name: "operators", orgId }).id];
  sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_READ_ONLY"], teamIds });
  await succeeded(stack.up());
  expect(writes(sandbox)).toMatchObject([{ method: "PATCH", body: { roles: ["ORG_MEMBER"], teamIds } }]);
  expect(sandbox.state.invitations).toMatchObject([{ roles: ["ORG_MEMBER"], teamIds }]);
});

it("an invited account has the userId that the documents promise", async () => {
  const { sandbox, stack, outputs } = await startMembers({ ada: member() });
  const { id: userId } = sandbox.addUser({ username: ada });
  await succeeded(stack.up());
  expect(await outputs()).toMatchObject({ status: "pending", userId });
});

it.each(
  bothProviders.flatMap((provider) => ["ORG_MEMBER", "ORG_READ_ONLY"].map((role) => ({ provider, role }))),
)(
  "a person whom the service adds with a project of the same program is adopted, as $role ($provider)",
  async ({ provider, role }) => {
    const inProject = {
      type: "ProjectMember",
      properties: { projectId, username: ada, roles: ["GROUP_READ_ONLY"] },
    };
    const { sandbox, stack, outputs } = await startMembers(
      { ada: member({ roles: [role] }), inProject },
      { provider, sandbox: { bypassInvitations: true } },
    );
    sandbox.addUser({ username: ada });
    // The project's write comes between the read and the write of the organization.
    await stack.before("POST", /orgs.*invites/, () =>
      sandbox.setMember(projectId, { username: ada }, ["GROUP_READ_ONLY"]),
    );
    const up = await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([`${ada} ${role}`]);
    expect(await outputs()).toMatchObject({ status: "active", origin: "adopted" });
    expect(messagesOf(up)).toContain(`${ada} is in organization ${orgId} already`);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  },
);

describe("the only owner of the organization", () => {
  it("is neither demoted, of which the preview warns, nor removed before another one was added", async () => {
    const { sandbox, stack, declare } = await startMembers({ olga: member(theOwner) });
    leaveProjects(sandbox);
    await succeeded(stack.up());
    await declare({ olga: member({ username: olga }) });
    expect(messagesOf(await succeeded(stack.preview()), "warning")).toContain(
      "is the only owner of the organization. The update fails unless another member becomes an owner before.",
    );
    expect(await errorsOf(stack.up())).toContain(`is the only owner of organization ${orgId}`);
    expect(await errorsOf(stack.destroy())).toContain("was not removed. Give ORG_OWNER to another member");
    expect(writes(sandbox)).toEqual([]);
    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_OWNER"]);
    await succeeded(stack.destroy());
    expect(sandbox.user({ username: olga })?.roles).toEqual([]);
  });

  it("passes the ownership on in one run, in the order of dependsOn", async () => {
    const { sandbox, stack, declare } = await holdAda();
    await declare({ ada: member(), olga: member(theOwner) });
    await succeeded(stack.up());
    await declare({
      ada: member(owning),
      olga: member({ username: olga }, { dependsOn: ["${ada}"] }),
    });
    await succeeded(stack.preview());
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
  });

  it.each([
    { method: "PATCH", done: "demoted" },
    { method: "DELETE", done: "removed" },
  ])(
    "is not $done if they were invited, and accept during the run while the other one leaves",
    async ({ method }) => {
      const { sandbox, stack, declare, accept } = await startMembers({ ada: member(owning) });
      await succeeded(stack.up());
      await stack.before(method, /invites/, () => {
        accept();
        sandbox.setOrgMember(orgId, { username: olga }, ["ORG_MEMBER"]);
      });
      if (method === "PATCH") await declare({ ada: member() });
      else await declare({});
      expect(await errorsOf(stack.up())).toContain(`${ada} is the only owner of organization ${orgId}`);
      expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
    },
  );

  it.each([
    { what: "no roles", shown: {} },
    { what: "everyone with an empty list of roles", shown: { roles: [] } },
  ])("stays if the service shows $what", async ({ shown }) => {
    const { sandbox, stack } = await startMembers({ olga: member(theOwner) });
    await succeeded(stack.up());
    const results = sandbox.state.users.map(({ id, username }) => ({ id, username, ...shown }));
    const fault = { status: 200, body: { results, totalCount: results.length } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/users", times: 0, fault });
    expect(await errorsOf(stack.destroy())).toMatch(
      /the provider cannot tell who owns it|its list of people shows no owner/,
    );
    expect(deletions(sandbox)).toEqual([]);
  });
});

describe("two people, whose resources one run changes side by side", () => {
  async function begin(names: readonly string[], roles: readonly string[]) {
    const { sandbox } = await startMembers({});
    const { baseUrl, publicKey, privateKey } = sandbox;
    leaveProjects(sandbox);
    for (const username of names.filter((name) => name !== olga)) which?.set(sandbox, username, roles);
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
    const errorsOfAll = async (act: (resource: (typeof resources)[number]) => Promise<unknown>) => {
      const results = await Promise.allSettled(resources.map(act));
      return results.flatMap((result) =>
        result.status === "rejected" ? [String(result.reason.message)] : [],
      );
    };
    return { sandbox, connection, errorsOfAll };
  }

  it.each(["delete", "demote"] as const)(
    "who own the organization: the service is not asked to %s the last one",
    async (what) => {
      const { sandbox, connection, errorsOfAll } = await begin([ada, olga], ["ORG_OWNER"]);
      const errors = await errorsOfAll((resource) =>
        what === "delete"
          ? connection.delete(resource)
          : connection.update(resource, { ...resource.inputs, roles: ["ORG_MEMBER"] }, false),
      );
      expect(errors.join("")).toContain("is the only owner of organization");
      expect(writes(sandbox)).toHaveLength(1);
    },
  );

  it("who own a project directly: the last one stays", async () => {
    const { sandbox, connection, errorsOfAll } = await begin([ada, lovelace], ["ORG_MEMBER"]);
    for (const username of [ada, lovelace]) sandbox.setMember(projectId, { username }, ["GROUP_OWNER"]);
    expect(await errorsOfAll((resource) => connection.delete(resource))).toEqual([
      expect.stringContaining("no direct owner would be left in project"),
    ]);
    expect(deletions(sandbox)).toHaveLength(1);
  });
});

it("a service that documents no changes of members refuses them with what to do, and takes invitations back", async () => {
  const { sandbox, stack, declare } = await holdAda({ sandbox: { orgUserChanges: "not-offered" } });
  await declare({ ada: member(owning), eve: member({ username: "eve@example.com" }) });
  expect(await errorsOf(stack.up())).toContain(
    "Only Cloud Manager documents this operation, so nothing was changed.",
  );
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`, "eve@example.com invited ORG_MEMBER"]);
  expect(await errorsOf(stack.destroy())).toContain('set onDestroy to "release"');
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
});

it("no one is invited by a service that does not offer invitations, or whose invitations cannot be read, and the error says which", async () => {
  const { sandbox, stack } = await startMembers({ ada: member() });
  sandbox.addFault({ ...invites, times: 1, fault: refusal(404, "RESOURCE_NOT_FOUND") });
  expect(await errorsOf(stack.up())).toContain(
    `${ada} was not invited to organization ${orgId}: this service does not offer invitations to organizations.`,
  );
  sandbox.addFault({ ...invites, times: 1, fault: notAllowed });
  expect(await errorsOf(stack.up())).toContain(
    `${ada} was not invited to organization ${orgId}: its pending invitations cannot be read, so the provider cannot tell whether one exists. Reading them needs Organization Owner.`,
  );
  expect(peopleOf(sandbox)).toEqual([]);
});

it("neither a refresh nor other roles lose the recorded invitation of a member while the invitations cannot be read", async () => {
  const { sandbox, stack, declare, outputs } = await startMembers({ ada: member() });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: invitationId } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  await succeeded(stack.up());
  sandbox.addFault({ ...invites, fault: notAllowed });
  await succeeded(stack.refresh());
  expect(await outputs()).toMatchObject({ invitationId });
  await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toContain(`${ada} ORG_READ_ONLY`);
  expect(await outputs()).toMatchObject({ invitationId });
  await stack.destroy();
  expect(deletions(sandbox)).toEqual([]);
});

it("a key that may not read the members removes no one", async () => {
  const { sandbox, stack } = await holdAda();
  const pathPattern = `/orgs/${orgId}/users`;
  sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: notAllowed });
  expect(await errorsOf(stack.destroy())).toContain("403 NOT_ALLOWED");
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
});

it.each(bothProviders)(
  "an account that has taken the name of one that left is neither changed for it nor invited (%s)",
  async (provider) => {
    const config = { refreshBeforeUpdate: false };
    const { sandbox, stack, declare, adaId } = await holdAda({ provider, config });
    sandbox.removeOrgMember(orgId, { id: adaId });
    sandbox.changeUser(adaId, { username: lovelace });
    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
    expect(await errorsOf(stack.up())).toContain(
      `${ada} in organization ${orgId} is another account now: the recorded one has left. Nothing was written. To manage the other account, run pulumi refresh, and then pulumi up.`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
  },
);

it("--replace of an active member loses neither the person nor the origin", async () => {
  keepDefault("refreshBeforeUpdate", "a replacement by --replace needs a read of the person in the same run");
  const { sandbox, stack, accept, outputs } = await startMembers({ ada: member() });
  await succeeded(stack.up());
  accept();
  await succeeded(stack.up());
  await succeeded(stack.up({ replace: [(await stack.resource("ada"))?.urn ?? ""] }));
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_MEMBER`]);
  expect(await outputs()).toMatchObject({ origin: "created" });
});
