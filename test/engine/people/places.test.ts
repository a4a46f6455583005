/** A person leaves an organization while the program declares them in a project: what only the engine shows. */
import { type Program, type ProviderKind, succeeded } from "../../support";
import { owners, readers } from "../../support/people";
import { bothProviders, errorsOf, messagesOf } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const [ada, grace, olga] = ["ada@example.com", "grace@example.com", "olga@example.com"];

const members = {
  type: "ProjectMembers",
  properties: { projectId, members: { [olga]: owners, [ada]: readers } },
};
const organizationMember = (username: string) => ({
  type: "OrganizationMember",
  properties: { orgId, username, roles: ["ORG_MEMBER"] },
});

async function setUp(provider: ProviderKind) {
  const roles = [{ orgId, roleName: "ORG_MEMBER" }];
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: {
      orgUserChanges: "offered",
      bypassInvitations: true,
      seed: {
        orgs: [{ id: orgId, name: "Example Org" }],
        projects: [{ id: projectId, name: "payments", members: { [olga]: owners } }],
        users: [
          { username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] },
          { username: ada, roles },
          { username: grace, roles },
        ],
      },
    },
    program: (): Program => ({ resources: { members, ada: organizationMember(ada) } }),
  });
  await succeeded(stack.up());
  const rolesOfAda = () =>
    (sandbox.user({ username: ada })?.roles ?? []).map(({ roleName }) => roleName).sort();
  return { sandbox, stack, rolesOfAda };
}

it.each(bothProviders)(
  "the run fails and keeps both, until the declaration leaves as well or a target hides it (%s)",
  async (provider) => {
    const { stack, rolesOfAda } = await setUp(provider);
    await stack.setProgram({ resources: { members } });
    expect(await errorsOf(stack.up())).toContain("this run still declares access that would end with it");
    const recorded = await stack.resource("ada");
    expect(recorded).toBeDefined();
    expect(rolesOfAda()).toEqual(["GROUP_READ_ONLY", "ORG_MEMBER"]);
    if (provider === "plugin") {
      const run = await succeeded(stack.up({ target: recorded?.urn }));
      expect(messagesOf(run)).toContain(`and with it project ${projectId} (GROUP_READ_ONLY)`);
    } else {
      await succeeded(stack.destroy());
    }
    expect(rolesOfAda()).toEqual([]);
  },
);
