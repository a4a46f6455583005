/** The forms in which a report can be had, by the name that `--format` takes. */
import type { Format } from "./format";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text } from "./text";

export const formats: Readonly<Record<string, Format>> = { text, json, markdown, sarif, junit };
