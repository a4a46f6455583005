/**
 * How a resource tells programs what its operation does with accesses: a debug message, which the engine's events contain
 * and users do not see. A program reads these codes and IDs, and never a sentence. A state can't show them: not who is in
 * a place that a program adopts, nor who stays undeclared, nor why.
 */
import type { Access } from "../access/places";

/**
 * - `stays`: the program declares it.
 * - `leaves`: the operation ends it.
 * - `kept`: it stays, although nothing of this resource declares it.
 */
export const fates = ["stays", "leaves", "kept"] as const;

/** Why an access is kept. The first four are protections of `resources/people/protect.ts`. */
export const keptBecause = [
  "ignored",
  "listed name",
  "undeclared",
  "declared elsewhere",
  /** A role above the project owns it, so being in it gives nothing new. */
  "owner above",
  /** The service does not offer the removal. */
  "not offered",
] as const;

/**
 * What to expect of an access that an operation is to end, such as that of the last owner of a project or of the last
 * person of a team: who `stays` for certain, and who `may stay`, because the service decides, one of several stays, more
 * would leave than a limit allows, or the end may be put off.
 */
export const foreseenFates = ["stays", "may stay"] as const;

/** One access that is there, with its roles, and what becomes of it. Inputs show what comes. */
export interface ToldAccess extends Access {
  readonly fate: (typeof fates)[number];
  /** Of one that leaves, if it may not. Only a preview needs it: after an update, the state shows who has stayed. */
  readonly foreseen?: (typeof foreseenFates)[number] | undefined;
  /** The teams of an account: a service may show what they give among its roles. */
  readonly teamIds?: readonly string[] | undefined;
  /** Of a kept one. */
  readonly why?: (typeof keptBecause)[number] | undefined;
}

/** Begins the message; JSON follows. */
export const TOLD_ACCESS = "[access] ";

/** What one resource tells in one operation. */
export interface Told {
  /** Such as `ProjectMembers`: the host of the dynamic provider tells no URN. */
  readonly kind: string;
  readonly accesses: readonly ToldAccess[];
}

export function toldText(told: Told): string {
  return `${TOLD_ACCESS}${JSON.stringify(told)}`;
}
