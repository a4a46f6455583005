/**
 * The plugin archive: made by `npm run archive`, installed by `pulumi plugin install`, used by its name and version alone.
 * release-page.test.ts has it found by a program that uses the SDK.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { repositoryRoot, succeeded } from "../../support";
import { pluginArchive, writeArchive } from "./support/archive";
import { type ArchivedFile, filesOf } from "./support/archive-files";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));

let archive: string;
let files: Map<string, ArchivedFile>;

beforeAll(async () => {
  archive = await pluginArchive();
  files = await filesOf(archive);
});
afterEach(closeStacks);

describe("the plugin archive", () => {
  it("is named as pulumi searches for it, holds the same each time, and has one more launcher for Windows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "opsmanager-archive-"));
    const elsewhere = await writeArchive("--os", "windows", "--arch", "arm64", "--out", folder);
    expect(basename(elsewhere)).toBe(`pulumi-resource-opsmanager-v${version}-windows-arm64.tar.gz`);
    const { "pulumi-resource-opsmanager.cmd": launcher, ...others } = Object.fromEntries(
      await filesOf(elsewhere),
    );
    rmSync(folder, { recursive: true });
    expect(launcher?.text).toContain("pulumi-resource-opsmanager");
    expect(others).toEqual(Object.fromEntries(files));
  });

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

  it("does not mention the machine that made it", () => {
    for (const { text } of files.values()) expect(text.includes(repositoryRoot)).toBe(false);
  });

  it("is installed by pulumi, listed, returns its schema, and serves programs that name no path", async () => {
    const payments = await openStack(yamlPayments(null));
    const { stack } = payments;
    const before = await stack.up();
    expect(before.exitCode).not.toBe(0); // the machine's own plugins are not seen

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

    const schema = await succeeded(stack.run("package", "get-schema", `opsmanager@${version}`));
    expect(JSON.parse(schema.stdout)).toMatchObject({ name: "opsmanager", version });
    await succeeded(stack.run("schema", "check", `opsmanager@${version}`));
    await expectToWork(payments);
  });

  it("serves a folder of project files, and runs the command of the package by `pulumi plugin run`", async () => {
    const { stack, sandbox } = await openStack(() => ({
      resources: { projects: { type: "ProjectFolder", properties: { folder: "projects" } } },
      outputs: { projects: "${projects.projects}" },
      pluginFolder: null,
    }));
    const folder = join(stack.paths.program, "projects");
    await mkdir(folder);
    await writeFile(join(folder, "payments.yaml"), `name: payments\norgId: ${sandbox.orgId}\n`);
    await succeeded(stack.run("plugin", "install", "resource", "opsmanager", version, "--file", archive));
    await succeeded(stack.up());
    expect(await stack.outputs()).toEqual({
      projects: { payments: expect.objectContaining({ name: "payments" }) },
    });
    const command = ["plugin", "run", "--kind", "resource", "opsmanager"];
    expect((await succeeded(stack.run(...command, "validate", "projects"))).stdout).toContain(
      "1 project in projects: no fault.",
    );
    expect((await stack.run(...command, "validate", "nowhere")).exitCode).toBe(1);
  });
});
