/**
 * Undeclared access as differences: who and what has access to a managed project, team or organization although no
 * resource declares it. Other unmanaged objects are only listed. Pure.
 */

import { sameName } from "../../provider/access/person";
import { type Holder, serviceAccountText } from "../../provider/access/places";
import { ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { checkedAs } from "../../provider/resources/contract/border";
import { recordsIn } from "../../provider/resources/contract/declared";
import { pathText } from "../../provider/resources/contract/property-path";
import { inOrder, type Properties } from "../../provider/resources/contract/values";
import { shortList } from "../../provider/text/list";
import { splitId } from "../../provider/text/object-id";
import type { OwnedResource, PeopleDeclarer } from "../lib/access/declared";
import { type Declared, type Judged, judge, noOneOwnsAbove } from "../lib/access/judge";
import {
  accessIn,
  type LiveAccess,
  type LivePlace,
  placeOfOrganization,
  placeOfTeam,
} from "../lib/access/live";
import { groupKind, type MappedGroup, mappedGroups, withId } from "../lib/organization";
import { logicalName, MAPPINGS } from "../lib/own-resources";
import { nothingRead } from "../lib/project-access";
import type { StackState } from "../lib/stacks";
import { counted } from "../lib/terminal";
import { SECRET } from "../lib/value-differences";
import type { Finding, Undetermined } from "./report/model";

type UndeclaredObject = NonNullable<Finding["object"]>;

/** What the search compares with. */
export interface Compared extends Declared {
  readonly comparison: Finding["comparison"];
}

/** An organization whose owners a file lists completely. */
export interface CompleteOrganization {
  /** The component of the file. */
  readonly urn: string;
  readonly stack: string;
  readonly orgId: string;
}

/** As the components of the state record them. */
export function completeOrganizations({ stack, components }: StackState): CompleteOrganization[] {
  return components.flatMap(({ urn, type, outputs: { orgId, complete } = {} }) =>
    type === ORGANIZATION_FILE_TYPE && complete !== undefined && typeof orgId === "string"
      ? [{ urn, stack, orgId: orgId.toLowerCase() }]
      : [],
  );
}

/** What was judged, in the terms of the report. */
export interface Differences {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

export function differencesIn(
  judged: readonly Judged[],
  compared: Compared,
  complete: readonly CompleteOrganization[],
): Differences {
  const undeclared = judged.filter(({ verdict }) => verdict === "undeclared");
  const ofPerson = ({ access: { team, holder, name } }: Judged) =>
    JSON.stringify([team?.id, holder.kind === "person" && (holder.userId ?? name)]);
  const byTeams = Map.groupBy(
    undeclared.filter(({ access }) => access.team),
    ofPerson,
  );
  const subjectsAt = (each: Judged) =>
    declaring(each, compared, complete).map((resource) => subjectOf(resource, compared));
  return {
    findings: [
      ...undeclared
        .filter(({ access }) => access.team === undefined)
        .flatMap((each) =>
          subjectsAt(each).map((subject) => ({
            ...subject,
            ...(isAppointed(each.access, compared) && { cause: "unknown" as const }),
            ...differenceOf(each),
          })),
        ),
      ...[...byTeams.values()].flatMap((same) => ownedThroughTeam(same, subjectsAt)),
    ],
    undetermined: [...unknownRoles(judged, compared, complete), ...secretOwners(judged)],
  };
}

type Subject = Pick<OwnedResource, "stack" | "urn" | "type" | "id">;

/** What declares the people of a place, the organization itself for its groups, or the files that list its owners. */
function declaring(
  { declarer, access: { place, holder } }: Judged,
  { owners }: Declared,
  complete: readonly CompleteOrganization[],
): Subject[] {
  if (declarer !== undefined) return [declarer.resource];
  const organization = holder.kind === "group" ? owners.organizationOf(place.id) : undefined;
  if (organization !== undefined) return [organization];
  return complete
    .filter(({ orgId }) => orgId === place.id)
    .map(({ urn, stack }) => ({ urn, stack, type: ORGANIZATION_FILE_TYPE }));
}

function subjectOf(
  { stack = "", urn = "", type, id }: Subject,
  { comparison }: Pick<Compared, "comparison">,
) {
  const name = logicalName(urn);
  const facts = { stack, urn, type, name, ...(id !== undefined && { id }), comparison };
  return { ...facts, cause: "outside", kind: "undeclared" } as const;
}

/** Whether the creation of the project made the account its owner. */
function isAppointed({ holder, place }: LiveAccess, { owners }: Declared): boolean {
  if (place.kind !== "project" || holder.kind !== "person" || holder.userId === undefined) return false;
  return owners.appointedOwnerOf(place.id) === holder.userId;
}

const WHAT = {
  person: "person",
  team: "team",
  "API key": "key",
  "agent API key": "key",
  "service account": "service account",
  group: "group",
} as const satisfies Record<Holder["kind"], UndeclaredObject["what"]>;

const PROPERTIES = {
  person: "members",
  team: "teams",
  "API key": "apiKeys",
  "agent API key": "apiKeys",
  "service account": "serviceAccounts",
} as const;

function differenceOf({
  access,
  declarer,
  roles,
  isOffer,
}: Judged): Pick<Finding, "property" | "live" | "object"> {
  const { holder, name, place, status } = access;
  const isInTeam = place.kind === "team";
  const listed = holder.kind === "group" ? holder.property : PROPERTIES[holder.kind];
  return {
    property: pathText([isInTeam ? "usernames" : listed, name]),
    live: isInTeam ? name : roles,
    object: {
      what: WHAT[holder.kind],
      name,
      ...(holder.kind === "person" && {
        ...statusIn(place, isOffer ? "pending" : status),
        ...listedAccount(declarer, name),
      }),
      ...(holder.kind === "team" && { id: holder.teamId }),
      ...{ in: place.kind, containerId: place.id, containerName: place.name },
    },
  };
}

/** Of the people of a team, only who is still to join has a status. */
function statusIn(place: LivePlace, status: LiveAccess["status"]): Pick<UndeclaredObject, "status"> {
  return place.kind === "team" && status === "active" ? {} : { status };
}

/** The account that a list means by the name of an undeclared person: it was renamed, and this person has its former name. */
function listedAccount(declarer: PeopleDeclarer | undefined, name: string) {
  const meant = declarer?.present.find((person) => person.declared && sameName(person.declaredAs, name));
  return meant !== undefined && { listedAccount: meant.username };
}

/** A person who owns projects through one team: one difference, in however many projects. */
function ownedThroughTeam(
  same: readonly Judged[],
  subjectsAt: (judged: Judged) => readonly ReturnType<typeof subjectOf>[],
): Finding[] {
  // The oldest project has the lowest ID, so a later one does not make it another difference.
  const [first] = [...same].sort((one, other) => inOrder(one.access.place.id, other.access.place.id));
  if (first?.access.team === undefined) return [];
  const { team, name, status } = first.access;
  return subjectsAt(first).map((subject) => ({
    ...subject,
    property: pathText(["teams", team.name, name]),
    live: [...new Set(same.flatMap(({ roles }) => roles))].sort(inOrder),
    object: {
      ...({ what: "person", name, ...statusIn(team, status), in: "team" } as const),
      ...{ containerId: team.id, containerName: team.name, orgId: team.orgId },
      projects: same.map(({ access: { place } }) => ({ projectId: place.id, projectName: place.name })),
    },
  }));
}

/** The roles of which this version does not know whether they own their place. */
function unknownRoles(
  judged: readonly Judged[],
  declared: Declared,
  complete: readonly CompleteOrganization[],
): Undetermined[] {
  const doubtful = judged.filter(({ verdict }) => verdict === "doubtful");
  const each = doubtful.flatMap((one) => one.roles.map((role) => ({ ...one, role })));
  const groups = Map.groupBy(each, ({ role, access }) => JSON.stringify([access.place.id, role]));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { role, access } = first;
    const { kind, id, name } = access.place;
    const isProject = kind === "project";
    const who = isProject
      ? ` Not declared, and holding it: ${shortList(holdersText(same), MOST_HOLDERS_NAMED)}.`
      : " It has holders who are not declared.";
    return declaring(first, declared, complete).map(({ stack }) => ({
      what: `role ${role} in ${kind} ${isProject ? withId(name, id) : id}`,
      reason: `This version does not know whether ${role} owns the ${kind} or makes owners.${who} Declare them, or accept the role with an ignore rule of the kind unreadable.`,
      stack,
    }));
  });
}

const MOST_HOLDERS_NAMED = 6;

/** The names of people are left out: they are masked only where a report has them as such. */
function holdersText(judged: readonly Judged[]): string[] {
  const isPerson = ({ access: { holder } }: Judged) => holder.kind === "person";
  const ofPeople = Map.groupBy(judged.filter(isPerson), ({ access: { team } }) => team?.name);
  return [
    ...judged.filter((each) => !isPerson(each)).map(({ access }) => holderText(access)),
    ...[...ofPeople].map(([team, people]) => {
      const count = counted(people.length, "person", "people");
      return team === undefined ? count : `${count} of team ${team}`;
    }),
  ];
}

function holderText({ holder, name }: LiveAccess): string {
  if (holder.kind === "service account") return serviceAccountText(holder);
  if (holder.kind !== "group") return `${holder.kind} ${name}`;
  return `${groupKind(holder.property)} ${name}`;
}

/** The teams through which somebody may own a project whose members the program keeps secret. */
function secretOwners(judged: readonly Judged[]): Undetermined[] {
  const hidden = judged.filter(({ verdict }) => verdict === "hidden");
  return [...Map.groupBy(hidden, ({ access }) => access.team)].flatMap(([team, [first]]) => {
    if (team === undefined || first === undefined) return [];
    const { access, declarer } = first;
    const reason = `The program keeps the members of project ${access.place.name} secret, so the state does not show who of the team may own it.`;
    return [{ what: peopleOfTeam(team), reason, stack: declarer?.resource.stack }];
  });
}

/** How messages name the people of a team: `people of team operators (5f…)` */
export function peopleOfTeam({ id, name }: Pick<LivePlace, "id" | "name">): string {
  return `people of team ${name} (${id})`;
}

/**
 * The people whom the last reads of the resources found, and the groups of declared organizations, without any request. If
 * the program keeps the declared people secret, only the provider has compared them.
 *
 * @param already the projects and teams that were compared with what the service has
 */
export function undeclaredInReads(compared: Compared, already: ReadonlySet<string>): Differences {
  const findings: Finding[] = [];
  const undetermined: Undetermined[] = [];
  const rules = { ownsAbove: noOneOwnsAbove, ownKeys: new Set<string>(), complete: new Set<string>() };
  for (const declarer of compared.owners.declarers()) {
    const { resource, owner, exceptFor, peopleAreSecret } = declarer;
    const { urn = "", stack, hasUndeclared, isRead } = resource;
    if (exceptFor === undefined || !isRead || already.has(owner)) continue;
    if (!peopleAreSecret) {
      const judged = judge(compared, recordedIn(declarer, compared.owners), rules);
      findings.push(...differencesIn(judged, compared, []).findings);
    } else if (hasUndeclared) findings.push(ofSecretList(declarer, compared));
    else if (hasUndeclared === undefined) undetermined.push({ what: urn, reason: SECRET_PEOPLE, stack });
  }
  const ofOrganizations = compared.owners.organizationsRead().flatMap(([orgId, resource]) => {
    return accessIn(placeOfOrganization(orgId), { groups: groupsInRead(resource) });
  });
  const groups = differencesIn(judge(compared, ofOrganizations, rules), compared, []);
  return {
    findings: [...findings, ...groups.findings],
    undetermined: [...undetermined, ...groups.undetermined],
  };
}

/** The groups to which an organization gave roles when its resource was read. */
export function groupsInRead({ outputs }: OwnedResource): MappedGroup[] {
  const read = checkedAs<Properties>(outputs ?? {});
  // The mappings are declared where the program keeps them secret.
  const lists = MAPPINGS.map((property) => [property, recordsIn(read[property])]);
  return mappedGroups(checkedAs(Object.fromEntries(lists)));
}

/** Everyone whom the last read of a list found. */
function recordedIn({ owner, present }: PeopleDeclarer, owners: Declared["owners"]): readonly LiveAccess[] {
  return accessIn(placeOfRecord(owner, owners), { ...nothingRead, people: present });
}

function placeOfRecord(owner: string, owners: Declared["owners"]): LivePlace {
  const team = owners.teamOf(owner);
  if (team !== undefined) return placeOfTeam(splitId(owner).placeId, team);
  return { kind: "project", id: owner, name: owners.factsOf(owner).name ?? owner };
}

/** Which people a secret list does not have is secret as well. */
function ofSecretList({ resource, owner }: PeopleDeclarer, compared: Compared): Finding {
  const { kind, id, name } = placeOfRecord(owner, compared.owners);
  // With removeUnlisted, only those stay who have the name of a listed one.
  const namesake = resource.inputs?.removeUnlisted === true && {
    object: {
      ...({ what: "person", name: SECRET, listedAccount: SECRET, in: kind } as const),
      ...{ containerId: id, containerName: name },
    },
  };
  const property = kind === "team" ? "usernames" : "members";
  return { ...subjectOf(resource, compared), property, live: SECRET, ...namesake };
}

const SECRET_PEOPLE =
  "The program keeps the declared people secret, so the state does not show who is not declared. Compare with the program.";

/**
 * All findings once: with `removeUnlisted`, the comparison with the program has reported a person
 * as added.
 */
export function withUndeclared(findings: readonly Finding[], undeclared: readonly Finding[]): Finding[] {
  const others = findings.flatMap((finding) => {
    const same = undeclared.filter(({ urn, stack }) => urn === finding.urn && stack === finding.stack);
    if (finding.property === "usernames") return withoutPeople(finding, same);
    const isReported = same.some(({ property }) => property === finding.property);
    return finding.kind === "added" && isReported ? [] : [finding];
  });
  const byResource = (finding: Finding) => JSON.stringify([finding.stack, finding.urn]);
  // The findings of a resource stay together.
  return [...Map.groupBy([...others, ...undeclared], byResource).values()].flat();
}

/** The finding about a set of usernames without the people of other findings. */
function withoutPeople(finding: Finding, undeclared: readonly Finding[]): Finding[] {
  const { kind, live, ...facts } = finding;
  if (!Array.isArray(live)) return [finding];
  const names = new Set(undeclared.map(({ object }) => object?.name));
  const rest = live.filter((name: unknown) => typeof name !== "string" || !names.has(name));
  if (rest.length > 0) return [{ ...facts, kind, live: rest }];
  return kind === "added" ? [] : [{ ...facts, kind: "removed" }];
}
