/**
 * Declares folders of YAML or JSON files, each in one component: everything that gives access, or
 * projects alone.
 *
 * ```ts
 * import { AccessFolder } from "pulumi-opsmanager/projects";
 *
 * const access = new AccessFolder("access", { folder: "access", provider: "plugin" });
 * export const projects = access.projects;
 * ```
 *
 * @packageDocumentation
 */
export type {
  DeclaredApiKey,
  DeclaredProject as ProjectFacts,
  DeclaredTeam,
  ProviderKind,
} from "./declare";
export {
  AccessFolder,
  type AccessFolderArgs,
  loadProjects,
  ProjectFolder,
  type ProjectFolderArgs,
} from "./program";
export type { ProjectFile } from "./project-file";
export type { ProjectSelection, Shard } from "./select";
