import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { filesBelow } from "./files.mjs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * An example as it is written: `<name>-<number>.yaml`, where the comment at its head is the title, then a line with `#` alone,
 * then text.
 */
export interface Source {
  /** `Project-1` */
  id: string;
  /** Last part of the token of a resource or lookup; `Provider`. */
  name: string;
  title: string;
  text: string | undefined;
  /** Pulumi YAML without `name` and `runtime`. */
  program: string;
  /**
   * Files with the same name and another ending, where Pulumi's translation does not compile. `.go`: its generator exports plain values
   * as they are, and asserts wrong types of lists. It writes `GetProject` where the SDK has `LookupProject`, because a resource has the
   * former name. `.java`: its generator does not write maps of lists, and passes
   * optional configuration where a value is required.
   */
  handwritten: Partial<Record<Language, string>>;
}

/** An example as the package schema has it. */
export type Translated = { title: string; text?: string; programs: Record<Language, string[]> };
type Language = "typescript" | "python" | "go" | "csharp" | "java" | "yaml";

const folder = join("provider", "schema-examples");

/** Below the repository. */
export const translatedFile = join(folder, "translated.json");

const endings: Partial<Record<Language, string>> = { go: ".go", java: ".java" };

export function readSources(): Source[] {
  return filesBelow(inRepository(folder), /\.yaml$/).map((file) => {
    const files = Object.entries(endings).map(([language, ending]) => [
      language,
      file.replace(/\.yaml$/, ending),
    ]);
    return {
      ...readSource(basename(file, ".yaml"), readFileSync(file, "utf8")),
      handwritten: Object.fromEntries(
        files.flatMap(([language, path = ""]) =>
          existsSync(path) ? [[language, readFileSync(path, "utf8")]] : [],
        ),
      ),
    };
  });
}

export function readSource(id: string, content: string): Omit<Source, "handwritten"> {
  const name = /^(\w+)-\d+$/.exec(id)?.[1];
  if (name === undefined)
    throw new Failure(`the name of ${id}.yaml must be <resource or lookup>-<number>.yaml`);
  const [, title, comment = "", program] =
    /^# (\S.*)\n((?:#\n(?:# .*\n)+)*)(?!#)([\s\S]+)$/.exec(content) ?? [];
  if (title === undefined || program === undefined) {
    throw new Failure(
      `${id}.yaml must begin with "# <title>", then, where there is text, a line "#" and "# <text>"`,
    );
  }
  const text = comment.replace(/^# ?/gm, "").trim();
  return { id, name, title, text: text || undefined, program };
}

/** The programs as they are now, without reading their sources. */
export function readTranslated(): Record<string, Translated[]> {
  return JSON.parse(readFileSync(inRepository(translatedFile), "utf8"));
}

/** Where `writeExampleFiles` puts an example: a folder for each where the language requires one. */
const examplePaths: Record<Language, (id: string) => string> = {
  typescript: (id) => `${id}.ts`,
  python: (id) => `${id.replace("-", "_")}.py`,
  go: (id) => join(id, "main.go"),
  csharp: (id) => join(id, "Program.cs"),
  java: (id) => join(id, "App.java"),
  yaml: (id) => join(id, "Pulumi.yaml"),
};

/** What Pulumi requires of a whole program; the package is where `npm install` puts it. */
const yamlHead = (id: string) => [
  `name: ${id.toLowerCase()}`,
  "runtime: yaml",
  "plugins:",
  "  providers:",
  "    - name: opsmanager",
  "      path: ./node_modules/pulumi-opsmanager",
];

/**
 * Writes all examples of a language, so that a compiler of that language can be held to them.
 *
 * @returns `Project-1` and where it is
 */
export function writeExampleFiles(language: Language, folder: string): { id: string; file: string }[] {
  return Object.entries(readTranslated()).flatMap(([name, examples]) =>
    examples.map(({ programs }, index) => {
      const id = `${name}-${index + 1}`;
      const lines = language === "yaml" ? [...yamlHead(id), ...programs.yaml] : programs[language];
      const file = join(folder, examplePaths[language](id));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${lines.join("\n")}\n`);
      return { id, file };
    }),
  );
}
