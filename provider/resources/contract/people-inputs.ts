/** Inputs that name people and roles, and the rules for them. */

import { z } from "zod";
import { faultsOfUsername } from "../../text/names";
import { knownTexts } from "./canonical";
import { type LocatedFailure, repeatedValues } from "./check";
import { anyText, nameText } from "./fields";
import { pathText } from "./property-path";
import type { Log } from "./resource";
import { articled, misspelledRole, projectRoles, unknownRoles } from "./roles";
import { isList, type Value } from "./values";

export function usernameText() {
  return nameText(faultsOfUsername);
}

/** @param who has the roles: `a person` */
export function roleList(who = "a person", kind = projectRoles) {
  return z
    .array(anyText().meta(kind.suggestions), "must be a list")
    .min(1, `must not be empty: ${who} without a role is not in the ${kind.place}`);
}

/** @param path where the roles stand: `["roles"]`, `["members", "a@example.com"]` */
export function roleFailures(
  roles: Value | undefined,
  path: readonly string[],
  kind = projectRoles,
): LocatedFailure[] {
  const property = path[0] ?? "";
  const at = pathText(path);
  const repeated = repeatedValues(knownTexts(roles)).map((role) => ({
    property,
    path,
    reason: `${at} contains "${role}" more than once.`,
  }));
  const positions = new Map((isList(roles) ? roles : []).map((role, index) => [role, index]));
  const faulty = [...positions].flatMap(([role, index]) => {
    const reason = typeof role === "string" ? misspelledRole(role, at, kind) : undefined;
    return reason === undefined ? [] : [{ property, path: [...path, index], reason }];
  });
  return [...repeated, ...faulty];
}

export function warnOfUnknownRoles(roles: Value | undefined, log: Log, kind = projectRoles): void {
  for (const role of unknownRoles(knownTexts(roles), kind)) {
    log.warn(
      `Role "${role}" is not ${articled(kind.place)} role that this version knows, and is sent unchanged.`,
    );
  }
}
