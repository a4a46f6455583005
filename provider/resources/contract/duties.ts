/** What is known of a kind wherever kinds are treated one by one. The compiler requires it of each. */
import { own } from "../../text/own";
import type { Properties } from "./values";

/**
 * The texts are Markdown clauses. The tables of `docs/reliability.md` are generated from them, so that the
 * documents know every kind.
 */
export interface Duties {
  /** What is taken from whom when the resource leaves the program, and what stays. */
  readonly whenRemoved: string;
  /** What of that counts towards `maxRemovalsPerRun`. */
  readonly counted: string;
  /** What the provider plugin does with `deleteBeforeReplace`. */
  readonly whenDeletedFirst: string;
  /** What works on a service that offers only the four documented operations. */
  readonly withFourOperations: string;
  /** The inputs that identify the object before it exists: its place, and then the first that is given. */
  readonly identifiedBy: readonly [place: "projectId" | "orgId", ...names: string[]];
}

/** The ID of an object that is only planned: `<projectId>/<username>`; parts that are not known are left out. */
export function plannedId({ identifiedBy: [place, ...names] }: Duties, inputs: Properties): string {
  const name = names.map((property) => own(inputs, property)).find((value) => typeof value === "string");
  return [inputs[place], name].filter((part) => typeof part === "string").join("/");
}
