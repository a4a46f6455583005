/** The accesses of which only the record of their last day is left. Pure. */
import { memberName, sameName } from "../../provider/access/person";
import { type Holder, isSameHolder } from "../../provider/access/places";
import { inOrder } from "../../provider/resources/contract/values";
import type { EndedAccess } from "../lib/access/declaration";
import type { OrganizationAccess } from "../lib/access/read";
import {
  type AccessEntry,
  type Found,
  type FoundKey,
  type FoundPerson,
  holdersOf,
} from "../lib/access/report";

/**
 * What was found, each with its accesses that have ended, and whoever has only such.
 *
 * @param name as searched; `undefined` for everyone
 */
export function withEnded(
  found: readonly Found[],
  ended: readonly EndedAccess[],
  organizations: readonly OrganizationAccess[],
  name: string | undefined,
): readonly Found[] {
  const all = [...found];
  for (const each of ended) {
    const { holder } = each.access;
    const entry = entryOf(each, organizations);
    if (entry === undefined) continue;
    const only = subjectOf(holder);
    const isNew = only && !all.some((subject) => isOf(subject, holder)) && isNamed(only, name);
    if (isNew) all.push(only);
    // What somebody has brought back is in the lists.
    const isThere = ({ access }: Found) => access.some(({ declaredBy }) => declaredBy?.includes(each.urn));
    for (const [index, subject] of all.entries())
      if (isOf(subject, holder) && !isThere(subject))
        all[index] = { ...subject, access: [...subject.access, entry] };
  }
  return all.sort(
    (one, other) =>
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || inOrder(textOf(one), textOf(other)),
  );
}

const KINDS: readonly Found["kind"][] = ["person", "key", "group"];

function textOf(subject: Found): string {
  return subject.kind === "key" ? subject.publicKey : subject.name;
}

/** @returns `undefined` outside of the organizations that were searched */
function entryOf(
  { access: { place, holder, roles = [] }, orgId: recorded, urn, until, endedAt }: EndedAccess,
  organizations: readonly OrganizationAccess[],
): AccessEntry | undefined {
  const organization = organizations.find(({ orgId, projects }) =>
    place.kind === "organization"
      ? orgId === place.id
      : place.kind === "team"
        ? orgId === place.orgId
        : orgId === (place.orgId ?? recorded) || projects.some(({ projectId }) => projectId === place.id),
  );
  if (organization === undefined) return undefined;
  const { orgId, orgName, projects, teams } = organization;
  const facts = { status: "ended", orgId, orgName, roles, declaredBy: [urn], until, endedAt } as const;
  if (place.kind === "organization") return { in: "organization", ...facts };
  if (place.kind === "team") {
    const { id: teamId, name = teams.find((team) => team.teamId === teamId)?.teamName } = place;
    return { in: "team", ...facts, teamId, teamName: name };
  }
  const projectName = projects.find(({ projectId }) => projectId === place.id)?.name;
  const team = holder.kind === "team" ? { teamId: holder.teamId, teamName: holder.teamName } : {};
  return { in: "project", ...facts, projectId: place.id, projectName, ...team };
}

function isOf(subject: Found, holder: Holder): boolean {
  if (holder.kind !== "team") return holdersOf(subject).some((own) => isSameHolder(own, holder));
  return subject.access.some(
    ({ in: place, status, ...team }) =>
      place === "team" && status !== "ended" && isSameHolder(holder, { ...team, kind: "team" }),
  );
}

/** A person or a key without access. */
function subjectOf(holder: Holder): FoundPerson | FoundKey | undefined {
  if (holder.kind === "person") {
    const { userId, username = memberName(holder) } = holder;
    const accounts = userId === undefined ? [] : [{ userId, username }];
    return { kind: "person", name: username, accounts, access: [] };
  }
  if (holder.kind !== "API key") return undefined;
  const { keyId = "", publicKey = keyId } = holder;
  return { kind: "key", keyId, publicKey, access: [] };
}

function isNamed(subject: FoundPerson | FoundKey, name: string | undefined): boolean {
  if (name === undefined) return true;
  if (subject.kind === "person") return sameName(subject.name, name);
  return subject.publicKey === name || subject.keyId === name.toLowerCase();
}
