/**
 * The examples that stand in the package schema, and so in the documentation of each SDK. Each is
 * written once, as the Pulumi YAML program `<resource, lookup or Provider>-<number>.yaml` beside
 * this file; `npm run generate` translates it with Pulumi's own generators. Where that of Go or
 * Java makes something that does not compile, a `.go` or `.java` file of the same name replaces it.
 */

import { own } from "../text/own";
import translated from "./translated.json";

/**
 * In the order in which they are shown; by the names that Pulumi's generators look for in a
 * description.
 */
export const LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"] as const;

export interface Example {
  readonly title: string;
  /** Markdown between the title and the programs. */
  readonly text?: string | undefined;
  /** Lines of the same program in each language. */
  readonly programs: Readonly<Record<(typeof LANGUAGES)[number], readonly string[]>>;
}

const examples: Readonly<Record<string, readonly Example[]>> = translated;

/** @param name last part of the token of a resource or lookup; `Provider` */
export function examplesOf(name: string): readonly Example[] {
  return own(examples, name) ?? [];
}

/**
 * A description with its examples, in the form of which Pulumi's generators keep their own language
 * alone (pulumi/pulumi, pkg/codegen/docs.go, FilterExamples).
 */
export function withExamples(name: string, description: string): string {
  const shown = examplesOf(name).map(shownExample);
  if (shown.length === 0) return description;
  return [description, "{{% examples %}}", "## Example Usage", ...shown, "{{% /examples %}}"].join("\n\n");
}

function shownExample({ title, text, programs }: Example): string {
  const blocks = LANGUAGES.map((language) => `\`\`\`${language}\n${programs[language].join("\n")}\n\`\`\``);
  return ["{{% example %}}", `### ${title}`, ...(text ? [text] : []), ...blocks, "{{% /example %}}"].join(
    "\n\n",
  );
}
