/** What the next update makes of the people who are in a place, whoever took them out of its file, and when. Pure. */
import { foldName, sameName } from "../../provider/access/person";
import { checkedAs } from "../../provider/resources/contract/border";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { valueAt } from "../../provider/resources/contract/property-path";
import { endedIn, isEnded, isOver, isPlannedEnd } from "../../provider/resources/contract/until";
import { isRecord, type Properties } from "../../provider/resources/contract/values";
import { ignoredUsers } from "../../provider/resources/project-members/inputs";
import { joinId, splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { ownerOf } from "../lib/access/judge";
import { type KnownNames, recordedBy } from "../lib/access/names";
import type { OrganizationAccess } from "../lib/access/read";
import type { AccessEntry } from "../lib/access/report";
import {
  ignoresPeople,
  listsOfPeople,
  logicalName,
  nameInFile,
  fileOf as ownFileOf,
  resourceOf,
  treatmentOf,
} from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import { type AccessFile, isOneOf, namesIn } from "./files";
import { type Declared, isLeft, isReleased, isThroughTeam, removesUnlisted } from "./left";

/** Somebody who is in a place, or invited to it. */
export interface Present {
  readonly userId?: string | undefined;
  readonly username: string;
  readonly isActive: boolean;
  /** Own ones in the place. */
  readonly roles: readonly string[];
}

/** A person whom a resource of the files has declared. */
interface Recorded {
  readonly userId: string | undefined;
  readonly names: readonly string[];
}

/** IDs of places are those of projects and organizations, and `<organization id>/<team id>`. */
export class NextUp {
  readonly #present: ReadonlyMap<string, readonly Present[]>;
  /** By place, the resources that declare people there. */
  readonly #declaring: ReadonlyMap<string, readonly StateResource[]>;
  /** The projects in which logins add people: a list without `ignoreUsers` removes nobody there whom it never declared. */
  readonly #withLdap: ReadonlySet<string>;
  /** By the ID of an API key as a resource has it, its place in each project: it leaves them with its organization. */
  readonly #ofKeys: ReadonlyMap<string, readonly string[]>;
  /** The projects and teams of each organization. */
  readonly #below: ReadonlyMap<string, readonly string[]>;

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly declared: Declared,
    organizations: readonly OrganizationAccess[],
    private readonly now: number,
  ) {
    this.#present = new Map(organizations.flatMap(presentIn));
    this.#below = new Map(
      organizations.map((each) => [
        each.orgId,
        presentIn(each).flatMap(([place]) => (place === each.orgId ? [] : place)),
      ]),
    );
    this.#withLdap = new Set(
      organizations
        .flatMap(({ places }) => places)
        .filter(({ lists }) => lists.groups?.some(({ property }) => property === "ldapGroupMappings"))
        .map(({ place }) => place.id),
    );
    this.#ofKeys = new Map(organizations.flatMap(keysIn));
    this.#declaring = Map.groupBy(declared.resources(), placeOf);
  }

  /** Whether the people of a place could be read. */
  isRead(place: string): boolean {
    return (this.#present.get(place) ?? []).length > 0;
  }

  /** Whoever is there already and has the role afterwards; without a role, whoever stays. */
  staying(place: string, role: string | undefined): readonly Present[] {
    const leaving = this.removedFrom(place);
    return (this.#present.get(place) ?? []).filter((person) => {
      if (!person.isActive || leaving.includes(person)) return false;
      const listed = this.#entryOf(place, person);
      if (listed === undefined) return role === undefined || person.roles.includes(role);
      return this.#gives(listed.file, listed.name, role);
    });
  }

  /** Whom the file of a place names with the role, whether or not they are there yet. */
  named(file: AccessFile | undefined, role: string | undefined): readonly string[] {
    return file === undefined ? [] : namesIn(file).filter((name) => this.#gives(file, name, role));
  }

  /** Who leaves by a list or a resource of their own. */
  removedFrom(place: string): readonly Present[] {
    return this.#removedByAny(this.#declaring.get(place) ?? []);
  }

  #removedByAny(resources: readonly StateResource[]): readonly Present[] {
    return [...new Set(resources.flatMap((each) => this.removedBy(each)))];
  }

  removedBy(resource: StateResource): readonly Present[] {
    const { urn } = resource;
    const present = this.#present.get(placeOf(resource)) ?? [];
    if (this.declared.isDeletedWithFile(urn)) return present;
    const recorded = recordedBy(resource).filter(({ isDeclared }) => isDeclared);
    const ending = recorded.filter(({ names }) => this.declared.fateOf(urn, names) === "ends");
    const isMeant = (person: Present) =>
      ending.some(
        (each) => isSame(each, person) && (person.isActive || this.declared.meansInvitation(urn, each)),
      );
    const unlisted = this.#unlistedBy(resource);
    return present.filter(
      (person) => isMeant(person) || unlisted.includes(person) || this.#isMovedEnd(resource, person),
    );
  }

  /** The lists that remove a person whom nobody declares, as everyone whom they do not list. */
  readonly removersOf = (entry: AccessEntry, { names, userIds }: KnownNames): readonly string[] => {
    const isMeant = ({ userId, username }: Present) =>
      userId === undefined ? isOneOf(username, names) : userIds.includes(userId);
    return (this.#declaring.get(placeOfEntry(entry)) ?? [])
      .filter((resource) => !isThroughTeam(entry) && this.#unlistedBy(resource).some(isMeant))
      .map(({ urn }) => urn);
  };

  #unlistedBy(resource: StateResource): readonly Present[] {
    const [place, file] = [placeOf(resource), this.declared.fileOf(resource.urn)];
    if (file === undefined || !removesUnlisted(file) || ignoresPeople(resource)) return [];
    if (listsOfPeople(resource.type).length === 0) return [];
    if (this.#withLdap.has(place) && !("ignoreUsers" in file && file.ignoreUsers?.length)) return [];
    // Of the patterns of the last update, those count once more that the file no longer has.
    const isIgnored = ignoredUsers(knownTexts(resource.outputs?.ignoreUsers));
    return (this.#present.get(place) ?? []).filter(
      (person) =>
        this.#entryOf(place, person) === undefined && isLeft(file, [person.username]) && !isIgnored(person),
    );
  }

  /** Whether somebody has moved the last day into the past: an end whose day was recorded before counts for no limit. */
  #isMovedEnd(resource: StateResource, person: Present): boolean {
    const { urn } = resource;
    const entry = this.#entryOf(placeOf(resource), person);
    if (entry === undefined || entry.file !== this.declared.fileOf(urn)) return false;
    const { file, name } = entry;
    if (this.declared.deletes(urn) && !sameName(nameInFile(logicalName(urn)), name)) return false;
    return this.#isMoved(resource, name, untilOf(file, name));
  }

  #isMoved(resource: StateResource, name: string, until: string | undefined): boolean {
    if (until === undefined || !isOver(until, this.now)) return false;
    const inputs = checkedAs<Properties>(resource.inputs ?? {});
    const days = isRecord(inputs.until) ? Object.entries(inputs.until) : [[name, inputs.until] as const];
    const wasMoved =
      (isEnded(inputs) && !isPlannedEnd(inputs)) ||
      endedIn(inputs).some((each) => sameName(each.name, name) && !each.isPlanned);
    return wasMoved || !days.some(([each, day]) => sameName(each, name) && day === until);
  }

  /**
   * Each holder in each place that it takes away, once. Whoever leaves an organization leaves everything below it; who is in a
   * project that is deleted does not count.
   */
  removals(): ReadonlySet<string> {
    const isCounted = ({ urn, type }: StateResource) =>
      treatmentOf(type)?.belongsTo === "team" || !this.declared.isDeletedWithFile(urn);
    const all = [...this.#declaring].flatMap(([place, resources]) => [
      ...this.#removedByAny(resources.filter(isCounted)).flatMap((person) => [
        removal(place, person),
        ...(person.isActive ? this.#belowOf(place, person) : []),
      ]),
      ...resources
        .filter((each) => this.#isDeleted(each))
        .flatMap(({ id = "" }) => [id, ...(this.#ofKeys.get(id) ?? [])]),
    ]);
    return new Set(all);
  }

  #belowOf(place: string, { userId }: Present): readonly string[] {
    return (this.#below.get(place) ?? []).flatMap((below) =>
      (this.#present.get(below) ?? [])
        .filter((person) => userId !== undefined && person.userId === userId)
        .map((person) => removal(below, person)),
    );
  }

  /** A team in a project, or an API key, whose entry a file no longer has, or whose last day somebody has moved into the past. */
  #isDeleted(resource: StateResource): boolean {
    const { urn, type } = resource;
    const [place, file] = [treatmentOf(type)?.inFile, this.declared.fileOf(urn)];
    const [property = "", ...path] = (place?.path(nameInFile(logicalName(urn))) ?? []).map(String);
    if (property === "" || property === "members" || file === undefined) return false;
    const external = `external${property.charAt(0).toUpperCase()}${property.slice(1)}`;
    const properties = [property, external];
    const name = nameInFile(logicalName(urn));
    const end = file.ends?.find((each) => properties.includes(each.property) && each.name === name);
    const isGone = resourceOf(type)?.ending?.isThere(checkedAs(resource.outputs ?? {})) === false;
    if (end !== undefined) return !isGone && this.#isMoved(resource, name, end.until);
    return !isReleased(resource) && properties.every((each) => valueAt(file, [each, ...path]) === undefined);
  }

  /** The entry that means a person who is there: an account that has taken the name of a declared one is not meant. */
  #entryOf(place: string, person: Present): { readonly file: AccessFile; readonly name: string } | undefined {
    const resources = this.#declaring.get(place) ?? [];
    const recorded = resources.flatMap(recordedBy);
    const [ownNames = [], others = []] = [true, false].map((isOwn) =>
      recorded
        .filter((each) => isSame(each, person) === isOwn && (isOwn || each.isDeclared))
        .flatMap(({ names }) => names),
    );
    const names = [person.username, ...ownNames].filter((name) => !isOneOf(name, others));
    for (const { urn } of resources) {
      const file = this.declared.fileOf(urn);
      const name = file && namesIn(file).find((each) => isOneOf(each, names));
      if (file !== undefined && name !== undefined) return { file, name };
    }
    return undefined;
  }

  #gives(file: AccessFile, name: string, role: string | undefined): boolean {
    const until = untilOf(file, name);
    if (until !== undefined && isOver(until, this.now)) return false;
    const roles: unknown = "members" in file ? own(file.members, name) : undefined;
    return role === undefined || (Array.isArray(roles) && roles.includes(role));
  }
}

const PEOPLE: readonly string[] = ["members", "usernames"];

function untilOf({ ends = [] }: AccessFile, name: string): string | undefined {
  return ends.find((end) => PEOPLE.includes(end.property) && end.name === name)?.until;
}

/** The place of an access. */
export function placeOfEntry({ in: kind, orgId = "", projectId = "", teamId = "" }: AccessEntry): string {
  return { service: "", project: projectId, organization: orgId, team: joinId(orgId, teamId) }[kind];
}

/** The place whose people a resource declares. */
function placeOf({ type, id = "", urn }: StateResource): string {
  const file = ownFileOf(type, id, logicalName(urn));
  return file?.of === "teams" ? joinId(splitId(id).placeId, file.id) : splitId(id).placeId;
}

function isSame({ userId, names }: Recorded, person: Present): boolean {
  return userId !== undefined && person.userId !== undefined
    ? userId === person.userId
    : names.some((name) => sameName(name, person.username));
}

function removal(place: string, { userId, username }: Present): string {
  return joinId(place, userId ?? foldName(username));
}

function keysIn({ orgId, bearers }: OrganizationAccess): [string, readonly string[]][] {
  return bearers.flatMap(({ holder, roles }) => {
    if (holder.kind !== "API key" || holder.keyId === undefined) return [];
    const { keyId } = holder;
    const projects = roles.flatMap(({ projectId }) =>
      projectId === undefined ? [] : joinId(projectId, keyId),
    );
    return [[joinId(orgId, keyId), projects]];
  });
}

function presentIn({ places }: OrganizationAccess): [string, readonly Present[]][] {
  return places.map(({ place, lists: { people = [] } }) => {
    const present = people
      .filter(({ status }) => status !== "indirect")
      .map(({ userId, username, status = "active", roles }) => {
        return { userId, username, roles, isActive: status === "active" };
      });
    // The invitation of who joins a team is one to the organization.
    return [ownerOf(place), place.kind === "team" ? present.filter(({ isActive }) => isActive) : present];
  });
}
