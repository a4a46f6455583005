/**
 * Writes the SDKs that programs import, from the package schema, with Pulumi's own code generators.
 *
 *   node scripts/sdk.mts           writes what is committed
 *   node scripts/sdk.mts --check   fails where what is committed is not what would be written
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { checkGenerated, type GeneratedFile, runGenerator } from "./lib/generated.mts";
import { writeGoModule } from "./lib/go-module.mts";
import { inRepository } from "./lib/repository.mjs";
import {
  checkWithGenerators,
  ensureGenerators,
  generateSdk,
  packageSchema,
  sdkLanguages,
} from "./lib/sdk-generator.mts";

/** @returns what was found, in a few words */
export function checkSdks(): Promise<string> {
  return checkWithGenerators(async (generators) => checkGenerated(await generate(generators)));
}

/** What `pip install` of the folder, as in docs/install.md, leaves in it. Git ignores it. */
const leftByPip = /^sdk.python.(build|\w+\.egg-info)\b/;

async function generate(generators: Record<string, string>): Promise<GeneratedFile[]> {
  const schema = await packageSchema();
  const fresh = mkdtempSync(join(tmpdir(), "opsmanager-sdk-"));
  try {
    for (const language of sdkLanguages)
      generateSdk(generators, language, join(fresh, "sdk", language), schema);
    await writeGoModule(join(fresh, "sdk", "go", "opsmanager"));
    const made = textsBelow(fresh, "sdk");
    // The folder of each language has been emptied.
    const committed = sdkLanguages
      .flatMap((language) => [...textsBelow(inRepository(), join("sdk", language)).keys()])
      .filter((file) => !leftByPip.test(file));
    return [...new Set([...made.keys(), ...committed])].map((file) => ({ file, text: made.get(file) }));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

/** By path below `root`. */
function textsBelow(root: string, folder: string): Map<string, string> {
  const files = filesBelow(join(root, folder));
  return new Map(files.map((file) => [relative(root, file), readFileSync(file, "utf8")]));
}

await runGenerator(import.meta.url, {
  make: async () => generate(await ensureGenerators()),
  check: checkSdks,
});
