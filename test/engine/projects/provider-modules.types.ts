/** Compiler errors of programs that use project files. It is checked with all other types and never run. */
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";
import * as dynamic from "pulumi-opsmanager/dynamic";
import {
  AccessFolder,
  loadProjects,
  type ProjectFile,
  ProjectFolder,
  type ProviderKind,
} from "pulumi-opsmanager/projects";

declare const provider: opsmanager.Provider;

/** The component accepts the names of both providers, and component options. */
export function folders() {
  const folder = new ProjectFolder("projects", { folder: "projects", provider: "plugin" }, { provider });
  new ProjectFolder("projects", { folder: "projects", provider: "dynamic" }, { protect: true });
  // @ts-expect-error a module is rejected
  new ProjectFolder("projects", { folder: "projects", provider: opsmanager });
  new ProjectFolder("projects", {
    folder: "projects",
    provider: "plugin",
    select: { shard: { index: 0, count: 2 } },
  });
  // @ts-expect-error two selections at once are rejected
  new ProjectFolder("projects", { folder: "a", provider: "plugin", select: { orgId: "b", folder: "c" } });
  const facts: pulumi.Output<Record<string, { projectId: string; name: string }>> = folder.projects;
  const kind: ProviderKind = "dynamic";
  return { facts, kind };
}

/** What a program takes of an access folder: the private key of an API key is an output of text. */
export function access(): pulumi.Output<string | undefined> {
  const folder = new AccessFolder("access", { folder: ".", provider: "dynamic" }, { provider });
  const teams: pulumi.Output<Record<string, { teamId: string; name: string }>> = folder.teams;
  new opsmanager.AccessFolder("access", { folder: "access", select: { folder: "teams" } });
  return pulumi.all([teams, folder.apiKeys]).apply(([, keys]) => keys["acme/ci"]?.privateKey);
}

/** Files as data, for programs that declare in their own way. */
export function files(): opsmanager.Project[] {
  return loadProjects("projects").map((file: ProjectFile) => {
    const { key, orgId, name, tags, ldapGroupMappings, members } = file;
    const project = new opsmanager.Project(key, { orgId, name, tags, ldapGroupMappings });
    if (members) new dynamic.ProjectMembers(key, { projectId: project.projectId, members });
    return project;
  });
}
