/** The kinds of files of an access folder. */
import type { DeclaredFile } from "./declared-file";
import { type OrganizationFile, organizationKind } from "./organization-file";
import { type ProjectFile, projectKind } from "./project-file";
import { type TeamFile, teamKind } from "./team-file";

/** The checked files of a folder, in the order of their paths. */
export interface AccessFiles {
  readonly projects: readonly ProjectFile[];
  readonly teams: readonly TeamFile[];
  readonly organizations: readonly OrganizationFile[];
}

/** The kinds of files, by the subfolder of an access folder that holds them. */
export const fileKinds = { projects: projectKind, teams: teamKind, organizations: organizationKind };

export const FOLDERS = ["projects", "teams", "organizations"] as const satisfies (keyof AccessFiles)[];

export function allOf({ projects, teams, organizations }: AccessFiles): readonly DeclaredFile[] {
  return [...projects, ...teams, ...organizations];
}

/** The name of a kind of files: of its subfolder. */
export type FileKindName = keyof AccessFiles;
