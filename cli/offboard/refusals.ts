/** What the next update refuses of the ends that edited files declare, by the rules of the provider. Pure. */
import { ownersIn } from "../../projects/owners";
import { OWNER_ROLE, OWNER_ROLES, sameName } from "../../provider/access/person";
import { recordedPeople } from "../../provider/resources/contract/people-outputs";
import { effectiveRemovals } from "../../provider/resources/contract/removal-settings";
import type { OrganizationAccess } from "../lib/access/read";
import type { Unread } from "../lib/access/reading";
import type { AccessEntry } from "../lib/access/report";
import type { SearchedPerson } from "../lib/access/search";
import { withId } from "../lib/organization";
import { foundBy, resourceText } from "../lib/own-resources";
import type { ProjectAccess } from "../lib/project-access";
import { counted } from "../lib/terminal";
import { isListed } from "./files";
import { type Declared, type Divided, type Fate, isThroughTeam, placeText } from "./left";

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
  readonly maxRemovalsPerRun: number;
  /** Of all services, Cloud Manager alone documents how to remove people from an organization. */
  readonly isCloudManager: boolean;
}

/** @param leavers all who leave in one run */
export function refusalsOf(leaver: Leaver, leavers: readonly Leaver[], service: Service): Refusals {
  const own = leaver.ending.filter((entry) => !isThroughTeam(entry));
  const all = own.map((entry) => {
    if (entry.in === "organization") return ofOrganization(entry, leaver, leavers, service);
    const limits = ofList(entry, service);
    const owners = entry.in === "project" ? ofProject(entry, leaver, leavers, service) : NONE;
    return { refused: [...limits, ...owners.refused], unknown: owners.unknown };
  });
  const refused = [
    ...all.flatMap((each) => each.refused),
    ...own.flatMap((entry) => ofOptions(entry, service)),
    ...(own.length > 0 ? ofRun(leavers, service) : []),
  ];
  return { refused, unknown: all.flatMap((each) => each.unknown) };
}

const NONE: Refusals = { refused: [], unknown: [] };

function ofProject(
  entry: AccessEntry,
  leaver: Leaver,
  leavers: readonly Leaver[],
  { organizations, declared }: Service,
): Refusals {
  const project = organizations
    .flatMap(({ projects }) => projects)
    .find(({ projectId }) => projectId === entry.projectId);
  const owners = directOwners(project);
  const isEnding: readonly (string | undefined)[] = [
    ...leavers
      .filter(({ ending }) =>
        ending.some((each) => each.projectId === entry.projectId && !isThroughTeam(each)),
      )
      .flatMap(({ userIds }) => userIds),
    ...(entry.declaredBy ?? []).flatMap((urn) => leavingList(urn, declared).map(({ userId }) => userId)),
  ];
  const isLast =
    owners.some(({ userId = "" }) => leaver.userIds.includes(userId)) &&
    owners.every(({ userId }) => isEnding.includes(userId));
  if (entry.status !== "active" || !isLast) return NONE;
  const members = (project?.people ?? []).filter(({ status }) => status === "active");
  return withoutOwner(entry, { role: OWNER_ROLES.project, leaver, members, declared });
}

function directOwners(project: ProjectAccess | undefined) {
  return (project?.people ?? []).filter(
    ({ status, roles }) => status === "active" && roles.includes(OWNER_ROLE),
  );
}

interface Ownerless {
  readonly role: string;
  readonly leaver: Leaver;
  /** Whoever is there, and can become an owner at once. */
  readonly members: readonly { readonly username: string }[];
  readonly declared: Declared;
}

function withoutOwner(entry: AccessEntry, { role, leaver, members, declared }: Ownerless): Refusals {
  const [urn = ""] = entry.declaredBy ?? [];
  const file = declared.fileOf(urn);
  const next = ownersIn(file && "members" in file ? file.members : undefined, role);
  if (next.some((name) => members.some(({ username }) => sameName(username, name)))) return NONE;
  const [what, name] = [placeText(entry), leaver.names[0] ?? ""];
  if (next.length > 0) {
    const reason = `${name} is its last direct owner, and stays until ${next.join(" or ")} is in it: whoever is invited counts after accepting.`;
    return { refused: [], unknown: [{ what, reason }] };
  }
  const reason = `${name} is its last direct owner. Give ${role} to another member in ${file?.file ?? "its file"} first.`;
  return { refused: [{ what, reason }], unknown: [] };
}

function ofOrganization(
  entry: AccessEntry,
  leaver: Leaver,
  leavers: readonly Leaver[],
  { organizations, declared, isCloudManager }: Service,
): Refusals {
  const organization = organizations.find(({ orgId }) => orgId === entry.orgId);
  if (entry.status !== "active" || organization === undefined) return NONE;
  const { orgId, people = [], projects } = organization;
  const what = placeText(entry);
  const role = OWNER_ROLES.organization;
  const owners = people.filter(({ roles = [] }) =>
    roles?.some((each) => each.roleName === role && each.orgId === orgId),
  );
  const leaving = leavers
    .filter(({ ending }) => ending.some((each) => each.in === "organization" && each.orgId === orgId))
    .flatMap(({ userIds }) => userIds);
  const isLast =
    owners.some(({ id }) => leaver.userIds.includes(id)) && owners.every(({ id }) => leaving.includes(id));
  const ofOwners = isLast ? withoutOwner(entry, { role, leaver, members: people, declared }) : NONE;
  const below = leaver.left.filter(
    (each) => each.in !== "organization" && each.orgId === orgId && !isThroughTeam(each),
  );
  const urns = [...new Set(below.flatMap(({ declaredBy = [] }) => declaredBy))];
  const declaring = (fate: Fate) =>
    urns.filter((urn) => declared.fateOf(urn, leaver.names) === fate).map(resourceText);
  const [inFiles, elsewhere] = [declaring("stays"), declaring("elsewhere")];
  const owned = projects.filter((project) => {
    const all = directOwners(project);
    const isLeft = below.some(({ projectId }) => projectId === project.projectId);
    return isLeft && all.length > 0 && all.every(({ userId = "" }) => leaver.userIds.includes(userId));
  });
  const refused = [
    ...(inFiles.length === 0 ? [] : [`The files still declare the person below it: ${inFiles.join(", ")}.`]),
    ...owned.map(
      ({ projectId, name }) =>
        `${leaver.names[0]} is the last direct owner of project ${withId(name, projectId)}. Give GROUP_OWNER to another member there first.`,
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
  return {
    refused: [...ofOwners.refused, ...refused],
    unknown: [...ofOwners.unknown, ...(ofOwners.refused.length + refused.length > 0 ? [] : unknown)],
  };
}

/** Everyone whom a list has declared and its file does not name, whoever took them out. */
function leavingList(urn: string, declared: Declared) {
  const [resource, file] = [declared.resource(urn), declared.fileOf(urn)];
  if (resource === undefined || file === undefined) return [];
  return recordedPeople(foundBy(resource.type, resource.outputs ?? {})).filter(
    ({ declared: isDeclared, username, declaredAs = username }) =>
      isDeclared && !isListed([username, declaredAs], file),
  );
}

/** How many leave a list at once, the person among them. */
function ofList(entry: AccessEntry, { declared }: Service): Refusal[] {
  return (entry.declaredBy ?? []).flatMap((urn) => {
    const [leaving, file] = [leavingList(urn, declared), declared.fileOf(urn)];
    if (file === undefined) return [];
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

/** Whoever leaves an organization leaves what is below it, and each place counts. */
function ofRun(leavers: readonly Leaver[], { maxRemovalsPerRun: most }: Service): Refusal[] {
  const places = leavers.flatMap(({ ending, left, names: [name], userIds: [who = name] }) => {
    const from = new Set(ending.flatMap((each) => (each.in === "organization" ? [each.orgId] : [])));
    return [...ending, ...left.filter(({ orgId }) => from.has(orgId))]
      .filter((entry) => !isThroughTeam(entry))
      .map((entry) => `${who} in ${placeText(entry)}`);
  });
  const count = new Set(places).size;
  if (count <= most) return [];
  const reason = `It would make ${counted(count, "removal")}, and the setting maxRemovalsPerRun allows ${most}. Run pulumi config set opsmanager:maxRemovalsPerRun ${count}.`;
  return [{ what: "the run", reason }];
}
