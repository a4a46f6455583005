/** zod types for values that occur in more than one resource or lookup. */
import { z } from "zod";
import { faultsOfName } from "../../text/names";
import { OBJECT_ID } from "../../text/object-id";
import { NAME_RULE } from "./check";
import { MOST_PATTERNS } from "./pattern";
import { projectRoles } from "./roles";

/** Text with at least one character that is a name by the rules of `text/names.ts`. */
export function nameText(faultsOf: (name: string) => readonly string[] = faultsOfName) {
  return z
    .string("must be text")
    .min(1, "must not be empty")
    .superRefine((name, { addIssue }) => {
      for (const message of faultsOf(name)) addIssue({ code: "custom", message, params: NAME_RULE });
    });
}

export function patternList(faultsOf?: (pattern: string) => readonly string[]) {
  return z
    .array(nameText(faultsOf), "must be a list")
    .max(MOST_PATTERNS, `must have at most ${MOST_PATTERNS} entries`);
}

/** Text that has a rule of its own beside its shape, such as a role. */
export function anyText() {
  return z.string("must be text").min(1, "must not be empty");
}

/** @param what the thing whose id it is, for the message: `the id of a project` */
export function objectId(what: string) {
  return z.string("must be text").regex(OBJECT_ID, `must be ${what}: 24 hexadecimal digits`);
}

export const projectIdInput = objectId("the id of a project").meta({
  description: "ID of the project, 24 hexadecimal digits.",
});

export const orgIdInput = objectId("the id of an organization").meta({
  description: "ID of the organization, 24 hexadecimal digits.",
});

export function requiredText(description: string) {
  return z.string().meta({ description });
}

export function optionalText(description: string) {
  return z.string().optional().meta({ description });
}

export function roleTexts(description: string, kind = projectRoles) {
  return z.array(z.string().meta(kind.suggestions)).meta({ description });
}
