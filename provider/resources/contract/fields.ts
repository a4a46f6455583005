/** zod types for values that occur in more than one resource or lookup. */
import { z } from "zod";
import { OBJECT_ID } from "../../text/object-id";
import { projectRoles } from "./roles";

/** Characters that no name needs and that hide in a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Text with at least one character and none that hides. */
export function nameText() {
  return z
    .string("must be text")
    .min(1, "must not be empty")
    .refine((value) => !CONTROL.test(value), "must not hold control characters");
}

/** @param what the thing whose id it is, for the message: `the id of a project` */
export function objectId(what: string) {
  return z.string("must be text").regex(OBJECT_ID, `must be ${what}: 24 hexadecimal digits`);
}

/** The project of a resource or a lookup. */
export const projectIdInput = objectId("the id of a project").meta({
  description: "ID of the project, 24 hexadecimal digits.",
});

/** The organization of a listing. */
export const orgIdInput = objectId("the id of an organization").meta({
  description: "ID of the organization, 24 hexadecimal digits.",
});

/** An output that is a text. */
export function requiredText(description: string) {
  return z.string().meta({ description });
}

/** An output that is a text or absent. */
export function optionalText(description: string) {
  return z.string().optional().meta({ description });
}

/** An output with roles. */
export function roleTexts(description: string, kind = projectRoles) {
  return z.array(z.string().meta(kind.suggestions)).meta({ description });
}
