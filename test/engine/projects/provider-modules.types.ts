/** Compiler errors of programs that use project files. It is checked with all other types and never run. */
import type * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";
import * as dynamic from "pulumi-opsmanager/dynamic";
import { type Door, loadProjects, type ProjectFile, ProjectFolder } from "pulumi-opsmanager/projects";

declare const provider: opsmanager.Provider;

/** The component accepts the modules of both providers, and component options. */
export function folders() {
  const folder = new ProjectFolder("projects", { folder: "projects", door: opsmanager }, { provider });
  new ProjectFolder("projects", { folder: "projects", door: dynamic }, { protect: true });
  // @ts-expect-error another module is rejected
  new ProjectFolder("projects", { folder: "projects", door: { Project: opsmanager.Project } });
  const facts: pulumi.Output<Record<string, { projectId: string; name: string }>> = folder.projects;
  const door: Door = dynamic;
  return { facts, door };
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
