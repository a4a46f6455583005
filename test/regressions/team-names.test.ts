/** The output `teamName` of a ProjectTeam was that of the run before if the same run renamed the team. */

import { writes } from "../engine/support/project-program";
import { ada, orgId, seed } from "../engine/teams/support";
import { keepDefault, type Program, type ProviderKind, succeeded } from "../support";
import { setUpStack, tearDownStacks } from "../support/model-stack";
import { owners, readers } from "../support/people";

afterEach(tearDownStacks);

const program = (projectId: string, name: string, roles: readonly string[]): Program => ({
  resources: {
    team: { type: "Team", properties: { orgId, name, usernames: [ada] } },
    access: { type: "ProjectTeam", properties: { projectId, teamId: "${team.teamId}", roles } },
    named: { type: "AgentApiKey", properties: { projectId, description: "agents of ${access.teamName}" } },
  },
});

/**
 * The refresh before the program read the name, then the run renamed the team, and nothing recorded the new name. What the
 * program made of the output was one run late, so a second `up` was not clean.
 */
it.each([
  { change: "the name alone", roles: readers, provider: "plugin" },
  { change: "the name and the roles", roles: owners, provider: "plugin" },
  { change: "the name alone", roles: readers, provider: "dynamic" },
] as const)(
  "is the name of now if the run changes $change ($provider)",
  async ({ roles, provider }: { roles: readonly string[]; provider: ProviderKind }) => {
    keepDefault("refreshBeforeUpdate", "a second up without a read finds nothing to correct");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: ({ state }) => program(state.projects[0]?.id ?? "", "operators", readers),
    });
    await succeeded(stack.up());
    const [{ id = "" } = {}] = sandbox.state.projects;
    await stack.setProgram(program(id, "admins", roles));
    await succeeded(stack.preview());
    await succeeded(stack.up());
    expect((await stack.resource("access"))?.outputs).toMatchObject({ teamName: "admins", roles });
    expect(sandbox.project(id)?.agentKeys.at(-1)?.desc).toBe("agents of admins");
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
    expect(writes(sandbox)).toEqual([]);
  },
);
