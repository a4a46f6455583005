/** What the next update makes of the people who are in a place, whoever took them out of its file, and when. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { DeclaredKey } from "../../projects/organization-file";
import { foldName, type Identity, type Invitation, sameName } from "../../provider/access/person";
import { checkedAs } from "../../provider/resources/contract/border";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { valueAt } from "../../provider/resources/contract/property-path";
import { rolesAmong } from "../../provider/resources/contract/roles";
import { endedIn, isEnded, isOver, isPlannedEnd } from "../../provider/resources/contract/until";
import { isRecord, type Properties, sameSet } from "../../provider/resources/contract/values";
import { ignoredUsers } from "../../provider/resources/project-members/inputs";
import { joinId, splitId } from "../../provider/text/object-id";
import { own } from "../../provider/text/own";
import { ownerOf } from "../lib/access/judge";
import type { LivePlace } from "../lib/access/live";
import { type KnownNames, recordedBy } from "../lib/access/names";
import type { OrganizationAccess } from "../lib/access/read";
import type { AccessEntry } from "../lib/access/report";
import {
  ignoresPeople,
  listsOfPeople,
  logicalName,
  nameInFile,
  fileOf as ownFileOf,
  ownKindOf,
  resourceOf,
  treatmentOf,
} from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import { type AccessFile, isListed, isOneOf, namesIn } from "./files";
import { type Declared, isLeft, isReleased, isThroughTeam, removesUnlisted } from "./left";

/** Somebody who is in a place, or invited to it. */
export interface Present extends Identity {
  readonly username: string;
  readonly isActive: boolean;
  /** Own ones in the place. */
  readonly roles: readonly string[];
  readonly invitations: readonly Pick<Invitation, "invitationId">[];
}

/** What a file says of somebody, as it spells the name. */
interface Entry {
  readonly file: AccessFile;
  readonly name: string;
}

/** A person whom a resource of the files has declared. */
interface Recorded {
  readonly userId: string | undefined;
  readonly names: readonly string[];
}

interface KeyPlace {
  /** A project or the organization. */
  readonly place: string;
  readonly removal: string;
  readonly roles: readonly string[];
}

/** IDs of places are those of projects and organizations, and `<organization id>/<team id>`. */
export class NextUp {
  readonly #present: ReadonlyMap<string, readonly Present[]>;
  /** By place, the resources that declare people there. */
  readonly #declaring: ReadonlyMap<string, readonly StateResource[]>;
  /** The projects in which logins add people. */
  readonly #withLdap: ReadonlySet<string>;
  /** By the ID of an API key as a resource has it, where it has roles: it leaves all of them together. */
  readonly #ofKeys: ReadonlyMap<string, readonly KeyPlace[]>;
  /** The projects and teams of each organization. */
  readonly #below: ReadonlyMap<string, readonly string[]>;
  readonly removedBy = once((resource: StateResource) => this.#findRemoved(resource));
  readonly #unlistedBy = once((resource: StateResource) => this.#findUnlisted(resource));
  readonly #recordedIn = once((place: string) => this.#indexOf(place));

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

  /** None if the people of the place could not be read. */
  present(place: string): readonly Present[] {
    return this.#present.get(place) ?? [];
  }

  /** The resources of the files that declare somebody or something there. */
  resourcesIn(place: string): readonly StateResource[] {
    return this.#declaring.get(place) ?? [];
  }

  /** Whether logins add people whom a list of all people does not have, so that it adds nobody itself. */
  isContradicted(place: string, file: AccessFile): boolean {
    return this.#withLdap.has(place) && !("ignoreUsers" in file && file.ignoreUsers?.length);
  }

  /** Whether the files give another name to a project or team. */
  getsOtherName(place: LivePlace): boolean {
    return this.resourcesIn(ownerOf(place)).some((each) => {
      const file = treatmentOf(each.type)?.isContainer ? this.declared.fileOf(each.urn) : undefined;
      return file !== undefined && "name" in file && file.name !== place.name;
    });
  }

  /** Whoever is there already and has the role afterwards; without a role, whoever stays. */
  staying(place: string, role: string | undefined): readonly Present[] {
    const leaving = this.removedFrom(place);
    return this.present(place).filter((person) => {
      if (!person.isActive || leaving.includes(person)) return false;
      const listed = this.#entryOf(place, person);
      if (listed === undefined) return role === undefined || person.roles.includes(role);
      return this.#gives(listed.file, listed.name, role);
    });
  }

  /** Whoever has the role and leaves by a last day: a list removes them after everybody else. */
  endingIn(place: string, role: string | undefined): readonly Present[] {
    return this.present(place).filter((person) => {
      const listed = this.#entryOf(place, person);
      const hasRole = person.isActive && (role === undefined || person.roles.includes(role));
      return hasRole && listed !== undefined && !this.#gives(listed.file, listed.name, undefined);
    });
  }

  /** Whom the file of a place names with the role, whether or not they are there yet. */
  named(file: AccessFile | undefined, role: string | undefined): readonly string[] {
    return file === undefined ? [] : namesIn(file).filter((name) => this.#gives(file, name, role));
  }

  /** Those of a file's names whose last day is not over. */
  lasting(file: AccessFile, names: readonly string[]): readonly string[] {
    return names.filter((name) => this.#gives(file, name, undefined));
  }

  /** Who leaves by a list or a resource of their own. */
  removedFrom(place: string): readonly Present[] {
    return this.#removedByAny(this.resourcesIn(place));
  }

  #removedByAny(resources: readonly StateResource[]): readonly Present[] {
    return [...new Set(resources.flatMap((each) => this.removedBy(each)))];
  }

  #findRemoved(resource: StateResource): readonly Present[] {
    const { urn } = resource;
    const place = placeOf(resource);
    const present = this.present(place);
    if (this.declared.isDeletedWithFile(urn)) return present;
    const recorded = recordedBy(resource).filter(({ isDeclared }) => isDeclared);
    const ending = recorded.filter(({ names }) => this.declared.fateOf(urn, names) === "ends");
    // The file may name a renamed account by its present name, which the resource does not record.
    const isMeant = (person: Present) =>
      ending.some(
        (each) => isSame(each, person) && (person.isActive || this.declared.meansInvitation(urn, each)),
      ) && this.#entryOf(place, person) === undefined;
    const unlisted = this.#unlistedBy(resource);
    const file = this.declared.fileOf(urn);
    const isMovedEnd = (person: Present) => {
      const entry = file?.ends?.length ? this.#entryOf(place, person) : undefined;
      const isOwn =
        entry?.file === file &&
        (!this.declared.deletes(urn) || recorded.some((each) => isSame(each, person)));
      return (
        isOwn && entry !== undefined && this.#isMoved(resource, entry.name, untilOf(entry.file, entry.name))
      );
    };
    return present.filter((person) => isMeant(person) || unlisted.includes(person) || isMovedEnd(person));
  }

  /**
   * Whether an access ends that no resource of the person's declares: its place goes with its file, a list removes everyone
   * whom it does not list, or the team through which it comes loses its roles there.
   */
  removes(entry: AccessEntry, { names, userIds }: KnownNames): boolean {
    const within = this.resourcesIn(placeOfEntry(entry));
    if (within.some(({ urn }) => this.declared.isDeletedWithFile(urn))) return true;
    if (isThroughTeam(entry)) {
      const grants = (entry.declaredBy ?? []).map((urn) => this.declared.resource(urn));
      return grants.length > 0 && grants.every((each) => each && this.endOf(each) !== undefined);
    }
    const isMeant = ({ userId, username }: Present) =>
      userId === undefined ? isOneOf(username, names) : userIds.includes(userId);
    return within.some((resource) => this.#unlistedBy(resource).some(isMeant));
  }

  #findUnlisted(resource: StateResource): readonly Present[] {
    const [place, file] = [placeOf(resource), this.declared.fileOf(resource.urn)];
    if (file === undefined || !removesUnlisted(file) || ignoresPeople(resource)) return [];
    if (listsOfPeople(resource.type).length === 0) return [];
    if (this.isContradicted(place, file)) return [];
    // Of the patterns of the last update, those count once more that the file no longer has.
    const isIgnored = ignoredUsers(knownTexts(resource.outputs?.ignoreUsers));
    return this.present(place).filter(
      (person) =>
        this.#entryOf(place, person) === undefined && isLeft(file, [person.username]) && !isIgnored(person),
    );
  }

  /** Whether somebody has moved the last day into the past: an end whose day was recorded before counts for no limit. */
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
        .flatMap(({ id = "" }) => [id, ...(this.#ofKeys.get(id) ?? []).map((each) => each.removal)]),
      ...resources.flatMap((each) => this.#lostByReplacement(each)),
    ]);
    return new Set(all);
  }

  /** Where a key that other `triggers` replace has roles that the next one does not get. */
  #lostByReplacement({ urn, type, id = "", inputs }: StateResource): readonly string[] {
    const name = nameInFile(logicalName(urn));
    const keyIn = (file: AccessFile | undefined) => {
      const keys: Readonly<Record<string, readonly string[] | DeclaredKey>> =
        (file !== undefined && "apiKeys" in file && file.apiKeys) || {};
      const key = own(keys, name);
      return key === undefined || "roles" in key ? key : { roles: key, triggers: undefined };
    };
    const key = keyIn(this.declared.fileOf(urn));
    const isSame = isDeepStrictEqual(key?.triggers ?? {}, inputs?.triggers ?? {});
    if (ownKindOf(type) !== "ApiKey" || key === undefined || isSame) return [];
    const isGiven = (place: string, roles: readonly string[]) =>
      this.resourcesIn(place).some((each) =>
        sameSet(keyIn(this.declared.fileOf(each.urn))?.roles ?? [], roles),
      );
    return (this.#ofKeys.get(id) ?? [])
      .filter(({ place, roles }) => !isGiven(place, roles))
      .map(({ removal }) => removal);
  }

  #belowOf(place: string, { userId }: Present): readonly string[] {
    return (this.#below.get(place) ?? []).flatMap((below) =>
      this.present(below)
        .filter((person) => userId !== undefined && person.userId === userId)
        .map((person) => removal(below, person)),
    );
  }

  #isDeleted(resource: StateResource): boolean {
    const isGone = resourceOf(resource.type)?.ending?.isThere(checkedAs(resource.outputs ?? {})) === false;
    const end = this.endOf(resource);
    return end === "left the file" || (end === "moved" && !isGone);
  }

  /**
   * Why a team in a project, or an API key, ends: its entry has left the file, or its last day is over, perhaps because
   * somebody has moved it into the past.
   */
  endOf(resource: StateResource): "left the file" | "moved" | "over" | undefined {
    const { urn, type } = resource;
    const [paths, file] = [pathsIn(type, urn), this.declared.fileOf(urn)];
    const properties = paths.map(([property]) => String(property));
    if (paths.length === 0 || properties.includes("members") || file === undefined) return undefined;
    const name = nameInFile(logicalName(urn));
    const end = file.ends?.find((each) => properties.includes(each.property) && each.name === name);
    if (end === undefined) {
      const isLost = this.isDropped(resource) && !isReleased(resource) && !isNamedElsewhere(resource, file);
      return isLost ? "left the file" : undefined;
    }
    if (!isOver(end.until, this.now)) return undefined;
    return this.#isMoved(resource, name, end.until) ? "moved" : "over";
  }

  /** Whether the files no longer have it, so that the engine deletes the resource, whatever that ends. */
  isDropped({ urn, type }: StateResource): boolean {
    const [paths, file] = [pathsIn(type, urn), this.declared.fileOf(urn)];
    if (file === undefined) return this.declared.isWhole;
    return paths.length > 0 && paths.every((path) => valueAt(file, path) === undefined);
  }

  /** The entry that means a person who is there: an account that has taken the name of a declared one is not meant. */
  #entryOf(place: string, person: Present): Entry | undefined {
    const { files, byId, byName } = this.#recordedIn(place);
    const named = (name: string) => byName.get(foldName(name)) ?? [];
    const known = [...((person.userId && byId.get(person.userId)) || []), ...named(person.username)];
    const names = [
      person.username,
      ...known.filter((each) => isSame(each, person)).flatMap((each) => each.names),
    ];
    const isOfOther = (name: string) => named(name).some((each) => each.isDeclared && !isSame(each, person));
    for (const name of names.filter((each) => !isOfOther(each))) {
      const file = files.find((each) => isListed([name], each));
      const spelled = file && namesIn(file).find((each) => sameName(each, name));
      if (file !== undefined && spelled !== undefined) return { file, name: spelled };
    }
    return undefined;
  }

  #indexOf(place: string) {
    const resources = this.resourcesIn(place);
    const recorded = resources.flatMap(recordedBy);
    const byName = Map.groupBy(
      recorded.flatMap((each) => each.names.map((name) => ({ each, folded: foldName(name) }))),
      ({ folded }) => folded,
    );
    return {
      files: [...new Set(resources.flatMap(({ urn }) => this.declared.fileOf(urn) ?? []))],
      byId: Map.groupBy(recorded, ({ userId = "" }) => userId),
      byName: new Map([...byName].map(([name, same]) => [name, same.map(({ each }) => each)])),
    };
  }

  #gives(file: AccessFile, name: string, role: string | undefined): boolean {
    const until = untilOf(file, name);
    if (until !== undefined && isOver(until, this.now)) return false;
    const roles: unknown = "members" in file ? own(file.members, name) : undefined;
    return role === undefined || (Array.isArray(roles) && roles.includes(role));
  }
}

function once<Key, T>(find: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>();
  return (key) => {
    const value = known.get(key) ?? find(key);
    known.set(key, value);
    return value;
  };
}

/** Where a file may have the entry of a resource; none if the file as a whole declares it. */
function pathsIn(type: string, urn: string): readonly (readonly string[])[] {
  const [property = "", ...path] = (treatmentOf(type)?.inFile?.path(nameInFile(logicalName(urn))) ?? []).map(
    String,
  );
  const external = `external${property.charAt(0).toUpperCase()}${property.slice(1)}`;
  return property === "" ? [] : [property, external].map((each) => [each, ...path]);
}

/** Whether the file names the team or key of a resource in the other of its two properties, such as `externalTeams`. */
function isNamedElsewhere({ type, urn, outputs = {} }: StateResource, file: AccessFile): boolean {
  const { teamId, teamName, keyId, publicKey } = outputs;
  const names = pathsIn(type, urn).flatMap(([property = ""]) => Object.keys(valueAt(file, [property]) ?? {}));
  return names.some((name) => [teamId, teamName, keyId, publicKey].includes(name));
}

const PEOPLE: readonly string[] = ["members", "usernames"];

function untilOf({ ends = [] }: AccessFile, name: string): string | undefined {
  return ends.find((end) => PEOPLE.includes(end.property) && end.name === name)?.until;
}

/** The place of an access. */
function placeOfEntry({ in: kind, orgId = "", projectId = "", teamId = "" }: AccessEntry): string {
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

function keysIn({ orgId, bearers }: OrganizationAccess): [string, readonly KeyPlace[]][] {
  return bearers.flatMap(({ holder, roles }) => {
    if (holder.kind !== "API key" || holder.keyId === undefined) return [];
    const { keyId } = holder;
    const places = Map.groupBy(roles, ({ projectId, orgId: of = "" }) => projectId ?? of);
    const own = [...places].map(([place, inPlace]) => {
      return { place, removal: joinId(place, keyId), roles: rolesAmong(inPlace, () => true) };
    });
    return [[joinId(orgId, keyId), own]];
  });
}

function presentIn({ places }: OrganizationAccess): [string, readonly Present[]][] {
  return places.map(({ place, lists: { people = [] } }) => {
    const present = people
      .filter(({ status }) => status !== "indirect")
      .map(({ userId, username, status = "active", roles, invitations = [] }) => {
        const pending = invitations.flatMap(({ invitationId }) => (invitationId ? { invitationId } : []));
        return { userId, username, roles, isActive: status === "active", invitations: pending };
      });
    // The invitation of who joins a team is one to the organization.
    return [ownerOf(place), place.kind === "team" ? present.filter(({ isActive }) => isActive) : present];
  });
}
