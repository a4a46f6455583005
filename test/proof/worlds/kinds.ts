/** The kinds of resources that the programs of worlds declare: what is drawn, and what a program then has. */
import fc from "fast-check";
import { type Options, type ResourceType, secretValue } from "../engine-model";
import { lastDay } from "./days";
import {
  among,
  drawn,
  idpMappings,
  keyDescription,
  maybe,
  oneIn,
  orgRoles,
  orgRolesOfPerson,
  peopleWithRoles,
  person,
  roles,
  slot,
  slotOfProject,
  somePeople,
  tags,
  teamName,
  teamResource,
  yes,
} from "./draws";
import {
  type ApiKeyResource,
  apiKeyResources,
  type Person,
  type Slot,
  type TeamName,
  type TeamResource,
  teamNames,
  teamResources,
} from "./names";
import { matches } from "./oracle";

/** The key of another program. It exists when the world begins. */
export const FOREIGN_KEY = { id: "5f0000000000000000000f01", publicKey: "theirkey", desc: "theirs" };

/** What programs know of the service. */
export interface Surroundings {
  readonly orgId: string;
  /** Name of the owner of the organization. */
  readonly ownerName: string;
  /** Ids of the projects that existed before. */
  readonly projectIds: ReadonlyMap<Slot, string>;
  /** The name that the person had when the world began. */
  firstName(person: Person): string;
  currentName(person: Person): string;
  /** `undefined` while the person has no account. */
  userId(person: Person): string | undefined;
  /** Ids of the teams that existed before. */
  readonly teamIds: ReadonlyMap<TeamName, string>;
  /** Whether the service accepts LDAP group mappings. Such a service has no teams. */
  readonly ldap: boolean;
  /** Whether the service has the groups of an identity provider. */
  readonly idp: boolean;
}

type Inputs = Readonly<Record<string, unknown>>;

interface Kind<Step> {
  /** How often worlds declare it. */
  readonly weight: number;
  /** Kinds are registered in this order. */
  readonly rank: number;
  readonly draw: fc.Arbitrary<Step>;
  /** What makes two declarations the same resource. Also its first name. */
  nameOf(step: Step): string;
  /** By input: the first name of the resource whose output it is, if the program has that resource. */
  references?(step: Step): Readonly<Record<string, string>>;
  /** Beside the project of the slot, `until` and `onDestroy`; `undefined` if the declaration is not possible. */
  inputsOf(step: Step, surroundings: Surroundings): Inputs | undefined;
}

/**
 * What each declaration may have beside its inputs.
 *
 * @param replaced the property whose change may be a replacement
 */
const extras = (properties: readonly string[], replaced?: string) => ({
  options: oneIn(3, optionsOf(properties, replaced)),
  /** Registered before the other resources of its kind, which depend on it. */
  first: oneIn(3, yes),
  /** An input that previews do not know. */
  unknown: oneIn(8, fc.constantFrom(...properties)),
  /** IDs that another resource of the program has are written as text, so nothing refers to that resource. */
  asText: oneIn(6, yes),
});

const optionsOf = (properties: readonly string[], replaced?: string): fc.Arbitrary<Options> =>
  drawn({
    ignoreChanges: oneIn(
      2,
      fc.constantFrom(...properties).map((property) => [property]),
    ),
    replaceOnChanges: oneIn(2, fc.constant(replaced === undefined ? undefined : [replaced])),
    deleteBeforeReplace: oneIn(2, yes),
    retainOnDelete: oneIn(6, yes),
    protect: oneIn(8, yes),
  });

const onDestroy = maybe(among("remove", "release"));
const until = oneIn(4, lastDay);
const maxRemovals = maybe(among(0, 1, 20));
const removeUnlisted = maybe(fc.boolean());
/** Of a list: by person, as far as they are listed. */
const lastDays = oneIn(3, fc.dictionary(person, lastDay, { minKeys: 1, maxKeys: 3 }));

// The service requires a mapping of GROUP_OWNER.
const owners = { roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] } as const;
const readers = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=readers,dc=example,dc=com"] } as const;

const kind = <Step>(given: Kind<Step>): Kind<Step> => given;

/** The last days of people whom a list names, by name; `undefined` if there are none. */
function daysOf(
  names: readonly string[],
  days: Partial<Readonly<Record<Person, string>>> = {},
  currentName: Surroundings["currentName"],
): Readonly<Record<string, string>> | undefined {
  const named = Object.entries(days).map(([one, day]) => [currentName(one as Person), day] as const);
  const listed = named.filter(([name]) => names.includes(name));
  return listed.length === 0 ? undefined : Object.fromEntries(listed);
}

const isTeamResource = (of: TeamResource | TeamName): boolean =>
  (teamResources as readonly string[]).includes(of);

/** The project whose first name a Project has, and on whose resource it depends. */
export const takenBy = (step: {
  readonly declare: ResourceType;
  readonly slot?: Slot;
  readonly takes?: Slot;
}): Slot | undefined => (step.slot === "billing" ? step.takes : undefined);

const project = kind({
  weight: 4,
  rank: 0,
  draw: drawn({
    declare: "Project",
    slot: slotOfProject,
    /** Of `billing`: the first name of another project, on whose resource this one depends. */
    takes: oneIn(12, among<Slot>("payments")),
    /** For `legacy` and `orders`: declared as well. */
    name: maybe(among<string>("one", "two")),
    tags: maybe(tags),
    secretTags: maybe(yes),
    ignoreTags: maybe(among<readonly string[]>(["K8S_*"], ["TEAM_?"])),
    ldapGroupMappings: maybe(among([owners], [owners, readers])),
    idpGroupMappings: maybe(idpMappings),
    onDestroy: maybe(among("delete", "release")),
    ...extras(["tags", "name"], "tags"),
  }),
  nameOf: (step) => step.slot,
  inputsOf(step, { orgId, projectIds, ldap, idp }) {
    const { slot, name, tags, secretTags, ignoreTags, ldapGroupMappings, idpGroupMappings } = step;
    const taken = takenBy(step);
    const own = tags?.filter((tag) => !matches(ignoreTags ?? [], tag));
    const given = secretTags && own ? [...own, `SECRET_${slot.toUpperCase()}_TAG`] : own;
    const suffix = name === undefined || taken ? "" : `-${name}`;
    return {
      ...(projectIds.has(slot)
        ? { name: name === undefined ? undefined : `${slot}${suffix}` }
        : { orgId, name: `${taken ?? slot}${suffix}` }),
      tags: secretTags && given ? secretValue(given) : given,
      ignoreTags,
      ldapGroupMappings: ldap ? ldapGroupMappings : undefined,
      // A project has mappings of one kind.
      idpGroupMappings: idp && !(ldap && ldapGroupMappings) ? idpGroupMappings : undefined,
    };
  },
});

const member = kind({
  weight: 7,
  rank: 4,
  draw: drawn({
    declare: "ProjectMember",
    slot,
    person,
    /** `username`: the name the person had when the world began; `current name`: the one of today. */
    by: among("username", "userId", "current name", "current name and userId"),
    roles: maybe(roles, 8),
    until,
    onDestroy,
    ...extras(["roles"], "roles"),
  }),
  nameOf: (step) => `${step.slot}-${step.person}`,
  inputsOf({ person, by, roles }, { firstName, currentName, userId: idOf }) {
    const userId = by === "userId" || by === "current name and userId" ? idOf(person) : undefined;
    const username =
      by === "userId" ? undefined : by === "username" ? firstName(person) : currentName(person);
    // Without an id roles are required.
    const isPossible = userId !== undefined || (username !== undefined && roles !== undefined);
    return isPossible ? { username, userId, roles } : undefined;
  },
});

const members = kind({
  weight: 4,
  rank: 4,
  draw: drawn({
    declare: "ProjectMembers",
    slot,
    people: peopleWithRoles,
    /** The owner of the organization, who owns each project at first, is not listed. */
    withoutOwner: maybe(yes, 1),
    ignoreUsers: maybe(among<readonly string[]>(["owner@*"], ["c*@example.com", "owner@example.com"])),
    maxRemovals,
    removeUnlisted,
    until: lastDays,
    onDestroy,
    ...extras(["members"], "members"),
  }),
  nameOf: (step) => `${step.slot}-people`,
  inputsOf(step, { currentName, ownerName }) {
    const { people, withoutOwner, ignoreUsers, removeUnlisted, maxRemovals } = step;
    const isIgnored = (name: string) => matches(ignoreUsers ?? [], name);
    const all = [
      ...Object.entries(people).map(([person, roles]) => [currentName(person as Person), roles] as const),
      ...(withoutOwner ? [] : [[ownerName, ["GROUP_OWNER"]] as const]),
    ];
    const listed = all.filter(([name]) => !isIgnored(name));
    if (listed.length === 0) return undefined;
    const members = Object.fromEntries(listed);
    const until = daysOf(Object.keys(members), step.until, currentName);
    return { members, until, ignoreUsers, maxRemovals, removeUnlisted };
  },
});

const team = kind({
  weight: 4,
  rank: 1,
  draw: drawn({
    declare: "Team",
    resource: teamResource,
    team: teamName,
    people: somePeople(1),
    /** Adopts the team of this name, if there was one when the world began. */
    adopts: maybe(yes, 6),
    removeUnlisted,
    maxRemovals,
    until: lastDays,
    onDestroy: maybe(among("delete", "release")),
    ...extras(["usernames", "usernames", "name"], "usernames"),
  }),
  nameOf: (step) => `team-${step.resource}`,
  inputsOf(step, { orgId, teamIds, currentName }) {
    const { team: name, people, adopts, removeUnlisted, maxRemovals } = step;
    const teamId = adopts ? teamIds.get(name) : undefined;
    const usernames = people.map(currentName).sort();
    const until = daysOf(usernames, step.until, currentName);
    return { orgId, name, teamId, usernames, until, removeUnlisted, maxRemovals };
  },
});

const projectTeam = kind({
  weight: 2,
  rank: 2,
  draw: drawn({
    declare: "ProjectTeam",
    slot,
    /** A Team of the program, or the name of a team. */
    of: among<TeamResource | TeamName>("one", "one", ...teamResources, ...teamNames),
    roles,
    until,
    onDestroy,
    ...extras(["roles"], "roles"),
  }),
  nameOf: (step) => `${step.slot}-team-${step.of.replace(" ", "-")}`,
  references: ({ of }) => (isTeamResource(of) ? { teamId: `team-${of}` } : {}),
  inputsOf: ({ of, roles }) => ({ ...(!isTeamResource(of) && { teamName: of }), roles }),
});

const agentKey = kind({
  weight: 1,
  rank: 3,
  draw: drawn({
    declare: "AgentApiKey",
    slot,
    key: among("one", "two"),
    description: among<string>("agents", "backup agents"),
    onDestroy,
    ...extras(["description"]),
  }),
  nameOf: (step) => `${step.slot}-key-${step.key}`,
  inputsOf: ({ description }) => ({ description }),
});

const apiKey = kind({
  weight: 2,
  rank: 1,
  draw: drawn({
    declare: "ApiKey",
    resource: among(...apiKeyResources),
    description: keyDescription,
    roles: orgRoles,
    accessList: maybe(
      among<readonly string[]>([], ["192.0.2.7"], ["192.0.2.7/32", "198.51.100.0/24"], ["2001:DB8::/32"]),
    ),
    until,
    onDestroy,
    ...extras(["description", "roles", "accessList"], "roles"),
  }),
  nameOf: (step) => `api-key-${step.resource}`,
  inputsOf: ({ description, roles, accessList }, { orgId }) => ({ orgId, description, roles, accessList }),
});

const projectKey = kind({
  weight: 2,
  rank: 2,
  draw: drawn({
    declare: "ProjectApiKey",
    slot,
    /** An ApiKey of the program, or the key of another program. */
    of: among<ApiKeyResource | "theirs">("one", "theirs", ...apiKeyResources),
    roles,
    until,
    onDestroy,
    ...extras(["roles"], "roles"),
  }),
  nameOf: (step) => `${step.slot}-api-key-${step.of}`,
  references: ({ of }) => (of === "theirs" ? {} : { keyId: `api-key-${of}` }),
  inputsOf: ({ of, roles }) => ({ ...(of === "theirs" && { publicKey: FOREIGN_KEY.publicKey }), roles }),
});

const organizationMember = kind({
  weight: 3,
  rank: 1,
  draw: drawn({
    declare: "OrganizationMember",
    person,
    roles: orgRolesOfPerson,
    until,
    onDestroy,
    ...extras(["roles"], "roles"),
  }),
  nameOf: (step) => `person-${step.person}`,
  inputsOf: ({ person, roles }, { orgId, currentName }) => ({ orgId, username: currentName(person), roles }),
});

/** A group that owns the organization stays in each list, because no update removes the last one. */
const groupsOfOrganization = among(
  [{ roleName: "ORG_OWNER", idpGroups: ["platform"] }],
  [
    { roleName: "ORG_OWNER", idpGroups: ["operators", "platform"] },
    { roleName: "ORG_READ_ONLY", idpGroups: ["auditors"] },
  ],
);

const organization = kind({
  weight: 1,
  rank: 1,
  draw: drawn({
    declare: "Organization",
    name: maybe(among("Example", "Example Two")),
    mappings: maybe(groupsOfOrganization),
    ...extras(["name", "idpGroupMappings"]),
  }),
  nameOf: () => "organization",
  inputsOf: ({ name, mappings }, { orgId, idp }) => ({
    orgId,
    name,
    idpGroupMappings: idp ? mappings : undefined,
  }),
});

export const kinds = {
  Project: project,
  ProjectMember: member,
  ProjectMembers: members,
  Team: team,
  ProjectTeam: projectTeam,
  AgentApiKey: agentKey,
  ApiKey: apiKey,
  ProjectApiKey: projectKey,
  OrganizationMember: organizationMember,
  Organization: organization,
} as const satisfies Record<ResourceType, unknown>;

/** Declares a resource, or changes all of its inputs. */
export type Declare<Name extends ResourceType> = (typeof kinds)[Name] extends Kind<infer Step> ? Step : never;
export type DeclareStep = { [Name in ResourceType]: Declare<Name> }[ResourceType];

/** What is drawn of a kind decides which kind it is, so the entry takes each step that is passed to it. */
const entryOf = ({ declare }: DeclareStep): Kind<DeclareStep> => kinds[declare];

export const nameOf = (step: DeclareStep): string => entryOf(step).nameOf(step);
/** It comes last, because it is decided by what the run declares below; the engine checks all before it. */
export const endsInOrganization = (step: DeclareStep): boolean =>
  step.declare === "OrganizationMember" && step.until !== undefined;

export const rankOf = (step: DeclareStep): number => (endsInOrganization(step) ? 5 : entryOf(step).rank);

/** By input: the first name of the resource whose output it is, if the program has that resource. */
export function referencesOf(step: DeclareStep): Readonly<Record<string, string>> {
  const isInProject = "slot" in step && step.declare !== "Project";
  return { ...(isInProject && { projectId: step.slot }), ...entryOf(step).references?.(step) };
}

/** The inputs that are not references; `undefined` if the declaration is not possible. */
export function inputsOf(step: DeclareStep, surroundings: Surroundings): Inputs | undefined {
  const inputs = entryOf(step).inputsOf(step, surroundings);
  const projectId = "slot" in step ? surroundings.projectIds.get(step.slot) : undefined;
  const until = "until" in step ? step.until : undefined;
  const onDestroy = "onDestroy" in step ? step.onDestroy : undefined;
  return inputs && { projectId, until, ...inputs, onDestroy };
}

export const declaration: fc.Arbitrary<DeclareStep> = fc.oneof(
  ...Object.values(kinds).map(({ weight, draw }) => ({ weight, arbitrary: draw })),
);
