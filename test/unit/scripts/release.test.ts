import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOfHeading, formatted, releaseNotes, withRelease } from "../../../scripts/lib/changelog.mts";
import { run } from "../../../scripts/lib/run.mjs";
import { faultsOfTag } from "../../../scripts/release.mts";
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

describe("the version of package.json", () => {
  it.each([
    ["package-lock.json", /^ {2}"version": "(.+)"/gm, 1],
    ["package-lock.json", /^ {4}"": \{\n {6}"name": ".+",\n {6}"version": "(.+)"/gm, 1],
    ["sdk/nodejs/package.json", /"version": "(.+)"/g, 1],
    ["sdk/python/pyproject.toml", /^ {2}version = "(.+)"/gm, 1],
    ["sdk/python/pulumi_opsmanager/pulumi-plugin.json", /"version": "(.+)"/g, 1],
    ["sdk/go/opsmanager/pulumi-plugin.json", /"version": "(.+)"/g, 1],
    ["sdk/go/opsmanager/internal/pulumiUtilities.go", /MustParse\("(.+)"\)/g, 2],
    ["sdk/dotnet/version.txt", /^(.+)$/gm, 1],
    ["sdk/java/build.gradle", /\? "(\d.+)"/g, 1],
  ] as const)("is that of %s, which npm and the generators write (%s)", (file, pattern, atLeast) => {
    const found = [...read(file).matchAll(pattern)].map(([, text]) => text);
    expect(found.length).toBeGreaterThanOrEqual(atLeast);
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

describe("a new version in a text", () => {
  it("replaces the whole version only", () => {
    expect(withVersion("v1.2.3, a-1.2.3.tgz, 11.2.3, 1.2.30 and 1.2.3.4", "1.2.3", "2.0.0")).toBe(
      "v2.0.0, a-2.0.0.tgz, 11.2.3, 1.2.30 and 1.2.3.4",
    );
  });
});

describe("the changelog", () => {
  const changelog = [
    "# Changelog",
    "",
    "For people.",
    "",
    "## Unreleased",
    "",
    "### Fixed",
    "",
    "- next",
    "",
    "## 1.2.0 - 2026-01-31",
    "",
    "### Added",
    "",
    "- this",
    "",
    "## 1.1.0 - 2026-01-01",
    "",
    "### Changed",
    "",
    "- before",
    "",
  ].join("\n");

  it("has the notes of a release below its version", () => {
    expect(releaseNotes(changelog, "1.2.0")).toBe("### Added\n\n- this\n");
    expect(releaseNotes(changelog, "1.1.0")).toBe("### Changed\n\n- before\n");
  });

  it("has them below Unreleased while the version has no tag", () => {
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
    ["> **No version is released yet.** Then", true],
    ["No version\nis released yet, so\n", true],
    ["# Before the first release, name a commit", true],
    ["### Before the first release\n", false],
  ])("%j is found on a page of before the release: %s", (text, expected) => {
    expect(isBeforeRelease(text)).toBe(expected);
  });

  it("is refused while the pages about the installation describe the time before the release", async () => {
    const isReleased = /^## \d/m.test(read("CHANGELOG.md"));
    const found = await filesBeforeRelease();
    if (isReleased) expect(found).toEqual([]);
    else
      expect(found).toEqual([
        "README.md",
        "docs/drift-ci.md",
        "docs/install.md",
        "examples/gitops-sharded/.github/workflows/drift.yml",
        "examples/gitops-sharded/.gitlab-ci.yml",
        "examples/gitops/.github/workflows/drift.yml",
        "examples/gitops/.gitlab-ci.yml",
      ]);
  });
});
