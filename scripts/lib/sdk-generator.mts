import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "./cache.mjs";
import { goEnvironment, moduleFiles, requireGo } from "./engine-build.mjs";
import { filesBelow } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { step } from "./progress.mjs";
import { inRepository } from "./repository.mjs";
import { run, runTool } from "./run.mjs";
import { Failure, messageOf, Unavailable } from "./script.mjs";

/** A Go program with Pulumi's generators of some languages. */
type Generator = { name: string; folder: string; languages: readonly string[]; modules: readonly string[] };

const engineModule = inRepository("test", "engine");
const javaAndDotnet = "sdk-generator-java-dotnet";

const generators: Generator[] = [
  {
    name: "sdk-generator",
    folder: join(engineModule, "sdk-generator"),
    languages: ["nodejs", "python", "go"],
    modules: moduleFiles,
  },
  {
    name: javaAndDotnet,
    folder: join(engineModule, javaAndDotnet),
    languages: ["java", "dotnet"],
    modules: ["go.mod", "go.sum"].map((file) => join(engineModule, javaAndDotnet, file)),
  },
];

export const sdkLanguages = generators.flatMap(({ languages }) => languages);

/**
 * Builds each generator once per version of its source.
 *
 * @returns the path of the executable for each language
 */
export async function ensureGenerators(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const generator of generators) {
    const file = await ensureGenerator(generator);
    for (const language of generator.languages) files[language] = file;
  }
  return files;
}

async function ensureGenerator({ name, folder, modules }: Generator) {
  const sources = filesBelow(folder, /\.(go|py)$/);
  const file = join(cacheFolder(), `${name}-${keyOf([...modules, ...sources])}.exe`); // Windows requires the .exe
  if (existsSync(file)) return file;
  await requireGo();
  // Two checks of one run need the generators.
  return withLock(`${file}.lock`, async () => {
    if (existsSync(file)) return file;
    const partial = `${file}.partial`;
    const flags = ["-buildvcs=false", "-ldflags", "-s -w", "-o", partial];
    const options = { cwd: folder, env: goEnvironment(process.env) };
    await step(`sdk: building ${name}, some minutes the first time`, () =>
      run("go", ["build", ...flags, "."], options).catch((error) => {
        throw isUnreachable(messageOf(error)) ? new Unavailable(messageOf(error)) : error;
      }),
    );
    renameSync(partial, file);
    return file;
  });
}

/** Whether Go's words mean that a module cannot be had from here, and not that something is wrong with it. */
export function isUnreachable(text: string) {
  return /dial tcp|no such host|i\/o timeout|connection refused|GOPROXY|TLS handshake/.test(text);
}

/**
 * Where there is no generator, a check has nothing to compare with, and reports why.
 *
 * @returns what was found, in a few words
 */
export async function checkWithGenerators(
  check: (generators: Record<string, string>) => Promise<string>,
): Promise<string> {
  let files: Record<string, string>;
  try {
    files = await ensureGenerators();
  } catch (error) {
    if (error instanceof Unavailable) return `skipped: ${error.message}`;
    throw error;
  }
  return check(files);
}

/** @param folder is emptied first */
export function generateSdk(
  generators: Record<string, string>,
  language: string,
  folder: string,
  schema: string,
) {
  const generator = generators[language];
  if (generator === undefined)
    throw new Failure(`there is no generator for ${language}, only for ${sdkLanguages.join(", ")}`);
  runGenerator(generator, [language, folder], schema);
  if (language === "nodejs") askForNoPlugin(join(folder, "package.json"));
}

function runGenerator(generator: string, args: string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(generator, args, {
    input,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Failure(`the generator failed (${args[0]}):\n${error ?? stderr}`);
  return stdout;
}

/**
 * The SDK for Node.js is shipped inside the npm package, beside the dynamic provider. Node language
 * hosts read every package.json below node_modules. The engine downloads the plugin that a `pulumi`
 * section requests (sdk v3.68.0, pulumi-language-nodejs, getPluginsFromDir). With that section,
 * `pulumi install` failed for programs that need no plugin.
 */
function askForNoPlugin(file: string) {
  const { pulumi: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify(manifest, null, 4)}\n`);
}

/**
 * Pulumi YAML programs in the other languages.
 *
 * @param programs by name
 */
export function translatePrograms(
  generators: Record<string, string>,
  schema: string,
  programs: Record<string, string>,
): Record<string, Record<"typescript" | "python" | "go" | "csharp" | "java", string>> {
  const translate = (language: string, sources: Record<string, string>) => {
    const order = JSON.stringify({ schema: JSON.parse(schema), programs: sources });
    return JSON.parse(runGenerator(generators[language] ?? "", ["examples"], order));
  };
  const translated = translate("nodejs", programs);
  const names = Object.keys(programs);
  const others = translate("java", Object.fromEntries(names.map((name) => [name, translated[name].pcl])));
  return Object.fromEntries(names.map((name) => [name, { ...translated[name], ...others[name] }]));
}

/** The package schema, as the built provider has it. */
export function packageSchema() {
  return runTool("node", [
    "-p",
    'JSON.stringify(require("./dist/provider/package-schema.js").packageSchema())',
  ]);
}
