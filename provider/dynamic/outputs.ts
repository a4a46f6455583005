/**
 * The outputs of each kind. Pulumi makes only those that a resource names when it registers, so they
 * have to be known without loading the resources. The compiler requires every output of the SDK.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "../resources/kinds";
import type * as types from "./types";

export interface Output<Name extends string = string> {
  /** It is the id. The host's state lacks it, but a mocked state may have it. */
  readonly isId?: true;
  readonly isSecret?: true;
  /** The input that it repeats under another name: if the input is secret, so is the output. */
  readonly repeats?: Name;
}

type Outputs<Kind extends ResourceKind> = {
  readonly [Name in NameOf<Kind>]: Output<NameOf<Kind>>;
};
type NameOf<Kind extends ResourceKind> = Exclude<
  keyof InstanceType<(typeof types)[Kind]> & string,
  keyof pulumi.CustomResource
>;

export const outputs: { readonly [Kind in ResourceKind]: Outputs<Kind> } = {
  Project: {
    projectId: { isId: true },
    orgId: {},
    name: {},
    tags: {},
    ldapGroupMappings: {},
    idpGroupMappings: {},
    ignoreTags: {},
    withDefaultAlertsSettings: {},
    projectOwnerId: {},
    onDestroy: {},
    origin: {},
    tagsVisible: {},
  },
  ProjectMember: {
    projectId: {},
    username: {},
    userId: {},
    invitationId: {},
    roles: {},
    until: {},
    onDestroy: {},
    status: {},
    teamRoles: {},
    createdAt: {},
    expiresAt: {},
    inviterUsername: {},
    groupName: {},
    orgId: {},
    endedAt: {},
    overdueSince: {},
    overdueReason: {},
    origin: {},
  },
  ProjectMembers: {
    projectId: {},
    members: {},
    until: { repeats: "members" },
    ignoreUsers: {},
    maxRemovals: {},
    removeUnlisted: {},
    onDestroy: {},
    memberDetails: { repeats: "members" },
    ends: { repeats: "members" },
    orgId: {},
    origin: {},
  },
  ProjectTeam: {
    projectId: {},
    teamId: {},
    teamName: {},
    roles: {},
    until: {},
    onDestroy: {},
    orgId: {},
    endedAt: {},
    overdueSince: {},
    overdueReason: {},
    origin: {},
  },
  Team: {
    teamId: {},
    orgId: {},
    name: {},
    usernames: {},
    until: { repeats: "usernames" },
    maxRemovals: {},
    removeUnlisted: {},
    onDestroy: {},
    ends: { repeats: "usernames" },
    people: { repeats: "usernames" },
    origin: {},
  },
  AgentApiKey: {
    projectId: {},
    description: {},
    triggers: {},
    onDestroy: {},
    key: { isSecret: true },
    keyId: {},
    keySuffix: {},
    createdAt: {},
    orgId: {},
    origin: {},
  },
  ApiKey: {
    orgId: {},
    description: {},
    roles: {},
    accessList: {},
    triggers: {},
    until: {},
    onDestroy: {},
    keyId: {},
    publicKey: {},
    privateKey: { isSecret: true },
    privateKeyEnd: {},
    endedAt: {},
    overdueSince: {},
    overdueReason: {},
    origin: {},
  },
  ProjectApiKey: {
    projectId: {},
    keyId: {},
    publicKey: {},
    roles: {},
    until: {},
    onDestroy: {},
    orgId: {},
    endedAt: {},
    overdueSince: {},
    overdueReason: {},
    origin: {},
  },
  OrganizationMember: {
    orgId: {},
    username: {},
    roles: {},
    until: {},
    onDestroy: {},
    status: {},
    userId: {},
    invitationId: {},
    createdAt: {},
    expiresAt: {},
    inviterUsername: {},
    endedAt: {},
    overdueSince: {},
    overdueReason: {},
    origin: {},
  },
};
