/** What files and last days leave behind, where a run will refuse or something breaks: none of it is a fault. Pure. */

import { OWNER_ROLES } from "../provider/access/person";
import { groupsWith } from "../provider/resources/managed/group-mappings";
import { shortList } from "../provider/text/list";
import type { AccessFiles } from "./access-files";
import { sameOrganization } from "./declared-file";
import { lastDayWith, ownersIn } from "./owners";
import type { ProjectFile } from "./project-file";

/** A sentence for each place and key. What exists outside of the files is unknown here. */
export function leftBehind(files: AccessFiles): string[] {
  return [...withoutPeople(files), ...ownerless(files), ...withoutOwners(files), ...endingKeys(files)];
}

function withoutPeople({ teams }: AccessFiles): string[] {
  return teams.flatMap(({ name, usernames, ends = [] }) => {
    const days = usernames.map((username) => ends.find((end) => end.name === username)?.until);
    if (!days.every((day) => day !== undefined)) return [];
    return `team ${name} has nobody in its file after ${days.sort().at(-1)}. Unless somebody else is in it, the last person stays, with an error: name who stays.`;
  });
}

/** The projects and organizations of files, with the people who own them by their files. */
export function placesWithOwners({
  projects,
  organizations,
}: Pick<AccessFiles, "projects" | "organizations">) {
  return [
    ...projects.map((file) => ({ file, place: `project ${file.name}`, role: OWNER_ROLES.project })),
    ...organizations.map((file) => ({
      file,
      place: `organization ${file.key}`,
      role: OWNER_ROLES.organization,
    })),
  ].map(({ file, place, role }) => ({
    key: file.key,
    place,
    ends: file.ends,
    owners: ownersIn(file.members, role),
    ownerGroups: groupsWith(role, [...(file.ldapGroupMappings ?? []), ...(file.idpGroupMappings ?? [])]),
  }));
}

/** Files that list all people, or all owners, and none of them and of the groups owns the place. `minOwners: 0` says that this is meant. */
function ownerless({ projects, organizations }: AccessFiles): string[] {
  const lists = {
    projects: projects.filter(
      ({ members, membership, minOwners, teams, externalTeams }) =>
        members !== undefined &&
        membership === "exclusive" &&
        minOwners === undefined &&
        ownersIn({ ...teams, ...externalTeams }, OWNER_ROLES.project).length === 0,
    ),
    organizations: organizations.filter(
      ({ complete, minOwners }) => complete !== undefined && minOwners === undefined,
    ),
  };
  return placesWithOwners(lists).flatMap(({ place, owners, ownerGroups }) =>
    owners.length + ownerGroups.length > 0
      ? []
      : `${place} has no owner in its file. Unless somebody else owns it directly, an up that takes the last owner away is refused: name one.`,
  );
}

function withoutOwners(files: AccessFiles): string[] {
  return placesWithOwners(files).flatMap(({ place, owners, ownerGroups, ends }) => {
    const day = owners.length === 0 ? undefined : lastDayWith(1, owners, ends);
    if (day === undefined) return [];
    return ownerGroups.length === 0
      ? `${place} has no owner in its file after ${day}. Unless somebody else owns it directly, the last one stays, with an error: name the next owner.`
      : `${place} is owned by groups alone after ${day}: ${shortList(ownerGroups, MOST_NAMED)}. Unless somebody of them has signed in as an owner by then, the last person stays, with an error.`;
  });
}

function endingKeys({ projects, organizations }: AccessFiles): string[] {
  return organizations.flatMap((organization) =>
    (organization.ends ?? []).flatMap((end) => {
      if (end.property !== "apiKeys") return [];
      const { name, until } = end;
      const using = projects.filter(
        (project) =>
          sameOrganization(project, organization) &&
          project.ends?.some((own) => own.isOfKey && own.name === name) &&
          !hasLaterKey(project, until),
      );
      if (using.length === 0) return [];
      const names = shortList(
        using.map((project) => project.name),
        MOST_NAMED,
      );
      return `API key ${name} of organization ${organization.key} ends after ${until}, and then these projects have no key: ${names}. Give them the next one by then.`;
    }),
  );
}

/** Whether the file gives roles to a key for longer, such as the next one of a rotation. */
function hasLaterKey({ ends = [], ...project }: ProjectFile, day: string): boolean {
  return (["apiKeys", "externalApiKeys"] as const).some((property) =>
    Object.keys(project[property] ?? {}).some(
      (name) => !ends.some((end) => end.property === property && end.name === name && end.until <= day),
    ),
  );
}

const MOST_NAMED = 5;
