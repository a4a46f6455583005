import type { DriftReport } from "../report";

export interface FormatOptions {
  /** Whether the reader takes colours; never in a file. */
  readonly hasColors: boolean;
  /** Path of `Pulumi.yaml` from the root of the repository, with `/`; default: `Pulumi.yaml`. Findings are shown there. */
  readonly programFile?: string | undefined;
  /** Where the whole report is, for a format that is cut: names of files, addresses. */
  readonly wholeReport?: readonly string[] | undefined;
  /** Whether what nobody owns counts as a failure, as with `--fail-on-unmanaged`. */
  readonly failOnUnmanaged?: boolean | undefined;
}

/** Writes a report in one of the forms in which it can be had. */
export type Format = (report: DriftReport, options: FormatOptions) => string;
