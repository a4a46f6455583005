/** zod types for values that occur in more than one resource or lookup. */
import { z } from "zod";
import { OBJECT_ID } from "../object-id";

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
