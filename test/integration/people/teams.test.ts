/** Team: how it begins and ends, what a response proves about it, its import and its lookups. Its people: `team-people`, `../lists`. */
import { nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import {
  ada,
  grace,
  linus,
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
import { refusal } from "../refusal";
import { shortWaits } from "../short-waits";
import { holdTeam, idOf } from "./team-stacks";

afterEach(tearDownStacks);

const operators = { orgId, name: "operators", usernames: [ada] };
const withoutRefresh = { config: { refreshBeforeUpdate: false } };
const notAllowed = refusal(403, "NOT_ALLOWED");
const notNow = refusal(400, "NOT_NOW");
const teamNotFound = refusal(404, "TEAM_NOT_FOUND");
const teamsOfOrganization = { method: "GET", pathPattern: "/orgs/\\w+/teams(\\?|$)", times: 0 };
const unreadable = `[unreadable] [organization ${orgId}]`;

const team = (properties: object, dependsOn: readonly string[] = []) => ({
  type: "Team",
  properties: { ...operators, ...properties },
  options: { dependsOn },
});

describe("a new team", () => {
  // The warning advised to declare onDestroy: "delete", which the program did, and did not announce the deletion.
  it.each([
    { onDestroy: undefined, end: 'If it is yours, declare onDestroy: "delete", and destroying deletes it.' },
    {
      onDestroy: "delete",
      end: 'Destroying deletes it, because the program declares onDestroy: "delete". If it is not yours, remove that line before you destroy.',
    },
  ])(
    "whose creation got no response is announced with what onDestroy $onDestroy does",
    async ({ onDestroy, end }) => {
      const program = () => teamProgram({ ...operators, ...(onDestroy && { onDestroy }) });
      const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program });
      sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: "reset-after-write" });
      const warning = messagesOf(await succeeded(stack.up()), "warning");
      expect(warning).toBe(
        `Team "operators" (${teamNamed(sandbox, "operators").id}) of organization ${orgId} is recorded as adopted: the response to creating it was lost, so another program may have created it. ${end}`,
      );
    },
  );

  it("is recorded with its people as they were sent, and the reason, if they cannot be read", async () => {
    const program = () => teamProgram({ ...operators, usernames: [ada, grace] });
    const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program });
    await stack.before("POST", /\/teams$/, () =>
      sandbox.addFault({ method: "GET", pathPattern: "/teams/\\w+/users", fault: notNow }),
    );
    expect(await errorsOf(stack.up())).toBe(
      `The people of team "operators" could not be read after it was changed. Run pulumi up again: it continues from what exists. (Listing the people of team operators of organization ${orgId} failed: 400 NOT_NOW Not now.)`,
    );
    expect((await stack.resource("operators"))?.outputs?.people).toEqual(
      [ada, grace].map((username) => ({ userId: idOf(sandbox, username), username, declared: true })),
    );
  });

  it("is refused by the list of now: a team of its name appears during the run, and later has another name", async () => {
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

  it("that replaces another one under a new name leaves no team of the old one", async () => {
    const { sandbox, declare, replace } = await holdTeam([ada]);
    await declare([ada], { name: "admins" });
    expect(messagesOf(await succeeded(replace()))).toBe("");
    expect(teamsOf(sandbox)).toEqual({ admins: [ada] });
  });
});

describe("a team that is given by its id", () => {
  const adopt = (more: object) =>
    setUpStack({
      sandbox: { seed: { ...seed, teams: [{ name: "operators", usernames: [ada, linus] }] } },
      program: ({ state }) => teamProgram({ ...operators, teamId: state.teams[0]?.id ?? "", ...more }),
    });

  it("and adopted by another resource already is not renamed", async () => {
    const { sandbox, stack, teamId } = await holdTeam([ada], withoutRefresh);
    await stack.setProgram({
      resources: { fresh: team({ teamId }), operators: team({ name: "admins" }, ["${fresh}"]) },
    });
    expect(await errorsOf(stack.up())).toContain("::fresh");
    expect(writes(sandbox)).toEqual([]);
  });

  it("and imported by its new name is an error beside the resource that created it", async () => {
    const { sandbox, stack, teamId } = await holdTeam([ada], withoutRefresh);
    sandbox.changeTeam(teamId, { name: "admins" });
    await succeeded(stack.import("Team", "admins", `${orgId}/admins`));
    await stack.setProgram({ resources: { operators: team({}), admins: team({ name: "admins" }) } });
    expect(await errorsOf(stack.up())).toContain("is already declared by");
    expect(writes(sandbox)).toEqual([]);
  });

  it("is neither renamed nor recorded, and gets no one, if that is rejected or it cannot be read", async () => {
    const { sandbox, stack } = await adopt({ name: "admins", usernames: [grace] });
    sandbox.addFault({ method: "PATCH", pathPattern: "/teams/", fault: notNow });
    expect(await errorsOf(stack.up())).toContain("400 NOT_NOW Not now.");
    sandbox.addFault({ ...teamsOfOrganization, fault: notAllowed });
    expect(await errorsOf(stack.preview())).toContain(
      `Listing the teams of organization ${orgId} failed: 403 NOT_ALLOWED Not now.`,
    );
    expect(await stack.resource("operators")).toBeUndefined();
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, linus] });
  });

  it("is an error if the organization does not have it, as is an update of one that was deleted since", async () => {
    const { sandbox, stack, teamId, declare } = await holdTeam([ada], withoutRefresh);
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
});

interface Row {
  readonly title: string;
  /** What the list of the organization's people shows of the teams of the first of them, and of the others. */
  readonly first?: object;
  readonly others?: object;
  readonly peopleFault?: object;
  readonly teamFault?: object;
  /** Part of the warning. Without it the team is taken for deleted. */
  readonly warning?: string;
}

const anotherTeam = { teamIds: ["5f00000000000000000000af"] };
const noTeams = { teamIds: null };
const withoutTeams = "without their teams (teamIds)";
const hiddenTeam = `The team "operators" of organization ${orgId} cannot be read with these credentials, so the state keeps the last known values`;
const inIt =
  "does not list it, but people of the organization are in it. These credentials need the role Organization Owner.";

const rows: readonly Row[] = [
  { title: "was deleted if people are in another team", first: anotherTeam, others: { teamIds: [] } },
  { title: "was deleted if the others have no list of teams", first: anotherTeam, others: noTeams },
  { title: "is hidden if a person is in it", warning: inIt },
  {
    title: "stays if the people are listed without their teams",
    first: {},
    others: {},
    warning: withoutTeams,
  },
  { title: "stays if everyone has null for theirs", first: noTeams, others: noTeams, warning: withoutTeams },
  { title: "stays if the people cannot be read", peopleFault: { status: 403 }, warning: "403" },
  { title: "stays if it may not be read", teamFault: notAllowed, warning: "403 NOT_ALLOWED Not now." },
];

it.each(rows)("a team that its organization neither lists nor shows $title", async (row) => {
  keepDefault("refreshBeforeUpdate", "a destroy reads the team first");
  const { sandbox, stack, teamId } = await holdTeam([ada]);
  const { first, others, peopleFault, teamFault = teamNotFound, warning } = row;
  const respond = (pathPattern: string, fault: object) =>
    sandbox.addFault({ method: "GET", pathPattern, fault: { status: 200, ...fault }, times: 0 });
  respond("/orgs/[^/]+/teams(\\?|$)", { body: { results: [], totalCount: 0 } });
  respond(`/teams/${teamId}(\\?|$)`, teamFault);
  const results = sandbox.state.users.map(({ id, username, roles }, index) => ({
    ...{ id, username, roles },
    ...(index === 0 ? first : others),
  }));
  if (peopleFault) respond("/orgs/[^/]+/users(\\?|$)", peopleFault);
  else if (first) respond("/orgs/[^/]+/users(\\?|$)", { body: { results, totalCount: results.length } });

  const before = await stack.resource("operators");
  const said = messagesOf(await succeeded(stack.refresh()));
  expect(await stack.resource("operators")).toEqual(warning === undefined ? undefined : before);
  if (warning === undefined) return expect(said).toBe("");
  expect(said).toContain(`${unreadable} ${hiddenTeam}`);
  expect(said).toContain(warning);
  expect((await stack.destroy()).exitCode).not.toBe(0);
  expect(await stack.resource("operators")).toBeDefined();
  expect(sandbox.state.teams).toHaveLength(1);
});

it("a team is not taken for deleted by a key that sees only the teams of its own projects", async () => {
  const { sandbox, stack, teamId, projectId } = await holdTeam([ada]);
  const before = await stack.resource("operators");
  const roles = [{ groupId: projectId, roleName: "GROUP_READ_ONLY" as const }];
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

describe("a team is not deleted", () => {
  it("while a project outside the program has it or may have it, also if the service would delete it", async () => {
    const waits = shortWaits();
    const { sandbox, stack, projectId, teamId } = await holdTeam([ada], { sandbox: { usedTeam: "vanish" } });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
    const refused = await errorsOf(stack.destroy());
    expect(refused).toContain(
      `Team "operators" (${teamId}) was not deleted: a project still has it, or may have it. Remove it from its projects first, also from those that this program does not declare, or set onDestroy to "release" and run pulumi up. (Project ${projectId} has it.)`,
    );
    expect(waits).toEqual([500, 1000, 2000]);
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
    const fault = refusal(403, "USER_UNAUTHORIZED");
    sandbox.addFault({ method: "GET", pathPattern: "/groups/.*/teams(\\?|$)", times: 0, fault });
    expect(await errorsOf(stack.destroy())).toContain(
      `(The teams of project ${projectId} could not be read.`,
    );
    expect(sandbox.state.teams).toHaveLength(1);
    sandbox.clearFaults();
    await succeeded(stack.destroy());
    expect(sandbox.state.teams).toEqual([]);
  });

  it("while a project has it that was created after the run listed the projects", async () => {
    shortWaits();
    const ledger = { type: "Project", properties: { orgId, name: "ledger" } };
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: () => ({ resources: { ledger, operators: team({}, ["${ledger}"]) } }),
    });
    await succeeded(stack.up());
    const idOfProject = (name: string) => sandbox.state.projects.find((one) => one.name === name)?.id ?? "";
    // A project that no longer exists is looked for in the list.
    sandbox.removeProject(idOfProject("ledger"));
    const { id: teamId } = teamNamed(sandbox, "operators");
    await stack.before("GET", /\/teams\/\w+\/users/, () => {
      const { id } = sandbox.addProject({ name: "fresh" });
      sandbox.setProjectTeam(id, { teamId, roleNames: readers });
    });
    expect(await errorsOf(stack.destroy({ refresh: true }))).toContain(
      `(Project ${idOfProject("fresh")} has it.)`,
    );
    expect(sandbox.state.teams).toHaveLength(1);
  });

  it("if the run would remove more people than it may, or they cannot be read", async () => {
    const { sandbox, stack, teamId, declare } = await holdTeam([ada, grace], {
      config: { maxRemovalsPerRun: 1, refreshBeforeUpdate: false },
    });
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
});

it("a team whose deletion is rejected stays recorded, although it cannot be read afterwards", async () => {
  const { sandbox, stack } = await holdTeam([ada]);
  await stack.before("DELETE", /\/teams\//, () => {
    sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: notNow });
    sandbox.addFault({ ...teamsOfOrganization, times: 1, fault: refusal(400, "UNREADABLE") });
  });
  expect(await errorsOf(stack.destroy())).toContain("400 NOT_NOW Not now.");
  expect(await stack.resource("operators")).toBeDefined();
});

it("a team is deleted although a project still has it at first, whose deletion has not begun", async () => {
  shortWaits();
  const { sandbox, stack } = await holdTeam([ada]);
  const fault = refusal(404, "CANNOT_DELETE_TEAM_ASSIGNED_TO_PROJECT");
  sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault });
  await succeeded(stack.destroy());
  expect(sandbox.state.teams).toEqual([]);
});

describe("an import of a team", () => {
  const setUp = () => setUpStack({ sandbox: { seed: seedWithTeam }, program: () => ({}) });

  it("by its name, or by its id, which another team has as its name, has all of its people, and the program has no difference", async () => {
    const { sandbox, stack } = await setUp();
    const { id: teamId } = teamNamed(sandbox, "operators");
    sandbox.addTeam({ name: teamId });
    await stack.setProgram(teamProgram(operators));
    for (const imported of ["operators", teamId]) {
      const copy = await stack.copy({});
      await succeeded(copy.import("Team", "operators", `${orgId}/${imported}`));
      expect(await copy.resource("operators")).toMatchObject({
        id: `${orgId}/${teamId}`,
        inputs: { orgId, name: "operators", usernames: [ada] },
        outputs: { origin: "imported" },
      });
      expect(await upAgain({ sandbox, stack: copy })).toEqual(nothing);
    }
  });

  it("fails if it does not exist or cannot be read, and names the forms of the ID", async () => {
    const { sandbox, stack } = await setUp();
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
});

it("a refresh writes the live name and people of a team into the inputs, under the keys of the program", async () => {
  const { sandbox, stack, teamId } = await holdTeam([ada, grace]);
  sandbox.changeTeam(teamId, { name: "admins", userIds: [idOf(sandbox, ada)] });
  await succeeded(stack.refresh());
  const inputs = { orgId, name: "admins", usernames: [ada] };
  expect(await stack.resource("operators")).toMatchObject({ inputs });
});

it("getTeams and getProjectTeams find the teams with their names and roles", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: seedWithTeam },
    program: (service) => ({
      lookups: {
        all: { function: "getTeams", arguments: { orgId } },
        here: { function: "getProjectTeams", arguments: { projectId: paymentsId(service) } },
      },
      outputs: { all: "${all}", here: "${here}" },
    }),
  });
  const projectId = paymentsId(sandbox);
  const { id: teamId } = teamNamed(sandbox, "operators");
  const { id: other } = sandbox.addTeam({ name: "auditors" });
  sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_READ_ONLY", "GROUP_OWNER"] });
  await succeeded(stack.up());
  const named = [
    { teamId: other, name: "auditors" },
    { teamId, name: "operators" },
  ];
  expect(await stack.outputs()).toEqual({
    all: { orgId, teams: named },
    here: { projectId, teams: [{ ...named[1], roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] }] },
  });
});
