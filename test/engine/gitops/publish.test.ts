/** The scripts that publish reports of drift and summaries of runs, against a stand-in for the API of either forge. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finding, formatted, report } from "../../unit/cli/drift/reports";
import { type ForgeResponses, startForgeApi } from "./forge-api";
import { runScript } from "./support";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-publish-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const token = "token-4d8f";
const jobUrl = "https://example.com/run";

type Environment = Readonly<Record<string, string>>;

/** What differs between the forges: variables of a job, the form of entries, and the requests that change them. */
const forges = {
  github: {
    env: (api: string): Environment => ({
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: "o/r",
      GITHUB_SERVER_URL: "https://example.com",
      GITHUB_RUN_ID: "9",
    }),
    run: "https://example.com/o/r/actions/runs/9",
    request: { OPSMANAGER_DRIFT_PULL_REQUEST: "3", GITHUB_REF: "refs/pull/3/merge" } as Environment,
    ended: (outcome: string): Environment => ({ OPSMANAGER_SUMMARY_OUTCOME: outcome }),
    token: `Bearer ${token}`,
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
    env: (api: string): Environment => ({
      GITLAB_CI: "true",
      CI_API_V4_URL: api,
      CI_PROJECT_ID: "5",
      CI_JOB_URL: jobUrl,
    }),
    run: jobUrl,
    request: { CI_MERGE_REQUEST_IID: "3" } as Environment,
    ended: (outcome: string): Environment => ({
      CI_JOB_STATUS: outcome === "failure" ? "failed" : outcome,
    }),
    token,
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

type Name = keyof typeof forges;
const names: readonly Name[] = ["github", "gitlab"];

/** Runs a script where the forge has these lists. */
async function publish(script: string, name: Name, env: Environment, responses: ForgeResponses) {
  const forge = forges[name];
  const api = await startForgeApi({ ...responses, lists: { ...forge.lists, ...responses.lists } });
  try {
    const { status, output } = await runScript(script, folder, { ...forge.env(api.url), ...env });
    expect(output).not.toContain(token);
    return { status, output, writes: api.writes, tokens: [...api.tokens] };
  } finally {
    await api.close();
  }
}

describe("publish.mjs", () => {
  const mark = "<!-- opsmanager drift -->";
  const body = `${mark}\n## Drift`;
  const issue = { OPSMANAGER_DRIFT_ISSUE: "true" };
  const comment = { OPSMANAGER_DRIFT_COMMENT: "true" };

  interface Job extends ForgeResponses {
    /** Of the comparison; with 1, it is incomplete. */
    readonly code: number;
    /** What else the result counts. */
    readonly counts?: object;
    readonly env: Environment;
    readonly text?: string;
  }

  function publishDrift(name: Name, { code, counts = {}, env, text = body, ...responses }: Job) {
    writeFileSync(join(folder, "result.json"), JSON.stringify({ "exit-code": code, ...counts }));
    writeFileSync(join(folder, "drift.md"), text);
    return publish("publish.mjs", name, { OPSMANAGER_DRIFT_TOKEN: token, ...env }, responses);
  }

  /** Entries that are not of this job, more than a page of them, and then its own one if there is one. */
  const entries = ({ entry }: (typeof forges)[Name], own: boolean) => [
    ...Array.from({ length: 100 }, (_, id) => entry(1000 + id, false, body)),
    entry(4, true, null),
    entry(5, true, `Something else ${mark}`),
    entry(6, true, "<!-- opsmanager org-a -->\nof the run with this id"),
    ...(own ? [entry(7, true, `${mark}\nold`)] : []),
  ];

  describe.each(names)("on %s", (name) => {
    const forge = forges[name];
    const request = { ...comment, ...forge.request };
    const text = (start: string) => `${start}: ${forge.run}`;
    const opened = forge.opened("The projects differ from Git", body, "drift");

    it("opens, updates and closes its own issue, and creates and updates its own comment", async () => {
      const asIssue = async (code: number, own: boolean) => {
        const lists = { [forge.issues]: entries(forge, own) };
        return publishDrift(name, { code, counts: { differences: 0 }, env: issue, lists });
      };
      const first = await asIssue(2, false);
      expect(first).toMatchObject({ status: 0, writes: opened, tokens: [forge.token] });
      expect((await asIssue(2, true)).writes).toEqual([forge.updated(body)]);
      expect((await asIssue(0, true)).writes).toEqual([forge.commented(text("No drift")), forge.closed]);
      const asComment = async (own: boolean) => {
        const lists = { [forge.comments]: entries(forge, own) };
        return (await publishDrift(name, { code: 2, env: { ...request, ...issue }, lists })).writes;
      };
      expect(await asComment(false)).toEqual([["POST", forge.comments, { body }]]);
      expect(await asComment(true)).toEqual([forge.commentUpdated(body)]);
    });

    it.each([
      { what: "comment", env: request, path: forge.comments, lacking: forge.lacking.comment, hasFork: true },
      { what: "issue", env: issue, path: forge.issues, lacking: forge.lacking.issue, hasFork: false },
    ])(
      "a rejected $what is an error that names what the token lacks, and for a comment the case of a fork",
      async ({ env, path, lacking, hasFork }) => {
        const statuses = { [`POST ${path}`]: 403 };
        const { status, output } = await publishDrift(name, {
          ...{ code: 2, env, lists: { [path]: [] }, statuses },
        });
        expect(status).toBe(1);
        expect(output).toContain(`POST ${path} failed: HTTP status 403. `);
        expect(output).toContain(lacking);
        expect(/requests? from (a fork|forks)/.test(output)).toBe(hasFork);
      },
    );
  });

  // What follows is the same for both forges.
  const forge = forges.github;
  const request = { ...comment, ...forge.request };
  const unknown = [forge.commented(`Could not be determined this time: ${forge.run}`)];
  const updated = [forge.updated(body)];

  it.each([
    { code: 0, own: false, counts: {}, writes: [] },
    { code: 1, own: true, counts: {}, writes: unknown },
    { code: 1, own: false, counts: {}, writes: [] },
    {
      code: 1,
      own: false,
      counts: { differences: 4 },
      writes: forge.opened("The projects differ from Git", body, "drift"),
    },
    { code: 1, own: true, counts: { differences: 4 }, writes: updated },
    // An open issue gets a comment only for news.
    { code: 2, own: true, counts: { new: 0, resolved: 0 }, writes: updated },
    {
      code: 2,
      own: true,
      counts: { new: 1, resolved: 0 },
      writes: [...updated, forge.commented(`1 new, 0 resolved: ${forge.run}`)],
    },
    { code: 1, own: true, counts: { new: 0, resolved: 0 }, writes: [] },
    { code: 1, own: true, counts: { new: 0, resolved: 1 }, writes: unknown },
  ])(
    "an issue: exit code $code, with one of this job: $own, counts: $counts",
    async ({ code, own, counts, writes }) => {
      const lists = { [forge.issues]: entries(forge, own) };
      const job = { code, counts: { differences: 0, ...counts }, env: issue, lists };
      expect(await publishDrift("github", job)).toMatchObject({ status: code === 1 ? 1 : 0, writes });
    },
  );

  it.each([
    { code: 1, own: true, writes: [forge.commentUpdated(body)] },
    { code: 0, own: true, writes: [forge.commentUpdated(body)] },
    { code: 0, own: false, writes: [] },
  ])("a comment: exit code $code, with one of this job: $own", async ({ code, own, writes }) => {
    const lists = { [forge.comments]: entries(forge, own) };
    expect((await publishDrift("github", { code, env: request, lists })).writes).toEqual(writes);
  });

  it("a run with another id finds and writes only its own comment and issue", async () => {
    const lists = { [forge.comments]: entries(forge, true), [forge.issues]: entries(forge, true) };
    const writesOf = async (env: Environment) =>
      (await publishDrift("github", { code: 2, env, lists })).writes;
    const id = { OPSMANAGER_DRIFT_ID: "org-b" };
    const own = "<!-- opsmanager org-b -->\n## Drift";
    expect(await writesOf({ ...request, ...id })).toEqual([["POST", forge.comments, { body: own }]]);
    const title = "The projects differ from Git (org-b)";
    expect(await writesOf({ ...issue, ...id })).toEqual(forge.opened(title, own, "drift"));
    const [[, path = ""] = []] = await writesOf({ ...request, OPSMANAGER_DRIFT_ID: "org-a" });
    expect(path).toMatch(/\/6$/);
  });

  it("sends nothing without an option, and ends with 2 only if drift has to fail", async () => {
    const env = forge.request;
    expect(await publishDrift("github", { code: 2, env })).toMatchObject({ status: 0, tokens: [] });
    const failing = { OPSMANAGER_DRIFT_FAIL_ON_DRIFT: "true" };
    expect((await publishDrift("github", { code: 2, env: failing })).status).toBe(2);
  });

  it("fails with the request and its status, not with the response, but not for a label that exists already", async () => {
    const broken = { [`GET ${forge.issues}`]: 500 };
    const failed = await publishDrift("github", { code: 2, env: issue, statuses: broken });
    expect(failed).toMatchObject({ status: 1, writes: [] });
    expect(failed.output).toContain("failed: HTTP status 500. Check ");
    const lists = { [forge.issues]: [] };
    const statuses = { "POST /repos/o/r/labels": 422 };
    const { status, writes } = await publishDrift("github", { code: 2, env: issue, lists, statuses });
    expect([status, writes.length]).toEqual([0, 2]);
  });

  it("sends names of projects as text that is no mention, no HTML and no quick action", async () => {
    const evil = "`\n/close\n@everyone </details><b> $(id) ${{ github.token }} |";
    const findings = [finding({ name: evil, live: evil, declared: evil })];
    const text = formatted("markdown")(report({ findings }));
    const lists = { [forge.comments]: [] };
    const { writes } = await publishDrift("github", { code: 2, env: request, text, lists });
    expect(writes).toEqual([["POST", forge.comments, { body: text }]]);
    const outsideCode = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
    expect(outsideCode).not.toMatch(/^\/|@everyone|<b>/m);
  });
});

describe("publish-summary.mjs", () => {
  const body = "<!-- opsmanager preview -->\n## Preview of `prod`\n";
  const summaryOfJob = () => join(folder, "summary");

  const { github, gitlab } = forges;
  const textOf = ({ run }: (typeof forges)[Name]) => `${body}\n[Output of the run](${run})\n`;
  const title = "The projects could not be updated (preview)";

  interface Situation {
    /** Comments of the request, or issues of the main branch; `undefined`: they cannot be read. */
    readonly entries: readonly unknown[] | undefined;
    readonly outcome?: "success" | "failure";
    readonly isRequest?: boolean;
    readonly id?: string;
    readonly statuses?: ForgeResponses["statuses"];
    /** `null`: the run left none. */
    readonly summary?: string | null;
  }

  async function publishSummary(name: Name, situation: Situation) {
    const { entries, outcome = "success", isRequest = false, id = "preview", statuses = {} } = situation;
    const forge = forges[name];
    const { summary = "<!-- opsmanager summary -->\n## Preview of `prod`\n" } = situation;
    if (summary !== null) writeFileSync(join(folder, "summary.md"), summary);
    const env = {
      OPSMANAGER_SUMMARY_ID: id,
      OPSMANAGER_SUMMARY_TOKEN: token,
      GITHUB_STEP_SUMMARY: summaryOfJob(),
      ...(isRequest ? forge.request : { GITHUB_REF: "refs/heads/main" }),
      ...forge.ended(outcome),
    };
    const lists = entries && { [isRequest ? forge.comments : forge.issues]: entries };
    return publish("publish-summary.mjs", name, env, { ...(lists && { lists }), statuses });
  }

  it("is the summary of the job, one comment of a request, and an issue that is open while the runs fail", async () => {
    const text = textOf(github);
    const others = [github.entry(5, false, body), github.entry(6, true, "<!-- opsmanager up-prod -->")];
    const entries = [...others, github.entry(7, true, `${body}old`)];
    const writesOf = async (situation: Situation) => (await publishSummary("github", situation)).writes;
    const created = await publishSummary("github", { entries: others, isRequest: true });
    const comment = ["POST", github.comments, { body: text }];
    expect(created).toMatchObject({ status: 0, output: "", writes: [comment] });
    expect(readFileSync(summaryOfJob(), "utf8")).toBe(body);
    const failed = { outcome: "failure" } as const;
    expect(await writesOf({ ...failed, entries, isRequest: true })).toEqual([github.commentUpdated(text)]);
    const opened = github.opened(title, text, "update-failed");
    expect(await writesOf({ ...failed, entries: others })).toEqual(opened);
    expect(await writesOf({ ...failed, entries })).toEqual([
      github.updated(text),
      github.commented(`The run failed again: ${github.run}`),
    ]);
    expect(await writesOf({ entries })).toEqual([
      github.commented(`The run succeeded: ${github.run}`),
      github.closed,
    ]);
    expect(await writesOf({ entries: others })).toEqual([]);
  });

  it("knows the request and the outcome of a job of GitLab, and what its token lacks", async () => {
    const created = await publishSummary("gitlab", { entries: [], isRequest: true });
    expect(created.writes).toEqual([["POST", gitlab.comments, { body: textOf(gitlab) }]]);
    expect((await publishSummary("gitlab", { entries: [] })).writes).toEqual([]);
    const opened = await publishSummary("gitlab", { entries: [], outcome: "failure" });
    expect(opened.writes).toEqual(gitlab.opened(title, textOf(gitlab), "update-failed"));
    const statuses = { [`POST ${gitlab.comments}`]: 403 };
    const { status, output } = await publishSummary("gitlab", { entries: [], isRequest: true, statuses });
    expect(status).toBe(1);
    expect(output).toContain(`POST ${gitlab.comments} failed: HTTP status 403. `);
    expect(output).toContain("Check that OPSMANAGER_SUMMARY_TOKEN is");
    expect(output).not.toContain("OPSMANAGER_DRIFT_TOKEN");
  });

  it("reports a failure that left no summary, issues that cannot be read, and an id that is none", async () => {
    const failed = { outcome: "failure" } as const;
    const lost = await publishSummary("github", { ...failed, entries: [], summary: null });
    expect(JSON.stringify(lost.writes.at(-1))).toContain("The run ended before it wrote a summary.");
    const unread = await publishSummary("github", { ...failed, entries: undefined });
    expect(unread).toMatchObject({ status: 1, output: expect.stringContaining(`GET ${github.issues}?`) });
    expect((await publishSummary("github", { entries: [], id: "--> x" })).status).toBe(1);
  });
});
