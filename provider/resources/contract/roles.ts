/** Roles of projects and of organizations. */

import { canOwn, type RoleAbove } from "../../access/rights";
import { roleNames } from "../../access/roles";
import { fold, nearest } from "../../text/nearest";
import type { Log } from "./resource";
import { inOrder, sameSet } from "./values";

/** The roles that can be given in one kind of place. */
export type RoleKind = ReturnType<typeof roleKind>;

export const projectRoles = roleKind("project");
export const organizationRoles = roleKind("organization");

/** The service gives it to people and keys that have a role in a project only (documented samples). */
const ADDED_ROLE = "ORG_MEMBER";

/**
 * Roles in an organization, without an ORG_MEMBER beside them that the service added.
 *
 * @param live roles that the service shows
 * @param declared `undefined` if nothing is declared yet
 */
export function withoutAddedRole(live: readonly string[], declared: readonly string[] | undefined): string[] {
  const isAdded = live.length > 1 && declared !== undefined && !declared.includes(ADDED_ROLE);
  return live.filter((role) => !isAdded || role !== ADDED_ROLE);
}

/** The end of a message about an object whose roles change; empty if they stay. */
export function roleChange(before: readonly string[], after: readonly string[]): string {
  return sameSet(before, after) ? "" : `: roles ${before.join(", ") || "none"} become ${after.join(", ")}`;
}

interface Overwritten {
  /** Absent if they were never read, which is a difference of its own. */
  readonly recorded: readonly string[] | undefined;
  /** Absent if the roles stay. */
  readonly wanted: readonly string[] | undefined;
  /** The roles that the service has now, beside declared or recorded ones. */
  shown(beside: readonly string[]): readonly string[];
}

/** What the diff cannot show: roles that changed after they were recorded and would be overwritten now. */
export function announceOverwritten(
  name: string,
  { recorded, wanted, shown }: Overwritten,
  log: Pick<Log, "info">,
): void {
  if (!recorded || !wanted || sameSet(shown(wanted), wanted)) return;
  const live = shown(recorded);
  if (sameSet(live, recorded)) return;
  log.info(
    `Roles of ${name} changed in the service since they were recorded: ${live.join(", ") || "none"} become ${wanted.join(", ")}.`,
  );
}

const roleKinds = [projectRoles, organizationRoles];

function roleKind(place: keyof typeof roleNames) {
  const names: Readonly<Record<string, string>> = roleNames[place];
  const noun = place === "project" ? "Project" : "Organization";
  const prefix = place === "project" ? "GROUP_" : "ORG_";
  return {
    /** Where such a role counts, for messages: `project`. */
    place,
    /** An unknown role is a failure only if it is nearly one of these, or has another form. */
    names,
    /** How every role of such a place begins, and what it consists of, also if this version does not know it. */
    prefix,
    form: new RegExp(`^${prefix}[A-Z][A-Z0-9_]*$`),
    /** Metadata of the package schema: any text is allowed, and these are suggested. */
    suggestions: {
      knownValues: {
        typeName: `${noun}Role`,
        description: `${noun} roles known to this version. Any other role that the service knows can be written as text.`,
        values: Object.entries(names).map(([value, description]) => ({
          name: pascalCase(value.replace(/^(GROUP|ORG)_/, "")),
          value,
          description: `${description}.`,
        })),
      },
    },
  };
}

/** Letters by which a misspelled role differs at most. Known roles differ by more. */
const MOST_WRONG_LETTERS = 2;

/** The role that is meant: by another spelling of it, or by its name in the user interface. */
function meantRole(role: string, { names }: RoleKind): string | undefined {
  const byName = Object.entries(names).find(([, name]) => fold(name) === fold(role));
  return byName?.[0] ?? nearest(role, Object.keys(names), () => MOST_WRONG_LETTERS);
}

/**
 * Why a text is no role of such a place, not even one that is new in the service: it is nearly a known one, one of
 * another place, or of another form, such as two roles in one text.
 *
 * @param at where the role stands, such as `roles`
 */
export function misspelledRole(role: string, at: string, kind = projectRoles): string | undefined {
  if (role === "" || Object.hasOwn(kind.names, role)) return undefined;
  const other = roleKinds.find(({ names }) => names !== kind.names && Object.hasOwn(names, role));
  if (other !== undefined) {
    return `${at} contains "${role}", which is a role of ${articled(other.place)}, not of ${articled(kind.place)}. The roles are ${Object.keys(kind.names).join(", ")}.`;
  }
  const fault = `${at} contains "${role}", which is not a role of ${articled(kind.place)}`;
  const meant = meantRole(role, kind);
  if (meant !== undefined) return `${fault}. Did you mean ${meant}?`;
  const areTwo = Object.keys(kind.names).some((known) => role.startsWith(known + kind.prefix));
  return kind.form.test(role) && !areTwo
    ? undefined
    : `${fault}. Those look like ${kind.prefix}READ_ONLY, one in each entry.`;
}

/** Roles that may be new ones of the service. */
export function unknownRoles(roles: readonly string[], kind = projectRoles): string[] {
  return roles.filter((role) => !Object.hasOwn(kind.names, role) && meantRole(role, kind) === undefined);
}

/** The names of the roles that count in one place, sorted. */
export function rolesAmong<Role extends { readonly roleName: string }>(
  roles: readonly Role[],
  isHere: (role: Role) => boolean,
): string[] {
  return [...new Set(roles.filter(isHere).map(({ roleName }) => roleName))].sort(inOrder);
}

/**
 * The roles outside of projects by which their holder owns or makes owners.
 *
 * @returns `undefined` if there are none
 */
export function owningRolesAbove<
  Role extends { readonly roleName: string; readonly orgId?: string | null | undefined },
>(roles: readonly Role[], isOfProject: (role: Role) => boolean): readonly RoleAbove[] | undefined {
  const above = roles
    .filter((role) => !isOfProject(role) && canOwn([role.roleName]))
    .map(({ roleName: role, orgId }): RoleAbove => ({ role, ...(orgId && { orgId }) }));
  return above.length === 0 ? undefined : above;
}

/** The place with its article, for messages. */
export function articled(place: RoleKind["place"]): string {
  return place === "project" ? "a project" : "an organization";
}

/** `READ_ONLY` as `ReadOnly`. */
function pascalCase(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
