import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "./cache.mjs";
import { moduleFiles, requireGo } from "./engine-build.mjs";
import { filesBelow } from "./files.mjs";
import { step } from "./progress.mjs";
import { inRepository } from "./repository.mjs";
import { run, runTool } from "./run.mjs";
import { Failure, messageOf, Unavailable } from "./script.mjs";

const sources = filesBelow(inRepository("test", "engine", "sdk-generator"), /\.go$/);

/** Builds the generator once per version of its source; answers the path of the executable. */
export async function ensureGenerator() {
  const name = `sdk-generator-${keyOf([...moduleFiles, ...sources])}.exe`; // Windows requires the .exe
  const file = join(cacheFolder(), name);
  if (existsSync(file)) return file;
  await requireGo();
  const partial = `${file}.${process.pid}`;
  mkdirSync(cacheFolder(), { recursive: true });
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", partial];
  await step("sdk: building the generator, some minutes the first time", () =>
    run("go", ["build", ...flags, "./sdk-generator"], { cwd: inRepository("test", "engine") }).catch(
      (error) => {
        throw isUnreachable(messageOf(error)) ? new Unavailable(messageOf(error)) : error;
      },
    ),
  );
  renameSync(partial, file);
  return file;
}

/** Whether Go's words mean that a module cannot be had from here, and not that something is wrong with it. @param {string} text */
export function isUnreachable(text) {
  return /dial tcp|no such host|i\/o timeout|connection refused|GOPROXY|TLS handshake/.test(text);
}

/**
 * Where there is no generator, a check has nothing to compare with, and reports why.
 *
 * @param {(generator: string) => Promise<string>} check
 * @returns {Promise<string>} what was found, in a few words
 */
export async function checkWithGenerator(check) {
  let generator;
  try {
    generator = await ensureGenerator();
  } catch (error) {
    if (error instanceof Unavailable) return `skipped: ${error.message}`;
    throw error;
  }
  return check(generator);
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
  if (language === "nodejs") askForNoPlugin(join(folder, "package.json"));
}

/**
 * The SDK for Node.js is shipped inside the npm package, beside the dynamic provider. Node language hosts read every package.json
 * below node_modules and have the engine download the plugin that a `pulumi` section requests (sdk v3.68.0,
 * pulumi-language-nodejs, getPluginsFromDir), so with that section `pulumi install` failed for programs that need no plugin.
 *
 * @param {string} file
 */
function askForNoPlugin(file) {
  const { pulumi: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify(manifest, null, 4)}\n`);
}

/**
 * Pulumi YAML programs in the other languages.
 *
 * @param {string} generator
 * @param {string} schema
 * @param {Record<string, string>} programs by name
 * @returns {Record<string, { typescript: string, python: string, go: string }>}
 */
export function translatePrograms(generator, schema, programs) {
  const { status, stdout, stderr } = spawnSync(generator, ["examples"], {
    input: JSON.stringify({ schema: JSON.parse(schema), programs }),
    encoding: "utf8",
  });
  if (status !== 0) throw new Failure(`translating the examples failed:\n${stderr}`);
  return JSON.parse(stdout);
}

/** The package schema, as the built provider has it. */
export function packageSchema() {
  return runTool("node", [
    "-p",
    'JSON.stringify(require("./dist/provider/package-schema.js").packageSchema())',
  ]);
}
