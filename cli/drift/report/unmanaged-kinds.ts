/** The words for each kind of unmanaged objects. Pure. */

import { owningRight } from "../../../provider/access/rights";
import { capitalized } from "../../../provider/text/capitalized";
import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { counted, listed } from "../../lib/terminal";
import {
  type Coverage,
  type OrganizationCoverage,
  type UnmanagedKind,
  type UnmanagedRow,
  unmanagedKinds,
} from "./model";
import { labelText, quotedIfNeeded } from "./values";

export type UnmanagedColumn =
  | "project"
  | "id"
  | "organization"
  | "person"
  | "status"
  | "roles"
  | "team"
  | "API key"
  | "public key"
  | "mappings"
  | "owner";

type Columns = readonly (readonly [name: UnmanagedColumn, value: string])[];

interface KindInWords {
  readonly one: string;
  readonly many: string;
  /** Holder and place: `bob@example.com in payments (5f…)` */
  label(row: UnmanagedRow): string;
  /** What is so although no resource declares it: `bob@example.com is in project payments (5f…)` */
  clause(row: UnmanagedRow): string;
  /** The columns of a table. */
  columns(row: UnmanagedRow): Columns;
  /** A path that identifies it, where a resource would have its URN. */
  path(row: UnmanagedRow): string;
}

const inProject = ({ place }: UnmanagedRow) => `in ${labelText(place)}`;
const project = ({ place }: UnmanagedRow) => ["project", place.name] as const;
const roles = ({ roles: held }: UnmanagedRow) => ["roles", held.join(", ")] as const;
const organization = (row: UnmanagedRow) =>
  ["organization", row.orgName === undefined ? (row.orgId ?? "") : `${row.orgName} (${row.orgId})`] as const;
const publicKey = ({ holder }: UnmanagedRow) => ["public key", holder.id] as const;
const withRoles = ({ roles: held }: UnmanagedRow) =>
  held.length === 0 ? "" : ` (${visibleText(held.join(", "))})`;

const kinds: Readonly<Record<UnmanagedKind, KindInWords>> = {
  projects: {
    one: "project",
    many: "projects",
    label: ({ holder }) => labelText(holder),
    clause: ({ holder, ...row }) => `Project ${labelText(holder)} is in ${organizationText(row)}`,
    columns: (row) => [["project", row.holder.name], ["id", row.holder.id], organization(row)],
    path: ({ holder, orgId }) => `organization/${orgId}/project/${holder.id}`,
  },
  people: {
    one: "person",
    many: "people",
    label: (row) => `${visibleText(row.holder.name)} ${inProject(row)}`,
    clause: ({ holder, status, place, ...row }) =>
      `${visibleText(holder.name)} is ${status === "pending" ? "invited to" : "in"} project ${labelText(place)}${withRoles({ ...row, holder, place })}`,
    columns: (row) => [project(row), ["person", row.holder.name], ["status", row.status ?? ""], roles(row)],
    path: ({ place, holder }) => `project/${place.id}/person/${holder.name}`,
  },
  teams: {
    one: "team",
    many: "teams",
    label: (row) => `team ${quotedIfNeeded(row.holder.name)} ${inProject(row)}`,
    clause: (row) =>
      `Team ${quotedIfNeeded(row.holder.name)} is in project ${labelText(row.place)}${withRoles(row)}`,
    columns: (row) => [project(row), ["team", row.holder.name], roles(row)],
    path: ({ place, holder }) => `project/${place.id}/team/${holder.name}`,
  },
  keys: {
    one: "API key",
    many: "API keys",
    label: (row) => `API key ${labelText(row.holder)} ${inProject(row)}`,
    clause: (row) =>
      `API key ${labelText(row.holder)} is in project ${labelText(row.place)}${withRoles(row)}`,
    columns: (row) => [project(row), ["API key", row.holder.name], publicKey(row), roles(row)],
    path: ({ place, holder }) => `project/${place.id}/key/${holder.id}`,
  },
  mappings: {
    one: "group mapping",
    many: "group mappings",
    label: ({ holder, place }) => `${holder.name} of ${labelText(place)}`,
    clause: ({ holder, place, roles: given }) =>
      `${holder.name} of project ${labelText(place)} give groups ${visibleText(given.join(", "))}`,
    columns: (row) => [project(row), ["mappings", row.holder.name], roles(row)],
    path: ({ place, holder }) => `project/${place.id}/${holder.name}`,
  },
  owners: {
    one: "organization owner",
    many: "organization owners",
    label: (row) => `${visibleText(row.holder.name)}, ${ownerText(row)}`,
    clause: (row) => `${visibleText(row.holder.name)} is ${ownerText(row)}${withRoles(row)}`,
    columns: (row) => [
      organization(row),
      ["owner", row.holder.name],
      ["status", row.status ?? ""],
      roles(row),
    ],
    path: ({ orgId, holder }) => `organization/${orgId}/owner/${holder.name}`,
  },
  ownerKeys: {
    one: "organization owner key",
    many: "organization owner keys",
    label: (row) => `API key ${labelText(row.holder)}, ${ownerText(row)}`,
    clause: (row) => `API key ${labelText(row.holder)} is ${ownerText(row)}${withRoles(row)}`,
    columns: (row) => [organization(row), ["API key", row.holder.name], publicKey(row), roles(row)],
    path: ({ orgId, holder }) => `organization/${orgId}/key/${holder.id}`,
  },
  teamPeople: {
    one: "team member",
    many: "team members",
    label: ({ holder, place, ...row }) =>
      `${visibleText(holder.name)} in team ${labelText(place)} of ${organizationText(row)}`,
    clause: ({ holder, place, ...row }) =>
      `${visibleText(holder.name)} is in team ${labelText(place)} of ${organizationText(row)}${withRoles({ ...row, holder, place })}`,
    columns: (row) => [["team", row.place.name], ["person", row.holder.name], organization(row), roles(row)],
    path: ({ place, holder }) => `team/${place.id}/person/${holder.name}`,
  },
};

/** `an owner of organization Example (5f…)`, or what else the roles allow there. */
function ownerText({ status, roles: held, ...row }: UnmanagedRow): string {
  const effects = held.map((role) => owningRight(role)?.effect);
  const isOwner = effects.includes("owns");
  const canMakeOwners = !isOwner && effects.includes("makes owners");
  const right = isOwner ? "an owner of" : "a holder of an unknown role in";
  const invited = status === "pending" ? `invited${canMakeOwners ? "," : " as"} ` : "";
  return `${invited}${canMakeOwners ? "able to make owners of" : right} ${organizationText(row)}`;
}

/**
 * An unmanaged object and what it is in: `bob@example.com in payments (5f…)`, `API key deploy
 * (abcdefgh) in payments (5f…)`.
 */
export function unmanagedText(row: UnmanagedRow): string {
  return kinds[row.kind].label(row);
}

/** `bob@example.com is in project payments (5f…) (GROUP_OWNER), and no resource declares that.` */
export function unmanagedSentence(row: UnmanagedRow): string {
  return `${kinds[row.kind].clause(row)}, and no resource declares that.`;
}

/** The object with its status and roles: `bob@example.com in payments (5f…): active, GROUP_OWNER` */
export function unmanagedLine(row: UnmanagedRow): string {
  const { kind, status, roles: held } = row;
  const facts =
    kind === "projects"
      ? [`a project of ${organizationText(row)} that no resource owns`]
      : [...(kind === "people" && status ? [status] : []), ...held];
  return [unmanagedText(row), visibleText(facts.join(", "))].filter(Boolean).join(": ");
}

/** The cells of the row in a table, by the names of their columns. */
export function unmanagedColumns(row: UnmanagedRow): Columns {
  return kinds[row.kind].columns(row);
}

/** Identifies the object where a resource would have its URN: `project/5f…/person/bob@example.com`. */
export function unmanagedPath(row: UnmanagedRow): string {
  return kinds[row.kind].path(row);
}

/** One unmanaged object of a kind: `person`. */
export function nounOf(kind: UnmanagedKind, count = 1): string {
  return count === 1 ? kinds[kind].one : kinds[kind].many;
}

/** The kinds of unmanaged objects as a list in words. A pending invitation is one of a person. */
export function kindsOfUnmanaged(): string {
  return listed(unmanagedKinds.map((kind) => kinds[kind].many));
}

/** The rows of each kind; of the other kinds than projects and people only if there are any. */
export function unmanagedByKind(
  rows: readonly UnmanagedRow[],
): { readonly kind: UnmanagedKind; readonly own: readonly UnmanagedRow[] }[] {
  return unmanagedKinds
    .map((kind) => ({ kind, own: rows.filter((row) => row.kind === kind) }))
    .filter(({ kind, own }) => own.length > 0 || kind === "projects" || kind === "people");
}

/** `2 projects` and `1 person`; teams and their members only if there are any. */
export function countsOf(rows: readonly UnmanagedRow[]): string[] {
  return unmanagedByKind(rows).map(({ kind, own }) => counted(own.length, kinds[kind].one, kinds[kind].many));
}

/** The heading of a list of unmanaged objects: `Team members that no resource owns`. */
export function unmanagedHeading(kind: UnmanagedKind): string {
  return `${capitalized(kinds[kind].many)} that no resource owns`;
}

/** What an organization has counts of, each with its counts. */
export function coveragesOf(coverages: OrganizationCoverage): ReadonlyMap<string, Coverage> {
  return new Map(
    unmanagedKinds.flatMap((kind) => {
      const coverage = coverages[kind];
      return coverage ? [[kinds[kind].many, coverage] as const] : [];
    }),
  );
}

/**
 * `97 of 100 (97%)`, or `97 of 100 projects managed (97%)`; never rounded up to 100%.
 *
 * @param what what was counted: ` projects managed`
 */
export function coverageText({ total, managed }: Coverage, what = ""): string {
  const counts = `${managed} of ${total}${what}`;
  return total === 0 ? counts : `${counts} (${Math.floor((managed / total) * 100)}%)`;
}
