/**
 * What `npm run release` makes: the same bytes twice, and the same files that other tests run. The package is the one of
 * docs/get-started.test.ts, the SDKs are those of test/engine/sdks, and release-page.test.ts downloads an archive.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { describeIf, itIf, packRepository, repositoryRoot, succeeded } from "../../support";
import { cyclonedxValidator, judgesProblem } from "../../support/formats";
import { go, sdkModule, whyNoGo } from "../sdks/support/go";
import { pythonBase } from "../sdks/support/python";
import { closeStacks, expectToWork, openStack, yamlPayments } from "./support/payments";

// Two releases, one after the other.
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

const namesIn = (path: string) => filesBelow(path).map((file) => relative(path, file).replaceAll("\\", "/"));

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** By path below the folder. */
function hashesBelow(path: string, pattern = /^/): Record<string, string> {
  const names = namesIn(path).filter((name) => pattern.test(name));
  return Object.fromEntries(names.map((name) => [name, hashOf(join(path, name))]));
}

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

  afterEach(closeStacks);

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
      .map((name) => `${hashOf(join(release, name))}  ${name}`);
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

  it("has the npm package that is packed for the tests", async () => {
    const { tarball } = await packRepository(folder);
    const released = readFileSync(join(release, `pulumi-opsmanager-${version}.tgz`));
    expect(released.equals(readFileSync(tarball))).toBe(true);
  });

  it("has the Python SDK and the license in the wheel", async () => {
    const wheel = join(release, `pulumi_opsmanager-${version}-py3-none-any.whl`);
    const script = `import hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print(json.dumps({name: hashlib.sha256(wheel.read(name)).hexdigest() for name in wheel.namelist()}))`;
    const hashes: Record<string, string> = JSON.parse(await run("python3", ["-c", script, wheel]));
    const { [`pulumi_opsmanager-${version}.dist-info/licenses/LICENSE`]: license } = hashes;
    expect(license).toBe(hashOf(join(repositoryRoot, "LICENSE")));
    const files = Object.entries(hashes).filter(([name]) => !name.includes(".dist-info/"));
    expect(Object.fromEntries(files)).toEqual(hashesBelow(join(repositoryRoot, "sdk", "python"), /^pulumi_/));
  });

  it("has the Go SDK and the license in the module that Go downloads", async () => {
    // A module cache of its own: another one would keep this version, whatever the SDK becomes.
    const { output } = await go(["mod", "download", "-json", `${sdkModule}@${tag}`], folder, {
      GOMODCACHE: join(folder, "go-modules"),
      GOFLAGS: "-modcacherw",
      GOPROXY: `file://${join(release, "goproxy")}`,
      GOSUMDB: "off",
    });
    const { Dir: module } = JSON.parse(output);
    expect(hashesBelow(module)).toEqual({
      ...hashesBelow(join(repositoryRoot, "sdk", "go", "opsmanager")),
      LICENSE: hashOf(join(repositoryRoot, "LICENSE")),
    });
  });

  it("runs a program in YAML with its archive alone", async () => {
    const payments = await openStack(yamlPayments(null));
    const system = process.platform === "win32" ? "windows" : process.platform;
    const architecture = process.arch === "x64" ? "amd64" : process.arch;
    const archive = `pulumi-resource-opsmanager-${tag}-${system}-${architecture}.tar.gz`;
    const install = [
      "plugin",
      "install",
      "resource",
      "opsmanager",
      version,
      "--file",
      join(release, archive),
    ];
    await succeeded(payments.stack.run(...install));
    await expectToWork(payments);
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
});
