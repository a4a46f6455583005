/** What `docs/reliability.md` and `docs/missing-operations.md` say of each kind, from the table of duties: one row for each. */
import type { Sandbox } from "../../sandbox";
import { errorsOf, writes } from "../engine/support/project-program";
import { type Program, succeeded } from "../support";
import { setUpStack, tearDownStacks } from "../support/model-stack";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const teamId = "5f00000000000000000000e1";
const keyId = "5f00000000000000000000f1";
const [ada, olga] = ["ada@example.com", "olga@example.com"];

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  projects: [{ id: projectId, name: "payments", members: { [olga]: ["GROUP_OWNER"] } }],
  users: [{ username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] }, { username: ada }],
  teams: [{ id: teamId, orgId, name: "readers", usernames: [olga] }],
  keys: [
    {
      publicKey: "ownkey",
      privateKey: "f0000000-0000-4000-8000-000000000000",
      roles: [{ roleName: "GLOBAL_OWNER" as const }, { orgId, roleName: "ORG_OWNER" as const }],
    },
    {
      id: keyId,
      publicKey: "theirkey",
      privateKey: "f0000000-0000-4000-8000-000000000001",
      desc: "theirs",
      orgId,
      roles: [{ orgId, roleName: "ORG_MEMBER" }],
    },
  ],
};

type Properties = Readonly<Record<string, unknown>>;
type Created = Exclude<keyof typeof inputs, "ProjectMembers" | "Organization">;

const inputs = {
  ProjectMembers: { projectId, members: { [olga]: ["GROUP_OWNER"], [ada]: ["GROUP_READ_ONLY"] } },
  ProjectTeam: { projectId, teamId, roles: ["GROUP_READ_ONLY"] },
  Team: { orgId, name: "operators", usernames: [olga] },
  AgentApiKey: { projectId, description: "agents" },
  ApiKey: { orgId, description: "ci", roles: ["ORG_MEMBER"] },
  ProjectApiKey: { projectId, keyId, roles: ["GROUP_READ_ONLY"] },
  OrganizationMember: { orgId, username: ada, roles: ["ORG_MEMBER"] },
  Organization: { orgId, name: "Example Org" },
} as const;

const programOf = (type: keyof typeof inputs, more: Properties = {}, options = {}): Program => ({
  resources: { it: { type, properties: { ...inputs[type], ...more }, options } },
});

const kinds = Object.keys(inputs) as (keyof typeof inputs)[];

it.each(kinds)(
  "%s cannot be created with the four documented operations alone, and nothing is written",
  async (kind) => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { onlyDocumented: true, seed },
      program: () => programOf(kind),
    });
    expect(await errorsOf(stack.up())).toMatch(/not offer|RESOURCE_NOT_FOUND/);
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.state()).resources).toEqual([]);
  },
);

const identityOf: Readonly<Record<Created, (sandbox: Sandbox) => readonly string[]>> = {
  ProjectTeam: ({ state }) => state.projects.flatMap(({ teams }) => teams.map((team) => team.teamId)),
  Team: ({ state }) => state.teams.filter(({ name }) => name === "operators").map(({ id }) => id),
  AgentApiKey: ({ state }) =>
    state.projects.flatMap(({ agentKeys }) =>
      agentKeys.filter(({ desc }) => desc === "agents").map(({ id }) => id),
    ),
  ApiKey: ({ state }) => state.keys.filter(({ desc }) => desc === "ci").map(({ id }) => id),
  ProjectApiKey: ({ state }) =>
    state.keys.filter(({ roles }) => roles.some(({ groupId }) => groupId === projectId)).map(({ id }) => id),
  OrganizationMember: ({ state }) => state.invitations.map(({ id }) => id),
};

/** A change that replaces the resource because of `replaceOnChanges`. */
const changes: Readonly<Record<Created, Properties>> = {
  ProjectTeam: { roles: ["GROUP_MONITORING_ADMIN"] },
  Team: { maxRemovals: 7 },
  AgentApiKey: { triggers: { rotated: "2026-11" } },
  ApiKey: { triggers: { rotated: "2026-11" } },
  ProjectApiKey: { roles: ["GROUP_MONITORING_ADMIN"] },
  OrganizationMember: { roles: ["ORG_READ_ONLY"] },
};

it.each([
  { kind: "ProjectTeam", isSame: true },
  { kind: "Team", isSame: false },
  { kind: "AgentApiKey", isSame: false },
  { kind: "ApiKey", isSame: false },
  { kind: "ProjectApiKey", isSame: true },
  { kind: "OrganizationMember", isSame: false },
] as const)("$kind with deleteBeforeReplace goes first and comes again", async ({ kind, isSame }) => {
  const options = { deleteBeforeReplace: true, replaceOnChanges: Object.keys(changes[kind]) };
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: () => programOf(kind, {}, options),
  });
  await succeeded(stack.up());
  const before = identityOf[kind](sandbox);
  sandbox.clearRequests();
  await stack.setProgram(programOf(kind, changes[kind], options));
  await succeeded(stack.up());
  const [first, second] = writes(sandbox).map(({ method }) => method);
  expect([first, second]).toEqual(["DELETE", kind === "ProjectApiKey" ? "PATCH" : "POST"]);
  const after = identityOf[kind](sandbox);
  expect([before, after]).toEqual([[expect.any(String)], [expect.any(String)]]);
  expect(after[0] === before[0]).toBe(isSame);
});

it("an ApiKey with roles in a project is not deleted first, because the rest of the program is not known yet", async () => {
  const options = { deleteBeforeReplace: true };
  const program = (rotated: string): Program => ({
    resources: {
      it: { type: "ApiKey", properties: { ...inputs.ApiKey, triggers: { rotated } }, options },
      below: {
        type: "ProjectApiKey",
        properties: { ...inputs.ProjectApiKey, keyId: "${it.keyId}" },
      },
    },
  });
  const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: () => program("2026-10") });
  await succeeded(stack.up());
  const keys = identityOf.ApiKey(sandbox);
  await stack.setProgram(program("2026-11"));
  expect(await errorsOf(stack.up())).toContain("Remove deleteBeforeReplace from this resource");
  expect(identityOf.ApiKey(sandbox)).toEqual(keys);
});
