/** The property `onDestroy` of a resource: its input, its output, and the value that applies. */
import { z } from "zod";
import type { Difference } from "./difference";
import { hasUnknown, known, UNKNOWN, type Unsure } from "./values";

/** How an object came into the stack. */
export type Origin = "created" | "adopted" | "imported";

export interface OnDestroyInput<Action> {
  readonly onDestroy?: Unsure<Action> | undefined;
}

const RELEASE = {
  name: "Release",
  value: "release",
  description: "Only removes the resource from the state.",
};

interface Actions<Action> {
  readonly values: readonly Action[];
  readonly knownValues: object;
}

const DELETION: Actions<"delete" | "release"> = {
  values: ["delete", "release"],
  knownValues: {
    typeName: "OnDestroy",
    isClosed: true,
    description: "What destroying does with an object.",
    values: [{ name: "Delete", value: "delete", description: "Deletes the object in the service." }, RELEASE],
  },
};

/** What destroying may do with the access of a person, a team or a key. */
export type EndOfAccess = "remove" | "release";

export const REMOVAL: Actions<EndOfAccess> = {
  values: ["remove", "release"],
  knownValues: {
    typeName: "AccessOnDestroy",
    isClosed: true,
    description: "What destroying does with the access of people, a team or a key.",
    values: [
      { name: "Remove", value: "remove", description: "Removes the people, the team or the key." },
      RELEASE,
    ],
  },
};

/**
 * Declares `onDestroy` of one resource.
 *
 * @param defaultOf the value if the program gives none; it may depend on the origin of the object
 */
export function declareOnDestroy<const Action extends string, Facts extends readonly Origin[]>(
  { values: actions, knownValues }: Actions<Action>,
  defaultOf: (...facts: Facts) => NoInfer<Action>,
  texts: { readonly description: string; readonly defaultText: string },
) {
  const effective = ({ onDestroy }: OnDestroyInput<Action>, ...facts: Facts): Action =>
    known(onDestroy) ?? defaultOf(...facts);
  return {
    input: z
      .enum(actions, `must be ${actions.map((action) => `"${action}"`).join(" or ")}`)
      .optional()
      .meta({ ...texts, knownValues }),
    output: z.enum(actions).meta({ description: "What destroying will do.", knownValues }),
    /** The value that applies. */
    effective,
    /** The output of a preview. */
    inPreview(inputs: OnDestroyInput<Action>, ...facts: Facts): Unsure<Action> {
      return hasUnknown(inputs.onDestroy) ? UNKNOWN : effective(inputs, ...facts);
    },
    /** To declare the default explicitly changes nothing, so the effective values are compared. */
    differences(
      inputs: OnDestroyInput<Action>,
      oldInputs: OnDestroyInput<Action>,
      ...facts: Facts
    ): Difference[] {
      const { onDestroy } = inputs;
      if (!hasUnknown(onDestroy) && effective(inputs, ...facts) === effective(oldInputs, ...facts)) return [];
      return [{ path: ["onDestroy"], kind: onDestroy === undefined ? "delete" : "update" }];
    },
  };
}

/** For a project or a team: by default, it is deleted only if this resource created it. */
export function deleteIfCreated(what: "project" | "team") {
  return declareOnDestroy(DELETION, (origin: Origin) => (origin === "created" ? "delete" : "release"), {
    defaultText: `\`delete\` for a ${what} created by this resource, \`release\` for an adopted or imported one`,
    description: `What destroying does: \`delete\` deletes the ${what} in the service, \`release\` only removes the resource from the state.`,
  });
}

/**
 * For the access of a person, a team or a key: by default, it is removed, also if this resource did
 * not add it.
 */
export function removeByDefault(description: string) {
  return declareOnDestroy(REMOVAL, () => "remove", { defaultText: "`remove`", description });
}

/**
 * The end of the message about an object that a resource adopts and, by default, removes.
 *
 * @param managed what the resource manages from now on
 * @param effect what destroying does
 */
export function noticeOfAdoption(
  { onDestroy }: OnDestroyInput<EndOfAccess>,
  managed: string,
  effect: string,
): string {
  return known(onDestroy) === "release"
    ? ""
    : ` From now on this resource manages ${managed}: destroying it, or removing it from the program, ${effect}. To prevent that, set onDestroy to "release".`;
}
