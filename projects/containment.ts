/**
 * Who is in a project or a team without being in the organization, where a file lists its people
 * completely, and who stays there longer than in the organization. It is checked on all files, whatever a stack selects, and needs no service. Pure.
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
  return organizations.flatMap((organization) => {
    const own = places.filter(({ file }) => sameOrganization(file, organization));
    return [
      ...laterEndFaults(organization, own, locate),
      ...(organization.complete === "members"
        ? [
            ...unknownOrganizationFaults(organization, places, locate),
            ...outsiderFaults(organization, own, locate),
          ]
        : []),
    ];
  });
}

/**
 * Whoever leaves the organization leaves its projects and teams. On that day, the deletion would be
 * refused for as long as another file declares the person.
 */
function laterEndFaults(
  { file: organizationFile, ends = [] }: OrganizationFile,
  places: readonly People[],
  locate: Locate,
): Fault[] {
  const last = new Map(
    ends.flatMap(({ property, name, until }) => (property === "members" ? [[foldName(name), until]] : [])),
  );
  return places.flatMap(({ file, names }) =>
    names.flatMap(({ name, path }) => {
      const until = last.get(foldName(name));
      const own = file.ends?.find((end) => end.path.join() === path.join())?.until;
      if (until === undefined || (own !== undefined && own <= until)) return [];
      const reason = `${name} leaves the organization after ${until}, as ${organizationFile} says, but not this ${own === undefined ? "list" : `list before ${own}`}. Write until: ${until} here, or change the day there.`;
      return [{ location: locate(file, path), reason }];
    }),
  );
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
