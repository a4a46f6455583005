/**
 * Declares all projects of a folder: one YAML or JSON file per project, in one component.
 *
 * ```ts
 * import * as opsmanager from "pulumi-opsmanager";
 * import { ProjectFolder } from "pulumi-opsmanager/projects";
 *
 * const folder = new ProjectFolder("projects", { folder: "projects", door: opsmanager });
 * export const projects = folder.projects;
 * ```
 *
 * @packageDocumentation
 */
export {
  type Door,
  loadProjects,
  type ProjectFacts,
  ProjectFolder,
  type ProjectFolderArgs,
} from "./program";
export type { ProjectFile } from "./project-file";
