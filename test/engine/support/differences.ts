/**
 * What a story expects of one provider and not of the other, by rows of the table "Differences" of docs/providers.md. The tests in
 * `providers/` prove these rows; a story that meets one takes it from here and has no branch.
 */
import type { Diagnostic, ProviderKind } from "../../support";

interface Differences {
  /** Row "drift in a plain preview": the changed properties of an update, which the dynamic provider does not show. */
  readonly shownPaths: (paths: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** The same row: a text in which the engine shows such a property. Every text contains the empty one. */
  readonly shownText: (text: string) => string;
  /** Row "a preview reads what a create or update would find": a text of such a preview. */
  readonly previewText: (text: string) => string;
  /** Row "messages carry the resource's URN": a text that needs the URN. */
  readonly textWithUrn: (text: string) => string;
  /** Not documented: the lines for debugging of the dynamic provider are those of the Node SDK. */
  readonly isOfProvider: (message: Pick<Diagnostic, "severity">) => boolean;
  /** Row "`pulumi import`, `import` option": what only a program with this option has. */
  readonly ifImports: <Value>(values: readonly Value[]) => readonly Value[];
}

export const differences: Readonly<Record<ProviderKind, Differences>> = {
  plugin: {
    shownPaths: (paths) => paths,
    shownText: (text) => text,
    previewText: (text) => text,
    textWithUrn: (text) => text,
    isOfProvider: () => true,
    ifImports: (values) => values,
  },
  dynamic: {
    shownPaths: () => ({}),
    shownText: () => "",
    previewText: () => "",
    textWithUrn: () => "",
    isOfProvider: ({ severity }) => severity !== "debug",
    ifImports: () => [],
  },
};
