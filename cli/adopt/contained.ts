/**
 * Who is in a file without being in the organization, where its file lists everyone. The program would refuse the
 * whole folder, so such people are left out of the new files, or the list is not called complete.
 */
import type { AccessFiles } from "../../projects/access-files";
import { containmentFaults } from "../../projects/containment";
import type { DeclaredFile } from "../../projects/declared-file";
import type { OrganizationFile } from "../../projects/organization-file";
import type { ProjectFile } from "../../projects/project-file";
import type { TeamFile } from "../../projects/team-file";
import type { Draft } from "./draft";
import type { ExistingFile } from "./objects";
import type { Run } from "./read";

/** What project files name. */
export interface NamedDrafts {
  readonly teams: readonly Draft<TeamFile>[];
  readonly organizations: readonly Draft<OrganizationFile>[];
}

interface Drafts extends NamedDrafts {
  readonly projects: readonly Draft<ProjectFile>[];
}

/**
 * @param draftProjects from the teams and organizations that will have a file
 * @param isWhole the new file of the organization has everyone whom the options chose
 */
export function containedDrafts(
  { options: { complete }, existing }: Pick<Run, "options" | "existing">,
  given: NamedDrafts,
  draftProjects: (named: NamedDrafts) => readonly Draft<ProjectFile>[],
  isWhole: boolean,
): Drafts & { readonly incomplete: readonly string[] } {
  const outside = outsiders(existing, { ...given, projects: [] });
  const teams = given.teams.map((draft) => {
    const reasons = outside.get(draft.file.path);
    return reasons === undefined ? draft : draft.refused(reasons);
  });
  const named = { teams, organizations: given.organizations };
  const projects = draftProjects(named);
  const ofProjects = outsiders(existing, { ...given, projects });
  const drafts: Drafts = {
    ...named,
    projects: projects.map((draft) => withoutOutsiders(draft, ofProjects.get(draft.file.path))),
  };
  if (complete === undefined || given.organizations.length === 0) return { ...drafts, incomplete: [] };
  const isAll =
    isWhole && given.organizations.every(({ omitted, isEmpty }) => omitted.length + Number(isEmpty) === 0);
  const organizations = given.organizations.map((draft) => draft.completed(complete));
  const faults = isAll ? [...outsiders(existing, { ...drafts, organizations }).values()].flat() : [];
  if (isAll && faults.length === 0) return { ...drafts, organizations, incomplete: [] };
  return { ...drafts, incomplete: isAll ? faults : ["It lacks people or API keys that are named above."] };
}

function withoutOutsiders(
  draft: Draft<ProjectFile>,
  reasons: readonly string[] | undefined,
): Draft<ProjectFile> {
  if (reasons === undefined) return draft;
  return draft.leaveOut({ part: { properties: ["members", "membership"] }, reasons });
}

/** The faults of each file. */
function outsiders(existing: Run["existing"], drafts: Drafts): ReadonlyMap<string, readonly string[]> {
  const files: AccessFiles = {
    projects: [...existing.projects.files.map(inItsOrganization), ...declaredBy(drafts.projects)],
    teams: [...existing.teams.files.map(inItsOrganization), ...declaredBy(drafts.teams)],
    organizations: [
      ...existing.organizations.files.map(inItsOrganization),
      ...declaredBy(drafts.organizations),
    ],
  };
  const faults = containmentFaults(files, ({ file }) => ({ file }));
  return new Map(
    [...Map.groupBy(faults, ({ location }) => location.file)].map(([file, same]) => [
      file,
      same.map(({ reason }) => reason),
    ]),
  );
}

/** With the organization of the setting, if the file leaves it to that. */
function inItsOrganization<File extends DeclaredFile>({ file, orgId }: ExistingFile<File>): File {
  return { ...file, orgId };
}

function declaredBy<File extends DeclaredFile>(drafts: readonly Draft<File>[]): File[] {
  return drafts.flatMap(({ declared }) => declared ?? []);
}
