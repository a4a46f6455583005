/** What is wrong in project files, with the place of each fault; and the one error that tells all of them. */
import { OpsManagerError } from "../errors";

/** Where something stands in a file; lines and columns count from 1. */
export interface Place {
  /** As a person finds it: from the working directory where the file lies below it. Forward slashes. */
  readonly file: string;
  /** Both absent where the fault is the file itself or a folder. */
  readonly line?: number;
  readonly column?: number;
}

export interface Fault {
  readonly place: Place;
  /** The whole sentence, with the path of the value. */
  readonly reason: string;
}

/** Project files that cannot be used: the message names every fault of every file, one a line. Nothing was declared. */
export class ProjectFilesError extends OpsManagerError {
  readonly code = "OPSMANAGER_PROJECT_FILES";
  readonly faults: readonly Fault[];

  /** @param faults at least one; a file that several others extend may tell its faults several times */
  constructor(faults: readonly Fault[]) {
    const lines = [...new Set(faults.map(faultLine))];
    const count = lines.length === 1 ? "There is a fault" : `There are ${lines.length} faults`;
    super([`${count} in the project files; nothing was changed:`, ...lines]);
    this.faults = faults;
  }
}

function faultLine({ place, reason }: Fault): string {
  return `${placeText(place)}: ${reason}`;
}

export function placeText({ file, line, column }: Place): string {
  return line === undefined ? file : `${file}:${line}:${column}`;
}

/** By file, then in the order of the text. */
export function inOrderOfPlace(faults: readonly Fault[]): Fault[] {
  const fileOrder = (one: Place, other: Place) =>
    one.file < other.file ? -1 : one.file > other.file ? 1 : 0;
  return [...faults].sort(
    ({ place: one }, { place: other }) =>
      fileOrder(one, other) || (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0),
  );
}
