/** What the resources of a state own at the service, of whichever door. Pure. */
import { foldName, type Identity, sameName } from "../../resources/people/person";
import { splitId } from "../../resources/people/project-member-state";
import { isIgnoredUser } from "../../resources/people/project-members-inputs";
import type { LivePerson } from "../organization";
import { kindOf } from "../own-resources";

/** A resource as `pulumi stack export` writes it. */
export interface OwnedResource {
  readonly type: string;
  readonly id?: string | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
  /** Replaced, and still to be deleted: another one owns it by now. */
  readonly delete?: boolean | undefined;
  /** Only looked up by its id, and owned elsewhere. */
  readonly external?: boolean | undefined;
}

interface Ownership {
  /** Organizations that owned things live in, as recorded. */
  readonly orgIds: ReadonlySet<string>;
  ownsProject(projectId: string): boolean;
  /** Those of the people in a project, or invited to it, whom a resource owns. */
  peopleOwned<Person extends LivePerson>(projectId: string, people: readonly Person[]): ReadonlySet<Person>;
}

export function ownership(resources: readonly OwnedResource[]): Ownership {
  const orgIds = new Set<string>();
  const projects = new Set<string>();
  const members = new Map<string, Identity[]>();
  /** By project, whom each ProjectMembers leaves to others. */
  const everybody = new Map<string, string[][]>();
  for (const { type, id = "", outputs = {}, delete: isReplaced, external } of resources) {
    const kind = kindOf(type);
    if (kind === undefined || isReplaced || external || id === "") continue;
    const { projectId, person } = splitId(id);
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    if (kind === "Project") projects.add(projectId);
    if (kind === "ProjectMember") add(members, projectId, identityOf(person, outputs));
    if (kind === "ProjectMembers") add(everybody, projectId, textsOf(outputs.ignoreUsers));
  }
  return {
    orgIds,
    ownsProject: (projectId) => projects.has(projectId.toLowerCase()),
    peopleOwned: (projectId, people) => {
      const ignored = everybody.get(projectId) ?? [];
      const byAll = people.filter(
        ({ status, username }) =>
          status !== "indirect" && ignored.some((patterns) => !isIgnoredUser(patterns, username)),
      );
      const byOne = (members.get(projectId) ?? []).flatMap((who) => personAmong(people, who) ?? []);
      return new Set([...byAll, ...byOne]);
    },
  };
}

/** An id decides before a name: whoever has got somebody's former name is not whom the resource owns. */
function personAmong<Person extends LivePerson>(
  people: readonly Person[],
  who: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  return (
    direct.find(({ userId }) => userId !== undefined && userId === who.userId) ??
    direct.find(({ invitationId }) => invitationId !== undefined && invitationId === who.invitationId) ??
    direct.find(({ username }) => sameName(username, who.username))
  );
}

/** A secret is an object in an exported state; what the id says is there in any case. */
function identityOf(
  person: string,
  { username, userId, invitationId }: OwnedResource["outputs"] & object,
): Identity {
  const named = /^[0-9a-f]{24}$/i.test(person)
    ? { userId: person, invitationId: person }
    : { username: person };
  return {
    ...named,
    ...(typeof username === "string" && { username: foldName(username) }),
    ...(typeof userId === "string" && { userId }),
    ...(typeof invitationId === "string" && { invitationId }),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
