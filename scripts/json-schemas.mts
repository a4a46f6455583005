/**
 * Writes the JSON Schemas that the package publishes, from the zod objects that check the same values.
 *
 *   node scripts/json-schemas.mts           writes them
 *   node scripts/json-schemas.mts --check   fails where they are not up to date
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";

/** `schema` is a function of `module`, which is below `dist`. */
const schemas = [
  {
    file: "schemas/drift-report.schema.json",
    module: "cli/drift/report/schema.js",
    schema: "driftReportJsonSchema",
  },
  {
    file: "schemas/project-file.schema.json",
    module: "projects/json-schema.js",
    schema: "projectFileJsonSchema",
  },
  {
    file: "schemas/team-file.schema.json",
    module: "projects/json-schema.js",
    schema: "teamFileJsonSchema",
  },
  {
    file: "schemas/organization-file.schema.json",
    module: "projects/json-schema.js",
    schema: "organizationFileJsonSchema",
  },
];

const home = "https://raw.githubusercontent.com/pulumi-opsmanager/pulumi-opsmanager/main";

/** @returns what was found, in a few words */
export async function checkJsonSchemas(): Promise<string> {
  const stale = (await rendered()).filter(
    ({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text,
  );
  if (stale.length === 0) return "up to date";
  throw new Failure(`\`npm run generate\` would change ${stale.map(({ file }) => file).join(", ")}`);
}

export async function writeJsonSchemas() {
  for (const { path, text } of await rendered()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function rendered() {
  return Promise.all(
    schemas.map(async ({ file, module, schema }) => {
      const exports = await import(pathToFileURL(inRepository("dist", module)).href);
      const { $schema, ...rest } = exports[schema]();
      const text = `${JSON.stringify({ $schema, $id: `${home}/${file}`, ...rest }, null, 2)}\n`;
      return { file, path: inRepository(file), text };
    }),
  );
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    if (process.argv.includes("--check")) console.log(`json schemas: ${await checkJsonSchemas()}`);
    else await writeJsonSchemas();
  });
}
