import { run } from "../../../cli";
import { printMessage, type Terminal, withoutCiCommands } from "../../../cli/lib/terminal";
import { finding, formatted, report } from "./drift/reports";

const [sarif, text] = [formatted("sarif"), formatted("text")];

function terminalIn(env: Terminal["env"]) {
  const written: string[] = [];
  const write = (chunk: string) => void written.push(chunk);
  const stop = new AbortController().signal;
  const common = { isWatched: false, hasColors: false, columns: 100, cwd: "/", stop };
  return { written, terminal: { ...common, env, stdout: write, stderr: write } };
}

function printedIn(env: Terminal["env"], output: string): string {
  const { written, terminal } = terminalIn(env);
  withoutCiCommands(terminal).stdout(output);
  return written.join("");
}

const github = { GITHUB_ACTIONS: "true" };
const azure = { TF_BUILD: "True" };
const gitlab = { GITLAB_CI: "true" };

it.each([
  [github, "::stop-commands::token", "\\u003a:stop-commands::token"],
  [github, "a\n  ::error file=x::b\n", "a\n  \\u003a:error file=x::b\n"],
  [github, "\u001b[1m\u001b[31m::error::b", "\u001b[1m\u001b[31m\\u003a:error::b"],
  [github, ":::error::b", "\\u003a::error::b"],
  [github, "\u0085::error::b", "\u0085\\u003a:error::b"],
  [github, "tag ##[add-mask]a ##[group]", "tag ##\\u005badd-mask]a ##\\u005bgroup]"],
  [
    azure,
    "tag ##vso[task.setvariable variable=A]b ##[error]c",
    "tag ##vso\\u005btask.setvariable variable=A]b ##\\u005berror]c",
  ],
  [gitlab, "\u001b[0Ksection_start:1:x\r\u001b[0K", "\u001b[0Ksection_start\\u003a1:x\r\u001b[0K"],
  [gitlab, "section_end:1:x", "section_end\\u003a1:x"],
])("in a job of %j the output %j is %j", (env, output, expected) => {
  expect(printedIn(env, output)).toBe(expected);
});

it("leaves an output without commands as it is, colors included, and any output outside of CI", () => {
  const output = "\u001b[1murn:pulumi:prod::platform::a\u001b[22m # [x] ## [y] section\n";
  for (const env of [github, azure, gitlab]) expect(printedIn(env, output)).toBe(output);
  expect(printedIn({}, "::error::a ##[b] ##vso[c] section_start:1:d")).toBe(
    "::error::a ##[b] ##vso[c] section_start:1:d",
  );
});

const hostile = report({
  findings: [finding({ name: "::stop-commands::x" })],
  unreadable: [{ what: "##[add-mask]a", reason: "\n::error::b", stack: "prod" }],
});

it("a report for people holds no command of GitHub Actions", () => {
  const printed = printedIn(github, text(hostile, { hasColors: true }));
  expect(text(hostile)).toMatch(/^\s*::stop-commands::x/m);
  expect(printed).toContain("stop-commands::x");
  expect(printed).not.toMatch(/^\s*::|##\[/m);
});

it("a report in JSON stays what it was", () => {
  const printed = printedIn(github, sarif(hostile));
  expect(printed).not.toBe(sarif(hostile));
  expect(JSON.parse(printed)).toEqual(JSON.parse(sarif(hostile)));
});

it("every command prints through it, also what was wrong with the command line", async () => {
  const { written, terminal } = terminalIn(github);
  await run(["drift", "--cwd", "##[group]x"], terminal);
  expect(written.join("")).toContain("##\\u005bgroup]x: there is no such folder.");
});

it("a message is one line in which nothing hides", () => {
  const { written, terminal } = terminalIn({});
  printMessage(terminal, "Project pay\nments\u001b[2J\u202e is left out.");
  expect(written).toEqual(["opsmanager: Project pay\\u000aments\\u001b[2J\\u202e is left out.\n"]);
});
