/**
 * Publishes the report of `run.mjs` as a comment and as an issue of GitHub or GitLab, and then ends
 * the job. The exit code is 0 if the comparison was complete. It is 1 if something could not be
 * determined or the forge rejected a request. With OPSMANAGER_DRIFT_FAIL_ON_DRIFT=true, drift also
 * ends with 2.
 *
 * It changes only a comment or an issue that begins with the mark of its id and that its own account wrote.
 * It sends the report as JSON and runs no command, so no text of the report can become one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { env } = process;
const print = (text) => process.stdout.write(`${text}\n`);
const id = env.OPSMANAGER_DRIFT_ID ?? "drift";
/** The first line of each report of the command. */
const reportMark = "<!-- opsmanager drift -->";
/** The first line of the comment and the issue. `run.mjs` has checked the id. */
const mark = `<!-- opsmanager ${id} -->`;
const title = `The projects differ from Git${mark === reportMark ? "" : ` (${id})`}`;
const label = env.OPSMANAGER_DRIFT_LABEL || "drift";
const read = (name) => {
  try {
    return readFileSync(join(env.OPSMANAGER_DRIFT_REPORTS || "drift-reports", name), "utf8");
  } catch {
    return undefined;
  }
};

/** Sends a request. An error names the request and its status, never the token or the response. */
async function send(forge, method, path, body) {
  const response = await fetch(forge.api + path, {
    method,
    headers: { ...forge.headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(60_000),
  }).catch((error) => {
    throw new Error(`${method} ${path} failed: ${error.name}.`);
  });
  if (!response.ok) {
    const failure = new Error(
      `${method} ${path} failed: HTTP status ${response.status}. ${forge.hint(response.status)}`,
    );
    throw Object.assign(failure, { status: response.status });
  }
  return response.json().catch(() => undefined);
}

/** The first entry of all pages for which `matches` is true. */
async function find(forge, path, matches) {
  for (let page = 1; ; page++) {
    const separator = path.includes("?") ? "&" : "?";
    const entries = await send(forge, "GET", `${path}${separator}per_page=100&page=${page}`);
    const found = entries.find(matches);
    if (found !== undefined || entries.length < 100) return found;
  }
}

function github() {
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const author = env.OPSMANAGER_DRIFT_AUTHOR || "github-actions[bot]";
  const isOwn = ({ user, body }) => user?.login === author && (body ?? "").startsWith(mark);
  const forge = {
    api: env.GITHUB_API_URL,
    headers: {
      Authorization: `Bearer ${env.OPSMANAGER_DRIFT_TOKEN}`,
      Accept: "application/vnd.github+json",
      "X-GitHub-Api-Version": "2022-11-28",
    },
    hint: (status) => {
      const permission = forge.request ? "`pull-requests: write`" : "`issues: write`";
      if (status !== 403) return `Check the permissions of the job, which needs ${permission}.`;
      const lacking = `The usual cause is that the job lacks ${permission}. Add it to the job's \`permissions\`.`;
      const fork = "A pull request from a fork gets no write permission and no secrets: skip the job there.";
      return forge.request ? `${lacking} ${fork}` : lacking;
    },
    runUrl: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
    request: env.OPSMANAGER_DRIFT_PULL_REQUEST,
  };
  const comments = `${repository}/issues/${forge.request}/comments`;
  return Object.assign(forge, {
    findComment: async () => (await find(forge, comments, isOwn))?.id,
    createComment: (body) => send(forge, "POST", comments, { body }),
    updateComment: (id, body) => send(forge, "PATCH", `${repository}/issues/comments/${id}`, { body }),
    findIssue: async () => {
      const path = `${repository}/issues?state=open&labels=${encodeURIComponent(label)}`;
      return (await find(forge, path, (entry) => entry.pull_request === undefined && isOwn(entry)))?.number;
    },
    createIssue: async (body) => {
      const ownLabel = { name: label, color: "D93F0B", description: title };
      await send(forge, "POST", `${repository}/labels`, ownLabel).catch((error) => {
        // The label exists already.
        if (error.status !== 422) throw error;
      });
      await send(forge, "POST", `${repository}/issues`, { title, body, labels: [label] });
    },
    updateIssue: (number, body) => send(forge, "PATCH", `${repository}/issues/${number}`, { body }),
    closeIssue: (number) => send(forge, "PATCH", `${repository}/issues/${number}`, { state: "closed" }),
    commentIssue: (number, body) => send(forge, "POST", `${repository}/issues/${number}/comments`, { body }),
  });
}

async function gitlab() {
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const forge = {
    api: env.CI_API_V4_URL,
    headers: { "PRIVATE-TOKEN": env.OPSMANAGER_DRIFT_TOKEN },
    hint: () => {
      const check =
        "Check that OPSMANAGER_DRIFT_TOKEN is a project access token with the scope `api` and the role Reporter.";
      const request =
        "Merge requests from forks do not get this variable. Unprotected branches get it only if it is not protected.";
      return forge.request ? `${check} ${request}` : check;
    },
    runUrl: env.CI_JOB_URL,
    request: env.CI_MERGE_REQUEST_IID,
  };
  const { id: author } = await send(forge, "GET", "/user");
  const notes = `${project}/merge_requests/${forge.request}/notes`;
  const isOwn = (entry, text) => entry.author?.id === author && (text ?? "").startsWith(mark);
  return Object.assign(forge, {
    findComment: async () => (await find(forge, notes, (entry) => isOwn(entry, entry.body)))?.id,
    createComment: (body) => send(forge, "POST", notes, { body }),
    updateComment: (id, body) => send(forge, "PUT", `${notes}/${id}`, { body }),
    findIssue: async () => {
      const path = `${project}/issues?state=opened&labels=${encodeURIComponent(label)}`;
      return (await find(forge, path, (entry) => isOwn(entry, entry.description)))?.iid;
    },
    createIssue: (description) =>
      send(forge, "POST", `${project}/issues`, { title, description, labels: label }),
    updateIssue: (iid, description) => send(forge, "PUT", `${project}/issues/${iid}`, { description }),
    closeIssue: (iid) => send(forge, "PUT", `${project}/issues/${iid}`, { state_event: "close" }),
    commentIssue: (iid, body) => send(forge, "POST", `${project}/issues/${iid}/notes`, { body }),
  });
}

/** The comment of a pull request. Without drift, an earlier comment is updated and none is created. */
async function publishComment(forge, code, report) {
  const id = await forge.findComment();
  const body = report ?? [mark, `Drift could not be determined this time: ${forge.runUrl}`].join("\n");
  if (id !== undefined) await forge.updateComment(id, body);
  else if (code !== 0) await forge.createComment(body);
}

/** The issue: opened or updated with drift, closed without drift. */
async function publishIssue(forge, code, report) {
  const number = await forge.findIssue();
  if (code === 2 && number === undefined) await forge.createIssue(report);
  else if (code === 2) await forge.updateIssue(number, report);
  else if (number === undefined) return;
  else if (code === 0) {
    await forge.commentIssue(number, `No drift: ${forge.runUrl}`);
    await forge.closeIssue(number);
  }
  // Not determined is not clean: an open issue is left unchanged.
  else await forge.commentIssue(number, `Could not be determined this time: ${forge.runUrl}`);
}

const code = JSON.parse(read("result.json") ?? '{"exit-code":1}')["exit-code"];
const report = read("drift.md")?.replace(reportMark, mark);
const wanted = (name) => env[`OPSMANAGER_DRIFT_${name}`] === "true";
const fail = (message) => {
  print(message);
  process.exitCode = 1;
};

if (code === 1) fail("Drift could not be determined completely. The report names what is missing.");
else if (code === 2 && wanted("FAIL_ON_DRIFT")) process.exitCode = 2;

if (wanted("COMMENT") || wanted("ISSUE")) {
  try {
    const forge = env.GITLAB_CI === "true" ? await gitlab() : github();
    const tasks = [];
    // Outside a pull request there is nothing to comment on. A pull request does not decide about the issue.
    if (wanted("COMMENT") && forge.request) tasks.push(publishComment);
    if (wanted("ISSUE") && !forge.request) tasks.push(publishIssue);
    for (const task of tasks) await task(forge, code, report);
  } catch (error) {
    fail(error.message);
  }
}
