/** Whether a list fits the stack and the program, before anything is imported. */
import { ACCESS_FOLDER_TYPE } from "../../provider/component";
import { RefusedError } from "../../provider/text/errors";
import { invocation } from "../lib/command";
import { refuseElsewhere } from "../lib/elsewhere";
import type { EngineRun } from "../lib/engine-events";
import { type ImportEntry, type ListPlaces, placeOfUrn } from "../lib/import-list";
import { logicalName, typeOf } from "../lib/own-resources";
import type { StackExport } from "../lib/stack-export";
import { listed, type Terminal } from "../lib/terminal";
import { runProgram } from "./engine";
import { failureOf } from "./outcome";

interface Beginning {
  /** As the command line names it. */
  readonly file: string;
  readonly entries: readonly ImportEntry[];
  readonly places: ListPlaces;
  readonly stack: string;
  /** The Pulumi project. */
  readonly project: string;
  readonly state: StackExport;
}

/**
 * The entries that the program declares: the next `up` would release or delete any other one. A list without the component
 * was written by hand, and is taken as it is.
 *
 * @param waiting what the stack does not hold
 * @throws RefusedError if other resources of the stack declare what is to be imported, or if the program does not run, or does
 * not declare the component
 */
export async function entriesThatFit(
  waiting: readonly ImportEntry[],
  beginning: Beginning,
  terminal: Terminal,
): Promise<readonly ImportEntry[]> {
  const { file, entries, stack, project, state } = beginning;
  const { component, placeOf } = beginning.places;
  const adopt = `${invocation(terminal)} adopt`;
  refuseElsewhere(entries, state.resources, { stack, component, adopt, nothing: "Nothing was imported" });
  if (component === undefined || waiting.length === 0) return waiting;
  const folder = `${ACCESS_FOLDER_TYPE}::${component}`;
  const places = new Set(waiting.map(placeOf));
  const run = await runProgram(
    {
      stack,
      project,
      isEmpty: state.resources.length === 0,
      what: "resources declared by the program",
      total: places.size,
      isCounted: ({ urn }) => places.has(placeOfUrn(urn)),
    },
    terminal,
  );
  const declared = new Set(run.steps.map(({ urn }) => placeOfUrn(urn)));
  const error = failureOf(run);
  if (error !== undefined)
    throw new RefusedError(`Nothing was imported, because the program does not run: ${error}`);
  if (!declared.has(folder)) throw otherProgram(component, run, file, adopt);
  return waiting.filter((entry) => declared.has(placeOf(entry)));
}

/** The program does not declare the component of the list where the list has it. */
function otherProgram(component: string, { steps }: EngineRun, file: string, adopt: string): RefusedError {
  const folders = steps.map(({ urn }) => urn).filter((urn) => typeOf(urn) === ACCESS_FOLDER_TYPE);
  const names = [...new Set(folders.map(logicalName))];
  const declares = `Nothing was imported: ${file} is of AccessFolder "${component}", which the program does not declare`;
  if (names.includes(component))
    return new RefusedError(
      `${declares} at its top, but within another component. Move it to the top for the import; afterwards, an alias can move it back.`,
    );
  const advice =
    names.length === 0
      ? "Declare the folder first."
      : `It declares ${listed(names.map((name) => JSON.stringify(name)))}. Delete ${file} and run ${adopt} --component ${names.length === 1 ? names[0] : "with one of these names"}.`;
  return new RefusedError(`${declares}. ${advice}`);
}
