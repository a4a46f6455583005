/** What every format receives. */
import type { Document } from "../report/document";

export interface FormatOptions {
  /** Whether the output supports colors; never in a file. */
  readonly hasColors: boolean;
  /**
   * Path of `Pulumi.yaml` from the root of the repository, with `/`; default: `Pulumi.yaml`.
   * Findings are shown there.
   */
  readonly programFile?: string | undefined;
  /** Locations of the complete report, for a truncated format: names of files, addresses. */
  readonly wholeReport?: readonly string[] | undefined;
  /** Largest number of entries in each section of the text format; default: all. */
  readonly mostEntries?: number | undefined;
}

/** Writes a report in one format. */
export type Format = (document: Document, options?: Partial<FormatOptions>) => string;
