/** The workflows of this repository, beside the rules for all workflows in gitops/: exact actions. Their commands exist; their shell steps run here. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { run } from "../../scripts/lib/run.mjs";
import { itIf, repositoryRoot } from "../support";
import { hasJq, readAction, readWorkflow, runShell, standIn } from "./gitops/support";

interface Update {
  readonly "package-ecosystem": string;
  readonly directory?: string;
  readonly directories?: readonly string[];
}

const folder = join(repositoryRoot, ".github", "workflows");
const files = readdirSync(folder).sort();
const setUp = readAction(join(".github", "actions", "setup", "action.yml"));
const read = (file: string) => readWorkflow(join(".github", "workflows", file));
const jobsOf = (file: string) => Object.entries(read(file).jobs);
const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
const ci = read("ci.yml");

it("no shell step of the local action contains an expression", () => {
  for (const { run: script = "" } of setUp.runs.steps) expect(script).not.toContain("${{");
});

const pinned = /^([\w-]+\/[\w.-]+(?:\/[\w.-]+)*)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
/** Local actions, and this repository's own one in examples and documents. */
const own = /^(\.\/[\w./-]+|pulumi-opsmanager\/pulumi-opsmanager@v\d+\.\d+\.\d+)$/;

it("every action in a tracked file has the hash of a commit and its version, the same everywhere", async () => {
  const tracked = await run("git", ["ls-files", "*.yml", "*.yaml", "*.md"], { cwd: repositoryRoot });
  const versions = new Map<string, string>();
  for (const file of tracked.split("\n").filter(Boolean)) {
    const text = readFileSync(join(repositoryRoot, file), "utf8");
    for (const [, used = ""] of text.matchAll(/^[ -]*uses: *(.*)$/gm)) {
      if (own.test(used)) continue;
      const [, name = ""] = pinned.exec(used) ?? [];
      expect([file, used]).toEqual([file, expect.stringMatching(pinned)]);
      expect([file, versions.get(name) ?? used]).toEqual([file, used]);
      versions.set(name, used);
    }
  }
  expect([...versions.keys()]).toContain("github/codeql-action/upload-sarif");
  expect(versions.size).toBeGreaterThan(9);
});

describe.each(files)("%s", (file) => {
  it("limits the time of each job, and runs scripts of package.json and tests that exist", () => {
    for (const [, job] of jobsOf(file)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(120);
    const commands = jobsOf(file)
      .flatMap(([, { steps }]) => steps)
      .flatMap(({ run: script = "" }) => [...script.matchAll(/npm (run )?([\w:]+)(?: -- ([^\n-][^\n]*))?/g)]);
    for (const [, isScript, name = "", paths = ""] of commands) {
      if (isScript !== undefined || name === "test") expect(Object.keys(manifest.scripts)).toContain(name);
      for (const path of name === "test" ? paths.split(" ").filter(Boolean) : []) {
        const parent = path.slice(0, path.lastIndexOf("/"));
        const last = path.slice(path.lastIndexOf("/") + 1);
        expect(
          readdirSync(join(repositoryRoot, parent)).filter((entry) => entry.startsWith(last)),
        ).not.toEqual([]);
      }
    }
  });
});

it("the tests run on the oldest Node.js and the oldest Pulumi that are supported", () => {
  const [node, pulumi] = ["test", "official-pulumi"].map((name) => ci.jobs[name]?.strategy?.matrix);
  expect(node?.node?.[0]).toBe(manifest.engines.node.replace(">=", ""));
  const install = readFileSync(join(repositoryRoot, "docs", "install.md"), "utf8");
  expect(pulumi?.pulumi?.[0]).toBe(`${/Pulumi (\d+\.\d+) or newer/.exec(install)?.[1]}.0`);
  const engine = readFileSync(join(repositoryRoot, "test", "engine", "go.mod"), "utf8");
  expect(pulumi?.pulumi?.[1]).toBe(/pulumi\/pkg\/v3 v(\S+)/.exec(engine)?.[1]);
});

/** Folders whose versions no update changes, each with its reason. */
const withoutUpdates: Readonly<Record<string, string>> = {
  "gomod /test/engine/language-hosts": "version 3.66 is the newest that contains all three (test/README.md)",
  "gomod /sdk/go/opsmanager": "generated: the generator chooses the versions",
  "gomod /test/engine/sdks/programs/go": "uses the SDK and its versions",
};

it("dependency updates know every folder with versions", async () => {
  const { updates } = parse(readFileSync(join(repositoryRoot, ".github", "dependabot.yml"), "utf8"));
  const updated = (updates as readonly Update[]).flatMap(
    ({ "package-ecosystem": ecosystem, directory, directories }) =>
      (directories ?? [directory ?? ""]).map((path) => `${ecosystem} ${path}`),
  );
  const tracked = (await run("git", ["ls-files"], { cwd: repositoryRoot })).split("\n");
  const versioned = tracked.flatMap((file) => {
    const [, folder = "", name = ""] = /^(?:(.*)\/)?([^/]+)$/.exec(file) ?? [];
    const root = folder.replace(/(^|\/)\.github\/workflows$/, "");
    const ecosystem = {
      "package-lock.json": "npm",
      "go.mod": "gomod",
      "requirements.txt": "pip",
      Dockerfile: "docker",
      "action.yml": "github-actions",
    }[name];
    if (root !== folder) return [`github-actions /${root}`];
    return ecosystem === undefined ? [] : [`${ecosystem} /${folder}`];
  });
  expect([...new Set(updated), ...Object.keys(withoutUpdates)].sort()).toEqual(
    [...new Set(versioned)].sort(),
  );
});

describe("the shell steps", () => {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), "opsmanager-workflows-"));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const command = (name: string, line: string) => standIn(scratch, name, line);

  function runStep(file: string, job: string, env: Readonly<Record<string, string>>) {
    const script = read(file).jobs[job]?.steps.find((step) => step.run !== undefined)?.run ?? "exit 99";
    const { status, calls } = runShell(scratch, script, {
      GITHUB_REF_NAME: "v1.2.3",
      GH_REPO: "o/r",
      ...env,
    });
    return { status, calls };
  }

  describe.each(["ci.yml", "weekly.yml"])("status of %s", (file) => {
    it("needs every other job, whatever their results", () => {
      const others = Object.keys(read(file).jobs).filter((name) => name !== "status");
      expect(read(file).jobs.status).toMatchObject({ needs: others, if: "${{ always() }}" });
    });

    itIf(hasJq(), "there is no jq on PATH")("succeeds only if all of them have", () => {
      const needs = (...results: string[]) => ({
        NEEDS: JSON.stringify(
          Object.fromEntries(results.map((result, index) => [`job${index}`, { result }])),
        ),
      });
      expect(runStep(file, "status", needs("success", "success")).status).toBe(0);
      for (const result of ["failure", "cancelled", "skipped"])
        expect(runStep(file, "status", needs("success", result)).status).not.toBe(0);
    });
  });

  it.each([
    ["0", 1],
    ["1", 0],
    ["", 1],
  ])("a commit of main with %j successful runs of ci.yml ends with %i", (count, expected) => {
    command("gh", count === "" ? "exit 1" : `echo ${count}`);
    const { status, calls } = runStep("release.yml", "tested", { GITHUB_SHA: "abc" });
    expect(status).toBe(expected);
    expect(calls).toEqual([
      "gh api repos/o/r/actions/workflows/ci.yml/runs?branch=main&event=push&status=success&head_sha=abc --jq .total_count",
    ]);
  });

  it("release.yml builds nothing before", () => {
    expect(read("release.yml").jobs.build).toMatchObject({ needs: "tested" });
  });

  it("npm publishes the package once", () => {
    command("npm", 'test "$1" != view');
    const publish = "npm publish ./release/pulumi-opsmanager-1.2.3.tgz --access public --provenance";
    const view = "npm view pulumi-opsmanager@1.2.3 version";
    expect(runStep("release.yml", "npm", {})).toEqual({ status: 0, calls: [view, publish] });
    rmSync(join(scratch, "calls"));
    command("npm", "exit 0");
    expect(runStep("release.yml", "npm", {})).toEqual({ status: 0, calls: [view] });
  });

  it("the draft has each file but the notes and the folder of the Go module", () => {
    mkdirSync(join(scratch, "release", "goproxy"), { recursive: true });
    for (const name of ["SHA256SUMS", "release-notes.md", "a.tgz", "goproxy/list"])
      writeFileSync(join(scratch, "release", name), "");
    command("gh", 'test "$2" != view');
    const { status, calls } = runStep("release.yml", "draft", {});
    expect(status).toBe(0);
    expect(calls.slice(0, 2)).toEqual([
      "gh release view v1.2.3",
      "gh release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file release/release-notes.md",
    ]);
    expect(calls[2]?.split(" ").sort()).toEqual(
      ["gh", "release", "upload", "v1.2.3", "--clobber", "release/SHA256SUMS", "release/a.tgz"].sort(),
    );
    expect(calls).toHaveLength(3);
  });

  it("the tag of the Go module is made once, and then the draft becomes the release", () => {
    command("gh", 'case "$2" in */ref/tags/*) exit 1 ;; esac');
    const env = { GITHUB_SHA: "abc" };
    const edit = "gh release edit v1.2.3 --draft=false";
    const readTag = "gh api repos/o/r/git/ref/tags/sdk/go/opsmanager/v1.2.3";
    expect(runStep("release.yml", "publish", env)).toEqual({
      status: 0,
      calls: [
        readTag,
        "gh api repos/o/r/git/refs --raw-field ref=refs/tags/sdk/go/opsmanager/v1.2.3 --raw-field sha=abc",
        edit,
      ],
    });
    rmSync(join(scratch, "calls"));
    command("gh", "exit 0");
    expect(runStep("release.yml", "publish", env)).toEqual({ status: 0, calls: [readTag, edit] });
  });
});
