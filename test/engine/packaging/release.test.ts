/**
 * What `npm run release` makes, in another time zone: the same files that other tests install and run. The SDKs are those of
 * test/engine/sdks. The workflow `release.yml` makes a release on two machines, and compares all bytes.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { packageSchema } from "../../../provider/package-schema";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { describeIf, itIf, packRepository, repositoryRoot } from "../../support";
import { cyclonedxValidator, judgesProblem } from "../../support/formats";
import { go, sdkModule, whyNoGo } from "../sdks/support/go";
import { pythonBase } from "../sdks/support/python";
import { pluginArchive } from "./support/archive";
import { filesOf } from "./support/archive-files";

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

describeIf(problem === "", `no release here: ${problem}`)("a release", () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "opsmanager-release-")));
    release = join(folder, "release");
    await run(process.execPath, [join(repositoryRoot, "scripts", "release.mts"), "--out", release], {
      cwd: folder,
      env: { ...process.env, SOURCE_DATE_EPOCH: "1767225600", TZ: "Pacific/Auckland", LANG: "C" },
    });
    names = namesIn(release);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has every file that users install", () => {
    const proxy = `goproxy/${sdkModule}/@v`;
    expect(names).toEqual(
      [
        "SHA256SUMS",
        "drift-report.schema.json",
        ...["list", `${tag}.info`, `${tag}.mod`, `${tag}.zip`].map((name) => `${proxy}/${name}`),
        "organization-file.schema.json",
        "project-file.schema.json",
        `pulumi-opsmanager-${version}.cdx.json`,
        `pulumi-opsmanager-${version}.tgz`,
        ...["darwin", "linux", "windows"].flatMap((os) =>
          ["amd64", "arm64"].map((arch) => `pulumi-resource-opsmanager-${tag}-${os}-${arch}.tar.gz`),
        ),
        `pulumi_opsmanager-${version}-py3-none-any.whl`,
        "release-notes.md",
        "schema.json",
        "team-file.schema.json",
      ].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it("has the checksum of each file, and the schema of the plugin", () => {
    const lines = readFileSync(join(release, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    const sums = names
      .filter((name) => name !== "SHA256SUMS")
      .map((name) => `${hashOf(join(release, name))}  ${name}`);
    expect(lines).toEqual(sums);
    const schema = JSON.parse(readFileSync(join(release, "schema.json"), "utf8"));
    expect(schema).toEqual(JSON.parse(JSON.stringify(packageSchema())));
  });

  itIf(judgesProblem() === "", judgesProblem())("has an SBOM as CycloneDX specifies it", async () => {
    const problems = await cyclonedxValidator();
    const bom = await readFile(join(release, `pulumi-opsmanager-${version}.cdx.json`), "utf8");
    expect(await problems(bom)).toEqual([]);
    expect(await problems(bom.replaceAll('"type": "library"', '"type": "book"'))).not.toEqual([]);
  });

  it("has the bytes of the npm package and of the plugin archive that the tests install, and one launcher more for Windows", async () => {
    for (const tested of [(await packRepository(folder)).tarball, await pluginArchive()])
      expect([tested, hashOf(join(release, basename(tested)))]).toEqual([tested, hashOf(tested)]);
    const archiveFor = (platform: string) =>
      filesOf(join(release, `pulumi-resource-opsmanager-${tag}-${platform}.tar.gz`));
    const [linux, windows] = [await archiveFor("linux-amd64"), await archiveFor("windows-arm64")];
    const { "pulumi-resource-opsmanager.cmd": launcher, ...others } = Object.fromEntries(windows);
    expect(launcher?.text).toContain("pulumi-resource-opsmanager");
    expect(others).toEqual(Object.fromEntries(linux));
  });

  it("has the Python SDK and the license in the wheel, with the time of the release", async () => {
    const wheel = join(release, `pulumi_opsmanager-${version}-py3-none-any.whl`);
    const script = `import hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print(json.dumps({
  "hashes": {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in wheel.namelist()},
  "times": sorted({file.date_time for file in wheel.infolist()}),
}))`;
    const { hashes, times } = JSON.parse(await run("python3", ["-c", script, wheel]));
    expect(times).toEqual([[2026, 1, 1, 0, 0, 0]]);
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

  it("lists the production packages in its SBOM, with version and hash", async () => {
    const bom = JSON.parse(await readFile(join(release, `pulumi-opsmanager-${version}.cdx.json`), "utf8"));
    expect(bom.metadata).toMatchObject({
      timestamp: "2026-01-01T00:00:00.000Z",
      component: { name: "pulumi-opsmanager", version },
    });
    const listed: { name: string; version: string; hashes?: unknown[] }[] = bom.components;
    expect(listed.filter(({ hashes }) => hashes === undefined)).toEqual([]);
    const { packages } = JSON.parse(await readFile(join(repositoryRoot, "package-lock.json"), "utf8"));
    const locked = Object.entries(packages as Record<string, { version?: string; dev?: boolean }>)
      .filter(([path, { dev }]) => path !== "" && !dev)
      .map(([path, entry]) => `${path.replace(/^.*node_modules\//, "")}@${entry.version}`);
    const names = new Set(listed.map((component) => `${component.name}@${component.version}`));
    expect(names).toEqual(new Set(locked));
    const root = bom.dependencies.find(({ ref }: { ref: string }) => ref.startsWith("pulumi-opsmanager@"));
    const needed = root.dependsOn.map((ref: string) => ref.replace(/@[^@]+$/, "")).sort();
    expect(needed).toEqual(Object.keys(manifest.dependencies).sort());
  });
});
