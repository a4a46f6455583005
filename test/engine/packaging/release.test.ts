/** What `npm run release` makes: the same bytes twice, and programs that run with these files alone. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { describeIf, itIf, packRepository, registryProblem, repositoryRoot, succeeded } from "../../support";
import { cyclonedxValidator, judgesProblem } from "../../support/formats";
import { createWorkspace, go, sdkModule, whyNoGo } from "../sdks/support/go";
import { hasLanguageHost } from "../sdks/support/language-hosts";
import { createEnvironment, type PythonBase, pythonBase } from "../sdks/support/python";
import { installation } from "../support/installed-package";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";
import { type ReleasePage, startReleasePage, useReleasePage } from "./support/release-page";

// Two releases, one after the other, and a program in each language.
jest.setTimeout(900_000);

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const { version } = manifest;
const tag = `v${version}`;

const python = pythonBase();
const noGo = whyNoGo();
const problem = noGo ?? ("reason" in python ? python.reason : "");

let folder: string;
let release: string;
/** Relative to the release. */
let names: string[];
let page: ReleasePage;

const namesIn = (path: string) => filesBelow(path).map((file) => relative(path, file).replaceAll("\\", "/"));

function makeRelease(out: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return run(process.execPath, [join(repositoryRoot, "scripts", "release.mjs"), "--out", out], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: "1767225600", ...env },
  });
}

describeIf(problem === "", `no release here: ${problem}`)("a release", () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "opsmanager-release-")));
    release = join(folder, "release");
    await makeRelease(release);
    names = namesIn(release);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    const archives = names.filter((name) => name.startsWith("pulumi-resource-"));
    const repository = /github\.com\/(.+)\.git$/.exec(manifest.repository.url)?.[1] ?? "";
    page = await startReleasePage(
      repository,
      version,
      archives.map((name) => join(release, name)),
    );
  });
  afterEach(async () => {
    await closeStacks();
    await page.close();
  });

  it("has every file that users install", () => {
    const proxy = `goproxy/${sdkModule}/@v`;
    expect(names).toEqual(
      [
        "SHA256SUMS",
        "drift-report.schema.json",
        ...["list", `${tag}.info`, `${tag}.mod`, `${tag}.zip`].map((name) => `${proxy}/${name}`),
        "project-file.schema.json",
        `pulumi-opsmanager-${version}.cdx.json`,
        `pulumi-opsmanager-${version}.tgz`,
        ...["darwin", "linux", "windows"].flatMap((os) =>
          ["amd64", "arm64"].map((arch) => `pulumi-resource-opsmanager-${tag}-${os}-${arch}.tar.gz`),
        ),
        `pulumi_opsmanager-${version}-py3-none-any.whl`,
        "release-notes.md",
        "schema.json",
      ].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it("is the same the second time, in another time zone", async () => {
    const again = join(folder, "again");
    await makeRelease(again, { TZ: "Pacific/Auckland", LANG: "C" });
    expect(namesIn(again)).toEqual(names);
    const different = names.filter(
      (name) => !readFileSync(join(again, name)).equals(readFileSync(join(release, name))),
    );
    expect(different).toEqual([]);
  });

  it("writes into no folder that holds other files", async () => {
    await expect(makeRelease(release)).rejects.toThrow("is not empty");
  });

  it("is not made for a tag that must not be published", async () => {
    const out = join(folder, "tagged");
    const script = join(repositoryRoot, "scripts", "release.mjs");
    const made = run(process.execPath, [script, "--out", out, "--tag", "v0.0.0-rc.1"], { cwd: folder });
    await expect(made).rejects.toThrow("v0.0.0-rc.1 is a prerelease");
    expect(existsSync(out)).toBe(false);
  });

  it("has the checksum of each file", async () => {
    const lines = (await readFile(join(release, "SHA256SUMS"), "utf8")).trimEnd().split("\n");
    const sums = names
      .filter((name) => name !== "SHA256SUMS")
      .map((name) => {
        const content = readFileSync(join(release, name));
        return `${createHash("sha256").update(content).digest("hex")}  ${name}`;
      });
    expect(lines).toEqual(sums);
  });

  it("has the schema of the plugin", async () => {
    const text = await readFile(join(release, "schema.json"), "utf8");
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(packageSchema())));
  });

  itIf(judgesProblem() === "", judgesProblem())("has an SBOM as CycloneDX specifies it", async () => {
    const problems = await cyclonedxValidator();
    const bom = await readFile(join(release, `pulumi-opsmanager-${version}.cdx.json`), "utf8");
    expect(await problems(bom)).toEqual([]);
    expect(await problems(bom.replaceAll('"type": "library"', '"type": "book"'))).not.toEqual([]);
  });

  it("has the license in the wheel", async () => {
    const wheel = join(release, `pulumi_opsmanager-${version}-py3-none-any.whl`);
    const python =
      "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode(), end='')";
    const file = `pulumi_opsmanager-${version}.dist-info/licenses/LICENSE`;
    expect(await run("python3", ["-c", python, wheel, file])).toBe(
      readFileSync(join(repositoryRoot, "LICENSE"), "utf8"),
    );
  });

  it("lists the production packages in its SBOM, with version and hash", async () => {
    const bom = JSON.parse(await readFile(join(release, `pulumi-opsmanager-${version}.cdx.json`), "utf8"));
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      metadata: {
        timestamp: "2026-01-01T00:00:00.000Z",
        component: { name: "pulumi-opsmanager", version },
      },
    });
    const listed: { name: string; version: string; hashes?: unknown[] }[] = bom.components;
    const { packages } = JSON.parse(await readFile(join(repositoryRoot, "package-lock.json"), "utf8"));
    const locked = Object.entries(packages as Record<string, { version?: string; dev?: boolean }>)
      .filter(([path, { dev }]) => path !== "" && !dev)
      .map(([path, entry]) => `${path.replace(/^.*node_modules\//, "")}@${entry.version}`);
    const names = (of: readonly { name: string; version: string }[]) =>
      [...new Set(of.map((component) => `${component.name}@${component.version}`))].sort();
    expect(names(listed)).toEqual([...new Set(locked)].sort());
    expect(names(listed.filter(({ hashes }) => hashes === undefined))).toEqual([]);
    const [root] = bom.dependencies.filter(({ ref }: { ref: string }) =>
      ref.startsWith("pulumi-opsmanager@"),
    );
    expect(root.dependsOn.map((ref: string) => ref.replace(/@[^@]+$/, "")).sort()).toEqual(
      Object.keys(manifest.dependencies).sort(),
    );
  });

  const downloaded = () => page.requests.map((path) => basename(path)).slice(1);
  const archive = expect.stringMatching(/^pulumi-resource-opsmanager-v.+\.tar\.gz$/);

  describeIf(process.platform === "linux", "Go takes certificate authorities from a file on Linux only")(
    "alone",
    () => {
      itIf(registryProblem() === "", registryProblem())("runs a program in TypeScript", async () => {
        // The release has the package that the tests pack, which packaging/installed.test.ts installs with npm.
        const { tarball } = await packRepository(folder);
        const released = readFileSync(join(release, `pulumi-opsmanager-${version}.tgz`));
        expect(released.equals(readFileSync(tarball))).toBe(true);
        const minimal = await readFile(join(repositoryRoot, "examples", "minimal", "package.json"), "utf8");
        const program = {
          folder: join(__dirname, "programs", "typescript"),
          installation: await installation("minimal", JSON.parse(minimal)),
        };
        const payments = await openStack(program);
        await useReleasePage(page, payments.stack, folder);
        await expectToWork(payments);
        expect(downloaded()).toEqual([archive]);
      });

      it("runs a program in YAML", async () => {
        const payments = await openStack(yamlPayments(null));
        const { stack } = payments;
        const install = ["plugin", "install", "resource", "opsmanager", version];
        await succeeded(stack.run(...install, "--server", page.mirror));
        await expectToWork(payments);
      });

      itIf(hasLanguageHost("python"), "the engine has no pulumi-language-python")(
        "runs a program in Python",
        async () => {
          const wheel = join(release, `pulumi_opsmanager-${version}-py3-none-any.whl`);
          const own = await createEnvironment(python as PythonBase, join(folder, "venv"), wheel);
          const payments = await openStack({ folder: join(__dirname, "programs", "python") });
          await useReleasePage(page, payments.stack, folder, { PULUMI_PYTHON_CMD: own });
          await expectToWork(payments);
          expect(downloaded()).toEqual([archive]);
        },
      );

      itIf(hasLanguageHost("go"), "the engine has no pulumi-language-go")(
        "runs a program in Go",
        async () => {
          // A module cache of its own: another one would keep this version, whatever the SDK becomes.
          const cache = join(folder, "go-modules");
          const { output } = await go(["mod", "download", "-json", `${sdkModule}@${tag}`], folder, {
            GOMODCACHE: cache,
            GOFLAGS: "-modcacherw",
            GOPROXY: `file://${join(release, "goproxy")}`,
            GOSUMDB: "off",
          });
          const { Dir: module } = JSON.parse(output);
          expect(namesIn(module)).toEqual(
            [...namesIn(join(repositoryRoot, "sdk", "go", "opsmanager")), "LICENSE"].sort((a, b) =>
              a < b ? -1 : 1,
            ),
          );
          const payments = await openStack({ folder: join(__dirname, "programs", "go") });
          const { root, program } = payments.stack.paths;
          await useReleasePage(page, payments.stack, folder, await createWorkspace(root, [program], module));
          await expectToWork(payments);
          expect(downloaded()).toEqual([archive]);
        },
      );
    },
  );
});
