/**
 * The dynamic door: the resources for programs in TypeScript and JavaScript, with nothing to install but this package.
 *
 * The engine keeps the text of a provider object in state, so these objects hold functions that only call into the
 * installed package: small, the same for every resource of a kind and for every release, free of captured values.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ProjectArgs, ProjectMemberArgs, ProjectMembersArgs, types } from "../../sdk/nodejs";
import { isPlain } from "./plain";
import { DECLARED, IGNORE_CHANGES } from "./properties";

export * from "./lookups";

export type { ProjectArgs, ProjectMemberArgs, ProjectMembersArgs };

const projectProvider: pulumi.dynamic.ResourceProvider = {
  configure: async (request) => require("pulumi-opsmanager/dynamic/adapter").configure(request),
  check: async (olds, news) => require("pulumi-opsmanager/dynamic/adapter").check("Project", olds, news),
  diff: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").diff("Project", id, olds, news),
  create: async (inputs) => require("pulumi-opsmanager/dynamic/adapter").create("Project", inputs),
  read: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").read("Project", id, props),
  update: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").update("Project", id, olds, news),
  delete: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").delete("Project", id, props),
};

const projectMemberProvider: pulumi.dynamic.ResourceProvider = {
  configure: async (request) => require("pulumi-opsmanager/dynamic/adapter").configure(request),
  check: async (olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").check("ProjectMember", olds, news),
  diff: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").diff("ProjectMember", id, olds, news),
  create: async (inputs) => require("pulumi-opsmanager/dynamic/adapter").create("ProjectMember", inputs),
  read: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").read("ProjectMember", id, props),
  update: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").update("ProjectMember", id, olds, news),
  delete: async (id, props) =>
    require("pulumi-opsmanager/dynamic/adapter").delete("ProjectMember", id, props),
};

const projectMembersProvider: pulumi.dynamic.ResourceProvider = {
  configure: async (request) => require("pulumi-opsmanager/dynamic/adapter").configure(request),
  check: async (olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").check("ProjectMembers", olds, news),
  diff: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").diff("ProjectMembers", id, olds, news),
  create: async (inputs) => require("pulumi-opsmanager/dynamic/adapter").create("ProjectMembers", inputs),
  read: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").read("ProjectMembers", id, props),
  update: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").update("ProjectMembers", id, olds, news),
  delete: async (id, props) =>
    require("pulumi-opsmanager/dynamic/adapter").delete("ProjectMembers", id, props),
};

/** Outputs that the engine adds; named here so that the SDK makes properties of them. */
const PROJECT_OUTPUTS = [
  "orgId",
  "name",
  "tags",
  "ldapGroupMappings",
  "ignoreTags",
  "origin",
  "onDestroy",
  "tagsVisible",
];

export class Project extends pulumi.dynamic.Resource {
  /** Id of the project, 24 hexadecimal digits; known in previews as soon as the project exists. */
  readonly projectId: pulumi.Output<string>;
  /** Id of the organization in which the project lives now. */
  declare readonly orgId: pulumi.Output<string>;
  /** Name of the project in the service. */
  declare readonly name: pulumi.Output<string>;
  /** Tags of the project, sorted; absent where the API key may not see them. */
  declare readonly tags: pulumi.Output<string[] | undefined>;
  /** LDAP groups by project role; absent where the service is not LDAP-backed. */
  declare readonly ldapGroupMappings: pulumi.Output<types.output.LdapGroupMapping[] | undefined>;
  /** How the project came into this stack: `created`, `adopted` or `imported`. */
  declare readonly origin: pulumi.Output<string>;
  /** What destroying will do: `delete` or `release`. */
  declare readonly onDestroy: pulumi.Output<string>;
  /** False when the API key may not see tags. */
  declare readonly tagsVisible: pulumi.Output<boolean>;

  constructor(name: string, args: ProjectArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { props, options } = prepared(PROJECT_OUTPUTS, args, opts);
    super(projectProvider, name, props, options, "opsmanager", "Project");
    this.projectId = this.id;
  }
}

const PROJECT_MEMBER_OUTPUTS = [
  "projectId",
  "username",
  "userId",
  "invitationId",
  "roles",
  "status",
  "createdAt",
  "expiresAt",
  "inviterUsername",
  "groupName",
  "orgId",
  "origin",
  "onDestroy",
];

/** One person's place in one project: as a member, or invited and not yet accepted. */
export class ProjectMember extends pulumi.dynamic.Resource {
  /** Id of the project, 24 hexadecimal digits. */
  declare readonly projectId: pulumi.Output<string>;
  /** Name of the person as the service spells it; absent while `unverified` by a `userId`. */
  declare readonly username: pulumi.Output<string | undefined>;
  /** Id of the account; absent while `pending`. */
  declare readonly userId: pulumi.Output<string | undefined>;
  /** Id of the invitation while it is pending. */
  declare readonly invitationId: pulumi.Output<string | undefined>;
  /** Project roles, sorted; absent while `unverified` by a `userId`. */
  declare readonly roles: pulumi.Output<string[] | undefined>;
  /** `active`, `pending` or `unverified`. */
  declare readonly status: pulumi.Output<string>;
  /** When the pending invitation was sent: ISO 8601, UTC. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** When the pending invitation expires: ISO 8601, UTC. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** User or API key that sent the pending invitation. */
  declare readonly inviterUsername: pulumi.Output<string | undefined>;
  /** Name of the project. */
  declare readonly groupName: pulumi.Output<string | undefined>;
  /** Id of the organization in which the project lives, where the service tells. */
  declare readonly orgId: pulumi.Output<string | undefined>;
  /** `created`, `adopted` or `imported`. */
  declare readonly origin: pulumi.Output<string>;
  /** What destroying will do: `remove` or `release`. */
  declare readonly onDestroy: pulumi.Output<string>;

  constructor(name: string, args: ProjectMemberArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { props, options } = prepared(PROJECT_MEMBER_OUTPUTS, args, opts);
    super(projectMemberProvider, name, props, options, "opsmanager", "ProjectMember");
  }
}

const PROJECT_MEMBERS_OUTPUTS = [
  "projectId",
  "members",
  "memberDetails",
  "ignoreUsers",
  "maxRemovals",
  "orgId",
  "origin",
  "onDestroy",
];

/** Everybody in one project, and nobody else: members and pending invitations, with their roles. */
export class ProjectMembers extends pulumi.dynamic.Resource {
  /** Id of the project, 24 hexadecimal digits. */
  declare readonly projectId: pulumi.Output<string>;
  /** Everybody whom `ignoreUsers` does not leave to others: roles by username. */
  declare readonly members: pulumi.Output<Record<string, string[]>>;
  /** Everybody, with all that is known, by name. */
  declare readonly memberDetails: pulumi.Output<types.output.ProjectMemberDetail[]>;
  /** Id of the organization in which the project lives, where the service tells. */
  declare readonly orgId: pulumi.Output<string | undefined>;
  /** `created` or `imported`. */
  declare readonly origin: pulumi.Output<string>;
  /** What destroying will do: `release` or `remove`. */
  declare readonly onDestroy: pulumi.Output<string>;

  constructor(name: string, args: ProjectMembersArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { props, options } = prepared(PROJECT_MEMBERS_OUTPUTS, args, opts);
    // It repeats the people of `members`; the host does not say which input is a secret, and a plain one is none.
    const secret = isPlain(args.members) ? [] : ["memberDetails"];
    const all = pulumi.mergeOptions(options, { additionalSecretOutputs: secret });
    super(projectMembersProvider, name, props, all, "opsmanager", "ProjectMembers");
  }
}

function prepared(outputs: readonly string[], args: object, opts: pulumi.CustomResourceOptions) {
  const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
  const props = { ...unset, ...args, [IGNORE_CHANGES]: opts.ignoreChanges ?? [], [DECLARED]: undefined };
  // The checked inputs come back as one output, and any of them may be a secret.
  return { props, options: pulumi.mergeOptions(opts, { additionalSecretOutputs: [DECLARED] }) };
}
