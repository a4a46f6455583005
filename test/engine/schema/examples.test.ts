/**
 * The examples of the package schema are in the documentation of every SDK, and users copy them.
 * They work as they are. Their TypeScript is compiled in examples-types.test.ts, their Python and Go beside their SDKs.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Sandbox, type Seed, startSandbox } from "../../../sandbox";
import { readTranslated, writeExampleFiles } from "../../../scripts/lib/schema-examples.mts";
import { createStack, disposeStacks, repositoryRoot, secret, succeeded } from "../../support";
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
const payments = { id: "5f0000000000000000000004", name: "payments" };

const foreignKey = {
  id: "5f0000000000000000000006",
  publicKey: "abcdwxyz",
  desc: "monitoring",
  roles: [{ orgId, roleName: "ORG_READ_ONLY" }],
};

interface Play {
  /** What the service holds beside the organization and the project `legacy`. */
  readonly seed?: Pick<Seed, "invitations" | "projects" | "users" | "teams">;
  /** A service that uses LDAP has no teams. Default: it uses LDAP. */
  readonly ldap?: boolean;
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs?: unknown;
  /** Names of projects, and who is in or invited to them, afterwards. */
  readonly projects?: readonly string[];
  readonly invited?: readonly string[];
  /** Files beside the program. The plugin is then started in its folder. */
  readonly files?: Readonly<Record<string, string>>;
}

const plays: Readonly<Record<string, Play>> = {
  "Project-1": {
    changes: { create: 1 },
    outputs: { projectId: expect.stringMatching(/^[0-9a-f]{24}$/) },
    projects: ["legacy", "payments"],
  },
  "Project-2": { changes: { create: 1 }, outputs: { name: "legacy" } },
  "Project-3": {
    changes: { create: 1 },
    outputs: { projectId: expect.stringMatching(/^[0-9a-f]{24}$/) },
    projects: ["legacy", "payments"],
  },
  "ProjectMember-1": {
    changes: { create: 2 },
    outputs: { status: "pending" },
    projects: ["legacy", "payments"],
    invited: [ada.username],
  },
  "ProjectMembers-1": {
    seed: { invitations: [invitation] },
    changes: { create: 1 },
    outputs: {
      details: [
        expect.objectContaining({ username: ada.username }),
        expect.objectContaining({ username: "bob@example.com" }),
      ],
    },
    invited: [ada.username, "bob@example.com"],
  },
  "AgentApiKey-1": {
    changes: { create: 2 },
    outputs: { agentKey: expect.objectContaining({ ciphertext: expect.any(String) }) },
    projects: ["legacy", "payments"],
  },
  "ApiKey-1": {
    changes: { create: 2 },
    outputs: {
      publicKey: expect.any(String),
      privateKey: expect.objectContaining({ ciphertext: expect.any(String) }),
    },
  },
  "ProjectApiKey-1": { changes: { create: 1 }, outputs: { keyId: foreignKey.id } },
  "OrganizationMember-1": { changes: { create: 1 }, outputs: { status: "pending" }, invited: [ada.username] },
  "getOrganizationMembers-1": { changes: {}, outputs: { members: expect.any(Array) } },
  "getApiKeys-1": { changes: {}, outputs: { keys: [expect.objectContaining({ publicKey: "abcdwxyz" })] } },
  "getProjectApiKeys-1": { changes: {}, outputs: { keys: [] } },
  "getOrganization-1": { changes: {}, outputs: { orgId } },
  "getAgentApiKeys-1": {
    changes: { create: 1 },
    outputs: { keys: [expect.objectContaining({ createdBy: "PROVISIONING" })] },
  },
  "Team-1": {
    ldap: false,
    seed: { users: operators },
    changes: { create: 1 },
    outputs: { teamId: expect.stringMatching(/^[0-9a-f]{24}$/) },
  },
  "ProjectTeam-1": {
    ldap: false,
    seed: { users: operators },
    changes: { create: 3 },
    outputs: { teamName: "operators" },
    projects: ["legacy", "payments"],
  },
  "getTeams-1": {
    ldap: false,
    seed: { teams: [{ name: "operators" }] },
    changes: {},
    outputs: { teams: [expect.objectContaining({ name: "operators" })] },
  },
  "getProjectTeams-1": {
    ldap: false,
    seed: {
      teams: [{ id: "5f0000000000000000000005", name: "operators" }],
      projects: [
        {
          id: "5f0000000000000000000101",
          name: "payments",
          teams: [{ teamId: "5f0000000000000000000005", roleNames: ["GROUP_READ_ONLY"] }],
        },
      ],
    },
    changes: {},
    outputs: { teams: [expect.objectContaining({ name: "operators", roles: ["GROUP_READ_ONLY"] })] },
    projects: ["legacy", "payments"],
  },
  "AccessFolder-1": {
    files: {
      "access/projects/payments.yaml": `name: payments\norgId: "${orgId}"\n`,
      "access/organizations/example.yaml": `key: example\norgId: "${orgId}"\napiKeys:\n  ci: { description: pipeline, roles: [ORG_MEMBER] }\n`,
    },
    changes: { create: 4 },
    outputs: {
      projectsByKey: { payments: expect.objectContaining({ name: "payments" }) },
      teamsByKey: {},
    },
    projects: ["legacy", "payments"],
  },
  "ProjectFolder-1": {
    files: { "projects/payments.yaml": `name: payments\norgId: "${orgId}"\n` },
    changes: { create: 2 },
    outputs: { projectsByKey: { payments: expect.objectContaining({ name: "payments" }) } },
    projects: ["legacy", "payments"],
  },
  "Provider-1": { changes: { create: 1 }, projects: ["legacy", "payments"] },
  "getProject-1": {
    seed: { projects: [payments] },
    changes: { create: 1 },
    projects: ["legacy", "payments"],
    invited: [ada.username],
  },
  "getProjectInvitation-1": {
    seed: { invitations: [invitation] },
    changes: { create: 1 },
    invited: [ada.username],
  },
  "getProjectInvitations-1": {
    seed: { invitations: [invitation] },
    changes: { create: 1 },
    outputs: { invitations: [expect.objectContaining({ id: invitation.id })] },
    invited: [ada.username],
  },
  "getProjectMembers-1": {
    seed: { invitations: [invitation] },
    changes: {},
    outputs: {
      members: [
        expect.objectContaining({ username: ada.username, status: "pending" }),
        expect.objectContaining({ username: "owner@example.com", status: "indirect" }),
      ],
    },
    invited: [ada.username],
  },
  "getProjects-1": {
    changes: {},
    outputs: { projects: [expect.objectContaining({ projectId: legacyId })] },
  },
};

it("has a play for every example", () => {
  const ids = writeExampleFiles("yaml", join(folder, "all")).map(({ id }) => id);
  expect(Object.keys(plays).sort()).toEqual(ids.sort());
});

it.each(Object.entries(plays))("the engine runs %s in Pulumi YAML", async (id, play) => {
  const { changes, outputs = {}, projects = ["legacy"], invited = [] } = play;
  const { service, stack } = await open(id, play);
  expect((await succeeded(stack.up())).changes).toEqual(changes);
  expect(await stack.outputs()).toEqual(outputs);
  expect(service.state.projects.map(({ name }) => name).sort()).toEqual(projects);
  expect(service.state.invitations.map(({ username }) => username).sort()).toEqual(invited);
});

async function open(id: string, { seed, ldap = true, files }: Pick<Play, "seed" | "ldap" | "files">) {
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
  const found = writeExampleFiles("yaml", join(folder, "yaml")).find((example) => example.id === id);
  const own = `${id.toLowerCase()}:emea`;
  const settings = {
    [`${own}BaseUrl`]: service.baseUrl,
    [`${own}PublicKey`]: service.publicKey,
    [`${own}PrivateKey`]: secret(service.privateKey),
  };
  const file = found?.file ?? "";
  const stack = await createStack({
    program: { folder: dirname(file) },
    config: id === "Provider-1" ? settings : connection(service),
    env: files ? { PATH: [repositoryRoot, process.env.PATH].join(delimiter) } : await attachment(),
  });
  for (const [name, content] of Object.entries(files ?? {})) {
    const path = join(stack.paths.program, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
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

/** The texts of examples that promise who or what is removed, and what a run shows. */
const promises: Readonly<Record<string, () => Promise<void>>> = {
  "Project-2": async () => {
    const { service, stack } = await open("Project-2", {});
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(service.project(legacyId)?.tags.toSorted()).toEqual(["K8S_BLUE", "PROD", "TEAM_LEGACY"]);
  },
  "ProjectMember-1": async () => {
    const { service, stack } = await open("ProjectMember-1", {});
    await succeeded(stack.up());
    service.clearRequests();
    await succeeded(stack.destroy());
    expect(deletions(service)).toEqual([expect.stringMatching(/^\/groups\/[0-9a-f]{24}$/)]);
  },
  "ProjectMembers-1": async () => {
    const { service, stack, upWith } = await open("ProjectMembers-1", {});
    const people = () => Object.keys(membersOf(service, legacyId));
    const [bob, eve, machine] = ["bob@example.com", "eve@example.com", "svc-backup@example.com"] as const;
    service.setMember(legacyId, { username: ada.username }, ada.roles);
    for (const username of [bob, eve, machine])
      service.setMember(legacyId, { username }, ["GROUP_READ_ONLY"]);
    await succeeded(stack.up());
    expect((await succeeded(stack.preview())).output).toContain(eve);
    expect(people()).toEqual([ada.username, bob, eve, machine]);
    await upWith(/ +bob@example.com:\n( +- GROUP_\w+\n)+/, "");
    expect(people()).toEqual([ada.username, eve, machine]);
    await upWith("maxRemovals: 2", "maxRemovals: 2\n      removeUnlisted: true");
    expect(people()).toEqual([ada.username, machine]);
  },
};

it("has a run for every example whose text promises a removal", () => {
  const promising = Object.entries(readTranslated()).flatMap(([name, examples]) =>
    examples.flatMap(({ text }, index) => (/remove|leave/i.test(text ?? "") ? [`${name}-${index + 1}`] : [])),
  );
  expect(Object.keys(promises).sort()).toEqual(promising.sort());
});

it.each(Object.entries(promises))("%s removes what its text promises, and nothing else", (_, run) => run());
