import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../../support/repository";

/** A small repository in which each import breaks the rule that it is named after. */
const wrongImports: Record<string, [from: string, to: string]> = {
  "leaves-import-only-leaves": ["provider/config.ts", "provider/transport/index.ts"],
  "transport-knows-no-api": ["provider/transport/index.ts", "provider/api/client.ts"],
  "client-knows-no-group": ["provider/api/client.ts", "provider/api/projects.ts"],
  "api-knows-no-resources": ["provider/api/users.ts", "provider/resources/project/index.ts"],
  "resources-know-no-entry-point": ["provider/resources/project/index.ts", "provider/plugin/status.ts"],
  "resources-go-through-the-api": ["provider/functions/index.ts", "provider/transport/pool.ts"],
  "resources-know-no-functions": ["provider/resources/index.ts", "provider/functions/index.ts"],
  "schema-knows-no-entry-point": ["provider/package-schema.ts", "provider/plugin/serve.ts"],
  "entry-points-know-each-other-not/plugin": ["provider/plugin/service.ts", "provider/dynamic/adapter.ts"],
  "entry-points-know-each-other-not/dynamic": ["provider/dynamic/index.ts", "provider/plugin/service.ts"],
  "projects-know-no-entry-point": ["provider/projects/load.ts", "provider/plugin/service.ts"],
  "only-the-component-loads-the-dynamic-provider": [
    "provider/projects/source.ts",
    "provider/dynamic/index.ts",
  ],
  "projects-are-for-programs-and-commands": ["provider/plugin/service.ts", "provider/projects/load.ts"],
  "commands-do-not-declare": ["provider/cli/main.ts", "provider/projects/program.ts"],
  "provider-knows-no-test": ["provider/plugin/serve.ts", "test/support/index.ts"],
  "sandbox-imports-only-itself": ["sandbox/digest.ts", "provider/transport/digest-auth.ts"],
  "only-the-sandbox-command-imports-the-sandbox": ["provider/cli/main.ts", "sandbox/index.ts"],
  "undici-only-in-transport": ["provider/api/hints.ts", "undici"],
  "plugin-does-not-load-the-pulumi-sdk": ["provider/plugin/log.ts", "@pulumi/pulumi"],
};

/** Right, though next to something wrong. */
const rightImports: [from: string, to: string][] = [
  ["provider/plugin/service.ts", "provider/resources/index.ts"],
  ["provider/functions/index.ts", "provider/resources/project/index.ts"],
  ["provider/resources/project/index.ts", "provider/api/projects.ts"],
  ["provider/api/projects.ts", "provider/errors.ts"],
  ["provider/transport/pool.ts", "undici"],
  ["provider/dynamic/index.ts", "provider/dynamic/adapter.ts"],
  ["provider/dynamic/adapter.ts", "@pulumi/pulumi"],
  ["provider/projects/program.ts", "@pulumi/pulumi"],
  ["provider/projects/program.ts", "provider/dynamic/index.ts"],
  ["provider/projects/load.ts", "provider/resources/index.ts"],
  ["provider/cli/main.ts", "provider/projects/load.ts"],
  ["provider/cli/sandbox.ts", "sandbox/index.ts"],
  ["test/unit/config.test.ts", "sandbox/index.ts"],
  ["test/unit/config.test.ts", "provider/config.ts"],
];

describe("the layering rule", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-layers-"));
    symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("names each import that points left, and none that points right", () => {
    writeImports([...Object.values(wrongImports), ...rightImports]);
    const found = violations().filter(({ rule }) => rule !== "no-cycles");
    const expected = Object.entries(wrongImports).map(([rule, [from, to]]) => ({ rule, from, to }));
    expect(found.sort(byRule)).toEqual(expected.sort(byRule));
  });

  function writeImports(imports: readonly [from: string, to: string][]) {
    const texts = new Map<string, string>();
    for (const [from, to] of imports) {
      const isFile = to.endsWith(".ts");
      const target = isFile ? join(folder, to.replace(/\.ts$/, "")) : to;
      texts.set(from, `${texts.get(from) ?? ""}import ${JSON.stringify(target)};\n`);
      if (isFile) texts.set(to, texts.get(to) ?? "");
    }
    for (const [file, text] of texts) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }

  function violations() {
    const depcruise = join(
      repositoryRoot,
      "node_modules",
      "dependency-cruiser",
      "bin",
      "dependency-cruiser.mjs",
    );
    const config = join(repositoryRoot, ".dependency-cruiser.cjs");
    const args = [depcruise, "--config", config, "--output-type", "json", "provider", "sandbox", "test"];
    const report = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    return (JSON.parse(report).summary.violations as Violation[]).map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to: /node_modules\/((@[^/]+\/)?[^/]+)/.exec(to)?.[1] ?? to,
    }));
  }
});

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

function byRule(one: { rule: string }, other: { rule: string }): number {
  return one.rule < other.rule ? -1 : 1;
}
