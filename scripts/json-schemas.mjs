/**
 * Writes the JSON Schemas that are shipped with the package, for editors and for whoever reads what the commands write. They come
 * from the same zod objects that the commands check with.
 *
 *   node scripts/json-schemas.mjs           writes them
 *   node scripts/json-schemas.mjs --check   fails where they are not up to date
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inRepository } from "./lib/repository.mjs";
import { runTool } from "./lib/run.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

/**
 * @typedef {object} Published
 * @property {string} file
 * @property {string} module of the built provider
 * @property {string} name of the zod object in it
 * @property {"input" | "output"} io whether people write it for us, or we for them
 * @property {string} title
 */

/** @type {readonly Published[]} */
const schemas = [
  {
    file: "schemas/drift-report.schema.json",
    module: "dist/provider/cli/drift/report.js",
    name: "driftReport",
    io: "output",
    title: "What opsmanager drift found",
  },
];

const home = "https://raw.githubusercontent.com/pulumi-opsmanager/pulumi-opsmanager/main";

/** @returns {Promise<string>} what was found, in a few words */
export async function checkSchemas() {
  for (const schema of schemas) {
    const file = inRepository(schema.file);
    if (existsSync(file) && readFileSync(file, "utf8") === (await written(schema))) continue;
    throw new Failure(`\`npm run generate\` would change ${schema.file}`);
  }
  return "up to date";
}

export async function writeSchemas() {
  for (const schema of schemas) {
    const file = inRepository(schema.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await written(schema));
  }
}

/**
 * What we write gets more fields in time, and a reader with an older schema has to go on; what people write is held to the fields
 * that there are.
 *
 * @param {Published} schema
 */
async function written({ file, module, name, io, title }) {
  const program = `
    const { z } = require("zod");
    const { ${name} } = require("./${module}");
    const override = ({ jsonSchema }) => { if (${io === "output"}) delete jsonSchema.additionalProperties; };
    console.log(JSON.stringify(z.toJSONSchema(${name}, { io: "${io}", override })));`;
  const { $schema, ...schema } = JSON.parse(await runTool("node", ["-e", program]));
  return `${JSON.stringify({ $schema, $id: `${home}/${file}`, title, ...schema }, null, 2)}\n`;
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    if (process.argv.includes("--check")) console.log(`json schemas: ${await checkSchemas()}`);
    else await writeSchemas();
  });
}
