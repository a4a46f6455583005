/**
 * Writes what the dynamic provider says of each resource and lookup: its classes, their types and outputs. A program loads them
 * without the resources, so they can't be read from these.
 *
 *   node scripts/dynamic.mts           writes them
 *   node scripts/dynamic.mts --check   fails where they are not up to date
 */
import { pathToFileURL } from "node:url";
import { checkGenerated, type GeneratedFile, runGenerator } from "./lib/generated.mts";
import { inRepository } from "./lib/repository.mjs";

const load = (module: string) => import(pathToFileURL(inRepository("dist", "provider", `${module}.js`)).href);

/** @returns what was found, in a few words */
export async function checkDynamic(): Promise<string> {
  return checkGenerated(await rendered());
}

async function rendered(): Promise<GeneratedFile[]> {
  const { resources }: typeof import("../provider/resources/all.ts") = await load("resources/all");
  const { lookups }: typeof import("../provider/functions/index.ts") = await load("functions/index");
  const { packageSchema }: typeof import("../provider/package-schema.ts") = await load("package-schema");
  const schema = packageSchema() as {
    resources: Record<string, { properties: Record<string, { secret?: true }> }>;
  };
  const kinds = resources.map(({ name }) => name);
  const functions = lookups.map(({ name }) => name);
  const outputs = resources.flatMap(({ name, inputs, repeats = {}, duties: { identifiedBy } }) => {
    const [place] = identifiedBy;
    const input = inputs.shape[place];
    // Neither the program nor a setting gives it, so the service does.
    const isFromService = input?.safeParse(undefined).success && input.meta()?.defaultText === undefined;
    const id = isFromService ? place : undefined;
    const properties = Object.entries(schema.resources[`opsmanager:index:${name}`]?.properties ?? {});
    return [
      `  ${name}: {`,
      ...properties.map(([property, { secret }]) => {
        const facts = [
          property === id ? "isId: true" : "",
          secret ? "isSecret: true" : "",
          Object.hasOwn(repeats, property) ? `repeats: "${repeats[property]}"` : "",
        ].filter(Boolean);
        return `    ${property}: ${facts.length === 0 ? "{}" : `{ ${facts.join(", ")} }`},`;
      }),
      "  },",
    ];
  });
  return [
    file("outputs", [
      "/**",
      " * The outputs of each kind. Pulumi makes only those that a resource names when it registers, so they",
      " * have to be known without loading the resources.",
      " */",
      'import type { Output } from "./output";',
      "",
      "export const outputs: Readonly<Record<string, Readonly<Record<string, Output>>>> = {",
      ...outputs,
      "};",
    ]),
    file("index", [
      "/**",
      " * The dynamic provider, as a program loads it. What compilers and editors see of it is types.ts;",
      " * tests compare the two.",
      " */",
      'import { dynamicClass } from "./dynamic-resource";',
      'import { lookup, lookupOutput } from "./lookups";',
      "",
      'export * from "../../sdk/nodejs/types/enums";',
      "",
      ...kinds.map((kind) => `export const ${kind} = dynamicClass("${kind}");`),
      "",
      ...functions.flatMap((name) => [
        `export const ${name} = lookup("${name}");`,
        `export const ${name}Output = lookupOutput("${name}");`,
      ]),
    ]),
    file("types", [
      "/**",
      " * The dynamic provider: resources and lookups for programs in TypeScript and JavaScript. You",
      " * install nothing but this package.",
      " *",
      " * Arguments, types and defaults are those of the plugin's SDK (`pulumi-opsmanager`). Settings come",
      " * from the stack's `opsmanager:` config and the environment. All resources and lookups of a stack",
      " * use that one service.",
      " *",
      " * @packageDocumentation",
      " */",
      "// What compilers and editors read in place of index.ts: package.json names this file under `types`.",
      "// An editor shows the documentation of a class only where its declaration is exported itself, and a",
      "// constant of the class's type has none. Nothing loads this file in a run.",
      ...[...kinds, ...functions]
        .map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`)
        .sort((one, other) => one.localeCompare(other, "en"))
        .map((module) => `export * from "../../sdk/nodejs/${module}";`),
      'export type * as types from "../../sdk/nodejs/types";',
      'export * from "../../sdk/nodejs/types/enums";',
    ]),
  ];
}

function file(name: string, lines: readonly string[]): GeneratedFile {
  return {
    file: `provider/dynamic/${name}.ts`,
    text: `${["// Written by `npm run generate`.", ...lines].join("\n")}\n`,
  };
}

await runGenerator(import.meta.url, { make: rendered, check: checkDynamic });
