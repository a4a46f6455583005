/** What follows from the name of a team that the same run changes. */

import { paymentsId, upAgain } from "../engine/support/people-program";
import { operations } from "../engine/support/project-program";
import { ada, orgId, seed } from "../engine/teams/support";
import { keepDefault, type Program, succeeded } from "../support";
import { setUpStack, tearDownStacks } from "../support/model-stack";
import { owners, readers } from "../support/people";

beforeEach(() =>
  keepDefault("refreshBeforeUpdate", "the refresh reads the old name, and a second up is clean"),
);
afterEach(tearDownStacks);

const team = (name: string) => ({ type: "Team", properties: { orgId, name, usernames: [ada] } });

/**
 * The refresh before the program read the name, then the run renamed the team, and nothing recorded the new name. What the
 * program made of the output `teamName` was one run late, so a second `up` was not clean. By the name of the team's own output,
 * the resource was replaced, and its origin became `adopted`.
 */
it.each([
  { given: { teamId: "${team.teamId}" }, roles: readers, provider: "plugin" },
  { given: { teamName: "${team.name}" }, roles: owners, provider: "plugin" },
  { given: { teamId: "${team.teamId}" }, roles: readers, provider: "dynamic" },
] as const)("a ProjectTeam of $given has the name of now ($provider)", async ({ given, roles, provider }) => {
  const program = (projectId: string, name: string, now: readonly string[]): Program => ({
    resources: {
      team: team(name),
      access: { type: "ProjectTeam", properties: { projectId, roles: now, ...given } },
      named: { type: "AgentApiKey", properties: { projectId, description: "agents of ${access.teamName}" } },
    },
  });
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed },
    program: (service) => program(paymentsId(service), "operators", readers),
  });
  await succeeded(stack.up());
  const id = paymentsId(sandbox);
  await stack.setProgram(program(id, "admins", roles));
  await succeeded(stack.preview());
  expect(operations(await succeeded(stack.up()))).toMatchObject({ access: "update" });
  const recorded = { teamName: "admins", roles, origin: "created" };
  expect((await stack.resource("access"))?.outputs).toMatchObject(recorded);
  expect(sandbox.project(id)?.agentKeys.at(-1)?.desc).toBe("agents of admins");
  expect(await upAgain({ sandbox, stack })).toEqual({ changes: { same: 3 }, writes: [] });
});
