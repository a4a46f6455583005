/** The GitHub Action, the GitLab template, and their scripts against a stand-in for the API of either forge. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orderedSources } from "../../../provider/settings/sources";
import { repositoryRoot } from "../../support";
import { finding, formatted, report } from "../../unit/cli/drift/reports";
import { type ForgeResponses, startForgeApi } from "./forge-api";
import { readAction, readTemplate, runShell, standIn, stepsOf, templateJob } from "./support";

const action = readAction();
const { steps } = action.runs;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-action-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("no shell step contains an expression", () => {
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
  expect(JSON.stringify(readTemplate().script)).not.toContain("$[[");
});

it("the install command gets no variable that holds a key", () => {
  const install = steps.find(({ run }) => run?.includes("$INSTALL"))?.run ?? "";
  const ofTemplate = templateJob().script.find((line) => line.includes("DRIFT_INSTALL")) ?? "";
  const keys = orderedSources({ args: {}, env: {}, isDefaultProvider: true, directory: folder })
    .flatMap(({ variables: names }) => [
      names?.publicKey,
      names?.privateKey,
      names?.clientId,
      names?.clientSecret,
    ])
    .filter((name) => name !== undefined);
  expect(keys).toHaveLength(6);
  for (const name of [...keys, "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE_FILE"]) {
    expect([install, ofTemplate]).toEqual([
      expect.stringContaining(`-u ${name} `),
      expect.stringContaining(`-u ${name} `),
    ]);
  }
});

describe("the script of the template, as GitLab runs it", () => {
  const secrets = {
    OPSMANAGER_DRIFT_TOKEN: "token",
    OPSMANAGER_PRIVATE_KEY: "key",
    PULUMI_ACCESS_TOKEN: "pulumi",
  };
  const noteSecrets =
    'echo "$(basename "$PWD"): $OPSMANAGER_DRIFT_TOKEN $OPSMANAGER_PRIVATE_KEY $PULUMI_ACCESS_TOKEN" >>"$CALLS"';
  const runTemplate = (workingDirectory = "infra") => {
    const { script, variables } = templateJob({ "working-directory": workingDirectory });
    mkdirSync(join(folder, "infra"), { recursive: true });
    return runShell(folder, script.join("\n"), { ...variables, ...secrets }, "sh");
  };
  const programs = "node_modules/pulumi-opsmanager/action";

  it("gives each command the secrets that it needs, in the folder of the program", () => {
    for (const name of ["npm", "node"]) standIn(folder, name, noteSecrets);
    const { status, calls } = runTemplate();
    expect(status).toBe(0);
    expect(calls).toEqual([
      "npm ci",
      "infra:   ",
      `node ${programs}/run.mjs`,
      "infra:  key pulumi",
      `node ${programs}/publish.mjs`,
      "infra: token key pulumi",
    ]);
  });

  it("ends with the command that fails", () => {
    standIn(folder, "npm", "exit 3");
    standIn(folder, "node", "exit 4");
    expect(runTemplate()).toMatchObject({ status: 3, calls: ["npm ci"] });
    rmSync(join(folder, "calls"));
    standIn(folder, "npm");
    expect(runTemplate()).toMatchObject({ status: 4, calls: ["npm ci", `node ${programs}/run.mjs`] });
    rmSync(join(folder, "calls"));
    const { status, calls } = runTemplate("missing");
    expect({ isFailure: status !== 0, calls }).toEqual({ isFailure: true, calls: [] });
  });
});

it("each name that several runs could share contains the id, and the default names are those of drift", () => {
  const inputsOf = (action: string) => steps.find(({ uses }) => uses?.includes(action))?.with;
  expect(action.inputs.id?.default).toBe("drift");
  expect(action.inputs["sarif-category"]?.default).toBe("");
  expect(inputsOf("upload-sarif")?.category).toBe("${{ inputs.sarif-category || inputs.id }}");
  expect(inputsOf("upload-artifact")?.name).toBe("${{ inputs.id }}-report");
  const scripts = steps.filter(({ run }) => run?.includes("$GITHUB_ACTION_PATH"));
  expect(scripts.map(({ env }) => env?.OPSMANAGER_DRIFT_ID)).toEqual(Array(2).fill("${{ inputs.id }}"));
  for (const id of ["drift", "org-a"]) {
    const { variables, artifacts, cache } = templateJob(id === "drift" ? {} : { id });
    const reports = `${id}-reports`;
    expect(variables).toMatchObject({
      OPSMANAGER_DRIFT_ID: id,
      OPSMANAGER_DRIFT_REPORTS: `$CI_PROJECT_DIR/${reports}`,
    });
    expect(cache).toMatchObject({
      key: `opsmanager-drift-1-${id}-$CI_COMMIT_REF_SLUG`,
      paths: [`${id}-previous/`],
    });
    expect(variables.OPSMANAGER_DRIFT_PREVIOUS).toBe(`$CI_PROJECT_DIR/${id}-previous/drift.json`);
    const junit = `${reports}/drift.xml`;
    expect(artifacts).toMatchObject({ name: reports, paths: [`${reports}/`], reports: { junit } });
  }
});

it("the example gives inputs that the action has", () => {
  const inputs = stepsOf("drift.yml", "gitops").at(-1)?.with ?? {};
  expect(inputs).toMatchObject({ stacks: "prod", arguments: "--unmanaged", issue: true, sarif: true });
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

/** Code scanning closes each result that the newest upload lacks, also one that could not be read. */
it("results go to code scanning only if the comparison was complete", () => {
  const { if: condition } = steps.find(({ uses }) => uses?.includes("upload-sarif")) ?? {};
  expect(condition).toContain("== '0' || steps.drift.outputs.exit-code == '2')");
});

it("the last report is found by its id alone, and a pull request does not replace it", () => {
  const [restore, save] = ["restore", "save"].map((name) =>
    steps.find(({ uses }) => uses?.startsWith(`actions/cache/${name}@`)),
  );
  const prefix = "opsmanager-drift/1/${{ inputs.id }}/";
  expect(restore?.with?.["restore-keys"]).toBe(prefix);
  const { key, path } = restore?.with ?? {};
  expect(key).toBe(`${prefix}${"$"}{{ github.run_id }}-${"$"}{{ github.run_attempt }}`);
  expect(save?.with).toEqual({ key, path });
  const { env } = steps.find(({ run }) => run?.includes("run.mjs")) ?? {};
  expect(env?.OPSMANAGER_DRIFT_PREVIOUS).toBe(`${path}/drift.json`);
  expect(save?.if).toContain("github.event_name != 'pull_request'");
});

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** All of both. */
  readonly output: string;
}

function runScript(name: string, env: Readonly<Record<string, string>>, cwd = folder): Promise<Ended> {
  return new Promise((resolve) => {
    const home = join(folder, "pulumi-home");
    const own = { PATH: process.env.PATH, PULUMI_HOME: home, OPSMANAGER_DRIFT_REPORTS: folder, ...env };
    execFile(
      process.execPath,
      [join(repositoryRoot, "action", name)],
      { cwd, env: own },
      (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), stdout, stderr, output: stdout + stderr }),
    );
  });
}

describe("run.mjs", () => {
  const [orgId, projectId, teamId] = ["a", "b", "c"].map((digit) => digit.repeat(24)) as [
    string,
    string,
    string,
  ];
  const person = (status: "active" | "pending" | "indirect") => ({
    projectId,
    projectName: "payments",
    username: `${status}@example.com`,
    status,
    roles: [],
  });

  const installed = () => join(folder, "node_modules", "pulumi-opsmanager");

  /** Installs a package whose command notes its arguments, one on each line, and then runs the lines. */
  function command(code: number, ...lines: string[]): void {
    mkdirSync(join(installed(), "bin"), { recursive: true });
    const bin = { opsmanager: "bin/opsmanager.js" };
    writeFileSync(join(installed(), "package.json"), JSON.stringify({ name: "pulumi-opsmanager", bin }));
    const program = [
      'const fs = require("node:fs");',
      'fs.writeFileSync("calls", process.argv.slice(2).join("\\n"));',
      ...lines,
      `process.exitCode = ${code};`,
    ];
    writeFileSync(join(installed(), bin.opsmanager), program.join("\n"));
  }
  const read = (name: string) => (existsSync(join(folder, name)) ? textOfFile(name) : "");
  const textOfFile = (name: string) => readFileSync(join(folder, name), "utf8");
  const github = () => ({
    GITHUB_ACTIONS: "true",
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  });

  it.each([
    { ends: 0, code: 0, result: "clean" },
    { ends: 2, code: 2, result: "drift" },
    { ends: 139, code: 1, result: "unknown" },
  ])(
    "a command that ends with $ends gives the exit code $code and $result",
    async ({ ends, code, result }) => {
      command(ends, 'fs.writeFileSync("drift.md", "# report\\n");');
      const { status } = await runScript("run.mjs", github());
      expect(status).toBe(0);
      expect(read("output")).toBe(`exit-code=${code}\nresult=${result}\n`);
      expect(read("summary")).toBe("# report\n");
    },
  );

  it("counts what the report counts", async () => {
    const json = report({
      findings: [finding({}), finding({ name: "b", ignored: { reason: "known" } })],
      unreadable: [{ what: "people", reason: "The key lacks a role." }],
      unmanaged: {
        organizations: [],
        projects: [{ orgId, projectId, name: "ledger" }],
        people: [
          person("active"),
          person("indirect"),
          { ...person("pending"), ignored: { reason: "known" } },
        ],
        teams: [{ projectId, projectName: "payments", teamId, name: "readers", roles: [] }],
        mappings: [{ projectId, projectName: "payments", property: "idpGroupMappings", roles: [] }],
        owners: [{ orgId, username: "ada@example.com", status: "pending", roles: ["ORG_OWNER"] }],
        ownerKeys: [{ orgId, keyId: teamId, publicKey: "abcdefgh", name: "ci", roles: ["ORG_OWNER"] }],
        teamPeople: [{ orgId, teamId, teamName: "readers", username: "ada@example.com" }],
      },
    });
    writeFileSync(join(folder, "prepared.json"), JSON.stringify(json));
    command(1, 'fs.copyFileSync("prepared.json", "drift.json");');
    await runScript("run.mjs", github());
    expect(read("output")).toContain("differences=1\nundetermined=1\nunmanaged=7\n");
  });

  it("compares with the report of the last run, counts what is new, and replaces it", async () => {
    const previous = join(folder, "previous", "drift.json");
    const own = { ...github(), OPSMANAGER_DRIFT_PREVIOUS: previous };
    const [before, now] = ["2026-03-03T05:06:07.890Z", report().generatedAt];
    const entry = { kind: "changed", what: "a", fingerprint: "b", since: before } as const;
    const json = report({
      findings: [
        finding({ since: now }),
        finding({ since: before }),
        finding({ since: now, ignored: { reason: "known" } }),
      ],
      unreadable: [{ what: "people", reason: "The key lacks a role.", since: now }],
      previous: { generatedAt: before, resolved: [entry], notChecked: [] },
    });
    writeFileSync(join(folder, "prepared.json"), JSON.stringify(json));
    command(2, 'fs.copyFileSync("prepared.json", "drift.json");');
    await runScript("run.mjs", own);
    expect(read("calls").split("\n").slice(0, 3)).toEqual(["drift", "--previous", previous]);
    expect(read("output")).toContain("new=2\nresolved=1\n");
    expect(JSON.parse(read("previous/drift.json"))).toEqual(json);

    // A run without a report keeps the last one for the comparison, and publishes nothing of an earlier run.
    command(1);
    rmSync(join(folder, "summary"), { force: true });
    writeFileSync(join(folder, "drift.md"), "old");
    await runScript("run.mjs", own);
    expect(JSON.parse(read("previous/drift.json"))).toEqual(json);
    expect([read("summary"), existsSync(join(folder, "drift.md"))]).toEqual(["", false]);
  });

  it("without a package, runs the command of the newest plugin that pulumi has installed", async () => {
    for (const version of ["0.9.0", "0.10.0", "0.2.0"]) {
      const plugin = join(folder, "pulumi-home", "plugins", `resource-opsmanager-v${version}`, "dist", "cli");
      mkdirSync(plugin, { recursive: true });
      writeFileSync(join(plugin, "main.js"), `require("node:fs").writeFileSync("calls", "${version}");`);
    }
    mkdirSync(join(folder, "pulumi-home", "plugins", "resource-opsmanager-v0.11.0"), { recursive: true });
    await runScript("run.mjs", github());
    expect([read("calls"), read("output")]).toEqual(["0.10.0", "exit-code=0\nresult=clean\n"]);
  });

  it("gives arguments to the command without a shell", async () => {
    command(0);
    await runScript("run.mjs", {
      OPSMANAGER_DRIFT_STACKS: "prod $(touch${IFS}evil) ;touch",
      OPSMANAGER_DRIFT_ARGUMENTS: "--unmanaged `id`",
      OPSMANAGER_DRIFT_SARIF: "true",
    });
    expect(existsSync(join(folder, "evil"))).toBe(false);
    const expected =
      "drift --stack prod --stack $(touch${IFS}evil) --stack ;touch --unmanaged `id` --format text";
    expect(read("calls").split("\n").join(" ")).toContain(expected);
    expect(read("calls")).toContain(`sarif=${join(folder, "drift.sarif")}`);
    expect(read("calls")).not.toContain("html=");
  });

  /** A line that begins with "::" is a command to the runner, wherever the text comes from. */
  it("prevents text of the command from becoming a command of the runner", async () => {
    command(2, 'console.log("::add-path::/evil");', 'console.error("::error::on stderr");');
    const { stdout, stderr } = await runScript("run.mjs", github());
    const [first = "", ...lines] = stdout.trimEnd().split("\n");
    const [, token] = /^::stop-commands::([0-9a-f]{32})$/.exec(first) ?? [];
    expect(token).toBeDefined();
    expect(lines).toEqual(["::add-path::/evil", "::error::on stderr", `::${token}::`]);
    expect(stderr).toBe("");
    expect((await runScript("run.mjs", github())).output).not.toContain(token);
  });

  it.each([
    ["no package is", () => undefined],
    ["a package without the command is", () => command(0)],
  ])("%s installed: one error with the solution, and the result is unknown", async (_, install) => {
    install();
    if (existsSync(installed())) writeFileSync(join(installed(), "package.json"), "{}");
    const { status, output } = await runScript("run.mjs", github());
    expect(output).toMatch(/^The command opsmanager was found neither .* with the input `install`\.\n$/);
    expect(status).toBe(0);
    expect(read("output")).toBe("exit-code=1\nresult=unknown\n");
  });

  it.each(["", "--> <b>", "a\n::error::", "a".repeat(101)])(
    "the id %j is an error, and nothing is published",
    async (id) => {
      command(0);
      const { status, output } = await runScript("run.mjs", { ...github(), OPSMANAGER_DRIFT_ID: id });
      expect(status).toBe(1);
      expect(output).toContain(`The input \`id\` is ${JSON.stringify(id)}, `);
      expect([read("output"), read("calls")]).toEqual(["", ""]);
    },
  );

  it("finds the command in the repository of the package itself", async () => {
    const { output } = await runScript("run.mjs", { OPSMANAGER_DRIFT_ARGUMENTS: "--help" }, repositoryRoot);
    expect(output).toContain("Usage: opsmanager drift");
  });
});

const token = "token-4d8f";
const jobUrl = "https://example.com/run";

/** What differs between the forges: variables of a job, the form of entries, and the requests that change them. */
const forges = {
  github: {
    env: (api: string) => ({
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: "o/r",
      GITHUB_SERVER_URL: "https://example.com",
      GITHUB_RUN_ID: "9",
    }),
    run: "https://example.com/o/r/actions/runs/9",
    request: { OPSMANAGER_DRIFT_PULL_REQUEST: "3", GITHUB_REF: "refs/pull/3/merge" } as Record<
      string,
      string
    >,
    ended: (outcome: string): Record<string, string> => ({ OPSMANAGER_SUMMARY_OUTCOME: outcome }),
    lacking: { comment: "`pull-requests: write`", issue: "`issues: write`" },
    entry: (id: number, own: boolean, text: string | null) => ({
      id,
      number: id,
      body: text,
      user: { login: own ? "github-actions[bot]" : "mallory" },
    }),
    lists: {} as Record<string, unknown>,
    issues: "/repos/o/r/issues",
    comments: "/repos/o/r/issues/3/comments",
    opened: (title: string, body: string, label: string) => [
      ["POST", "/repos/o/r/labels", expect.objectContaining({ name: label })],
      ["POST", "/repos/o/r/issues", { title, body, labels: [label] }],
    ],
    updated: (body: string) => ["PATCH", "/repos/o/r/issues/7", { body }],
    closed: ["PATCH", "/repos/o/r/issues/7", { state: "closed" }],
    commented: (body: string) => ["POST", "/repos/o/r/issues/7/comments", { body }],
    commentUpdated: (body: string) => ["PATCH", "/repos/o/r/issues/comments/7", { body }],
  },
  gitlab: {
    env: (api: string) => ({
      GITLAB_CI: "true",
      CI_API_V4_URL: api,
      CI_PROJECT_ID: "5",
      CI_JOB_URL: jobUrl,
    }),
    run: jobUrl,
    request: { CI_MERGE_REQUEST_IID: "3" } as Record<string, string>,
    ended: (outcome: string): Record<string, string> => ({
      CI_JOB_STATUS: outcome === "failure" ? "failed" : outcome,
    }),
    lacking: {
      comment: "OPSMANAGER_DRIFT_TOKEN is a project access token",
      issue: "OPSMANAGER_DRIFT_TOKEN is a project access token",
    },
    entry: (id: number, own: boolean, text: string | null) => ({
      id,
      iid: id,
      body: text,
      description: text,
      author: { id: own ? 1 : 2 },
    }),
    lists: { "/user": { id: 1 } } as Record<string, unknown>,
    issues: "/projects/5/issues",
    comments: "/projects/5/merge_requests/3/notes",
    opened: (title: string, description: string, labels: string) => [
      ["POST", "/projects/5/issues", { title, description, labels }],
    ],
    updated: (description: string) => ["PUT", "/projects/5/issues/7", { description }],
    closed: ["PUT", "/projects/5/issues/7", { state_event: "close" }],
    commented: (body: string) => ["POST", "/projects/5/issues/7/notes", { body }],
    commentUpdated: (body: string) => ["PUT", "/projects/5/merge_requests/3/notes/7", { body }],
  },
};

describe("publish.mjs", () => {
  const mark = "<!-- opsmanager drift -->";
  const body = `${mark}\n## Drift`;

  describe.each(["github", "gitlab"] as const)("on %s", (name) => {
    const forge = forges[name];

    /** Entries that are not of this job, more than a page of them, and then its own one if there is one. */
    const entries = (own: boolean) => [
      ...Array.from({ length: 100 }, (_, id) => forge.entry(1000 + id, false, body)),
      forge.entry(4, true, null),
      forge.entry(5, true, `Something else ${mark}`),
      forge.entry(6, true, "<!-- opsmanager org-a -->\nof the run with this id"),
      ...(own ? [forge.entry(7, true, `${mark}\nold`)] : []),
    ];

    async function publish(
      code: number,
      env: Readonly<Record<string, string>>,
      responses: ForgeResponses = {},
      text = body,
      changes: object = {},
    ) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "result.json"), JSON.stringify({ "exit-code": code, ...changes }));
      writeFileSync(join(folder, "drift.md"), text);
      const api = await startForgeApi({ ...responses, lists: { ...forge.lists, ...responses.lists } });
      try {
        const own = { ...forge.env(api.url), OPSMANAGER_DRIFT_TOKEN: token, ...env };
        const { status, output } = await runScript("publish.mjs", own);
        expect(output).not.toContain(token);
        return { status, output, writes: api.writes, tokens: [...api.tokens] };
      } finally {
        await api.close();
      }
    }

    const issue = { OPSMANAGER_DRIFT_ISSUE: "true" };
    const comment = { OPSMANAGER_DRIFT_COMMENT: "true", ...forge.request };

    const text = (start: string) => `${start}: ${forge.run}`;
    const unknown = [forge.commented(text("Could not be determined this time"))];
    const openedNow = forge.opened("The projects differ from Git", body, "drift");
    /** Each kind of request is sent to both forges. What decides about them is the same for both, so GitHub shows it. */
    const ofBoth = [
      { code: 2, own: false, counts: {}, writes: openedNow },
      { code: 2, own: true, counts: {}, writes: [forge.updated(body)] },
      { code: 0, own: true, counts: {}, writes: [forge.commented(text("No drift")), forge.closed] },
    ];
    const decisions = [
      { code: 0, own: false, counts: {}, writes: [] },
      { code: 1, own: true, counts: {}, writes: unknown },
      { code: 1, own: false, counts: {}, writes: [] },
      { code: 1, own: false, counts: { differences: 4 }, writes: openedNow },
      { code: 1, own: true, counts: { differences: 4 }, writes: [forge.updated(body)] },
      // An open issue gets a comment only for news.
      { code: 2, own: true, counts: { new: 0, resolved: 0 }, writes: [forge.updated(body)] },
      {
        code: 2,
        own: true,
        counts: { new: 1, resolved: 0 },
        writes: [forge.updated(body), forge.commented(text("1 new, 0 resolved"))],
      },
      { code: 1, own: true, counts: { new: 0, resolved: 0 }, writes: [] },
      { code: 1, own: true, counts: { new: 0, resolved: 1 }, writes: unknown },
    ];
    it.each(name === "github" ? [...ofBoth, ...decisions] : ofBoth)(
      "an issue: exit code $code, with one of this job: $own, counts: $counts",
      async ({ code, own, counts, writes: expected }) => {
        const lists = { [forge.issues]: entries(own) };
        const changes = { differences: 0, ...counts };
        const { status, writes, tokens } = await publish(code, issue, { lists }, body, changes);
        expect(writes).toEqual(expected);
        expect(status).toBe(code === 1 ? 1 : 0);
        expect(tokens).toEqual([name === "github" ? `Bearer ${token}` : token]);
      },
    );

    const created = ["POST", forge.comments, { body }];
    const commentsOfBoth = [
      { code: 2, own: false, writes: [created] },
      { code: 2, own: true, writes: [forge.commentUpdated(body)] },
    ];
    const commentDecisions = [
      { code: 1, own: true, writes: [forge.commentUpdated(body)] },
      { code: 0, own: true, writes: [forge.commentUpdated(body)] },
      { code: 0, own: false, writes: [] },
    ];
    it.each(name === "github" ? [...commentsOfBoth, ...commentDecisions] : commentsOfBoth)(
      "a comment: exit code $code, with one of this job: $own",
      async ({ code, own, writes }) => {
        const lists = { [forge.comments]: entries(own) };
        expect((await publish(code, { ...comment, ...issue }, { lists })).writes).toEqual(writes);
      },
    );

    it("a run with another id finds and writes only its own comment and issue", async () => {
      const id = { OPSMANAGER_DRIFT_ID: "org-b" };
      const lists = { [forge.comments]: entries(true), [forge.issues]: entries(true) };
      const ownBody = "<!-- opsmanager org-b -->\n## Drift";
      const created = await publish(2, { ...comment, ...id }, { lists });
      expect(created.writes).toEqual([["POST", forge.comments, { body: ownBody }]]);
      const opened = await publish(2, { ...issue, ...id }, { lists });
      const content = { title: "The projects differ from Git (org-b)" };
      expect(opened.writes.at(-1)).toEqual(["POST", forge.issues, expect.objectContaining(content)]);
      const ofOrgA = { ...comment, OPSMANAGER_DRIFT_ID: "org-a" };
      const [[, path = ""] = []] = (await publish(2, ofOrgA, { lists })).writes;
      expect(path).toMatch(/\/6$/);
    });

    it.each([
      ["comment", comment, forge.comments, forge.lacking.comment, true],
      ["issue", issue, forge.issues, forge.lacking.issue, false],
    ])(
      "a rejected %s is an error that names what the token lacks, and for a comment the case of a fork",
      async (_, env, path, lacking, hasFork) => {
        const statuses = { [`POST ${path}`]: 403 };
        const { status, output } = await publish(2, env, { lists: { [path]: [] }, statuses });
        expect(status).toBe(1);
        expect(output).toContain(`POST ${path} failed: HTTP status 403. `);
        expect(output).toContain(lacking);
        expect(/requests? from (a fork|forks)/.test(output)).toBe(hasFork);
      },
    );

    if (name === "gitlab") return; // What follows is the same for both.

    it("sends nothing without an option, and ends with 2 only if drift has to fail", async () => {
      expect(await publish(2, forge.request)).toMatchObject({ status: 0, tokens: [] });
      expect((await publish(2, { OPSMANAGER_DRIFT_FAIL_ON_DRIFT: "true" })).status).toBe(2);
    });

    it("fails with the request and its status, not with the response", async () => {
      const statuses = { [`GET ${forge.issues}`]: 500 };
      const { status, output, writes } = await publish(2, issue, { statuses });
      expect({ status, writes }).toEqual({ status: 1, writes: [] });
      expect(output).toContain("failed: HTTP status 500. Check ");
    });

    it("sends names of projects as text that is no mention, no HTML and no quick action", async () => {
      const evil = "`\n/close\n@everyone </details><b> $(id) ${{ github.token }} |";
      const text = formatted("markdown")(
        report({ findings: [finding({ name: evil, live: evil, declared: evil })] }),
      );
      const lists = { [forge.comments]: [] };
      const { writes } = await publish(2, comment, { lists }, text);
      expect(writes).toEqual([["POST", forge.comments, { body: text }]]);
      const outsideCode = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
      expect(outsideCode).not.toMatch(/^\/|@everyone|<b>/m);
    });
  });

  it("a label that exists already is no failure", async () => {
    const { env, issues } = forges.github;
    writeFileSync(join(folder, "result.json"), JSON.stringify({ "exit-code": 2 }));
    writeFileSync(join(folder, "drift.md"), body);
    const api = await startForgeApi({ lists: { [issues]: [] }, statuses: { "POST /repos/o/r/labels": 422 } });
    const own = { ...env(api.url), OPSMANAGER_DRIFT_TOKEN: token, OPSMANAGER_DRIFT_ISSUE: "true" };
    const { status } = await runScript("publish.mjs", own);
    await api.close();
    expect([status, api.writes.length]).toEqual([0, 2]);
  });
});

describe.each(["github", "gitlab"] as const)("publish-summary.mjs on %s", (name) => {
  const forge = forges[name];
  const body = "<!-- opsmanager preview -->\n## Preview of `prod`\n";
  const text = `${body}\n[Output of the run](${forge.run})\n`;
  const title = "The projects could not be updated (preview)";
  const others = [forge.entry(5, false, body), forge.entry(6, true, "<!-- opsmanager up-prod -->")];
  const own = forge.entry(7, true, `${body}old`);
  const summaryOfJob = () => join(folder, "summary");

  interface Situation {
    readonly outcome?: string;
    readonly isRequest?: boolean;
    readonly env?: Readonly<Record<string, string>>;
    readonly statuses?: ForgeResponses["statuses"];
  }

  /** What is sent where a request has these comments, or the main branch these issues; `null`: the run left no summary. */
  async function publish(
    entries: readonly unknown[] | undefined,
    { outcome = "success", isRequest = false, env = {}, statuses = {} }: Situation,
    summary: string | null = "<!-- opsmanager summary -->\n## Preview of `prod`\n",
  ) {
    if (summary !== null) writeFileSync(join(folder, "summary.md"), summary);
    const lists = entries && { [isRequest ? forge.comments : forge.issues]: entries };
    const api = await startForgeApi({ lists: { ...forge.lists, ...lists }, statuses });
    const { status, output } = await runScript("publish-summary.mjs", {
      OPSMANAGER_SUMMARY_ID: "preview",
      OPSMANAGER_SUMMARY_TOKEN: token,
      GITHUB_STEP_SUMMARY: summaryOfJob(),
      ...forge.env(api.url),
      ...(isRequest ? forge.request : { GITHUB_REF: "refs/heads/main" }),
      ...forge.ended(outcome),
      ...env,
    });
    await api.close();
    expect(output).not.toContain(token);
    return { status, output, writes: api.writes };
  }

  it("creates the comment of a request, then updates its own one, and summarizes a job of GitHub", async () => {
    const created = await publish(others, { isRequest: true });
    expect(created).toEqual({ status: 0, output: "", writes: [["POST", forge.comments, { body: text }]] });
    if (name === "github") expect(readFileSync(summaryOfJob(), "utf8")).toBe(body);
    const updated = await publish([...others, own], { isRequest: true, outcome: "failure" });
    expect(updated.writes).toEqual([forge.commentUpdated(text)]);
  });

  it("opens an issue about a failed update, notifies about the next failure, and closes it after a success", async () => {
    const opened = await publish(others, { outcome: "failure" });
    expect(opened.writes).toEqual(forge.opened(title, text, "update-failed"));
    const again = await publish([...others, own], { outcome: "failure" });
    expect(again.writes).toEqual([
      forge.updated(text),
      forge.commented(`The run failed again: ${forge.run}`),
    ]);
    const closed = await publish([...others, own], {});
    expect(closed.writes).toEqual([forge.commented(`The run succeeded: ${forge.run}`), forge.closed]);
    expect((await publish(others, {})).writes).toEqual([]);
  });

  it("reports a failure that left no summary, a request that was rejected, and an id that is none", async () => {
    const { writes } = await publish([], { outcome: "failure" }, null);
    expect(JSON.stringify(writes.at(-1))).toContain("The run ended before it wrote a summary.");
    const unread = await publish(undefined, { outcome: "failure" });
    expect(unread).toMatchObject({ status: 1, output: expect.stringContaining(`GET ${forge.issues}?`) });
    const statuses = { [`POST ${forge.comments}`]: 403 };
    const { status, output } = await publish([], { isRequest: true, statuses });
    expect(status).toBe(1);
    expect(output).toContain(`POST ${forge.comments} failed: HTTP status 403. `);
    if (name === "gitlab") expect(output).toContain("Check that OPSMANAGER_SUMMARY_TOKEN is");
    expect(output).not.toContain("OPSMANAGER_DRIFT_TOKEN");
    expect((await publish([], { env: { OPSMANAGER_SUMMARY_ID: "--> x" } })).status).toBe(1);
  });
});
