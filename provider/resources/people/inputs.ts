/** Inputs that name people and roles, and the rules for them. */

import { z } from "zod";
import { knownTexts } from "../contract/canonical";
import { type LocatedFailure, repeatedValues } from "../contract/check";
import { nameText } from "../contract/fields";
import { pathText } from "../contract/property-path";
import type { Log } from "../contract/resource";
import { articled, misspelledRole, projectRoles, unknownRoles } from "../contract/roles";
import type { Value } from "../contract/values";

/** A local part, which may be quoted, and a domain, without what separates or wraps addresses in a list (RFC 5321, 4.1.2). */
const EMAIL_ADDRESS = /^("[^"]+"|[^\s@,;<>"]+)@[^\s@,;<>"]+$/;

/** A name without `@` may be any login of an LDAP directory, blanks included. */
export function usernameText() {
  return trimmedText().refine(
    (name) => !name.includes("@") || EMAIL_ADDRESS.test(name.trim()),
    "must be one email address, such as ada@example.com",
  );
}

function trimmedText() {
  return nameText().refine((name) => name.trim() === name, "must not begin or end with blanks");
}

/** @param who has the roles: `a person` */
export function roleList(who = "a person", kind = projectRoles) {
  return z
    .array(trimmedText().meta(kind.suggestions), "must be a list")
    .min(1, `must not be empty: ${who} without a role is not in the ${kind.place}`);
}

/** @param path where the roles stand: `["roles"]`, `["members", "a@example.com"]` */
export function roleFailures(
  roles: Value | undefined,
  path: readonly string[],
  kind = projectRoles,
): LocatedFailure[] {
  const property = path[0] ?? "";
  const texts = knownTexts(roles);
  const reasons = [
    ...repeatedValues(texts).map((role) => `${pathText(path)} holds "${role}" more than once.`),
    ...new Set(texts.flatMap((role) => misspelledRole(role, pathText(path), kind) ?? [])),
  ];
  return reasons.map((reason) => ({ property, path, reason }));
}

export function warnOfUnknownRoles(roles: Value | undefined, log: Log, kind = projectRoles): void {
  for (const role of unknownRoles(knownTexts(roles), kind)) {
    log.warn(
      `Role "${role}" is not ${articled(kind.place)} role known to this version; it is sent as it is.`,
    );
  }
}
