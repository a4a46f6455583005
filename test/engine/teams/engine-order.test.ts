/** What only the engine shows of teams: resources that a command excludes, and deletions side by side. */
import { succeeded } from "../../support";
import { upAgain } from "../support/people-program";
import { bothProviders, errorsOf, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { ada, orgId, projectTeamsOf, startTeams } from "./support";

afterEach(tearDownStacks);

const reader = ["GROUP_READ_ONLY"];

it("a new team of a taken name is refused if the resource that gives up the name is excluded", async () => {
  const blue = { type: "Team", properties: { orgId, name: "blue", usernames: [ada] } };
  const { sandbox, stack } = await startTeams("plugin", () => ({ resources: { ops: blue } }));
  await succeeded(stack.up());
  sandbox.clearRequests();
  const ops = { ...blue, properties: { ...blue.properties, name: "green" } };
  await stack.setProgram({ resources: { ops, nw: { ...blue, options: { dependsOn: ["${ops}"] } } } });
  expect(await errorsOf(stack.up({ exclude: (await stack.resource("ops"))?.urn }))).toContain(
    'already has a team named "blue"',
  );
  expect(writes(sandbox)).toEqual([]);
});

it.each(bothProviders)(
  "a team in a project belongs to a Team and a Project of the same program, and the team is deleted once the project is (%s)",
  async (provider) => {
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
  },
);
