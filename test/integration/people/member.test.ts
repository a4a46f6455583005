/** The life of a ProjectMember: what each operation writes, records and logs. */
import { deleteProject } from "../../../provider/api/projects";
import { UNKNOWN } from "../../../provider/resources/values";
import { failureOf } from "../client/with-client";
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const eve = "eve@example.com";
const userAdmin = ["GROUP_USER_ADMIN"];
const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." } };
const notOffered = { status: 405, body: "" };
const users = "/groups/\\w+/users";
const invites = "/groups/\\w+/invites";
const manages = ` From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".`;

describe("creating a ProjectMember", () => {
  it("invites a user without an account, and records the invitation", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    const up = run();
    const made = await up.create("ProjectMember", { projectId, username: eve, roles: reader });
    expect(people()).toEqual([`invited ${eve} GROUP_READ_ONLY`]);
    const [invitation] = sandbox.state.invitations;
    expect(made.id).toBe(`${projectId}/${eve}`);
    expect(made.state).toEqual({
      projectId,
      username: eve,
      roles: reader,
      status: "pending",
      origin: "created",
      onDestroy: "remove",
      orgId: sandbox.orgId,
      groupName: "payments",
      invitationId: invitation?.id,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      inviterUsername: expect.any(String),
    });
    expect(up.messages).toEqual([]);
  });

  it("adopts a member as they are if the program gives no roles", async () => {
    const { sandbox, projectId, run, user, writes } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const up = run();
    const made = await up.create("ProjectMember", { projectId, userId });
    expect(made.state).toEqual({
      projectId,
      username: ada,
      userId,
      roles: reader,
      status: "active",
      origin: "adopted",
      onDestroy: "remove",
      orgId: sandbox.orgId,
      groupName: "payments",
    });
    expect(up.messages).toEqual([`${ada} is in project ${projectId} already.${manages}`]);
    expect(writes()).toEqual([]);
  });

  it("gives an adopted member the declared roles, and logs what this overwrites", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, [...reader, ...userAdmin]);
    const up = run();
    await up.create("ProjectMember", { projectId, username: ada, roles: owner, onDestroy: "release" });
    expect(people()).toEqual([`${ada} GROUP_OWNER`]);
    expect(up.messages).toEqual([
      `${ada} is in project ${projectId} already: roles GROUP_READ_ONLY, GROUP_USER_ADMIN become GROUP_OWNER.`,
    ]);
  });

  it("adopts an invited person, and logs so", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    const up = run();
    const made = await up.create("ProjectMember", { projectId, username: eve, roles: owner });
    expect(people()).toEqual([`invited ${eve} GROUP_OWNER`]);
    expect(made.state).toMatchObject({ status: "pending", origin: "adopted", roles: owner });
    expect(up.messages).toEqual([
      `${eve} is invited to project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER.${manages}`,
    ]);
  });

  it("is refused without roles if the person is not in the project", async () => {
    const { projectId, run, user } = await scenario();
    const failure = await failureOf(run().create("ProjectMember", { projectId, userId: user(ada) }));
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(failure.message).toContain(`${ada} is not in project ${projectId}`);
    expect(failure.message).toContain("Set roles.");
  });

  it("is refused for an invitation that is not pending", async () => {
    const { projectId, run } = await scenario();
    const invitationId = "5f00000000000000000000f1";
    const failure = await failureOf(run().create("ProjectMember", { projectId, invitationId }));
    expect(failure.message).toContain(
      `Invitation ${invitationId} to project ${projectId} is not pending: it was accepted, has expired or was deleted.`,
    );
  });

  it("fails in part if the service stores other roles than it was sent, and records those", async () => {
    const { sandbox, projectId, run, user } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const response = {
      id: userId,
      username: ada,
      emailAddress: ada,
      firstName: "Ada",
      lastName: "Example",
      roles: [{ groupId: projectId, roleName: "GROUP_USER_ADMIN" }],
    };
    sandbox.addFault({
      method: "POST",
      pathPattern: users,
      fault: { status: 200, body: { results: [response], totalCount: 1 } },
    });
    sandbox.addFault({ method: "PATCH", pathPattern: users, fault: { status: 200, body: response } });
    sandbox.addFault({ method: "PUT", pathPattern: users, fault: { status: 200, body: response } });
    const failure = await partialFailureOf(
      run().create("ProjectMember", { projectId, username: ada, roles: owner }),
    );
    expect(failure.message).toContain(
      `roles of ${ada} in project ${projectId} were sent as GROUP_OWNER, but the service stored GROUP_USER_ADMIN.`,
    );
    expect(failure.state).toMatchObject({ roles: userAdmin, status: "active" });
  });

  it("records the person without the project's name if the project cannot be read", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+$", times: 0, fault: refused });
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    expect(made.state).not.toHaveProperty("groupName");
    expect(made.state).toMatchObject({ username: ada, status: "active" });
  });
});

describe("the preview of a ProjectMember", () => {
  it("shows a new person with what is not known yet, and writes nothing", async () => {
    const { projectId, run, writes } = await scenario();
    const inputs = { projectId, username: eve, roles: reader };
    expect(await run().preview("ProjectMember", inputs)).toEqual({
      id: "",
      state: { ...inputs, status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" },
    });
    expect(writes()).toEqual([]);
  });

  it("shows a person who is in the project with their record and the declared roles", async () => {
    const { sandbox, projectId, run, user, writes } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const preview = run();
    const { id, state } = await preview.preview("ProjectMember", { projectId, userId, roles: owner });
    expect(id).toBe(`${projectId}/${ada}`);
    expect(state).toMatchObject({ username: ada, userId, roles: owner, status: "active", origin: "adopted" });
    expect(preview.messages).toEqual([expect.stringContaining("roles GROUP_READ_ONLY become GROUP_OWNER")]);
    expect(writes()).toEqual([]);
  });

  it("cannot check unknown values, and the log reports it unless the project itself is new", async () => {
    const { projectId, run, sandbox } = await scenario();
    const preview = run();
    const inputs = { projectId: UNKNOWN, username: eve, roles: reader, onDestroy: UNKNOWN } as const;
    const { id, state } = await preview.preview("ProjectMember", inputs);
    expect(id).toBe("");
    expect(state).toEqual({ ...inputs, status: UNKNOWN, origin: UNKNOWN });
    expect(preview.messages).toEqual([]);
    const later = run();
    expect(
      await later.preview("ProjectMember", { projectId, username: UNKNOWN, roles: reader }),
    ).toMatchObject({
      state: { username: UNKNOWN },
    });
    expect(later.messages).toEqual([expect.stringContaining("Some values are not known yet")]);
    expect(sandbox.requests).toEqual([]);
  });

  it("of an update shows the declared roles, and logs what changed since the record", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const made = await run().create("ProjectMember", inputs);
    sandbox.setMember(projectId, { username: ada }, userAdmin);
    const preview = run();
    const changed = { ...inputs, roles: owner };
    const { state } = await preview.update(made, changed, { preview: true });
    expect(state).toMatchObject({ roles: owner, username: ada, status: "active" });
    expect(preview.messages).toEqual([
      `Roles of ${ada} changed in the service since they were recorded: GROUP_USER_ADMIN become GROUP_OWNER.`,
    ]);
    expect(people()).toEqual([`${ada} GROUP_USER_ADMIN`]);
    const unknown = await run().update(made, { ...inputs, roles: UNKNOWN }, { preview: true });
    expect(unknown.state.roles).toBe(UNKNOWN);
  });
});

describe("updating a ProjectMember", () => {
  it("writes nothing and logs so if the roles leave the program", async () => {
    const { sandbox, projectId, run, user, writes } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const made = await run().create("ProjectMember", { projectId, userId, roles: reader });
    const up = run();
    const updated = await up.update(made, { projectId, userId });
    expect(up.messages).toEqual([`roles of ${ada} are no longer managed; nothing was sent.`]);
    expect(updated.state).toMatchObject({ roles: reader, origin: "adopted" });
    expect(writes()).toEqual([]);
  });

  it("leaves roles that ignoreChanges names unchanged, but gives them to a member who is added again", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const made = await run().create("ProjectMember", inputs);
    const changed = { ...inputs, roles: owner };
    await run().update(made, changed, { ignoreChanges: ["roles"] });
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    sandbox.removeMember(projectId, { username: ada });
    const up = run();
    const again = await up.update(made, changed, { ignoreChanges: ["roles"] });
    expect(people().join()).toContain(`${ada} GROUP_OWNER`);
    expect(again.state.origin).toBe("created");
  });

  it("gives the declared roles to a person who was invited again outside Pulumi", async () => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMember", { projectId, username: eve, roles: reader });
    const [first] = sandbox.state.invitations;
    if (first) sandbox.removeInvitation(first.id);
    sandbox.addInvitation(projectId, { username: eve, roles: owner });
    const up = run();
    const updated = await up.update(made);
    expect(updated.state).toMatchObject({ status: "pending", roles: reader });
  });

  it("keeps the name of the project that is recorded if it cannot be read", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const made = await run().create("ProjectMember", inputs);
    sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+$", times: 0, fault: refused });
    const updated = await run().update(made, { ...inputs, onDestroy: "release" });
    expect(updated.state).toMatchObject({
      groupName: "payments",
      orgId: sandbox.orgId,
      onDestroy: "release",
    });
  });

  it("fails with a record of what was sent if the service shows no result", async () => {
    const { sandbox, projectId, run, user } = await scenario();
    const userId = user(ada);
    const inputs = { projectId, userId, roles: reader };
    const made = await run().create("ProjectMember", inputs);
    const [invitation] = sandbox.state.invitations;
    if (invitation) sandbox.removeInvitation(invitation.id);
    // The service accepts the invitation and neither shows nor keeps it.
    sandbox.addFault({ method: "POST", pathPattern: users, fault: { status: 200, body: {} } });
    const failure = await partialFailureOf(run().update(made, { ...inputs, roles: owner }));
    expect(failure.message).toContain(
      `The service accepted ${ada} with GROUP_OWNER for project ${projectId}`,
    );
    expect(failure.state).toMatchObject({ userId, roles: owner, status: "unverified", origin: "created" });
  });
});

describe("reading a ProjectMember", () => {
  it("returns the live roles under the keys that the program declares", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    sandbox.setMember(projectId, { username: ada }, owner);
    const read = await run().read(made);
    expect(read?.state).toMatchObject({ roles: owner, status: "active" });
    expect(read?.oldInputs).toEqual({ projectId, username: ada, roles: owner });
  });

  it("finds nothing once the person has left", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    sandbox.removeMember(projectId, { username: ada });
    expect(await run().read(made)).toBeUndefined();
  });

  it.each([
    ["members", users, refused],
    ["invitations", invites, refused],
  ])("keeps the last known state if the key may not list the %s", async (_, pathPattern, fault) => {
    const { sandbox, projectId, run } = await scenario();
    const made = await run().create("ProjectMember", { projectId, username: eve, roles: reader });
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault });
    const later = run();
    const read = await later.read(made);
    expect(read?.state).toEqual(made.state);
    expect(later.messages).toEqual([
      expect.stringMatching(
        /^warning: \[unreadable\] .*cannot be read with this API key, so the state retains the last known/,
      ),
    ]);
  });

  it("finds nothing once the project is deleted", async () => {
    const { sandbox, projectId, run, client } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    await deleteProject(client, projectId);
    expect(await run().read(made)).toBeUndefined();
  });
});

describe("importing a ProjectMember", () => {
  it("finds a member by name and by userId", async () => {
    const { sandbox, projectId, run, user } = await scenario();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    for (const person of [ada, userId.toUpperCase()]) {
      const imported = await run().importOf("ProjectMember", `${projectId.toUpperCase()}/${person}`);
      expect(imported.id).toBe(`${projectId}/${ada}`);
      expect(imported.oldInputs).toEqual({ projectId, username: ada, roles: reader });
      expect(imported.state).toMatchObject({ userId, origin: "imported", status: "active" });
    }
  });

  it("finds an invitation by its id", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    const [invitation] = sandbox.state.invitations;
    const imported = await run().importOf("ProjectMember", `${projectId}/${invitation?.id}`);
    expect(imported.state).toMatchObject({ status: "pending", username: eve, origin: "imported" });
    expect(imported.oldInputs).toEqual({ projectId, username: eve, roles: reader });
  });

  it.each(["payments/ada", "5f00000000000000000000f1", "5f00000000000000000000f1/"])(
    "is refused if %s does not name a person in a project",
    async (id) => {
      const { run } = await scenario();
      const failure = await failureOf(run().importOf("ProjectMember", id));
      expect(failure.message).toContain(`"${id}" does not name a person in a project`);
    },
  );

  it("finds no member in a project that does not exist, and fails if the list is refused", async () => {
    const { sandbox, projectId, run } = await scenario();
    await expect(run().importOf("ProjectMember", `5f00000000000000000000f1/${ada}`)).rejects.toThrow(
      "There is no",
    );
    await expect(run().importOf("ProjectMember", `${projectId}/${ada}`)).rejects.toThrow("There is no");
    sandbox.addFault({ method: "GET", pathPattern: users, times: 0, fault: refused });
    const failure = await failureOf(run().importOf("ProjectMember", `${projectId}/${ada}`));
    expect(failure).toMatchObject({ status: 403 });
  });
});

describe("a service that offers the four documented operations alone", () => {
  async function fourOperations() {
    const started = await scenario();
    const { sandbox, projectId } = started;
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    const invitationId = sandbox.state.invitations[0]?.id ?? "";
    for (const pathPattern of [`${users}(\\?|$)`, `${invites}(\\?|$)`, "/users/"]) {
      sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: notOffered });
    }
    for (const method of ["POST", "PATCH", "PUT"]) {
      sandbox.addFault({ method, times: 0, fault: notOffered });
    }
    return { ...started, invitationId };
  }

  it("verifies a pending invitation by its id, follows it, and takes it back", async () => {
    const { sandbox, projectId, run, people, invitationId } = await fourOperations();
    const made = await run().create("ProjectMember", { projectId, invitationId });
    expect(made.id).toBe(`${projectId}/${invitationId}`);
    expect(made.state).toMatchObject({ status: "pending", username: eve, invitationId, origin: "adopted" });
    const refreshed = await run().read(made);
    expect(refreshed?.state).toMatchObject({ status: "pending", username: eve });
    const updated = await run().update(made, { projectId, invitationId, onDestroy: "release" });
    expect(updated.state).toMatchObject({ status: "pending", onDestroy: "release" });
    await run().delete(made);
    expect(people()).toEqual([]);
    const later = run();
    const read = await later.read(made);
    expect(read?.state).toMatchObject({ status: "unverified", username: eve });
    expect(later.messages).toEqual([
      expect.stringMatching(
        /^warning: \[unverified\].*Invitation \w+ to project \w+ is no longer pending: it was accepted, has expired or/,
      ),
    ]);
    const again = run();
    await again.delete(made);
    expect(again.messages.join()).toContain(
      "this service does not show which. If it was accepted, the person is",
    );
    expect(sandbox.state.invitations).toEqual([]);
  });

  it("takes a userId as it is, keeps it unverified, and removes the member", async () => {
    const { sandbox, projectId, run, user, people, invitationId } = await fourOperations();
    const userId = user(ada);
    sandbox.setMember(projectId, { id: userId }, reader);
    const made = await run().create("ProjectMember", { projectId, userId });
    expect(made.state).toEqual({
      projectId,
      userId,
      status: "unverified",
      origin: "adopted",
      onDestroy: "remove",
    });
    const refresh = run();
    expect((await refresh.read(made))?.state).toEqual(made.state);
    expect(refresh.messages).toEqual([
      expect.stringMatching(
        /^warning: \[missing operation\].*does not offer listing the people of a project/,
      ),
    ]);
    await run().delete(made);
    expect(people()).toEqual([`invited ${eve} GROUP_READ_ONLY`]);
    // Another process has removed them already.
    await run().delete(made);
    const both = await run().create("ProjectMember", { projectId, userId, invitationId });
    expect(both.state).toMatchObject({ userId, invitationId, status: "pending" });
  });

  it("refuses what it cannot do: names, roles, an invitation that is not pending, an import by name", async () => {
    const { projectId, run, invitationId } = await fourOperations();
    const creating = async (inputs: object) =>
      (await failureOf(run().create("ProjectMember", { projectId, ...inputs }))).message;
    expect(await creating({ username: eve, roles: reader })).toContain(
      "Give userId or invitationId instead, without roles.",
    );
    expect(await creating({ invitationId, roles: reader })).toContain(
      "does not offer it (PATCH /groups/{id}/invites/{invitationId}). Remove roles from the program",
    );
    const userId = "5f00000000000000000000f2";
    expect(await creating({ userId, roles: reader })).toContain(
      "(POST /groups/{id}/users). Remove roles from the program",
    );
    expect(await creating({ invitationId: userId })).toContain("404");
    const importing = async (person: string) =>
      (await failureOf(run().importOf("ProjectMember", `${projectId}/${person}`))).message;
    expect(await importing(eve)).toContain(`${eve} cannot be imported by name`);
    expect(await importing(userId)).toContain(
      `${userId} is not a pending invitation to project ${projectId}`,
    );
    const imported = await run().importOf("ProjectMember", `${projectId}/${invitationId}`);
    expect(imported.id).toBe(`${projectId}/${invitationId}`);
    expect(imported.oldInputs).toEqual({ projectId, invitationId });
  });

  it("keeps the record of an invitation that is no longer pending when it is updated", async () => {
    const { sandbox, projectId, run, invitationId } = await fourOperations();
    const made = await run().create("ProjectMember", { projectId, invitationId });
    sandbox.removeInvitation(invitationId);
    const updated = await run().update(made, { projectId, invitationId, onDestroy: "release" });
    expect(updated.state).toMatchObject({ status: "unverified", invitationId, onDestroy: "release" });
  });
});

describe("destroying a ProjectMember", () => {
  it("leaves a released person, and the log reports it", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader, onDestroy: "release" };
    const made = await run().create("ProjectMember", inputs);
    const down = run();
    await down.delete(made);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(down.messages).toEqual([`${ada} was released and is not changed in project ${projectId}.`]);
  });

  it("leaves a person whom another resource declares, and the log names it", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const inputs = { projectId, username: ada, roles: reader };
    const made = await run().create("ProjectMember", inputs, "old");
    const up = run();
    await up.create("ProjectMember", inputs, "new");
    await up.delete(made);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(up.messages.at(-1)).toBe(
      `${ada} in project ${projectId} is retained: declared by urn:pulumi:dev::proj::opsmanager:index:ProjectMember::new.`,
    );
  });

  it("of the only owner is refused with the solutions", async () => {
    const { projectId, run } = await scenario();
    const username = "owner@example.com";
    const made = await run().create("ProjectMember", { projectId, username, roles: owner });
    const down = run();
    const failure = await failureOf(down.delete(made));
    expect(failure.message).toContain(
      `${username} is the only owner of project ${projectId} and was not removed. Add an owner first; or set onDestroy to "release"`,
    );
    expect(failure.message).not.toContain("deletedWith");
    const withProject = run();
    const urn = "urn:pulumi:dev::proj::opsmanager:index:Project::payments";
    withProject.session.observations.record(urn, {
      kind: "Project",
      id: projectId,
      origin: "created",
      names: [],
    });
    const second = await failureOf(withProject.delete(made));
    expect(second.message).toContain("set the resource option deletedWith to the Project");
  });

  it("of an invitation is refused if the key may not list the people: it may have been accepted", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    const made = await run().create("ProjectMember", { projectId, username: eve, roles: reader });
    sandbox.addFault({ method: "GET", pathPattern: users, times: 0, fault: refused });
    const failure = await failureOf(run().delete(made));
    expect(failure.message).toContain(
      `${eve} was not removed from project ${projectId}: this API key may not list its people`,
    );
    expect(people()).toEqual([`invited ${eve} GROUP_READ_ONLY`]);
  });

  it("of a member succeeds by the account if the key may not list the people", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    sandbox.addFault({ method: "GET", pathPattern: users, times: 0, fault: refused });
    await run().delete(made);
    expect(people()).toEqual([]);
  });

  it("of a member without any id is refused on a service without member lists", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.setMember(projectId, { username: ada }, reader);
    const made = await run().create("ProjectMember", { projectId, username: ada, roles: reader });
    sandbox.addFault({ method: "GET", pathPattern: users, times: 0, fault: notOffered });
    const { userId: _, ...state } = made.state;
    const failure = await failureOf(run().delete({ ...made, state }));
    expect(failure.message).toContain("neither a userId nor an invitationId is recorded");
  });
});
