/** Lookups through the engine; what they return: test/integration/functions. */
import { succeeded } from "../../support";
import { owners } from "../../support/people";
import { paymentsId } from "../support/people-program";
import { bothProviders, pathOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const payments = {
  name: "payments",
  tags: ["PROD", "EU"],
  ldapGroupMappings,
  replicaSetCount: 2,
  activeAgentCount: 3,
  lastActiveAgent: "2026-01-02T03:04:05Z",
  members: { "Ada@example.com": owners },
  invitations: [{ username: "new@example.com", roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"] }],
};

describe.each(bothProviders)("lookups of projects (%s)", (provider) => {
  it("return every property of a project except its secret and its links, all eight fields of an invitation, and members and pending people", async () => {
    const { stack, sandbox } = await setUpStack({
      provider,
      sandbox: { ldap: true, seed: { projects: [payments] } },
      program: (service) => {
        const projectId = paymentsId(service);
        const invitationId = service.state.invitations[0]?.id;
        return {
          lookups: {
            project: { function: "getProject", arguments: { projectId } },
            invitation: { function: "getProjectInvitation", arguments: { projectId, invitationId } },
            people: { function: "getProjectMembers", arguments: { projectId } },
          },
          outputs: { project: "${project}", invitation: "${invitation}", people: "${people.members}" },
        };
      },
    });
    await succeeded(stack.up());
    const { id: projectId, orgId } = projectNamed(sandbox, "payments");
    const [{ id, createdAt, expiresAt } = { id: "", createdAt: "", expiresAt: "" }] =
      sandbox.state.invitations;
    const pending = {
      ...{ username: "new@example.com", roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"] },
      ...{ createdAt, expiresAt, inviterUsername: "owner@example.com" },
    };
    const userId = sandbox.user({ username: "Ada@example.com" })?.id;
    expect(await stack.outputs()).toEqual({
      project: {
        projectId,
        orgId,
        name: "payments",
        tags: ["EU", "PROD"],
        ldapGroupMappings,
        hostCounts: { arbiter: 0, config: 0, mongos: 0, primary: 0, secondary: 0 },
        activeAgentCount: 3,
        replicaSetCount: 2,
        shardCount: 0,
        lastActiveAgent: "2026-01-02T03:04:05Z",
        publicApiEnabled: true,
      },
      invitation: { ...pending, id, groupId: projectId, groupName: "payments" },
      people: [
        { username: "Ada@example.com", status: "active", roles: owners, userId },
        { ...pending, status: "pending", invitationId: id },
      ],
    });
  });

  it("keep arguments that are secret out of the state, and are made in the real run alone if arguments are not known yet", async () => {
    const hidden = (value: unknown) => ({ "fn::secret": value });
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", tags: ["SECRETIVE"] }] } },
      program: (service) => ({
        resources: { orders: { type: "Project", properties: { orgId: service.orgId, name: "orders" } } },
        lookups: {
          byOrganization: { function: "getProjects", arguments: { orgId: hidden(service.orgId) } },
          byTags: { function: "getProjects", arguments: { tags: [hidden("SECRETIVE")] } },
          people: { function: "getProjectMembers", arguments: { projectId: "${orders.projectId}" } },
        },
        outputs: { byOrganization: "${byOrganization}", byTags: "${byTags}", people: "${people.members}" },
      }),
    });
    await succeeded(stack.preview());
    const usersPaths = () => sandbox.requests.map(pathOf).filter((path) => path.endsWith("users"));
    expect(usersPaths()).toEqual([]);
    await succeeded(stack.up());
    expect(usersPaths()).toEqual([`/groups/${projectNamed(sandbox, "orders").id}/users`]);
    const { people, ...secrets } = await stack.outputs();
    expect(people).toEqual([expect.objectContaining({ username: "owner@example.com", status: "active" })]);
    const encrypted = expect.objectContaining({ ciphertext: expect.any(String) });
    expect(secrets).toEqual({ byOrganization: encrypted, byTags: encrypted });
    const inState = async (showSecrets: boolean) =>
      JSON.stringify(await stack.state({ showSecrets })).includes("SECRETIVE");
    expect([await inState(false), await inState(true)]).toEqual([false, true]);
  });
});
