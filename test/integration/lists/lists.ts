/** The people of the team `operators` or of the project `payments`, as a list: what the stories about lists need of each kind. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { setUpStack } from "../../support/model-stack";
import type { ProviderKind, ResourceDeclaration } from "../../support/program";
import type { ConfigValue } from "../../support/stack-config";

export const orgId = "5f00000000000000000000b1";
export const projectId = "5f00000000000000000000a1";
export const [ada, grace, linus, olga] = [
  "ada@example.com",
  "grace@example.com",
  "linus@example.com",
  "olga@example.com",
];
export const lovelace = "ada.lovelace@example.com";

const reader = "GROUP_READ_ONLY";
const projectOwner = "GROUP_OWNER";

const seed: Seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [ada, grace, linus, olga].map((username) => ({
    username,
    roles: [{ orgId, roleName: username === olga ? "ORG_OWNER" : "ORG_MEMBER" }],
  })),
  projects: [{ id: projectId, name: "payments", orgId, members: { [olga]: [projectOwner] } }],
};

type Properties = Readonly<Record<string, unknown>>;
type Names = readonly string[];

export interface ListCase {
  readonly kind: "Team" | "ProjectMembers";
  /** What messages call the place. */
  readonly place: string;
  /** A list of these people and Olga, who owns the project. */
  readonly list: (
    names: Names,
    more?: Properties,
    options?: ResourceDeclaration["options"],
  ) => ResourceDeclaration;
  /** The property of the list, and the step of a difference in one person. */
  readonly property: "usernames" | "members";
  readonly notice: string;
  /** Requests that add one person and remove one. */
  readonly adding: string;
  readonly removing: string;
  readonly reading: string;
  /** Makes the list outside Pulumi one of exactly these people and Olga. */
  readonly set: (sandbox: Sandbox, names: Names) => void;
  readonly peopleOf: (sandbox: Sandbox) => Names;
  /** The people of the record, with whether each is declared. */
  readonly recorded: (outputs: Properties | undefined) => readonly { username: string; declared: boolean }[];
}

const idsOf = (sandbox: Sandbox, names: Names) =>
  names.map((username) => sandbox.user({ username })?.id ?? "");
const theTeam = ({ state }: Sandbox) => state.teams[0];
const people = (value: unknown) => value as readonly { username: string; declared: boolean }[];

const teamCase: ListCase = {
  kind: "Team",
  place: 'team "operators"',
  list: (names, more, options = {}) => ({
    type: "Team",
    properties: { orgId, name: "operators", usernames: [...names, olga], ...more },
    options,
  }),
  property: "usernames",
  notice: `organization ${orgId}`,
  adding: "/teams/\\w+/users$",
  removing: "/teams/\\w+/users/\\w+$",
  reading: "/teams/\\w+/users(\\?|$)",
  set: (sandbox, names) =>
    void sandbox.changeTeam(theTeam(sandbox)?.id ?? "", { userIds: idsOf(sandbox, [...names, olga]) }),
  peopleOf: (sandbox) => {
    const ids = theTeam(sandbox)?.userIds ?? [];
    return sandbox.state.users
      .filter(({ id, username }) => ids.includes(id) && username !== olga)
      .map(({ username }) => username);
  },
  recorded: (outputs) => people(outputs?.people),
};

const membersCase: ListCase = {
  kind: "ProjectMembers",
  place: `project ${projectId}`,
  list: (names, more, options = {}) => ({
    type: "ProjectMembers",
    properties: {
      projectId,
      members: { [olga]: [projectOwner], ...Object.fromEntries(names.map((name) => [name, [reader]])) },
      ...more,
    },
    options,
  }),
  property: "members",
  notice: `people ${projectId}`,
  adding: `/groups/${projectId}/users$`,
  removing: `/groups/${projectId}/users/\\w+$`,
  reading: `/groups/${projectId}/users(\\?|$)`,
  set: (sandbox, names) => {
    for (const { id, username, roles } of [...sandbox.state.users]) {
      const isThere = roles.some(({ groupId }) => groupId === projectId);
      if (names.includes(username) && !isThere) sandbox.setMember(projectId, { id }, [reader]);
      if (isThere && username !== olga && !names.includes(username)) sandbox.removeMember(projectId, { id });
    }
  },
  peopleOf: ({ state }) =>
    state.users
      .filter(
        ({ username, roles }) => username !== olga && roles.some(({ groupId }) => groupId === projectId),
      )
      .map(({ username }) => username),
  recorded: (outputs) => people(outputs?.memberDetails),
};

export const listCases: readonly ListCase[] = [teamCase, membersCase];

interface Circumstances {
  readonly provider?: ProviderKind;
  readonly sandbox?: SandboxOptions;
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly properties?: Properties;
  readonly options?: ResourceDeclaration["options"];
}

/** A stack of a list of these people, whose first `up` is still to come. */
export async function startList(
  { list, recorded }: ListCase,
  names: Names,
  { provider = "plugin", sandbox: switches, config, properties, options }: Circumstances = {},
) {
  const resources = (of: Names, more?: Properties) => ({
    list: list(of, { ...properties, ...more }, options),
  });
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { seed, bypassInvitations: true, ...switches },
    program: () => ({ resources: resources(names) }),
    ...(config && { config }),
  });
  const declare = (of: Names, more?: Properties) => stack.setProgram({ resources: resources(of, more) });
  /** Who is recorded as declared, beside Olga. */
  const declared = async () =>
    recorded((await stack.resource("list"))?.outputs)
      .filter((person) => person.declared && person.username !== olga)
      .map(({ username }) => username);
  return { sandbox, stack, declare, declared };
}

export async function holdList(which: ListCase, names: Names, circumstances: Circumstances = {}) {
  const setup = await startList(which, names, circumstances);
  await succeeded(setup.stack.up());
  setup.sandbox.clearRequests();
  return setup;
}

/** Renames the account of Ada, and gives her name to a new one of the organization. */
export function giveNameAway(sandbox: Sandbox): void {
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: lovelace });
  sandbox.addUser({ username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
}
