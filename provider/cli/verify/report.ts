/**
 * The report for the user, and the file for `opsmanager sandbox --like`. Neither holds a host, a
 * key, an id or a name of a person.
 */
import { section, styled, type Terminal } from "../terminal";
import type { PointResult, VerifyResult } from "./run";

/** Must be increased when a field changes its meaning. */
const FORMAT_VERSION = 1;

/** The switches of the embedded service that match, as JSON. */
export function switchesFile({ observations }: Pick<VerifyResult, "observations">): string {
  const found = observations.flatMap((one) => ("value" in one ? [[one.name, one.value]] : []));
  const open = observations.flatMap((one) => ("reason" in one ? [[one.name, one.reason]] : []));
  const file = {
    formatVersion: FORMAT_VERSION,
    switches: Object.fromEntries(found),
    notFoundOut: Object.fromEntries(open),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

export function resultsText(
  { observations }: Pick<VerifyResult, "observations">,
  terminal: Pick<Terminal, "hasColors">,
): string {
  const found = observations.filter((one) => "value" in one);
  const open = observations.filter((one) => "reason" in one);
  const entries = (title: string, of: readonly PointResult[]) => {
    const lines = of.map((one) => pointLine(one, terminal));
    return section(terminal, title, lines);
  };
  const counts = `${found.length} determined, ${open.length} not determined\n`;
  return [...entries("Determined", found), ...entries("Not determined", open), counts].join("\n\n");
}

const NAME_WIDTH = 28;

function pointLine(observation: PointResult, terminal: Pick<Terminal, "hasColors">): string {
  const { name, tries } = observation;
  const result =
    "value" in observation
      ? styled(terminal, "green", observation.value === "" ? "(empty)" : String(observation.value))
      : observation.reason;
  const by = tries === undefined ? "" : `\n  ${" ".repeat(NAME_WIDTH)}${styled(terminal, "gray", tries)}`;
  return `  ${name.padEnd(NAME_WIDTH)}${result}${by}`;
}
