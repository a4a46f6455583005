import { readFileSync } from "node:fs";
import { join } from "node:path";
import { releaseNotes } from "../../../scripts/lib/release-notes.mjs";
import { repositoryRoot } from "../../support/repository";

const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
const { version } = JSON.parse(read("package.json"));

describe("the version of package.json", () => {
  /** `npm version` writes package-lock.json, and `npm run generate` the SDKs; the others are written by a person. */
  it.each([
    ["package-lock.json", /^ {2}"version": "(.+)"/gm, 1],
    ["package-lock.json", /^ {4}"": \{\n {6}"name": ".+",\n {6}"version": "(.+)"/gm, 1],
    ["sdk/nodejs/package.json", /"version": "(.+)"/g, 1],
    ["sdk/python/pyproject.toml", /^ {2}version = "(.+)"/gm, 1],
    ["sdk/python/pulumi_opsmanager/pulumi-plugin.json", /"version": "(.+)"/g, 1],
    ["sdk/go/opsmanager/pulumi-plugin.json", /"version": "(.+)"/g, 1],
    ["sdk/go/opsmanager/internal/pulumiUtilities.go", /MustParse\("(.+)"\)/g, 2],
    ["test/engine/packaging/programs/go/go.mod", /sdk\/go\/opsmanager v(\S+)/g, 1],
    ["test/engine/sdks/programs/go/go.mod", /sdk\/go\/opsmanager v(\S+)/g, 1],
    ["test/engine/sdks/programs/go-types/go.mod", /sdk\/go\/opsmanager v(\S+)/g, 1],
    ["README.md", /pulumi-opsmanager-(\d.+)\.tgz/g, 1],
    ["docs/get-started.md", /pulumi-opsmanager-(\d.+)\.tgz/g, 1],
    ["docs/install.md", /pulumi-opsmanager-(\d.+)\.tgz/g, 2],
    ["docs/install.md", /pulumi-resource-opsmanager-v(\d+\.\d+\.\d+)-linux/g, 2],
    ["docs/install.md", /opsmanager[ @](\d+\.\d+\.\d+)/g, 2],
    ["examples/README.md", /pulumi-opsmanager-(\d.+)\.tgz/g, 1],
    ["examples/gitops/README.md", /pulumi-opsmanager-(\d.+)\.tgz/g, 1],
    ...["gitops", "gitops-sharded", "minimal", "offboarding", "quickstart", "quickstart-dynamic", "team"].map(
      (name) => [`examples/${name}/package.json`, /pulumi-opsmanager-(\d.+)\.tgz/g, 1] as const,
    ),
  ] as const)("is that of %s (%s)", (file, pattern, atLeast) => {
    const found = [...read(file).matchAll(pattern)].map(([, text]) => text);
    expect(found.length).toBeGreaterThanOrEqual(atLeast);
    expect([...new Set(found)]).toEqual([version]);
  });
});

describe("the notes of a release", () => {
  const changelog = [
    "# Changelog",
    "",
    "## Unreleased",
    "",
    "- next",
    "",
    "## 1.2.0 (2026-01-31)",
    "",
    "### Added",
    "",
    "- this",
    "",
    "## 1.1.0",
    "",
    "- before",
    "",
  ].join("\n");

  it("are the chapter of the version", () => {
    expect(releaseNotes(changelog, "1.2.0", { isTagged: true })).toBe("### Added\n\n- this\n");
    expect(releaseNotes(changelog, "1.1.0", { isTagged: true })).toBe("- before\n");
  });

  it("are what is unreleased while the version has no tag", () => {
    expect(releaseNotes(changelog, "1.3.0")).toBe("- next\n");
  });

  it("must exist for a tag, and `1.2` is not `1.2.0`", () => {
    for (const missing of ["1.3.0", "1.2", "Unreleased-1"])
      expect(() => releaseNotes(changelog, missing, { isTagged: true })).toThrow(
        `CHANGELOG.md has no heading \`## ${missing}\``,
      );
  });

  it("are found in the changelog of this repository", () => {
    expect(releaseNotes(read("CHANGELOG.md"), version)).toMatch(/^#{3} |^- /);
  });
});
