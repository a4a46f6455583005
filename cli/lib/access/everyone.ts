/** Everyone and everything with access, in what was read: by holder, in the form of the report. Pure. */

import { foldName, memberName } from "../../../provider/access/person";
import { type Holder, isSameHolder } from "../../../provider/access/places";
import { rolesAmong } from "../../../provider/resources/contract/roles";
import { inOrder } from "../../../provider/resources/contract/values";
import { declarationOf, type EndedAccess, endedIn, type OfState } from "./declaration";
import { accessByTeams, accessIn, apart, type LiveAccess, OWN } from "./live";
import type { Bearer, OrganizationAccess, ReadPlace } from "./read";
import { type AccessEntry, type Found, nounsOfHolders } from "./report";

/** An access of somebody or something, or only who that is. */
interface Held extends Pick<LiveAccess, "holder" | "name" | "description"> {
  readonly entry?: AccessEntry;
}

/**
 * The people, the API keys, the service accounts and the groups, each kind sorted by name, with what has ended by its last day.
 *
 * @param accounts others than those of the organizations
 */
export function everyone(
  organizations: readonly OrganizationAccess[],
  accounts: readonly Bearer[],
  declared: OfState,
): readonly Found[] {
  const bearers = [...organizations.flatMap((each) => [...each.bearers, ...ownersAbove(each)]), ...accounts];
  const shown = Map.groupBy(shownBy(bearers), ({ id }) => id);
  const known = { bearers, shown, declared, ended: endedIn(declared) };
  const service = shown.get(SERVICE) ?? [];
  const all: Held[] = [
    ...bearers,
    ...service.map((each) => heldBy(each, { in: "service", declaredBy: declared && [] })),
    ...organizations.flatMap((organization) => heldIn(organization, known)),
    ...heldOutside(organizations, shown),
  ];
  return [...Map.groupBy(all, subjectKey).values()]
    .flatMap((same) => subjectOf(same) ?? [])
    .sort((one, other) => inOrder(sortKey(one), sortKey(other)));
}

/** Of the people and API keys of projects, which need not be in a list of the organization, what they own by roles from above. */
function ownersAbove({ places }: OrganizationAccess): Bearer[] {
  const ofProjects = places.filter(({ place }) => place.kind === "project");
  const all = ofProjects.flatMap(({ place, lists: { people, keys } }) => accessIn(place, { people, keys }));
  return all.flatMap(({ holder, name, description, status, rolesAbove }): Bearer[] => {
    if (status === "pending" || !(holder.kind === "person" || holder.kind === "API key")) return [];
    const roles = rolesAbove.map(({ role, orgId }) => ({ roleName: role, orgId }));
    return roles.length === 0 ? [] : [{ holder, name, description, roles, teamIds: [] }];
  });
}

interface Known {
  readonly bearers: readonly Bearer[];
  readonly shown: ReadonlyMap<string, readonly Shown[]>;
  readonly declared: OfState;
  readonly ended: readonly EndedAccess[];
}

/** What the roles and teams of an account or an API key show of one place. */
interface Shown extends Pick<Bearer, "holder" | "name" | "description" | "roles"> {
  readonly id: string;
}

const SERVICE = "";

function shownBy(bearers: readonly Bearer[]): Shown[] {
  return [...Map.groupBy(bearers, ({ holder }) => idOf(holder)).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const roles = same.flatMap((each) => each.roles);
    const places = Map.groupBy(roles, ({ projectId, orgId = SERVICE }) => projectId ?? orgId);
    for (const teamId of same.flatMap(({ teamIds }) => teamIds)) places.set(teamId, []);
    return [...places].map(([id, inPlace]) => ({ ...first, id, roles: inPlace }));
  });
}

function heldBy({ roles, ...holder }: Shown, facts: Pick<AccessEntry, "in"> & Partial<AccessEntry>): Held {
  return { ...holder, entry: { status: "active", roles: rolesAmong(roles, () => true), ...facts } };
}

/** What only roles show, in organizations and projects of which nothing was read. */
function heldOutside(organizations: readonly OrganizationAccess[], shown: Known["shown"]): Held[] {
  const read = new Set(organizations.flatMap(({ places }) => places.map(({ place }) => place.id)));
  const outside = [...shown].filter(([id]) => !read.has(id)).sort(([one], [other]) => inOrder(one, other));
  const inPlaces = (kind: "organization" | "project", part: "orgId" | "projectId") =>
    outside.flatMap(([id, holders]) =>
      holders
        .filter(({ roles }) => roles.some((role) => role[part] === id))
        .map((each) => heldBy(each, { in: kind, isOutside: true, [part]: id })),
    );
  return [...inPlaces("organization", "orgId"), ...inPlaces("project", "projectId")];
}

function heldIn(organization: OrganizationAccess, { bearers, shown, declared, ended }: Known): Held[] {
  const all = organization.places.map((each) => accessAt(each, shown.get(each.place.id) ?? []));
  const members = Map.groupBy(all.flat(), ({ place }) => (place.kind === "team" ? place.id : undefined));
  const byTeams = (grants: readonly LiveAccess[]) =>
    grants.flatMap((grant) => {
      const teamId = grant.holder.kind === "team" ? grant.holder.teamId : undefined;
      return teamId === undefined ? [] : accessByTeams(members.get(teamId) ?? [], [grant]);
    });
  const held = (access: LiveAccess, facts: Partial<AccessEntry>): Held[] => {
    const { holder, name, description } = access;
    if (holder.kind === "team") return [];
    return [{ holder, name, description, entry: { ...entryOf(access, organization), ...facts } }];
  };
  return [
    ...all.flatMap((own) => {
      const given = byTeams(own);
      const ofTeams = Map.groupBy(given, ({ name }) => foldName(name));
      const rolesOfTeams = ({ name }: LiveAccess) =>
        (ofTeams.get(foldName(name)) ?? []).flatMap(({ roles }) => roles);
      return [...own, ...given].flatMap((access) =>
        held(access, declarationOf(declared, access, access.team ? [] : rolesOfTeams(access))),
      );
    }),
    ...ended.flatMap((each) => {
      const access = endedAccess(each, organization, bearers);
      const { urn, until, endedAt } = each;
      const facts = { status: "ended", declaredBy: [urn], until, endedAt } as const;
      return access ? [access, ...byTeams([access])].flatMap((every) => held(every, facts)) : [];
    }),
  ];
}

/** Who has access by the lists of a place, and of whom they lack, by the roles and teams of accounts and API keys. */
function accessAt({ place, lists }: ReadPlace, shown: readonly Shown[]): LiveAccess[] {
  const listed = accessIn(place, lists).flatMap(apart);
  const ids = new Set(listed.map(({ holder }) => idOf(holder)));
  // The roles of an account in a project may be those of a team.
  const isListed = ({ holder }: Shown) =>
    ids.has(idOf(holder)) || (holder.kind === "person" && place.kind === "project" && lists.people);
  const others = shown.filter((each) => !isListed(each));
  return [
    ...listed,
    ...others.map(({ roles, holder, name, description }) => {
      return { ...OWN, place, holder, name, description, roles: rolesAmong(roles, () => true) };
    }),
  ];
}

function idOf(holder: Holder): string | undefined {
  switch (holder.kind) {
    case "person":
      return holder.userId;
    case "team":
      return holder.teamId;
    case "API key":
    case "agent API key":
      return holder.keyId;
    case "service account":
      return holder.clientId;
    case "group":
      return undefined;
  }
}

/** @returns `undefined` outside of the organization */
function endedAccess(
  { access: { holder, place, roles = [] }, orgId: recorded }: EndedAccess,
  { orgId, places }: OrganizationAccess,
  bearers: readonly Bearer[],
): LiveAccess | undefined {
  const { id = "" } = place;
  const known = places.find((each) => each.place.id === id)?.place;
  const owner = place.kind === "organization" ? id : (place.orgId ?? recorded);
  if (known === undefined && owner !== orgId) return undefined;
  const facts = { ...OWN, place: known ?? { ...place, id, name: id, orgId }, roles };
  const bearer = bearers.find((each) => isSameHolder(each.holder, holder));
  if (bearer) return { ...facts, holder: bearer.holder, name: bearer.name };
  if (holder.kind === "person") return { ...facts, holder, name: memberName(holder) };
  if (holder.kind === "API key") return { ...facts, holder, name: holder.publicKey ?? holder.keyId ?? "" };
  return holder.kind === "team" ? { ...facts, holder, name: "" } : undefined;
}

function entryOf(
  { place, team, roles, status, expiresAt }: LiveAccess,
  { orgId, orgName }: Pick<OrganizationAccess, "orgId" | "orgName">,
): AccessEntry {
  const project = place.kind === "project" ? { projectId: place.id, projectName: place.name } : {};
  const at = team ?? place;
  const inTeam = at.kind === "team" ? { teamId: at.id, teamName: at.name } : {};
  return { in: place.kind, status, orgId, orgName, ...project, ...inTeam, roles, expiresAt };
}

// By holder. A person has one name, whatever the case of its letters.

function subjectKey({ holder, name }: Held): string {
  const id =
    holder.kind === "person" ? foldName(name) : holder.kind === "group" ? name : (idOf(holder) ?? name);
  return JSON.stringify([holder.kind, holder.kind === "group" && holder.property, id]);
}

function subjectOf(same: readonly Held[]): Found | undefined {
  const [first] = same;
  if (first === undefined) return undefined;
  const { holder, name, description } = first;
  const access = withoutBroughtBack(same.flatMap(({ entry }) => entry ?? []));
  switch (holder.kind) {
    case "person": {
      const accounts = new Map(same.map((each) => [idOf(each.holder), each.name]));
      const ofAccounts = [...accounts].flatMap(([userId, username]) =>
        userId ? [{ userId, username }] : [],
      );
      return { kind: "person", name, accounts: ofAccounts, access };
    }
    case "API key":
      return { kind: "key", keyId: holder.keyId ?? "", publicKey: name, description, access };
    case "service account":
      return { kind: "service account", clientId: holder.clientId, name: description, access };
    case "group":
      return { kind: "group", name, property: holder.property, access };
    case "team":
    case "agent API key":
      return undefined;
  }
}

/** Without the ends of what is in the lists, and each end once. */
function withoutBroughtBack(all: readonly AccessEntry[]): AccessEntry[] {
  const isSaid = (urn: string, index: number) =>
    all.some((each, at) => (each.status !== "ended" || at < index) && each.declaredBy?.includes(urn));
  return all.filter(
    ({ status, declaredBy = [] }, index) =>
      status !== "ended" || !declaredBy.some((urn) => isSaid(urn, index)),
  );
}

const KINDS = Object.keys(nounsOfHolders);

function sortKey(subject: Found): string {
  const name = subject.kind === "key" ? subject.publicKey : subject.name;
  // Names of service accounts are not unique.
  const id = subject.kind === "service account" ? subject.clientId : "";
  return `${KINDS.indexOf(subject.kind)} ${name ?? ""} ${id}`;
}
