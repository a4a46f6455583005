/** What the resources of a state own, with either provider. Pure. */

import { type Identity, sameName } from "../../provider/access/person";
import { canOwn } from "../../provider/access/rights";
import type { TeamName } from "../../provider/api/teams";
import { checkedAs, toProperties } from "../../provider/resources/contract/border";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { isEnded, withoutMark } from "../../provider/resources/contract/until";
import { inOrder, type Properties } from "../../provider/resources/contract/values";
import { joinId, splitId } from "../../provider/text/object-id";
import type { LivePerson } from "./organization";
import {
  ignoresPeople,
  kindOf,
  type MappingProperty,
  type Owned,
  type PresentPerson,
  resourceOf,
  treatmentOf,
} from "./own-resources";
import type { StateResource } from "./stack-export";

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
  /** Whether the provider found undeclared people; `undefined` if it did not compare them. */
  readonly hasUndeclared?: boolean | undefined;
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
  readonly present: readonly PresentPerson[];
}

/** What one resource owns, and where. */
interface OwnedRecord {
  readonly resource: OwnedResource;
  readonly owned: Owned;
  /** The project or organization that the ID of the resource begins with. */
  readonly place: string;
  /** Whose people it declares: those of its team, if it owns one, and otherwise those of the place. */
  readonly owner: string;
  /** Its last day is over: what is left of its access is its own, but it makes no list of people complete. */
  readonly isEnded: boolean;
}

/** What all resources own together. IDs may be in capitals. */
export class Ownership {
  readonly #records: readonly OwnedRecord[];
  readonly #byPlace: ReadonlyMap<string, readonly OwnedRecord[]>;
  readonly #byOwner: ReadonlyMap<string, readonly OwnedRecord[]>;
  readonly #declarers: ReadonlyMap<string, PeopleDeclarer>;
  #declaredOwners: ReadonlyMap<string, readonly Identity[]> | undefined;

  constructor(resources: readonly OwnedResource[]) {
    this.#records = resources.flatMap(recordOf);
    this.#byPlace = Map.groupBy(this.#records, ({ place }) => place);
    this.#byOwner = Map.groupBy(this.#records, ({ owner }) => owner);
    const declarers = [...this.#byOwner].flatMap(([owner, same]) => {
      const declarer = declarerAmong(same);
      return declarer === undefined ? [] : [[owner, declarer] as const];
    });
    this.#declarers = new Map(declarers);
  }

  /** Organizations of owned objects, as recorded. */
  get orgIds(): ReadonlySet<string> {
    return new Set(
      this.#records.flatMap(({ resource, owned, place }) => [
        ...(owned.team ? [place] : []),
        ...knownTexts([resource.outputs?.orgId]).map((orgId) => orgId.toLowerCase()),
      ]),
    );
  }

  ownsProject(projectId: string): boolean {
    return this.#in(projectId).some(({ owned }) => owned.project === true);
  }

  ownsMappings(projectId: string, property: MappingProperty): boolean {
    return this.#in(projectId).some(({ owned }) => owned.mappings?.includes(property) === true);
  }

  ownsTeam(projectId: string, teamId: string): boolean {
    return this.#in(projectId).some(({ owned: { teams = [] } }) =>
      teams.some((team) => team.toLowerCase() === teamId.toLowerCase()),
    );
  }

  /**
   * Whether a resource declares the key, by its ID or its public key.
   *
   * @param place a project, or an organization
   */
  ownsKey(
    place: string,
    { keyId, publicKey }: { readonly keyId: string; readonly publicKey: string },
  ): boolean {
    return this.#in(place).some(({ owned: { keys = [] } }) =>
      keys.some((key) => key === keyId || key === publicKey),
    );
  }

  /** The teams of an organization that a Team declares, sorted by name. */
  teamsOf(orgId: string): TeamName[] {
    const teams = new Map(
      this.#in(orgId).flatMap(({ owner, owned: { team } }) => (team ? [[owner, team] as const] : [])),
    );
    return [...teams.values()].sort(
      (one, other) => inOrder(one.teamName, other.teamName) || inOrder(one.teamId, other.teamId),
    );
  }

  /** The resource by which the people of a project or team are declared, if there is one. */
  declarerOf(owner: string): PeopleDeclarer | undefined {
    return this.#declarers.get(owner.toLowerCase());
  }

  declarers(): readonly PeopleDeclarer[] {
    return [...this.#declarers.values()];
  }

  /** @param owner `<organization id>/<team id>` */
  teamOf(owner: string): TeamName | undefined {
    return this.#of(owner).findLast(({ owned }) => owned.team)?.owned.team;
  }

  /** Whether a Team declares the people of the team. A Team that is only planned is known by its name. */
  declaresTeam(orgId: string, names: readonly string[]): boolean {
    return names.some((name) => this.teamOf(joinId(orgId, name)) !== undefined);
  }

  /** What the resources record of a project. */
  factsOf(projectId: string): { readonly name?: string | undefined; readonly orgId?: string | undefined } {
    const [name] = this.#in(projectId)
      .flatMap(({ owned }) => owned.projectName ?? [])
      .reverse();
    const [orgId] = this.#in(projectId)
      .flatMap(({ resource }) => knownTexts([resource.outputs?.orgId]))
      .reverse();
    return { name, orgId };
  }

  /** Whether a resource declares the project or something in it. */
  manages(projectId: string): boolean {
    return this.#in(projectId).some(({ owned }) => owned.team === undefined);
  }

  /** The account that the creation of the project made its owner. */
  appointedOwnerOf(projectId: string): string | undefined {
    return this.#in(projectId).findLast(({ owned }) => owned.appointedOwner)?.owned.appointedOwner;
  }

  /** The people whom a resource declares in the project with a right to own it. */
  ownersDeclaredIn(projectId: string): readonly Identity[] {
    this.#declaredOwners ??= ownersByProject(this.#records.map(({ resource }) => resource));
    return this.#declaredOwners.get(projectId.toLowerCase()) ?? [];
  }

  /** @param owner a project, an organization, or `<organization id>/<team id>` */
  declaredIn(owner: string): readonly Identity[] {
    return this.#of(owner).flatMap(({ owned: { people = [], peopleOfOrganization = [] } }) => [
      ...people,
      ...peopleOfOrganization,
    ]);
  }

  /**
   * Whether a resource keeps the people secret, so the state does not show whom it declares.
   *
   * @param owner a project, or `<organization id>/<team id>`
   */
  hasSecretPeople(owner: string): boolean {
    return this.#of(owner).some(({ owned }) => owned.peopleAreSecret === true);
  }

  /**
   * The members and invitations that a resource declares.
   *
   * @param owner a project, an organization, or `<organization id>/<team id>`
   */
  peopleOwned<Person extends KnownPerson>(owner: string, people: readonly Person[]): ReadonlySet<Person> {
    return peopleAmong(people, this.declaredIn(owner));
  }

  #in(place: string): readonly OwnedRecord[] {
    return this.#byPlace.get(place.toLowerCase()) ?? [];
  }

  #of(owner: string): readonly OwnedRecord[] {
    return this.#byOwner.get(owner.toLowerCase()) ?? [];
  }
}

function recordOf(resource: OwnedResource): OwnedRecord[] {
  const { type, id = "", inputs = {}, outputs = {}, delete: isReplaced, external } = resource;
  if (kindOf(type) === undefined || isReplaced || external || id === "") return [];
  const given = checkedAs<Properties>(inputs);
  const owned = treatmentOf(type)?.owned(id, withoutMark(given), checkedAs<Properties>(outputs)) ?? {};
  const place = splitId(id).placeId;
  // The id of a Team begins with its organization, where other ids have their project.
  const owner = owned.team ? joinId(place, owned.team.teamId.toLowerCase()) : place;
  return [{ resource, owned, place, owner, isEnded: isEnded(given) }];
}

/** The resource with all people decides, else the first one that was read, else the first one. */
function declarerAmong(records: readonly OwnedRecord[]): PeopleDeclarer | undefined {
  const declaring = records.filter(
    (record) =>
      !record.isEnded && ((record.owned.people ?? []).length > 0 || record.owned.exceptFor !== undefined),
  );
  const chosen =
    declaring.findLast(({ owned }) => owned.exceptFor !== undefined) ??
    declaring.find(({ resource }) => resource.isRead) ??
    declaring[0];
  if (chosen === undefined) return undefined;
  const { resource, owner, owned } = chosen;
  const { exceptFor, peopleAreSecret = false, present = [] } = owned;
  return { resource, owner, exceptFor, ignoresChanges: ignoresPeople(resource), peopleAreSecret, present };
}

/** Who is declared with a right to own a project, by its ID. */
function ownersByProject(resources: readonly OwnedResource[]): ReadonlyMap<string, readonly Identity[]> {
  const all = resources.flatMap(({ type, inputs = {}, outputs = {} }) =>
    (resourceOf(type)?.declares(toProperties(inputs), toProperties(outputs)) ?? []).flatMap(
      ({ holder, place, roles = [] }) =>
        holder.kind === "person" && place.kind === "project" && canOwn(roles)
          ? [{ projectId: place.id.toLowerCase(), holder }]
          : [],
    ),
  );
  const byProject = Map.groupBy(all, ({ projectId }) => projectId);
  return new Map([...byProject].map(([projectId, same]) => [projectId, same.map(({ holder }) => holder)]));
}

/** A person of a project, or an account in a team. */
type KnownPerson = Identity & { readonly status?: LivePerson["status"] | undefined };

/** Those of the people who are meant by the identities. */
export function peopleAmong<Person extends KnownPerson>(
  people: readonly Person[],
  identities: readonly Identity[],
): ReadonlySet<Person> {
  return new Set(identities.flatMap((identity) => personAmong(people, identity) ?? []));
}

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
export function personAmong<Person extends Identity & { readonly status?: string | undefined }>(
  people: readonly Person[],
  identity: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  const has = (name: "userId" | "invitationId") => (person: Person) =>
    person[name] !== undefined && person[name] === identity[name];
  const hasName = ({ userId, username }: Person) =>
    sameName(username, identity.username) && (userId === undefined || identity.userId === undefined);
  return direct.find(has("userId")) ?? direct.find(has("invitationId")) ?? direct.find(hasName);
}
