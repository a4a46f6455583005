/** What a format is told beside the report. */
export interface FormatOptions {
  /** Path of `Pulumi.yaml` from the root of the repository, with `/`; default: `Pulumi.yaml`. Findings are shown there. */
  readonly programFile?: string | undefined;
  /** Where the whole report is, for a format that is cut: a file's name, an address. */
  readonly wholeReport?: string | undefined;
  /** Whether what nobody owns counts as a failure, as with `--fail-on-unmanaged`. */
  readonly failOnUnmanaged?: boolean | undefined;
}
