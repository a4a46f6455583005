/** ProjectTeam: which team a name is, what a team of a moment ago needs, the last owner, and writes side by side. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { SandboxOptions } from "../../../sandbox";
import { paymentsId } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import {
  ada,
  grace,
  linus,
  orgId,
  owner as ownerName,
  projectTeamsOf,
  seedWithTeam,
  teamNamed,
  teamProgram,
} from "../../engine/teams/support";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, type Program, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { owners, readers } from "../../support/people";
import { holdProjectTeam, holdTeam } from "../people/team-stacks";
import { refusal } from "../refusal";
import { shortWaits } from "../short-waits";

afterEach(tearDownStacks);

const operators = { orgId, name: "operators", usernames: [ada] };
const addTeam = /\/groups\/\w+\/teams$/;

/** The stack has no resource yet, and the service has the team, which no resource holds. */
async function startWith(program: (projectId: string) => Program, options: SandboxOptions = {}) {
  const setup = await setUpStack({
    sandbox: { seed: seedWithTeam, ...options },
    program: (service) => program(paymentsId(service)),
  });
  const { sandbox } = setup;
  return { ...setup, projectId: paymentsId(sandbox), teamId: teamNamed(sandbox, "operators").id };
}

const byName = (projectId: string, roles = readers) =>
  teamProgram(undefined, { payments: { projectId, teamName: "operators", roles } });

it.each([true, false])(
  "a team gets the declared roles in a project if another program adds it at the same moment (and the list shows that: %s)",
  async (isListed) => {
    const { sandbox, stack, projectId, teamId } = await startWith((id) => byName(id, owners));
    await stack.before("POST", addTeam, () => {
      sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
      const fault = { status: 200, body: { results: [], totalCount: 0 } };
      if (!isListed) sandbox.addFault({ method: "GET", pathPattern: "/groups/.*/teams", fault });
    });
    const up = await succeeded(stack.up());
    expect((await stack.resource("payments"))?.outputs).toMatchObject({ roles: owners, origin: "adopted" });
    const found = `Team operators has roles in project ${projectId} already`;
    const change = isListed ? ": roles GROUP_READ_ONLY become GROUP_OWNER." : ". From now on";
    expect(messagesOf(up)).toContain(`${found}${change}`);
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "PATCH"]);
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  },
);

it("a team that others have renamed remains the same team, also when its roles change and another team has the name", async () => {
  const { sandbox, stack, projectId, teamId, declare } = await holdProjectTeam(readers);
  sandbox.changeTeam(teamId, { name: "ops" });
  sandbox.addTeam({ orgId, name: "operators" });
  await declare(owners);
  expect(messagesOf(await succeeded(stack.up()), "warning")).toBe("");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ ops: owners });
});

it("a team that owns a project alone keeps the role and stays in the project, and the errors name the solutions", async () => {
  const { sandbox, stack, projectId, declare } = await holdProjectTeam(owners, {
    sandbox: { teamOwners: true },
  });
  sandbox.removeMember(projectId, { username: ownerName });
  await declare(readers);
  expect(await errorsOf(stack.up())).toMatch(
    /CANNOT_DEMOTE_LAST_OWNER.* Give GROUP_OWNER or ORG_OWNER to another member first\./,
  );
  expect(await errorsOf(stack.destroy())).toContain(
    `Team operators is the only owner of project ${projectId} and was not removed. Add an owner first`,
  );
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
});

it("a team gets no roles in a project of a service that uses LDAP, and the error names the input for roles there", async () => {
  const { sandbox, stack, projectId } = await startWith(byName, { ldap: true });
  expect(await errorsOf(stack.up())).toContain("ldapGroupMappings");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
});

it("the name of a team in a project is not that of the team that gives it up in the same run", async () => {
  const { sandbox, stack, projectId, teamId } = await holdTeam([ada]);
  const inProject = { payments: { projectId, teamName: "operators", roles: owners } };
  await stack.setProgram(teamProgram({ ...operators, name: "admins" }, inProject));
  const refusal = `Team "operators" (${teamId}) is renamed in this run`;
  expect(await errorsOf(stack.preview())).toContain(refusal);
  // Pulumi runs both side by side, so the team may still have the name.
  sandbox.addFault({ method: "PATCH", pathPattern: "/teams/", fault: { status: 403 } });
  expect(await errorsOf(stack.up())).toContain(refusal);
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
});

it("the name of a team in a project is that of the team that the same run creates or gives it, of which the preview knows no id", async () => {
  const { sandbox, stack, projectId, teamId } = await holdTeam([ada]);
  const inProject = (teamName: string) => ({ payments: { projectId, teamName, roles: readers } });
  const then = { dependsOn: ["${operators}"] };
  await stack.setProgram(teamProgram({ ...operators, name: "admins" }, inProject("admins"), then));
  expect(messagesOf(await succeeded(stack.preview()))).toBe("");
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ admins: readers });

  const auditors = { type: "Team", properties: { ...operators, name: "auditors" } };
  const { resources } = teamProgram({ ...operators, name: "admins" }, inProject("auditors"), {
    dependsOn: ["${auditors}"],
  });
  await stack.setProgram({ resources: { ...resources, auditors } });
  const preview = await succeeded(stack.preview());
  expect(preview.changes).toEqual({ same: 1, create: 1, replace: 1 });
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ auditors: readers });
  expect(sandbox.state.teams.map(({ id }) => id)).toContain(teamId);
});

it("the name of a team in a project is that of the team that has it now, also if the run listed the teams before", async () => {
  keepDefault("readCacheSeconds", "the run still has the list that is too old");
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  const { id: ledger } = sandbox.addProject({ name: "ledger" });
  const inLedger = {
    type: "ProjectTeam",
    properties: { projectId: ledger, teamName: "operators", roles: readers },
  };
  await stack.setProgram({ resources: { ...byName(projectId).resources, inLedger } });
  let now = "";
  await stack.before("GET", new RegExp(`/groups/${ledger}$`), () => {
    sandbox.changeTeam(teamId, { name: "former operators" });
    now = sandbox.addTeam({ name: "operators" }).id;
  });
  await succeeded(stack.up({ refresh: true }));
  expect(sandbox.project(ledger)?.teams).toMatchObject([{ teamId: now }]);
  expect(sandbox.project(projectId)?.teams).toMatchObject([{ teamId }]);
});

it("a team in a project that was deleted becomes, by an update, the team that has the declared name now, unless another resource declares it", async () => {
  const { sandbox, stack, projectId, teamId, declare } = await holdProjectTeam(readers, {
    config: { refreshBeforeUpdate: false },
  });
  sandbox.removeTeam(teamId);
  const { id: now } = sandbox.addTeam({ name: "operators" });
  const payments = { projectId, teamName: "operators", roles: owners };
  const other = { type: "ProjectTeam", properties: { projectId, teamId: now, roles: readers } };
  const after = { type: "ProjectTeam", properties: payments, options: { dependsOn: ["${other}"] } };
  await stack.setProgram({ resources: { other, payments: after } });
  expect(await errorsOf(stack.up())).toContain("::other");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  await declare(owners);
  const up = await succeeded(stack.up());
  expect(up.changes).toEqual({ update: 1, delete: 1 });
  expect(messagesOf(up)).toContain(
    `Team operators has roles in project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER. From now on`,
  );
  const recorded = { teamId: now, roles: owners, origin: "adopted" };
  expect((await stack.resource("payments"))?.outputs).toMatchObject(recorded);
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  await succeeded(stack.destroy());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
});

it("a team stays in a project if its resource leaves the program and another one declares it by its name of now, and leaves it if that one holds another team", async () => {
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  const named = (teamName: string) => ({ projectId, roles: readers, teamName });
  sandbox.changeTeam(teamId, { name: "admins" });
  await stack.setProgram(teamProgram(undefined, { other: named("admins") }));
  const up = await succeeded(stack.up());
  expect(up.changes).toEqual({ create: 1, delete: 1 });
  expect(messagesOf(up)).toContain(`keeps its roles in project ${projectId} because`);
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ admins: readers });

  sandbox.changeTeam(teamId, { name: "former admins" });
  const { id: namesake } = sandbox.addTeam({ name: "admins" });
  const two = { projectId, teamId: namesake, roles: owners };
  await stack.setProgram(teamProgram(undefined, { other: named("admins"), two }));
  await succeeded(stack.up());
  await stack.setProgram(teamProgram(undefined, { other: named("admins") }));
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1, delete: 1 });
  expect(sandbox.project(projectId)?.teams).toMatchObject([{ teamId }]);
});

it("a team whose project does not show its organization is added by its id", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith(() => ({}));
  sandbox.addFault({ method: "GET", pathPattern: `/groups/${projectId}$`, times: 0, fault: { status: 403 } });
  await stack.setProgram(teamProgram(undefined, { payments: { projectId, teamId, roles: readers } }));
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  const { outputs } = (await stack.resource("payments")) ?? {};
  expect(outputs).not.toHaveProperty("teamName");
  expect(outputs).not.toHaveProperty("orgId");
});

it("the result of a lost addition is not known if another program gave the team other roles", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith((id) => byName(id, owners));
  sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: { status: 500 } });
  const give = () => sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
  await stack.before("POST", addTeam, give);
  expect(await errorsOf(stack.up())).toContain(
    "A read afterwards does not show the change. Run pulumi up again: it continues from what exists.",
  );
  expect(await stack.resource("payments")).toBeUndefined();
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
});

it("a team is added to a project by a repeated request, after longer and longer waits, only if its organization lists it", async () => {
  const waits = shortWaits();
  const { sandbox, stack, projectId, teamId } = await startWith((id) => byName(id, owners));
  const reject = (times: number) => {
    const fault = refusal(404, "TEAM_NOT_FOUND");
    sandbox.addFault({ method: "POST", pathPattern: "/teams$", times, fault });
  };
  reject(5);
  expect(await errorsOf(stack.up())).toContain("404 TEAM_NOT_FOUND Not now.");
  expect(waits.splice(0)).toEqual([250, 500, 1000, 2000]);
  reject(4);
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  const body = [{ teamId, roleNames: owners }];
  expect(writes(sandbox).at(-1)).toEqual({ method: "POST", path: `/groups/${projectId}/teams`, body });

  const unknown = { projectId, teamId: "5f00000000000000000000af", roles: owners };
  await stack.setProgram({ resources: { unknown: { type: "ProjectTeam", properties: unknown } } });
  sandbox.clearRequests();
  waits.splice(0);
  expect(await errorsOf(stack.up())).toContain("404 TEAM_NOT_FOUND");
  expect([waits, writes(sandbox).length]).toEqual([[], 1]);
});

it("a refresh records the name that a team has now, and retains the recorded one if no list shows it", async () => {
  const { sandbox, stack, teamId, projectId } = await holdProjectTeam(readers);
  const nameOf = async () => {
    await succeeded(stack.refresh());
    return (await stack.resource("payments"))?.outputs?.teamName;
  };
  sandbox.changeTeam(teamId, { name: "admins" });
  expect(await nameOf()).toBe("admins");
  sandbox.changeTeam(teamId, { name: "readers" });
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/.*/teams", fault: refusal(403, "NOT_ALLOWED") });
  expect(await nameOf()).toBe("admins");
  expect(await nameOf()).toBe("readers");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ readers });
});

/** Runs an action, and returns the writes of teams beside another write of the sandbox, and the other way round. */
async function writesBesideTeams(act: () => Promise<unknown>): Promise<readonly string[]> {
  const underWay = new Set<IncomingMessage>();
  const beside: string[] = [];
  const started = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.method === "GET") return;
    const all = [request, ...underWay];
    if (all.length > 1 && all.some(({ url }) => url?.includes("/teams"))) beside.push(request.url ?? "");
    underWay.add(request);
  };
  const finished = (message: unknown) => {
    underWay.delete((message as { readonly request: IncomingMessage }).request);
  };
  subscribe("http.server.request.start", started);
  subscribe("http.server.response.finish", finished);
  try {
    await act();
  } finally {
    unsubscribe("http.server.request.start", started);
    unsubscribe("http.server.response.finish", finished);
  }
  return beside;
}

// The model of the engine runs one resource after the other. Pulumi runs them side by side.
it("a team in a project is written beside no other write of the project's people and teams", async () => {
  const { sandbox, projectId, teamId } = await startWith(() => ({}), { latencyMs: 20 });
  const { baseUrl, publicKey, privateKey } = sandbox;
  const connect = () => connectPlugin({ baseUrl, publicKey, privateKey }, () => {});
  const [up, destroy] = [await connect(), await connect()];
  const { id: other } = sandbox.addTeam({ name: "others" });
  const people = [grace, linus].map((username) => ({ type: "ProjectMember", whose: { username } }) as const);
  const teams = [teamId, other].map((id) => ({ type: "ProjectTeam", whose: { teamId: id } }) as const);
  const state = { initErrors: [], refreshBeforeUpdate: false, dependencies: [] };
  const beside = await writesBesideTeams(async () => {
    const created = await Promise.all(
      [...teams, ...people].map(async ({ type, whose }, index) => {
        const inputs = { projectId, roles: readers, ...whose };
        const named = { type, name: `${index}` };
        return { ...state, ...named, inputs, ...(await up.create(named, inputs, false)) };
      }),
    );
    await Promise.all(created.map((resource) => destroy.delete(resource)));
  });
  await Promise.all([destroy.close(), up.close()]);
  expect(writes(sandbox)).toHaveLength(8);
  expect(beside).toEqual([]);
});
