/** What the sandbox remembers. All objects are read-only: a change is a new object put into the store. */

/** A role of an account or a key: in one project, in one organization, or (with neither) everywhere. */
export interface RoleGrant {
  readonly groupId?: string;
  readonly orgId?: string;
  readonly roleName: string;
}

export interface Org {
  readonly id: string;
  readonly name: string;
  /** True: keys with a global role still see it, with `isDeleted: true`. Left out: false. */
  readonly isDeleted?: boolean;
  /** Left out, as below: none. */
  readonly ldapGroupMappings?: readonly LdapGroupMapping[];
  readonly idpGroupMappings?: readonly IdpGroupMapping[];
  /** Left out: the organization has no federation with an identity provider. */
  readonly federationId?: string;
  /** What a login through the federation gives. Left out: nothing. */
  readonly roleMappings?: readonly FederatedRoles[];
  /** Roles in the organization of everyone who signs in. Left out: none. */
  readonly postAuthRoleGrants?: readonly string[];
}

/** The roles of a group of the identity provider, each in one organization or one project. */
export interface FederatedRoles {
  readonly externalGroupName: string;
  readonly roleAssignments: readonly (Omit<RoleGrant, "roleName"> & { readonly role: string })[];
}

export interface LdapGroupMapping {
  readonly roleName: string;
  readonly ldapGroups: readonly string[];
}

export interface IdpGroupMapping {
  readonly roleName: string;
  readonly idpGroups: readonly string[];
}

/** A team's membership in a project: its members have these roles there. */
export interface ProjectTeam {
  readonly teamId: string;
  readonly roleNames: readonly string[];
}

/** A key with which agents join a project. */
export interface AgentKey {
  readonly id: string;
  /** Complete; the API shows it in the response to its creation only. */
  readonly key: string;
  readonly desc: string;
  /** `PROVISIONING` for the key that a project starts with, `PUBLIC_API` for one of the API. */
  readonly createdBy: string;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
  readonly createdIpAddr?: string | undefined;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly orgId: string;
  readonly tags: readonly string[];
  readonly ldapGroupMappings: readonly LdapGroupMapping[];
  readonly idpGroupMappings: readonly IdpGroupMapping[];
  readonly hostCounts: Readonly<Record<string, number>>;
  readonly lastActiveAgent: string;
  readonly activeAgentCount: number;
  readonly replicaSetCount: number;
  readonly shardCount: number;
  readonly publicApiEnabled: boolean;
  /** The key that the project starts with. */
  readonly agentApiKey: string;
  /** All keys, the first one included until it is deleted. */
  readonly agentKeys: readonly AgentKey[];
  /** A project with backups cannot be deleted. */
  readonly hasBackups: boolean;
  readonly teams: readonly ProjectTeam[];
}

/** A person's account. The people of a project are the accounts with a role in it. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly emailAddress: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly mobileNumber: string;
  readonly country: string;
  readonly roles: readonly RoleGrant[];
  /** LDAP groups the person is in; they decide about projects while the switch `ldapPeople` is on. Left out: none. */
  readonly ldapGroups?: readonly string[];
}

export interface Team {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly userIds: readonly string[];
}

/** A pending invitation. An accepted or deleted one is no longer in the store. */
export interface Invitation {
  readonly id: string;
  /** The project that the invitation is to; left out where it is to an organization. */
  readonly groupId?: string;
  /** The organization that the invitation is to; left out where it is to a project. */
  readonly orgId?: string;
  readonly username: string;
  /** The account that the invitation is for; left out where it was sent to a name without an account. */
  readonly userId?: string;
  readonly roles: readonly string[];
  readonly teamIds: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly inviterUsername: string;
}

/** An address or a block of addresses from which a key may be used. */
export interface AccessListEntry {
  /** A single address is a block of one address: `192.0.2.7/32`. */
  readonly cidrBlock: string;
  /** ISO 8601. */
  readonly created: string;
}

/** What calls the API: an API key or a service account. */
export interface Caller {
  readonly id: string;
  /** The organization of a key that the API created. Left out: that of its roles; none for a key with a global role. */
  readonly orgId?: string | undefined;
  readonly desc: string;
  readonly roles: readonly RoleGrant[];
  /** False: every call is refused as coming from outside of the key's IP access list. */
  readonly ipAllowed: boolean;
  readonly accessList: readonly AccessListEntry[];
}

export interface ApiKey extends Caller {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A secret of a service account, without its value. Times are ISO 8601. */
export interface ClientSecret {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Left out: never used. */
  readonly lastUsedAt?: string | undefined;
}

/**
 * A service account of Cloud Manager. It calls with access tokens, and is in no list of keys. `desc` is the
 * `description` of responses.
 */
export interface ServiceAccount extends Caller {
  readonly clientId: string;
  /** The complete secret, that of the last entry of `secrets`. No response shows it. */
  readonly clientSecret: string;
  /** Several may have one name. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly secrets: readonly ClientSecret[];
  /** Made by the service for itself. */
  readonly isSystemManaged: boolean;
}

/** The name with which a caller authenticates. */
export const nameOfCaller = (caller: ApiKey | ServiceAccount): string =>
  "publicKey" in caller ? caller.publicKey : caller.clientId;

/** A project after DELETE /groups/{id}, for as long as lists still contain it or its name is still taken. */
export interface DeletedProject {
  readonly project: Project;
  /** Milliseconds since 1970 of the sandbox's clock. */
  readonly deletedAt: number;
}

/** Everything the sandbox remembers; also the format of the data file. */
export interface State {
  readonly orgs: readonly Org[];
  readonly keys: readonly ApiKey[];
  readonly serviceAccounts: readonly ServiceAccount[];
  readonly users: readonly Account[];
  readonly teams: readonly Team[];
  readonly projects: readonly Project[];
  readonly invitations: readonly Invitation[];
}

export const projectRoleNames: readonly string[] = [
  "GROUP_OWNER",
  "GROUP_USER_ADMIN",
  "GROUP_AUTOMATION_ADMIN",
  "GROUP_BACKUP_ADMIN",
  "GROUP_MONITORING_ADMIN",
  "GROUP_DATA_ACCESS_ADMIN",
  "GROUP_DATA_ACCESS_READ_WRITE",
  "GROUP_DATA_ACCESS_READ_ONLY",
  "GROUP_READ_ONLY",
];

/** The roles of `ldapGroupMappings[].roleName` in the documentation of the project's elements. */
export const ldapRoleNames: readonly string[] = projectRoleNames.filter(
  (name) => name !== "GROUP_USER_ADMIN",
);

export const orgRoleNames: readonly string[] = [
  "ORG_OWNER",
  "ORG_GROUP_CREATOR",
  "ORG_READ_ONLY",
  "ORG_MEMBER",
];

export const globalRoleNames: readonly string[] = [
  "GLOBAL_OWNER",
  "GLOBAL_READ_ONLY",
  "GLOBAL_USER_ADMIN",
  "GLOBAL_AUTOMATION_ADMIN",
  "GLOBAL_BACKUP_ADMIN",
  "GLOBAL_MONITORING_ADMIN",
];
