/** A team in a project: its roles, which team its name is, which resource declares it, and its removal. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { SandboxOptions } from "../../../sandbox";
import { nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  writes,
} from "../../engine/support/project-program";
import {
  ada,
  grace,
  linus,
  orgId,
  owner as ownerName,
  projectTeamsOf,
  seed,
  seedWithTeam,
  teamNamed,
  teamProgram,
} from "../../engine/teams/support";
import { connectPlugin } from "../../proof/plugin-connection";
import { keepDefault, type Program, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { owners, readers } from "../../support/people";
import { holdProjectTeam, holdTeam } from "./team-stacks";

afterEach(tearDownStacks);

const operators = { orgId, name: "operators", usernames: [ada] };
const addTeam = /\/groups\/\w+\/teams$/;

/** The stack has no resource yet, and the service has the team, which no resource holds. */
async function startWith(
  program: (projectId: string) => Program,
  options: SandboxOptions = {},
  provider: ProviderKind = "plugin",
) {
  const setup = await setUpStack({
    provider,
    sandbox: { seed: seedWithTeam, ...options },
    program: (service) => program(paymentsId(service)),
  });
  const { sandbox } = setup;
  return { ...setup, projectId: paymentsId(sandbox), teamId: teamNamed(sandbox, "operators").id };
}

const byName = (projectId: string, roles = readers) =>
  teamProgram(undefined, { payments: { projectId, teamName: "operators", roles } });

const methods = (sandbox: Parameters<typeof writes>[0]) => writes(sandbox).map(({ method }) => method);

it("the roles of a team in a project change, and it leaves the project, although a Team of the program adopts it by its id", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith(() => ({}));
  const inProject = (roles: readonly string[]) => ({ payments: { projectId, teamId, roles } });
  await stack.setProgram(teamProgram(undefined, inProject(readers)));
  await succeeded(stack.up());
  const adopting = { ...operators, teamId };
  await stack.setProgram(teamProgram(adopting, inProject(owners)));
  expect(changedPaths(await succeeded(stack.up()))).toEqual({ "roles[0]": "update" });
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  await stack.setProgram(teamProgram(adopting));
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
});

it.each([{ teamAnswers: "all" }, { teamAnswers: "changed" }] as const)(
  "the roles of a team in a project are read from the complete list after each write, whatever the response shows (%o)",
  async (switches) => {
    const { sandbox, stack, projectId, teamId } = await startWith(byName, switches);
    // More teams than one page of a response has.
    for (let index = 0; index < 120; index += 1) {
      const { id } = sandbox.addTeam({ name: `team ${index}` });
      sandbox.setProjectTeam(projectId, { teamId: id, roleNames: readers });
    }
    await succeeded(stack.up());
    const outputs = async () => (await stack.resource("payments"))?.outputs;
    expect(await outputs()).toMatchObject({ teamId, teamName: "operators", roles: readers });
    await stack.setProgram(byName(projectId, owners));
    await succeeded(stack.up());
    expect(await outputs()).toMatchObject({ roles: owners });
    await succeeded(stack.destroy());
    expect(methods(sandbox)).toEqual(["POST", "PATCH", "DELETE"]);
    expect(sandbox.project(projectId)?.teams).toHaveLength(120);
  },
);

it.each(bothProviders)(
  "a team that is in a project already is adopted and named, and gets the declared roles (%s)",
  async (provider) => {
    const { sandbox, stack, projectId, teamId } = await startWith(byName, {}, provider);
    sandbox.setProjectTeam(projectId, { teamId, roleNames: owners });
    const adopted = await succeeded(stack.up());
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
    expect(await stack.resource("payments")).toMatchObject({ outputs: { origin: "adopted" } });
    expect(messagesOf(adopted, "info")).toContain(
      `has roles in project ${projectId} already: roles GROUP_OWNER become GROUP_READ_ONLY`,
    );
  },
);

it("a team gets the declared roles in a project if another program adds it at the same moment", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith((id) => byName(id, owners));
  await stack.before("POST", addTeam, () =>
    sandbox.setProjectTeam(projectId, { teamId, roleNames: readers }),
  );
  const up = await succeeded(stack.up());
  expect((await stack.resource("payments"))?.outputs).toMatchObject({ roles: owners, origin: "adopted" });
  expect(messagesOf(up)).toContain(
    `Team operators has roles in project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER.`,
  );
  expect(methods(sandbox)).toEqual(["POST", "PATCH"]);
});

it("an update fails if the service adds the declared roles to those of a team in a project, and all of them are recorded", async () => {
  const { stack, declare } = await holdProjectTeam(readers, { sandbox: { patchTeamRoles: "add" } });
  await declare(owners);
  expect(await errorsOf(stack.up())).toContain("but it stored GROUP_OWNER, GROUP_READ_ONLY.");
  expect((await stack.resource("payments"))?.outputs).toMatchObject({ roles: [...owners, ...readers] });
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

it("people who are in a project only through a team are no members: ProjectMembers neither lists nor removes them", async () => {
  const { sandbox, stack } = await startWith(
    (projectId) => {
      const members = { [ownerName]: owners, [grace]: readers };
      const people = { type: "ProjectMembers", properties: { projectId, members, removeUnlisted: true } };
      return { resources: { ...byName(projectId, owners).resources, people } };
    },
    { flattenTeams: true, bypassInvitations: true },
  );
  await succeeded(stack.up());
  const members = (await stack.resource("people"))?.outputs?.members;
  expect(Object.keys(members ?? {})).toEqual([grace, ownerName]);
  expect(await upAgain({ sandbox, stack })).toEqual({ changes: { same: 2 }, writes: [] });
  expect(sandbox.state.teams[0]?.userIds).toHaveLength(1);
});

it("a team is added to a project by one request, and found there if the response to it is lost", async () => {
  const { sandbox, stack } = await startWith(byName);
  sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: "reset-after-write" });
  await succeeded(stack.up());
  expect((await stack.resource("payments"))?.outputs).toMatchObject({ roles: readers, origin: "created" });
  expect(methods(sandbox)).toEqual(["POST"]);
});

it("a new team that a project does not know yet is added to it after a while", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, newTeamUnknownSeconds: 0.2 },
    program: (service) =>
      teamProgram(operators, {
        payments: { projectId: paymentsId(service), teamName: "${operators.name}", roles: readers },
      }),
  });
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, paymentsId(sandbox))).toEqual({ operators: readers });
  expect(writes(sandbox).filter(({ path }) => addTeam.test(path)).length).toBeGreaterThan(1);
});

it.each(["TEAM_NOT_FOUND", "TEAM_NOT_IN_ORG"] as const)(
  "a team of another organization is refused at once by a project (%s)",
  async (foreignTeam) => {
    const { sandbox, stack, projectId } = await startWith(() => ({}), { foreignTeam });
    const { id: teamId } = sandbox.addTeam({ orgId: sandbox.addOrg({ name: "Other" }).id, name: "theirs" });
    await stack.setProgram(teamProgram(undefined, { payments: { projectId, teamId, roles: readers } }));
    expect(await errorsOf(stack.up())).toContain(foreignTeam);
    expect(methods(sandbox)).toEqual(["POST"]);
  },
);

it("a team gets no roles in a project of a service that uses LDAP, and the error names the input for roles there", async () => {
  const { sandbox, stack, projectId } = await startWith(byName, { ldap: true });
  expect(await errorsOf(stack.up())).toContain("ldapGroupMappings");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({});
});

it("a team in a project needs exactly one of id and name, and roles without repetition", async () => {
  const { stack, projectId } = await startWith((id) =>
    teamProgram(undefined, { payments: { projectId: id, roles: [] } }),
  );
  const errors = await errorsOf(stack.up());
  expect(errors).toContain("roles must not be empty: a team without a role is not in the project.");
  expect(errors).toContain("The team is missing: set teamId or teamName.");
  const both = { projectId, teamId: projectId, teamName: "operators", roles: [...owners, ...owners] };
  await stack.setProgram(teamProgram(undefined, { payments: both }));
  const others = await errorsOf(stack.up());
  expect(others).toContain("teamId and teamName are both set. Remove one of them.");
  expect(others).toContain('roles contains "GROUP_OWNER" more than once.');
});

it.each(
  bothProviders.flatMap((provider) =>
    ["operators", "${operators.name}"].map((teamName) => ({ provider, teamName })),
  ),
)(
  "a team in a project can be named as a Team of the program, also in a preview before that team exists (%o)",
  async (given) => {
    const { provider, teamName } = given;
    const inProject = (projectId: string) => ({ payments: { projectId, teamName, roles: readers } });
    const setup = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) =>
        teamProgram(operators, inProject(paymentsId(service)), { dependsOn: ["${operators}"] }),
    });
    const { sandbox, stack } = setup;
    expect((await succeeded(stack.preview())).changes).toEqual({ create: 2 });
    await succeeded(stack.up());
    expect(projectTeamsOf(sandbox, paymentsId(sandbox))).toEqual({ operators: readers });
    expect(await upAgain(setup)).toEqual({ changes: { same: 2 }, writes: [] });
  },
);

it("a preview refuses the name of a team in a project that no team has and no Team of the program gets", async () => {
  const { stack } = await setUpStack({
    sandbox: { seed },
    program: (service) => byName(paymentsId(service)),
  });
  expect(await errorsOf(stack.preview())).toContain(
    'has no team "operators" that these credentials can see. Check teamName',
  );
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
  expect(await errorsOf(stack.up())).toContain(
    "already declared by urn:pulumi:test::platform::opsmanager:index:ProjectTeam::other",
  );
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

it.each(["its name", "its id"])(
  "a team in a project is imported by %s, and the program has no difference",
  async (way) => {
    const { sandbox, stack, projectId, teamId } = await startWith(() => ({}));
    sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
    const imported = way === "its id" ? teamId : "operators";
    await succeeded(stack.import("ProjectTeam", "payments", `${projectId}/${imported}`));
    expect(await stack.resource("payments")).toMatchObject({
      id: `${projectId}/${teamId}`,
      inputs: { projectId, teamId, roles: readers },
    });
    await stack.setProgram(teamProgram(undefined, { payments: { projectId, teamId, roles: readers } }));
    expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  },
);

it("a team in a project that one resource declares by its id is refused to another one that declares it by its name", async () => {
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  const both = {
    "by-id": { projectId, teamId, roles: owners },
    payments: { projectId, teamName: "operators", roles: readers },
  };
  await stack.setProgram(teamProgram(undefined, both));
  expect(await errorsOf(stack.up())).toContain(
    "already declared by urn:pulumi:test::platform::opsmanager:index:ProjectTeam::by-id",
  );
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
});

it.each(["teamId", "teamName"] as const)(
  "a team stays in a project if its resource leaves the program and another one declares it by its %s of now",
  async (way) => {
    const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
    sandbox.changeTeam(teamId, { name: "admins" });
    const named = way === "teamId" ? { teamId } : { teamName: "admins" };
    await stack.setProgram(teamProgram(undefined, { other: { projectId, roles: readers, ...named } }));
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 1, delete: 1 });
    expect(messagesOf(up)).toContain(`keeps its roles in project ${projectId} because`);
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ admins: readers });
    await succeeded(stack.destroy());
    expect(projectTeamsOf(sandbox, projectId)).toEqual({});
  },
);

it("a team leaves a project with its resource, although another one that holds another team was declared by its name of now", async () => {
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  sandbox.changeTeam(teamId, { name: "former operators" });
  const { id: other } = sandbox.addTeam({ name: "operators" });
  const payments = { projectId, teamName: "operators", roles: readers };
  await stack.setProgram(
    teamProgram(undefined, { payments, two: { projectId, teamId: other, roles: owners } }),
  );
  await succeeded(stack.up());
  await stack.setProgram(byName(projectId));
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1, delete: 1 });
  expect(sandbox.project(projectId)?.teams).toMatchObject([{ teamId }]);
});

it("a team whose removal from a project is refused counts as removed only if the complete list lacks it", async () => {
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  const body = { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "No." };
  const refuse = () =>
    sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault: { status: 401, body } });
  refuse();
  expect(await errorsOf(stack.destroy())).toContain("USER_UNAUTHORIZED");
  refuse();
  await stack.before("DELETE", /\/teams\//, () =>
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] }),
  );
  await succeeded(stack.destroy());
});

it("nothing is sent for a team that has left the project, or whose project was deleted", async () => {
  const { sandbox, stack, projectId, teamId, declare } = await holdProjectTeam(readers, {
    config: { refreshBeforeUpdate: false },
  });
  const { id: other } = sandbox.addTeam({ name: "others" });
  sandbox.setProjectTeam(projectId, { teamId: other, roleNames: owners });
  sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(methods(sandbox)).toEqual([]);
  await declare(readers);
  await succeeded(stack.up());
  sandbox.removeProject(projectId);
  sandbox.clearRequests();
  await succeeded(stack.destroy());
  expect(methods(sandbox)).toEqual([]);
});

it("an adopted team that the program releases is announced without what destroying would do", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith((id) =>
    teamProgram(undefined, {
      payments: { projectId: id, teamName: "operators", roles: readers, onDestroy: "release" },
    }),
  );
  sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
  const messages = messagesOf(await succeeded(stack.up()), "info");
  expect(messages).toContain(`Team operators has roles in project ${projectId} already.`);
  expect(messages).not.toContain("From now on");
});

it("a team in a project stays recorded with a warning if the list of teams cannot be read, and is not removed unseen", async () => {
  const { sandbox, stack, projectId, teamId } = await holdProjectTeam(readers);
  const before = await stack.resource("payments");
  const pathPattern = "/groups/.*/teams($|\\?)";
  sandbox.addFault({ method: "GET", pathPattern, fault: { status: 403 }, times: 0 });
  const refresh = await succeeded(stack.refresh());
  expect(messagesOf(refresh, "warning")).toContain(`[unreadable] [teams ${projectId}]`);
  expect(await stack.resource("payments")).toEqual(before);
  expect(await errorsOf(stack.destroy())).toContain("403");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  sandbox.clearFaults();
  sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
  await succeeded(stack.refresh());
  expect(await stack.resource("payments")).toBeUndefined();
});

it("an import finds no team that is not in the project, none in a deleted project, and fails if none can be read", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith(() => ({}));
  const importing = (id: string) => stack.import("ProjectTeam", "payments", id);
  for (const id of [`${projectId}/${teamId}`, `${projectId}/admins`, `5f00000000000000000000af/${teamId}`]) {
    const run = await importing(id);
    expect([run.exitCode, messagesOf(run, "error")]).toEqual([1, ""]);
  }
  expect(await errorsOf(importing(projectId))).toContain(
    "does not name the roles of one team in a project: a ProjectTeam is imported by <projectId>/<teamId> or <projectId>/<teamName>.",
  );
  sandbox.addFault({ method: "GET", pathPattern: "/groups/.*/teams", fault: { status: 403 } });
  expect(await errorsOf(importing(`${projectId}/${teamId}`))).toContain("403");
});

it("a team whose project does not show its organization is not found by its name, and is added by its id", async () => {
  const { sandbox, stack, projectId, teamId } = await startWith(byName);
  sandbox.addFault({ method: "GET", pathPattern: `/groups/${projectId}$`, times: 0, fault: { status: 403 } });
  expect(await errorsOf(stack.up())).toContain(
    `Team "operators" cannot be found by name: these credentials cannot read project ${projectId}, so its organization is not known. Set teamId instead.`,
  );
  await stack.setProgram(teamProgram(undefined, { payments: { projectId, teamId, roles: readers } }));
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  const { outputs } = (await stack.resource("payments")) ?? {};
  expect(outputs).not.toHaveProperty("teamName");
  expect(outputs).not.toHaveProperty("orgId");
});

it("the removal of a team from a project counts for maxRemovalsPerRun, and a released team stays in it", async () => {
  const { sandbox, stack, projectId } = await holdProjectTeam(readers, { config: { maxRemovalsPerRun: 0 } });
  expect(await errorsOf(stack.destroy())).toContain(
    `Team operators keeps its roles in project ${projectId}: this run would make 1 removal`,
  );
  const released = { projectId, teamName: "operators", roles: readers, onDestroy: "release" };
  await stack.setProgram(teamProgram(undefined, { payments: released }));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect(messagesOf(await succeeded(stack.destroy()))).toContain(
    `Team operators was released and keeps its roles in project ${projectId}.`,
  );
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
});

it("roles of a team that ignoreChanges names stay in the project, and a team that left it comes back with the declared ones", async () => {
  const options = { ignoreChanges: ["roles"] };
  const program = (projectId: string, onDestroy: string) =>
    teamProgram(
      undefined,
      { payments: { projectId, teamName: "operators", roles: readers, onDestroy } },
      options,
    );
  const { sandbox, stack, projectId, teamId } = await startWith((id) => program(id, "remove"));
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  sandbox.setProjectTeam(projectId, { teamId, roleNames: owners });
  await stack.setProgram(program(projectId, "release"));
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
  await stack.setProgram(program(projectId, "remove"));
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  expect((await stack.resource("payments"))?.outputs).toMatchObject({ origin: "created" });
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
