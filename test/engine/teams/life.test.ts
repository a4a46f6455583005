/** The life of a team of an organization, and of a team in a project, with either provider. */
import { succeeded } from "../../support";
import { memberProgram, membersOf, nothing, paymentsId, upAgain } from "../support/people-program";
import { bothProviders, changedPaths, messagesOf, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import {
  ada,
  grace,
  linus,
  orgId,
  projectTeamsOf,
  seedWithTeam,
  startTeams,
  teamNamed,
  teamProgram,
  teamsOf,
} from "./support";

afterEach(tearDownStacks);

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];

describe.each(bothProviders)("a team of an organization (%s)", (provider) => {
  it("is created with its people, renamed in place, corrected after changes outside Pulumi, and deleted", async () => {
    const team = { orgId, name: "operators", usernames: [ada, grace] };
    const setup = await startTeams(provider, () => teamProgram(team));
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
    const { id } = teamNamed(sandbox, "operators");
    expect(await stack.resource("operators")).toMatchObject({
      id: `${orgId}/${id}`,
      outputs: {
        teamId: id,
        usernames: [ada, grace],
        origin: "created",
        onDestroy: "delete",
        people: [
          { username: ada, declared: true },
          { username: grace, declared: true },
        ],
      },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    // A person added outside Pulumi stays; one removed outside Pulumi comes back.
    const userOf = (username: string) => sandbox.user({ username })?.id ?? "";
    sandbox.changeTeam(id, { name: "admins", userIds: [userOf(ada), userOf(linus)] });
    const drift = await succeeded(stack.preview());
    expect(drift.changes).toEqual({ update: 1 });
    if (provider === "plugin") {
      expect(changedPaths(drift, "operators")).toEqual({ name: "update", "usernames[1]": "add" });
    }
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace, linus] });

    await stack.setProgram(teamProgram({ ...team, usernames: [grace.toUpperCase()] }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(teamsOf(sandbox)).toEqual({ operators: [grace, linus] });
    await stack.setProgram(teamProgram({ ...team, usernames: [grace], removeUnlisted: true }));
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/orgs/${orgId}/teams/${id}` }]);
    expect(teamsOf(sandbox)).toEqual({});
  });

  it("comes back with another id after it was deleted outside Pulumi", async () => {
    const setup = await startTeams(provider, () =>
      teamProgram({ orgId, name: "operators", usernames: [ada] }),
    );
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const before = teamNamed(sandbox, "operators").id;
    sandbox.removeTeam(before);
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
    expect(teamNamed(sandbox, "operators").id).not.toBe(before);
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("from which a person could not be removed is corrected by the next run", async () => {
    const team = { orgId, name: "operators", usernames: [ada, grace] };
    const setup = await startTeams(provider, () => teamProgram(team));
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    sandbox.addFault({ method: "DELETE", pathPattern: "/users/", fault: { status: 403 } });
    await stack.setProgram(teamProgram({ ...team, usernames: [ada] }));
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("with people who have no account is refused with all their names, and nothing is written", async () => {
    const usernames = [ada, "eve@example.com", "mallory@example.com"];
    const { sandbox, stack } = await startTeams(provider, () =>
      teamProgram({ orgId, name: "operators", usernames }),
    );
    const refused = await stack.up();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toContain(
      "has no account with the name eve@example.com, mallory@example.com",
    );
    expect(writes(sandbox)).toEqual([]);
    expect(teamsOf(sandbox)).toEqual({});
  });
});

it("a team that is replaced keeps a renamed account, and takes no other account of its old name (plugin)", async () => {
  const team = { orgId, name: "operators", usernames: [ada], removeUnlisted: true };
  const setup = await startTeams("plugin", () => teamProgram(team));
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: "ada.l@example.com" });
  sandbox.addUser({ username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  await succeeded(stack.up({ replace: (await stack.resource("operators"))?.urn }));
  expect(teamsOf(sandbox)).toEqual({ operators: ["ada.l@example.com"] });
  expect((await stack.resource("operators"))?.outputs).toMatchObject({ origin: "created", usernames: [ada] });
  expect(await upAgain(setup)).toEqual(nothing);
});

describe.each(bothProviders)("a team in a project (%s)", (provider) => {
  it("is added, gets other roles, is corrected after changes outside Pulumi, and is removed; people stay no members", async () => {
    const inProject = (projectId: string, roles: readonly string[]) =>
      teamProgram(undefined, { payments: { projectId, teamName: "operators", roles } });
    const setup = await startTeams(provider, (sandbox) => inProject(paymentsId(sandbox), reader), {
      seed: seedWithTeam,
    });
    const { sandbox, stack } = setup;
    const projectId = paymentsId(sandbox);
    const { id: teamId } = teamNamed(sandbox, "operators");
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: `/groups/${projectId}/teams`, body: [{ teamId, roleNames: reader }] },
    ]);
    expect(await stack.resource("payments")).toMatchObject({
      id: `${projectId}/${teamId}`,
      outputs: {
        teamId,
        teamName: "operators",
        roles: reader,
        orgId,
        origin: "created",
        onDestroy: "remove",
      },
    });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.setProjectTeam(projectId, { teamId, roleNames: [...reader, ...owner] });
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
    expect((await upAgain(setup)).writes).toEqual([
      { method: "PATCH", path: `/groups/${projectId}/teams/${teamId}`, body: { roleNames: reader } },
    ]);
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
    await succeeded(stack.up());
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: reader });

    await stack.setProgram(inProject(projectId, owner));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owner });
    // A team that is renamed remains the same one.
    sandbox.changeTeam(teamId, { name: "admins" });
    expect(await upAgain(setup)).toEqual(nothing);

    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/teams/${teamId}` }]);
    expect(sandbox.state.teams.map(({ name }) => name)).toEqual(["admins"]);
  });

  it("that is in already is adopted and named, and its roles are replaced", async () => {
    const { sandbox, stack } = await startTeams(
      provider,
      (sandbox) =>
        teamProgram(undefined, {
          payments: { projectId: paymentsId(sandbox), teamName: "operators", roles: reader },
        }),
      { seed: seedWithTeam },
    );
    const projectId = paymentsId(sandbox);
    const { id: teamId } = teamNamed(sandbox, "operators");
    sandbox.setProjectTeam(projectId, { teamId, roleNames: owner });
    const adopted = await succeeded(stack.up());
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: reader });
    expect(await stack.resource("payments")).toMatchObject({ outputs: { origin: "adopted" } });
    expect(messagesOf(adopted, "info")).toContain(
      `is in project ${projectId} already: roles GROUP_OWNER become GROUP_READ_ONLY`,
    );
  });

  it("can be named by the output of a Team that does not exist yet", async () => {
    const setup = await startTeams(provider, (sandbox) =>
      teamProgram(
        { orgId, name: "operators", usernames: [ada] },
        { payments: { projectId: paymentsId(sandbox), teamName: "${operators.name}", roles: reader } },
      ),
    );
    expect((await succeeded(setup.stack.preview())).changes).toEqual({ create: 2 });
    await succeeded(setup.stack.up());
    expect(projectTeamsOf(setup.sandbox, paymentsId(setup.sandbox))).toEqual({ operators: reader });
    expect(await upAgain(setup)).toEqual({ changes: { same: 2 }, writes: [] });
  });

  it("may be shown in the roles of its people, which is drift until pulumi up has written their own", async () => {
    const setup = await startTeams(
      provider,
      (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
      { seed: seedWithTeam, teamRolesInUsers: true },
    );
    const { sandbox, stack } = setup;
    const projectId = paymentsId(sandbox);
    sandbox.setMember(projectId, { username: ada }, reader);
    await succeeded(stack.up());
    const { id: teamId } = teamNamed(sandbox, "operators");
    sandbox.setProjectTeam(projectId, { teamId, roleNames: owner });
    expect((await upAgain(setup)).changes).toEqual({ update: 1 });
    expect(await upAgain(setup)).toEqual(nothing);
    expect(membersOf(sandbox)).toMatchObject({ [ada]: reader });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [] });
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("belongs to a Team and a Project of the same program, and the team is deleted once the project is", async () => {
    const setup = await startTeams(provider, () => ({
      resources: {
        operators: { type: "Team", properties: { orgId, name: "operators", usernames: [ada] } },
        ledger: { type: "Project", properties: { orgId, name: "ledger" } },
        inLedger: {
          type: "ProjectTeam",
          properties: { projectId: "${ledger.projectId}", teamId: "${operators.teamId}", roles: reader },
          options: { deletedWith: "${ledger}" },
        },
      },
    }));
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    const ledger = sandbox.state.projects.find(({ name }) => name === "ledger");
    expect(projectTeamsOf(sandbox, ledger?.id ?? "")).toEqual({ operators: reader });
    expect(await upAgain(setup)).toEqual({ changes: { same: 3 }, writes: [] });
    // Pulumi deletes both side by side, and until the project is deleted, it has the team.
    sandbox.addFault({ method: "DELETE", pathPattern: "/groups/\\w+(\\?|$)", fault: { delayMs: 1000 } });
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
    expect([sandbox.state.teams, sandbox.project(ledger?.id ?? "")]).toEqual([[], undefined]);
  });
});

it.each(bothProviders)(
  "getTeams and getProjectTeams find the teams with their names and roles (%s)",
  async (provider) => {
    const { sandbox, stack } = await startTeams(
      provider,
      (service) => ({
        lookups: {
          all: { function: "getTeams", arguments: { orgId } },
          here: { function: "getProjectTeams", arguments: { projectId: paymentsId(service) } },
        },
        outputs: { all: "${all}", here: "${here}" },
      }),
      { seed: seedWithTeam },
    );
    const projectId = paymentsId(sandbox);
    const { id: teamId } = teamNamed(sandbox, "operators");
    const { id: other } = sandbox.addTeam({ name: "auditors" });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_READ_ONLY", "GROUP_OWNER"] });
    await succeeded(stack.up());
    expect(await stack.outputs()).toEqual({
      all: {
        orgId,
        teams: [
          { teamId: other, name: "auditors" },
          { teamId, name: "operators" },
        ],
      },
      here: {
        projectId,
        teams: [{ teamId, name: "operators", roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] }],
      },
    });
  },
);
