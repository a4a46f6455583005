/** The words for each kind of unmanaged objects. Pure. */

import { owningRight } from "../../../provider/access/rights";
import { parsePath } from "../../../provider/resources/contract/property-path";
import { capitalized } from "../../../provider/text/capitalized";
import { own } from "../../../provider/text/own";
import { visibleText } from "../../../provider/text/visible-text";
import { groupKind, organizationText } from "../../lib/organization";
import { counted, listed } from "../../lib/terminal";
import {
  type Coverage,
  type OrganizationCoverage,
  type UnmanagedKind,
  type UnmanagedRow,
  unmanagedKinds,
} from "./model";
import { labelText, quotedIfNeeded } from "./values";

interface KindInWords {
  /** What one row is, and counts as: somebody in two projects has two memberships. */
  readonly one: string;
  readonly holder: "project" | "person" | "team" | "API key" | "service account" | "group";
  readonly place: "project" | "team" | "organization";
}

export type UnmanagedColumn =
  | KindInWords["holder"]
  | KindInWords["place"]
  | "id"
  | "public key"
  | "status"
  | "roles";

type Columns = readonly (readonly [name: UnmanagedColumn, value: string])[];

const kinds: Readonly<Record<UnmanagedKind, KindInWords>> = {
  projects: { one: "project", holder: "project", place: "organization" },
  people: { one: "project membership", holder: "person", place: "project" },
  teams: { one: "team assignment", holder: "team", place: "project" },
  keys: { one: "API key assignment", holder: "API key", place: "project" },
  serviceAccounts: { one: "service account assignment", holder: "service account", place: "project" },
  mappings: { one: "group mapping", holder: "group", place: "project" },
  owners: { one: "organization owner", holder: "person", place: "organization" },
  ownerKeys: { one: "organization owner key", holder: "API key", place: "organization" },
  ownerGroups: { one: "organization owner group", holder: "group", place: "organization" },
  ownerServiceAccounts: {
    one: "organization owner service account",
    holder: "service account",
    place: "organization",
  },
  teamPeople: { one: "team membership", holder: "person", place: "team" },
};

/** Whether the holder of a row of this kind is a person. */
export function isKindOfPeople(kind: unknown): boolean {
  return typeof kind === "string" && own(kinds, kind)?.holder === "person";
}

function holderText({ kind, holder }: UnmanagedRow): string {
  switch (kinds[kind].holder) {
    case "project":
      return labelText(holder);
    case "team":
      return `team ${quotedIfNeeded(holder.name)}`;
    case "API key":
      return `API key ${labelText(holder)}`;
    case "service account":
      return `service account ${labelText(holder)}`;
    case "group":
      return `${groupKind(String(parsePath(holder.id)[0]))} ${visibleText(holder.name)}`;
    default:
      return visibleText(holder.name);
  }
}

/** `an owner of organization Example (5f…)`, or what else the roles allow there. */
function ownerText({ status, roles, ...row }: UnmanagedRow): string {
  const effects = roles.map((role) => owningRight(role)?.effect);
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
  const holder = holderText(row);
  switch (kinds[row.kind].place) {
    case "project":
      return `${holder} in ${labelText(row.place)}`;
    case "team":
      return `${holder} in team ${labelText(row.place)} of ${organizationText(row)}`;
    case "organization":
      return row.kind === "projects"
        ? `${holder} in ${organizationText(row)}`
        : `${holder}, ${ownerText(row)}`;
  }
}

/** The object with its status and roles: `bob@example.com in payments (5f…): active, GROUP_OWNER` */
export function unmanagedLine(row: UnmanagedRow): string {
  const { kind, status, roles } = row;
  const facts = [...(kind === "people" && status ? [status] : []), ...roles];
  return [unmanagedText(row), visibleText(facts.join(", "))].filter(Boolean).join(": ");
}

/** The cells of the row in a table, by the names of their columns; those without a fact are empty. */
export function unmanagedColumns({ kind, holder, place, ...row }: UnmanagedRow): Columns {
  const { holder: holding, place: where } = kinds[kind];
  const { orgName, orgId = "" } = row;
  return [
    ...(where === "organization" ? [] : [[where, place.name] as const]),
    [holding, holder.name],
    ["id", holding === "project" || holding === "service account" ? holder.id : ""],
    ["public key", holding === "API key" ? holder.id : ""],
    ["organization", where === "project" ? "" : orgName === undefined ? orgId : `${orgName} (${orgId})`],
    ["status", row.status ?? ""],
    ["roles", row.roles.join(", ")],
  ];
}

/** Identifies the object where a resource would have its URN: `project/5f…/person/bob@example.com`. */
export function unmanagedPath({ kind, holder, place, orgId }: UnmanagedRow): string {
  const { holder: holding, place: where } = kinds[kind];
  const id = kind === "projects" ? orgId : place.id;
  return `${where}/${id}/${holding.replace("API ", "").replace(" ", "-")}/${holder.id}`;
}

/** The kinds of unmanaged objects as a list in words. A pending invitation is one of a person. */
export function kindsOfUnmanaged(): string {
  return listed(unmanagedKinds.map((kind) => `${kinds[kind].one}s`));
}

/** `2 projects` and `1 project membership`; of the other kinds, those that there are. */
export function countsOf(rows: readonly UnmanagedRow[]): string[] {
  return unmanagedKinds.flatMap((kind) => {
    const { length } = rows.filter((row) => row.kind === kind);
    const isUsual = kind === "projects" || kind === "people";
    return length > 0 || isUsual ? [counted(length, kinds[kind].one)] : [];
  });
}

/** The heading of a list of unmanaged objects: `Team memberships that no resource owns`. */
export function unmanagedHeading(kind: UnmanagedKind): string {
  return `${capitalized(kinds[kind].one)}s that no resource owns`;
}

/** What an organization has counts of, each with its counts. */
export function coveragesOf(coverages: OrganizationCoverage): ReadonlyMap<string, Coverage> {
  return new Map(
    unmanagedKinds.flatMap((kind) => {
      const coverage = coverages[kind];
      return coverage ? [[`${kinds[kind].one}s`, coverage] as const] : [];
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
