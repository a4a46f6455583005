/**
 * The plugin archive, made by `npm run archive`: what is in it, and how Pulumi finds it in a release, by the address in the package
 * schema or on a mirror. plugin/pulumi-do.test.ts installs it from a file.
 */
import { readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { describeIf, repositoryRoot, succeeded } from "../../support";
import { pluginArchive } from "./support/archive";
import { filesOf } from "./support/archive-files";
import { closeStacks, openStack } from "./support/payments";
import { type ReleasePage, startReleasePage } from "./support/release-page";

const { version, repository } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const ownerAndName = /github\.com\/(.+)\.git$/.exec(repository.url)?.[1] ?? "";
const address = packageSchema().pluginDownloadURL;

let archive: string;
beforeAll(async () => {
  archive = await pluginArchive();
});

it("holds the bundled plugin and command, a launcher, the version, and the licenses of all packages in them", async () => {
  const files = await filesOf(archive);
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

/** The engine learns the address from the program or from these files, before it has a plugin that could return a schema. */
it("has its address, the release of the version in this repository, in the schema and in every SDK", () => {
  expect(address).toBe(`github://api.github.com/${ownerAndName}`);
  for (const file of [
    "sdk/nodejs/utilities.ts",
    "sdk/python/pulumi_opsmanager/_utilities.py",
    "sdk/python/pulumi_opsmanager/pulumi-plugin.json",
    "sdk/go/opsmanager/internal/pulumiUtilities.go",
    "sdk/go/opsmanager/pulumi-plugin.json",
  ])
    expect([file, readFileSync(join(repositoryRoot, file), "utf8")]).toEqual([
      file,
      expect.stringContaining(`"${address}"`),
    ]);
});

/** Go reads SSL_CERT_FILE on systems that keep certificates in files. */
const why = "Go takes certificate authorities from a file on Linux only";

describeIf(process.platform === "linux", why)("pulumi", () => {
  let page: ReleasePage;
  beforeEach(async () => {
    page = await startReleasePage(ownerAndName, version, archive);
  });
  afterEach(async () => {
    await closeStacks();
    await page.close();
  });

  it("downloads the plugin with the first `up` of a program that uses the SDK, and finds the newest at its address", async () => {
    const { stack } = await openStack({ folder: join(__dirname, "programs", "on-path") });
    await page.use(stack);
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    await succeeded(stack.run("plugin", "install", "resource", "opsmanager", "--server", String(address)));
    expect(page.requests.map((path) => path.replace(`/repos/${ownerAndName}`, "")).slice(0, 3)).toEqual([
      `/releases/tags/v${version}`,
      `/releases/assets/${basename(archive)}`,
      "/releases/latest",
    ]);
  });

  it("installs it from a mirror: it serves programs that name no path, and runs the command", async () => {
    const { stack, sandbox } = await openStack((orgId) => ({
      resources: {
        ledger: { type: "Project", properties: { orgId, name: "ledger" } },
        access: { type: "AccessFolder", properties: { folder: "." } },
      },
      outputs: { projects: "${access.projects}" },
      pluginFolder: null,
    }));
    await page.use(stack);
    const folder = join(stack.paths.program, "projects");
    await mkdir(folder);
    await writeFile(join(folder, "payments.yaml"), `name: payments\norgId: ${sandbox.orgId}\n`);
    const installFrom = (server: string) =>
      stack.run("plugin", "install", "resource", "opsmanager", version, "--server", server);
    const missing = await installFrom(`${page.origin}/nothing-here`);
    expect(missing.exitCode).not.toBe(0);
    expect(missing.output).toContain("404");
    expect(missing.output).toContain(`opsmanager-${version}`);

    await succeeded(installFrom(`${page.origin}/mirror/v\${VERSION}`));
    const installed = join(stack.paths.home, ".pulumi", "plugins", `resource-opsmanager-v${version}`);
    expect((await readdir(installed)).sort()).toEqual([
      "LICENSE",
      "THIRD_PARTY_LICENSES.txt",
      "dist",
      "package.json",
      "pulumi-resource-opsmanager",
    ]);
    await succeeded(stack.up());
    expect(await stack.outputs()).toMatchObject({ projects: { payments: { name: "payments" } } });
    expect(sandbox.state.projects.map(({ name }) => name).sort()).toEqual(["ledger", "payments"]);
    const command = ["plugin", "run", "--kind", "resource", "opsmanager", "validate", "nowhere"];
    const validated = await stack.run(...command);
    expect([validated.exitCode, validated.output]).toEqual([
      1,
      expect.stringContaining("nowhere: There is no such folder."),
    ]);
  });
});
