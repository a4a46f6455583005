/**
 * Who is in a project or a team without being in the organization, where a file lists its people
 * completely. It is checked on all files, whatever a stack selects, and needs no service. Pure.
 */

import { foldName } from "../provider/access/person";
import type { AccessFiles } from "./access-files";
import { type DeclaredFile, type Locate, sameOrganization } from "./declared-file";
import type { Fault } from "./faults";
import type { OrganizationFile } from "./organization-file";

interface People {
  readonly file: DeclaredFile;
  /** By the path of each name in the file. */
  readonly names: readonly { readonly name: string; readonly path: readonly PropertyKey[] }[];
}

export function containmentFaults({ projects, teams, organizations }: AccessFiles, locate: Locate): Fault[] {
  const places: People[] = [
    ...projects.map((file) => ({
      file,
      names: Object.keys(file.members ?? {}).map((name) => ({ name, path: ["members", name] })),
    })),
    ...teams.map((file) => ({
      file,
      names: file.usernames.map((name, index) => ({ name, path: ["usernames", index] })),
    })),
  ].filter(({ names }) => names.length > 0);
  return organizations
    .filter(({ complete }) => complete === "members")
    .flatMap((organization) => [
      ...unknownOrganizationFaults(organization, places, locate),
      ...outsiderFaults(
        organization,
        places.filter(({ file }) => sameOrganization(file, organization)),
        locate,
      ),
    ]);
}

function outsiderFaults(organization: OrganizationFile, places: readonly People[], locate: Locate): Fault[] {
  const insiders = new Set(Object.keys(organization.members ?? {}).map(foldName));
  return places.flatMap(({ file, names }) =>
    names
      .filter(({ name }) => !insiders.has(foldName(name)))
      .map(({ name, path }) => ({
        location: locate(file, path),
        reason: `${name} is not in members of ${organization.file}, which lists the people of the organization completely. Add the person there, or remove them here.`,
      })),
  );
}

/**
 * One file names its organization and another leaves it to the setting, which no check without a stack
 * knows: then nobody could say whether the person must be in the list.
 */
function unknownOrganizationFaults(
  organization: DeclaredFile,
  places: readonly People[],
  locate: Locate,
): Fault[] {
  const isNamed = organization.orgId !== undefined;
  const others = places.filter(({ file }) => (file.orgId !== undefined) !== isNamed);
  if (others.length === 0) return [];
  const unnamed = isNamed ? others.map(({ file }) => file) : [organization];
  return unnamed.map((file) => ({
    location: locate(file, ["orgId"]),
    reason:
      "orgId is missing. complete: members compares the files of one organization, so all of them must name it, or none.",
  }));
}
