/** ProjectMembers: what a list writes, records and says, and what it does with responses that lack something. */
import { invitationOf, membershipsIn, nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { type Run, tearDownStacks } from "../../support/model-stack";
import { ben, cleo, stranger } from "../../support/people";
import { refusal } from "../refusal";
import {
  ada,
  admins,
  allMembers,
  bob,
  eve,
  owner,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const dora = "dora@example.com";
const users = { method: "GET", pathPattern: "/groups/\\w+/users", times: 0 };
const notOffered = { status: 405, body: "" };
const withoutRetries = { "opsmanager:maxRetries": 0 };

it.each(bothProviders)(
  "the first up adds accounts, invites others, corrects roles and invitations, and the next one changes nothing (%s)",
  async (provider) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({
      provider,
      sandbox: { bypassInvitations: true },
      members: { [ada]: readers },
      invited: { [eve]: readers },
      accounts: [ben],
    });
    const { id } = invitationOf(sandbox, eve);
    const active = { [ada]: ["GROUP_DATA_ACCESS_ADMIN"], [ben]: readers };
    const pending = { [cleo]: readers, [eve]: admins };
    const up = await succeeded(upWith({ people: allMembers({ ...active, ...pending }) }));
    expect(up.changes).toEqual({ create: 1 });
    expect(messagesOf(up, "warning")).toBe("");
    expect(membershipsIn(sandbox)).toEqual(peopleWith(active, pending));
    expect(invitationOf(sandbox, eve)).toMatchObject({ id, roles: admins });
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      outputs: {
        members: { [owner]: owners, ...active, ...pending },
        memberDetails: [
          { username: ada, status: "active", declared: true, ignored: false },
          { username: ben, status: "active", userId: userId(ben) },
          { username: cleo, status: "pending", invitationId: invitationOf(sandbox, cleo).id },
          { username: eve, status: "pending", invitationId: id },
          { username: owner, status: "active", roles: owners },
        ],
        orgId: sandbox.orgId,
        origin: "created",
        onDestroy: "release",
        ignoreUsers: [],
        maxRemovals: 5,
        removeUnlisted: false,
      },
    });
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  },
);

it("a changed list sends only what differs: additions and more roles first, other changes next, removals last", async () => {
  const members = { [ada]: readers, [ben]: readers, [cleo]: readers };
  const { sandbox, stack, userId, upWith } = await setUpPayments({
    sandbox: { bypassInvitations: true },
    members,
    accounts: [dora],
  });
  await succeeded(upWith({ people: allMembers(members) }));
  const both = ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"];
  const monitoring = ["GROUP_MONITORING_ADMIN"];
  const changed = { [ada]: both, [cleo]: monitoring, [dora]: readers };
  await succeeded(upWith({ people: allMembers(changed) }));
  const post = (username: string, roles: readonly string[]) => ({
    method: "POST",
    path: `/groups/${projectId}/users`,
    body: [{ id: userId(username), roles: roles.map((roleName) => ({ roleName })) }],
  });
  const sent = writes(sandbox);
  // Additions and changes that only add roles run together, in no order among themselves.
  expect(sent.slice(0, 2)).toEqual(expect.arrayContaining([post(dora, readers), post(ada, both)]));
  expect(sent.slice(2)).toEqual([
    post(cleo, monitoring),
    { method: "DELETE", path: `/groups/${projectId}/users/${userId(ben)}` },
  ]);
  expect(membershipsIn(sandbox)).toEqual(peopleWith(changed));
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

it("a preview names unlisted people, each overwritten set of roles and each removal, and writes nothing (plugin; the dynamic host reads nothing in a preview)", async () => {
  const before = { [ada]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"], [ben]: readers };
  const { sandbox, upWith, previewWith } = await setUpPayments({
    members: { ...before, [stranger]: readers },
    invited: { [cleo]: readers },
  });
  const becomes = `${ada} in project ${projectId}: roles GROUP_READ_ONLY, GROUP_USER_ADMIN become GROUP_DATA_ACCESS_ADMIN, GROUP_USER_ADMIN.`;
  const removals = [
    `${ben} (GROUP_READ_ONLY) will be removed from project ${projectId}.`,
    `The invitation of ${cleo} to project ${projectId} will be deleted.`,
  ];
  const changed = { [ada]: ["GROUP_DATA_ACCESS_ADMIN", "GROUP_USER_ADMIN"], [dora]: readers };
  const first = await succeeded(previewWith({ people: allMembers(changed) }));
  expect(messagesOf(first, "warning")).toContain(
    `3 people in project ${projectId} are not listed and not changed: ${ben}, ${cleo}, ${stranger}. To manage them, list them in members.`,
  );
  expect(messagesOf(first, "info")).toContain(becomes);
  expect(messagesOf(first, "info")).not.toContain("will be removed");
  const unlisted = await succeeded(previewWith({ people: allMembers(changed, { removeUnlisted: true }) }));
  for (const removal of removals) expect(messagesOf(unlisted, "info")).toContain(removal);

  await succeeded(upWith({ people: allMembers({ ...before, [cleo]: readers }) }));
  sandbox.clearRequests();
  const preview = await succeeded(previewWith({ people: allMembers(changed) }));
  expect(changedPaths(preview, "people")).toEqual({
    [`members["${ada}"][0]`]: "update",
    [`members["${ben}"]`]: "delete",
    [`members["${cleo}"]`]: "delete",
    [`members["${dora}"]`]: "add",
  });
  for (const text of [becomes, ...removals]) expect(messagesOf(preview, "info")).toContain(text);
  expect(messagesOf(preview, "info")).not.toContain(owner);
  expect(writes(sandbox)).toEqual([]);
});

it("people with the names of inherited properties are declared, changed and removed as any others", async () => {
  const names = ["constructor", "hasOwnProperty", "toString"];
  const having = (roles: readonly string[], people = names) =>
    Object.fromEntries(people.map((name) => [name, roles]));
  // The model of the engine cannot hold `__proto__` in a map: `test/engine/people/check`.
  const members = having(readers, [...names, "__proto__"]);
  const { sandbox, upWith } = await setUpPayments({ members });
  const undeclared = await succeeded(upWith({ people: allMembers({}) }));
  for (const name of [...names, "__proto__"]) expect(messagesOf(undeclared)).toContain(name);
  const people = allMembers(having(admins));
  await succeeded(upWith({ people }));
  expect(membershipsIn(sandbox).members).toMatchObject(having(admins));
  expect((await succeeded(upWith({ people }))).changes).toEqual({ same: 1 });
  await succeeded(upWith({ people: allMembers({}) }));
  expect(Object.keys(membershipsIn(sandbox).members)).toEqual(["__proto__", owner]);
});

describe("drift", () => {
  it("is neither an accepted invitation, nor a member through a team or the organization", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
    await succeeded(upWith({ people: allMembers({ [bob]: readers, [eve]: readers }) }));
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    const { id: olaf } = sandbox.addUser({ username: "olaf@example.com", roles: grants });
    const team = sandbox.addTeam({ name: "platform", userIds: [olaf] });
    sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: readers });
    sandbox.acceptInvitation(invitationOf(sandbox, bob).id);
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
    expect((await outputsOf("people"))?.memberDetails).toMatchObject([
      { username: bob, status: "active", declared: true, roles: readers },
      { username: eve, status: "pending" },
      { username: owner },
    ]);
  });
});

describe("an import by the id of the project", () => {
  it("shows everyone, and declares no one before the first update", async () => {
    const members = { [ada]: readers, [bob]: readers };
    const { sandbox, stack, upWith, previewWith, outputsOf } = await setUpPayments({
      members,
      invited: { [eve]: readers },
    });
    await succeeded(stack.import("ProjectMembers", "people", projectId.toUpperCase()));
    const all = { ...members, [eve]: readers, [owner]: owners };
    expect(await stack.resource("people")).toMatchObject({
      id: projectId,
      inputs: { projectId, members: all },
      outputs: { members: all, origin: "imported", onDestroy: "release", orgId: sandbox.orgId },
    });
    expect((await succeeded(upWith({ people: allMembers(all) }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    const fewer = { people: allMembers(members, { onDestroy: "remove" }) };
    const preview = await succeeded(previewWith(fewer));
    expect(changedPaths(preview, "people")).toEqual({ [`members["${eve}"]`]: "delete", onDestroy: "add" });
    await succeeded(upWith(fewer));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    expect(await outputsOf("people")).toMatchObject({
      origin: "imported",
      memberDetails: [{ declared: true }, { declared: true }, { declared: true }],
    });
  });

  it("is refused if it is no id, or the service lists no people, and imports nothing of an unknown project", async () => {
    const { sandbox, stack } = await setUpPayments();
    const importing = (id: string) => stack.import("ProjectMembers", "people", id);
    expect(await errorsOf(importing("unknown@example.com"))).toContain(
      '"unknown@example.com" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits',
    );
    expect((await importing("5f00000000000000000000ff")).exitCode).not.toBe(0);
    sandbox.addFault({ ...users, fault: notOffered });
    expect(await errorsOf(importing(projectId))).toContain("cannot be managed");
    expect(await stack.resource("people")).toBeUndefined();
  });
});

describe("a failure among several changes", () => {
  const nina = "nina@example.com";
  const members = { [ada]: readers, [ben]: readers, [cleo]: readers };
  const namesIn = (values: unknown) => Object.keys(values as object);

  const begin = async () => {
    const setup = await setUpPayments({ members, config: withoutRetries });
    await succeeded(setup.upWith({ people: allMembers(members) }));
    return setup;
  };

  function expectOneSentence(run: Run, names: readonly string[]): void {
    expect(run.exitCode).not.toBe(0);
    const sentences = messagesOf(run, "error").match(/This concerns [^ ]+(, [^ ]+)*\./g) ?? [];
    const concerned = sentences.map((text) => text.slice("This concerns ".length, -1).split(", ").sort());
    expect(concerned).toEqual([[...names].sort()]);
    expect(timesPrinted(run, " failed: ")).toBe(1);
  }

  it("is one sentence for all people if the connection is lost, and the state has who was read afterwards", async () => {
    const { sandbox, stack, upWith, outputsOf } = await begin();
    sandbox.addFault({ method: "DELETE", times: 0, fault: "reset-before-write" });
    expectOneSentence(await upWith({ people: allMembers({ [nina]: readers }) }), [ada, ben, cleo]);
    expect(namesIn((await outputsOf("people"))?.members)).toEqual([ada, ben, cleo, nina, owner]);
    sandbox.clearFaults();
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}, { [nina]: readers }));
  });

  it("names the roles if the service stores others than were sent", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await begin();
    const body = { results: [{ id: userId(ada), username: ada, roles: [] }], totalCount: 1 };
    sandbox.addFault({ method: "POST", fault: { status: 200, body } });
    const changed = { ...members, [ada]: admins };
    expect(await errorsOf(upWith({ people: allMembers(changed) }))).toContain(
      `The service stored the roles of ${ada} in project ${projectId} as GROUP_READ_ONLY instead of GROUP_USER_ADMIN.`,
    );
    expect((await outputsOf("people"))?.members).toMatchObject(members);
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith(changed));
  });

  it("keeps the owners if nobody can read who is left", async () => {
    keepDefault("refreshBeforeUpdate", "the fault counts the reads of the refresh");
    const { sandbox, upWith } = await begin();
    sandbox.setMember(projectId, { username: ada }, owners);
    // The reads of the refresh and of the plan are answered, and none after these.
    const list = { ...users, pathPattern: `/groups/${projectId}/users(\\?.*)?$` };
    sandbox.addFault({ ...list, times: 2, fault: { delayMs: 0 } });
    sandbox.addFault({ ...list, fault: { status: 500, body: {} } });
    const others = { [ada]: owners, [ben]: readers, [cleo]: readers };
    expectOneSentence(await upWith({ people: allMembers({}, { members: others }) }), [owner]);
    expect(membershipsIn(sandbox).members).toMatchObject({ [ada]: owners, [owner]: owners });
  });

  it("is an added account that neither the response nor a read shows: it is recorded, found later, and removed", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      sandbox: { bypassInvitations: true },
      accounts: [ada],
      config: withoutRetries,
    });
    sandbox.addFault({ method: "POST", fault: { status: 201, body: {}, afterWrite: true } });
    sandbox.addFault({ ...users, times: 1, fault: { delayMs: 0 } });
    sandbox.addFault({ ...users, fault: { status: 503, body: "" } });
    const people = allMembers({ [ada]: readers }, { onDestroy: "remove" });
    const errors = await errorsOf(upWith({ people }));
    expect(errors).toContain(`accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`);
    sandbox.clearFaults();
    await succeeded(stack.refresh());
    const details = [{ username: ada, status: "active", declared: true }, {}];
    expect((await outputsOf("people"))?.memberDetails).toMatchObject(details);
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});

// Of members: `../lists/lists.test.ts`.
it.each(bothProviders)(
  "people whose invitations the key may not list stay in the state and in the project (%s)",
  async (provider) => {
    const people = { members: { [ada]: readers }, invited: { [eve]: readers } };
    const { sandbox, stack, upWith } = await setUpPayments({ provider, ...people });
    await succeeded(
      upWith({ people: allMembers({ [ada]: readers, [eve]: readers }, { onDestroy: "remove" }) }),
    );
    const recorded = await stack.resource("people");
    const invites = { method: "GET", pathPattern: "/groups/\\w+/invites", times: 0 };
    sandbox.addFault({ ...invites, fault: refusal(401, "USER_UNAUTHORIZED") });
    const refresh = await succeeded(stack.refresh());
    expect(messagesOf(refresh, "warning")).toMatch(
      /\[unreadable\] .*cannot be read with these credentials, so the state keeps the last known/,
    );
    expect(timesPrinted(refresh, "[unreadable]")).toBe(1);
    expect(await errorsOf(stack.destroy())).toContain("401 USER_UNAUTHORIZED Not now.");
    expect(await stack.resource("people")).toEqual(recorded);
    expect(writes(sandbox)).toEqual([]);
    sandbox.clearFaults();
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  },
);

it("is created if the service does not offer reading a project, and not if it refuses that", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  const project = { method: "GET", pathPattern: "/groups/\\w+$" };
  sandbox.addFault({ ...project, fault: { status: 403 } });
  expect(await errorsOf(upWith({ people: allMembers({}) }))).toContain(
    `Reading project ${projectId} failed: 403`,
  );
  expect(await stack.resource("people")).toBeUndefined();
  sandbox.addFault({ ...project, times: 0, fault: notOffered });
  await succeeded(stack.up());
  expect(await outputsOf("people")).toEqual(expect.not.objectContaining({ orgId: expect.anything() }));
});

it("keeps a member whom a ProjectMember of the same run declares, on a service that lists people no longer", async () => {
  const members = { [ada]: readers, [bob]: readers };
  const { sandbox, userId, upWith } = await setUpPayments({ members });
  await succeeded(upWith({ people: allMembers(members, { onDestroy: "remove" }) }));
  sandbox.setSwitches({ onlyDocumented: true });
  await succeeded(upWith({ bob: person({ userId: userId(bob), roles: undefined }) }));
  expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
});
