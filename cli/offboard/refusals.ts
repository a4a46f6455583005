/** What the next update refuses of the ends that edited files declare, by the rules of the provider. Pure. */
import { OWNER_ROLE, OWNER_ROLES } from "../../provider/access/person";
import { effectiveRemovals } from "../../provider/resources/contract/removal-settings";
import type { OrganizationAccess, ReadPlace } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import type { AccessEntry } from "../lib/access/report";
import type { SearchedPerson } from "../lib/access/search";
import { withId } from "../lib/organization";
import { resourceText } from "../lib/own-resources";
import { counted } from "../lib/terminal";
import { type Declared, type Divided, type Fate, isThroughTeam, keyOf, placeText } from "./left";
import { type NextUp, type Present, placeOfEntry } from "./next-up";

/** What is refused, and why and what to do, as sentences. */
export type Refusal = Unread;

export interface Leaver extends SearchedPerson, Divided {}

export interface Refusals {
  readonly refused: readonly Refusal[];
  /** What only the next `up` shows. */
  readonly unknown: readonly Unread[];
}

interface Service {
  readonly organizations: readonly OrganizationAccess[];
  readonly declared: Declared;
  readonly nextUp: NextUp;
  readonly maxRemovalsPerRun: number;
  /** Of all services, Cloud Manager alone documents how to remove people from an organization. */
  readonly isCloudManager: boolean;
}

export function refusalsOf(leaver: Leaver, service: Service): Refusals {
  const own = leaver.ending
    .map((entry) => ({ ...entry, declaredBy: endedBy(entry, leaver, service) }))
    .filter((entry) => !isThroughTeam(entry) && entry.declaredBy.length > 0);
  const all = own.flatMap((entry) => [
    ofLast(entry, leaver, service),
    entry.in === "organization" ? ofOrganization(entry, leaver, service) : NONE,
  ]);
  const refused = [
    ...own.flatMap((entry) => ofRenamed(entry, service)),
    ...own.flatMap((entry) => ofList(entry, service)),
    ...all.flatMap((each) => each.refused),
    ...own.flatMap((entry) => ofOptions(entry, service)),
    ...(own.length > 0 ? ofRun(service) : []),
  ];
  const isRefused = new Set(all.flatMap((each) => each.refused.map(({ what }) => what)));
  return {
    refused,
    unknown: all.flatMap((each) => each.unknown).filter(({ what }) => !isRefused.has(what)),
  };
}

/** The resources that end an access. */
function endedBy(entry: AccessEntry, leaver: Leaver, { nextUp }: Pick<Service, "nextUp">): readonly string[] {
  const { declaredBy = [] } = entry;
  return declaredBy.length > 0 ? declaredBy : nextUp.removersOf(entry, leaver);
}

const NONE: Refusals = { refused: [], unknown: [] };

/** Who stays, because nobody else would own the place, or be in the team. */
function ofLast(entry: AccessEntry, leaver: Leaver, { declared, nextUp }: Service): Refusals {
  const { in: kind, status, roles, declaredBy: [urn = ""] = [] } = entry;
  if (status !== "active" || kind === "service" || declared.isDeletedWithFile(urn)) return NONE;
  const role = kind === "team" ? undefined : OWNER_ROLES[kind];
  if (role !== undefined && !roles.includes(role)) return NONE;
  const place = placeOfEntry(entry);
  const isOther = ({ userId = "" }: Present) => !leaver.userIds.includes(userId);
  if (!nextUp.isRead(place) || nextUp.staying(place, role).some(isOther)) return NONE;
  const file = declared.fileOf(urn);
  const next = nextUp.named(file, role);
  const [what, name] = [placeText(entry), leaver.names[0] ?? ""];
  const last = kind === "team" ? "Nobody else stays in it" : `${name} is its last direct owner`;
  if (next.length > 0) {
    const reason = `${last}, so the person stays until ${next.join(" or ")} is in it: whoever is invited counts after accepting.`;
    return { refused: [], unknown: [{ what, reason }] };
  }
  const where = file?.file ?? "its file";
  const advice = `${role === undefined ? `Name another person in ${where}` : `Give ${role} to another member in ${where}`} first.`;
  // A list keeps the last owner of a project itself. Otherwise the service decides, and some let go whoever owns it last.
  if (kind === "project" && declared.deletes(urn))
    return {
      refused: [],
      unknown: [{ what, reason: `${last}, and some versions of the service keep that one. ${advice}` }],
    };
  return { refused: [{ what, reason: `${last}. ${advice}` }], unknown: [] };
}

function directOwners({ lists: { people = [] } }: ReadPlace) {
  return people.filter(({ status, roles }) => status === "active" && roles.includes(OWNER_ROLE));
}

function ofOrganization(
  entry: AccessEntry,
  leaver: Leaver,
  { organizations, declared, nextUp, isCloudManager }: Service,
): Refusals {
  const organization = organizations.find(({ orgId }) => orgId === entry.orgId);
  if (entry.status !== "active" || organization === undefined) return NONE;
  const { orgId, places } = organization;
  const what = placeText(entry);
  // What ends by a resource of its own is judged there.
  const below = [
    ...leaver.left,
    ...leaver.ending.filter((entry) => endedBy(entry, leaver, { nextUp }).length === 0),
  ].filter((each) => each.in !== "organization" && each.orgId === orgId && !isThroughTeam(each));
  const urns = [...new Set(below.flatMap(({ declaredBy = [] }) => declaredBy))];
  const declaring = (fate: Fate) =>
    urns.filter((urn) => declared.fateOf(urn, leaver.names) === fate).map(resourceText);
  const [inFiles, ignored, elsewhere] = [declaring("stays"), declaring("ignored"), declaring("elsewhere")];
  const owned = places.filter((each) => {
    const all = each.place.kind === "project" ? directOwners(each) : [];
    const isLeft = below.some(({ projectId }) => projectId === each.place.id);
    return isLeft && all.length > 0 && all.every(({ userId = "" }) => leaver.userIds.includes(userId));
  });
  const refused = [
    ...(inFiles.length === 0 ? [] : [`The files still declare the person below it: ${inFiles.join(", ")}.`]),
    ...ignored.map(
      (each) =>
        `${each} still declares the person below it, by its option ignoreChanges. Take the option away.`,
    ),
    ...owned.map(
      ({ place: { id, name } }) =>
        `${leaver.names[0]} is the last direct owner of project ${withId(name, id)}. Give GROUP_OWNER to another member there first.`,
    ),
  ].map((reason) => ({ what, reason }));
  const unknown = [
    ...(elsewhere.length === 0
      ? []
      : [`The person stays while the program declares them below it: ${elsewhere.join(", ")}.`]),
    ...(isCloudManager
      ? []
      : [
          "Only Cloud Manager documents how to remove people from an organization. If the next up fails there, remove the person in the service's web interface and run it again.",
        ]),
  ].map((reason) => ({ what, reason }));
  return { refused, unknown };
}

/** A project or team whose file was renamed without its key is declared as a new one, whose name is taken. */
function ofRenamed(entry: AccessEntry, { declared }: Service): Refusal[] {
  const [urn = ""] = entry.declaredBy ?? [];
  const file = declared.renamedFileOf(urn);
  if (file === undefined) return [];
  const reason = `${file.file} declares it without its key, so the next up would create it again. Write key: ${keyOf(urn)} into that file.`;
  return [{ what: placeText(entry), reason }];
}

/** How many leave a list at once, whoever took them out. */
function ofList(entry: AccessEntry, { declared, nextUp }: Service): Refusal[] {
  return (entry.declaredBy ?? []).flatMap((urn) => {
    const [resource, file] = [declared.resource(urn), declared.fileOf(urn)];
    if (resource === undefined || file === undefined || declared.deletes(urn)) return [];
    const leaving = nextUp.removedBy(resource);
    const { maxRemovals } = effectiveRemovals("membership" in file || "usernames" in file ? file : {});
    if (leaving.length <= maxRemovals) return [];
    const reason = `${counted(leaving.length, "person leaves", "people leave")} its list, and maxRemovals allows ${maxRemovals}. Set maxRemovals: ${leaving.length} in ${file.file} for this run.`;
    return [{ what: placeText(entry), reason }];
  });
}

/** The engine deletes no resource with the option. */
function ofOptions(entry: AccessEntry, { declared }: Service): Refusal[] {
  return (entry.declaredBy ?? [])
    .filter((urn) => declared.resource(urn)?.protect && declared.deletes(urn))
    .map((urn) => ({
      what: placeText(entry),
      reason: `${resourceText(urn)} has the option protect, so the engine does not delete it. Take the option away, and run pulumi up.`,
    }));
}

function ofRun({ nextUp, maxRemovalsPerRun: most }: Service): Refusal[] {
  const count = nextUp.removals().size;
  if (count <= most) return [];
  const reason = `It would make ${counted(count, "removal")}, and the setting maxRemovalsPerRun allows ${most}. Run pulumi config set opsmanager:maxRemovalsPerRun ${count}.`;
  return [{ what: "the run", reason }];
}
