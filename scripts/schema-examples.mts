/**
 * Translates the examples of the package schema, which are written in Pulumi YAML, into the other languages. What it writes is
 * part of the schema, and so of the SDKs: build and run `scripts/sdk.mts` afterwards, as `npm run generate` does.
 *
 *   node scripts/schema-examples.mts           writes what is committed
 *   node scripts/schema-examples.mts --check   fails where what is committed is not what would be written
 */
import { checkGenerated, type GeneratedFile, runGenerator } from "./lib/generated.mts";
import type { Translated } from "./lib/schema-examples.mts";
import { readSources, translatedFile } from "./lib/schema-examples.mts";
import { Failure } from "./lib/script.mjs";
import {
  checkWithGenerators,
  ensureGenerators,
  packageSchema,
  translatePrograms,
} from "./lib/sdk-generator.mts";

/** @returns what was found, in a few words */
export function checkExamples(): Promise<string> {
  return checkWithGenerators(async (generators) => checkGenerated([await translate(generators)]));
}

async function translate(generators: Record<string, string>): Promise<GeneratedFile> {
  const sources = readSources();
  const programs = Object.fromEntries(sources.map(({ id, program }) => [id, program]));
  // The names of types are what the translation needs of the schema; its descriptions, and so the examples, are not.
  const translations = translatePrograms(generators, await packageSchema(), programs);
  const byName: Record<string, Translated[]> = {};
  for (const { id, name, title, text, program, handwritten } of sources) {
    const others = translations[id];
    if (others === undefined) throw new Failure(`the generator did not translate ${id}`);
    byName[name] ??= [];
    byName[name].push({
      title,
      ...(text !== undefined && { text }),
      programs: {
        typescript: lines(others.typescript),
        python: lines(others.python),
        go: lines(handwritten.go ?? others.go),
        csharp: lines(others.csharp),
        java: lines(handwritten.java ?? others.java),
        yaml: lines(program),
      },
    });
  }
  return { file: translatedFile, text: `${JSON.stringify(byName, null, 2)}\n` };
}

/** Pulumi's generators leave spaces at the ends of lines. */
function lines(text: string) {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}

await runGenerator(import.meta.url, {
  make: async () => [await translate(await ensureGenerators())],
  check: checkExamples,
});
