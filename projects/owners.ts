/** Who owns what a file declares: faults that its text shows, whatever the day is. Pure. */

import { z } from "zod";
import { OWNER_ROLES } from "../provider/access/person";
import { isRecord, type Properties } from "../provider/resources/contract/values";
import { shortList } from "../provider/text/list";
import type { DeclaredFile, Draft } from "./declared-file";
import type { Fault } from "./faults";
import { keyLocationOf } from "./located";

/** @param noun what the file declares */
export function minOwnersInput(noun: keyof typeof OWNER_ROLES) {
  return z
    .int("must be a whole number")
    .min(0, "must be 0 or more")
    .optional()
    .meta({
      description: `Smallest number of people with \`${OWNER_ROLES[noun]}\` in \`members\`, now and after every last day; fewer are a fault. It is a rule of the files alone. Left out means no such rule.`,
    });
}

/** The people of the list with the role. */
export function ownersIn(members: unknown, role: string): string[] {
  if (!isRecord(members)) return [];
  return Object.entries(members).flatMap(([name, roles]) =>
    Array.isArray(roles) && roles.includes(role) ? [name] : [],
  );
}

/**
 * When the file has fewer of these owners left than it needs.
 *
 * @returns the last day before that; "now" if there are too few already, `undefined` if there are enough for ever
 */
export function lastDayWith(
  least: number,
  owners: readonly string[],
  ends: DeclaredFile["ends"] = [],
): string | undefined {
  if (owners.length < least) return "now";
  const days = owners.flatMap(
    (name) => ends.find((end) => end.property === "members" && end.name === name)?.until ?? [],
  );
  return days.sort()[owners.length - least];
}

export function minOwnersFaults(
  { content, ends, isSound = () => true }: Draft,
  { members, minOwners }: Properties,
  noun: keyof typeof OWNER_ROLES,
): Fault[] {
  if (typeof minOwners !== "number" || !isRecord(members) || !isSound("members")) return [];
  // An empty list is a fault of its own.
  if (Object.keys(members).length === 0) return [];
  const role = OWNER_ROLES[noun];
  const owners = ownersIn(members, role);
  const day = lastDayWith(minOwners, owners, ends);
  if (day === undefined) return [];
  const left =
    day === "now"
      ? owners
      : owners.filter((name) => !ends?.some((end) => end.name === name && end.until <= day));
  const when = day === "now" ? "" : `after ${day} `;
  const who = left.length === 0 ? "nobody" : `only ${shortList(left, MOST_NAMED)}`;
  const reason = `minOwners is ${minOwners}, but ${when}members lists ${who} with ${role}. Name another owner.`;
  return [{ location: keyLocationOf(content, ["members"]), reason }];
}

const MOST_NAMED = 5;
