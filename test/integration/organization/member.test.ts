/** OrganizationMember: one person in one organization, from the invitation to the removal. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, member, offered, olga, orgId, peopleOf, setUpPeople } from "./people";

afterEach(tearDownStacks);

const path = `/orgs/${orgId}`;

it.each(bothProviders)(
  "a person is invited, accepts, gets other roles, is corrected and removed (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const { sandbox, stack, declare } = await setUpPeople({ ada: member() }, { provider, ...offered });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: `${path}/invites`, body: { username: ada, roles: ["ORG_MEMBER"] } },
    ]);
    expect(await stack.resource("ada")).toMatchObject({
      id: `${orgId}/${ada}`,
      outputs: { status: "pending", origin: "created", expiresAt: expect.any(String) },
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);

    await declare({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([`${ada} is invited ORG_READ_ONLY`]);

    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
    await succeeded(stack.up());
    await succeeded(stack.refresh());
    expect((await stack.resource("ada"))?.outputs).toMatchObject({
      status: "active",
      userId: sandbox.user({ username: ada })?.id,
    });

    sandbox.setOrgMember(orgId, { username: ada }, ["ORG_OWNER"]);
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([`${ada} ORG_READ_ONLY`]);

    await declare({});
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual([]);
  },
);

it("an ORG_MEMBER that the service adds is no difference", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member({ roles: ["ORG_READ_ONLY"] }) });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER", "ORG_READ_ONLY"]);
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

describe("a person who is there already", () => {
  it("is adopted, and the preview says what changes and what destroying would do", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    sandbox.setOrgMember(orgId, { username: "Ada@example.com" }, ["ORG_READ_ONLY"]);
    const preview = messagesOf(await succeeded(stack.preview()));
    expect(preview).toContain(
      `Ada@example.com is in organization ${orgId} already: roles ORG_READ_ONLY become ORG_MEMBER.`,
    );
    expect(preview).toContain("removes them from the organization, and so from its teams and projects");
    await succeeded(stack.up());
    expect(peopleOf(sandbox)).toEqual(["Ada@example.com ORG_MEMBER"]);
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ origin: "adopted" });
  });

  it("is not invited again if the invitation is pending", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_MEMBER"] });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
  });

  // Whether a PATCH without them drops them is not documented.
  it("stays invited to the teams of the invitation when its roles change", async () => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    const teamIds = [sandbox.addTeam({ name: "operators", orgId }).id];
    sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_READ_ONLY"], teamIds });
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "PATCH", body: { roles: ["ORG_MEMBER"], teamIds } }]);
    expect(sandbox.state.invitations).toMatchObject([{ roles: ["ORG_MEMBER"], teamIds }]);
  });

  it("keeps the resource after the account is renamed, under the old and the new name", async () => {
    const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
    const { id } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await succeeded(stack.up());
    sandbox.changeUser(id, { username: "ada.lovelace@example.com" });
    expect(await upAgain({ sandbox, stack })).toMatchObject({ writes: [] });
    await declare({ ada: member({ username: "ada.lovelace@example.com" }) });
    expect(operations(await succeeded(stack.up({ refresh: true })))).not.toMatchObject({ ada: "replace" });
    expect(peopleOf(sandbox)).toEqual(["ada.lovelace@example.com ORG_MEMBER"]);
  });

  it.each(["name", "account"] as const)("is imported by %s", async (by) => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    const { id } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
    await succeeded(
      stack.import("opsmanager:index:OrganizationMember", "ada", `${orgId}/${by === "name" ? ada : id}`),
    );
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  });
});

it("an existing account that the service adds at once is recorded as a member", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() }, { ...offered, bypassInvitations: true });
  sandbox.addUser({ username: ada });
  await succeeded(stack.up());
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "active" });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
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

it("an invitation that expired is sent again", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  sandbox.expireInvitation(sandbox.state.invitations[0]?.id ?? "");
  expect(operations(await succeeded(stack.up({ refresh: true })))).toEqual({ ada: "create" });
});

it("a person who accepts while the run changes the invitation gets the roles as a member", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  await declare({ ada: member({ roles: ["ORG_OWNER"] }) });
  await stack.before("PATCH", /invites/, () =>
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? ""),
  );
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
});

it("a person who accepts while the run takes the invitation back is removed as a member", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  await declare({});
  await stack.before("DELETE", /invites/, () =>
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? ""),
  );
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([]);
});

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

it("a key that may not read invitations keeps what is recorded and invites no one", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  const refusal = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  const fault = { status: 403, body: refusal };
  sandbox.addFault({ method: "GET", pathPattern: "/invites$", times: 0, fault });
  sandbox.clearRequests();
  const refresh = await succeeded(stack.refresh());
  expect(messagesOf(refresh, "warning")).toContain(`[unreadable] [organization people ${orgId}]`);
  await declare({ ada: member(), ben: member({ username: "ben@example.com" }) });
  expect(await errorsOf(stack.up())).toContain("ben@example.com was not invited to organization");
  expect(writes(sandbox)).toEqual([]);
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

it("two resources of one person are an error", async () => {
  const { stack } = await setUpPeople({ ada: member(), other: member({ username: "ADA@example.com" }) });
  expect(await errorsOf(stack.preview())).toContain(
    "already declared by urn:pulumi:test::platform::opsmanager:index:OrganizationMember::ada",
  );
});

it("a person whose resource is renamed in the program stays", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  await declare({ lovelace: member() });
  sandbox.clearRequests();
  const run = await succeeded(stack.up());
  expect(messagesOf(run)).toContain("was kept because");
  expect(writes(sandbox)).toEqual([]);
});

it("removals count for maxRemovalsPerRun, and onDestroy releases", async () => {
  const { sandbox, stack, declare } = await setUpPeople({ ada: member() });
  await succeeded(stack.up());
  await stack.setConfig({ maxRemovalsPerRun: 0 });
  expect(await errorsOf(stack.destroy())).toContain("more than the setting maxRemovalsPerRun (0) allows");
  await declare({ ada: member({ onDestroy: "release" }) });
  await succeeded(stack.up());
  await succeeded(stack.destroy());
  expect(peopleOf(sandbox)).toEqual([`${ada} is invited ORG_MEMBER`]);
});

it.each([
  [401, "USER_UNAUTHORIZED"],
  [403, "USER_UNAUTHORIZED"],
  [404, "RESOURCE_NOT_FOUND"],
])(
  "an invitation that cannot be deleted and then not be read (%s) stays in the state",
  async (status, errorCode) => {
    const { sandbox, stack } = await setUpPeople({ ada: member() });
    await succeeded(stack.up());
    const fault = { status, body: { error: status, errorCode, detail: "No." } };
    await stack.before("DELETE", /\/invites\//, () => {
      sandbox.addFault({ method: "DELETE", pathPattern: "/invites/", times: 0, fault });
      sandbox.addFault({ method: "GET", pathPattern: "/invites", times: 0, fault });
    });
    expect(await errorsOf(stack.destroy())).toContain(errorCode);
    expect(await stack.resource("ada")).toBeDefined();
    expect(peopleOf(sandbox)).toEqual([`${ada} is invited ORG_MEMBER`]);
  },
);

it("roles that change outside Pulumi stay if ignoreChanges names them", async () => {
  const options = { ignoreChanges: ["roles"] };
  const { sandbox, stack, declare } = await setUpPeople({ ada: member({}, options) });
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  await succeeded(stack.up());
  sandbox.setOrgMember(orgId, { username: ada }, ["ORG_OWNER"]);
  await declare({ ada: member({ onDestroy: "release" }, options) });
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([`${ada} ORG_OWNER`]);
});

it("a lost response to an invitation is found again by a read", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  sandbox.addFault({ method: "POST", pathPattern: "invites$", fault: "reset-after-write" });
  await succeeded(stack.up());
  expect(peopleOf(sandbox)).toEqual([`${ada} is invited ORG_MEMBER`]);
});

it("an import of a person who is not there fails, one that cannot decide says why, and one of another form names the forms", async () => {
  const { sandbox, stack } = await setUpPeople({});
  const importing = (id: string) => stack.import("OrganizationMember", "ada", id);
  const missing = await importing(`${orgId}/${ada}`);
  expect([missing.exitCode, messagesOf(missing, "error")]).toEqual([1, ""]);
  expect(await errorsOf(importing(ada))).toContain(
    "does not name a person: OrganizationMember is imported by <orgId>/<username> or <orgId>/<userId>.",
  );
  for (const pathPattern of ["/invites", "/users"]) {
    sandbox.addFault({ method: "GET", pathPattern, fault: { status: 403 } });
    expect(await errorsOf(importing(`${orgId}/${ada}`))).toContain("403");
  }
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

it("other roles than those that were sent are recorded, and the error names them", async () => {
  const { sandbox, stack } = await setUpPeople({ ada: member() });
  await stack.before("POST", /\/invites$/, () => {
    const { id } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_READ_ONLY"] });
    const body = { id, orgId, username: ada, roles: ["ORG_READ_ONLY"], createdAt: "2026-01-01T00:00:00Z" };
    sandbox.addFault({ method: "POST", pathPattern: "/invites$", fault: { status: 200, body } });
  });
  expect(await errorsOf(stack.up())).toContain(
    `roles of ${ada} in organization ${orgId} were sent as ORG_MEMBER, but the service stored ORG_READ_ONLY.`,
  );
  expect(await stack.resource("ada")).toMatchObject({
    outputs: { roles: ["ORG_READ_ONLY"], status: "pending" },
  });
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
