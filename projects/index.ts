/**
 * Declares all projects of a folder: one YAML or JSON file per project, in one component.
 *
 * ```ts
 * import { ProjectFolder } from "pulumi-opsmanager/projects";
 *
 * const folder = new ProjectFolder("projects", { folder: "projects", provider: "plugin" });
 * export const projects = folder.projects;
 * ```
 *
 * @packageDocumentation
 */
export {
  type DeclaredProject as ProjectFacts,
  loadProjects,
  ProjectFolder,
  type ProjectFolderArgs,
  type ProviderKind,
} from "./program";
export type { ProjectFile } from "./project-file";
export type { ProjectSelection, Shard } from "./select";
