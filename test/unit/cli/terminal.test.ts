import { run } from "../../../cli";
import { printMessage, type Terminal, withoutCiCommands } from "../../../cli/lib/terminal";
import { finding, formatted, report } from "./drift/reports";

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
  { env: github, output: "::stop-commands::token", printed: "\\u003a:stop-commands::token" },
  { env: github, output: "a\n  ::error file=x::b\n", printed: "a\n  \\u003a:error file=x::b\n" },
  { env: github, output: "\u001b[1m\u001b[31m::error::b", printed: "\u001b[1m\u001b[31m\\u003a:error::b" },
  { env: github, output: ":::error::b", printed: "\\u003a::error::b" },
  { env: github, output: "\u0085::error::b", printed: "\u0085\\u003a:error::b" },
  {
    env: github,
    output: "tag ##[add-mask]a ##[group]",
    printed: "tag ##\\u005badd-mask]a ##\\u005bgroup]",
  },
  {
    env: azure,
    output: "tag ##vso[task.setvariable variable=A]b ##[error]c",
    printed: "tag ##vso\\u005btask.setvariable variable=A]b ##\\u005berror]c",
  },
  {
    env: gitlab,
    output: "\u001b[0Ksection_start:1:x\r\u001b[0K",
    printed: "\u001b[0Ksection_start\\u003a1:x\r\u001b[0K",
  },
  { env: gitlab, output: "section_end:1:x", printed: "section_end\\u003a1:x" },
])("in a job of $env the output $output is $printed", ({ env, output, printed }) => {
  expect(printedIn(env, output)).toBe(printed);
});

it("leaves an output without commands as it is, colors included, and any output outside of CI", () => {
  const output = "\u001b[1murn:pulumi:prod::platform::a\u001b[22m # [x] ## [y] section\n";
  for (const env of [github, azure, gitlab]) expect(printedIn(env, output)).toBe(output);
  expect(printedIn({}, "::error::a ##[b] ##vso[c] section_start:1:d")).toBe(
    "::error::a ##[b] ##vso[c] section_start:1:d",
  );
});

it("a report for people holds no command, and one in JSON stays what it was", () => {
  const [sarif, text] = [formatted("sarif"), formatted("text")];
  const hostile = report({
    findings: [finding({ name: "::stop-commands::x" })],
    unreadable: [{ what: "##[add-mask]a", reason: "\n::error::b", stack: "prod" }],
  });
  expect(text(hostile)).toMatch(/^\s*::stop-commands::x/m);
  expect(printedIn(github, text(hostile, { hasColors: true }))).not.toMatch(/^\s*::|##\[/m);
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
