import { paymentsId } from "../../engine/support/people-program";
import { bothProviders } from "../../engine/support/project-program";
import { orgId, seedWithTeam, teamNamed } from "../../engine/teams/support";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

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
