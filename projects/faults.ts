/** Faults in files with their locations, and the error that lists all of them. */
import { OpsManagerError } from "../provider/text/errors";

/** A location in a file; lines and columns count from 1. */
export interface FileLocation {
  /** The path relative to the working directory if the file is below it. Forward slashes. */
  readonly file: string;
  /** Line and column are absent if the fault concerns the file itself or a folder. */
  readonly line?: number;
  readonly column?: number;
}

export interface Fault {
  readonly location: FileLocation;
  /** The whole sentence, with the path of the value. */
  readonly reason: string;
}

/** The fault of a value, which makes it useless to ask what the property lacks. */
export interface PropertyFault extends Fault {
  /** Of the file, at the top. */
  readonly property: string;
}

/**
 * Thrown for unusable files: the message has one line for every fault of every file.
 * Nothing was declared.
 */
export class ProjectFilesError extends OpsManagerError {
  readonly code = "OPSMANAGER_PROJECT_FILES";
  /** Each fault once. */
  readonly faults: readonly Fault[];

  /**
   * @param faults at least one; a file that several others extend may report its faults several
   * times
   */
  constructor(faults: readonly Fault[]) {
    const distinct = new Map(faults.map((fault) => [faultLine(fault), fault]));
    const lines = [...distinct.keys()];
    const count = lines.length === 1 ? "There is a fault" : `There are ${lines.length} faults`;
    super([`${count} in the files; nothing was changed:`, ...lines]);
    this.faults = [...distinct.values()];
  }
}

export function faultLine({ location, reason }: Fault): string {
  return `${locationText(location)}: ${reason}`;
}

export function locationText({ file, line, column }: FileLocation): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** Sorts faults by file, then by their position in the text. */
export function inOrderOfLocation(faults: readonly Fault[]): Fault[] {
  const fileOrder = (one: FileLocation, other: FileLocation) =>
    one.file < other.file ? -1 : one.file > other.file ? 1 : 0;
  return [...faults].sort(
    ({ location: one }, { location: other }) =>
      fileOrder(one, other) || (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0),
  );
}
