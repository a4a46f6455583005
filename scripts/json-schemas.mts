/**
 * Writes the JSON Schemas that the package publishes, from the zod objects that check the same values.
 *
 *   node scripts/json-schemas.mts           writes them
 *   node scripts/json-schemas.mts --check   fails where they are not up to date
 */
import { pathToFileURL } from "node:url";
import { checkGenerated, type GeneratedFile, runGenerator } from "./lib/generated.mts";
import { inRepository } from "./lib/repository.mjs";

/** `schema` is a function of `module`, which is below `dist`. */
const schemas = [
  { name: "drift-report", module: "cli/drift/report/schema.js", schema: "driftReportJsonSchema" },
  { name: "project-file", module: "projects/json-schema.js", schema: "projectFileJsonSchema" },
  { name: "team-file", module: "projects/json-schema.js", schema: "teamFileJsonSchema" },
  { name: "organization-file", module: "projects/json-schema.js", schema: "organizationFileJsonSchema" },
];

const home = "https://raw.githubusercontent.com/pulumi-opsmanager/pulumi-opsmanager/main";

/** @returns what was found, in a few words */
export async function checkJsonSchemas(): Promise<string> {
  return checkGenerated(await rendered());
}

function rendered(): Promise<GeneratedFile[]> {
  return Promise.all(
    schemas.map(async ({ name, module, schema }) => {
      const file = `schemas/${name}.schema.json`;
      const exports = await import(pathToFileURL(inRepository("dist", module)).href);
      const { $schema, ...rest } = exports[schema]();
      return { file, text: `${JSON.stringify({ $schema, $id: `${home}/${file}`, ...rest }, null, 2)}\n` };
    }),
  );
}

await runGenerator(import.meta.url, { make: rendered, check: checkJsonSchemas });
