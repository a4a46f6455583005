/**
 * The programs and files in the documents, read from the pages. Generated ones have tests beside their sources: `examples.test.ts`,
 * `schema/` and `sdks/`; filters of jq in `messages.test.ts`. Every other code block has a play here, so a new block without one fails.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { parseIgnoreRules } from "../../../cli/drift/ignore-rules";
import { loadFiles } from "../../../projects/load";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { parseCommandLine } from "../../../sandbox/options";
import { linkPackages } from "../../../scripts/lib/program-folder.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { createStack, disposeStacks, repositoryRoot, type Stack, succeeded } from "../../support";
import { type CodeBlock, userPages } from "../../support/documents";
import { projectNamed, writes } from "../support/project-program";
import { attachment, connection } from "../support/stack-setup";

const orgId = "5f0000000000000000000001";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-docs-"));
});
afterEach(async () => {
  await disposeStacks();
  await sandbox?.close();
  sandbox = undefined;
  await rm(folder, { recursive: true });
});

let sandbox: Sandbox | undefined;
async function service(): Promise<Sandbox> {
  sandbox = await startSandbox({ seed: { orgs: [{ id: orgId }] } });
  return sandbox;
}

/** Blocks of data and programs by page and language, such as `docs/drift.md yaml 1`. */
function blocks(): ReadonlyMap<string, CodeBlock> {
  const found = new Map<string, CodeBlock>();
  for (const block of userPages().flatMap((page) => page.blocks)) {
    if (block.isGenerated || ["text", "sh", "jq"].includes(block.language)) continue;
    let number = 1;
    while (found.has(`${block.page} ${block.language} ${number}`)) number++;
    found.set(`${block.page} ${block.language} ${number}`, block);
  }
  return found;
}

async function put(path: string, text: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** The folder of a Node.js program whose index.ts is this text. */
async function programOf(text: string, name = "program"): Promise<string> {
  await put(join(name, "Pulumi.yaml"), PULUMI_YAML);
  await put(join(name, "package.json"), JSON.stringify({ name: "docs", main: "index.ts" }));
  await put(join(name, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  await put(join(name, "index.ts"), text);
  return join(folder, name);
}

const PULUMI_YAML = `name: docs
runtime: nodejs
plugins:
  providers:
    - name: opsmanager
      path: ./node_modules/pulumi-opsmanager
`;

const compilerOptions = {
  strict: true,
  target: "es2022",
  module: "node16",
  moduleResolution: "node16",
  types: ["node"],
};

async function stackOf(program: string): Promise<Stack> {
  return createStack({
    program: { folder: program, hosts: "resident" },
    config: connection(await service()),
    // examples-types.test.ts checks the types.
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...(await attachment()) },
  });
}

/** Runs a program that has this text and these files beside it, and creates so many resources. */
async function creates(
  text: string,
  create: number,
  files: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  const program = await programOf(text);
  for (const [path, content] of Object.entries(files)) await put(join("program", path), content);
  const stack = await stackOf(program);
  await stack.setConfig(config);
  expect((await succeeded(stack.up())).changes).toEqual({ create });
  return stack;
}

const projectFiles = (...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [`projects/${key}.yaml`, `orgId: ${orgId}\nname: ${key}\n`]));

/** A program of lines that the tests of an SDK compile and run. */
async function isPartOf(program: string, text: string): Promise<void> {
  const lines = (of: string) => of.split("\n").map((line) => line.trim());
  const path = join(repositoryRoot, "test", "engine", "sdks", "programs", program);
  expect(lines(readFileSync(path, "utf8"))).toEqual(expect.arrayContaining(lines(text)));
}

/** Lines that name the folder of the plugin for Pulumi. */
async function namesThePlugin(text: string): Promise<void> {
  expect(parse(text)).toEqual({ plugins: parse(PULUMI_YAML).plugins });
}

/** The file has these parts of the one in the smallest example. */
function hasPartsOf(file: string, parts: readonly string[]): (text: string) => Promise<void> {
  return async (text) => {
    const example = parse(readFileSync(join(repositoryRoot, "examples", "minimal", file), "utf8"));
    expect(parse(text)).toMatchObject(Object.fromEntries(parts.map((part) => [part, example[part]])));
  };
}

/** Beside the team and the organization of the page about files. */
async function isProjectFile(text: string): Promise<void> {
  await put("projects/payments.yaml", text);
  await put("teams/operators.yaml", blocks().get("docs/files.md yaml 3")?.text ?? "");
  await put("organizations/acme.yaml", blocks().get("docs/files.md yaml 4")?.text ?? "");
  const [file] = loadFiles(".", folder).projects;
  expect(file).toMatchObject({ key: "payments" });
}

/** The two blocks are one commit. */
async function rotatesWithOverlap(): Promise<void> {
  const [ofOrganization, ofProject] = [1, 2].map(
    (number) => blocks().get(`docs/resources/api-keys.md yaml ${number}`)?.text,
  );
  await put("organizations/acme.yaml", `key: acme\n${ofOrganization}`);
  await put("projects/payments.yaml", `name: payments\n${ofProject}`);
  const [file] = loadFiles(".", folder).projects;
  expect(file?.ends).toMatchObject([{ name: "ci-2026-01", until: "2026-08-31" }]);
}

async function hasInputsOfTheAction(text: string): Promise<void> {
  const { inputs } = parse(readFileSync(join(repositoryRoot, "action.yml"), "utf8"));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(parse(text).steps.at(-1).with)));
}

const plays: Readonly<Record<string, (text: string) => Promise<void>>> = {
  "docs/install.md yaml 1": namesThePlugin,
  "docs/install.md yaml 2": async (text) => {
    await put("program/Pulumi.yaml", text);
    const stack = await stackOf(join(folder, "program"));
    await stack.setConfig({ "payments:orgId": orgId });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    expect(projectNamed(sandbox as Sandbox, "payments").orgId).toBe(orgId);
  },
  "docs/install.md python 1": (text) => isPartOf("python/__main__.py", text),
  "docs/install.md go 1": (text) => isPartOf("go/main.go", text),
  "docs/csharp-java.md java 1": async (text) => {
    expect(text).toContain("public class App {"); // `java.test.ts` compiles it.
  },
  "docs/csharp-java.md xml 1": async (text) => {
    const gradle = readFileSync(join(repositoryRoot, "sdk", "java", "build.gradle"), "utf8");
    const artifacts = text.matchAll(
      /<dependency>\s*<groupId>(.*)<.*\s*<artifactId>(.*)<.*\s*<version>(.*)</g,
    );
    for (const [, group, artifact, version] of artifacts)
      expect(gradle).toContain(`implementation("${group}:${artifact}:${version}")`);
    expect(text).toContain("<exec.mainClass>App<");
  },
  // `get-started.test.ts` follows that page.
  "docs/get-started.md yaml 1": hasPartsOf("Pulumi.yaml", ["runtime", "plugins"]),
  "docs/get-started.md json 1": hasPartsOf("package.json", ["main", "devDependencies"]),
  "docs/get-started.md json 2": hasPartsOf("tsconfig.json", ["compilerOptions", "files"]),
  "docs/adopt.md yaml 1": isProjectFile,
  "docs/resources/api-keys.md yaml 1": rotatesWithOverlap,
  "docs/resources/api-keys.md yaml 2": rotatesWithOverlap,
  "docs/files.md yaml 1": isProjectFile,
  "docs/files.md yaml 2": (text) => isProjectFile(`name: payments\n${text}`),
  "docs/groups.md yaml 1": isProjectFile,
  "docs/files.md yaml 5": (text) => isProjectFile(`name: payments\n${text}`),
  "docs/files.md yaml 3": async (text) => {
    await put("teams/operators.yaml", text);
    expect(loadFiles(".", folder).teams).toMatchObject([{ key: "operators" }]);
  },
  "docs/files.md yaml 4": async (text) => {
    await put("organizations/acme.yaml", text);
    expect(loadFiles(".", folder).organizations).toMatchObject([{ key: "acme" }]);
  },
  "docs/files.md typescript 1": async (text) => {
    const key = "apiKeys: { ci: { description: pipeline, roles: [ORG_MEMBER] } }";
    const files = { "organizations/acme.yaml": `key: acme\norgId: ${orgId}\n${key}` };
    const stack = await creates(text, 3, files);
    expect(Object.keys(await stack.outputs())).toEqual(["apiKeys"]);
  },
  "docs/files.md typescript 2": async (text) => {
    const project = `new Project("payments", ${JSON.stringify({ orgId, name: "payments" })});`;
    const before = `import { Project } from "pulumi-opsmanager";\n${project}\n`;
    const stack = await stackOf(await programOf(before, "before"));
    await succeeded(stack.up());
    sandbox?.clearRequests();
    // The attached plugin has the folder of the repository.
    const after = await programOf(text.replace('"."', JSON.stringify(join(folder, "after"))), "after");
    for (const [path, content] of Object.entries(projectFiles("payments")))
      await put(join("after", path), content);
    await stack.setProgram({ folder: after, hosts: "resident" });
    await succeeded(stack.up());
    expect((await stack.resource("payments"))?.urn).toContain("AccessFolder$");
    expect(writes(sandbox as Sandbox)).toEqual([]);
  },
  "docs/scale.md typescript 1": async (text) => {
    const config = { "docs:select": '{"shard":{"index":1,"count":2}}' };
    await creates(text, 2, projectFiles("payments", "eve"), config);
    expect(sandbox?.state.projects.map(({ name }) => name)).toEqual(["eve"]);
  },

  // These run in CI alone: `test/engine/gitops/action.test.ts` runs their scripts.
  "docs/drift-ci.md yaml 1": hasInputsOfTheAction,
  "docs/drift-ci.md yaml 2": async (text) => {
    // The operators of GitHub's expressions mean the same in JavaScript.
    const isRun = new Function("github", `return ${parse(text).if};`);
    const pullRequestOf = (full_name: string) => ({
      event_name: "pull_request",
      repository: "o/r",
      event: { pull_request: { head: { repo: { full_name } } } },
    });
    expect(isRun(pullRequestOf("o/r"))).toBe(true);
    expect(isRun(pullRequestOf("mallory/r"))).toBe(false);
    expect(isRun({ event_name: "schedule", repository: "o/r", event: {} })).toBe(true);
  },
  "docs/drift-ci.md yaml 3": hasInputsOfTheAction,
  "docs/summarize.md yaml 1": async (text) => {
    const path = join(repositoryRoot, "examples", "gitops", ".github", "workflows", "preview.yml");
    const { preview } = parse(readFileSync(path, "utf8")).jobs;
    const { steps, ...job } = parse(text);
    expect(preview).toMatchObject(job);
    for (const step of steps) expect(preview.steps).toContainEqual(expect.objectContaining(step));
  },
  "docs/drift-ci.md yaml 4": async (text) => {
    const template = readFileSync(join(repositoryRoot, "templates", "opsmanager-drift.yml"), "utf8");
    const { inputs } = parse(template.split("\n---\n")[0] ?? "").spec;
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(parse(text).include[0].inputs)));
  },
  "docs/drift.md yaml 1": async (text) => {
    const rules = parseIgnoreRules(text, ".opsmanager-drift.yaml", "2026-11-22");
    expect(rules.map(({ kind }) => kind)).toEqual([
      "added",
      "undeclared",
      "unreadable",
      ...["unmanaged", "unmanaged", "unmanaged", "unmanaged"],
    ]);
  },

  "docs/verify.md json 1": async (text) => {
    const file = await put("ours.json", text);
    expect(parseCommandLine(["--like", file])).toMatchObject({
      options: { challenge: "qop", reinvite: "same" },
    });
  },

  "docs/providers.md typescript 1": async (text) => {
    await creates(text, 1);
    expect(projectNamed(sandbox as Sandbox, "payments").orgId).toBe(orgId);
  },

  "docs/providers.md typescript 2": async (text) => {
    const before = text.replace('from "pulumi-opsmanager/dynamic"', 'from "pulumi-opsmanager"');
    const stack = await stackOf(await programOf(before.replace(/\{ aliases: .*/, ""), "before"));
    await succeeded(stack.up());
    sandbox?.clearRequests();
    await stack.setProgram({ folder: await programOf(text, "after"), hosts: "resident" });
    expect((await succeeded(stack.preview())).changes).toEqual({ update: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox as Sandbox)).toEqual([]);
  },

  "docs/sandbox.md typescript 1": async (text) => {
    const program = await programOf(text);
    await linkPackages(program);
    const stdout = await run(process.execPath, ["--no-warnings", "index.ts"], { cwd: program });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ \w+ [\w-]+\n$/);
  },
};

it("has a play for every code block that is neither generated nor a command", () => {
  expect(Object.keys(plays).sort()).toEqual([...blocks().keys()].sort());
});

it.each(Object.entries(plays))("%s does what its page describes", async (name, play) => {
  const block = blocks().get(name);
  if (!block) throw new Error(`no such block: ${name}`);
  await play(block.text);
});
