/**
 * Fills the generated parts of README.md and of the pages in docs/. A generated part stands between `<!-- kind: name -->` and
 * `<!-- end -->`. The kinds are the keys of `parts`.
 *
 *   node scripts/docs.mjs           writes the parts
 *   node scripts/docs.mjs --check   fails if a part is not up to date
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { benchPart, writeBenchImages } from "./lib/bench-page.mjs";
import { readEntries, writeCatalog } from "./lib/messages.mjs";
import { documentPages } from "./lib/pages.mjs";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { readTranslated } from "./lib/schema-examples.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";
import { packageSchema } from "./lib/sdk-generator.mjs";

/**
 * @typedef {import("../provider/resources/contract/duties.js").Duties} Duties
 * @typedef {{
 *   type?: string, items?: Property, additionalProperties?: Property, $ref?: string, secret?: boolean, description: string,
 * }} Property
 * @typedef {Record<string, Property>} Properties
 * @typedef {{ inputProperties: Properties, requiredInputs?: string[], properties: Properties, listInputs?: { properties: Properties } }} ResourceSpec
 * @typedef {{ description: string, inputs: { properties: Properties, required?: string[] }, outputs: { properties: Properties } }} FunctionSpec
 * @typedef {{
 *   config: { variables: Properties },
 *   resources: Record<string, ResourceSpec>,
 *   functions: Record<string, FunctionSpec>,
 *   types: Record<string, { properties: Properties, enum?: { value: string }[] }>,
 * }} Schema
 */

/** @returns {string[]} absolute paths of the pages that may have generated parts */
function pages() {
  return [inRepository("README.md"), ...documentPages()];
}

/** @returns {Promise<string>} the result in a few words */
export async function checkDocs() {
  const stale = (await filledPages()).filter(({ before, after }) => before !== after);
  if (stale.length === 0) return "up to date";
  const names = stale.map(({ page }) => relative(repositoryRoot, page)).join(", ");
  throw new Failure(`\`npm run generate\` would change ${names}`);
}

export async function writeDocs() {
  writeCatalog();
  writeBenchImages();
  for (const { page, before, after } of await filledPages()) {
    if (before !== after) writeFileSync(page, after);
  }
}

async function filledPages() {
  /** @type {Schema} */
  const schema = JSON.parse(await packageSchema());
  const messages = readEntries();
  const shownTopics = new Set();
  const filled = pages().map((page) => {
    const before = readFileSync(page, "utf8");
    const after = before.replace(
      /<!-- (\w+)(?:: (\S+))? -->\n[\s\S]*?<!-- end -->/g,
      (_, kind, name = "") => {
        const part = parts[kind];
        if (!part)
          throw new Failure(`${relative(repositoryRoot, page)} has a part of the unknown kind ${kind}`);
        if (kind === "messages") shownTopics.add(name);
        return `<!-- ${kind}${name ? `: ${name}` : ""} -->\n${part(name, schema, messages)}\n<!-- end -->`;
      },
    );
    return { page, before, after };
  });
  const missing = [...messages.keys()].filter((topic) => !shownTopics.has(topic));
  if (missing.length > 0) throw new Failure(`no page shows the messages of ${missing.join(", ")}`);
  return filled;
}

/** @typedef {ReturnType<typeof readEntries>} Messages the explained messages by topic */

/** @type {Record<string, (name: string, schema: Schema, messages: Messages) => string>} */
const parts = {
  program: (name) => `\`\`\`typescript\n${readFileSync(inRepository(name), "utf8")}\`\`\``,
  settings: (_, schema) => table(["setting", "type", "meaning"], rows(schema, schema.config.variables)),
  inputs: (name, schema) =>
    inputTable(
      schema,
      "input",
      resourceOf(schema, name).inputProperties,
      resourceOf(schema, name).requiredInputs,
    ),
  outputs: (name, schema) => outputTable(schema, resourceOf(schema, name)),
  listInputs: (_, schema) => table(["resource", "input", "type", "meaning"], listInputRows(schema)),
  example: (name) => examplesOf(name),
  chooser: (name) => chooserOf(name),
  bench: (name) => benchPart(name),
  messages: (name, _, messages) => messageTable(name, messages),
  errorCodes: () => table(["`errorCode`", "what to do"], errorCodeRows()),
  protections: () => protectionTable(),
  owningRights: () => owningRightTable(),
  whenRemoved: () =>
    kindTable([
      ["when it leaves the program", ({ whenRemoved }) => whenRemoved],
      ["counts towards `maxRemovalsPerRun`", ({ counted }) => counted],
    ]),
  whenDeletedFirst: () =>
    kindTable([["with `deleteBeforeReplace`", ({ whenDeletedFirst }) => whenDeletedFirst]]),
  withFourOperations: () =>
    kindTable([["with the four operations alone", ({ withFourOperations }) => withFourOperations]]),
  secretOutputs: () => secretOutputTable(),
  functions: (_, schema) =>
    Object.entries(schema.functions)
      .map((entry) => functionPart(schema, entry))
      .join("\n\n"),
};

/** What selects the listed objects, for each resource. @param {Schema} schema */
function listInputRows(schema) {
  return Object.entries(schema.resources).flatMap(([token, { listInputs }]) =>
    rows(schema, listInputs?.properties ?? {}).map((row) => [code(token.split(":").at(-1) ?? ""), ...row]),
  );
}

/** The advice of the provider for each error code of Ops Manager, in alphabetical order. */
function errorCodeRows() {
  /** @type {import("../provider/api/hints.js")} */
  const { hintsByErrorCode } = createRequire(import.meta.url)(
    inRepository("dist", "provider", "api", "hints.js"),
  );
  return Object.entries(hintsByErrorCode())
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, hint]) => [`\`${code}\``, cell(hint)]);
}

/** Who is not removed, in the order in which the provider decides it. */
function protectionTable() {
  /** @type {import("../provider/resources/people/protect.js")} */
  const { protections } = createRequire(import.meta.url)(
    inRepository("dist", "provider", "resources", "people", "protect.js"),
  );
  const kinds = /** @type {const} */ (["ProjectMember", "ProjectMembers", "Team", "OrganizationMember"]);
  const described = /** @type {readonly import("../provider/resources/people/protect.js").Described[]} */ (
    protections
  );
  return table(
    ["who", ...kinds.map(code)],
    described.map(({ who, effect }) => [who, ...kinds.map((kind) => effect[kind] ?? "")]),
  );
}

/** What is known of each kind. @param {readonly [title: string, text: (duties: Duties) => string][]} columns */
function kindTable(columns) {
  /** @type {{ resources: readonly { name: string, duties: Duties }[] }} */
  const { resources } = createRequire(import.meta.url)(
    inRepository("dist", "provider", "resources", "index.js"),
  );
  return table(
    ["resource", ...columns.map(([title]) => title)],
    resources.map(({ name, duties }) => [code(name), ...columns.map(([, text]) => text(duties))]),
  );
}

/** The outputs that are secret. */
function secretOutputTable() {
  /** @type {{ resources: readonly { name: string, outputs: import("zod").ZodObject }[] }} */
  const { resources } = createRequire(import.meta.url)(
    inRepository("dist", "provider", "resources", "index.js"),
  );
  const secrets = resources.flatMap(({ name, outputs }) =>
    Object.entries(outputs.shape)
      .filter(([, output]) => /** @type {import("zod").ZodType} */ (output).meta()?.secret)
      .map(([output]) => [code(name), code(output)]),
  );
  return table(["resource", "secret output"], secrets);
}

/** Which roles own projects or make owners, with the source. */
function owningRightTable() {
  /** @type {import("../provider/access/rights.js")} */
  const { owningRights } = createRequire(import.meta.url)(
    inRepository("dist", "provider", "access", "rights.js"),
  );
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

/** @param {string} topic @param {Messages} messagesByTopic */
function messageTable(topic, messagesByTopic) {
  const entries = messagesByTopic.get(topic);
  if (!entries) throw new Failure(`a page names the topic ${topic}, which does not exist`);
  const lines = entries.map(({ messages, ...entry }) => [
    messages.map(({ text }) => code(text)).join("<br>"),
    cell(entry.cause ?? ""),
    cell(entry.do ?? ""),
  ]);
  return table(["message", "cause", "what to do"], lines);
}

/** @param {string} text */
function code(text) {
  const fence = text.includes("`") ? "``" : "`";
  const gap = /^`|`$/.test(text) ? " " : "";
  return fence + gap + cell(text) + gap + fence;
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** @param {Schema} schema @param {string} name */
function resourceOf(schema, name) {
  const resource = schema.resources[`opsmanager:index:${name}`];
  if (!resource) throw new Failure(`a page names the resource ${name}, which does not exist`);
  return resource;
}

/**
 * The schema's examples of a resource or function. `test/engine/schema` and `test/engine/sdks` compile and run each of them.
 *
 * @param {string} name
 */
function examplesOf(name) {
  const examples = readTranslated()[name];
  if (!examples) throw new Failure(`a page names the example ${name}, which does not exist`);
  return examples.map(exampleText).join("\n\n");
}

/** An example with a tab for each language, as pages of the Pulumi Registry have it. @param {string} id `Project-1` */
function chooserOf(id) {
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

/**
 * TypeScript and YAML. The examples in all languages stand in the Registry's page (`chooserOf`) and in the docstrings of the SDKs.
 *
 * @param {import("./lib/schema-examples.mjs").Translated} example
 */
function exampleText({ title, text, programs }) {
  const head = wrapped(text ? `**${title}.** ${text.replaceAll("\n", " ")}` : `**${title}.**`);
  const yaml = ["<details><summary>YAML</summary>", fence("yaml", programs.yaml), "</details>"];
  return [head, fence("typescript", programs.typescript), ...yaml].join("\n\n");
}

/** @param {string} language @param {string[]} lines */
function fence(language, lines) {
  return [`\`\`\`${language}`, ...lines, "```"].join("\n");
}

/** @param {Schema} schema @param {ResourceSpec} spec */
function outputTable(schema, { inputProperties, properties }) {
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

/** What the entries of a list hold. @param {Schema} schema @param {Property} property @returns {string[]} */
function partsOf({ types }, { items }) {
  const name = items?.$ref?.split("/").at(-1);
  const type = name === undefined ? undefined : types[name];
  if (!name || !type) return [];
  return [wrapped(`Each \`${name.split(":").at(-1)}\` has ${names(type.properties)}.`)];
}

/** In sentences of at most eight names. @param {Properties} properties */
function names(properties) {
  const quoted = Object.keys(properties).map((name) => `\`${name}\``);
  const [first, ...others] = Array.from({ length: Math.ceil(quoted.length / 8) }, (_, index) =>
    quoted.slice(index * 8, (index + 1) * 8).join(", "),
  );
  return [first, ...others.map((some) => `Further: ${some}`)].join(". ");
}

/** @param {Schema} schema @param {[string, FunctionSpec]} entry */
function functionPart(schema, [token, { description, inputs, outputs }]) {
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

/** Each paragraph in lines of at most 120 columns. @param {string} text */
function wrapped(text) {
  const lines = text.split("\n").map((line) => {
    let width = 0;
    const words = line.split(" ").map((word) => {
      const isNext = width > 0 && width + 1 + word.length <= 120;
      width = isNext ? width + 1 + word.length : word.length;
      return { word, before: isNext ? " " : "\n" };
    });
    return words.map(({ word, before }, index) => (index === 0 ? word : before + word)).join("");
  });
  return lines.join("\n");
}

/** @param {string} description */
function withoutExamples(description) {
  return description.split("\n\n{{% examples %}}")[0] ?? "";
}

/** @param {Schema} schema @param {string} head @param {Properties} properties @param {readonly string[]} required */
function inputTable(schema, head, properties, required = []) {
  const lines = rows(schema, properties).map(([name = "", type = "", meaning = ""]) => [
    name,
    type,
    required.some((property) => name === `\`${property}\``) ? "yes" : "",
    meaning,
  ]);
  return table([head, "type", "required", "meaning"], lines);
}

/** @param {Schema} schema @param {Properties} properties */
function rows(schema, properties) {
  return Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    `\`${typeName(schema, property)}\`${property.secret ? ", secret" : ""}`,
    property.description.replaceAll("|", "\\|"),
  ]);
}

/**
 * A type in the words of the Pulumi Registry.
 *
 * @param {Schema} schema
 * @param {Property} property
 * @returns {string}
 */
function typeName(schema, { type = "", items, additionalProperties, $ref }) {
  const reference = $ref?.split("/").at(-1);
  if (reference !== undefined) {
    const values = schema.types[reference]?.enum?.map(({ value }) => `"${value}"`);
    return values?.join(" \\| ") ?? reference.split(":").at(-1) ?? "";
  }
  if (items) return `List<${typeName(schema, items)}>`;
  if (additionalProperties) return `Map<${typeName(schema, additionalProperties)}>`;
  return type.charAt(0).toUpperCase() + type.slice(1);
}

/** @param {string[]} head @param {string[][]} lines */
function table(head, lines) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    if (process.argv.includes("--check")) console.log(`docs: ${await checkDocs()}`);
    else await writeDocs();
  });
}
