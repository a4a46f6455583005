/** The life of ProjectMembers: what each operation writes, records and logs. */
import { deleteProject } from "../../../provider/api/projects";
import { UNKNOWN } from "../../../provider/resources/values";
import { failureOf } from "../client/with-client";
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const ben = "ben@example.com";
const eve = "eve@example.com";
const first = "owner@example.com";
const userAdmin = ["GROUP_USER_ADMIN"];
const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." } };
const keyRefused = {
  status: 401,
  body: { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." },
};
const notOffered = { status: 405, body: "" };
const users = "/groups/\\w+/users";
const invites = "/groups/\\w+/invites";
const lists = { method: "GET", pathPattern: users, times: 0 };
const unavailable = { status: 503, body: "" };

describe("creating ProjectMembers", () => {
  it("adds, invites and changes everyone who is listed, and records them", async () => {
    const { sandbox, projectId, run, user, people } = await scenario({ bypassInvitations: true });
    user(ada);
    sandbox.setMember(projectId, { username: ben }, reader);
    const up = run();
    const members = { [first]: owner, [ada]: reader, [ben]: userAdmin, [eve]: reader };
    const made = await up.create("ProjectMembers", { projectId, members });
    expect(people().sort()).toEqual([
      `${ada} GROUP_READ_ONLY`,
      `${ben} GROUP_USER_ADMIN`,
      `invited ${eve} GROUP_READ_ONLY`,
    ]);
    expect(made.id).toBe(projectId);
    expect(made.state).toMatchObject({
      projectId,
      orgId: sandbox.orgId,
      members,
      origin: "created",
      onDestroy: "release",
      ignoreUsers: [],
      maxRemovals: 5,
      removeUnlisted: false,
      memberDetails: [
        { username: ada, status: "active", roles: reader, declared: true, ignored: false },
        { username: ben, status: "active", roles: userAdmin, declared: true, ignored: false },
        { username: eve, status: "pending", roles: reader, declared: true, ignored: false },
        { username: first, status: "active", roles: owner, declared: true, ignored: false },
      ],
    });
    expect(up.messages).toEqual([]);
  });

  it("records a name without an account as a member if the service adds it without an invitation", async () => {
    const { projectId, run, people } = await scenario({ bypassNewUsers: true });
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [eve]: reader },
    });
    expect(people()).toEqual([`${eve} GROUP_READ_ONLY`]);
    expect(made.state.memberDetails).toMatchObject([
      { username: eve, status: "active", roles: reader },
      { username: first },
    ]);
  });

  it("removes unlisted people if the program requires it, invitations included", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    await run().create("ProjectMembers", { projectId, members: { [first]: owner }, removeUnlisted: true });
    expect(people()).toEqual([]);
  });

  it("warns of unlisted people, who stay", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const up = run();
    await up.create("ProjectMembers", { projectId, members: { [first]: owner } });
    expect(up.messages).toEqual([
      `warning: 1 person in project ${projectId} is not listed and not changed: ${ada}. To manage them, list them in members. To exclude them, add them to ignoreUsers. To remove them, set removeUnlisted to true.`,
    ]);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
  });

  it("is refused beside LDAP group mappings, unless ignoreUsers leaves people to LDAP", async () => {
    const { sandbox, projectId, run, writes } = await scenario({ ldap: true });
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    sandbox.changeProject(projectId, { ldapGroupMappings });
    const inputs = { projectId, members: { [first]: owner } };
    const failure = await failureOf(run().create("ProjectMembers", inputs));
    expect(failure.message).toContain(
      `Project ${projectId} has LDAP group mappings (GROUP_OWNER): each login`,
    );
    expect(writes()).toEqual([]);
    await run().create("ProjectMembers", { ...inputs, ignoreUsers: ["*@ldap.example.com"] });
  });

  it("is refused beside another ProjectMembers of the project", async () => {
    const { projectId, run, writes } = await scenario();
    const inputs = { projectId, members: { [first]: owner } };
    const up = run();
    await up.create("ProjectMembers", inputs, "one");
    expect((await failureOf(up.create("ProjectMembers", inputs, "two"))).message).toContain("::one");
    expect(writes()).toEqual([]);
  });

  it.each([
    ["does not offer listing the people", notOffered, "Use ProjectMember with userId or invitationId."],
    ["refuses the list", refused, "Not allowed."],
  ])("is refused if the service %s", async (_, fault, message) => {
    const { sandbox, projectId, run, writes } = await scenario();
    sandbox.addFault({ ...lists, fault });
    const failure = await failureOf(
      run().create("ProjectMembers", { projectId, members: { [first]: owner } }),
    );
    expect(failure.message).toContain(message);
    expect(writes()).toEqual([]);
  });

  it("continues where the service does not offer reading a project, and fails where that is refused", async () => {
    const { sandbox, projectId, run } = await scenario();
    const inputs = { projectId, members: { [first]: owner } };
    const project = { method: "GET", pathPattern: "/groups/\\w+$" };
    sandbox.addFault({ ...project, fault: refused });
    expect(await failureOf(run().create("ProjectMembers", inputs))).toMatchObject({ status: 403 });
    sandbox.addFault({ ...project, times: 0, fault: notOffered });
    const made = await run().create("ProjectMembers", inputs);
    expect(made.state).not.toHaveProperty("orgId");
  });

  it("is refused if members name one account twice", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    sandbox.changeUser(userId, { username: ben });
    const members = { [first]: owner, [ada]: reader, [ben]: reader };
    const failure = await failureOf(run().update(made, { projectId, members }));
    expect(failure.message).toContain(
      `members names one person of project ${projectId} twice: "${ada}" and "${ben}" are both ${ben}. Remove one of the names. Nothing was written.`,
    );
    expect(people()).toEqual([`${ben} GROUP_READ_ONLY`]);
  });
});

describe("the preview of ProjectMembers", () => {
  it("logs each change and each removal, and writes nothing", async () => {
    const { sandbox, projectId, run, writes } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    sandbox.setMember(projectId, { username: ben }, reader);
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    const preview = run();
    const members = { [first]: owner, [ada]: userAdmin };
    const result = await preview.preview("ProjectMembers", { projectId, members, removeUnlisted: true });
    expect(result).toEqual({
      id: projectId,
      state: {
        projectId,
        orgId: UNKNOWN,
        members,
        memberDetails: UNKNOWN,
        ignoreUsers: [],
        maxRemovals: 5,
        removeUnlisted: true,
        origin: "created",
        onDestroy: "release",
      },
    });
    expect(preview.messages).toEqual([
      `${ada} in project ${projectId}: roles GROUP_READ_ONLY become GROUP_USER_ADMIN.`,
      `${ben} (GROUP_READ_ONLY) will be removed from project ${projectId}.`,
      `The invitation of ${eve} to project ${projectId} will be deleted.`,
    ]);
    expect(writes()).toEqual([]);
  });

  it("cannot check unknown values, and the log reports it", async () => {
    const { sandbox, projectId, run } = await scenario();
    const preview = run();
    const inputs = { projectId: UNKNOWN, members: { [first]: owner }, onDestroy: UNKNOWN } as const;
    const { id, state } = await preview.preview("ProjectMembers", inputs);
    expect(id).toBe("");
    expect(state).toMatchObject({
      projectId: UNKNOWN,
      orgId: UNKNOWN,
      memberDetails: UNKNOWN,
      onDestroy: UNKNOWN,
    });
    expect(preview.messages).toEqual([]);
    await preview.preview("ProjectMembers", { projectId, members: UNKNOWN });
    expect(preview.messages).toEqual([expect.stringContaining("Some values are not known yet")]);
    expect(sandbox.requests).toEqual([]);
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    const unknown = await run().update(made, { projectId, members: UNKNOWN }, { preview: true });
    expect(unknown.state).toMatchObject({ orgId: sandbox.orgId, members: UNKNOWN, memberDetails: UNKNOWN });
  });

  it("of an update logs who stays, and shows what is declared", async () => {
    const { sandbox, projectId, run, writes } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    sandbox.setMember(projectId, { username: ada }, reader);
    sandbox.setMember(projectId, { username: ben }, reader);
    const preview = run();
    const members = { [first]: owner, [ben]: userAdmin };
    const read = (await run().read(made)) ?? made;
    preview.diff(read, { projectId, members });
    const { state } = await preview.update(read, { projectId, members }, { preview: true });
    expect(state).toMatchObject({ members, orgId: sandbox.orgId, memberDetails: UNKNOWN });
    expect(preview.messages).toEqual([
      expect.stringContaining(`1 person in project ${projectId} is not listed and not changed: ${ada}.`),
      `${ben} in project ${projectId}: roles GROUP_READ_ONLY become GROUP_USER_ADMIN.`,
    ]);
    expect(writes()).toEqual([]);
  });

  it("is refused if more people would be removed than maxRemovals allows", async () => {
    const { sandbox, projectId, run } = await scenario();
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const inputs = { projectId, members: { [first]: owner }, removeUnlisted: true, maxRemovals: 1 };
    const message = `2 people would be removed from project ${projectId}, more than maxRemovals (1), so no one is removed: ${ada}, ${ben}. Set maxRemovals to 2 if that is intended, or add them to members or ignoreUsers.`;
    expect((await failureOf(run().preview("ProjectMembers", inputs))).message).toBe(message);
    expect((await partialFailureOf(run().create("ProjectMembers", inputs))).message).toBe(message);
  });

  it("is refused if no owner would be left, and warns if only invited owners would be", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, removeUnlisted: true };
    const sentence = `No direct owner would be left in project ${projectId}: ${first} would be removed or lose GROUP_OWNER.`;
    const failure = await failureOf(
      run().preview("ProjectMembers", { ...inputs, members: { [ada]: reader } }),
    );
    expect(failure.message).toBe(
      `${sentence} Give GROUP_OWNER to another member of the project. Nothing was written.`,
    );
    const demoted = { [first]: reader, [ada]: reader };
    expect(
      (await failureOf(run().preview("ProjectMembers", { ...inputs, members: demoted }))).message,
    ).toContain(sentence);
    const preview = run();
    await preview.preview("ProjectMembers", { ...inputs, members: { [ada]: reader, [eve]: owner } });
    expect(preview.messages.at(-1)).toBe(
      `warning: ${sentence} ${eve} will be owner at once only if the service adds them without an invitation. If it invites them, the last direct owner is not removed until they accept.`,
    );
    const raised = run();
    await raised.preview("ProjectMembers", { ...inputs, members: { [ada]: owner } });
    expect(raised.messages.join()).not.toContain("No direct owner would be left");
  });
});

describe("updating ProjectMembers", () => {
  it("leaves the last owner in, and the failure reports how to continue", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    const removing = await partialFailureOf(run().update(made, { projectId, members: { [ada]: reader } }));
    const advice = "give GROUP_OWNER to another member first. An invited owner counts once the invitation";
    expect(removing.message).toContain(
      `${first} is the last direct owner of project ${projectId} and was not removed: ${advice}`,
    );
    const members = { [first]: reader, [ada]: reader };
    const demoting = await partialFailureOf(run().update(made, { projectId, members }));
    expect(demoting.message).toContain(
      `${first} is the last direct owner of project ${projectId} and keeps the role GROUP_OWNER: ${advice}`,
    );
    expect(sandbox.user({ username: first })?.roles).toContainEqual({
      groupId: projectId,
      roleName: "GROUP_OWNER",
    });
  });

  it("replaces the owner: the new one first, the former one last", async () => {
    const { sandbox, projectId, run, people, writes } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    sandbox.clearRequests();
    const updated = await run().update(made, { projectId, members: { [ada]: owner } });
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
    expect(writes().map((write) => write.split(" ")[0])).toEqual([
      expect.not.stringMatching("DELETE"),
      "DELETE",
    ]);
    expect(updated.state.members).toEqual({ [ada]: owner });
  });

  it("continues with the others if the change of one person fails, and records what is there", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    const userId = user(ada);
    for (const id of [userId, user(ben)]) sandbox.setMember(projectId, { id }, reader);
    const members = { [first]: owner, [ada]: reader, [ben]: reader };
    const made = await run().create("ProjectMembers", { projectId, members });
    sandbox.addFault({ method: "POST", bodyPattern: userId, times: 0, fault: { status: 409 } });
    sandbox.addFault({ method: "POST", pathPattern: userId, times: 0, fault: { status: 409 } });
    const change = { [first]: owner, [ada]: userAdmin, [ben]: userAdmin };
    const failure = await partialFailureOf(run().update(made, { projectId, members: change }));
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`, `${ben} GROUP_USER_ADMIN`]);
    expect(failure.message).toContain(ada);
    expect(failure.state).toMatchObject({ members: { [ada]: reader, [ben]: userAdmin } });
  });

  it("reports a failure that concerns everyone once, with their names", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    const address = { error: 403, errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST", detail: "Not allowed." };
    sandbox.addFault({ method: "POST", times: 0, fault: { status: 403, body: address } });
    const members = { [first]: owner, [ada]: reader, [eve]: reader };
    const failure = await partialFailureOf(run().update(made, { projectId, members }));
    expect(failure.message.match(/This concerns /g)).toHaveLength(1);
    expect(failure.message).toMatch(new RegExp(`This concerns (${ada}, ${eve}|${eve}, ${ada})\\.`));
  });

  it("reports roles that the service stored otherwise", async () => {
    const { sandbox, projectId, run, user } = await scenario();
    const id = user(ada);
    sandbox.setMember(projectId, { id }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    const response = { id, username: ada, roles: [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }] };
    sandbox.addFault({ method: "POST", times: 0, fault: { status: 200, body: response } });
    const members = { [first]: owner, [ada]: userAdmin };
    const failure = await partialFailureOf(run().update(made, { projectId, members }));
    expect(failure.message).toContain(
      `Roles of ${ada} were sent as GROUP_USER_ADMIN, but the service stored GROUP_READ_ONLY.`,
    );
  });

  it("reports a user whom the service accepted and does not list", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    sandbox.addFault({ method: "POST", times: 0, fault: { status: 200, body: {} } });
    const members = { [first]: owner, [eve]: reader };
    const failure = await partialFailureOf(run().update(made, { projectId, members }));
    expect(failure.message).toContain(
      `The service accepted ${eve} for project ${projectId}, but shows neither a membership nor an invitation.`,
    );
  });

  it("reports a lost response if the read afterwards does not show the person", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    sandbox.addFault({ method: "POST", times: 0, fault: { status: 500 } });
    const members = { [first]: owner, [eve]: reader };
    const failure = await partialFailureOf(run().update(made, { projectId, members }));
    expect(failure.message).toContain(`A read afterwards does not show the change. Run pulumi up again`);
    expect(failure.message).toContain(`This concerns ${eve}.`);
  });

  it("removes no member while the account of a listed name is unknown", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", times: 0, fault: refused });
    sandbox.addFault({ method: "POST", pathPattern: invites, times: 0, fault: { status: 409 } });
    const inputs = { projectId, members: { [first]: owner, [eve]: reader }, removeUnlisted: true };
    const failure = await partialFailureOf(run().create("ProjectMembers", inputs));
    expect(failure.message).toContain(
      `${ada} stay in project ${projectId} for now: it is not known which account ${eve} means`,
    );
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
  });

  it("writes nothing if ignoreChanges names the members", async () => {
    const { sandbox, projectId, run, people, writes } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    sandbox.clearRequests();
    const updated = await run().update(
      made,
      { projectId, members: { [first]: owner, [eve]: reader }, maxRemovals: 5 },
      { ignoreChanges: ["members"] },
    );
    expect(writes()).toEqual([]);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(updated.state).toMatchObject({ maxRemovals: 5, members: { [ada]: reader } });
  });

  it("reports that the result could not be read", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    const up = run();
    const fresh = up.session.peopleCache.fresh.bind(up.session.peopleCache);
    let reads = 0;
    up.session.peopleCache.fresh = (...args) => {
      reads += 1;
      if (reads === 2) sandbox.addFault({ ...lists, fault: unavailable });
      return fresh(...args);
    };
    const members = { [first]: owner, [eve]: reader };
    const failure = await partialFailureOf(up.update(made, { projectId, members }));
    expect(failure.message).toContain("The result could not be read: ");
    expect(failure.state).toMatchObject({ members: { [eve]: reader } });
  });
});

describe("reading ProjectMembers", () => {
  it.each([
    ["members", users],
    ["invitations", invites],
  ])("keeps the last known state if the key may not list the %s", async (_, pathPattern) => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [eve]: reader },
    });
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: keyRefused });
    const later = run();
    const read = await later.read(made);
    expect(read).toEqual(made);
    expect(later.messages).toEqual([
      expect.stringMatching(
        /^warning: \[unreadable\] .*cannot be read with this API key, so the state retains the last known/,
      ),
    ]);
  });

  it("fails if the service does not respond", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    sandbox.addFault({ ...lists, fault: unavailable });
    await failureOf(run().read(made));
    sandbox.clearFaults();
    sandbox.addFault({ method: "GET", pathPattern: invites, times: 0, fault: unavailable });
    await failureOf(run().read(made));
  });

  it("finds nothing once the project is deleted", async () => {
    const { projectId, run, client } = await scenario();
    const made = await run().create("ProjectMembers", { projectId, members: { [first]: owner } });
    await deleteProject(client, projectId);
    expect(await run().read(made)).toBeUndefined();
  });

  it("of an import finds everyone, and gives a program's inputs", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const imported = await run().importOf("ProjectMembers", projectId.toUpperCase());
    expect(imported.id).toBe(projectId);
    expect(imported.oldInputs).toEqual({ projectId, members: { [first]: owner, [ada]: reader } });
    expect(imported.state).toMatchObject({ origin: "imported", orgId: sandbox.orgId, onDestroy: "release" });
    const failure = await failureOf(run().importOf("ProjectMembers", "payments"));
    expect(failure.message).toContain('"payments" is not the id of a project: ProjectMembers is imported by');
    await expect(run().importOf("ProjectMembers", "5f00000000000000000000f1")).rejects.toThrow("There is no");
    sandbox.addFault({ ...lists, fault: notOffered });
    expect((await failureOf(run().importOf("ProjectMembers", projectId))).message).toContain(
      "cannot be managed",
    );
  });
});

describe("destroying ProjectMembers", () => {
  const removing = { onDestroy: "remove" } as const;

  it("leaves everyone in by default, and the log reports it", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMembers", {
      projectId,
      members: { [first]: owner, [ada]: reader },
    });
    const down = run();
    await down.delete(made);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(down.messages).toEqual([`The people of project ${projectId} were released and are not changed.`]);
  });

  it("removes those who are declared if the program requires it, except for the last owner", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const members = { [first]: owner, [ada]: reader, [eve]: reader };
    const made = await run().create("ProjectMembers", { projectId, members, ...removing });
    const down = run();
    await down.delete(made);
    expect(people()).toEqual([`${ben} GROUP_READ_ONLY`]);
    expect(down.messages).toEqual([
      expect.stringContaining(
        `warning: ${first} is the last direct owner of project ${projectId} and was not removed`,
      ),
    ]);
  });

  it("leaves people of another ProjectMembers and of a ProjectMember of the run", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, members: { [first]: owner, [ada]: reader }, ...removing };
    const made = await run().create("ProjectMembers", inputs, "old");
    const up = run();
    await up.create("ProjectMembers", inputs, "new");
    await up.delete(made);
    expect(up.messages.at(-1)).toBe(
      `The people of project ${projectId} are retained: declared by urn:pulumi:dev::proj::opsmanager:index:ProjectMembers::new.`,
    );
    const single = run();
    single.check("ProjectMember", { projectId, username: ada, roles: reader }, "ada");
    await single.delete(made);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(single.messages.join()).toContain(`${ada} in project ${projectId} is retained: declared by`);
  });

  it("removes no member if they are more than maxRemovals, or more than a run may remove", async () => {
    const { sandbox, projectId, run, people } = await scenario({}, { maxRemovalsPerRun: 1 });
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const members = { [ada]: reader, [ben]: reader };
    const inputs = { projectId, members, ...removing, maxRemovals: 1 };
    const made = await run().create("ProjectMembers", inputs);
    const failure = await failureOf(run().delete(made));
    expect(failure.message).toContain(
      `2 people would be removed from project ${projectId}, more than maxRemovals (1), so no one is removed: ${ada}, ${ben}. Set maxRemovals to 2, or onDestroy to "release"`,
    );
    const { maxRemovals: _, ...unlimited } = made.oldInputs;
    const second = await failureOf(run().delete({ ...made, oldInputs: unlimited }));
    expect(second.message).toContain(
      `No one was removed from project ${projectId} (${ada}, ${ben}): this run`,
    );
    expect(people()).toHaveLength(2);
  });

  it("is done once the project is deleted, and fails if the key may not list the people", async () => {
    const { sandbox, projectId, run, client } = await scenario();
    const inputs = { projectId, members: { [first]: owner }, ...removing };
    const made = await run().create("ProjectMembers", inputs);
    sandbox.addFault({ ...lists, fault: keyRefused });
    expect(await failureOf(run().delete(made))).toMatchObject({ status: 401 });
    sandbox.clearFaults();
    await deleteProject(client, projectId);
    await run().delete(made);
  });

  it("removes people by their state on a service without member lists", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    for (const username of [ada, ben]) sandbox.setMember(projectId, { username }, reader);
    const members = { [first]: owner, [ada]: reader, [ben]: reader, [eve]: reader };
    const made = await run().create("ProjectMembers", { projectId, members, ...removing });
    sandbox.addFault({ ...lists, pathPattern: `(${users}|${invites})(\\?|$)`, fault: notOffered });
    const benId = sandbox.user({ username: ben })?.id;
    sandbox.addFault({ method: "DELETE", pathPattern: `/users/${benId}`, fault: { status: 409 } });
    const down = run();
    const failure = await partialFailureOf(down.delete(made));
    expect(people()).toEqual([`${ben} GROUP_READ_ONLY`]);
    expect(failure.message).toContain("409");
    expect(down.messages).toEqual([
      expect.stringContaining(
        `${first} is the last direct owner of project ${projectId} and was not removed`,
      ),
    ]);
    const single = run();
    single.check("ProjectMember", { projectId, username: ben, roles: reader }, "ben");
    await single.delete(made);
    expect(people()).toEqual([`${ben} GROUP_READ_ONLY`]);
  });
});
