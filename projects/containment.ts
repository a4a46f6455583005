/**
 * Who is in a project or a team without being in the organization, where a file lists its people
 * completely, and who stays there longer than in the organization. It is checked on all files, whatever a stack selects, and needs no service. Pure.
 */

import { foldName } from "../provider/access/person";
import { shortList } from "../provider/text/list";
import type { AccessFiles } from "./access-files";
import { type DeclaredFile, type Locate, sameOrganization } from "./declared-file";
import { type Fault, locationText } from "./faults";
import { misspelledAmong, type People, peopleOf } from "./near-names";
import type { OrganizationFile } from "./organization-file";

export function containmentFaults({ projects, teams, organizations }: AccessFiles, locate: Locate): Fault[] {
  const places = peopleOf({ projects, teams, organizations: [] });
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
      const stay = own === undefined ? "" : ` until ${own}`;
      const reason = `${name} leaves the organization after ${until} (${organizationFile}), but stays in this list${stay}. Write until: ${until} here, or change the day there.`;
      return [{ location: locate(file, path), reason }];
    }),
  );
}

/** One fault for each person, who is missing in one place. */
function outsiderFaults(organization: OrganizationFile, places: readonly People[], locate: Locate): Fault[] {
  const members = Object.keys(organization.members ?? {}).map((name) => ({ name }));
  const insiders = new Set(members.map(({ name }) => foldName(name)));
  const meantBy = misspelledAmong(members);
  const outsiders = places.flatMap(({ file, names }) =>
    names
      .filter(({ name }) => !insiders.has(foldName(name)))
      .map(({ name, path }) => ({ name, location: locate(file, path) })),
  );
  return [...Map.groupBy(outsiders, ({ name }) => foldName(name)).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const lines = [first, ...others].map(({ location }) => locationText(location));
    const [, ...elsewhere] = new Set(lines);
    const [meant] = meantBy(first.name);
    const hint = meant ? ` Did you mean ${meant.name}?` : "";
    const also =
      elsewhere.length === 0 ? "" : ` The name is also in ${shortList(elsewhere, MOST_LOCATIONS)}.`;
    const reason = `${first.name} is not in members of ${organization.file}, which lists the people of the organization completely. Add the person there, or remove them here.${hint}${also}`;
    return [{ location: first.location, reason }];
  });
}

const MOST_LOCATIONS = 5;

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
