/** The life of a team of an organization, and of a team in a project, with either provider. */
import { differences } from "../../engine/support/differences";
import { nothing, paymentsId, upAgain } from "../../engine/support/people-program";
import { bothProviders, changedPaths, writes } from "../../engine/support/project-program";
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

afterEach(tearDownStacks);

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
