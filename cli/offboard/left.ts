/** What a person can still reach after the next update, and how to end that. Pure. */
import type { AccessFiles } from "../../projects/access-files";
import { selectFiles } from "../../projects/select";
import { attempt } from "../../provider/attempt";
import { ACCESS_FOLDER_TYPE } from "../../provider/component";
import { checkedAs } from "../../provider/resources/contract/border";
import { ignoredUsers } from "../../provider/resources/project-members/inputs";
import { splitId } from "../../provider/text/object-id";
import { partsOfUrn } from "../../provider/text/urn";
import type { LivePlace } from "../lib/access/live";
import { type KnownNames, type RecordedNames, recordedBy } from "../lib/access/names";
import { type OrganizationAccess, peopleOf } from "../lib/access/read";
import type { AccessEntry } from "../lib/access/report";
import type { SearchedPerson } from "../lib/access/search";
import { organizationText, withId } from "../lib/organization";
import { ignoresPeople, listsOfPeople, logicalName, resourceText, treatmentOf } from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import { type AccessFile, areOf, type Folder, isListed, isOneOf } from "./files";

export interface LeftEntry extends AccessEntry {
  /** A sentence or two. */
  readonly howToEnd: string;
}

/** The access of a person, divided. */
export interface Divided {
  /** What the next `up` ends if nothing refuses. */
  readonly ending: readonly AccessEntry[];
  readonly left: readonly LeftEntry[];
}

/**
 * What the next `up` makes of what a resource declares of a person. `ended`: a list has not given it, or has ended it on its
 * last day before somebody brought it back. `ignored`: the program ignores changes of the list. `elsewhere`: the files do
 * not declare it. `faulty`: its file may have a fault, and nobody knows what it declares.
 */
export type Fate = "ends" | "stays" | "released" | "ended" | "ignored" | "elsewhere" | "faulty";

/** What the next `up` reads, and what the last one recorded. */
export class Declared {
  readonly #byUrn: ReadonlyMap<string, StateResource>;
  readonly #isRead: boolean;
  /** The components that have declared the files. */
  readonly #components: readonly StateResource[];
  /** Those of projects and teams, by their IDs. */
  readonly #names: ReadonlyMap<string, string>;
  /** Those that are pending. */
  readonly #invitationIds: ReadonlySet<string | undefined>;

  /**
   * @param before the files without the edits
   * @param isWhole whether no file has a fault
   * @param resources those of the state; `undefined` if it was not read
   */
  constructor(
    readonly files: AccessFiles,
    private readonly before: AccessFiles,
    readonly isWhole: boolean,
    resources: readonly StateResource[] = [],
    folder: Folder,
    private readonly organizations: readonly OrganizationAccess[] = [],
  ) {
    const places = organizations.flatMap((each) => each.places.map(({ place }) => place));
    this.#names = new Map(places.map(({ id, name }) => [id, name]));
    const invitations = peopleOf(organizations).flatMap((each) => each.invitations ?? []);
    this.#invitationIds = new Set(invitations.map(({ invitationId }) => invitationId));
    this.#byUrn = new Map(resources.map((each) => [each.urn, each]));
    // The type of the component is part of a URN, but not its name: if another one reads another folder, nobody knows whose
    // a resource is.
    this.#components = resources.filter(({ type }) => type === ACCESS_FOLDER_TYPE);
    this.#isRead = areOf(folder, [
      ...new Set(this.#components.map(({ outputs }) => String(outputs?.folder ?? "."))),
    ]);
  }

  resource(urn: string): StateResource | undefined {
    return this.#byUrn.get(urn);
  }

  /** The file of a resource that the component of these files has declared, also if it was renamed. */
  fileOf(urn: string): AccessFile | undefined {
    const of = treatmentOf(partsOfUrn(urn).type)?.inFile?.of;
    if (of === undefined || !this.#isOfFiles(urn)) return undefined;
    const key = keyOf(urn);
    const file = this.files[of].find((each) => each.key === key);
    if (file === undefined) return this.renamedFileOf(urn);
    return of !== "organizations" && this.#isReplacedBy(file, urn) ? undefined : file;
  }

  /** With another organization, the file declares another project or team, and the next `up` gives up this one. */
  #isReplacedBy({ orgId }: AccessFile, urn: string): boolean {
    const { inputs, outputs } = this.#containerOf(urn) ?? {};
    const recorded = inputs?.orgId ?? outputs?.orgId;
    return orgId !== undefined && recorded !== undefined && orgId.toLowerCase() !== recorded;
  }

  /**
   * The file that declares the project or team of the resource by another key, so that the next `up` refuses to create it
   * again, and writes nothing.
   */
  renamedFileOf(urn: string): AccessFile | undefined {
    const container = this.#containerOf(urn);
    const { of } = treatmentOf(container?.type ?? "")?.inFile ?? {};
    if (container === undefined || (of !== "projects" && of !== "teams") || !this.#isOfFiles(urn)) return;
    const [own, files]: [string, readonly AccessFile[]] = [keyOf(urn), this.files[of]];
    if (files.some(({ key }) => key === own)) return undefined;
    const isKnown = (key: string) =>
      [...this.resources()].some((each) => each.type === container.type && keyOf(each.urn) === key);
    const { name: recorded, orgId } = container.outputs ?? {};
    const { placeId, name: inPlace } = splitId(container.id ?? "");
    const name = this.#names.get(of === "teams" ? inPlace : placeId) ?? recorded;
    return files.find(
      (file) =>
        "name" in file &&
        file.name === name &&
        (file.orgId === undefined || file.orgId.toLowerCase() === orgId) &&
        !("teamId" in file && file.teamId !== undefined) &&
        !isKnown(file.key),
    );
  }

  /** The files of projects and teams that the next `up` creates; several stacks may share the folder. */
  newFiles(): readonly { readonly kind: "project" | "team"; readonly file: AccessFile }[] {
    const [component, ...others] = this.#components;
    if (component === undefined || others.length > 0 || !this.#isRead || !this.isWhole) return [];
    const { select } = component.outputs ?? {};
    // What cannot be selected is a fault of the program.
    const own =
      select === undefined ? this.files : attempt(() => selectFiles(this.files, checkedAs(select), ""));
    const { projects = [], teams = [] } = own ?? {};
    const containers = [...this.resources()].filter(({ type }) => treatmentOf(type)?.isContainer);
    const known = new Set(
      containers.map(({ urn, type }) => `${treatmentOf(type)?.inFile?.of} ${keyOf(urn)}`),
    );
    const renamed = new Set(containers.map(({ urn }) => this.renamedFileOf(urn)));
    const isNew = (of: "projects" | "teams") => (file: AccessFile) =>
      !known.has(`${of} ${file.key}`) && !renamed.has(file);
    return [
      ...projects.filter(isNew("projects")).map((file) => ({ kind: "project" as const, file })),
      ...teams
        .filter(isNew("teams"))
        .flatMap((file) => (file.teamId === undefined ? { kind: "team" as const, file } : [])),
    ];
  }

  /** The project or team of a resource. */
  #containerOf(urn: string): StateResource | undefined {
    return this.resource(this.resource(urn)?.deletedWith ?? urn);
  }

  /**
   * @param names all by which the person is known
   * @param isInvited whether the access is an invitation, without a membership
   */
  fateOf(urn: string, names: readonly string[], isInvited = false): Fate {
    if (!this.#isOfFiles(urn)) return "elsewhere";
    const file = this.fileOf(urn);
    if (this.isDeletedWithFile(urn)) return "ends";
    if (file === undefined) return this.isWhole ? "released" : "faulty";
    if (isListed(names, file)) return "stays";
    const resource = this.resource(urn);
    if (resource === undefined) return "released";
    if (this.deletes(urn)) return isReleased(resource) ? "released" : "ends";
    // Then an edit changes nothing.
    if (ignoresPeople(resource)) return "ignored";
    if (!isLeft(file, names)) return "released";
    // Nobody else leaves whose entry leaves, so an entry that has ended is the only thing that ends an access that is back.
    const isDeclared = recordedBy(resource).some(
      (each) =>
        each.isDeclared &&
        each.names.some((name) => isOneOf(name, names)) &&
        (!isInvited || this.meansInvitation(urn, each)),
    );
    return isDeclared || removesUnlisted(file) ? "ends" : "ended";
  }

  /** Whether the next `up` deletes the team, or the project of the resource, because its file was deleted. */
  isDeletedWithFile(urn: string): boolean {
    const container = this.#containerOf(urn);
    const isDeleted = container?.outputs?.onDestroy === "delete" && container.retainOnDelete !== true;
    return isDeleted && this.isWhole && this.#isOfFiles(urn) && this.fileOf(urn) === undefined;
  }

  /** Whether what a resource records of a person means an invitation to the name: a list that knows the account means its own. */
  meansInvitation(urn: string, { userId, invitationId }: RecordedNames): boolean {
    return this.deletes(urn) || userId === undefined || this.#invitationIds.has(invitationId);
  }

  /** The places to which the stack has invited a person by an invitation that is gone. */
  placesOfGoneInvitations(names: readonly string[]): readonly LivePlace[] {
    const isGone = ({ userId, invitationId, names: recorded }: RecordedNames) =>
      userId === undefined &&
      invitationId !== undefined &&
      !this.#invitationIds.has(invitationId) &&
      recorded.some((name) => isOneOf(name, names));
    const inviting = [...this.#byUrn.values()].filter((resource) => recordedBy(resource).some(isGone));
    const ids = new Set(inviting.map(({ id = "" }) => splitId(id).placeId));
    return this.organizations.flatMap(({ places }) =>
      places.flatMap(({ place }) => (ids.has(place.id) ? place : [])),
    );
  }

  /** The resources of these files. */
  *resources(): Iterable<StateResource> {
    for (const [urn, resource] of this.#byUrn) if (this.#isOfFiles(urn)) yield resource;
  }

  *otherResources(): Iterable<StateResource> {
    for (const [urn, resource] of this.#byUrn) if (!this.#isOfFiles(urn)) yield resource;
  }

  /** The file that had the person at a place before its edit. Several stacks may share a folder. */
  formerFileOf({ in: kind, orgId, projectName, teamName }: AccessEntry, names: readonly string[]) {
    const { projects, teams, organizations } = this.before;
    const places: readonly AccessFile[] =
      kind === "project"
        ? projects.filter(({ name }) => name === projectName)
        : kind === "team"
          ? teams.filter(({ name }) => name === teamName)
          : organizations;
    return places.find(
      (file) => (file.orgId === undefined || file.orgId.toLowerCase() === orgId) && isListed(names, file),
    );
  }

  /** Whether the end of an access by this resource is its deletion, not that of an entry in its list. */
  deletes(urn: string): boolean {
    return listsOfPeople(partsOfUrn(urn).type).length === 0;
  }

  #isOfFiles(urn: string): boolean {
    return this.#isRead && partsOfUrn(urn).types.includes(`${ACCESS_FOLDER_TYPE}$`);
  }
}

/** The key of the file that has declared a resource. */
export function keyOf(urn: string): string {
  return logicalName(urn).split("/")[0] ?? "";
}

export function isReleased({ retainOnDelete, outputs }: StateResource): boolean {
  return retainOnDelete === true || outputs?.onDestroy === "release";
}

/** Whether a person who is no longer in the list of a file leaves: a list that the file lacks is released. */
export function isLeft(file: AccessFile, names: readonly string[]): boolean {
  if ("usernames" in file) return true;
  if (!("membership" in file) || file.membership !== "exclusive" || file.members === undefined) return false;
  const isIgnored = ignoredUsers(file.ignoreUsers ?? []);
  return !names.some((username) => isIgnored({ username }));
}

export function removesUnlisted(file: AccessFile): boolean {
  return "removeUnlisted" in file && file.removeUnlisted === true;
}

/**
 * What nobody declares ends by a list that removes whoever is not in it. What comes through a team ends with the place
 * in the team or with the roles of the team, what is below an organization with the place there unless something still
 * declares it, and a pending place in a team with the invitation to its organization.
 */
export function divided(
  known: SearchedPerson,
  declared: Declared,
  isRemoved: (entry: AccessEntry, known: KnownNames) => boolean,
): Divided {
  const { person, names, taken } = known;
  const access = (person?.access ?? []).filter(({ status }) => status !== "ended");
  // An invitation beside a membership goes with it.
  const isMember = (urn: string) =>
    access.some(({ status, declaredBy }) => status === "active" && declaredBy?.includes(urn));
  const fates = (entry: AccessEntry) =>
    entry.declaredBy?.map((urn) =>
      declared.fateOf(urn, [...names, ...taken], entry.status === "pending" && !isMember(urn)),
    );
  const ends = (entry: AccessEntry) => {
    const all = fates(entry) ?? [];
    if (all.length > 0) return all.every((fate) => fate === "ends");
    return isRemoved(entry, known);
  };
  const left = access.filter((entry) => entry.in === "organization" && ends(entry));
  const endsWithOrganization = (entry: AccessEntry) =>
    isBelow(entry) &&
    fates(entry)?.every((fate) => fate === "ends" || fate === "released" || fate === "ended") === true &&
    left.some(
      ({ orgId, status }) =>
        orgId === entry.orgId && (status === "active" || (entry.in === "team" && entry.status === "pending")),
    );
  const isOver = (entry: AccessEntry) => ends(entry) || endsWithOrganization(entry);
  const leaving = new Set(
    access.filter((entry) => entry.in === "team" && isOver(entry)).map(({ teamId }) => teamId),
  );
  const isEnding = (entry: AccessEntry) =>
    isThroughTeam(entry) ? leaving.has(entry.teamId) || isRemoved(entry, known) : isOver(entry);
  return {
    ending: access.filter(isEnding),
    left: access
      .filter((entry) => !isEnding(entry))
      .map((entry) => ({
        ...entry,
        howToEnd: howToEnd(entry, fates(entry), declared.formerFileOf(entry, names)?.file),
      })),
  };
}

/** In a project or team of an organization that was read. */
function isBelow({ in: place, isOutside }: AccessEntry): boolean {
  return (place === "project" || place === "team") && isOutside !== true;
}

export function isThroughTeam({ in: place, teamId }: AccessEntry): boolean {
  return place === "project" && teamId !== undefined;
}

/** Whom a reader asks, or what to change. */
function howToEnd(
  entry: AccessEntry,
  fates: readonly Fate[] | undefined,
  formerFile: string | undefined,
): string {
  const { in: place, isOutside, declaredBy = [], status, teamName, teamId } = entry;
  const isInvited = status === "pending";
  const remove = isInvited ? "Delete the invitation in the service" : "Remove the person in the service";
  if (place === "service" || isOutside) return "An administrator of the service can end it.";
  if (isThroughTeam(entry)) return `It ends with the place in team ${withId(teamName, teamId)}.`;
  if (fates === undefined)
    return `It is unknown what declares it. ${remove}, and take the person out of what declares it.`;
  const by = (wanted: Fate) =>
    declaredBy
      .filter((_, index) => fates[index] === wanted)
      .map(resourceText)
      .join(", ");
  const [stays, elsewhere, ignored] = [by("stays"), by("elsewhere"), by("ignored")];
  const [released, ended, faulty] = [by("released"), by("ended"), by("faulty")];
  if (stays !== "") return `Declared by ${stays}, whose file still lists the person.`;
  if (elsewhere !== "") return `Declared by ${elsewhere}: take the person out there.`;
  if (ignored !== "")
    return `Declared by ${ignored}, whose option ignoreChanges leaves its people as they are. Take the option away and run pulumi up, or: ${remove}.`;
  if (faulty !== "") return `Declared by ${faulty}, whose file has a fault.`;
  if (released !== "") return `The next up releases ${released} and leaves the access. ${remove} afterwards.`;
  if (ended !== "") {
    const why =
      entry.until === undefined
        ? `${ended} did not give it`
        : `It ended on its last day by ${ended}, and somebody brought it back`;
    return `${why}. Without the entry, the next up leaves it. ${remove}.`;
  }
  if (formerFile !== undefined)
    return `${formerFile} listed it, and the stack does not declare it. If another stack does, run pulumi up there. Otherwise: ${remove}.`;
  // Of all versions of Ops Manager, only Cloud Manager offers an operation that removes a member.
  const limit = place === "organization" && !isInvited ? ", whose API may not offer that" : "";
  return `Nothing declares it. ${remove}${limit}.`;
}

/** How messages name the place of an access. */
export function placeText(entry: AccessEntry): string {
  const { in: place, orgId, orgName, projectId, projectName, teamId, teamName } = entry;
  switch (place) {
    case "service":
      return "global roles";
    case "organization":
      return organizationText({ orgId, orgName });
    case "team":
      return `team ${withId(teamName, teamId)}`;
    case "project":
      return `project ${withId(projectName, projectId)}${teamId === undefined ? "" : ` through team ${withId(teamName, teamId)}`}`;
  }
}
