/** Resources that a command leaves out, which the provider never sees: what is declared there is not known. */
import type { Program } from "../../support";
import { succeeded } from "../../support";
import { ada, grace, olga, owners, readers } from "../../support/people";
import { errorsOf, messagesOf, projectNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";

const members = {
  type: "ProjectMembers",
  properties: { projectId, members: { [olga]: owners, [ada]: readers } },
};
const inOrganization = {
  type: "OrganizationMember",
  properties: { orgId, username: ada, roles: ["ORG_MEMBER"] },
};
const team = (name: string, options = {}) => ({
  type: "Team",
  properties: { orgId, name, usernames: [grace] },
  options,
});
/** Is deleted with its project, side by side with the team. */
const inLedger = {
  ledger: { type: "Project", properties: { orgId, name: "ledger" } },
  inLedger: {
    type: "ProjectTeam",
    properties: { projectId: "${ledger.projectId}", teamId: "${team.teamId}", roles: readers },
    options: { deletedWith: "${ledger}" },
  },
};

it("a person leaves the organization although the program declares them below, and a name is taken, if --target or --exclude hides it", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      orgUserChanges: "offered",
      bypassInvitations: true,
      seed: {
        orgs: [{ id: orgId, name: "Example Org" }],
        projects: [{ id: projectId, name: "payments", members: { [olga]: owners } }],
        users: [olga, ada, grace].map((username) => ({
          username,
          roles: [{ orgId, roleName: username === olga ? "ORG_OWNER" : "ORG_MEMBER" }],
        })),
      },
    },
    program: (): Program => ({
      resources: { members, ada: inOrganization, team: team("blue"), ...inLedger },
    }),
  });
  const rolesOfAda = () =>
    (sandbox.user({ username: ada })?.roles ?? []).map(({ roleName }) => roleName).sort();
  await succeeded(stack.up());
  const urnOf = async (name: string) => (await stack.resource(name))?.urn;

  sandbox.clearRequests();
  const next = { members, ada: inOrganization, team: team("green"), ...inLedger };
  await stack.setProgram({ resources: { ...next, other: team("blue", { dependsOn: ["${team}"] }) } });
  const taken = await errorsOf(stack.up({ exclude: await urnOf("team") }));
  expect(taken).toContain('already has a team named "blue"');
  expect(writes(sandbox)).toEqual([]);

  await stack.setProgram({ resources: { members, team: team("blue"), ...inLedger } });
  expect(await errorsOf(stack.up())).toContain("this run still declares access that would end with it");
  expect(rolesOfAda()).toEqual(["GROUP_READ_ONLY", "ORG_MEMBER"]);
  const run = await succeeded(stack.up({ target: await urnOf("ada") }));
  expect(messagesOf(run)).toContain(`and with it project ${projectId} (GROUP_READ_ONLY)`);
  expect(rolesOfAda()).toEqual([]);

  // Pulumi deletes both side by side, and until the project is deleted, it has the team.
  const { id } = projectNamed(sandbox, "ledger");
  sandbox.addFault({ method: "DELETE", pathPattern: "/groups/\\w+(\\?|$)", fault: { delayMs: 500 } });
  await succeeded(stack.destroy());
  expect([sandbox.state.teams, sandbox.project(id)]).toEqual([[], undefined]);
});
