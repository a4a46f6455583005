/** The forms in which a report can be had, by the name that `--format` takes. */
import type { Format } from "./format";
import { json } from "./json";
import { text } from "./text";

export const formats: Readonly<Record<string, Format>> = { text, json };
