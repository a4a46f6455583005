/**
 * Checked by the compiler, never run: classes and lookups of the dynamic provider have the types of the plugin's SDK, so that a program
 * changes nothing but its import.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../provider/dynamic";
import type * as sdk from "../../../sdk/nodejs";

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

declare function same<One, Other>(answer: Same<One, Other>): void;

type ArgumentsOf<Class extends abstract new (...args: never) => unknown> = ConstructorParameters<Class>;
type OutputsOf<Resource> = Omit<Resource, keyof pulumi.CustomResource>;

export function classes(): void {
  same<ArgumentsOf<typeof dynamic.Project>, ArgumentsOf<typeof sdk.Project>>(true);
  same<ArgumentsOf<typeof dynamic.ProjectMember>, ArgumentsOf<typeof sdk.ProjectMember>>(true);
  same<ArgumentsOf<typeof dynamic.ProjectMembers>, ArgumentsOf<typeof sdk.ProjectMembers>>(true);
  same<OutputsOf<dynamic.Project>, OutputsOf<sdk.Project>>(true);
  same<OutputsOf<dynamic.ProjectMember>, OutputsOf<sdk.ProjectMember>>(true);
  same<OutputsOf<dynamic.ProjectMembers>, OutputsOf<sdk.ProjectMembers>>(true);
  same<Parameters<typeof dynamic.Project.get>, Parameters<typeof sdk.Project.get>>(true);
  same<Parameters<typeof dynamic.ProjectMember.get>, Parameters<typeof sdk.ProjectMember.get>>(true);
  same<Parameters<typeof dynamic.ProjectMembers.get>, Parameters<typeof sdk.ProjectMembers.get>>(true);
  same<typeof dynamic.ProjectRole, typeof sdk.ProjectRole>(true);
  same<dynamic.ProjectRole, sdk.ProjectRole>(true);
  // @ts-expect-error what is not the same is found
  same<ArgumentsOf<typeof dynamic.Project>, ArgumentsOf<typeof sdk.ProjectMember>>(true);
}

export function lookups(): void {
  same<typeof dynamic.getProject, typeof sdk.getProject>(true);
  same<typeof dynamic.getProjectOutput, typeof sdk.getProjectOutput>(true);
  same<typeof dynamic.getProjects, typeof sdk.getProjects>(true);
  same<typeof dynamic.getProjectsOutput, typeof sdk.getProjectsOutput>(true);
  same<typeof dynamic.getProjectMembers, typeof sdk.getProjectMembers>(true);
  same<typeof dynamic.getProjectMembersOutput, typeof sdk.getProjectMembersOutput>(true);
  same<typeof dynamic.getProjectInvitation, typeof sdk.getProjectInvitation>(true);
  same<typeof dynamic.getProjectInvitationOutput, typeof sdk.getProjectInvitationOutput>(true);
  same<typeof dynamic.getProjectInvitations, typeof sdk.getProjectInvitations>(true);
  same<typeof dynamic.getProjectInvitationsOutput, typeof sdk.getProjectInvitationsOutput>(true);
}

export function mistakes(project: dynamic.Project): void {
  new dynamic.Project("payments", { tags: ["PROD"] });
  new dynamic.ProjectMember("ada", {
    projectId: project.id,
    roles: [dynamic.ProjectRole.Owner, "GROUP_NEW"],
  });
  // @ts-expect-error tags are a list
  new dynamic.Project("payments", { tags: "PROD" });
  // @ts-expect-error there is no such argument
  new dynamic.Project("payments", { label: "PROD" });
  // @ts-expect-error a member is one of a project
  new dynamic.ProjectMember("ada", { username: "ada@example.com", roles: ["GROUP_OWNER"] });
  const projectId = project.id;
  // @ts-expect-error roles are lists
  new dynamic.ProjectMembers("people", { projectId, members: { "ada@example.com": "GROUP_OWNER" } });
  // @ts-expect-error the plain form takes plain values
  void dynamic.getProject({ projectId: project.id });
  // @ts-expect-error an invitation is named by its id
  void dynamic.getProjectInvitation({ projectId: "5f0000000000000000000001" });
}
