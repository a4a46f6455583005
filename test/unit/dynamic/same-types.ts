/**
 * Checked by the compiler, never run: classes and lookups of the dynamic provider have the types of the plugin's SDK, so that a program
 * changes nothing but its import. What is loaded is what the compiler was told of.
 */
import type * as pulumi from "@pulumi/pulumi";
import type * as loaded from "../../../provider/dynamic";
import * as dynamic from "../../../provider/dynamic/types";
import type * as sdk from "../../../sdk/nodejs";

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

declare function same<One, Other>(response: Same<One, Other>): void;

type ArgumentsOf<Class extends abstract new (...args: never) => unknown> = ConstructorParameters<Class>;
type OutputsOf<Resource> = Omit<Resource, keyof pulumi.CustomResource>;

/** What a program sees of each class and function. */
type Visible<Package> = {
  -readonly [Name in keyof Package]: Package[Name] extends {
    new (...args: infer Arguments): infer Resource;
    get(...args: infer GetArguments): unknown;
  }
    ? { args: Arguments; outputs: OutputsOf<Resource>; get: GetArguments }
    : Package[Name];
};

/** A program of the dynamic provider imports its components from `pulumi-opsmanager/projects`. */
type SdkAlone = "Provider" | "config" | "types" | "AccessFolder";

export function classesAndLookups(): void {
  same<Visible<typeof dynamic>, Visible<Omit<typeof sdk, SdkAlone>>>(true);
  same<Visible<typeof loaded>, Visible<typeof dynamic>>(true);
  same<dynamic.ProjectRole, sdk.ProjectRole>(true);
  same<Visible<typeof dynamic>["Project"]["args"], ArgumentsOf<typeof sdk.Project>>(true);
  // @ts-expect-error what is not the same is found
  same<ArgumentsOf<typeof dynamic.Project>, ArgumentsOf<typeof sdk.ProjectMember>>(true);
  // @ts-expect-error a class that is missing is found
  same<Visible<Omit<typeof dynamic, "Project">>, Visible<Omit<typeof sdk, SdkAlone>>>(true);
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
