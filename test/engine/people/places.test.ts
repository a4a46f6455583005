/** A person leaves an organization while the program declares them in a project: what only the engine shows. */
import type { Program } from "../../support";
import { succeeded } from "../../support";
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
const organizationMember = (username: string, options = {}) => ({
  type: "OrganizationMember",
  properties: { orgId, username, roles: ["ORG_MEMBER"] },
  options,
});

async function setUp(provider: "plugin" | "dynamic", options = {}) {
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
    program: (): Program => ({ resources: { members, ada: organizationMember(ada, options) } }),
  });
  await succeeded(stack.up());
  const rolesOfAda = () =>
    (sandbox.user({ username: ada })?.roles ?? []).map(({ roleName }) => roleName).sort();
  return { sandbox, stack, rolesOfAda };
}

it.each(bothProviders)(
  "the run fails and keeps both, until the declaration leaves as well (%s)",
  async (provider) => {
    const { stack, rolesOfAda } = await setUp(provider);
    await stack.setProgram({ resources: { members } });
    expect(await errorsOf(stack.up())).toContain("this run still declares access that would end with it");
    expect(await stack.resource("ada")).toBeDefined();
    expect(rolesOfAda()).toEqual(["GROUP_READ_ONLY", "ORG_MEMBER"]);
    await succeeded(stack.destroy());
    expect(rolesOfAda()).toEqual([]);
  },
);

it("a target hides the declarations, and the run names the access that ended", async () => {
  const { stack, rolesOfAda } = await setUp("plugin");
  const urn = (await stack.resource("ada"))?.urn ?? "";
  await stack.setProgram({ resources: { members } });
  const run = await succeeded(stack.up({ target: urn }));
  expect(messagesOf(run)).toContain(`and with it project ${projectId} (GROUP_READ_ONLY)`);
  expect(rolesOfAda()).toEqual([]);
});
