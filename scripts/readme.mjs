/**
 * Fills the generated parts of README.md: tables from the package schema, the program from its example. They are between
 * `<!-- name -->` and `<!-- end -->`.
 *
 *   node scripts/readme.mjs           writes them
 *   node scripts/readme.mjs --check   fails where they are not up to date
 */
import { readFileSync, writeFileSync } from "node:fs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";
import { packageSchema } from "./lib/sdk-generator.mjs";

/**
 * @typedef {{
 *   type?: string, items?: Property, additionalProperties?: Property, $ref?: string, secret?: boolean, description: string,
 * }} Property
 * @typedef {Record<string, Property>} Properties
 * @typedef {{ inputProperties: Properties, properties: Properties }} ResourceSpec
 * @typedef {{ description: string, inputs: { properties: Properties }, outputs: { properties: Properties } }} FunctionSpec
 * @typedef {{
 *   config: { variables: Properties },
 *   resources: Record<string, ResourceSpec>,
 *   functions: Record<string, FunctionSpec>,
 *   types: Record<string, { properties: Properties }>,
 * }} Schema
 */

const readme = inRepository("README.md");

/** @returns {Promise<string>} what was found, in a few words */
export async function checkReadme() {
  if ((await filled()) === readFileSync(readme, "utf8")) return "up to date";
  throw new Failure("`npm run generate` would change README.md");
}

export async function writeReadme() {
  writeFileSync(readme, await filled());
}

async function filled() {
  /** @type {Schema} */
  const schema = JSON.parse(await packageSchema());
  return readFileSync(readme, "utf8").replace(
    /<!-- (program|settings|resource|lookups)(?:: (\S+))? -->\n[\s\S]*?<!-- end -->/g,
    (_, kind, name) =>
      `<!-- ${kind}${name ? `: ${name}` : ""} -->\n${part(schema, kind, name)}\n<!-- end -->`,
  );
}

/**
 * @param {Schema} schema
 * @param {string} kind
 * @param {string} name
 */
function part(schema, kind, name) {
  if (kind === "program") return `\`\`\`typescript\n${readFileSync(inRepository(name), "utf8")}\`\`\``;
  if (kind === "settings") return table(["setting", "type", "meaning"], rows(schema.config.variables));
  if (kind === "lookups") {
    return Object.entries(schema.functions)
      .map((lookup) => lookupPart(schema, lookup))
      .join("\n\n");
  }
  const resource = schema.resources[`opsmanager:index:${name}`];
  if (!resource) throw new Failure(`README.md names the resource ${name}, which does not exist`);
  return resourceTables(schema, resource);
}

/** @param {Schema} schema @param {ResourceSpec} spec */
function resourceTables(schema, { inputProperties, properties }) {
  const outputs = Object.fromEntries(
    Object.entries(properties).filter(
      ([name, { description }]) => inputProperties[name]?.description !== description,
    ),
  );
  return [
    table(["input", "type", "meaning"], rows(inputProperties)),
    "Outputs hold the live values under the same names. Besides:",
    table(["output", "type", "meaning"], rows(outputs)),
    ...Object.values(outputs).flatMap((output) => partsOf(schema, output)),
  ].join("\n\n");
}

/** What the entries of a list hold. @param {Schema} schema @param {Property} property @returns {string[]} */
function partsOf({ types }, { items }) {
  const name = items?.$ref?.split("/").at(-1);
  const type = name === undefined ? undefined : types[name];
  if (!name || !type) return [];
  return [`A \`${name.split(":").at(-1)}\` has ${names(type.properties)}.`];
}

/** @param {Properties} properties */
function names(properties) {
  return Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(", ");
}

/** @param {Schema} schema @param {[string, FunctionSpec]} entry */
function lookupPart(schema, [token, { description, inputs, outputs }]) {
  const parts = Object.values(outputs.properties).flatMap((output) => partsOf(schema, output));
  const answers = [`Answers ${names(outputs.properties)}.`, ...parts].join(" ");
  return [
    `**\`${token.split(":").at(-1)}\`.** ${withoutExamples(description)} ${answers}`,
    table(["argument", "type", "meaning"], rows(inputs.properties)),
  ].join("\n\n");
}

/** @param {string} description */
function withoutExamples(description) {
  return description.split("\n\n{{% examples %}}")[0];
}

/** @param {Properties} properties */
function rows(properties) {
  return Object.entries(properties).map(([name, property]) => [
    `\`${name}\``,
    typeName(property) + (property.secret ? ", secret" : ""),
    property.description.replaceAll("|", "\\|"),
  ]);
}

/** @type {Record<string, string>} */
const words = { string: "text", boolean: "true/false", integer: "whole number" };

/**
 * @param {Property} property
 * @returns {string}
 */
function typeName({ type, items, additionalProperties, $ref }) {
  if ($ref) return `\`${$ref.split(":").at(-1)}\``;
  if (items) return `list of ${typeName(items)}`;
  if (additionalProperties) return `map of ${typeName(additionalProperties)}`;
  return words[type ?? ""] ?? type ?? "";
}

/** @param {string[]} head @param {string[][]} lines */
function table(head, lines) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...lines.map(row)].join("\n");
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    if (process.argv.includes("--check")) console.log(`readme: ${await checkReadme()}`);
    else await writeReadme();
  });
}
