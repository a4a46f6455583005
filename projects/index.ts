/**
 * Declares a folder of YAML or JSON files in one component: everything that gives access.
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
  DeclaredProject,
  DeclaredTeam,
  ProviderKind,
} from "./declare";
export { AccessFolder, type AccessFolderArgs } from "./program";
export type { FileSelection, Shard } from "./select";
