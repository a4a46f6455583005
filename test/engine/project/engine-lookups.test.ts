/** The lookups of projects through the engine; their rules: test/integration/functions. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { lookupsThrough } from "../support/lookup-program";
import { bothProviders, projectNamed, writes } from "../support/project-program";
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
  invitations: [{ username: "new@example.com", roles: ["GROUP_READ_ONLY", "GROUP_BACKUP_ADMIN"] }],
};

describe.each(bothProviders)("lookups of projects (%s)", (provider) => {
  const programOf = (sandbox: Sandbox) => {
    const projectId = projectNamed(sandbox, "payments").id;
    const invitationId = sandbox.state.invitations[0]?.id;
    const inProject = (name: string, args = {}) => ({ function: name, arguments: { projectId, ...args } });
    return {
      lookups: {
        project: inProject("getProject"),
        projects: { function: "getProjects" },
        invitation: inProject("getProjectInvitation", { invitationId }),
        invitations: inProject("getProjectInvitations"),
      },
      outputs: {
        project: "${project}",
        projects: "${projects.projects}",
        invitation: "${invitation}",
        invitations: "${invitations.invitations}",
      },
    };
  };

  it("return every property of a project except its secret and its links, and all eight fields of an invitation", async () => {
    const { stack, sandbox } = await setUpStack({
      provider,
      sandbox: { ldap: true, seed: { projects: [payments] } },
      program: programOf,
    });
    await succeeded(stack.up());
    const { id: projectId, orgId } = projectNamed(sandbox, "payments");
    const [{ id, createdAt, expiresAt } = { id: "", createdAt: "", expiresAt: "" }] =
      sandbox.state.invitations;
    const project = { projectId, orgId, name: "payments", tags: ["EU", "PROD"], ldapGroupMappings };
    const invitation = {
      id,
      groupId: projectId,
      groupName: "payments",
      createdAt,
      expiresAt,
      inviterUsername: "owner@example.com",
      roles: ["GROUP_BACKUP_ADMIN", "GROUP_READ_ONLY"],
      username: "new@example.com",
    };
    expect(await stack.outputs()).toEqual({
      project: {
        ...project,
        hostCounts: { arbiter: 0, config: 0, mongos: 0, primary: 0, secondary: 0 },
        activeAgentCount: 3,
        replicaSetCount: 2,
        shardCount: 0,
        lastActiveAgent: "2026-01-02T03:04:05Z",
        publicApiEnabled: true,
      },
      projects: [project],
      invitation,
      invitations: [invitation],
    });
    expect(writes(sandbox)).toEqual([]);
  });

  it("fail with the response of the service if there is no project of that id", async () => {
    const projectId = "0123456789abcdef01234567";
    const { run } = await lookupsThrough(provider).lookUp("getProject", () => ({ projectId }));
    expect(run.exitCode).not.toBe(0);
    expect(run.output).toContain(`Reading project ${projectId} failed: 404 GROUP_NOT_FOUND`);
  });
});
