/** The output `teamName` of a ProjectTeam was that of the run before if the same run renamed the team. */

import { paymentsId, upAgain } from "../engine/support/people-program";
import { operations } from "../engine/support/project-program";
import { ada, orgId, projectTeamsOf, seed } from "../engine/teams/support";
import { keepDefault, type Program, succeeded } from "../support";
import { setUpStack, tearDownStacks } from "../support/model-stack";
import { owners, readers } from "../support/people";

afterEach(tearDownStacks);

interface Declared {
  readonly name: string;
  readonly roles: readonly string[];
  /** How the program gives the team of the project. */
  readonly by: "teamId" | "teamName";
}

const program = (projectId: string, { name, roles, by }: Declared): Program => ({
  resources: {
    team: { type: "Team", properties: { orgId, name, usernames: [ada] } },
    access: {
      type: "ProjectTeam",
      properties: {
        ...{ projectId, roles },
        ...(by === "teamId" ? { teamId: "${team.teamId}" } : { teamName: "${team.name}" }),
      },
    },
    named: { type: "AgentApiKey", properties: { projectId, description: "agents of ${access.teamName}" } },
  },
});

/**
 * The refresh before the program read the name, then the run renamed the team, and nothing recorded the new name. What the
 * program made of the output was one run late, so a second `up` was not clean. By the name of the team's own output, the
 * resource was replaced, and its origin became `adopted`.
 */
it.each([
  { change: "the name alone", roles: readers, by: "teamId", provider: "plugin" },
  { change: "the name and the roles", roles: owners, by: "teamId", provider: "plugin" },
  { change: "the name alone", roles: readers, by: "teamName", provider: "plugin" },
  { change: "the name alone", roles: readers, by: "teamId", provider: "dynamic" },
] as const)("is the name of now if the run changes $change ($by, $provider)", async (row) => {
  keepDefault("refreshBeforeUpdate", "a second up without a read finds nothing to correct");
  const { roles, by, provider } = row;
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed },
    program: (service) => program(paymentsId(service), { name: "operators", roles: readers, by }),
  });
  await succeeded(stack.up());
  const id = paymentsId(sandbox);
  await stack.setProgram(program(id, { name: "admins", roles, by }));
  await succeeded(stack.preview());
  expect(operations(await succeeded(stack.up()))).toMatchObject({ access: "update" });
  const recorded = { teamName: "admins", roles, origin: "created" };
  expect((await stack.resource("access"))?.outputs).toMatchObject(recorded);
  expect(sandbox.project(id)?.agentKeys.at(-1)?.desc).toBe("agents of admins");
  expect(await upAgain({ sandbox, stack })).toEqual({ changes: { same: 3 }, writes: [] });
});

/**
 * The refresh compares the team with the name of the state, and the run took that for a name that the program gives: a new
 * resource found the renamed team, and was refused because "admins" would become "operators".
 */
it("a team that this run has renamed is found by its new name", async () => {
  keepDefault("refreshBeforeUpdate", "the refresh compares with the old name");
  const team = (name: string) => ({ type: "Team", properties: { orgId, name, usernames: [ada] } });
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: () => ({ resources: { team: team("operators") } }),
  });
  await succeeded(stack.up());
  const projectId = paymentsId(sandbox);
  const properties = { projectId, teamName: "admins", roles: readers };
  const access = { type: "ProjectTeam", properties, options: { dependsOn: ["${team}"] } };
  await stack.setProgram({ resources: { team: team("admins"), access } });
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ admins: readers });
});
