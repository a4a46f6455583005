import type { RoleGrant, Sandbox, SandboxOptions } from "../../../sandbox";
import { call, type SandboxResponse } from "./client";
import { sandboxes } from "./with-sandbox";

/** Teams of an organization and teams in projects. Every test sets the switches that it compares. */

const start = sandboxes();

const someId = "5f0000000000000000000fff";

const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

/** A project, a team with one person, and their paths. */
async function startWithTeam(options: SandboxOptions = {}) {
  const sandbox = await start(options);
  const { orgId } = sandbox;
  const member = (name: string) =>
    sandbox.addUser({ username: `${name}@example.com`, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  const ann = member("ann");
  const team = sandbox.addTeam({ orgId, name: "platform", userIds: [ann.id] });
  const project = sandbox.addProject({ name: "payments" });
  return {
    sandbox,
    member,
    ann,
    team,
    project,
    all: `/orgs/${orgId}/teams`,
    one: `/orgs/${orgId}/teams/${team.id}`,
    inProject: `/groups/${project.id}/teams`,
  };
}

const add = (sandbox: Sandbox, path: string, teamId: string, roleNames = ["GROUP_READ_ONLY"]) =>
  call(sandbox, "POST", path, [{ teamId, roleNames }]);

const teamIds = ({ json }: SandboxResponse): string[] =>
  json.results.map(({ teamId }: { teamId: string }) => teamId);
const usernames = ({ json }: SandboxResponse): string[] =>
  json.results.map(({ username }: { username: string }) => username);

describe("teams of an organization", () => {
  test("are created, found by id and name, renamed, listed and deleted", async () => {
    const { sandbox, all } = await startWithTeam({ usernamesOfNewTeam: "accept", deleteTeamStatus: "204" });
    const { json } = await call(sandbox, "POST", all, {
      name: "data & more",
      usernames: ["ANN@example.com"],
    });
    const one = `${all}/${json.id}`;
    expect((await call(sandbox, "GET", one)).json).toMatchObject({ id: json.id, name: "data & more" });
    expect((await call(sandbox, "GET", `${all}/byName/data%20%26%20more`)).json.id).toBe(json.id);
    expect(usernames(await call(sandbox, "GET", `${one}/users`))).toEqual(["ann@example.com"]);
    expect((await call(sandbox, "PATCH", one, { name: "data" })).json.name).toBe("data");
    const { json: list } = await call(sandbox, "GET", `${all}?itemsPerPage=1&pageNum=2`);
    expect(list).toMatchObject({ results: [{ id: json.id, name: "data" }], totalCount: 2 });
    expect(outcome(await call(sandbox, "DELETE", one))).toBe("204");
    expect(outcome(await call(sandbox, "GET", one))).toBe("404 TEAM_NOT_FOUND");
    expect(outcome(await call(sandbox, "GET", `${all}/byName/data`))).toBe("404 TEAM_NAME_NOT_FOUND");
  });

  test.each([
    ["a taken name", { name: "platform" }, "409 TEAM_NAME_NOT_AVAILABLE"],
    ["a blank name", { name: " " }, "400 INVALID_TEAM_NAME"],
    ["no name", {}, "400 MISSING_ATTRIBUTE"],
    ["an unknown user", { name: "a", usernames: ["none@example.com"] }, "500 UNEXPECTED_ERROR"],
    [
      "a user of no organization",
      { name: "a", usernames: ["bob@example.com"] },
      "404 CANNOT_ADD_PENDING_USER",
    ],
  ])("with %s are refused", async (_, body, expected) => {
    const { sandbox, all } = await startWithTeam();
    sandbox.addUser({ username: "bob@example.com" });
    expect(outcome(await call(sandbox, "POST", all, body))).toBe(expected);
    expect(sandbox.state.teams).toHaveLength(1);
  });

  test("are refused with LDAP", async () => {
    const { sandbox, all, team, inProject } = await startWithTeam({ ldap: true });
    const expected = "409 CANNOT_CREATE_TEAM_WITH_LDAP_ENABLED";
    expect(outcome(await call(sandbox, "POST", all, { name: "a" }))).toBe(expected);
    expect(outcome(await add(sandbox, inProject, team.id))).toBe(expected);
  });

  test("are changed by organization owners only", async () => {
    const { sandbox, all, one } = await startWithTeam();
    const roles: RoleGrant[] = [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }];
    const key = sandbox.addKey({ roles });
    expect(outcome(await call(sandbox, "GET", one, undefined, key))).toBe("200");
    expect(outcome(await call(sandbox, "POST", all, { name: "a" }, key))).toBe("401 NOT_ORG_ADMIN");
    expect(outcome(await call(sandbox, "DELETE", one, undefined, key))).toBe("401 NOT_ORG_ADMIN");
  });

  test.each([
    ["accept", "200"],
    ["refuse", "400 CANNOT_CREATE_EMPTY_TEAM"],
  ] as const)("without people: %s", async (emptyTeam, expected) => {
    const { sandbox, all } = await startWithTeam({ emptyTeam });
    expect(outcome(await call(sandbox, "POST", all, { name: "a" }))).toBe(expected);
  });

  test.each([
    ["accept", 1],
    ["ignore", 0],
  ] as const)("usernames of a new team: %s", async (usernamesOfNewTeam, people) => {
    const { sandbox, all } = await startWithTeam({ usernamesOfNewTeam });
    const { json } = await call(sandbox, "POST", all, { name: "a", usernames: ["ann@example.com"] });
    expect(usernames(await call(sandbox, "GET", `${all}/${json.id}/users`))).toHaveLength(people);
  });

  test("are at most 250, with at most 250 people each", async () => {
    const { sandbox, all, one, team, member } = await startWithTeam();
    for (let n = 2; n <= 250; n += 1) sandbox.addTeam({ orgId: sandbox.orgId, name: `team ${n}` });
    expect(outcome(await call(sandbox, "POST", all, { name: "a" }))).toBe("400 MAX_TEAMS_PER_ORG_EXCEEDED");
    const people = Array.from({ length: 251 }, (_, n) => member(`p${n}`).id);
    sandbox.changeTeam(team.id, { userIds: people.slice(0, 250) });
    expect(outcome(await call(sandbox, "POST", `${one}/users`, [{ id: people[250] }]))).toBe(
      "400 MAX_USERS_PER_TEAM_EXCEEDED",
    );
  });
});

test("a new team has at most 250 people, and each of them once", async () => {
  const { sandbox, all, member } = await startWithTeam({ usernamesOfNewTeam: "accept" });
  const names = Array.from({ length: 251 }, (_, n) => member(`p${n}`).username);
  const make = (name: string, usernames: string[]) => call(sandbox, "POST", all, { name, usernames });
  expect(outcome(await make("a", names))).toBe("400 MAX_USERS_PER_TEAM_EXCEEDED");
  expect(outcome(await make("a", ["p1@example.com", "P1@example.com"]))).toBe("200");
  expect(sandbox.state.teams.find(({ name }) => name === "a")?.userIds).toHaveLength(1);
});

describe("people of a team", () => {
  test("are added and removed", async () => {
    const { sandbox, one, member } = await startWithTeam({ deleteTeamStatus: "200" });
    const bob = member("bob");
    expect(usernames(await call(sandbox, "POST", `${one}/users`, [{ id: bob.id }]))).toEqual([
      "ann@example.com",
      "bob@example.com",
    ]);
    expect(outcome(await call(sandbox, "POST", `${one}/users`, [{ id: bob.id }]))).toBe(
      "409 USER_ALREADY_IN_TEAM",
    );
    expect(outcome(await call(sandbox, "DELETE", `${one}/users/${bob.id}`))).toBe("200");
    expect(usernames(await call(sandbox, "GET", `${one}/users`))).toEqual(["ann@example.com"]);
  });

  test("must be members of the organization", async () => {
    const { sandbox, one } = await startWithTeam();
    const { id } = sandbox.addUser({ username: "new@example.com" });
    expect(outcome(await call(sandbox, "POST", `${one}/users`, [{ id }]))).toBe(
      "404 CANNOT_ADD_PENDING_USER",
    );
  });

  test.each([
    ["keep", "400 CANNOT_REMOVE_LAST_USER_FROM_TEAM"],
    ["remove", "204"],
  ] as const)("the last one: %s", async (lastTeamUser, expected) => {
    const { sandbox, one, ann } = await startWithTeam({ lastTeamUser, deleteTeamStatus: "204" });
    expect(outcome(await call(sandbox, "DELETE", `${one}/users/${ann.id}`))).toBe(expected);
  });
});

describe("teams in a project", () => {
  test("are added, get other roles, and are removed", async () => {
    const { sandbox, team, inProject } = await startWithTeam({ deleteTeamStatus: "204" });
    const [added] = (await add(sandbox, inProject, team.id)).json.results;
    expect(added).toMatchObject({ teamId: team.id, roleNames: ["GROUP_READ_ONLY"] });
    expect(added).not.toHaveProperty("name");
    const one = `${inProject}/${team.id}`;
    await call(sandbox, "PATCH", one, { roleNames: ["GROUP_USER_ADMIN"] });
    expect((await call(sandbox, "GET", inProject)).json.results).toMatchObject([
      { teamId: team.id, roleNames: ["GROUP_USER_ADMIN"] },
    ]);
    expect(outcome(await call(sandbox, "DELETE", one))).toBe("204");
    expect(outcome(await call(sandbox, "DELETE", one))).toBe("404 TEAM_NOT_IN_GROUP");
    expect(sandbox.state.teams).toHaveLength(1);
  });

  test.each([
    ["all-or-none", 0],
    ["one-by-one", 1],
  ] as const)("one of which is refused in a request: %s", async (severalTeams, left) => {
    const { sandbox, team, inProject } = await startWithTeam({ severalTeams });
    const entry = { teamId: team.id, roleNames: ["GROUP_READ_ONLY"] };
    expect(outcome(await call(sandbox, "POST", inProject, [entry, entry]))).toBe("409 TEAM_EXISTS_IN_GROUP");
    expect(teamIds(await call(sandbox, "GET", inProject))).toHaveLength(left);
  });

  test.each([
    ["refuse", "409 TEAM_EXISTS_IN_GROUP", "GROUP_READ_ONLY"],
    ["replace", "200", "GROUP_OWNER"],
  ] as const)("that are in already: %s", async (addedTeamAgain, expected, role) => {
    const { sandbox, team, inProject } = await startWithTeam({ addedTeamAgain });
    await add(sandbox, inProject, team.id);
    expect(outcome(await add(sandbox, inProject, team.id, ["GROUP_OWNER"]))).toBe(expected);
    const { json } = await call(sandbox, "GET", inProject);
    expect(json.results).toMatchObject([{ teamId: team.id, roleNames: [role] }]);
  });

  test.each([
    ["replace", ["GROUP_OWNER"]],
    ["add", ["GROUP_READ_ONLY", "GROUP_OWNER"]],
  ] as const)("with other roles in PATCH: %s", async (patchTeamRoles, roles) => {
    const { sandbox, team, inProject } = await startWithTeam({ patchTeamRoles });
    await add(sandbox, inProject, team.id);
    await call(sandbox, "PATCH", `${inProject}/${team.id}`, { roleNames: ["GROUP_OWNER"] });
    const { json } = await call(sandbox, "GET", inProject);
    expect(json.results).toMatchObject([{ roleNames: roles }]);
  });

  test.each([
    ["no roles", [], "403 NO_ROLES_IN_ASSIGNMENT"],
    ["an organization role", ["ORG_MEMBER"], "400 INVALID_ROLE_FOR_GROUP"],
    ["a global role", ["GLOBAL_OWNER"], "403 CANNOT_ADD_GLOBAL_ROLE"],
    ["an unknown role", ["GROUP_NONE"], "400 INVALID_ENUM_VALUE"],
  ])("with %s are refused", async (_, roleNames, expected) => {
    const { sandbox, team, project, inProject } = await startWithTeam();
    expect(outcome(await add(sandbox, inProject, team.id, roleNames))).toBe(expected);
    sandbox.setProjectTeam(project.id, { teamId: team.id, roleNames: ["GROUP_READ_ONLY"] });
    expect(outcome(await call(sandbox, "PATCH", `${inProject}/${team.id}`, { roleNames }))).toBe(expected);
  });

  test("with unknown or malformed ids are refused", async () => {
    const { sandbox, inProject } = await startWithTeam();
    expect(outcome(await add(sandbox, inProject, someId))).toBe("404 TEAM_NOT_FOUND");
    expect(outcome(await call(sandbox, "DELETE", `${inProject}/none`))).toBe("404 INVALID_TEAM_ID");
  });

  test.each(["TEAM_NOT_FOUND", "TEAM_NOT_IN_ORG"] as const)(
    "of another organization can be 404 %s",
    async (foreignTeam) => {
      const { sandbox, inProject } = await startWithTeam({ foreignTeam });
      const other = sandbox.addTeam({ orgId: sandbox.addOrg({ name: "Other" }).id, name: "a" });
      expect(outcome(await add(sandbox, inProject, other.id))).toBe(`404 ${foreignTeam}`);
    },
  );

  test.each(["all", "changed"] as const)(
    "responses of POST and PATCH can hold %s teams",
    async (teamAnswers) => {
      const { sandbox, team, project, inProject } = await startWithTeam({ teamAnswers });
      const other = sandbox.addTeam({ orgId: sandbox.orgId, name: "other" }).id;
      sandbox.setProjectTeam(project.id, { teamId: other, roleNames: ["GROUP_OWNER"] });
      const expected = teamAnswers === "all" ? [other, team.id] : [team.id];
      expect(teamIds(await add(sandbox, inProject, team.id))).toEqual(expected);
      const body = { roleNames: ["GROUP_OWNER"] };
      expect(teamIds(await call(sandbox, "PATCH", `${inProject}/${team.id}`, body))).toEqual(expected);
    },
  );

  test.each([
    ["offered", "200"],
    ["not-offered", "404 RESOURCE_NOT_FOUND"],
  ] as const)("GET of one: %s", async (projectTeam, expected) => {
    const { sandbox, team, inProject } = await startWithTeam({ projectTeam });
    await add(sandbox, inProject, team.id);
    expect(outcome(await call(sandbox, "GET", `${inProject}/${team.id}`))).toBe(expected);
  });

  test.each([
    ["refuse", "404 CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT", 1],
    ["vanish", "204", 0],
  ] as const)("when the team is deleted: %s", async (usedTeam, expected, left) => {
    const { sandbox, team, one, inProject } = await startWithTeam({ usedTeam, deleteTeamStatus: "204" });
    await add(sandbox, inProject, team.id);
    expect(outcome(await call(sandbox, "DELETE", one))).toBe(expected);
    expect(teamIds(await call(sandbox, "GET", inProject))).toHaveLength(left);
  });

  test("can be unknown for a while after their creation", async () => {
    const { sandbox, all, inProject } = await startWithTeam({ newTeamUnknownSeconds: 5 });
    const { json } = await call(sandbox, "POST", all, { name: "new" });
    expect(outcome(await add(sandbox, inProject, json.id))).toBe("404 TEAM_NOT_FOUND");
    sandbox.advanceClock(5);
    expect(outcome(await add(sandbox, inProject, json.id))).toBe("200");
  });

  test("can be limited", async () => {
    const { sandbox, team, inProject } = await startWithTeam({ maxTeamsPerProject: 1 });
    await add(sandbox, inProject, team.id);
    const other = sandbox.addTeam({ orgId: sandbox.orgId, name: "other" }).id;
    expect(outcome(await add(sandbox, inProject, other))).toBe("400 MAX_TEAMS_PER_GROUP_EXCEEDED");
    sandbox.setSwitches({ maxTeamsPerProject: 0 });
    expect(outcome(await add(sandbox, inProject, other))).toBe("200");
  });

  test.each([
    [true, "200", "403 CANNOT_DELETE_LAST_OWNER"],
    [false, "403 CANNOT_DELETE_LAST_OWNER", "204"],
  ])(
    "teamOwners %s: the last person with GROUP_OWNER leaves with %s, the team then with %s",
    async (...row) => {
      const [teamOwners, person, ofTeam] = row;
      const { sandbox, team, project, inProject, member } = await startWithTeam({
        teamOwners,
        deleteTeamStatus: "204",
        deleteUserStatus: "200",
      });
      const { id } = member("bob");
      sandbox.setMember(project.id, { id }, ["GROUP_OWNER"]);
      await add(sandbox, inProject, team.id, ["GROUP_OWNER"]);
      expect(outcome(await call(sandbox, "DELETE", `/groups/${project.id}/users/${id}`))).toBe(person);
      expect(outcome(await call(sandbox, "DELETE", `${inProject}/${team.id}`))).toBe(ofTeam);
    },
  );

  test.each([
    [true, "403 CANNOT_DELETE_LAST_OWNER"],
    [false, "204"],
  ])(
    "teamOwners %s: the last person of the only owner team leaves it with %s",
    async (teamOwners, expected) => {
      const switches = {
        teamOwners,
        lastTeamUser: "remove",
        usedTeam: "vanish",
        deleteTeamStatus: "204",
      } as const;
      const { sandbox, team, ann, one, inProject } = await startWithTeam(switches);
      await add(sandbox, inProject, team.id, ["GROUP_OWNER"]);
      expect(outcome(await call(sandbox, "DELETE", `${one}/users/${ann.id}`))).toBe(expected);
      const other = await startWithTeam(switches);
      await add(other.sandbox, other.inProject, other.team.id, ["GROUP_OWNER"]);
      expect(outcome(await call(other.sandbox, "DELETE", other.one))).toBe(expected);
    },
  );

  test.each([
    [true, "200"],
    [false, "403 CANNOT_DELETE_LAST_OWNER"],
  ])("orgOwners %s: the last person with GROUP_OWNER leaves with %s", async (orgOwners, expected) => {
    const { sandbox, project, member } = await startWithTeam({ orgOwners, deleteUserStatus: "200" });
    sandbox.addUser({
      username: "root@example.com",
      roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    const { id } = member("bob");
    sandbox.setMember(project.id, { id }, ["GROUP_OWNER"]);
    expect(outcome(await call(sandbox, "DELETE", `/groups/${project.id}/users/${id}`))).toBe(expected);
  });
});

describe("people who are in a project through a team only", () => {
  test.each([false, true])("are listed as flattenTeams states, by default %s", async (flattenTeams) => {
    const { sandbox, team, project, inProject } = await startWithTeam({ flattenTeams });
    await add(sandbox, inProject, team.id);
    const listed = async (query: string) =>
      usernames(await call(sandbox, "GET", `/groups/${project.id}/users${query}`)).includes(
        "ann@example.com",
      );
    expect([
      await listed(""),
      await listed("?flattenTeams=true"),
      await listed("?flattenTeams=false"),
    ]).toEqual([flattenTeams, true, false]);
  });

  test.each([false, true])("have the roles of their teams in roles[]: %s", async (teamRolesInUsers) => {
    const { sandbox, team, ann, project, inProject } = await startWithTeam({ teamRolesInUsers });
    await add(sandbox, inProject, team.id);
    const { json } = await call(sandbox, "GET", `/users/${ann.id}`);
    const through = { groupId: project.id, roleName: "GROUP_READ_ONLY" };
    expect(json.roles.some((role: RoleGrant) => role.groupId === through.groupId)).toBe(teamRolesInUsers);
    expect(json.teamIds).toEqual([team.id]);
  });

  test("cannot be removed from it", async () => {
    const { sandbox, team, ann, project, inProject } = await startWithTeam();
    await add(sandbox, inProject, team.id);
    expect(outcome(await call(sandbox, "DELETE", `/groups/${project.id}/users/${ann.id}`))).toBe(
      "404 USER_NOT_IN_GROUP",
    );
  });
});
