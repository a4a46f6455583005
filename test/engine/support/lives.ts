/**
 * One life of all resources with separate processes for each command, as on a user's machine. One stack
 * declares them all, because the processes of a command take nearly all of its time.
 */
import type { Sandbox } from "../../../sandbox";
import { type Program, type ProviderKind, succeeded } from "../../support";
import { grace, orgId, projectTeamsOf, seed, teamNamed, teamsOf } from "../teams/support";
import { invitedTo, membersOf, paymentsId } from "./people-program";
import { projectNamed } from "./project-program";
import { expectProviderTexts } from "./provider-texts";
import { setUpStack, tearDownStacks } from "./stack-setup";

const ada = "ada@example.com";
const owner = "owner@example.com";
const guest = "guest@example.com";
const newcomer = "newcomer@example.com";
const reader = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];

/** Resources of each kind, as the program declares them first and after its change. Two projects are read and deleted at once. */
function program(sandbox: Sandbox, isChanged: boolean): Program {
  const projectId = paymentsId(sandbox);
  const members = { [owner]: owners, ...(isChanged ? {} : { [guest]: reader }) };
  const project = isChanged
    ? { name: "ledger", tags: ["PROD", "TEAM-A"] }
    : { name: "books", tags: ["PROD"] };
  const roles = isChanged ? ["GROUP_MONITORING_ADMIN"] : reader;
  const usernames = isChanged ? [ada] : [ada, grace];
  const orgRoles = [isChanged ? "ORG_READ_ONLY" : "ORG_MEMBER"];
  const description = isChanged ? "new agents" : "agents";
  const team = { projectId, teamId: "${operators.teamId}", roles };
  return {
    resources: {
      ledger: { type: "Project", properties: { orgId, ...project } },
      archive: { type: "Project", properties: { orgId, name: "archive", tags: [] } },
      guest: { type: "ProjectMember", properties: { projectId, username: guest, roles } },
      people: { type: "ProjectMembers", properties: { projectId: searchId(sandbox), members } },
      agents: { type: "AgentApiKey", properties: { projectId, description } },
      operators: { type: "Team", properties: { orgId, name: "operators", usernames } },
      inPayments: { type: "ProjectTeam", properties: team },
      pipeline: { type: "ApiKey", properties: { orgId, description, roles: ["ORG_MEMBER"] } },
      access: { type: "ProjectApiKey", properties: { projectId, keyId: "${pipeline.keyId}", roles } },
      newcomer: { type: "OrganizationMember", properties: { orgId, username: newcomer, roles: orgRoles } },
      example: { type: "Organization", properties: { orgId, name: isChanged ? "Holding" : "Example" } },
    },
  };
}

/** The same objects under other names of their resources. */
function renamed({ resources = {} }: Program): Program {
  const entries = Object.entries(resources).map(([name, { type, properties }]) => [
    `new-${name}`,
    {
      type,
      properties: JSON.parse(JSON.stringify(properties).replaceAll("${", "${new-")),
      options: { aliases: [{ name }] },
    },
  ]);
  return { resources: Object.fromEntries(entries) };
}

const searchId = (sandbox: Sandbox) => projectNamed(sandbox, "search").id;

/** What Ops Manager holds of each resource. */
function held(sandbox: Sandbox) {
  const { projects } = sandbox.state;
  return {
    organization: sandbox.state.orgs[0]?.name,
    projects: Object.fromEntries(projects.map(({ name, tags }) => [name, tags])),
    payments: membersOf(sandbox),
    search: membersOf(sandbox, searchId(sandbox)),
    keys: sandbox
      .project(paymentsId(sandbox))
      ?.agentKeys.slice(1)
      .map(({ desc }) => desc),
    teams: teamsOf(sandbox),
    teamsInPayments: projectTeamsOf(sandbox, paymentsId(sandbox)),
    apiKeys: sandbox.state.keys
      .slice(1)
      .map(({ desc, roles }) => [desc, ...roles.map(({ roleName }) => roleName)]),
    newcomer: sandbox.user({ username: newcomer })?.roles.map(({ roleName }) => roleName) ?? [],
  };
}

/**
 * Requests without a signature. A new process requests a challenge once, however many of its first calls come together. The host of the
 * dynamic provider remembers a provider before it has configured it (@pulumi/pulumi, cmd/dynamic-provider, getProvider), so of calls that
 * come together all but the first go to a provider whose `configure` is still awaited.
 */
const signIns = ({ requests }: Sandbox) => requests.filter(({ publicKey }) => publicKey === undefined).length;

/** @param kind with which the resources live */
export function describeLives(kind: ProviderKind): void {
  afterEach(tearDownStacks);

  it(`each resource is created, changed, renamed, refreshed and destroyed by real processes (${kind})`, async () => {
    const projects = ["payments", "search"].map((name) => ({ name, members: { [owner]: owners } }));
    const { sandbox, stack } = await setUpStack({
      ...{ provider: kind, plugin: "started", processes: "real" },
      sandbox: { seed: { ...seed, projects }, orgUserChanges: "offered" },
      program: (service) => program(service, false),
    });
    const before = held(sandbox);
    expect((await succeeded(stack.up())).changes).toEqual({ create: 11 });
    if (kind === "dynamic") expectProviderTexts(await stack.state({ showSecrets: true }));
    expect(held(sandbox)).toEqual({
      ...before,
      organization: "Example",
      projects: { ...before.projects, books: ["PROD"], archive: [] },
      keys: ["agents"],
      teams: { operators: [ada, grace] },
      teamsInPayments: { operators: reader },
      apiKeys: [["agents", "ORG_MEMBER", ...reader]],
    });
    expect([invitedTo(sandbox), invitedTo(sandbox, searchId(sandbox))]).toEqual(
      Array(2).fill({ [guest]: reader }),
    );

    for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
    const { id } = projectNamed(sandbox, "books");
    sandbox.changeProject(id, { tags: ["URGENT"] });
    sandbox.setMember(searchId(sandbox), { username: guest }, owners);
    await stack.setProgram(program(sandbox, true));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1, update: 9, replace: 1 });
    const changed = {
      organization: "Holding",
      projects: { ...before.projects, ledger: ["PROD", "TEAM-A"], archive: [] },
      payments: { ...before.payments, [guest]: ["GROUP_MONITORING_ADMIN"] },
      search: before.search,
      keys: ["new agents"],
      teams: { operators: [ada] },
      teamsInPayments: { operators: ["GROUP_MONITORING_ADMIN"] },
      apiKeys: [["new agents", "ORG_MEMBER", "GROUP_MONITORING_ADMIN"]],
      newcomer: ["ORG_READ_ONLY"],
    };
    expect(held(sandbox)).toEqual(changed);

    await stack.setProgram(renamed(program(sandbox, true)));
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 11 });

    sandbox.changeProject(id, { tags: ["URGENT"] });
    sandbox.setMember(paymentsId(sandbox), { username: guest }, owners);
    sandbox.setOrgMember(orgId, { username: newcomer }, ["ORG_GROUP_CREATOR"]);
    const { id: teamId } = teamNamed(sandbox, "operators");
    sandbox.setProjectTeam(paymentsId(sandbox), { teamId, roleNames: owners });
    for (const { publicKey, desc, roles } of sandbox.state.keys.filter(({ desc }) => desc === "new agents")) {
      const inProject = { groupId: paymentsId(sandbox), roleName: "GROUP_OWNER" };
      sandbox.changeKey(publicKey, { desc, roles: [...roles.filter(({ groupId }) => !groupId), inProject] });
    }
    // A refresh has no program and no Check, which comes one at a time: its first calls are reads, all at once.
    sandbox.clearRequests();
    expect((await succeeded(stack.refresh({ parallel: 64 }))).changes).toEqual({ same: 6, update: 5 });
    expect(signIns(sandbox)).toBe(1);
    const read = await Promise.all(
      ["ledger", "guest", "inPayments", "agents", "pipeline", "access"].map((name) =>
        stack.resource(`new-${name}`),
      ),
    );
    expect(read.map((resource) => resource?.outputs)).toMatchObject([
      { tags: ["URGENT"] },
      { roles: owners },
      { teamId, roles: owners },
      { key: { ciphertext: expect.any(String) } },
      { privateKey: { ciphertext: expect.any(String) } },
      { roles: owners },
    ]);
    sandbox.clearRequests();
    expect((await succeeded(stack.destroy({ parallel: 64 }))).changes).toEqual({ delete: 11 });
    expect(signIns(sandbox)).toBe(1);
    // An organization stays as it is.
    expect(held(sandbox)).toEqual({ ...before, organization: "Holding" });
  });
}
