/** What the next update refuses whoever leaves, by the rules of the provider: a failed update deletes nothing else. Pure. */
import { foldName, OWNER_ROLE, OWNER_ROLES } from "../../provider/access/person";
import { checkedAs } from "../../provider/resources/contract/border";
import { textIn } from "../../provider/resources/contract/declared";
import { recordedPeople } from "../../provider/resources/contract/people-outputs";
import { effectiveRemovals } from "../../provider/resources/contract/removal-settings";
import { isList, type Properties } from "../../provider/resources/contract/values";
import { resolve } from "../../provider/resources/people/resolve";
import type { Settings } from "../../provider/settings/config";
import { splitId } from "../../provider/text/object-id";
import { ownerOf } from "../lib/access/judge";
import type { LivePlace } from "../lib/access/live";
import type { OrganizationAccess, ReadPlace } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import { withId } from "../lib/organization";
import {
  foundBy,
  ignores,
  ignoresPeople,
  listsOfPeople,
  ownKindOf,
  resourceText,
  treatmentOf,
} from "../lib/own-resources";
import type { StateResource } from "../lib/stack-export";
import { counted } from "../lib/terminal";
import { type AccessFile, isListed, namesIn } from "./files";
import { type Declared, keyOf } from "./left";
import type { NextUp, Present } from "./next-up";

/** What, and why and what to do, as sentences. */
export interface Refusals {
  readonly refused: readonly Unread[];
  /** What only the next `up` shows. */
  readonly unknown: readonly Unread[];
}

export interface Facts {
  readonly organizations: readonly OrganizationAccess[];
  readonly declared: Declared;
  readonly nextUp: NextUp;
  readonly settings: Settings;
}

interface Failure {
  readonly reason: string;
  /** The service decides, or the order in which the engine comes to the resources. */
  readonly isUnsure?: boolean;
}

export function failuresOf(facts: Facts): Refusals {
  const places = facts.organizations.flatMap((each) => each.places);
  const live = new Set(places.map(({ place }) => ownerOf(place)));
  const gone = [...facts.declared.resources()].flatMap((resource) => {
    const place = placeOfContainer(resource);
    return place === undefined || live.has(ownerOf(place)) ? [] : { place };
  });
  const inPlaces = [...places, ...gone].flatMap(({ place }) => {
    const own = facts.nextUp.resourcesIn(ownerOf(place)).map((resource) => {
      return { resource, place, file: facts.declared.fileOf(resource.urn) };
    });
    const all = [
      ...own.flatMap((each) => ofList(each, places, facts)),
      ...ofLast(place, facts),
      ...own.flatMap((each) => [
        ...ofTeam(each, facts),
        ...ofDeletion(each, places, facts),
        ...ofContainer(each, places, facts),
        ...ofOptions(each.resource, facts),
      ]),
    ];
    return all.map((failure) => ({ what: `${place.kind} ${withId(place.name, place.id)}`, ...failure }));
  });
  const all = [...inPlaces, ...ofNew(places, facts), ...ofRun(facts)];
  const [unknown = [], refused = []] = [true, false].map((wanted) =>
    all.filter(({ isUnsure = false }) => isUnsure === wanted).map(({ what, reason }) => ({ what, reason })),
  );
  return { refused, unknown };
}

/** The project or team that a resource is itself, as the last update has recorded it. */
function placeOfContainer({ type, outputs, id = "" }: StateResource): LivePlace | undefined {
  const treatment = treatmentOf(type);
  const [{ placeId, name: inPlace }, recorded] = [splitId(id), checkedAs<Properties>(outputs ?? {})];
  const [name = "", orgId] = [textIn(recorded, "name"), textIn(recorded, "orgId")];
  if (!treatment?.isContainer || orgId === undefined) return undefined;
  return treatment.belongsTo === "team"
    ? { kind: "team", id: inPlace, name, orgId }
    : { kind: "project", id: placeId, name, orgId };
}

/** A resource of the files. */
interface Declaring {
  readonly resource: StateResource;
  readonly place: LivePlace;
  readonly file: AccessFile | undefined;
}

/** A list, before anybody leaves: how many do at once, whoever took them out, and whom its names mean. */
function ofList(
  { resource, place, file }: Declaring,
  places: readonly ReadPlace[],
  { declared, nextUp }: Facts,
): Failure[] {
  const [property] = listsOfPeople(resource.type);
  if (property === undefined || file === undefined) return [];
  const failures: Failure[] = [];
  const leaving = nextUp.removedBy(resource);
  const { maxRemovals } = effectiveRemovals("membership" in file || "usernames" in file ? file : {});
  if (leaving.length > maxRemovals) {
    const count = counted(leaving.length, "person leaves", "people leave");
    const reason = `${count} its list, and maxRemovals allows ${maxRemovals}. Set maxRemovals: ${leaving.length} in ${file.file} for this run.`;
    failures.push({ reason });
  }
  if (ignoresPeople(resource)) return failures;
  const recorded = recordedPeople(foundBy(resource.type, resource.outputs ?? {}));
  const { twice, missing } = resolve(namesIn(file), nextUp.present(ownerOf(place)), recorded);
  for (const [one, other] of twice) {
    const reason = `${property} in ${file.file} names one person twice, as ${one} and as ${other}. Remove one of the names.`;
    failures.push({ reason });
  }
  const added = nextUp.isContradicted(ownerOf(place), file) ? nextUp.lasting(file, missing) : [];
  if (added.length > 0) {
    const reason = `Logins by LDAP add people to it, so without ignoreUsers, ${file.file} cannot add ${added.join(", ")}. Set ignoreUsers, or take the names out.`;
    failures.push({ reason });
  }
  const accounts = places
    .filter((each) => place.kind === "team" && each.place.id === place.orgId)
    .flatMap(({ lists: { people = [] } }) => people.filter(({ status = "active" }) => status === "active"));
  const isThere = new Set(accounts.map(({ username }) => foldName(username)));
  for (const name of accounts.length === 0 ? [] : nextUp.lasting(file, missing)) {
    if (isThere.has(foldName(name))) continue;
    const isUnsure = declared.files.organizations.some((each) => isListed([name], each));
    const reason = `${property} in ${file.file} names ${name}, who has no account in the organization${isUnsure ? " yet" : ""}, and then nothing in it changes. Take the name out until the person has accepted an invitation.`;
    failures.push({ reason, isUnsure });
  }
  return failures;
}

/** Who stays, because nobody else would own the place, or be in the team. */
function ofLast(place: LivePlace, { declared, nextUp }: Facts): Failure[] {
  const [owner, kind] = [ownerOf(place), place.kind];
  const role = kind === "team" ? undefined : OWNER_ROLES[kind];
  const counts = ({ isActive, roles }: Present) => isActive && (role === undefined || roles.includes(role));
  const ending = nextUp.endingIn(owner, role);
  const by = nextUp
    .resourcesIn(owner)
    .filter((each) => !declared.isDeletedWithFile(each.urn))
    .find(
      (each) => nextUp.removedBy(each).some(counts) || (ending.length > 0 && !declared.deletes(each.urn)),
    );
  if (by === undefined || nextUp.staying(owner, role).length > 0) return [];
  const file = declared.fileOf(by.urn);
  const [where, next] = [file?.file ?? "its file", nextUp.named(file, role)];
  const advice = `${role === undefined ? `Name another person in ${where}` : `Give ${role} to another member in ${where}`} first.`;
  // A list removes whoever's last day is over after everybody else.
  const isOver = ending.length > 0 && !declared.deletes(by.urn);
  const lastOnes = isOver ? ending : nextUp.removedFrom(owner).filter(counts);
  const names = lastOnes.map(({ username }) => username).join(" or ");
  const [name, last] = [
    isOver ? `${names}, whose last day is over,` : names,
    kind === "team" ? "the last person in it" : "its last direct owner",
  ];
  if (next.length > 0) {
    const reason = `${name} stays as ${last} until ${next.join(" or ")} is in it: whoever is invited counts after accepting.`;
    return [{ reason, isUnsure: true }];
  }
  if (kind === "team" || (kind === "project" && declared.deletes(by.urn))) {
    const reason = `${name} is ${last}, and some versions of the service keep that one. ${advice}`;
    return [{ reason, isUnsure: true }];
  }
  return [{ reason: `${name} is ${last}. ${advice}` }];
}

/** A team that loses its roles. Where owners by a team count, the service keeps the last one. */
function ofTeam({ resource, place }: Declaring, { nextUp }: Facts): Failure[] {
  const roles = checkedAs<Properties>(resource.inputs ?? {}).roles;
  const owns = place.kind === "project" && isList(roles) && roles.includes(OWNER_ROLE);
  if (!owns || nextUp.endOf(resource) === undefined || nextUp.staying(place.id, OWNER_ROLE).length > 0)
    return [];
  const reason = `No direct owner is left when ${resourceText(resource.urn)} takes ${OWNER_ROLE} away, and some versions of the service refuse that. Give it to a member first.`;
  return [{ reason, isUnsure: true }];
}

/** A project or team that goes with its file, but would take along what is still declared, or what nobody declares. */
function ofDeletion(
  { resource, place }: Declaring,
  places: readonly ReadPlace[],
  { declared, nextUp }: Facts,
): Failure[] {
  const { urn, type } = resource;
  if (!treatmentOf(type)?.isContainer || !declared.isDeletedWithFile(urn)) return [];
  const others = [...declared.otherResources()].filter((other) => ownKindOf(other.type) !== undefined);
  if (place.kind === "project") {
    const within = others.filter(({ id = "" }) => splitId(id).placeId === place.id);
    const names = within.map((each) => resourceText(each.urn)).join(", ");
    const reason = `Its file was deleted, and the project stays while the program declares in it: ${names}.`;
    return within.length === 0 ? [] : [{ reason, isUnsure: true }];
  }
  const isGrant = ({ id = "" }: StateResource) => splitId(id).name === place.id;
  const ends = (each: StateResource) =>
    (isGrant(each) && nextUp.endOf(each) !== undefined) || declared.isDeletedWithFile(each.urn);
  return places
    .filter(({ lists: { teams = [] } }) => teams.some(({ teamId }) => teamId === place.id))
    .filter(({ place: { id } }) => !nextUp.resourcesIn(id).some(ends))
    .map(({ place: { id, name } }) => ({
      reason: `Its file was deleted, but project ${withId(name, id)} still has it. Take it out of the project first.`,
      isUnsure: others.some((each) => isGrant(each) && splitId(each.id ?? "").placeId === id),
    }));
}

/** The project or the team itself, on which its people depend. */
function ofContainer(
  { resource, place, file }: Declaring,
  places: readonly ReadPlace[],
  { declared, nextUp }: Facts,
): Failure[] {
  const { urn, type, inputs = {} } = resource;
  if (!treatmentOf(type)?.isContainer || file === undefined || !("name" in file)) return [];
  if (declared.renamedFileOf(urn) !== undefined) {
    const reason = `${file.file} declares it without its key, so the next up would create it again. Write key: ${keyOf(urn)} into that file.`;
    return [{ reason }];
  }
  const failures: Failure[] = [];
  const rivals = named(file.name, place.kind, orgOf(place), places).filter(({ id }) => id !== place.id);
  const isGone = !places.some((each) => ownerOf(each.place) === ownerOf(place));
  if ((isGone || file.name !== place.name) && rivals.length > 0 && !ignores(resource)("name")) {
    const isGivenUp = rivals.every((rival) => nextUp.getsOtherName(rival));
    const isUnsure = isGivenUp || (place.kind === "project" && !isGone);
    const unsure = isGivenUp
      ? " until the next up renames it, perhaps too late"
      : ", and some versions of the service refuse that";
    const again = isGone ? "It is gone, and the next up would create it again. " : "";
    const reason = `${again}${file.file} gives it the name ${file.name}, which ${rivals.map(({ id }) => id).join(", ")} has${isUnsure ? unsure : ""}. Give one of them another name.`;
    failures.push({ reason, isUnsure });
  }
  const orgId = file.orgId?.toLowerCase() ?? inputs.orgId;
  // With another organization than before, another project replaces it.
  if (place.kind === "project" && orgId && orgId === inputs.orgId && orgId !== place.orgId) {
    const reason = `It is in organization ${place.orgId}, and ${file.file} declares it in ${orgId}. Move it back, or correct the file.`;
    failures.push({ reason });
  }
  return failures;
}

/** A new project or team, whose name another one has. */
function ofNew(places: readonly ReadPlace[], { declared, settings, nextUp }: Facts) {
  return declared.newFiles().flatMap(({ kind, file }) => {
    if (!("name" in file)) return [];
    const { name, orgId = settings.orgId } = file;
    const rivals = named(name, kind, orgId?.toLowerCase(), places);
    if (rivals.length === 0) return [];
    const ids = rivals.map(({ id }) => id).join(", ");
    const reason = `${file.file} is new to the stack, and ${ids} has the name already, so the next up creates nothing. Import that ${kind} (see opsmanager adopt), or choose another name.`;
    return [
      { what: `${kind} ${name}`, reason, isUnsure: rivals.every((each) => nextUp.getsOtherName(each)) },
    ];
  });
}

/** The projects or teams of an organization that have a name. */
function named(
  name: string,
  kind: LivePlace["kind"],
  orgId: string | undefined,
  places: readonly ReadPlace[],
): readonly LivePlace[] {
  return places
    .map(({ place }) => place)
    .filter((place) => place.kind === kind && place.name === name && orgOf(place) === orgId);
}

function orgOf(place: LivePlace): string | undefined {
  return place.kind === "organization" ? place.id : place.orgId;
}

/** The engine deletes no resource with the option. */
function ofOptions(resource: StateResource, { declared, nextUp }: Facts): Failure[] {
  const { urn, protect, deletedWith = "" } = resource;
  const isOfFile = declared.fileOf(urn) === undefined && declared.resource(deletedWith)?.protect === true;
  if (!protect || isOfFile || !nextUp.isDropped(resource)) return [];
  const reason = `${resourceText(urn)} has the option protect, so the engine does not delete it. Take the option away, and run pulumi up.`;
  return [{ reason }];
}

function ofRun({ nextUp, settings: { maxRemovalsPerRun: most } }: Facts): (Failure & { what: string })[] {
  const count = nextUp.removals().size;
  if (count <= most) return [];
  const reason = `It would make ${counted(count, "removal")}, and the setting maxRemovalsPerRun allows ${most}. Run pulumi config set opsmanager:maxRemovalsPerRun ${count}.`;
  return [{ what: "the run", reason }];
}
