/**
 * Which resources of a stack declare a person, a team or an API key, and with which roles. Pure.
 */

import { type Identity, sameName } from "../../../provider/access/person";
import { type Access, isSameHolder } from "../../../provider/access/places";
import { toProperties } from "../../../provider/resources/contract/border";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { recordsIn, textIn } from "../../../provider/resources/contract/declared";
import { propertiesRead } from "../../../provider/resources/contract/read-marker";
import { withoutAddedRole } from "../../../provider/resources/contract/roles";
import { isEnded, withoutMark } from "../../../provider/resources/contract/until";
import { inOrder, isRecord, type Properties } from "../../../provider/resources/contract/values";
import { splitId } from "../../../provider/text/object-id";
import { recordedEndsOf, untilOf } from "../ends";
import { overdueOf } from "../last-day";
import { kindOf, logicalName, type MappingProperty, resourceOf } from "../own-resources";
import { Ownership } from "../ownership";
import type { StateResource } from "../stack-export";
import type { AccessEntry } from "./report";

type Owners = Ownership;
type PersonIn = Parameters<Owners["peopleOwned"]>[1][number];
type KeyIn = Parameters<Owners["ownsKey"]>[1];

/** The last day of an access that a resource declares, and what became of it. */
type EndOfEntry = Pick<AccessEntry, "until" | "endedAt" | "overdueSince" | "overdueReason">;

/** What the resources of the state declare of one access. */
export interface Declaration extends EndOfEntry {
  /** The URNs of the resources that declare it, or its end if none does; `undefined` if that is unknown. */
  readonly declaredBy: readonly string[] | undefined;
  /** The declared roles, sorted, if the live ones differ. */
  readonly declaredRoles: readonly string[] | undefined;
  /** The state does not show the declared roles. */
  readonly areDeclaredRolesUnknown: true | undefined;
}

/** An access that ended, by the record of the resource. */
export interface EndedAccess extends Required<Pick<AccessEntry, "until" | "endedAt">> {
  readonly urn: string;
  readonly access: Access;
  /** Of a project or a team. */
  readonly orgId: string | undefined;
}

/** The roles that the service shows. */
interface LiveRoles {
  readonly roles: readonly string[];
  /** Roles that teams give: some versions show them among the roles of a person. */
  readonly ofTeams?: readonly string[];
}

export interface Declarers {
  /** @param owner a project, an organization, or `<organization id>/<team id>`; likewise for `key` */
  person(owner: string, person: PersonIn, live: LiveRoles): Declaration;
  teamInProject(projectId: string, teamId: string, live: LiveRoles): Declaration;
  mappings(projectId: string, property: MappingProperty): Pick<Declaration, "declaredBy">;
  key(owner: string, key: KeyIn, live: LiveRoles): Declaration;
  /** What ended, whether or not somebody has brought it back. */
  readonly ended: readonly EndedAccess[];
}

/** @param resources those of the state; `undefined` if it was not read */
export function declarersAmong(resources: readonly StateResource[] | undefined): Declarers {
  // Each resource alone, so that what is owned leads to the resource that owns it; also if it declares an end.
  const each = resources?.map((resource) => {
    const inputs = toProperties(resource.inputs ?? {});
    const owners = new Ownership([{ ...resource, inputs: withoutMark(inputs) }]);
    return { resource, owners, isEnd: isEnded(inputs) };
  });
  const byOwner = each && Map.groupBy(each, ({ resource: { id = "", type } }) => ownerOf(id, kindOf(type)));
  const ends = Map.groupBy(recordedEndsOf(resources ?? []), ({ resource }) => resource);
  const of = (owner: string) => byOwner && (byOwner.get(owner.toLowerCase()) ?? []);
  const those = (
    owner: string,
    owns: (owners: Owners) => boolean,
    live: LiveRoles,
    person?: PersonIn,
  ): Declaration => {
    const owning = of(owner)?.filter(({ owners }) => owns(owners));
    const lasting = owning?.filter(({ isEnd }) => !isEnd) ?? [];
    const declaring = lasting.map(({ resource }) => resource);
    const named = declaring.length > 0 ? declaring : owning?.map(({ resource }) => resource);
    const roles = declaring.flatMap((resource) => rolesIn(resource, person) ?? []);
    const declared = roles.find((each) => each !== "unknown");
    return {
      declaredBy: named?.map(({ urn }) => urn),
      declaredRoles: declared && differ(live, declared.sorted) ? declared.sorted : undefined,
      ...named
        ?.map((resource) => endOf(resource, ends.get(logicalName(resource.urn)) ?? [], person))
        .find(({ until }) => until !== undefined),
      areDeclaredRolesUnknown: declared === undefined && roles.length > 0 ? true : undefined,
    };
  };
  return {
    person(owner, person, live) {
      const declaration = those(
        owner,
        (owners) => owners.peopleOwned(owner, [person]).size > 0,
        live,
        person,
      );
      const isSecret = of(owner)?.some(({ owners }) => owners.hasSecretPeople(owner));
      const isUnknown = declaration.declaredBy?.length === 0 && isSecret;
      return isUnknown ? { ...declaration, declaredBy: undefined } : declaration;
    },
    teamInProject: (projectId, teamId, live) =>
      those(projectId, (owners) => owners.ownsTeam(projectId, teamId), live),
    mappings: (projectId, property) => {
      const declaring = of(projectId)?.filter(({ owners }) => owners.ownsMappings(projectId, property));
      return { declaredBy: declaring?.map(({ resource }) => resource.urn) };
    },
    key: (owner, key, live) => those(owner, (owners) => owners.ownsKey(owner, key), live),
    ended: resources?.flatMap(endedBy) ?? [],
  };
}

/** @param ofList the last days of a list of people, as the component has recorded them */
function endOf(
  { inputs = {}, outputs = {} }: StateResource,
  ofList: Parameters<typeof untilOf>[0],
  person: PersonIn | undefined,
): EndOfEntry {
  const { until, endedAt, record } = recordedEnd(toProperties(inputs), toProperties(outputs), person);
  const day = until ?? untilOf(ofList, person?.username);
  return day === undefined
    ? {}
    : { until: day, ...(endedAt === undefined ? overdueOf(day, record) : { endedAt }) };
}

/** The last day of a resource, or of one person in its list, and what is recorded of it. */
function recordedEnd(inputs: Properties, outputs: Properties, person: Identity | undefined) {
  const days = inputs.until;
  if (!isRecord(days))
    return { until: textIn(inputs, "until"), endedAt: textIn(outputs, "endedAt"), record: outputs };
  const [name = "", until] = Object.entries(days).find(([each]) => sameName(each, person?.username)) ?? [];
  const record = recordsIn(outputs.ends).find(({ username }) => username === name) ?? {};
  return { until: knownTexts([until])[0], endedAt: textIn(record, "endedAt"), record };
}

/** What a resource would declare if no last day were over, without what it declares. */
function endedBy({ urn, type, inputs = {}, outputs = {} }: StateResource): EndedAccess[] {
  const [given, recorded] = [toProperties(inputs), toProperties(outputs)];
  if (given.until === undefined) return [];
  const { declares } = resourceOf(type) ?? { declares: () => [] };
  const lasting = declares(given, recorded);
  return declares(withoutMark(given), recorded).flatMap((access) => {
    const { holder } = access;
    if (lasting.some((other) => isSameHolder(other.holder, holder))) return [];
    const person = holder.kind === "person" ? holder : undefined;
    const { until, endedAt } = recordedEnd(given, recorded, person);
    if (until === undefined || endedAt === undefined) return [];
    return { urn, access, orgId: textIn(recorded, "orgId"), until, endedAt };
  });
}

/** The project or the organization that the ID of a resource begins with; of a Team, the team with its organization. */
function ownerOf(id: string, kind: string | undefined): string {
  return (kind === "Team" ? id : splitId(id).placeId).toLowerCase();
}

/**
 * The roles that a resource declares, or `unknown` if they are secret, or if a refresh replaced
 * them with the live ones; `undefined` if it declares none.
 */
function rolesIn(
  { inputs = {}, outputs = {} }: StateResource,
  person: PersonIn | undefined,
): { readonly sorted: readonly string[] } | "unknown" | undefined {
  const { roles, members } = inputs;
  const property = members === undefined ? "roles" : "members";
  const listed = isRecord(members) && person ? rolesOfMember(members, outputs.memberDetails, person) : roles;
  if (listed === undefined) return undefined;
  const texts = knownTexts(listed);
  const isKnown = Array.isArray(listed) && texts.length === listed.length;
  if (!isKnown || propertiesRead(inputs).includes(property)) return "unknown";
  return { sorted: [...texts].sort(inOrder) };
}

/** An account that was renamed since may be declared by its former name. */
function rolesOfMember(
  members: Readonly<Record<string, unknown>>,
  details: unknown,
  { username, userId }: PersonIn,
): unknown {
  const detail = [details].flat().find((each) => isRecord(each) && userId && each.userId === userId);
  const [declaredAs] = isRecord(detail) ? knownTexts([detail.declaredAs]) : [];
  const name = declaredAs ?? username;
  return Object.entries(members).find(([key]) => sameName(key, name))?.[1];
}

function differ({ roles, ofTeams = [] }: LiveRoles, declared: readonly string[]): boolean {
  const live = withoutAddedRole(roles, declared);
  const isMissing = declared.some((role) => !live.includes(role));
  return isMissing || live.some((role) => !declared.includes(role) && !ofTeams.includes(role));
}
