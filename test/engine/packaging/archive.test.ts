/**
 * The plugin archive: made by `npm run archive`, installed by `pulumi plugin install`, used by its name and version alone.
 * release-page.test.ts has it found by a program that uses the SDK.
 */
import { readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot, succeeded } from "../../support";
import { pluginArchive } from "./support/archive";
import { type ArchivedFile, filesOf } from "./support/archive-files";
import { closeStacks, openStack } from "./support/payments";

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));

let archive: string;
let files: Map<string, ArchivedFile>;

beforeAll(async () => {
  archive = await pluginArchive();
  files = await filesOf(archive);
});
afterEach(closeStacks);

describe("the plugin archive", () => {
  it("holds the bundled plugin and command, a launcher, the version, and the licenses of all packages in them", () => {
    expect([...files.keys()]).toEqual([
      "LICENSE",
      "THIRD_PARTY_LICENSES.txt",
      "dist/provider/compile-cache.js",
      "dist/provider/index.js",
      "dist/projects/construct.js",
      "dist/cli/main.js",
      "dist/sandbox/main.js",
      "package.json",
      "pulumi-resource-opsmanager",
    ]);
    for (const { text } of files.values()) expect(text.includes(repositoryRoot)).toBe(false);
    expect(files.get("pulumi-resource-opsmanager")?.mode).toBe(0o755);
    expect(JSON.parse(files.get("package.json")?.text ?? "")).toMatchObject({ version, type: "commonjs" });
    const texts = files.get("THIRD_PARTY_LICENSES.txt")?.text ?? "";
    const named = [...texts.matchAll(/^(\S+) \d+\.\d+\.\d+\nLicense: \S/gm)].map(([, name]) => name);
    expect(named).toEqual([
      "@grpc/grpc-js",
      "@js-sdsl/ordered-map",
      "@opentelemetry/api",
      "@pulumi/pulumi",
      "buffer-from",
      "commander",
      "google-protobuf",
      "ipaddr.js",
      "leven",
      "semver",
      "source-map",
      "source-map-support",
      "undici",
      "yaml",
      "zod",
    ]);
    expect(texts).toContain("Apache License");
    expect(texts).toContain("Permission is hereby granted, free of charge");
    expect(texts).toContain("Redistributions in binary form must reproduce");
  });

  it("is installed by pulumi, listed, returns its schema, serves programs that name no path, and runs the command", async () => {
    const { stack, sandbox } = await openStack((orgId) => ({
      resources: {
        ledger: { type: "Project", properties: { orgId, name: "ledger" } },
        projects: { type: "ProjectFolder", properties: { folder: "projects" } },
      },
      outputs: { projects: "${projects.projects}" },
      pluginFolder: null,
    }));
    const folder = join(stack.paths.program, "projects");
    await mkdir(folder);
    await writeFile(join(folder, "payments.yaml"), `name: payments\norgId: ${sandbox.orgId}\n`);
    expect((await stack.up()).exitCode).not.toBe(0); // the machine's own plugins are not seen

    await succeeded(stack.run("plugin", "install", "resource", "opsmanager", version, "--file", archive));
    const listed = JSON.parse((await succeeded(stack.run("plugin", "ls", "--json"))).stdout);
    expect(listed).toEqual([expect.objectContaining({ name: "opsmanager", kind: "resource", version })]);
    const installed = join(stack.paths.home, ".pulumi", "plugins", `resource-opsmanager-v${version}`);
    expect((await readdir(installed)).sort()).toEqual([
      "LICENSE",
      "THIRD_PARTY_LICENSES.txt",
      "dist",
      "package.json",
      "pulumi-resource-opsmanager",
    ]);

    // It gets the schema of the plugin first.
    await succeeded(stack.run("schema", "check", `opsmanager@${version}`));
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ projects: { payments: { name: "payments" } } });
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual(["ledger", "payments"]);
    const command = ["plugin", "run", "--kind", "resource", "opsmanager", "validate"];
    const [valid, faulty] = [await stack.run(...command, "projects"), await stack.run(...command, "nowhere")];
    expect([valid.exitCode, valid.stdout]).toEqual([
      0,
      expect.stringContaining("1 project in projects: no fault."),
    ]);
    expect(faulty.exitCode).toBe(1);
  });
});
