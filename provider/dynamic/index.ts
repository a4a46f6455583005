/**
 * The dynamic door: resources and lookups for programs in TypeScript and JavaScript, with nothing to install but this package.
 *
 * Arguments, types and defaults are those of the plugin's SDK (`pulumi-opsmanager`). Settings come from the stack's `opsmanager:`
 * config and the environment; all resources and lookups of a stack go to that one service.
 *
 * @packageDocumentation
 */
import type * as pulumi from "@pulumi/pulumi";
import type * as sdk from "../../sdk/nodejs";
import { outputsOf } from "./class-outputs";
import { DynamicResource } from "./dynamic-resource";
import { isPlain } from "./plain";

export type {
  GetProjectArgs,
  GetProjectInvitationArgs,
  GetProjectInvitationOutputArgs,
  GetProjectInvitationResult,
  GetProjectInvitationsArgs,
  GetProjectInvitationsOutputArgs,
  GetProjectInvitationsResult,
  GetProjectMembersArgs,
  GetProjectMembersOutputArgs,
  GetProjectMembersResult,
  GetProjectOutputArgs,
  GetProjectResult,
  GetProjectsArgs,
  GetProjectsOutputArgs,
  GetProjectsResult,
  ProjectArgs,
  ProjectMemberArgs,
  ProjectMembersArgs,
  types,
} from "../../sdk/nodejs";
export { ProjectRole } from "../../sdk/nodejs/types/enums";
export * from "./lookups";

/**
 * A project of Ops Manager or Cloud Manager (the API says group): its name, tags and LDAP group mappings.
 *
 * Give `orgId` and `name` to create a project, or `projectId` to adopt one. What is declared is owned; what is left out is
 * not managed; `[]` clears. Destroying deletes a created project and releases an adopted one, unless `onDestroy` says otherwise.
 */
export class Project extends DynamicResource {
  /** Id of the project, 24 hexadecimal digits; known in previews as soon as the project exists. */
  readonly projectId: sdk.Project["projectId"];
  /** Id of the organization in which the project lives now, 24 hexadecimal digits. */
  declare readonly orgId: sdk.Project["orgId"];
  /** Name of the project in the service. */
  declare readonly name: sdk.Project["name"];
  /** Tags of the project, sorted; absent where the API key may not see them. */
  declare readonly tags: sdk.Project["tags"];
  /** LDAP groups by project role; absent where the service is not LDAP-backed. */
  declare readonly ldapGroupMappings: sdk.Project["ldapGroupMappings"];
  /** Patterns of tags that others own. */
  declare readonly ignoreTags: sdk.Project["ignoreTags"];
  /** How the project came into this stack: `created`, `adopted` or `imported`. */
  declare readonly origin: sdk.Project["origin"];
  /** What destroying will do: `delete` or `release`. */
  declare readonly onDestroy: sdk.Project["onDestroy"];
  /** Id of the user who was to become owner of a new project. */
  declare readonly projectOwnerId: sdk.Project["projectOwnerId"];
  /** False when the API key may not see tags: then declared tags are taken as they are, without drift. */
  declare readonly tagsVisible: sdk.Project["tagsVisible"];
  /** Whether a new project was to get the default alerts. */
  declare readonly withDefaultAlertsSettings: sdk.Project["withDefaultAlertsSettings"];

  /**
   * Reads a project that is managed elsewhere; it is never changed or deleted.
   *
   * @param id id of the project, 24 hexadecimal digits
   * @throws in the run, when there is no such project
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return new Project(name, undefined, { ...opts, id });
  }

  /**
   * @param name name of the resource, unique in the stack
   * @param args `orgId` and `name` to create, or `projectId` to adopt; and what is to be managed
   * @param opts Pulumi's options; `import`, `provider` and `customTimeouts` are the plugin door's alone
   */
  constructor(name: string, args?: sdk.ProjectArgs, opts: pulumi.CustomResourceOptions = {}) {
    super({ kind: "Project", outputs: outputsOf.Project }, name, args, opts);
    this.projectId = this.id;
  }
}

/**
 * One person's place in one project: as a member, or invited and not yet accepted.
 *
 * Creating adopts who is in already, lets an existing account in, and invites everybody else. Destroying removes the person
 * from the project, unless `onDestroy` is `release`; an account is never deleted.
 */
export class ProjectMember extends DynamicResource {
  /** Id of the project, 24 hexadecimal digits. */
  declare readonly projectId: sdk.ProjectMember["projectId"];
  /** Name of the person as the service spells it; absent while `unverified` by a `userId`. */
  declare readonly username: sdk.ProjectMember["username"];
  /** Id of the account. While `pending`, present only if the account was known when it was invited. */
  declare readonly userId: sdk.ProjectMember["userId"];
  /** Id of the invitation while it is pending. */
  declare readonly invitationId: sdk.ProjectMember["invitationId"];
  /** Project roles, sorted; absent while `unverified` by a `userId`. */
  declare readonly roles: sdk.ProjectMember["roles"];
  /** `active`: in the project. `pending`: invited, not yet accepted. `unverified`: the service offers no way to tell. */
  declare readonly status: sdk.ProjectMember["status"];
  /** When the pending invitation was sent: ISO 8601, UTC. */
  declare readonly createdAt: sdk.ProjectMember["createdAt"];
  /** When the pending invitation expires: ISO 8601, UTC. */
  declare readonly expiresAt: sdk.ProjectMember["expiresAt"];
  /** User or API key that sent the pending invitation. */
  declare readonly inviterUsername: sdk.ProjectMember["inviterUsername"];
  /** Name of the project. */
  declare readonly groupName: sdk.ProjectMember["groupName"];
  /** Id of the organization in which the project lives, where the service tells. */
  declare readonly orgId: sdk.ProjectMember["orgId"];
  /** `created`, `adopted` or `imported`. */
  declare readonly origin: sdk.ProjectMember["origin"];
  /** What destroying will do: `remove` or `release`. */
  declare readonly onDestroy: sdk.ProjectMember["onDestroy"];

  /**
   * Reads a person's place that is managed elsewhere; it is never changed or removed.
   *
   * @param id `<projectId>/` and the person's name, user id or invitation id
   * @throws in the run, when the person is neither in the project nor invited
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectMember {
    return new ProjectMember(name, undefined as never, { ...opts, id });
  }

  /**
   * @param name name of the resource, unique in the stack
   * @param args the project, the person by `username`, `userId` or `invitationId`, and the roles
   * @param opts Pulumi's options; `import`, `provider` and `customTimeouts` are the plugin door's alone
   */
  constructor(name: string, args: sdk.ProjectMemberArgs, opts: pulumi.CustomResourceOptions = {}) {
    super({ kind: "ProjectMember", outputs: outputsOf.ProjectMember }, name, args, opts);
  }
}

/**
 * The people of one project: members and pending invitations, with their roles.
 *
 * A person who leaves `members` is removed. Others are removed only if `removeUnlisted` is `true`. One operation removes at most
 * `maxRemovals` people, and never the last owner. Destroying leaves everybody in, unless `onDestroy` is `remove`.
 */
export class ProjectMembers extends DynamicResource {
  /** Id of the project, 24 hexadecimal digits. */
  declare readonly projectId: sdk.ProjectMembers["projectId"];
  /** The declared people, and with `removeUnlisted` all others whom `ignoreUsers` does not match: roles by username. */
  declare readonly members: sdk.ProjectMembers["members"];
  /** Everybody, with all that is known, by name. */
  declare readonly memberDetails: sdk.ProjectMembers["memberDetails"];
  /** Patterns of people whom others manage. */
  declare readonly ignoreUsers: sdk.ProjectMembers["ignoreUsers"];
  /** Most people that one operation may remove. */
  declare readonly maxRemovals: sdk.ProjectMembers["maxRemovals"];
  /** Id of the organization in which the project lives, where the service tells. */
  declare readonly orgId: sdk.ProjectMembers["orgId"];
  /** `created` or `imported`. */
  declare readonly origin: sdk.ProjectMembers["origin"];
  /** What destroying will do: `release` or `remove`. */
  declare readonly onDestroy: sdk.ProjectMembers["onDestroy"];
  /** Whether people are removed whom the program never declared. */
  declare readonly removeUnlisted: sdk.ProjectMembers["removeUnlisted"];

  /**
   * Reads the people of a project who are managed elsewhere; nobody is ever changed or removed.
   *
   * @param id id of the project, 24 hexadecimal digits
   * @throws in the run, when there is no such project
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectMembers {
    return new ProjectMembers(name, undefined as never, { ...opts, id });
  }

  /**
   * @param name name of the resource, unique in the stack
   * @param args the project and everybody who is to be in it: roles by username
   * @param opts Pulumi's options; `import`, `provider` and `customTimeouts` are the plugin door's alone
   */
  constructor(name: string, args: sdk.ProjectMembersArgs, opts: pulumi.CustomResourceOptions = {}) {
    // It repeats the people of `members`; the host does not say which input is a secret, and a plain one is none.
    const secretOutputs = isPlain(args?.members) ? [] : ["memberDetails"];
    super({ kind: "ProjectMembers", outputs: outputsOf.ProjectMembers, secretOutputs }, name, args, opts);
  }
}
