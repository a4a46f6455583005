import type { DriftReport } from "../report";

export interface FormatOptions {
  /** Whether the reader takes colours; never in a file. */
  readonly hasColors: boolean;
}

/** Writes a report in one of the forms in which it can be had. */
export type Format = (report: DriftReport, options: FormatOptions) => string;
