/**
 * Compiler errors of TypeScript programs that use the SDK. It is checked with all other types and never run; a line that
 * is marked as an error and is none fails the check.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

declare const text: pulumi.Output<string>;
declare const flag: pulumi.Output<boolean>;

/** Fails to compile where the type is not exactly this one. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function isTrue<_ extends true>(): void;

type Output<T> = pulumi.Output<T>;
type Role = string | opsmanager.ProjectRole;

/** Plain values, outputs, promises, and roles that the SDK does not know. The examples have every resource and lookup. */
export function resources() {
  const provider = new opsmanager.Provider("emea", {
    baseUrl: text,
    clientCert: Promise.resolve("client.pem"),
    refreshBeforeUpdate: flag,
    requestsPerSecond: 0.5,
  });
  const project = new opsmanager.Project(
    "payments",
    {
      ldapGroupMappings: [
        { roleName: opsmanager.ProjectRole.ReadOnly, ldapGroups: [text] },
        { roleName: "GROUP_A_ROLE_OF_TOMORROW", ldapGroups: ["cn=all"] },
      ],
      onDestroy: "release",
      orgId: text,
      tags: ["PROD", text],
    },
    { provider, protect: true },
  );
  const member = new opsmanager.ProjectMember("ada", {
    projectId: project.projectId,
    roles: [opsmanager.ProjectRole.Owner, "GROUP_A_ROLE_OF_TOMORROW", text],
    onDestroy: "release",
  });
  const members = new opsmanager.ProjectMembers("allMembers", {
    members: { "ada@example.com": [opsmanager.ProjectRole.Owner], "bob@example.com": ["GROUP_READ_ONLY"] },
    projectId: project.projectId,
  });

  isTrue<Same<typeof project.projectId, Output<string>>>();
  isTrue<Same<typeof project.tags, Output<string[] | undefined>>>();
  isTrue<Same<typeof project.tagsVisible, Output<boolean>>>();
  isTrue<Same<typeof project.onDestroy, Output<opsmanager.OnDestroy>>>();
  isTrue<
    Same<typeof project.ldapGroupMappings, Output<opsmanager.types.output.LdapGroupMapping[] | undefined>>
  >();
  isTrue<Same<opsmanager.types.output.LdapGroupMapping["roleName"], Role>>();
  // An SDK takes a word or a role that a later version knows.
  isTrue<Same<typeof project.origin, Output<string>>>();
  isTrue<Same<typeof member.status, Output<string>>>();
  isTrue<Same<opsmanager.types.output.ProjectPerson["roles"], Role[]>>();
  isTrue<Same<typeof member.userId, Output<string | undefined>>>();
  isTrue<Same<typeof member.roles, Output<Role[] | undefined>>>();
  isTrue<Same<typeof members.members, Output<{ [username: string]: Role[] }>>>();
  isTrue<Same<typeof members.memberDetails, Output<opsmanager.types.output.ProjectMemberDetail[]>>>();
}

/** Lookups, at once and with outputs. */
export async function lookups() {
  const project = await opsmanager.getProject({ orgId: "5f0000000000000000000001", name: "payments" });
  isTrue<Same<typeof project.name, string>>();
  isTrue<Same<typeof project.shardCount, number | undefined>>();
  isTrue<Same<typeof project.hostCounts, { [type: string]: number } | undefined>>();
  const { projects } = await opsmanager.getProjects({ tags: ["PROD"] });
  isTrue<Same<typeof projects, opsmanager.types.output.ProjectSummary[]>>();
  const { members } = opsmanager.getProjectMembersOutput({ projectId: text, includeIndirect: flag });
  isTrue<Same<typeof members, Output<opsmanager.types.output.ProjectPerson[]>>>();
}

/** What is wrong; each line beside one that is right. */
export function refused(project: opsmanager.Project, member: opsmanager.ProjectMember) {
  const projectId = text;
  // @ts-expect-error no such property
  new opsmanager.Project("a", { nmae: "payments" });
  // @ts-expect-error a number
  new opsmanager.Project("a", { name: 7 });
  // @ts-expect-error one tag is not a list
  new opsmanager.Project("a", { tags: "PROD" });
  // @ts-expect-error a misspelled value of onDestroy
  new opsmanager.Project("a", { onDestroy: "relase" });
  // @ts-expect-error a mapping needs its groups
  new opsmanager.Project("a", { ldapGroupMappings: [{ roleName: "GROUP_OWNER" }] });
  // @ts-expect-error a role is no number
  new opsmanager.Project("a", { ldapGroupMappings: [{ roleName: 7, ldapGroups: [] }] });
  // @ts-expect-error outputs only
  new opsmanager.Project("a", { origin: "created" });

  // @ts-expect-error a person is in a project
  new opsmanager.ProjectMember("a", { username: "ada@example.com" });
  // @ts-expect-error a role is no number
  new opsmanager.ProjectMember("a", { projectId, roles: [7] });
  // @ts-expect-error one role is not a list
  new opsmanager.ProjectMember("a", { projectId, roles: opsmanager.ProjectRole.Owner });
  // @ts-expect-error no such role by name; as text it would do
  opsmanager.ProjectRole.Master;

  // @ts-expect-error everyone is named
  new opsmanager.ProjectMembers("a", { projectId });
  // @ts-expect-error roles by username
  new opsmanager.ProjectMembers("a", { projectId, members: ["ada@example.com"] });
  // @ts-expect-error a number is no text
  new opsmanager.ProjectMembers("a", { projectId, members: {}, maxRemovals: "3" });

  // @ts-expect-error a number is no text
  new opsmanager.Provider("a", { maxRetries: "four" });
  // @ts-expect-error no such setting
  new opsmanager.Provider("a", { url: "https://ops-manager.example.com" });
  // @ts-expect-error a provider is an object, not its name
  new opsmanager.Project("a", {}, { provider: "emea" });

  // @ts-expect-error the argument is projectId
  opsmanager.getProject({ id: "5f0000000000000000000001" });
  // @ts-expect-error an output needs the form with Output
  opsmanager.getProject({ projectId });
  // @ts-expect-error a project is needed
  opsmanager.getProjectMembers({});

  // @ts-expect-error never shown
  project.agentApiKey;
  // @ts-expect-error nothing can be assigned
  member.roles = text;
}
