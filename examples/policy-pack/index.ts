import { PolicyPack, type ResourceValidation, type ResourceValidationPolicy } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import type {
  ApiKeyArgs,
  OrganizationArgs,
  OrganizationMemberArgs,
  ProjectApiKeyArgs,
  ProjectArgs,
  ProjectMemberArgs,
  ProjectMembersArgs,
  ProjectTeamArgs,
} from "pulumi-opsmanager";
import { owningRoles, unknownRights } from "pulumi-opsmanager/access";

interface ArgsByKind {
  readonly Project: ProjectArgs;
  readonly ProjectMember: ProjectMemberArgs;
  readonly ProjectMembers: ProjectMembersArgs;
  readonly ProjectTeam: ProjectTeamArgs;
  readonly ProjectApiKey: ProjectApiKeyArgs;
  readonly ApiKey: ApiKeyArgs;
  readonly OrganizationMember: OrganizationMemberArgs;
  readonly Organization: OrganizationArgs;
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

interface OwnerConfig {
  /**
   * Usernames. If a `ProjectMember` has a `userId` and no `username`, or a `Project` a `projectOwnerId`,
   * list that id.
   */
  readonly owners: string[];
  /** Distinguished names of LDAP groups, and groups of an identity provider. */
  readonly ownerGroups: string[];
  /** Names of teams; the id of a team that is declared by `teamId`. */
  readonly ownerTeams: string[];
  /** Public keys; the id of a key that is declared by `keyId`; the description of an `ApiKey`. */
  readonly ownerKeys: string[];
}

/** Roles that own a project or can make someone its owner. A role that the package does not know may do so. */
function rightsAmong(roles: readonly string[]): string[] {
  return [...owningRoles(roles), ...unknownRights(roles)];
}

/** Upper and lower case are the same in usernames and in names of groups. */
function contains(list: readonly string[], name: string): boolean {
  return list.some((entry) => entry.toLowerCase() === name.toLowerCase());
}

/**
 * The message, if one of the roles is a right to own projects and none of the names is listed.
 *
 * @param names read only if a role matters: a name that is not known yet stops the check
 */
function refused(
  roles: readonly string[],
  names: () => readonly string[],
  isListed: (name: string) => boolean,
  { list, what = "" }: { readonly list: keyof OwnerConfig; readonly what?: string },
): string[] {
  const rights = rightsAmong(roles);
  if (rights.length === 0 || names().some(isListed)) return [];
  const noun = rights.length === 1 ? "role" : "roles";
  return [
    `${what}${names().join(", ")} must not have the ${noun} ${rights.join(", ")}. Choose another role, or add the name to "${list}" in the policy configuration.`,
  ];
}

function refusedPerson(
  roles: readonly string[] | undefined,
  names: () => readonly (string | undefined)[],
  { owners }: OwnerConfig,
): string[] {
  const known = () => names().filter((name) => name !== undefined);
  return refused(roles ?? [], known, (name) => contains(owners, name), { list: "owners" });
}

function refusedKey(roles: readonly string[], name: () => string, { ownerKeys }: OwnerConfig): string[] {
  const texts = { list: "ownerKeys", what: "The API key " } as const;
  return refused(
    roles,
    () => [name()],
    (key) => ownerKeys.includes(key),
    texts,
  );
}

function refusedGroups(
  {
    ldapGroupMappings = [],
    idpGroupMappings = [],
  }: Pick<Unwrap<ProjectArgs | OrganizationArgs>, "ldapGroupMappings" | "idpGroupMappings">,
  { ownerGroups }: OwnerConfig,
): string[] {
  return [
    ...ldapGroupMappings.map(({ roleName, ldapGroups }) => ({ roleName, groups: ldapGroups })),
    ...idpGroupMappings.map(({ roleName, idpGroups }) => ({ roleName, groups: idpGroups })),
  ].flatMap(({ roleName, groups }) =>
    groups.flatMap((group) =>
      refused(
        [roleName],
        () => [group],
        (name) => contains(ownerGroups, name),
        { list: "ownerGroups", what: "The group " },
      ),
    ),
  );
}

// Without a configuration all lists are empty, so each owner is refused.
const unlistedOwners: ResourceValidationPolicy = {
  name: "no-unlisted-owner",
  description: "Only listed people, groups, teams and API keys can own a project.",
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
    validate("ProjectMember", (member, config: OwnerConfig) =>
      refusedPerson(member.roles, () => [member.username, member.userId, member.invitationId], config),
    ),
    validate("ProjectMembers", ({ members }, config: OwnerConfig) =>
      Object.entries(members).flatMap(([name, roles]) => refusedPerson(roles, () => [name], config)),
    ),
    validate("OrganizationMember", (member, config: OwnerConfig) =>
      refusedPerson(member.roles, () => [member.username], config),
    ),
    validate("Project", ({ projectOwnerId }, { owners }: OwnerConfig) =>
      projectOwnerId === undefined || contains(owners, projectOwnerId)
        ? []
        : [
            `User ${projectOwnerId} must not become the owner of the project. Omit projectOwnerId, or add the id to "owners" in the policy configuration.`,
          ],
    ),
    validate("Project", refusedGroups),
    validate("Organization", refusedGroups),
    validate("ProjectTeam", (team, { ownerTeams }: OwnerConfig) =>
      refused(
        team.roles,
        () => [team.teamName ?? team.teamId ?? ""],
        (name) => ownerTeams.includes(name),
        {
          list: "ownerTeams",
          what: "The team ",
        },
      ),
    ),
    validate("ProjectApiKey", (key, config: OwnerConfig) =>
      refusedKey(key.roles, () => key.publicKey ?? key.keyId ?? "", config),
    ),
    validate("ApiKey", (key, config: OwnerConfig) => refusedKey(key.roles, () => key.description, config)),
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
