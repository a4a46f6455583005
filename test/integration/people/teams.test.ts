/** A team of an organization: its name, which resource holds it, its import and its deletion. */
import { nothing, upAgain } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import {
  ada,
  grace,
  orgId,
  seed,
  seedWithTeam,
  teamNamed,
  teamProgram,
  teamsOf,
} from "../../engine/teams/support";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { readers } from "../../support/people";
import { shortWaits } from "../short-waits";
import { holdTeam } from "./team-stacks";

afterEach(tearDownStacks);

const operators = { orgId, name: "operators", usernames: [ada] };
const team = (properties: object, dependsOn: readonly string[] = []) => ({
  type: "Team",
  properties: { ...operators, ...properties },
  options: { dependsOn },
});

it("a team that another resource adopted by its id is not renamed", async () => {
  const { sandbox, stack, teamId } = await holdTeam([ada], { config: { refreshBeforeUpdate: false } });
  await stack.setProgram({
    resources: { fresh: team({ teamId }), operators: team({ name: "admins" }, ["${fresh}"]) },
  });
  expect(await errorsOf(stack.up())).toContain("::fresh");
  expect(writes(sandbox)).toEqual([]);
});

it("a new team is refused by the list of now: a team of its name appears during the run, and later has another name", async () => {
  keepDefault("readCacheSeconds", "the run still has the list that is too old");
  const { sandbox, stack } = await holdTeam([ada]);
  const duringTheRead = (act: () => void) => stack.before("GET", /\/teams\/\w+\/users/, act);
  await stack.setProgram({ resources: { operators: team({}), admins: team({ name: "admins" }) } });
  await duringTheRead(() => sandbox.addTeam({ name: "admins" }));
  expect(await errorsOf(stack.up({ refresh: true }))).toContain(
    `already has a team named "admins": ${teamNamed(sandbox, "admins").id}.`,
  );
  await duringTheRead(() => sandbox.changeTeam(teamNamed(sandbox, "admins").id, { name: "former admins" }));
  await succeeded(stack.up({ refresh: true }));
  expect(teamsOf(sandbox)).toEqual({ operators: [ada], "former admins": [], admins: [ada] });
});

it("a team is adopted, never created twice, if the response to its creation is lost", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: () => teamProgram(operators),
  });
  sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: "reset-after-write" });
  await succeeded(stack.up());
  expect((await stack.resource("operators"))?.outputs).toMatchObject({ origin: "adopted", usernames: [ada] });
  expect(sandbox.state.teams).toHaveLength(1);
});

it("a team that is replaced under a new name leaves no team of the old one", async () => {
  const { sandbox, declare, replace } = await holdTeam([ada]);
  await declare([ada], { name: "admins" });
  expect(messagesOf(await succeeded(replace()))).toBe("");
  expect(teamsOf(sandbox)).toEqual({ admins: [ada] });
});

it.each(["its name", "its id, which another team has as its name"])(
  "a team is imported by %s, with all of its people, and the program has no difference",
  async (way) => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed: seedWithTeam }, program: () => ({}) });
    const { id: teamId } = teamNamed(sandbox, "operators");
    sandbox.addTeam({ name: teamId });
    const imported = way === "its name" ? "operators" : teamId;
    await succeeded(stack.import("Team", "operators", `${orgId}/${imported}`));
    expect(await stack.resource("operators")).toMatchObject({
      id: `${orgId}/${teamId}`,
      inputs: { orgId, name: "operators", usernames: [ada] },
      outputs: { origin: "imported" },
    });
    await stack.setProgram(teamProgram(operators));
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  },
);

it.each([
  ["without their teams", {}],
  ["with null in place of their teams", { teamIds: null }],
])("a team is not taken for deleted if the people of the organization are listed %s", async (_, teams) => {
  keepDefault("refreshBeforeUpdate", "a destroy reads the team first");
  const { sandbox, stack, teamId } = await holdTeam([ada]);
  const results = sandbox.state.users.map(({ id, username, roles }) => ({ id, username, roles, ...teams }));
  const respond = (pathPattern: string, status: number, body: unknown) =>
    sandbox.addFault({ method: "GET", pathPattern, fault: { status, body }, times: 0 });
  respond("/orgs/[^/]+/teams(\\?|$)", 200, { results: [], totalCount: 0 });
  respond(`/teams/${teamId}(\\?|$)`, 404, { error: 404, errorCode: "TEAM_NOT_FOUND", detail: "No." });
  respond("/orgs/[^/]+/users(\\?|$)", 200, { results, totalCount: results.length });
  const before = await stack.resource("operators");
  const refresh = await succeeded(stack.refresh());
  expect(messagesOf(refresh)).toContain("without their teams (teamIds)");
  expect(await stack.resource("operators")).toEqual(before);
  expect(await errorsOf(stack.destroy())).toContain("so the state keeps it");
  expect(sandbox.state.teams).toHaveLength(1);
});

it("a team is not taken for deleted by a key that may not list teams, or sees only those of its own projects", async () => {
  const { sandbox, stack, teamId, projectId } = await holdTeam([ada]);
  const before = await stack.resource("operators");
  const unreadable = `[unreadable] [organization ${orgId}]`;
  sandbox.addFault({ method: "GET", pathPattern: "/teams($|\\?)", fault: { status: 403 } });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(unreadable);
  const roles = [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }];
  sandbox.changeKey(sandbox.publicKey, { roles });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(unreadable);
  expect(await stack.resource("operators")).toEqual(before);
  expect(await errorsOf(stack.destroy())).toContain(
    `Team "operators" (${teamId}) is hidden from these credentials`,
  );
  sandbox.removeTeam(teamId);
  await succeeded(stack.refresh());
  expect(await stack.resource("operators")).toBeUndefined();
});

it("a team is not deleted while a project outside the program has it or may have it, also if the service would delete it", async () => {
  const waits = shortWaits();
  const { sandbox, stack, projectId, teamId } = await holdTeam([ada], { sandbox: { usedTeam: "vanish" } });
  sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
  const refused = await errorsOf(stack.destroy());
  expect(refused).toContain(
    `Team "operators" (${teamId}) was not deleted: a project still has it, or may have it. Remove it from its projects first, also from those that this program does not declare, or set onDestroy to "release" and run pulumi up. (Project ${projectId} has it.)`,
  );
  expect(waits).toEqual([500, 1000, 2000]);
  sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
  const body = { error: 403, errorCode: "USER_UNAUTHORIZED" };
  sandbox.addFault({
    method: "GET",
    pathPattern: "/groups/.*/teams(\\?|$)",
    times: 0,
    fault: { status: 403, body },
  });
  expect(await errorsOf(stack.destroy())).toContain(`(The teams of project ${projectId} could not be read.`);
  expect(sandbox.state.teams).toHaveLength(1);
  sandbox.clearFaults();
  await succeeded(stack.destroy());
  expect(sandbox.state.teams).toEqual([]);
});

it("a team is not deleted while a project has it that was created after the run listed the projects", async () => {
  shortWaits();
  const ledger = { type: "Project", properties: { orgId, name: "ledger" } };
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: () => ({ resources: { ledger, operators: team({}, ["${ledger}"]) } }),
  });
  await succeeded(stack.up());
  // A project that no longer exists is looked for in the list.
  sandbox.removeProject(sandbox.state.projects.find(({ name }) => name === "ledger")?.id ?? "");
  const { id: teamId } = teamNamed(sandbox, "operators");
  await stack.before("GET", /\/teams\/\w+\/users/, () => {
    const { id } = sandbox.addProject({ name: "fresh" });
    sandbox.setProjectTeam(id, { teamId, roleNames: readers });
  });
  expect(await errorsOf(stack.destroy({ refresh: true }))).toContain(
    `(Project ${sandbox.state.projects.find(({ name }) => name === "fresh")?.id} has it.)`,
  );
  expect(sandbox.state.teams).toHaveLength(1);
});

it("a team is not deleted if the run would remove more people than it may", async () => {
  const { sandbox, stack, teamId, declare } = await holdTeam([ada, grace], {
    config: { maxRemovalsPerRun: 1, refreshBeforeUpdate: false },
  });
  const userIds = [grace, ada].map((username) => sandbox.user({ username })?.id ?? "");
  sandbox.changeTeam(teamId, { userIds });
  sandbox.addFault({ method: "GET", pathPattern: "/teams/\\w+/users", fault: { status: 403 } });
  expect(await errorsOf(stack.destroy())).toContain("403");
  expect(await errorsOf(stack.destroy())).toContain(
    `Team "operators" (${teamId}) was not deleted, because its people would leave it (${ada}, ${grace}): this run would make 2 removals`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
  await declare([ada]);
  await succeeded(stack.up());
  await succeeded(stack.destroy());
  expect(sandbox.state.teams).toEqual([]);
});

it("a team is deleted although a project still has it at first, whose deletion has not begun", async () => {
  shortWaits();
  const { sandbox, stack } = await holdTeam([ada]);
  const body = { error: 404, errorCode: "CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT", detail: "No." };
  sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: { status: 404, body } });
  await succeeded(stack.destroy());
  expect(sandbox.state.teams).toEqual([]);
});

it("a team that the organization does not have is not adopted, and one that was deleted since is not updated", async () => {
  const { sandbox, stack, teamId, declare } = await holdTeam([ada], {
    config: { refreshBeforeUpdate: false },
  });
  sandbox.removeTeam(teamId);
  await declare([ada], { name: "admins" });
  expect(await errorsOf(stack.up())).toContain(
    `Team "operators" (${teamId}) was deleted since it was recorded. To create it again, run: pulumi up --refresh.`,
  );
  await stack.setProgram({ resources: { other: team({ teamId }) } });
  expect(await errorsOf(stack.preview())).toContain(
    `Organization ${orgId} has no team with the id ${teamId}. Correct teamId, or remove it to create a team named "operators". Nothing was written.`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a rejected deletion of a team succeeds only if the team no longer exists", async () => {
  const { sandbox, stack } = await holdTeam([ada]);
  const body = { error: 400, reason: "Bad Request", errorCode: "NOT_NOW", detail: "Not now." };
  const reject = (afterWrite: boolean) =>
    sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: { status: 400, body, afterWrite } });
  reject(false);
  expect(await errorsOf(stack.destroy())).toContain("Not now.");
  reject(true);
  await succeeded(stack.destroy());
  expect(teamsOf(sandbox)).toEqual({});
});

it("a released team and its people stay", async () => {
  const { sandbox, stack, teamId, declare } = await holdTeam([ada, grace]);
  await declare([ada, grace], { onDestroy: "release" });
  await succeeded(stack.up());
  expect(messagesOf(await succeeded(stack.destroy()))).toContain(
    `Team "operators" (${teamId}, created) was released: it stays in the service with its people.`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
});

it("an import of a team that does not exist, or that cannot be read, fails, and one of another form names the forms", async () => {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed: seedWithTeam }, program: () => ({}) });
  const importing = (id: string) => stack.import("Team", "operators", id);
  const missing = await importing(`${orgId}/admins`);
  expect([missing.exitCode, messagesOf(missing, "error")]).toEqual([1, ""]);
  expect(await errorsOf(importing("operators"))).toContain(
    "does not name a team of an organization: a Team is imported by <orgId>/<teamId> or <orgId>/<team name>.",
  );
  sandbox.addFault({ method: "GET", pathPattern: "/teams/\\w+/users", fault: { status: 403 } });
  expect(await errorsOf(importing(`${orgId}/operators`))).toContain("403");
  sandbox.addFault({ method: "GET", pathPattern: "/teams", fault: { status: 403 } });
  expect(await errorsOf(importing(`${orgId}/operators`))).toContain(
    `Team "operators" cannot be found by name: these credentials cannot list the teams of organization ${orgId}.`,
  );
});

it("an empty list that ignoreChanges kept removes no one from a team", async () => {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed: seedWithTeam }, program: () => ({}) });
  const { id } = teamNamed(sandbox, "operators");
  sandbox.changeTeam(id, { userIds: [] });
  await succeeded(stack.import("Team", "operators", `${orgId}/operators`));
  sandbox.changeTeam(id, { userIds: [sandbox.user({ username: ada })?.id ?? ""] });
  await stack.setConfig({ refreshBeforeUpdate: false });
  await stack.setProgram({
    resources: { operators: team({ name: "admins", usernames: [], removeUnlisted: true }) },
  });
  expect(await errorsOf(stack.up())).toContain(
    "usernames is empty, so nobody is removed: a list that failed to load would remove everyone. List at least one person whose access has not ended, or remove the resource from the program.",
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
});

it("a refresh writes the live name and people of a team into the inputs, under the keys of the program", async () => {
  const { sandbox, stack, teamId } = await holdTeam([ada, grace]);
  sandbox.changeTeam(teamId, { name: "admins", userIds: [sandbox.user({ username: ada })?.id ?? ""] });
  await succeeded(stack.refresh());
  expect(await stack.resource("operators")).toMatchObject({
    inputs: { orgId, name: "admins", usernames: [ada] },
  });
});

it("a team that is missing from the list stays if the people of the organization cannot be read", async () => {
  const { sandbox, stack, teamId } = await holdTeam([ada]);
  const body = { error: 404, errorCode: "TEAM_NOT_FOUND", detail: "No." };
  const none = { results: [], totalCount: 0 };
  sandbox.addFault({
    method: "GET",
    pathPattern: "/orgs/\\w+/teams(\\?|$)",
    times: 0,
    fault: { status: 200, body: none },
  });
  sandbox.addFault({
    method: "GET",
    pathPattern: `/teams/${teamId}$`,
    times: 0,
    fault: { status: 404, body },
  });
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/users", times: 0, fault: { status: 403 } });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
    `[unreadable] [organization ${orgId}]`,
  );
  expect(await stack.resource("operators")).toBeDefined();
});
