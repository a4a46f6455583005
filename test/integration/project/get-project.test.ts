import { getProject } from "../../../provider/functions/get-project";
import { runs } from "./with-project";

const start = runs();

describe("getProject by name, where the organization's list shows no tags and mappings", () => {
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];

  async function listedWithoutTags() {
    const { sandbox, context } = await start({ ldap: true });
    const { orgId } = sandbox;
    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    sandbox.changeProject(id, { ldapGroupMappings });
    const fault = { status: 200, body: { results: [{ id, name: "payments", orgId }], totalCount: 1 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", fault });
    const lookUp = () => getProject.invoke({ args: { orgId, name: "payments" }, context });
    return { sandbox, id, orgId, lookUp };
  }

  test("returns those of the project itself", async () => {
    const { id, lookUp } = await listedWithoutTags();
    expect(await lookUp()).toMatchObject({ projectId: id, tags: ["PROD"], ldapGroupMappings });
  });

  test("returns the entry without them if the key may not read the project", async () => {
    const { sandbox, id, orgId, lookUp } = await listedWithoutTags();
    const fault = { status: 401, body: { error: 401, errorCode: "USER_UNAUTHORIZED" } };
    sandbox.addFault({ method: "GET", pathPattern: `/groups/${id}$`, fault });
    expect(await lookUp()).toEqual({ projectId: id, orgId, name: "payments" });
  });
});

test("getProject returns a project without agents, whose response has no lastActiveAgent", async () => {
  const { sandbox, context } = await start();
  const { id, orgId } = sandbox.addProject({ name: "payments" });
  const body = { id, name: "payments", orgId, tags: [], activeAgentCount: 0 };
  sandbox.addFault({ method: "GET", pathPattern: `/groups/${id}$`, fault: { status: 200, body } });
  expect(await getProject.invoke({ args: { projectId: id }, context })).toEqual({
    projectId: id,
    orgId,
    name: "payments",
    tags: [],
    activeAgentCount: 0,
  });
});
