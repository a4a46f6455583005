/** Selects the organization and the projects of a run. */
import { ROLE_TO_SEE_TAGS } from "../../provider/api/hints";
import { matchesAny } from "../../provider/resources/contract/pattern";
import { RefusedError } from "../../provider/text/errors";
import type { ProjectOutput } from "../lib/organization";
import { counted } from "../lib/terminal";
import type { AdoptOptions } from "./options";

/**
 * The organization's projects, out of all that the key can see.
 *
 * @throws RefusedError if no organization was named and there is not exactly one
 */
export function ofOneOrganization(
  projects: readonly ProjectOutput[],
  orgId: string | undefined,
): readonly ProjectOutput[] {
  if (orgId !== undefined) return projects;
  const organizations = [...new Set(projects.map((project) => project.orgId))];
  if (organizations.length === 0) {
    throw new RefusedError(
      "The organization could not be determined, because these credentials can see no project. Name it with --org, or use a key that can see its projects.",
    );
  }
  if (organizations.length === 1) return projects;
  const lines = organizations.map((id) => {
    const own = projects.filter((project) => project.orgId === id);
    return `  --org ${id}   ${examples(own)}`;
  });
  throw new RefusedError([
    `These credentials can see projects of ${organizations.length} organizations. Name one of them:`,
    ...lines,
  ]);
}

function examples(projects: readonly ProjectOutput[]): string {
  const names = projects.slice(0, 3).map(({ name }) => name);
  return `${counted(projects.length, "project")}: ${names.join(", ")}${projects.length > 3 ? ", ..." : ""}`;
}

/**
 * The projects with a name and a tag that match any of the patterns for each; no patterns match
 * all.
 *
 * @param complete adds properties that the list of the projects may lack
 * @throws RefusedError if tags are required and the key may not see them
 */
export async function chosen(
  projects: readonly ProjectOutput[],
  { name: names = [], tag: tags = [] }: AdoptOptions,
  complete: (projects: readonly ProjectOutput[]) => Promise<ProjectOutput[]>,
): Promise<ProjectOutput[]> {
  const fitting = projects.filter(({ name }) => names.length === 0 || matchesAny(names, name));
  if (tags.length === 0) return fitting;
  const named = await complete(fitting);
  const hidden = named.filter((project) => project.tags === undefined);
  if (hidden.length > 0) {
    throw new RefusedError(
      `Projects cannot be selected by --tag: these credentials cannot see the tags of ${hidden.length} of ${named.length} projects. Use credentials with ${ROLE_TO_SEE_TAGS}, or select by --name.`,
    );
  }
  return named.filter((project) => project.tags?.some((tag) => matchesAny(tags, tag)));
}
