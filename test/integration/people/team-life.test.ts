/** The life of a team of an organization, and of a team in a project, with either provider. */
import { differences } from "../../engine/support/differences";
import { nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import { bothProviders, changedPaths, writes } from "../../engine/support/project-program";
import {
  ada,
  grace,
  linus,
  orgId,
  projectTeamsOf,
  seed,
  seedWithTeam,
  teamNamed,
  teamProgram,
  teamsOf,
} from "../../engine/teams/support";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];

it.each(bothProviders)(
  "a team of an organization is created with its people, renamed in place, corrected after changes outside Pulumi, and deleted (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const team = { orgId, name: "operators", usernames: [ada, grace] };
    const setup = await setUpStack({ provider, sandbox: { seed }, program: () => teamProgram(team) });
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
    const shown = differences[provider].shownPaths({ name: "update", "usernames[1]": "add" });
    expect({ ...drift.changes, ...changedPaths(drift, "operators") }).toEqual({ update: 1, ...shown });
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
    const { changes } = await succeeded(stack.destroy());
    expect([changes, writes(sandbox)]).toEqual([
      { delete: 1 },
      [{ method: "DELETE", path: `/orgs/${orgId}/teams/${id}` }],
    ]);
    expect(teamsOf(sandbox)).toEqual({});
  },
);

it.each(bothProviders)(
  "a team in a project is added, gets other roles, is corrected after changes outside Pulumi, and is removed; people stay no members (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const inProject = (projectId: string, roles: readonly string[]) =>
      teamProgram(undefined, { payments: { projectId, teamName: "operators", roles } });
    const setup = await setUpStack({
      provider,
      sandbox: { seed: seedWithTeam },
      program: (service) => inProject(paymentsId(service), reader),
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
  },
);

it.each(bothProviders)(
  "getTeams and getProjectTeams find the teams with their names and roles (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
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
