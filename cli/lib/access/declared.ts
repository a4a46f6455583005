/**
 * Who declares which access: an index over what each kind `declares`, by the resources of a state, a run or files, with
 * either provider. Pure.
 */

import { type Identity, sameName } from "../../../provider/access/person";
import { type Access, type GroupSource, type Holder, isSameHolder } from "../../../provider/access/places";
import { canOwn } from "../../../provider/access/rights";
import type { TeamName } from "../../../provider/api/teams";
import { checkedAs } from "../../../provider/resources/contract/border";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { textIn } from "../../../provider/resources/contract/declared";
import { type RecordedPerson, recordedPeople } from "../../../provider/resources/contract/people-outputs";
import { propertiesRead } from "../../../provider/resources/contract/read-marker";
import { withoutMark } from "../../../provider/resources/contract/until";
import { inOrder, isRecord, type Properties } from "../../../provider/resources/contract/values";
import { joinId, OBJECT_ID, splitId } from "../../../provider/text/object-id";
import { own } from "../../../provider/text/own";
import {
  foundBy,
  ignoresPeople,
  kindOf,
  listsOfPeople,
  ownKindOf,
  resourceOf,
  treatmentOf,
} from "../own-resources";
import type { StateResource } from "../stack-export";
import type { LiveAccess } from "./live";

/** A resource as `pulumi stack export` writes it. */
export interface OwnedResource
  extends Pick<
    StateResource,
    "type" | "id" | "inputs" | "outputs" | "delete" | "external" | "ignoreChanges"
  > {
  readonly urn?: string;
  readonly stack?: string;
  /** The outputs of the state, where `outputs` are those of a read. */
  readonly recorded?: StateResource["outputs"];
  /** The last read of the object has succeeded. */
  readonly isRead?: boolean;
  /** The last read has not succeeded, so the state keeps what it had. Its `Undetermined` says why. */
  readonly isUnread?: boolean;
  /** The last read has found that the object is gone. */
  readonly isGone?: boolean;
  /** The last read of a list of people took "not offered" for "nobody is invited", and a gateway may have responded. */
  readonly isInDoubt?: boolean;
  /** Whether the provider found undeclared people; `undefined` if it did not compare them. */
  readonly hasUndeclared?: boolean | undefined;
}

/** One access by one resource. The holder is as recorded: whoever has been renamed has the new name. */
export interface DeclaredAccess<Resource extends OwnedResource = OwnedResource> {
  readonly resource: Resource;
  readonly access: Access;
  /** The roles of the program; `unknown` if the state hides them or a read has replaced them; `undefined` if it gives none. */
  readonly roles: readonly string[] | "unknown" | undefined;
  /**
   * `ending`: the last day is over, and the next update ends it. `ended`: an update has done that or tried in vain, so the
   * access is nobody's. Of people in a list, the list itself says what became of their end, so they are `ending`.
   */
  readonly status: "lasting" | "ending" | "ended";
}

/** A resource that declares people: all of a project or team, or one of a project. */
export interface PeopleDeclarer {
  readonly resource: OwnedResource;
  /** A project, or `<organization id>/<team id>`. */
  readonly owner: string;
  /** Patterns of people who are excepted; `undefined` if it declares one person. */
  readonly exceptFor: readonly string[] | undefined;
  /** The program ignores changes of the list of people. */
  readonly ignoresChanges: boolean;
  readonly peopleAreSecret: boolean;
  /** Everyone whom its last read found. */
  readonly present: readonly RecordedPerson[];
}

interface Declaring<Resource extends OwnedResource> {
  readonly resource: Resource;
  /** The project or organization that the ID of the resource begins with. */
  readonly place: string;
  /** Whose access it declares: of the team that it is itself, and otherwise of the place. */
  readonly owner: string;
  readonly team: TeamName | undefined;
  readonly access: readonly DeclaredAccess<Resource>[];
}

/**
 * What all resources declare together. IDs may be in capitals. An owner is a project, an organization, or a team as
 * `<organization id>/<team id>`; a team that is only planned has its name instead of the ID.
 */
export class Declarations<Resource extends OwnedResource = OwnedResource> {
  readonly #all: readonly Declaring<Resource>[];
  readonly #byPlace: ReadonlyMap<string, readonly Declaring<Resource>[]>;
  readonly #byOwner: ReadonlyMap<string, readonly Declaring<Resource>[]>;
  readonly #declarers: ReadonlyMap<string, PeopleDeclarer>;

  constructor(resources: readonly Resource[]) {
    this.#all = resources.flatMap(declaringOf);
    this.#byPlace = Map.groupBy(this.#all, ({ place }) => place);
    this.#byOwner = Map.groupBy(this.#all, ({ owner }) => owner);
    this.#declarers = new Map(
      [...this.#byOwner].flatMap(([owner, same]) => {
        const declarer = declarerAmong(same);
        return declarer === undefined ? [] : [[owner, declarer] as const];
      }),
    );
  }

  /** By which resources the holder is declared there, or else by which its end is. */
  of(owner: string, holder: Holder): readonly DeclaredAccess<Resource>[] {
    const own = this.#accessOf(owner).filter(({ access }) => isSameHolder(access.holder, holder));
    const lasting = own.filter(({ status }) => status === "lasting");
    return lasting.length > 0 ? lasting : own;
  }

  /** A group is declared by the mappings of its property, which are all that the project has. */
  declares(owner: string, holder: Holder): boolean {
    if (holder.kind === "group") return this.declaringMappings(owner, holder.property).length > 0;
    return this.of(owner, holder).some(isInForce);
  }

  /** Everything whose last day is over. */
  ends(): readonly DeclaredAccess<Resource>[] {
    return this.#all.flatMap(({ access }) => access.filter(({ status }) => status !== "lasting"));
  }

  /** The resources that give roles to groups by the property, which then are all groups that it has. */
  declaringMappings(projectId: string, property: GroupSource): readonly Resource[] {
    return this.#in(projectId)
      .map(({ resource }) => resource)
      .filter(({ type, inputs }) => holdersIn(type)(property) && own(inputs, property) !== undefined);
  }

  /** The people who are declared there. */
  peopleIn(owner: string): readonly Identity[] {
    return peopleOf(this.#accessOf(owner).filter(isInForce));
  }

  /** Those of the accesses in the place that are declared there. */
  among(owner: string, all: readonly LiveAccess[]): ReadonlySet<LiveAccess> {
    const people = meantAmong(all, this.peopleIn(owner));
    const isDeclared = (access: LiveAccess) =>
      access.holder.kind === "person" ? people.has(access) : this.declares(owner, access.holder);
    return new Set(all.filter(isDeclared));
  }

  /** The people who are declared in the project with a right to own it. */
  ownersOf(projectId: string): readonly Identity[] {
    return peopleOf(
      this.#accessOf(projectId).filter(
        ({ status, access: { place, roles = [] } }) =>
          status === "lasting" && place.kind === "project" && canOwn(roles),
      ),
    );
  }

  /** Whether the state does not show which people a resource declares there, because the program keeps them secret. */
  hidesPeople(owner: string): boolean {
    return this.#of(owner).some(({ resource }) => hidesPeople(resource));
  }

  /** The resource by which the people of a project or team are declared, if there is one. */
  declarerOf(owner: string): PeopleDeclarer | undefined {
    return this.#declarers.get(owner.toLowerCase());
  }

  declarers(): readonly PeopleDeclarer[] {
    return [...this.#declarers.values()];
  }

  /** The team that a Team declares. */
  teamOf(owner: string): TeamName | undefined {
    return this.#of(owner).findLast(({ team }) => team)?.team;
  }

  /** Whether a Team declares the people of the team. */
  declaresTeam(orgId: string, names: readonly string[]): boolean {
    return names.some((name) => this.teamOf(joinId(orgId, name)) !== undefined);
  }

  /** The teams of an organization that a Team declares, sorted by name. */
  teamsIn(orgId: string): TeamName[] {
    const teams = new Map(
      this.#in(orgId).flatMap(({ owner, team }) => (team ? [[owner, team] as const] : [])),
    );
    return [...teams.values()].sort(
      (one, other) => inOrder(one.teamName, other.teamName) || inOrder(one.teamId, other.teamId),
    );
  }

  /** Organizations of declared objects, as recorded. */
  get orgIds(): ReadonlySet<string> {
    return new Set(
      this.#all.flatMap(({ resource, team, place }) => [
        ...(team ? [place] : []),
        ...knownTexts([resource.outputs?.orgId]).map((orgId) => orgId.toLowerCase()),
      ]),
    );
  }

  /** Whether a resource is the project itself. */
  ownsProject(projectId: string): boolean {
    return this.#in(projectId).some(isProject);
  }

  /** The resource that manages the organization itself; one that was read, if there are several. */
  organizationOf(orgId: string): Resource | undefined {
    const all = this.#in(orgId).flatMap(({ resource }) => (isOrganization(resource) ? resource : []));
    return all.find(({ isRead }) => isRead) ?? all[0];
  }

  /** The organizations that a resource manages, and whose last read has succeeded. */
  organizationsRead(): readonly (readonly [orgId: string, Resource])[] {
    return [...this.#byPlace.keys()].flatMap((place) => {
      const resource = this.organizationOf(place);
      return resource?.isRead ? [[place, resource] as const] : [];
    });
  }

  /** Whether a resource declares the project or something in it. */
  manages(projectId: string): boolean {
    return this.#in(projectId).some(({ team }) => team === undefined);
  }

  /** What the resources record of a project. */
  factsOf(projectId: string): { readonly name?: string | undefined; readonly orgId?: string | undefined } {
    const all = this.#in(projectId);
    // A member records the name of its project as well.
    const names = all.map((each) => textIn(outputsOf(each), isProject(each) ? "name" : "groupName"));
    const orgIds = all.map((each) => textIn(outputsOf(each), "orgId"));
    const isKnown = (text: string | undefined) => text !== undefined;
    return { name: names.findLast(isKnown), orgId: orgIds.findLast(isKnown) };
  }

  /** The account that the creation of the project made its owner. */
  appointedOwnerOf(projectId: string): string | undefined {
    return this.#in(projectId)
      .filter(isProject)
      .map((each) => textIn(inputsOf(each), "projectOwnerId") ?? textIn(outputsOf(each), "projectOwnerId"))
      .findLast((userId) => userId !== undefined);
  }

  #in(place: string): readonly Declaring<Resource>[] {
    return this.#byPlace.get(place.toLowerCase()) ?? [];
  }

  #of(owner: string): readonly Declaring<Resource>[] {
    return this.#byOwner.get(owner.toLowerCase()) ?? [];
  }

  #accessOf(owner: string): readonly DeclaredAccess<Resource>[] {
    return this.#of(owner).flatMap(({ access }) => access);
  }
}

type Values = Pick<Declaring<OwnedResource>, "resource">;
const inputsOf = ({ resource }: Values) => checkedAs<Properties>(resource.inputs ?? {});
const outputsOf = ({ resource }: Values) => checkedAs<Properties>(resource.outputs ?? {});

function isProject({ resource: { type } }: Values): boolean {
  const treatment = treatmentOf(type);
  return treatment?.isContainer === true && treatment.belongsTo === "project";
}

function isOrganization({ type }: OwnedResource): boolean {
  return ownKindOf(type) === "Organization";
}

const holdersIn = (type: string) => (property: string) =>
  Object.hasOwn(treatmentOf(type)?.holders ?? {}, property);

function declaringOf<Resource extends OwnedResource>(resource: Resource): Declaring<Resource>[] {
  const { type, id = "", delete: isReplaced, external } = resource;
  if (kindOf(type) === undefined || isReplaced || external || id === "") return [];
  const place = splitId(id).placeId;
  const team = teamOf(resource);
  const owner = team ? joinId(place, team.teamId.toLowerCase()) : place;
  return [{ resource, place, owner, team, access: accessBy(resource) }];
}

/** The team that a resource is itself. The ID of a Team begins with its organization, where others have their project. */
function teamOf(resource: OwnedResource): TeamName | undefined {
  if (treatmentOf(resource.type)?.belongsTo !== "team") return undefined;
  const recorded = outputsOf({ resource });
  const teamId = textIn(recorded, "teamId") ?? splitId(resource.id ?? "").name;
  return { teamId, teamName: textIn(recorded, "name") ?? teamId };
}

/** What one resource declares, also what has ended. */
export function accessBy<Resource extends OwnedResource>(resource: Resource): DeclaredAccess<Resource>[] {
  const inputs = inputsOf({ resource });
  const [list] = listsOfPeople(resource.type);
  const property = list ?? "roles";
  const isRead = propertiesRead(inputs).includes(property);
  const rolesOf = ({ roles, place }: Access): DeclaredAccess["roles"] => {
    if (place.kind === "team" || own(inputs, property) === undefined) return undefined;
    return isRead ? "unknown" : (roles ?? "unknown");
  };
  const lasting = declaredWith(resource, inputs);
  const isLasting = ({ holder }: Access) => lasting.some((each) => isSameHolder(each.holder, holder));
  const others = declaredWith(resource, withoutMark(inputs)).filter((access) => !isLasting(access));
  const { endedAt, overdueSince } = outputsOf({ resource });
  const status = (endedAt ?? overdueSince) === undefined ? "ending" : "ended";
  const listed = [
    ...lasting.map((access) => ({ resource, access, roles: rolesOf(access), status: "lasting" as const })),
    ...others.map((access) => ({ resource, access, roles: rolesOf(access), status }) as const),
  ];
  return list === undefined ? listed : ofList(resource, listed, isRead);
}

/** The parts of a holder's identity among the properties of a kind. */
const PARTS = ["userId", "invitationId", "username", "teamId", "teamName", "keyId", "publicKey"] as const;

/**
 * What a kind declares, also where the state hides an input or lacks an output: the ID has the place, and names the holder.
 * What is recorded of the holder counts more than the program, which may have its former name.
 */
function declaredWith(resource: OwnedResource, inputs: Properties): readonly Access[] {
  const kind = resourceOf(resource.type);
  if (kind === undefined) return [];
  const recorded = outputsOf({ resource });
  const { placeId, name } = splitId(resource.id ?? "");
  const isId = OBJECT_ID.test(name);
  const parts = PARTS.filter((part) => [kind.inputs, kind.outputs].some(({ shape }) => part in shape));
  // An ID may be that of an account or of an invitation.
  const fitting = parts.filter((part) => part.endsWith("Id") === isId);
  const alternatives = fitting.length > 0 && name !== "" ? fitting : [undefined];
  return alternatives.flatMap((inId) => {
    const known = parts.flatMap((part) => {
      const text = textIn(recorded, part) ?? (part === inId ? (isId ? name.toLowerCase() : name) : undefined);
      return text === undefined ? [] : [[part, text] as const];
    });
    const holder = Object.fromEntries(known);
    const [place] = kind.duties.identifiedBy;
    return kind.declares({ ...inputs, ...holder, [place]: placeId }, { ...recorded, ...holder });
  });
}

/**
 * The people of a list as they are recorded, and those whom its last create or update declared and the inputs do not have
 * any more. An input that comes from a read declares no one else.
 */
function ofList<Resource extends OwnedResource>(
  resource: Resource,
  listed: readonly DeclaredAccess<Resource>[],
  isRead: boolean,
): DeclaredAccess<Resource>[] {
  const found = foundBy(resource.type, outputsOf({ resource }));
  if (isRecord(found)) return [];
  const people = recordedPeople(found);
  const left = new Set(people.filter(({ declared }) => declared));
  const recorded = [...left];
  // The recorded name of an account that was never declared is only the name that it had then.
  const unnamed = people.filter(({ declared, declaredAs }) => !declared && declaredAs === undefined);
  const named = listed.flatMap((each): DeclaredAccess<Resource>[] => {
    const { holder } = each.access;
    const heldBy = (other: Holder) => [{ ...each, access: { ...each.access, holder: other } }];
    const person = holder.kind === "person" ? personAmong(recorded, holder) : undefined;
    if (person === undefined && isRead && each.status === "lasting") return [];
    if (person !== undefined) {
      left.delete(person);
      return heldBy(holderOf(person));
    }
    const isUnnamed = holder.kind === "person" && personAmong(unnamed, holder) !== undefined;
    return isUnnamed ? heldBy({ kind: "person", username: holder.username }) : [each];
  });
  const team = teamOf(resource);
  const { placeId } = splitId(resource.id ?? "");
  const place = team
    ? ({ kind: "team", id: team.teamId, orgId: placeId } as const)
    : ({ kind: "project", id: placeId } as const);
  const others = [...left].map((person) => ({ holder: holderOf(person), place }));
  return [
    ...named,
    ...others.map((access) => ({ resource, access, roles: undefined, status: "lasting" as const })),
  ];
}

function holderOf({ userId, invitationId, username }: RecordedPerson): Holder {
  return { kind: "person", userId, invitationId, username };
}

/** A list of people as a whole is secret, or one of its names. */
function hidesPeople(resource: OwnedResource): boolean {
  const { ignoreUsers, usernames } = inputsOf({ resource });
  const found = foundBy(resource.type, outputsOf({ resource }));
  return isRecord(found) || (isList(resource) && [ignoreUsers, usernames].flat().some(isRecord));
}

function isList({ type }: OwnedResource): boolean {
  return listsOfPeople(type).length > 0;
}

/** The resource with all people decides, else the first one that was read, else the first one. */
function declarerAmong(all: readonly Declaring<OwnedResource>[]): PeopleDeclarer | undefined {
  const isOfProject = ({ resource: { type } }: Values) => treatmentOf(type)?.belongsTo === "project";
  const declaring = all.filter(
    (each) =>
      isList(each.resource) || (isOfProject(each) && peopleOf(each.access.filter(isInForce)).length > 0),
  );
  const chosen =
    declaring.findLast(({ resource }) => isList(resource)) ??
    declaring.find(({ resource }) => resource.isRead) ??
    declaring[0];
  if (chosen === undefined) return undefined;
  const { resource, owner } = chosen;
  return {
    resource,
    owner,
    exceptFor: isList(resource) ? knownTexts(inputsOf(chosen).ignoreUsers) : undefined,
    ignoresChanges: ignoresPeople(resource),
    peopleAreSecret: hidesPeople(resource),
    present: recordedPeople(foundBy(resource.type, outputsOf(chosen))),
  };
}

// Who is who.

/** What an update has ended, or tried to, is reported with its resource. */
function isInForce({ status }: DeclaredAccess): boolean {
  return status !== "ended";
}

function peopleOf(all: readonly DeclaredAccess[]): Identity[] {
  return all.flatMap(({ access: { holder } }) => (holder.kind === "person" ? [holder] : []));
}

/**
 * The people among the accesses who are meant by the identities, and the recorded invitation of one who has joined under
 * another name since. A project declares nobody who is not in it directly.
 */
export function meantAmong(
  accesses: readonly LiveAccess[],
  identities: readonly Identity[],
): ReadonlySet<LiveAccess> {
  const people = new Map<Identity, LiveAccess>();
  for (const access of accesses)
    if (access.holder.kind === "person" && access.way !== "unknown") people.set(access.holder, access);
  const all = [...people.keys()];
  const found = identities.flatMap((identity) => [
    personAmong(all, identity),
    ...all.filter((each) => isInvitationOf(each, identity)),
  ]);
  return new Set(found.flatMap((person) => (person && people.get(person)) ?? []));
}

function isInvitationOf({ userId, invitationId }: Identity, identity: Identity): boolean {
  return userId === undefined && invitationId !== undefined && invitationId === identity.invitationId;
}

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
function personAmong<Person extends Identity>(
  people: readonly Person[],
  identity: Identity,
): Person | undefined {
  const has = (name: "userId" | "invitationId") => (person: Person) =>
    person[name] !== undefined && person[name] === identity[name];
  const hasName = ({ userId, username }: Person) =>
    sameName(username, identity.username) && (userId === undefined || identity.userId === undefined);
  return people.find(has("userId")) ?? people.find(has("invitationId")) ?? people.find(hasName);
}
