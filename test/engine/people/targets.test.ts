/** Resources that a command leaves out, which the provider never sees: what is declared there is not known. */
import type { Program } from "../../support";
import { succeeded } from "../../support";
import { ada, grace, olga, owners, readers } from "../../support/people";
import { errorsOf, messagesOf, writes } from "../support/project-program";
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
const startHidden = (resources: NonNullable<Program["resources"]>) =>
  setUpStack({
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
    program: () => ({ resources }),
  });

it("a name is taken while --exclude hides the resource that gives it up", async () => {
  const { sandbox, stack } = await startHidden({ team: team("blue") });
  await succeeded(stack.up());
  sandbox.clearRequests();
  const other = team("blue", { dependsOn: ["${team}"] });
  await stack.setProgram({ resources: { team: team("green"), other } });
  const exclude = (await stack.resource("team"))?.urn;
  expect(await errorsOf(stack.up({ exclude }))).toContain('already has a team named "blue"');
  expect(writes(sandbox)).toEqual([]);
});

it("a person leaves the organization although the program declares them below, if --target hides that", async () => {
  const { sandbox, stack } = await startHidden({ members, ada: inOrganization });
  const rolesOfAda = () =>
    (sandbox.user({ username: ada })?.roles ?? []).map(({ roleName }) => roleName).sort();
  await succeeded(stack.up());
  const target = (await stack.resource("ada"))?.urn;
  await stack.setProgram({ resources: { members } });
  expect(await errorsOf(stack.up())).toContain("this run still declares access that would end with it");
  expect(rolesOfAda()).toEqual(["GROUP_READ_ONLY", "ORG_MEMBER"]);
  const run = await succeeded(stack.up({ target }));
  expect(messagesOf(run)).toContain(`and with it project ${projectId} (GROUP_READ_ONLY)`);
  expect(rolesOfAda()).toEqual([]);
});
