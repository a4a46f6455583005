/** Whom a declaration means: an id decides alone, a name only where the program gives names. */
import type { Properties } from "../../../provider/resources/values";
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const former = "ada.former@example.com";

describe("a member declared by userId", () => {
  it("does not become another account that has got the former name", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const [first, second] = [user(ada), user("bob@example.com")];
    sandbox.setMember(projectId, { id: first }, reader);
    const member = await run().create("ProjectMember", { projectId, userId: first, roles: reader });

    sandbox.removeMember(projectId, { id: first });
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);
    expect(await run().read(member)).toBeUndefined();
    await run().delete(member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
    await run().update(member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`, `invited ${former} GROUP_READ_ONLY`]);
  });

  describe("whose invitation was sent, and the read after that failed", () => {
    const unread = async (invite: Parameters<typeof scenario>[0] = {}) => {
      const started = await scenario(invite);
      const { sandbox, projectId, run, user } = started;
      const userId = user(ada);
      const inputs = { projectId, userId, roles: reader };
      const reads = { method: "GET", pathPattern: "/groups/\\w+/invites" };
      sandbox.addFault({ ...reads, fault: "close-after-answer" });
      sandbox.addFault({ ...reads, fault: { status: 500 } });
      const { id, state } = await partialFailureOf(run().create("ProjectMember", inputs));
      expect(state).toEqual(expect.not.objectContaining({ invitationId: expect.anything() }));
      const record = { type: "ProjectMember", name: "people", id, state: state as Properties } as const;
      return { ...started, userId, made: { ...record, oldInputs: inputs } };
    };

    it("is not reported as deleted, and its invitation is recorded", async () => {
      const { sandbox, run, made } = await unread();
      const read = await run().read(made);
      const [invitation] = sandbox.state.invitations;
      expect(read?.state).toMatchObject({ status: "pending", invitationId: invitation?.id });
    });

    it("is removed by a destroy that no read came before, also after the account was renamed", async () => {
      for (const renamedInvitee of ["follows", "keeps-name"] as const) {
        const { sandbox, run, made, userId, people } = await unread({ renamedInvitee });
        sandbox.changeUser(userId, { username: former });
        expect((await run().read(made))?.state).toMatchObject({ status: "pending", userId });
        await run().delete(made);
        expect(people()).toEqual([]);
      }
    });
  });

  it("is not reported as deleted if the account cannot be read and no name is recorded", async () => {
    const { sandbox, projectId, run, user } = await scenario();
    const oldInputs = { projectId, userId: user(ada), roles: reader };
    sandbox.addInvitation(projectId, { username: ada, roles: reader });
    const state = { ...oldInputs, status: "unverified", origin: "created", orgId: sandbox.orgId };
    const made = { type: "ProjectMember", name: "people", id: `${projectId}/x`, state, oldInputs } as const;
    sandbox.addFault({ pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault: { status: 403 } });
    const refresh = run();
    expect((await refresh.read(made))?.state).toMatchObject({ status: "unverified" });
    expect(refresh.messages).toEqual([expect.stringContaining("cannot be read with this API key")]);
    await expect(run().delete(made)).rejects.toThrow("may not read the account");
  });

  it("leaves no second invitation behind", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const made = await run().create("ProjectMember", { projectId, userId: user(ada), roles: reader });
    sandbox.addInvitation(projectId, { username: ada, roles: owner });
    await run().delete(made);
    expect(people()).toEqual([]);
  });

  it("is found by the recorded invitation while pending, whatever the names are", async () => {
    const { sandbox, projectId, run, user, people, writes } = await scenario();
    const [first, second] = [user(ada), user("bob@example.com")];
    const inputs = { projectId, userId: first, roles: reader };
    const member = await run().create("ProjectMember", inputs);
    expect(member.state).toMatchObject({ status: "pending", username: ada });

    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);
    sandbox.clearRequests();
    const now = await run().read(member);
    expect(now?.state).toMatchObject({ status: "pending", invitationId: member.state.invitationId });
    const later = run();
    expect(later.diff(now ?? member)).toEqual([]);
    await later.update(now ?? member);
    expect(writes()).toEqual([]);
    await run().delete(now ?? member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
  });

  it("does not change or remove the account of that name if the invitation disappears during the operation", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const [first, second] = [user(ada), user("bob@example.com")];
    const inputs = { projectId, userId: first, roles: reader };
    const member = await run().create("ProjectMember", inputs);
    const { invitationId } = member.state;
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);

    const deleted = {
      status: 404,
      body: { error: 404, errorCode: "INVALID_INVITATION_ID" },
      afterWrite: true,
    };
    sandbox.addFault({ method: "DELETE", pathPattern: `/invites/${String(invitationId)}`, fault: deleted });
    await run().delete(member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
  });

  it.each([
    ["follows", former],
    ["keeps-name", ada],
  ] as const)(
    "keeps its invitation if the account is renamed and the resource as well (%s)",
    async (renamedInvitee, name) => {
      const { sandbox, projectId, run, user, people, writes } = await scenario({ renamedInvitee });
      const first = user(ada);
      const inputs = { projectId, userId: first, roles: reader };
      const member = await run().create("ProjectMember", inputs, "old");
      sandbox.changeUser(first, { username: former });
      sandbox.clearRequests();

      const up = run();
      const read = await up.read(member);
      const renamed = await up.create("ProjectMember", inputs, "new");
      await up.delete(read ?? member);
      expect(writes()).toEqual([]);
      expect(people()).toEqual([`invited ${name} GROUP_READ_ONLY`]);
      expect(renamed.state.invitationId).toBe(member.state.invitationId);
    },
  );
});

describe("a person who accepts between the two lists of one read", () => {
  it.each([
    ["ProjectMember", { username: ada, roles: reader }],
    ["ProjectMembers", { members: { "owner@example.com": owner, [ada]: reader }, onDestroy: "remove" }],
  ] as const)("remains recorded, and is removed (%s)", async (type, inputs) => {
    const { sandbox, projectId, run, user, people } = await scenario();
    user(ada);
    const made = await run().create(type, { projectId, ...inputs });
    const { signal } = new AbortController();
    const { peopleCache } = run().session;
    const { members } = await peopleCache.fresh(projectId, signal);
    sandbox.acceptInvitation(String(sandbox.state.invitations[0]?.id));
    const between = { ...(await peopleCache.fresh(projectId, signal)), members };
    const refresh = run();
    jest.spyOn(refresh.session.peopleCache, "shared").mockResolvedValueOnce(between);
    expect(JSON.stringify((await refresh.read(made))?.state)).toContain('"status":"active"');
    const destroy = run();
    const first = type === "ProjectMember" ? "gathered" : "fresh";
    jest.spyOn(destroy.session.peopleCache, first).mockResolvedValueOnce(between);
    await destroy.delete(made);
    expect(people()).toEqual([]);
  });
});

describe("a username beside a userId", () => {
  const unreadable = {
    method: "GET",
    pathPattern: "/users/[0-9a-f]{24}",
    times: 0,
    fault: { status: 401, body: { error: 401, errorCode: "NOT_USER_ADMIN" } },
  };

  it("stops the operation if the account of the name cannot be determined", async () => {
    const { sandbox, projectId, run, user, people, writes } = await scenario();
    const [, second] = [user(ada), user("bob@example.com")];
    sandbox.addFault(unreadable);
    const inputs = { projectId, username: ada, userId: second, roles: owner };
    for (const command of [run(), run()]) {
      await expect(command.create("ProjectMember", inputs)).rejects.toThrow(
        `username "${ada}" and userId ${second} cannot be verified to be the same person`,
      );
    }
    expect(writes()).toEqual([]);
    expect(people()).toEqual([]);
  });

  it("of another account stops an update, whether that account is in the project or not", async () => {
    const { sandbox, projectId, run, user, people, writes } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const member = await run().create("ProjectMember", inputs);
    const [inside, outside] = [user("bob@example.com"), user("grace@example.com")];
    sandbox.setMember(projectId, { id: inside }, reader);
    sandbox.clearRequests();
    for (const userId of [inside, outside]) {
      const change = { ...inputs, userId, roles: owner };
      await expect(run().update(member, change)).rejects.toThrow("do not name the same person");
    }
    expect(writes()).toEqual([]);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`, "bob@example.com GROUP_READ_ONLY"]);
  });

  it("does not keep another resource from declaring the person of that name", async () => {
    const { projectId, run, user } = await scenario();
    const second = user("bob@example.com");
    const up = run();
    expect(up.check("ProjectMember", { projectId, username: ada, userId: second }, "both")).toEqual([]);
    expect(up.check("ProjectMember", { projectId, username: ada, roles: reader }, "ada")).toEqual([]);
  });
});

describe("a member declared by name", () => {
  it("is created again, and reports it, if another account has got the name", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const [first, second] = [user(ada), user("bob@example.com")];
    sandbox.setMember(projectId, { id: first }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const member = await run().create("ProjectMember", inputs);

    sandbox.removeMember(projectId, { id: first });
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);
    expect(await run().read(member)).toBeUndefined();
    await run().delete(member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);

    const preview = run();
    await preview.preview("ProjectMember", inputs);
    expect(preview.messages.join()).toContain(
      `${ada} is in project ${projectId} already: roles GROUP_OWNER become GROUP_READ_ONLY. From now on this resource manages this person`,
    );
    expect(preview.messages.join()).toContain("removes them from the project");
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
  });

  it("takes the invitation of the former account along if another account has got the name", async () => {
    const { sandbox, projectId, run, user, people } = await scenario({ renamedInvitee: "follows" });
    const [first, second] = [user(ada), user("bob@example.com")];
    const invited = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    sandbox.setMember(projectId, { id: first }, reader);
    const member = await run().update(invited);
    expect(member.state).toMatchObject({ userId: first, invitationId: invited.state.invitationId });

    sandbox.removeMember(projectId, { id: first });
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, reader);
    const other = await run().update(member);
    expect(other.state).toMatchObject({ userId: second, invitationId: invited.state.invitationId });
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`, `invited ${former} GROUP_READ_ONLY`]);
    await run().delete(other);
    expect(people()).toEqual([]);
  });

  it("reports on adoption that the member leaves the project with the resource, unless it is released", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const kept = run();
    await kept.create("ProjectMember", { ...inputs, onDestroy: "release" });
    expect(kept.messages).toEqual([`${ada} is in project ${projectId} already.`]);
    const held = run();
    await held.create("ProjectMember", inputs);
    expect(held.messages).toEqual([
      `${ada} is in project ${projectId} already. From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".`,
    ]);
  });
});

describe.each([
  ["ProjectMember", (projectId: string) => ({ projectId, username: ada, roles: reader })],
  [
    "ProjectMembers",
    (projectId: string) => ({
      projectId,
      members: { "owner@example.com": owner, [ada]: reader },
      onDestroy: "remove",
    }),
  ],
] as const)("an account that %s invited by name", (type, inputsOf) => {
  // The name alone led from the invitation to the account, and another account may have the name by then.
  it("stays the declared one if it accepts after it was renamed, and another account gets the name", async () => {
    const { sandbox, projectId, run, user, people } = await scenario({ renamedInvitee: "follows" });
    const [first, second] = [user(ada), user("bob@example.com")];
    const member = await run().create(type, inputsOf(projectId));
    sandbox.changeUser(first, { username: former });
    sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);
    const up = run();
    const read = (await up.read(member)) ?? member;
    await up.update(read);
    expect(people()).toEqual([`${former} GROUP_READ_ONLY`, `${ada} GROUP_OWNER`]);
    await run().delete(read);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
  });

  it("is not another account of the name once the invitation is no longer pending", async () => {
    const { sandbox, projectId, run, user, people } = await scenario({ renamedInvitee: "follows" });
    const [first, second] = [user(ada), user("bob@example.com")];
    const member = await run().create(type, inputsOf(projectId));
    sandbox.removeInvitation(sandbox.state.invitations[0]?.id ?? "");
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, owner);
    const read = await run().read(member);
    if (type === "ProjectMember") expect(read).toBeUndefined();
    await run().delete(read ?? member);
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
  });
});

describe("a listed name that the service spells otherwise", () => {
  const name = "j\u00fcrgen@example.com";

  it("is the same person in another Unicode form", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    const stored = name.normalize("NFD");
    sandbox.setMember(projectId, { username: stored }, reader);
    sandbox.setMember(projectId, { username: "eve@example.com" }, reader);
    const members = { "owner@example.com": owner, [name]: owner };
    const made = await run().create("ProjectMembers", { projectId, members, removeUnlisted: true });
    expect(people()).toEqual([`${stored} GROUP_OWNER`]);
    const read = await run().read(made);
    expect(run().diff(read ?? made, made.oldInputs)).toEqual([]);
  });

  it("is the account that the lookup finds, and that account is not removed", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const id = user("bob@example.com");
    sandbox.setMember(projectId, { id }, reader);
    const alias = "robert@example.com";
    const body = { id, username: "bob@example.com", roles: [], links: [] };
    sandbox.addFault({ pathPattern: "byName/robert", times: 0, fault: { status: 200, body } });
    const members = { "owner@example.com": owner, [alias]: reader };
    const inputs = { projectId, members, removeUnlisted: true };
    const made = await run().create("ProjectMembers", inputs);
    expect(people()).toEqual(["bob@example.com GROUP_READ_ONLY"]);
    const read = await run().read(made);
    const later = run();
    expect(later.diff(read ?? made, inputs)).toEqual([]);
  });

  it("removes no member while the account of the name is unknown", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: "bob@example.com" }, reader);
    sandbox.addFault({ pathPattern: "byName/", times: 0, fault: { status: 500 } });
    const members = { "owner@example.com": owner, "robert@example.com": reader };
    await expect(
      run().create("ProjectMembers", { projectId, members, removeUnlisted: true }),
    ).rejects.toThrow("bob@example.com stay in project");
    expect(people()).toEqual(["bob@example.com GROUP_READ_ONLY"]);
  });

  it("is refused if it is a second name of a listed account, also with equal roles", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const members = { "owner@example.com": owner, [ada]: reader };
    const made = await run().create("ProjectMembers", { projectId, members });
    const account = sandbox.user({ username: ada });
    sandbox.changeUser(account?.id ?? "", { username: former });
    const read = await run().read(made);
    const inputs = { projectId, members: { ...members, [former]: reader } };
    const later = run();
    expect(later.diff(read ?? made, inputs)).toEqual([`add members,${former}`]);
    await expect(later.update(read ?? made, inputs)).rejects.toThrow("names one person of project");
  });
});

describe("an invited person of ProjectMembers", () => {
  it.each([false, true])(
    "keeps the invitation if the account is renamed before it accepts (removeUnlisted: %s)",
    async (removeUnlisted) => {
      const { sandbox, projectId, run, user, people, writes } = await scenario();
      const [first, second] = [user(ada), user("bob@example.com")];
      const members = { "owner@example.com": owner, [ada]: reader };
      const inputs = { projectId, members, removeUnlisted, onDestroy: "remove" };
      const made = await run().create("ProjectMembers", inputs);
      sandbox.changeUser(first, { username: former });
      sandbox.changeUser(second, { username: ada });
      sandbox.clearRequests();

      const invited = (await run().read(made)) ?? made;
      expect(run().diff(invited, inputs)).toEqual([]);
      const updated = await run().update(invited, inputs);
      expect(people()).toEqual([`invited ${former} GROUP_READ_ONLY`]);

      sandbox.acceptInvitation(String(sandbox.state.invitations[0]?.id));
      const accepted = (await run().read(updated)) ?? updated;
      expect(run().diff(accepted, inputs)).toEqual([]);
      const last = await run().update(accepted, inputs);
      expect(writes()).toEqual([]);
      await run().delete(last);
      expect(people()).toEqual([]);
    },
  );

  it("is not another account that got the name: it stays, and the invitation is deleted", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const [first, second] = [user(ada), user("bob@example.com")];
    const members = { "owner@example.com": owner };
    const inputs = { projectId, members: { ...members, [ada]: reader } };
    const made = await run().create("ProjectMembers", inputs);
    sandbox.changeUser(first, { username: former });
    sandbox.changeUser(second, { username: ada });
    sandbox.setMember(projectId, { id: second }, reader);
    const read = (await run().read(made)) ?? made;
    for (const record of [made, read]) {
      const up = run();
      expect(up.diff(record, { projectId, members })).toEqual([`delete members,${ada}`]);
      await up.update(record, { projectId, members });
      expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    }
  });
});
