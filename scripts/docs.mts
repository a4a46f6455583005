/**
 * Fills the generated parts of README.md and of the pages in docs/. A generated part stands between `<!-- kind: name -->` and
 * `<!-- end -->`. The kinds are the keys of `parts`.
 *
 *   node scripts/docs.mts           writes the parts
 *   node scripts/docs.mts --check   fails if a part is not up to date
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import type { Duties } from "../provider/resources/contract/resource.ts";
import { checkGenerated, type GeneratedFile, runGenerator } from "./lib/generated.mts";
import { documentPages } from "./lib/pages.mts";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { readTranslated } from "./lib/schema-examples.mts";
import { Failure } from "./lib/script.mjs";
import { packageSchema } from "./lib/sdk-generator.mts";

type Property = {
  type?: string;
  items?: Property;
  additionalProperties?: Property;
  $ref?: string;
  secret?: boolean;
  description: string;
};
type Properties = Record<string, Property>;
type ResourceSpec = {
  inputProperties: Properties;
  requiredInputs?: string[];
  properties: Properties;
  listInputs?: { properties: Properties };
};
type FunctionSpec = {
  description: string;
  inputs: { properties: Properties; required?: string[] };
  outputs: { properties: Properties };
};
type Schema = {
  config: { variables: Properties };
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
  types: Record<string, { properties: Properties; enum?: { value: string }[] }>;
};

/** @returns the result in a few words */
export async function checkDocs(): Promise<string> {
  return checkGenerated(await filledPages());
}

async function filledPages(): Promise<GeneratedFile[]> {
  const schema: Schema = JSON.parse(await packageSchema());
  return [inRepository("README.md"), ...documentPages()].map((page) => {
    const file = relative(repositoryRoot, page);
    const text = readFileSync(page, "utf8").replace(
      /<!-- (\w+)(?:: (\S+))? -->\n[\s\S]*?<!-- end -->/g,
      (_, kind, name = "") => {
        const part = parts[kind];
        if (!part) throw new Failure(`${file} has a part of the unknown kind ${kind}`);
        return `<!-- ${kind}${name ? `: ${name}` : ""} -->\n${part(name, schema)}\n<!-- end -->`;
      },
    );
    return { file, text };
  });
}

const parts: Record<string, (name: string, schema: Schema) => string> = {
  program: (name) => `\`\`\`typescript\n${readFileSync(inRepository(name), "utf8")}\`\`\``,
  settings: (_, schema) => table(["setting", "type", "meaning"], rows(schema, schema.config.variables)),
  inputs: (name, schema) => {
    const { inputProperties, requiredInputs } = resourceOf(schema, name);
    return inputTable(schema, "input", inputProperties, requiredInputs);
  },
  outputs: (name, schema) => outputTable(schema, resourceOf(schema, name)),
  listInputs: (_, schema) => table(["resource", "input", "type", "meaning"], listInputRows(schema)),
  example: (name) => examplesOf(name),
  chooser: (name) => chooserOf(name),
  errorCodes: () => table(["`errorCode`", "what to do"], errorCodeRows()),
  protections: () => protectionTable(),
  owningRights: () => owningRightTable(),
  beyondLists: () => beyondListsTable(),
  whenRemoved: () =>
    kindTable({
      "when it leaves the program": "whenRemoved",
      "counts towards `maxRemovalsPerRun`": "counted",
    }),
  whenDeletedFirst: () => kindTable({ "with `deleteBeforeReplace`": "whenDeletedFirst" }),
  withFourOperations: () => kindTable({ "with the four operations alone": "withFourOperations" }),
  secretOutputs: () => secretOutputTable(),
  functions: (_, schema) =>
    Object.entries(schema.functions)
      .map((entry) => functionPart(schema, entry))
      .join("\n\n"),
};

const load = createRequire(import.meta.url);

/** A module of the build. */
function built(path: string) {
  return load(inRepository("dist", path));
}

/** What selects the listed objects, for each resource. */
function listInputRows(schema: Schema) {
  return Object.entries(schema.resources).flatMap(([token, { listInputs }]) =>
    rows(schema, listInputs?.properties ?? {}).map((row) => [code(token.split(":").at(-1) ?? ""), ...row]),
  );
}

/** The advice of the provider for each error code of Ops Manager, in alphabetical order. */
function errorCodeRows() {
  const { hintsByErrorCode }: typeof import("../provider/api/hints.ts") = built("provider/api/hints.js");
  return Object.entries(hintsByErrorCode())
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, hint]) => [`\`${code}\``, cell(hint)]);
}

/** Who is not removed, in the order in which the provider decides it. */
function protectionTable() {
  const { protections }: typeof import("../provider/resources/people/protect.ts") = built(
    "provider/resources/people/protect.js",
  );
  return table(
    ["question", "if yes", "after a last day", "when destroyed"],
    protections.map(({ question, answer, afterLastDay, onDestroy }, index) => [
      `${index + 1}. **${question}**`,
      answer,
      afterLastDay,
      onDestroy,
    ]),
  );
}

function kinds(): readonly { name: string; duties: Duties; outputs: import("zod").ZodObject }[] {
  return built("provider/resources/all.js").resources;
}

/** What is known of each kind, by the heads of the columns. Kinds of which the same is known share a row. */
function kindTable(
  columns: Readonly<Record<string, "whenRemoved" | "counted" | "whenDeletedFirst" | "withFourOperations">>,
) {
  const rows = new Map<string, { names: string[]; cells: string[] }>();
  for (const { name, duties } of kinds()) {
    const cells = Object.values(columns).map((duty) => duties[duty]);
    const row = rows.get(cells.join()) ?? { names: [], cells };
    row.names.push(code(name));
    rows.set(cells.join(), row);
  }
  return table(
    ["resource", ...Object.keys(columns)],
    [...rows.values()].map(({ names, cells }) => [names.join(", "), ...cells]),
  );
}

/** The outputs that are secret. */
function secretOutputTable() {
  const secrets = kinds().flatMap(({ name, outputs }) =>
    Object.entries(outputs.shape)
      .filter(([, output]) => output.meta()?.secret)
      .map(([output]) => [code(name), code(output)]),
  );
  return table(["resource", "secret output"], secrets);
}

/** Which roles own projects or make owners, with the source. */
function owningRightTable() {
  const { owningRights }: typeof import("../provider/access/rights.ts") = built("provider/access/rights.js");
  return table(
    ["role", "of", "its holder", "what it allows", "source"],
    owningRights.map(({ role, place, effect, meaning, source }) => [
      code(role),
      place,
      effect,
      cell(meaning),
      cell(source),
    ]),
  );
}

/** What may give access and is in no list. */
function beyondListsTable() {
  const { beyondLists }: typeof import("../cli/lib/access/beyond.ts") = built("cli/lib/access/beyond.js");
  return table(
    ["not shown", "what it means"],
    beyondLists.map(({ what, meaning }) => [cell(what), cell(meaning)]),
  );
}

function code(text: string) {
  const fence = text.includes("`") ? "``" : "`";
  const gap = /^`|`$/.test(text) ? " " : "";
  return fence + gap + cell(text) + gap + fence;
}

function cell(text: string) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function resourceOf(schema: Schema, name: string) {
  const resource = schema.resources[`opsmanager:index:${name}`];
  if (!resource) throw new Failure(`a page names the resource ${name}, which does not exist`);
  return resource;
}

/** The schema's examples of a resource or function. `test/engine/schema` and `test/engine/sdks` compile and run each of them. */
function examplesOf(name: string) {
  const examples = readTranslated()[name];
  if (!examples) throw new Failure(`a page names the example ${name}, which does not exist`);
  return examples.map(exampleText).join("\n\n");
}

/**
 * An example with a tab for each language, as pages of the Pulumi Registry have it.
 *
 * @param id `Project-1`
 */
function chooserOf(id: string) {
  const [name = "", number] = id.split("-");
  const example = readTranslated()[name]?.[Number(number) - 1];
  if (!example) throw new Failure(`a page names the example ${id}, which does not exist`);
  const programs = Object.entries(example.programs);
  const tabs = programs.map(([language, lines]) => [
    `{{% choosable language ${language} %}}`,
    fence(language, lines),
    "{{% /choosable %}}",
  ]);
  const languages = programs.map(([language]) => language).join(",");
  return [`{{< chooser language "${languages}" >}}`, ...tabs.flat(), "{{< /chooser >}}"].join("\n\n");
}

/** TypeScript and YAML. All six languages stand in the Registry's page (`chooserOf`) and in the docstrings of the SDKs. */
function exampleText({ title, text, programs }: import("./lib/schema-examples.mts").Translated) {
  const head = wrapped(text ? `**${title}.** ${text.replaceAll("\n", " ")}` : `**${title}.**`);
  const yaml = ["<details><summary>YAML</summary>", fence("yaml", programs.yaml), "</details>"];
  return [head, fence("typescript", programs.typescript), ...yaml].join("\n\n");
}

function fence(language: string, lines: string[]) {
  return [`\`\`\`${language}`, ...lines, "```"].join("\n");
}

function outputTable(schema: Schema, { inputProperties, properties }: ResourceSpec) {
  const outputs = Object.fromEntries(
    Object.entries(properties).filter(
      ([name, { description }]) => inputProperties[name]?.description !== description,
    ),
  );
  return [
    "Each input is also an output that holds the live value. The other outputs, and those with another meaning:",
    table(["output", "type", "meaning"], rows(schema, outputs)),
    ...Object.values(outputs).flatMap((output) => partsOf(schema, output)),
  ].join("\n\n");
}

/** What the entries of a list hold. */
function partsOf({ types }: Schema, { items }: Property): string[] {
  const name = items?.$ref?.split("/").at(-1);
  const type = name === undefined ? undefined : types[name];
  if (!name || !type) return [];
  return [wrapped(`Each \`${name.split(":").at(-1)}\` has ${names(type.properties)}.`)];
}

function names(properties: Properties) {
  return Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(", ");
}

function functionPart(schema: Schema, [token, { description, inputs, outputs }]: [string, FunctionSpec]) {
  const name = token.split(":").at(-1) ?? "";
  const results = Object.values(outputs.properties).flatMap((output) => partsOf(schema, output));
  return [
    `## ${name}`,
    wrapped(withoutExamples(description)),
    inputTable(schema, "argument", inputs.properties, inputs.required),
    [wrapped(`Returns ${names(outputs.properties)}.`), ...results].join("\n"),
    examplesOf(name),
  ].join("\n\n");
}

/** Each paragraph in lines of at most so many columns. */
function wrapped(text: string, width = 120) {
  return text.replace(new RegExp(`(?!.{0,${width}}$)(.{1,${width}}) `, "gm"), "$1\n");
}

function withoutExamples(description: string) {
  return description.split("\n\n{{% examples %}}")[0] ?? "";
}

function inputTable(schema: Schema, head: string, properties: Properties, required: readonly string[] = []) {
  const lines = rows(schema, properties).map(([name = "", type = "", meaning = ""]) => [
    name,
    type,
    required.some((property) => name === `\`${property}\``) ? "yes" : "",
    meaning,
  ]);
  return table([head, "type", "required", "meaning"], lines);
}

function rows(schema: Schema, properties: Properties) {
  return Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    `\`${typeName(schema, property)}\`${property.secret ? ", secret" : ""}`,
    property.description.replaceAll("|", "\\|"),
  ]);
}

/** A type in the words of the Pulumi Registry. */
function typeName(schema: Schema, { type = "", items, additionalProperties, $ref }: Property): string {
  const reference = $ref?.split("/").at(-1);
  if (reference !== undefined) {
    const values = schema.types[reference]?.enum?.map(({ value }) => `"${value}"`);
    return values?.join(" \\| ") ?? reference.split(":").at(-1) ?? "";
  }
  if (items) return `List<${typeName(schema, items)}>`;
  if (additionalProperties) return `Map<${typeName(schema, additionalProperties)}>`;
  return type.charAt(0).toUpperCase() + type.slice(1);
}

function table(head: string[], lines: string[][]) {
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

await runGenerator(import.meta.url, { make: filledPages, check: checkDocs });
