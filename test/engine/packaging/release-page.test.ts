/** How Pulumi finds the plugin archive of a release: by the address in the package schema, which every SDK contains. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { itIf, repositoryRoot, type Stack, succeeded } from "../../support";
import { pluginArchive } from "./support/archive";
import { closeStacks, openStack, yamlPayments } from "./support/payments";
import { type ReleasePage, startReleasePage, useReleasePage } from "./support/release-page";

const { version, repository } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const ownerAndName = /github\.com\/(.+)\.git$/.exec(repository.url)?.[1] ?? "";
const address = packageSchema().pluginDownloadURL;

/** Go reads SSL_CERT_FILE on systems that keep certificates in files. */
const trustsFile = process.platform === "linux";
const why = "Go takes certificate authorities from a file on Linux only";

let folder: string;
let archive: string;
let page: ReleasePage;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-release-page-"));
  archive = await pluginArchive();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  page = await startReleasePage(ownerAndName, version, [archive]);
});
afterEach(async () => {
  await closeStacks();
  await page.close();
});

/** archive.test.ts has the archive that is installed, and lists it. */
function expectToBeInstalled({ paths }: Stack): void {
  const plugin = join(paths.home, ".pulumi", "plugins", `resource-opsmanager-v${version}`);
  expect(readdirSync(plugin)).toContain("pulumi-resource-opsmanager");
}

const requested = () => page.requests.map((path) => path.replace(`/repos/${ownerAndName}`, ""));

/** The engine learns the address from the program or from these files, before it has a plugin that could return a schema. */
it("is the release of the version in this repository, in the schema and in every SDK", () => {
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

itIf(trustsFile, why)("a program that uses the SDK downloads its plugin with the first `up`", async () => {
  const { stack } = await openStack({ folder: join(__dirname, "programs", "on-path") });
  await useReleasePage(page, stack, folder);
  expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
  expect(requested()).toEqual([`/releases/tags/v${version}`, `/releases/assets/${basename(archive)}`]);
});

itIf(trustsFile, why)("`pulumi plugin install` finds the newest version at the address", async () => {
  const { stack } = await openStack(yamlPayments(null));
  await useReleasePage(page, stack, folder);
  await succeeded(stack.run("plugin", "install", "resource", "opsmanager", "--server", String(address)));
  expect(requested()[0]).toBe("/releases/latest");
  expectToBeInstalled(stack);
});

it("`pulumi plugin install` takes the archive from a mirror, and without it names the plugin and its version", async () => {
  const { stack } = await openStack(yamlPayments(null));
  const installFrom = (server: string) =>
    stack.run("plugin", "install", "resource", "opsmanager", version, "--server", server);
  const missing = await installFrom(`http://${new URL(page.mirror).host}/nothing-here`);
  expect(missing.exitCode).not.toBe(0);
  expect(missing.output).toContain("404");
  expect(missing.output).toContain(`opsmanager-${version}`);

  await succeeded(installFrom(page.mirror));
  expect(page.requests.at(-1)).toBe(`/${ownerAndName}/releases/download/v${version}/${basename(archive)}`);
  expectToBeInstalled(stack);
});
