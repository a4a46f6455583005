/** The workflow files of examples/gitops: linted, careful with rights and secrets, and their shell steps tried with every outcome. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describeIf, itIf } from "../../support";
import {
  actionlint,
  hasJq,
  hasShellcheck,
  readWorkflow,
  stepsOf,
  workflowFiles,
  workflowFolder,
} from "./support";

const linter = actionlint();
const lint = (...flags: string[]) => {
  const files = workflowFiles.map((file) => join(workflowFolder, file));
  const { status, stdout, stderr } = spawnSync(
    "path" in linter ? linter.path : "",
    ["-no-color", "-pyflakes=", ...flags, ...files],
    { encoding: "utf8" },
  );
  return { status, output: stdout + stderr };
};

describeIf("path" in linter, `no actionlint: ${"missing" in linter ? linter.missing : ""}`)(
  "a linter",
  () => {
    it("finds no fault in the workflow files", () => {
      expect(lint("-shellcheck=")).toEqual({ status: 0, output: "" });
    });

    itIf(hasShellcheck(), "there is no shellcheck on PATH")("finds no fault in their shell steps", () => {
      expect(lint("-shellcheck=shellcheck")).toEqual({ status: 0, output: "" });
    });
  },
);

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
    for (const job of Object.values(jobs)) expect(job.permissions).toEqual(rights[file]);
  });

  it("names each action with its whole version, and leaves no token in the checkout", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(2);
    for (const action of used) expect(action).toMatch(/^[\w./-]+@v\d+\.\d+\.\d+$/);
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

  /** A newly queued run cancels the one that waits in its group, so a job that only reads must not be in the group of updates. */
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

describe("the shell steps, with what the runner's commands answer", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-workflow-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A command on PATH that notes how it was called, and then does as the lines specify. */
  function command(name: string, ...lines: string[]): void {
    const path = join(folder, name);
    writeFileSync(path, ["#!/bin/sh", `echo "${name} $*" >>"$CALLS"`, ...lines, ""].join("\n"));
    chmodSync(path, 0o755);
  }

  /** As GitHub runs it: a file, `bash -e`. */
  function runStep(file: string, isIt: (run: string) => boolean, env: Readonly<Record<string, string>>) {
    const script = join(folder, "step.sh");
    writeFileSync(script, stepsOf(file).find(({ run }) => run !== undefined && isIt(run))?.run ?? "exit 99");
    const at = (name: string) => join(folder, name);
    const { status, stdout, stderr } = spawnSync("bash", ["-e", script], {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: [folder, process.env.PATH].join(delimiter),
        CALLS: at("calls"),
        GITHUB_OUTPUT: at("output"),
        GITHUB_STEP_SUMMARY: at("summary"),
        ...env,
      },
    });
    const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : "");
    const calls = read("calls").split("\n").filter(Boolean);
    return { status, stdout, stderr, calls, read };
  }

  it.each([0, 1, 2])("drift that ends with %d is noted, and does not end the job there", (code) => {
    command("npx", "echo '# report' >drift.md", `exit ${code}`);
    const { status, calls, read } = runStep("drift.yml", (run) => run.includes("opsmanager drift"), {
      STACK: "prod",
    });
    expect(status).toBe(0);
    expect(read("output")).toBe(`code=${code}\n`);
    expect(read("summary")).toBe("# report\n");
    expect(calls).toEqual([
      "npx --no-install opsmanager drift --stack prod --unmanaged --format text --format sarif=drift.sarif --format markdown=drift.md",
    ]);
  });

  /** A line that begins with "::" is a command to the runner, wherever the text comes from. */
  describe.each([
    ["drift.yml", "npx", 0],
    ["preview.yml", "pulumi", 0],
    ["up.yml", "pulumi", 3],
  ])("foreign text in the output of %s", (file, tool, expectedStatus) => {
    const isIt = (run: string) => /opsmanager drift|pulumi (preview|up)/.test(run);
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

  /** Code scanning closes each result that the newest upload lacks, also one that merely could not be read. */
  it("hands over results for code scanning only where the question was answered", () => {
    const upload = stepsOf("drift.yml").find(({ uses }) => uses?.includes("upload-sarif"));
    expect(upload?.if).toBe("$" + "{{ steps.drift.outputs.code == '0' || steps.drift.outputs.code == '2' }}");
  });

  const edit = "gh issue edit 7 --body-file drift.md";
  const create = "gh issue create --title The projects differ from Git --label drift --body-file drift.md";
  const close = "gh issue close 7 --comment No drift: https://example.com/run";
  const comment = "gh issue comment 7 --body Could not be determined this time: https://example.com/run";
  it.each([
    ["0", "7", [close]],
    ["0", "", []],
    ["2", "7", [edit]],
    ["2", "", [create]],
    ["1", "7", [comment]],
    ["1", "", []],
  ])("after drift that ended with %s, with the open issue '%s': %j", (code, open, expected) => {
    command("gh", `case "$*" in *--paginate*) echo '${open}' ;; esac`);
    const { status, calls } = runStep("drift.yml", (run) => run.includes("gh issue"), {
      CODE: code,
      GH_REPO: "example/platform",
      RUN_URL: "https://example.com/run",
    });
    expect(status).toBe(0);
    const [label, list, ...others] = calls.filter((line) => line.startsWith("gh "));
    expect(label).toBe(
      "gh label create drift --color D93F0B --description The projects differ from Git --force",
    );
    expect(list).toMatch(
      /^gh api --paginate repos\/example\/platform\/issues\?labels=drift&state=open --jq /,
    );
    expect(others).toEqual(expected);
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
  const mark = {
    "drift.yml": "<!-- opsmanager drift -->",
    "preview.yml": "<!-- preview of the projects -->",
  };
  for (const file of ["drift.yml", "preview.yml"] as const) {
    itIf(hasJq(), "there is no jq on PATH")(
      `${file} finds its own issue or comment by mark and author`,
      () => {
        const body = `${mark[file]}\n## Drift`;
        const entries = [
          { id: 1, number: 1, user: { type: "User", login: "mallory" }, body },
          { id: 2, number: 2, user: { type: "Bot", login: "another[bot]" }, body },
          { id: 3, number: 3, user: bot, body: null },
          { id: 4, number: 4, user: bot, body: "Something else" },
          { id: 5, number: 5, user: bot, body },
        ];
        writeFileSync(join(folder, "entries.json"), JSON.stringify(entries));
        writeFileSync(join(folder, "drift.md"), body);
        writeFileSync(join(folder, "preview.txt"), "");
        // As gh does: the filter is the argument after --jq.
        command(
          "gh",
          'case "$*" in *--paginate*)',
          'while [ "$1" != --jq ]; do shift; done',
          'exec jq -r "$2" entries.json ;;',
          "esac",
        );
        const { status, stderr, calls } = runStep(file, (run) => run.includes("--paginate"), {
          CODE: file === "drift.yml" ? "2" : "0",
          GH_REPO: "example/platform",
          NUMBER: "3",
          RUN_URL: "https://example.com/run",
        });
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        expect(calls.at(-1)).toMatch(file === "drift.yml" ? /^gh issue edit 5 / : /issues\/comments\/5 /);
      },
    );
  }
});
