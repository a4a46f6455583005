import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "./cache.mjs";
import { moduleFiles, requireGo } from "./engine-build.mjs";
import { filesBelow } from "./files.mjs";
import { step } from "./progress.mjs";
import { inRepository } from "./repository.mjs";
import { run, runTool } from "./run.mjs";
import { Failure } from "./script.mjs";

const sources = filesBelow(inRepository("test", "engine", "sdk-generator"), /\.go$/);

/** Builds the generator once per version of its source; answers the path of the executable. */
export async function ensureGenerator() {
  const name = `sdk-generator-${keyOf([...moduleFiles, ...sources])}.exe`; // Windows asks for the .exe, nobody else minds
  const file = join(cacheFolder(), name);
  if (existsSync(file)) return file;
  await requireGo();
  const partial = `${file}.${process.pid}`;
  mkdirSync(cacheFolder(), { recursive: true });
  await step("sdk: building the generator, some minutes the first time", () =>
    run(
      "go",
      ["build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", partial, "./sdk-generator"],
      {
        cwd: inRepository("test", "engine"),
      },
    ),
  );
  renameSync(partial, file);
  return file;
}

/**
 * @param {string} generator
 * @param {string} language
 * @param {string} folder is emptied first
 * @param {string} schema
 */
export function generateSdk(generator, language, folder, schema) {
  const { status, stderr } = spawnSync(generator, [language, folder], { input: schema, encoding: "utf8" });
  if (status !== 0) throw new Failure(`generating the ${language} SDK failed:\n${stderr}`);
}

/** The package schema, as the built provider has it. */
export function packageSchema() {
  return runTool("node", [
    "-p",
    'JSON.stringify(require("./dist/provider/package-schema.js").packageSchema())',
  ]);
}
