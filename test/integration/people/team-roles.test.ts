/**
 * A service that shows the roles of a person's teams among the roles of the person (switch
 * `teamRolesInUsers`), and one that does not.
 */
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const both = ["GROUP_OWNER", "GROUP_READ_ONLY"];
const admin = ["GROUP_USER_ADMIN"];

/** Ada with another role in the project, and in the team `operators`, which owns the project. */
async function withOwnerTeam(teamRolesInUsers: boolean, isInProject = true) {
  const found = await scenario({ teamRolesInUsers });
  const { sandbox, projectId, user } = found;
  const userId = user(ada);
  sandbox.setMember(projectId, { username: ada }, admin);
  const { id: teamId } = sandbox.addTeam({ name: "operators", userIds: [userId] });
  if (isInProject) sandbox.setProjectTeam(projectId, { teamId, roleNames: owner });
  const member = { projectId, username: ada, roles: reader };
  const members = { projectId, members: { "owner@example.com": owner, [ada]: reader } };
  return { ...found, userId, teamId, member, members };
}

describe.each([true, false])("if the service shows the roles of teams: %s", (teamRolesInUsers) => {
  it("ProjectMember does not take the roles of a team for those of the person", async () => {
    const { run, people, member } = await withOwnerTeam(teamRolesInUsers);
    const made = await run().create("ProjectMember", member);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(made.state).toMatchObject({ roles: reader });
    expect(made.state.teamRoles).toEqual(teamRolesInUsers ? owner : undefined);

    const read = (await run().read(made)) ?? made;
    expect(read.state).toEqual(made.state);
    expect(run().diff(read, member)).toEqual([]);
  });

  it("ProjectMembers does not take the roles of a team for those of the person", async () => {
    const { run, people, writes, members } = await withOwnerTeam(teamRolesInUsers);
    const made = await run().create("ProjectMembers", members);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    const count = writes().length;

    const read = (await run().read(made)) ?? made;
    expect(read.state).toEqual(made.state);
    expect(run().diff(read, members)).toEqual([]);
    await run().update(read, members);
    expect(writes()).toHaveLength(count);
  });

  it("ProjectMembers does not take a person in an owner team for another owner", async () => {
    const { run, people, members, sandbox, projectId } = await withOwnerTeam(teamRolesInUsers);
    sandbox.setMember(projectId, { username: ada }, owner);
    const made = await run().create("ProjectMembers", {
      ...members,
      members: { "owner@example.com": owner, [ada]: owner },
    });
    const leaving = { ...members, members: { [ada]: reader } };
    const failure = await partialFailureOf(run().update(made, leaving));
    expect(failure.message).toContain("is the last direct owner of project");
    expect(failure.message).toContain("An owner through a team does not count.");
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
    expect(sandbox.user({ username: "owner@example.com" })?.roles).toContainEqual({
      groupId: projectId,
      roleName: "GROUP_OWNER",
    });
  });

  it("the role of a team can be given to a person directly as well", async () => {
    const { run, people, member, members } = await withOwnerTeam(teamRolesInUsers);
    const one = await run().create("ProjectMember", member);
    const given = await run().update(one, { ...member, roles: both });
    expect(given.state).toMatchObject({ roles: both });
    await run().update(given, member);
    expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);

    const list = await run().create("ProjectMembers", members);
    const listed = await run().update(list, { ...members, members: { ...members.members, [ada]: both } });
    expect(listed.state).toMatchObject({ members: { [ada]: both } });
    expect(people()).toEqual([`${ada} GROUP_OWNER`, `${ada} GROUP_READ_ONLY`]);
    const read = (await run().read(listed)) ?? listed;
    expect(read.state).toEqual(listed.state);
  });

  it("a role that the person is given outside Pulumi is drift, also if a team comes with it later", async () => {
    const { run, member, members, sandbox, projectId, teamId } = await withOwnerTeam(teamRolesInUsers, false);
    const one = await run().create("ProjectMember", member);
    const list = await run().create("ProjectMembers", members);
    sandbox.setMember(projectId, { username: ada }, both);
    sandbox.setProjectTeam(projectId, { teamId, roleNames: owner });
    expect((await run().read(one))?.state).toMatchObject({ roles: both });
    const read = (await run().read(list)) ?? list;
    expect(run().diff(read, members)).toEqual([`delete members,${ada},0`]);
  });
});

describe("if the service shows the roles of teams", () => {
  it("a role of a team that leaves the project is drift if the person still has it", async () => {
    const { run, member, sandbox, projectId, teamId } = await withOwnerTeam(true);
    const made = await run().create("ProjectMember", member);
    sandbox.setMember(projectId, { username: ada }, both);
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
    const read = (await run().read(made)) ?? made;
    expect(read.state).toMatchObject({ roles: both });
    expect(read.state.teamRoles).toBeUndefined();
  });

  it("a response that was lost proves nothing about the roles of teams", async () => {
    const { run, member, sandbox } = await withOwnerTeam(true);
    const made = await run().create("ProjectMember", { ...member, roles: admin });
    const fault = { status: 500, afterWrite: true };
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault });
    await expect(run().update(made, member)).rejects.toThrow("It may or may not have performed the request");
  });

  it("an invited person in an owner team is not taken for a member", async () => {
    const { run, people, user, sandbox, teamId, projectId } = await withOwnerTeam(true);
    sandbox.changeTeam(teamId, { userIds: [user("eve@example.com")] });
    const eve = { projectId, username: "eve@example.com", roles: reader };
    const made = await run().create("ProjectMember", eve);
    expect(made.state).toMatchObject({ status: "pending", roles: reader });
    expect(people()).toContain("invited eve@example.com GROUP_READ_ONLY");
  });

  it("records what was written if the teams cannot be read", async () => {
    const { run, member, sandbox } = await withOwnerTeam(true);
    sandbox.addFault({ method: "GET", pathPattern: "/teams", times: 0, fault: { status: 500 } });
    const failure = await partialFailureOf(run().create("ProjectMember", member));
    expect(failure.state).toMatchObject({ username: ada, roles: both });
  });
});
