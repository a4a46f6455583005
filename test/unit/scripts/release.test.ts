import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultsOfHeading, formatted, releaseNotes, withRelease } from "../../../scripts/lib/changelog.mts";
import { run } from "../../../scripts/lib/run.mjs";
import { faultsOfTag, writeRelease } from "../../../scripts/release.mts";
import {
  filesBeforeRelease,
  filesWithVersion,
  isBeforeRelease,
  NAMING_THE_VERSION,
  withVersion,
} from "../../../scripts/version.mts";
import { repositoryRoot } from "../../support/repository";

const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
const { version } = JSON.parse(read("package.json"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-release-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the version of package.json", () => {
  // npm and the generators write these.
  it.each([
    { file: "package-lock.json", pattern: /^ {2}"version": "(.+)"/gm },
    { file: "package-lock.json", pattern: /^ {4}"": \{\n {6}"name": ".+",\n {6}"version": "(.+)"/gm },
    { file: "sdk/nodejs/package.json", pattern: /"version": "(.+)"/g },
    { file: "sdk/python/pyproject.toml", pattern: /^ {2}version = "(.+)"/gm },
    { file: "sdk/python/pulumi_opsmanager/pulumi-plugin.json", pattern: /"version": "(.+)"/g },
    { file: "sdk/go/opsmanager/pulumi-plugin.json", pattern: /"version": "(.+)"/g },
    { file: "sdk/go/opsmanager/internal/pulumiUtilities.go", pattern: /MustParse\("(.+)"\)/g },
    { file: "sdk/dotnet/version.txt", pattern: /^(.+)$/gm },
    { file: "sdk/java/build.gradle", pattern: /\? "(\d.+)"/g },
  ])("is that of $file ($pattern)", ({ file, pattern }) => {
    const found = [...read(file).matchAll(pattern)].map(([, text]) => text);
    expect([...new Set(found)]).toEqual([version]);
  });

  it("is the only one that pages, examples and Go modules name for this package", async () => {
    const files = (await run("git", ["ls-files", ...NAMING_THE_VERSION], { cwd: repositoryRoot })).split(
      "\n",
    );
    const naming =
      /(?:pulumi-opsmanager-|resource-opsmanager-v|opsmanager(?:[ @:]|==)|\/opsmanager[ @]v|-opsmanager[@/]v|PACKAGE_VERSION=)(\d+\.\d+\.\d+)/g;
    const found = files
      .filter((file) => file !== "")
      .flatMap((file) => [...read(file).matchAll(naming)].map(([, text]) => `${file}: ${text}`));
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((line) => !line.endsWith(`: ${version}`))).toEqual([]);
  });

  it("is replaced by `npm version` in each file that a reader may copy from", async () => {
    const named = await run("git", ["grep", "-lF", version], { cwd: repositoryRoot });
    const replaced = new Set(await filesWithVersion(version));
    const others = named.split("\n").filter((file) => file !== "" && !replaced.has(file));
    // Generated files, lock files, and samples whose version no one installs.
    const isKnown =
      /^(sdk\/|(.+\/)?(package(-lock)?\.json|go\.sum)$|test\/.+\.ts$|scripts\/|\.github\/ISSUE_TEMPLATE\/)/;
    expect(others.filter((file) => !isKnown.test(file))).toEqual([]);
  });
});

it("a new version replaces the whole version only", () => {
  expect(withVersion("v1.2.3, a-1.2.3.tgz, 11.2.3, 1.2.30 and 1.2.3.4", "1.2.3", "2.0.0")).toBe(
    "v2.0.0, a-2.0.0.tgz, 11.2.3, 1.2.30 and 1.2.3.4",
  );
});

describe("the changelog", () => {
  const changelog =
    "# Changelog\n\nFor people.\n\n## Unreleased\n\n### Fixed\n\n- next\n\n## 1.2.0 - 2026-01-31\n\n### Added\n\n- this\n\n## 1.1.0 - 2026-01-01\n\n### Changed\n\n- before\n";

  it("has the notes of a release below its version, and below Unreleased while the version has no tag", () => {
    expect(releaseNotes(changelog, "1.2.0")).toBe("### Added\n\n- this\n");
    expect(releaseNotes(changelog, "1.1.0")).toBe("### Changed\n\n- before\n");
    expect(releaseNotes(changelog, "1.3.0")).toBe("### Fixed\n\n- next\n");
  });

  it("must have a heading for a tag", () => {
    expect(faultsOfHeading(changelog, "1.2.0")).toEqual([]);
    expect(faultsOfHeading(changelog, "1.3.0")).toEqual([
      "CHANGELOG.md has no heading `## 1.3.0`. Run `npm version 1.3.0 --no-git-tag-version --allow-same-version`.",
    ]);
  });

  it("gets a version and its date, and an empty part for the next changes", () => {
    const released = withRelease(changelog, "1.3.0", new Date("2026-02-28T12:00:00Z"));
    expect(released).toBe(changelog.replace("## Unreleased", "## Unreleased\n\n## 1.3.0 - 2026-02-28"));
    expect(releaseNotes(released, "1.3.0")).toBe("### Fixed\n\n- next\n");
  });

  it("is not released twice, and not without changes", () => {
    const now = new Date();
    expect(() => withRelease(changelog, "1.2.0", now)).toThrow("CHANGELOG.md has the version 1.2.0 already.");
    const released = withRelease(changelog, "1.3.0", now);
    expect(() => withRelease(released, "1.4.0", now)).toThrow(
      "CHANGELOG.md has no changes below `## Unreleased`",
    );
  });

  it("of this repository has the form in which a release writes it", () => {
    expect(read("CHANGELOG.md")).toBe(formatted(read("CHANGELOG.md")));
    expect(releaseNotes(read("CHANGELOG.md"), version)).toMatch(/^### /);
  });
});

describe("a tag", () => {
  it("is refused with every reason at once", () => {
    expect(faultsOfTag("v1.2.3", "1.2.3", [])).toEqual([]);
    expect(faultsOfTag("v1.2.3-rc.1", "1.2.3", ["README.md"])).toEqual([
      "the tag is v1.2.3-rc.1, and package.json has the version 1.2.3",
      "v1.2.3-rc.1 is a prerelease",
      "README.md states that no version is released yet",
    ]);
  });

  it.each([
    { text: "> **No version is released yet.** Then", isBefore: true },
    { text: "No version\nis released yet, so\n", isBefore: true },
    { text: "# Before the first release, name a commit", isBefore: true },
    { text: "### Before the first release\n", isBefore: false },
  ])("$text is found on a page of before the release: $isBefore", ({ text, isBefore }) => {
    expect(isBeforeRelease(text)).toBe(isBefore);
  });

  it("is refused before anything is written, while the pages describe the time before the release", async () => {
    await expect(writeRelease({ out: folder, tag: "v0.0.0-rc.1" })).rejects.toThrow(
      "v0.0.0-rc.1 is a prerelease",
    );
    expect(readdirSync(folder)).toEqual([]);
    const isReleased = /^## \d/m.test(read("CHANGELOG.md"));
    expect(await filesBeforeRelease()).toEqual(
      isReleased ? [] : expect.arrayContaining(["README.md", "docs/install.md"]),
    );
  });
});

it("a release is not made in a folder that holds other files", async () => {
  writeFileSync(join(folder, "SHA256SUMS"), "");
  await expect(writeRelease({ out: folder })).rejects.toThrow("is not empty");
});
