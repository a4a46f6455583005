/** The roles of one holder, a team or an API key, in the project `payments`: what the stories about grants need of each kind. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { setUpStack } from "../../support/model-stack";
import type { ProviderKind, ResourceDeclaration } from "../../support/program";
import type { ConfigValue } from "../../support/stack-config";

export const orgId = "5f00000000000000000000b1";
export const projectId = "5f00000000000000000000a1";
export const otherProjectId = "5f00000000000000000000a2";
export const [ada, owner] = ["ada@example.com", "owner@example.com"];
export const [reader, projectOwner] = ["GROUP_READ_ONLY", "GROUP_OWNER"];

export const team = { id: "5f00000000000000000000e1", name: "operators" };
export const key = { id: "5f00000000000000000000c1", publicKey: "theirkey" };
export const own = { id: "5f00000000000000000000c0", publicKey: "adminkey" };
const privateKey = "5e5e5e5e-0000-4000-8000-0123456789ab";

/** The team and the key have roles in another project only. */
export const seed: Seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [
    { username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] },
    { username: owner, roles: [{ orgId, roleName: "ORG_OWNER" }] },
  ],
  projects: [
    { id: projectId, name: "payments", members: { [owner]: [projectOwner] } },
    { id: otherProjectId, name: "search", teams: [{ teamId: team.id, roleNames: [projectOwner] }] },
  ],
  teams: [{ ...team, orgId, usernames: [ada] }],
  keys: [
    { ...own, privateKey, desc: "admin", orgId, roles: [{ orgId, roleName: "ORG_OWNER" }] },
    {
      ...key,
      desc: "theirs",
      orgId,
      roles: [
        { orgId, roleName: "ORG_READ_ONLY" },
        { groupId: otherProjectId, roleName: projectOwner },
      ],
    },
  ],
};

type Properties = Readonly<Record<string, unknown>>;

export interface GrantCase {
  readonly kind: "ProjectTeam" | "ProjectApiKey";
  readonly text: string;
  readonly noun: string;
  readonly id: string;
  readonly byId: Properties;
  readonly byName: Properties;
  /** A holder that does not exist. */
  readonly unknown: Properties;
  readonly name: string;
  /** Of the list in the project, below the API. */
  readonly path: string;
  /** The request that gives a holder its first role. */
  readonly first: { readonly method: string; readonly path: string };
  readonly notice: string;
  readonly give: (sandbox: Sandbox, roles: readonly string[]) => void;
  /** What the holder has in the project and elsewhere. */
  readonly rolesOf: (sandbox: Sandbox) => { readonly here: readonly string[]; readonly elsewhere: number };
}

const teamCase: GrantCase = {
  kind: "ProjectTeam",
  text: "Team operators",
  noun: "team",
  id: team.id,
  byId: { teamId: team.id },
  byName: { teamName: team.name },
  unknown: { teamName: "admins" },
  name: team.name,
  path: "/groups/.*/teams",
  first: { method: "POST", path: `/groups/${projectId}/teams` },
  notice: "teams",
  give: (sandbox, roles) => sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: [...roles] }),
  rolesOf: (sandbox) => {
    const inProject = (id: string) =>
      sandbox.project(id)?.teams.find(({ teamId }) => teamId === team.id)?.roleNames ?? [];
    return { here: [...inProject(projectId)].sort(), elsewhere: inProject(otherProjectId).length };
  },
};

const keyCase: GrantCase = {
  kind: "ProjectApiKey",
  text: `API key ${key.publicKey}`,
  noun: "API key",
  id: key.id,
  byId: { keyId: key.id },
  byName: { publicKey: key.publicKey },
  unknown: { publicKey: "nosuchkey" },
  name: key.publicKey,
  path: "/groups/.*/apiKeys",
  first: { method: "PATCH", path: `/groups/${projectId}/apiKeys/${key.id}` },
  notice: "keys",
  give: (sandbox, roles) => {
    const others = rolesOfKey(sandbox).filter(({ groupId }) => groupId !== projectId);
    const here = roles.map((roleName) => ({ groupId: projectId, roleName }));
    sandbox.changeKey(key.publicKey, { roles: [...others, ...here] });
  },
  rolesOf: (sandbox) => {
    const isHere = ({ groupId }: { groupId?: string }) => groupId === projectId;
    const roles = rolesOfKey(sandbox);
    const here = roles.filter(isHere).map(({ roleName }) => roleName as string);
    return { here: here.sort(), elsewhere: roles.filter(({ groupId }) => groupId === otherProjectId).length };
  },
};

export function rolesOfKey({ state }: Sandbox, publicKey = key.publicKey) {
  return state.keys.find((candidate) => candidate.publicKey === publicKey)?.roles ?? [];
}

export const grantCases: readonly GrantCase[] = [teamCase, keyCase];

interface Circumstances {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, ConfigValue>>;
}

/** A stack of a program with these resources. */
export async function startGrants(
  resources: Readonly<Record<string, ResourceDeclaration>>,
  { provider = "plugin", sandbox: options, config }: Circumstances = {},
) {
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, ...options },
    program: () => ({ resources }),
    config: { publicKey: own.publicKey, privateKey, ...config },
  });
  const declare = (declared: Readonly<Record<string, ResourceDeclaration>>) =>
    stack.setProgram({ resources: declared });
  return { sandbox, stack, declare };
}

export function grant(
  { kind: type, byName }: GrantCase,
  properties: Properties = {},
  options: ResourceDeclaration["options"] = {},
): ResourceDeclaration {
  const isNamed = Object.keys(properties).some((name) => name === "teamId" || name === "keyId");
  const identity = isNamed ? {} : byName;
  return { type, properties: { projectId, ...identity, roles: [reader], ...properties }, options };
}

/** The stack has given the holder a role in the project. */
export async function holdGrant(which: GrantCase, circumstances: Circumstances = {}) {
  const setup = await startGrants({ access: grant(which) }, circumstances);
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  const outputs = async () => (await setup.stack.resource("access"))?.outputs;
  const change = (more: Properties, options?: ResourceDeclaration["options"]) =>
    setup.declare({ access: grant(which, more, options) });
  return { ...setup, outputs, change };
}
