/** Values and names of a report in a line of text. Pure. */
import { visibleText } from "../../../provider/text/visible-text";

/** Formats a value as JSON in one line. */
export function valueText(value: unknown): string {
  return value === undefined ? "nothing" : visibleText(JSON.stringify(value));
}

/** A name, in quotes if it could be mistaken for other text of the line. */
export function quotedIfNeeded(name: string): string {
  return /^[\w.@+-]+$/.test(name) ? name : valueText(name);
}

/** `payments (5f…)`; the ID alone if the name is not known. */
export function labelText({ name, id }: { readonly name: string; readonly id: string }): string {
  return name === id ? id : `${quotedIfNeeded(name)} (${id})`;
}

/** A time to the minute: `2026-11-23 06:00 UTC`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, "2026-11-23T06:00".length).replace("T", " ")} UTC`;
}
