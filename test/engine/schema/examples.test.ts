/**
 * The examples of the package schema are in the documentation of every SDK, and users copy them.
 * They work as they are. Their TypeScript is compiled in examples-types.test.ts, their Python and Go beside their SDKs.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Sandbox, type Seed, startSandbox } from "../../../sandbox";
import { readTranslated, writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { createStack, disposeStacks, repositoryRoot, secret, succeeded } from "../../support";
import { writeFiles } from "../support/installed-package";
import { deletions, membersOf } from "../support/people-program";
import { attachment, connection } from "../support/stack-setup";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-examples-"));
});
afterAll(() => rm(folder, { recursive: true }));

let sandbox: Sandbox | undefined;
afterEach(async () => {
  await disposeStacks();
  await sandbox?.close();
  sandbox = undefined;
});

// The ids that the examples name.
const orgId = "5f0000000000000000000001";
const legacyId = "5f0000000000000000000002";
const ada = { username: "ada@example.com", roles: ["GROUP_OWNER"] };
const invitation = {
  id: "5f0000000000000000000003",
  groupId: legacyId,
  ...ada,
  teamIds: [],
  createdAt: "2026-01-01T00:00:00Z",
  expiresAt: "2999-01-01T00:00:00Z",
  inviterUsername: "owner@example.com",
};
const legacy = { id: legacyId, name: "legacy", tags: ["PROD", "K8S_BLUE"] };
const operators = ["ada@example.com", "grace@example.com"].map((username) => ({
  username,
  roles: [{ orgId, roleName: "ORG_MEMBER" }],
}));
const foreignKey = {
  id: "5f0000000000000000000006",
  publicKey: "abcdwxyz",
  desc: "monitoring",
  roles: [{ orgId, roleName: "ORG_READ_ONLY" }],
};

const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const hidden = expect.objectContaining({ ciphertext: expect.any(String) });
const named = (name: string) => expect.objectContaining({ name });
const person = (username: string) => expect.objectContaining({ username });
const operatorsTeam = { id: "5f0000000000000000000005", name: "operators" };
const both = ["legacy", "payments"];

interface Play {
  /** What the service holds beside the organization and the project `legacy`. */
  readonly seed?: Pick<Seed, "invitations" | "projects" | "users" | "teams">;
  /** A service that uses LDAP has no teams. Default: it uses LDAP. */
  readonly ldap?: boolean;
  /** How many resources. Default: none. */
  readonly creates?: number;
  readonly outputs?: unknown;
  /** Names of projects, and who is invited to them, afterwards. */
  readonly projects?: readonly string[];
  readonly invited?: readonly string[];
  /** Files beside the program. The plugin is then started in its folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the text of the example promises about removals, on the stack of the first `up`. */
  readonly promise?: (opened: Opened) => Promise<void>;
}

const plays: Readonly<Record<string, Play>> = {
  "Project-1": { creates: 1, outputs: { projectId: id }, projects: both },
  "Project-2": {
    creates: 1,
    outputs: { name: "legacy" },
    promise: async ({ service, stack }) => {
      await succeeded(stack.destroy());
      expect(service.project(legacyId)?.tags.toSorted()).toEqual(["K8S_BLUE", "PROD", "TEAM_LEGACY"]);
    },
  },
  "Project-3": { creates: 1, outputs: { projectId: id }, projects: both },
  "ProjectMember-1": {
    creates: 2,
    outputs: { status: "pending" },
    projects: both,
    invited: [ada.username],
    promise: async ({ service, stack }) => {
      service.clearRequests();
      await succeeded(stack.destroy());
      expect(deletions(service)).toEqual([expect.stringMatching(/^\/groups\/[0-9a-f]{24}$/)]);
    },
  },
  "ProjectMembers-1": {
    seed: { invitations: [invitation] },
    creates: 1,
    outputs: { details: [person(ada.username), person("bob@example.com")] },
    invited: [ada.username, "bob@example.com"],
    promise: async ({ service, stack, upWith }) => {
      const people = () => Object.keys(membersOf(service, legacyId));
      const [bob, eve, machine] = ["bob@example.com", "eve@example.com", "svc-backup@example.com"] as const;
      for (const username of [bob, eve, machine])
        service.setMember(legacyId, { username }, ["GROUP_READ_ONLY"]);
      expect((await succeeded(stack.preview())).output).toContain(eve);
      expect(people()).toEqual([bob, eve, machine]);
      await upWith(/ +bob@example.com:\n( +- GROUP_\w+\n)+/, "");
      expect(people()).toEqual([eve, machine]);
      await upWith("maxRemovals: 2", "maxRemovals: 2\n      removeUnlisted: true");
      expect(people()).toEqual([machine]);
      expect(service.state.invitations).toEqual([person(ada.username)]);
    },
  },
  "AgentApiKey-1": { creates: 2, outputs: { agentKey: hidden }, projects: both },
  "ApiKey-1": { creates: 2, outputs: { publicKey: expect.any(String), privateKey: hidden } },
  "ProjectApiKey-1": { creates: 1, outputs: { keyId: foreignKey.id } },
  "OrganizationMember-1": { creates: 1, outputs: { status: "pending" }, invited: [ada.username] },
  "Organization-1": {
    creates: 1,
    outputs: { name: expect.any(String) },
    promise: async ({ service, stack }) => {
      const mapped = service.state.orgs[0]?.idpGroupMappings ?? [];
      const guests = { roleName: "ORG_MEMBER", idpGroups: ["guests"] };
      service.changeOrg(orgId, { idpGroupMappings: [...mapped, guests] });
      await succeeded(stack.up({ refresh: true }));
      expect(service.state.orgs[0]?.idpGroupMappings).toEqual(mapped);
    },
  },
  "getOrganizationMembers-1": { outputs: { members: expect.any(Array) } },
  "getApiKeys-1": { outputs: { keys: [expect.objectContaining({ publicKey: "abcdwxyz" })] } },
  "getProjectApiKeys-1": { outputs: { keys: [] } },
  "getOrganization-1": { outputs: { orgId } },
  "getAgentApiKeys-1": {
    creates: 1,
    outputs: { keys: [expect.objectContaining({ createdBy: "PROVISIONING" })] },
  },
  "Team-1": { ldap: false, seed: { users: operators }, creates: 1, outputs: { teamId: id } },
  "ProjectTeam-1": {
    ldap: false,
    seed: { users: operators },
    creates: 3,
    outputs: { teamName: "operators" },
    projects: both,
  },
  "getTeams-1": {
    ldap: false,
    seed: { teams: [operatorsTeam] },
    outputs: { teams: [named("operators")] },
  },
  "getProjectTeams-1": {
    ldap: false,
    seed: {
      teams: [operatorsTeam],
      projects: [
        {
          id: "5f0000000000000000000101",
          name: "payments",
          teams: [{ teamId: operatorsTeam.id, roleNames: ["GROUP_READ_ONLY"] }],
        },
      ],
    },
    outputs: { teams: [expect.objectContaining({ name: "operators", roles: ["GROUP_READ_ONLY"] })] },
    projects: both,
  },
  "AccessFolder-1": {
    files: {
      "projects/payments.yaml": `name: payments\norgId: "${orgId}"\n`,
      "organizations/example.yaml": `key: example\norgId: "${orgId}"\napiKeys:\n  ci: { description: pipeline, roles: [ORG_MEMBER] }\n`,
    },
    creates: 4,
    outputs: {
      projectsByKey: { payments: named("payments") },
      teamsByKey: {},
      apiKeys: hidden,
    },
    projects: both,
  },
  "Provider-1": { creates: 1, projects: both },
  "getProject-1": {
    seed: { projects: [{ id: "5f0000000000000000000004", name: "payments" }] },
    creates: 1,
    projects: both,
    invited: [ada.username],
  },
  "getProjectInvitation-1": {
    seed: { invitations: [invitation] },
    creates: 1,
    invited: [ada.username],
  },
  "getProjectInvitations-1": {
    seed: { invitations: [invitation] },
    creates: 1,
    outputs: { invitations: [expect.objectContaining({ id: invitation.id })] },
    invited: [ada.username],
  },
  "getProjectMembers-1": {
    seed: { invitations: [invitation] },
    outputs: {
      members: [
        expect.objectContaining({ username: ada.username, status: "pending" }),
        expect.objectContaining({ username: "owner@example.com", status: "indirect" }),
      ],
    },
    invited: [ada.username],
  },
  "getProjects-1": { outputs: { projects: [expect.objectContaining({ projectId: legacyId })] } },
};

it("has a play for every example, and a promise for every example whose text is about a removal", () => {
  const ids = writeExampleFiles("yaml", join(folder, "all")).map((example) => example.id);
  expect(Object.keys(plays).sort()).toEqual(ids.sort());
  const promising = Object.entries(readTranslated()).flatMap(([name, examples]) =>
    examples.flatMap(({ text }, index) => (/remove|leave/i.test(text ?? "") ? [`${name}-${index + 1}`] : [])),
  );
  const promised = Object.entries(plays).flatMap(([name, { promise }]) => (promise ? [name] : []));
  expect(promised.sort()).toEqual(promising.sort());
});

it.each(Object.entries(plays))(
  "the engine runs %s in Pulumi YAML, and it does what its text says",
  async (name, play) => {
    const { creates = 0, outputs = {}, projects = ["legacy"], invited = [], promise } = play;
    const opened = await open(name, play);
    const { service, stack } = opened;
    expect((await succeeded(stack.up())).changes).toEqual(creates === 0 ? {} : { create: creates });
    expect(await stack.outputs()).toEqual(outputs);
    expect(service.state.projects.map((project) => project.name).sort()).toEqual(projects);
    expect(service.state.invitations.map(({ username }) => username).sort()).toEqual(invited);
    await promise?.(opened);
  },
);

type Opened = Awaited<ReturnType<typeof open>>;

async function open(name: string, { seed, ldap = true, files }: Play) {
  const service = await startSandbox({
    ldap,
    idpMappings: "present",
    seed: {
      orgs: [{ id: orgId }],
      keys: [{}, foreignKey],
      ...seed,
      projects: [legacy, ...(seed?.projects ?? [])],
    },
  });
  sandbox = service;
  const found = writeExampleFiles("yaml", join(folder, "yaml")).find((example) => example.id === name);
  const own = `${name.toLowerCase()}:emea`;
  const settings = {
    [`${own}BaseUrl`]: service.baseUrl,
    [`${own}PublicKey`]: service.publicKey,
    [`${own}PrivateKey`]: secret(service.privateKey),
  };
  const file = found?.file ?? "";
  const stack = await createStack({
    program: { folder: dirname(file) },
    config: name === "Provider-1" ? settings : connection(service),
    env: files ? { PATH: [repositoryRoot, process.env.PATH].join(delimiter) } : await attachment(),
  });
  await writeFiles(stack.paths.program, files ?? {});
  /** Runs the example again after a change of its text. */
  const upWith = async (before: string | RegExp, after: string) => {
    const text = await readFile(file, "utf8");
    const changed = text.replace(before, after);
    expect(changed).not.toBe(text);
    await writeFile(file, changed);
    await stack.setProgram({ folder: dirname(file) });
    return succeeded(stack.up());
  };
  return { service, stack, upWith };
}
