/** One access of each kind that may have a last day, in the project `payments` or its organization. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { setUpStack } from "../../support/model-stack";
import type { ProviderKind, ResourceDeclaration } from "../../support/program";
import type { ConfigValue } from "../../support/stack-config";
import { ada, key, seed as others, own, owner, team } from "../grants/grants";

export { key, team };
export const orgId = "5f00000000000000000000b1";
export const projectId = "5f00000000000000000000a1";
export const [bob, carol, olga] = ["bob@example.com", "carol@example.com", "olga@example.com"];

const seed: Seed = {
  ...others,
  users: [
    ...(others.users ?? []),
    ...[bob, carol].map((username) => ({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] })),
    { username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] },
  ],
};
const [, theirs] = others.keys ?? [];
/** The roles of the team and the key elsewhere are not of these stories. */
export const seedOfEnds: Seed = {
  ...seed,
  projects: seed.projects?.map((project) => ({ ...project, teams: [] })) ?? [],
  keys: [...(others.keys ?? []).slice(0, 1), ...(theirs ? [{ ...theirs, roles: [] }] : [])],
};

/** The last day of all stories. */
export const lastDay = "2030-03-31";

/**
 * Moves this machine's clock, and with it the sandbox's, to the noon of a day. The stories end with `jest.useRealTimers()`.
 */
export function itIs(day: string): void {
  const now = new Date(`${day}T12:00:00Z`);
  const doNotFake = [
    ...(["hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "clearImmediate"] as const),
    ...(["setInterval", "clearInterval", "setTimeout", "clearTimeout"] as const),
  ];
  jest.useFakeTimers({ now, doNotFake });
}

type Properties = Readonly<Record<string, unknown>>;

export interface EndCase {
  readonly kind:
    | ("ProjectMember" | "OrganizationMember" | "ProjectTeam" | "ProjectApiKey" | "ApiKey")
    | ("ProjectMembers" | "Team");
  readonly properties: Properties;
  /** The input `until` for a last day; the day itself, if absent. */
  readonly until?: (day: string) => unknown;
  /** What outputs record of the end; the outputs themselves, if absent. */
  readonly recorded?: (outputs: Properties) => Properties;
  /** Who has the access, and with which roles; nobody: none. */
  readonly holders: (sandbox: Sandbox) => readonly string[];
  /** What `holders` shows if the access is there. */
  readonly granted: string;
  /** By which it is imported. */
  readonly importId: (sandbox: Sandbox) => string;
  /** Gives the access back outside Pulumi; a deleted key cannot come back. */
  readonly bringBack?: (sandbox: Sandbox) => void;
  /** Takes the access away outside Pulumi. */
  readonly takeOutside: (sandbox: Sandbox) => void;
  /** Takes away what the place gives to whom it knows. */
  readonly clear?: (sandbox: Sandbox) => void;
  /** What the preview says after the last day. */
  readonly loss: RegExp;
  /** The request that takes the access away. */
  readonly removal: RegExp;
}

const rolesIn = (sandbox: Sandbox, username: string, place: "groupId" | "orgId") =>
  (sandbox.user({ username })?.roles ?? []).flatMap((role) => {
    const isHere = place === "groupId" ? role.groupId === projectId : !role.groupId && role.orgId === orgId;
    return isHere ? [`${username} ${role.roleName}`] : [];
  });

const keyOf = ({ state }: Sandbox) => state.keys.find(({ desc }) => desc === "ci");

/** @param colleague who is in the organization; with more than one kind in a program, not who is in the project */
export const endCasesOf = (colleague: string): readonly EndCase[] => [
  {
    kind: "ProjectMember",
    properties: { projectId, username: bob, roles: ["GROUP_READ_ONLY"] },
    holders: (sandbox) => rolesIn(sandbox, bob, "groupId"),
    granted: `${bob} GROUP_READ_ONLY`,
    importId: () => `${projectId}/${bob}`,
    takeOutside: (sandbox) => sandbox.removeMember(projectId, { username: bob }),
    bringBack: (sandbox) => sandbox.setMember(projectId, { username: bob }, ["GROUP_READ_ONLY"]),
    loss: new RegExp(`${bob} loses GROUP_READ_ONLY in project ${projectId}\\.`),
    removal: new RegExp(`/groups/${projectId}/users/`),
  },
  {
    kind: "OrganizationMember",
    properties: { orgId, username: colleague, roles: ["ORG_READ_ONLY"] },
    holders: (sandbox) => rolesIn(sandbox, colleague, "orgId").filter((text) => !text.endsWith("ORG_MEMBER")),
    granted: `${colleague} ORG_READ_ONLY`,
    importId: () => `${orgId}/${colleague}`,
    takeOutside: (sandbox) => sandbox.removeOrgMember(orgId, { username: colleague }),
    bringBack: (sandbox) => sandbox.setOrgMember(orgId, { username: colleague }, ["ORG_READ_ONLY"]),
    clear: (sandbox) => sandbox.removeOrgMember(orgId, { username: colleague }),
    loss: new RegExp(`${colleague} loses ORG_READ_ONLY in organization ${orgId}\\.`),
    removal: new RegExp(`/orgs/${orgId}/users/`),
  },
  {
    kind: "ProjectTeam",
    properties: { projectId, teamName: team.name, roles: ["GROUP_READ_ONLY"] },
    holders: (sandbox) =>
      sandbox.project(projectId)?.teams.map(({ roleNames }) => `${team.name} ${roleNames}`) ?? [],
    granted: `${team.name} GROUP_READ_ONLY`,
    importId: () => `${projectId}/${team.id}`,
    takeOutside: (sandbox) => sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: [] }),
    bringBack: (sandbox) =>
      sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: ["GROUP_READ_ONLY"] }),
    loss: new RegExp(`team ${team.name} loses GROUP_READ_ONLY in project ${projectId}\\.`, "i"),
    removal: new RegExp(`/groups/${projectId}/teams/`),
  },
  {
    kind: "ProjectApiKey",
    properties: { projectId, keyId: key.id, roles: ["GROUP_READ_ONLY"] },
    holders: ({ state }) =>
      state.keys.flatMap(({ publicKey, roles }) =>
        roles.flatMap(({ groupId, roleName }) => (groupId === projectId ? [`${publicKey} ${roleName}`] : [])),
      ),
    granted: `${key.publicKey} GROUP_READ_ONLY`,
    importId: () => `${projectId}/${key.id}`,
    takeOutside: (sandbox) =>
      sandbox.changeKey(key.publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] }),
    bringBack: (sandbox) =>
      sandbox.changeKey(key.publicKey, {
        roles: [
          { orgId, roleName: "ORG_READ_ONLY" },
          { groupId: projectId, roleName: "GROUP_READ_ONLY" },
        ],
      }),
    loss: new RegExp(`API key ${key.publicKey} loses GROUP_READ_ONLY in project ${projectId}\\.`),
    removal: new RegExp(`/groups/${projectId}/apiKeys/`),
  },
  {
    kind: "ApiKey",
    properties: { orgId, description: "ci", roles: ["ORG_READ_ONLY"] },
    holders: ({ state }) =>
      state.keys
        .filter(({ desc }) => desc === "ci")
        .map(({ roles }) => `ci ${roles.map(({ roleName }) => roleName)}`),
    granted: "ci ORG_READ_ONLY",
    importId: (sandbox) => `${orgId}/${keyOf(sandbox)?.id}`,
    takeOutside: (sandbox) => sandbox.removeKey(keyOf(sandbox)?.publicKey ?? ""),
    loss: new RegExp(`API key [0-9a-f]{24} \\("ci"\\) of organization ${orgId} is deleted\\.`),
    removal: new RegExp(`/orgs/${orgId}/apiKeys/`),
  },
];

/** The inputs with a last day. */
export function withLastDay({ properties, until = (day) => day }: EndCase, day: string): Properties {
  return { ...properties, until: until(day) };
}

const inList = {
  until: (day: string) => ({ [bob]: day }),
  recorded: ({ until, ends }: Properties) => ({
    ...{ until: (until as Properties | undefined)?.[bob] },
    ...(ends as readonly Properties[] | undefined)?.[0],
  }),
};

/** A person of a list. */
export const listEndCases: readonly EndCase[] = [
  {
    ...inList,
    kind: "ProjectMembers",
    properties: { projectId, members: { [owner]: ["GROUP_OWNER"], [bob]: ["GROUP_READ_ONLY"] } },
    holders: (sandbox) => rolesIn(sandbox, bob, "groupId"),
    granted: `${bob} GROUP_READ_ONLY`,
    importId: () => projectId,
    takeOutside: (sandbox) => sandbox.removeMember(projectId, { username: bob }),
    bringBack: (sandbox) => sandbox.setMember(projectId, { username: bob }, ["GROUP_READ_ONLY"]),
    loss: new RegExp(`${bob} is removed from project ${projectId}`),
    removal: new RegExp(`/groups/${projectId}/users/`),
  },
  {
    ...inList,
    kind: "Team",
    properties: { orgId, teamId: team.id, name: team.name, usernames: [ada, bob] },
    holders: ({ state }) => {
      const { id = "" } = state.users.find(({ username }) => username === bob) ?? {};
      return state.teams.some(({ userIds }) => userIds.includes(id)) ? [bob] : [];
    },
    granted: bob,
    importId: () => `${orgId}/${team.id}`,
    takeOutside: (sandbox) => setTeam(sandbox, [ada]),
    bringBack: (sandbox) => setTeam(sandbox, [ada, bob]),
    loss: new RegExp(`${bob} is removed from team "${team.name}"`),
    removal: new RegExp(`/teams/${team.id}/users/`),
  },
];

function setTeam(sandbox: Sandbox, names: readonly string[]): void {
  const userIds = names.map((username) => sandbox.user({ username })?.id ?? "");
  sandbox.changeTeam(team.id, { userIds });
}

/** Each kind alone in its program. */
export const endCases = endCasesOf(bob);

export interface Circumstances {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly options?: ResourceDeclaration["options"];
  readonly properties?: Properties;
}

/** A stack whose program declares the access until the last day, and the words of the stories. */
export async function startEnds(
  which: EndCase,
  { provider = "plugin", sandbox: options, config, options: always, properties: more }: Circumstances = {},
) {
  const { kind, holders } = which;
  const declared = (changed: Properties): ResourceDeclaration => {
    const { until = lastDay, ...given } = { ...more, ...changed };
    return {
      type: kind,
      properties: { ...withLastDay(which, String(until)), ...given },
      ...(always && { options: always }),
    };
  };
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed: seedOfEnds, orgUserChanges: "offered", bypassInvitations: true, ...options },
    program: () => ({ resources: { access: declared({}) } }),
    config: { publicKey: own.publicKey, privateKey: "5e5e5e5e-0000-4000-8000-0123456789ab", ...config },
  });
  const change = (changed: Properties, beside: Readonly<Record<string, ResourceDeclaration>> = {}) =>
    stack.setProgram({ resources: { access: declared(changed), ...beside } });
  const outputs = async () => {
    const all = (await stack.resource("access"))?.outputs;
    return all && (which.recorded ?? ((same: Properties) => same))(all);
  };
  const up = async () => {
    sandbox.clearRequests();
    return succeeded(stack.up());
  };
  return { sandbox, stack, change, outputs, up, held: () => holders(sandbox) };
}

/** The access was granted before its last day, which has passed. */
export async function afterLastDay(which: EndCase, circumstances: Circumstances = {}) {
  itIs("2030-03-01");
  const setup = await startEnds(which, circumstances);
  await setup.up();
  itIs("2030-04-01");
  setup.sandbox.clearRequests();
  return setup;
}
