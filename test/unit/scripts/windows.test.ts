/** What decides whether the repository and its plugin work on Windows, as far as text and names show it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../support/repository";
import { describeIf } from "../../support/skip";

const isClone = existsSync(join(repositoryRoot, ".git"));

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8", maxBuffer: 1e8 })
    .split("\0")
    .filter(Boolean);

/** Documented by Microsoft in "Naming Files, Paths, and Namespaces"; an extension does not help. */
const device = /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\..*)?$/i;

describe("the launcher for Windows", () => {
  const text = readFileSync(join(repositoryRoot, "pulumi-resource-opsmanager.cmd"), "latin1");
  const lines = text.split("\r\n");

  it("has the line ends of Windows, and ASCII characters only", () => {
    expect(lines.at(-1)).toBe("");
    expect(lines.join("")).toMatch(/^[\x20-\x7e]+$/);
  });

  // cmd.exe replaces %~dp0 once and does not read the result again. So a percent sign in the path of the folder stays, and
  // the quotation marks keep spaces and ampersands. An exclamation mark stays because delayed expansion is off.
  it("starts the file of the launcher for other systems, quotes its folder, and passes all arguments on", () => {
    expect(lines).toContain('node "%~dp0pulumi-resource-opsmanager" %*');
    expect(lines).toContain("setlocal DisableDelayedExpansion");
    expect(text.replace('"%~dp0pulumi-resource-opsmanager" %*', "")).not.toContain("%");
    // The exit code of a batch file is that of its last command.
    expect(lines.filter((line) => line !== "").at(-1)).toMatch(/^node /);
  });
});

describeIf(isClone, "this is no clone of Git")("the files of the repository", () => {
  const files = isClone ? git("ls-files", "-z") : [];

  it("have names that Windows accepts", () => {
    const parts = (file: string) => file.split("/");
    const refused = files.filter((file) =>
      parts(file).some((name) => device.test(name) || /[<>:"|?*\\]|[. ]$/.test(name)),
    );
    expect(refused).toEqual([]);
  });

  it("have names that differ in more than case, and paths that leave room for the folder of the clone", () => {
    const lower = files.map((file) => file.toLowerCase());
    expect(lower.filter((file, index) => lower.indexOf(file) !== index)).toEqual([]);
    expect(files.filter((file) => file.length > 160)).toEqual([]);
  });

  it("have one line end, in Git and in a clone", () => {
    const wrong = git("ls-files", "--eol", "-z").filter((line) => {
      const [facts = "", file = ""] = line.split("\t");
      if (facts.includes("i/-text")) return false;
      const inClone = file.endsWith(".cmd") ? "crlf" : "lf";
      return !new RegExp(`^i/(lf|none) +w/(${inClone}|none) `).test(facts);
    });
    expect(wrong).toEqual([]);
  });
});
