import { PolicyPack, type ResourceValidation, type ResourceValidationPolicy } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import type {
  ProjectApiKeyArgs,
  ProjectArgs,
  ProjectMemberArgs,
  ProjectMembersArgs,
  ProjectTeamArgs,
} from "pulumi-opsmanager";

interface ArgsByKind {
  readonly Project: ProjectArgs;
  readonly ProjectMember: ProjectMemberArgs;
  readonly ProjectMembers: ProjectMembersArgs;
  readonly ProjectTeam: ProjectTeamArgs;
  readonly ProjectApiKey: ProjectApiKeyArgs;
}

/** Returns one message for each violation. */
type Check<Args, Config> = (properties: Unwrap<Args>, config: Config, isProtected: boolean) => string[];

/** Checks one kind of resource, of the provider plugin and of the dynamic provider. */
function validate<Kind extends keyof ArgsByKind, Config extends object>(
  kind: Kind,
  check: Check<ArgsByKind[Kind], Config>,
): ResourceValidation {
  const types = [`opsmanager:index:${kind}`, `pulumi-nodejs:dynamic/opsmanager:${kind}`];
  return (args, reportViolation) => {
    if (!types.includes(args.type)) return;
    const properties = args.props as Unwrap<ArgsByKind[Kind]>;
    for (const message of check(properties, args.getConfig<Config>(), args.opts.protect))
      reportViolation(message);
  };
}

const textList = { type: "array" as const, items: { type: "string" as const } };

const owner = "GROUP_OWNER";

interface OwnerConfig {
  /** Usernames. If a `ProjectMember` has a `userId` and no `username`, list that id. */
  readonly owners: string[];
  /** Distinguished names of LDAP groups, and groups of an identity provider. */
  readonly ownerGroups: string[];
  /** Names of teams; the id of a team that is declared by `teamId`. */
  readonly ownerTeams: string[];
  /** Public keys; the id of a key that is declared by `keyId`. */
  readonly ownerKeys: string[];
}

/** Upper and lower case are the same in usernames and in names of groups. */
function contains(list: readonly string[], name: string): boolean {
  return list.some((entry) => entry.toLowerCase() === name.toLowerCase());
}

const refusedOwner = (name: string) =>
  `${name} must not have the role ${owner}. Choose another role, or add the name to "owners" in the policy configuration.`;

const refusedGroup = (group: string) =>
  `The group ${group} must not be mapped to ${owner}. Map another group, or add it to "ownerGroups" in the policy configuration.`;

const refusedTeam = (team: string) =>
  `The team ${team} must not have the role ${owner}. Choose another role, or add it to "ownerTeams" in the policy configuration.`;

const refusedKey = (key: string) =>
  `The API key ${key} must not have the role ${owner}. Choose another role, or add it to "ownerKeys" in the policy configuration.`;

// Without a configuration all lists are empty, so each owner is refused.
const unlistedOwners: ResourceValidationPolicy = {
  name: "no-unlisted-owner",
  description: "Only listed people, groups, teams and API keys own a project.",
  enforcementLevel: "mandatory",
  configSchema: {
    properties: {
      owners: { ...textList, default: [] },
      ownerGroups: { ...textList, default: [] },
      ownerTeams: { ...textList, default: [] },
      ownerKeys: { ...textList, default: [] },
    },
  },
  validateResource: [
    validate("ProjectMember", (member, { owners }: OwnerConfig) => {
      if (!member.roles?.includes(owner)) return [];
      const names = [member.username, member.userId, member.invitationId].filter(
        (name) => name !== undefined,
      );
      return names.some((name) => contains(owners, name)) ? [] : [refusedOwner(names.join(", "))];
    }),
    validate("ProjectMembers", ({ members }, { owners }: OwnerConfig) =>
      Object.entries(members)
        .filter(([name, roles]) => roles.includes(owner) && !contains(owners, name))
        .map(([name]) => refusedOwner(name)),
    ),
    validate("Project", ({ ldapGroupMappings = [], idpGroupMappings = [] }, { ownerGroups }: OwnerConfig) =>
      [
        ...ldapGroupMappings.map(({ roleName, ldapGroups }) => ({ roleName, groups: ldapGroups })),
        ...idpGroupMappings.map(({ roleName, idpGroups }) => ({ roleName, groups: idpGroups })),
      ]
        .filter(({ roleName }) => roleName === owner)
        .flatMap(({ groups }) => groups)
        .filter((group) => !contains(ownerGroups, group))
        .map(refusedGroup),
    ),
    validate("ProjectTeam", ({ roles, teamName, teamId }, { ownerTeams }: OwnerConfig) => {
      const team = teamName ?? teamId ?? "";
      return roles.includes(owner) && !ownerTeams.includes(team) ? [refusedTeam(team)] : [];
    }),
    validate("ProjectApiKey", ({ roles, publicKey, keyId }, { ownerKeys }: OwnerConfig) => {
      const key = publicKey ?? keyId ?? "";
      return roles.includes(owner) && !ownerKeys.includes(key) ? [refusedKey(key)] : [];
    }),
  ],
};

interface TagConfig {
  /** Regular expressions of whole tags. Each project needs a tag for each of them. */
  readonly patterns: string[];
}

const requiredTags: ResourceValidationPolicy = {
  name: "required-tags",
  description: "Each project has the tags that the organization requires.",
  enforcementLevel: "mandatory",
  // A configuration that misspells the name would require no tag, so the name must be there.
  configSchema: { properties: { patterns: textList }, required: ["patterns"] },
  validateResource: validate("Project", ({ tags = [] }, { patterns }: TagConfig) =>
    patterns
      .filter((pattern) => !tags.some((tag) => new RegExp(`^(?:${pattern})$`).test(tag)))
      .map((pattern) => `The project has no tag that matches ${pattern}. Add one to its tags.`),
  ),
};

const protectedProjects: ResourceValidationPolicy = {
  name: "protected-projects",
  description: "No project is deleted by accident.",
  enforcementLevel: "advisory",
  validateResource: validate("Project", ({ onDestroy, projectId }, _config, isProtected) => {
    const isDeleted = onDestroy === "delete" || (onDestroy === undefined && projectId === undefined);
    return isDeleted && !isProtected
      ? ['Destroying deletes this project. Set the option "protect", or declare onDestroy: "release".']
      : [];
  }),
};

new PolicyPack("opsmanager", { policies: [unlistedOwners, requiredTags, protectedProjects] });
