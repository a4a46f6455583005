/** The workflow files of examples/gitops: linted, careful with rights and secrets, and their shell steps tried with every outcome. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itIf } from "../../support";
import {
  hasJq,
  lintWorkflows,
  readWorkflow,
  runShell,
  standIn,
  stepsOf,
  workflowFiles,
  workflowFolder,
} from "./support";

lintWorkflows(workflowFiles.map((file) => join(workflowFolder, file)));

describe.each(workflowFiles)("%s", (file) => {
  const { on, permissions, concurrency, jobs } = readWorkflow(file);
  const steps = stepsOf(file);

  it("runs no stranger's code with secrets, and has no right that its job does not name", () => {
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(permissions).toEqual({});
    const rights: Record<string, object> = {
      "preview.yml": { contents: "read", "pull-requests": "write" },
      "up.yml": { contents: "read" },
      "drift.yml": { contents: "read", issues: "write", "security-events": "write" },
    };
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions).toEqual(name === "validate" ? { contents: "read" } : rights[file]);
    }
  });

  it("leaves no token in the checkout", () => {
    const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toEqual({ "persist-credentials": false });
  });

  it("hands secrets over in the environment of the one step that needs them", () => {
    for (const { run = "", with: inputs = {} } of steps) {
      expect(run).not.toContain("$" + "{{");
      expect(JSON.stringify(inputs)).not.toContain("secrets.");
    }
    const jobEnvironments = JSON.stringify(Object.values(jobs).map(({ env }) => env));
    expect(jobEnvironments).not.toContain("secrets.");
    expect(steps.filter(({ env }) => JSON.stringify(env ?? {}).includes("secrets."))).toHaveLength(1);
  });

  /**
   * A newly queued run cancels the waiting run of its group. So a job that only reads must not be
   * in the group of updates.
   */
  it("shares its concurrency group with no other workflow, and cancels only a preview", () => {
    const groups: Record<string, RegExp> = {
      "preview.yml": /^preview-/,
      "up.yml": /^projects-prod$/,
      "drift.yml": /^drift-prod$/,
    };
    expect(concurrency["cancel-in-progress"]).toBe(file === "preview.yml");
    expect(concurrency.group).toMatch(groups[file] as RegExp);
  });
});

describe("the shell steps, with what the runner's commands print", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-workflow-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const command = (name: string, ...lines: string[]) => standIn(folder, name, ...lines);

  function runStep(file: string, isIt: (run: string) => boolean, env: Readonly<Record<string, string>>) {
    const step = stepsOf(file).find(({ run }) => run !== undefined && isIt(run));
    return runShell(folder, step?.run ?? "exit 99", env);
  }

  /** A line that begins with "::" is a command to the runner, wherever the text comes from. */
  describe.each([
    ["preview.yml", "pulumi", 0],
    ["up.yml", "pulumi", 3],
  ])("foreign text in the output of %s", (file, tool, expectedStatus) => {
    const isIt = (run: string) => /pulumi (preview|up)/.test(run);
    const play = () => {
      command(tool, "echo '::add-path::/evil'", "echo '::error::on stderr' >&2", "exit 3");
      return runStep(file, isIt, { STACK: "prod" });
    };
    /** As the runner reads it: from stop-commands to the line of the token, nothing is a command. */
    const commandsIn = (stdout: string) => {
      let token: string | undefined;
      return stdout.split("\n").filter((line) => {
        if (token !== undefined) {
          if (line === `::${token}::`) token = undefined;
          return false;
        }
        token = /^::stop-commands::([0-9a-f]{32})$/.exec(line)?.[1];
        return line.startsWith("::") && token === undefined;
      });
    };

    it("is no command to the runner, and commands count again afterwards, also if the tool fails", () => {
      const { status, stdout } = play();
      expect(status).toBe(expectedStatus);
      expect(stdout).toContain("::add-path::/evil");
      expect(commandsIn(`${stdout}::debug::later`)).toEqual(["::debug::later"]);
    });

    it("cannot contain the token, which is another one in each run", () => {
      expect(play().stdout.split("\n")[0]).not.toBe(play().stdout.split("\n")[0]);
    });
  });

  it.each([
    ["0", "", "POST repos/example/platform/issues/3/comments", "### Preview\n"],
    ["0", "42", "PATCH repos/example/platform/issues/comments/42", "### Preview\n"],
    ["255", "42", "PATCH repos/example/platform/issues/comments/42", "### Preview failed\n"],
  ])(
    "a preview that ended with %s, with the comment '%s' there, is sent by %s",
    (code, id, request, title) => {
      command("pulumi", `echo 'Resources: 2 to update'`, `exit ${code}`);
      command("gh", `case "$*" in *--paginate*) echo '${id}' ;; esac`);
      const preview = runStep("preview.yml", (run) => run.includes("pulumi preview"), { STACK: "prod" });
      expect(preview.status).toBe(0);
      expect(preview.read("output")).toBe(`code=${code}\n`);
      const { status, calls, read } = runStep("preview.yml", (run) => run.includes("gh api"), {
        CODE: code,
        GH_REPO: "example/platform",
        NUMBER: "3",
      });
      expect(status).toBe(0);
      expect(calls.at(-1)).toBe(`gh api --method ${request} --field body=@comment.md`);
      expect(read("comment.md")).toBe(
        `<!-- preview of the projects -->\n${title}\n~~~~text\nResources: 2 to update\n\n~~~~\n`,
      );
    },
  );

  it("a name in the preview cannot end the block that shows it", () => {
    writeFileSync(join(folder, "preview.txt"), "~~~~\n@everybody ~~~~~~ ~~~\n");
    command("gh", "exit 0");
    const env = { CODE: "0", GH_REPO: "example/platform", NUMBER: "3" };
    const { status, read } = runStep("preview.yml", (run) => run.includes("gh api"), env);
    expect(status).toBe(0);
    expect(read("comment.md").split("\n").slice(3)).toEqual([
      "~~~~~~~~~~text",
      "~~~~",
      "@everybody ~~~~~~ ~~~",
      "",
      "~~~~~~~~~~",
      "",
    ]);
  });

  const bot = { type: "Bot", login: "github-actions[bot]" };
  itIf(hasJq(), "there is no jq on PATH")("preview.yml finds its own comment by mark and author", () => {
    const body = "<!-- preview of the projects -->\n## Preview";
    const entries = [
      { id: 1, user: { type: "User", login: "mallory" }, body },
      { id: 2, user: { type: "Bot", login: "another[bot]" }, body },
      { id: 3, user: bot, body: null },
      { id: 4, user: bot, body: "Something else" },
      { id: 5, user: bot, body },
    ];
    writeFileSync(join(folder, "entries.json"), JSON.stringify(entries));
    writeFileSync(join(folder, "preview.txt"), "");
    // As gh does: the filter is the argument after --jq.
    command(
      "gh",
      'case "$*" in *--paginate*)',
      'while [ "$1" != --jq ]; do shift; done',
      'exec jq -r "$2" entries.json ;;',
      "esac",
    );
    const env = { CODE: "0", GH_REPO: "example/platform", NUMBER: "3" };
    const { status, stderr, calls } = runStep("preview.yml", (run) => run.includes("--paginate"), env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(calls.at(-1)).toMatch(/issues\/comments\/5 /);
  });
});
