/**
 * Writes the SDKs that programs import, from the package schema, with Pulumi's own code generators.
 *
 *   node scripts/sdk.mts                    writes all of them
 *   node scripts/sdk.mts --language=python  writes one: nodejs, python, go, java or dotnet
 *   node scripts/sdk.mts --check            fails where what is committed is not what would be written
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { readGoModule, writeGoModule } from "./lib/go-sdk-module.mts";
import { inRepository } from "./lib/repository.mjs";
import { Failure, isStarted, readOptions, runScript } from "./lib/script.mjs";
import {
  checkWithGenerators,
  ensureGenerators,
  generateSdk,
  packageSchema,
  sdkLanguages,
} from "./lib/sdk-generator.mts";

export async function writeSdks(languages: readonly string[] = sdkLanguages) {
  const generators = await ensureGenerators();
  const schema = await packageSchema();
  for (const language of languages) await write(generators, language, inRepository("sdk", language), schema);
}

/** @returns what was found, in a few words */
export function checkSdks(): Promise<string> {
  return checkWithGenerators(async (generators) => {
    const schema = await packageSchema();
    const stale = [];
    for (const language of sdkLanguages) stale.push(...(await staleFiles(generators, language, schema)));
    if (stale.length === 0) return "up to date";
    throw new Failure(`\`npm run sdk\` would change:\n${stale.map((file) => `  ${file}`).join("\n")}`);
  });
}

async function staleFiles(generators: Record<string, string>, language: string, schema: string) {
  const fresh = mkdtempSync(join(tmpdir(), "opsmanager-sdk-"));
  try {
    await write(generators, language, fresh, schema);
    return differences(inRepository("sdk", language), fresh).map((file) => join("sdk", language, file));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

async function write(generators: Record<string, string>, language: string, folder: string, schema: string) {
  const goModule = language === "go" ? readGoModule(inRepository("sdk", "go")) : undefined;
  generateSdk(generators, language, folder, schema);
  if (language === "go") await writeGoModule(folder, goModule);
}

/** The files that are in one folder only, or not the same in both. */
export function differences(one: string, other: string) {
  const names = new Set(
    [one, other].flatMap((folder) => filesBelow(folder).map((file) => relative(folder, file))),
  );
  return [...names].sort().filter((name) => content(join(one, name)) !== content(join(other, name)));
}

function content(file: string) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const values = readOptions({
      check: { type: "boolean" },
      language: { type: "string", multiple: true },
    });
    if (values.check) console.log(`sdk: ${await checkSdks()}`);
    else await writeSdks(values.language);
  });
}
