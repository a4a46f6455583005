/**
 * Writes a comment and an issue of GitHub or GitLab, for the other scripts of this folder.
 *
 * It changes only a comment or an issue that begins with a mark and that its own account wrote.
 * It sends texts as JSON and runs no command, so no text from outside can become one.
 */
const { env } = process;

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

function github({ mark, title, label, tokenVariable, author, request }) {
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const isOwn = ({ user, body }) =>
    user?.login === (author || "github-actions[bot]") && (body ?? "").startsWith(mark);
  const forge = {
    api: env.GITHUB_API_URL,
    headers: {
      Authorization: `Bearer ${env[tokenVariable]}`,
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
    request,
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

async function gitlab({ mark, title, label, tokenVariable }) {
  const project = `/projects/${env.CI_PROJECT_ID}`;
  const forge = {
    api: env.CI_API_V4_URL,
    headers: { "PRIVATE-TOKEN": env[tokenVariable] },
    hint: () => {
      const check = `Check that ${tokenVariable} is a project access token with the scope \`api\` and the role Reporter.`;
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

/**
 * The forge of this CI job.
 *
 * @param options `mark` is the first line of the comment and the issue; `title` and `label` are
 * those of the issue; `tokenVariable` names the variable with a token that may write comments and
 * issues; `author` is the token's account on GitHub, and `request` the number of the pull request there
 */
export async function openForge(options) {
  return env.GITLAB_CI === "true" ? gitlab(options) : github(options);
}

/** Updates the comment of this mark in the pull request, or creates it if `isNew` allows that. */
export async function publishComment(forge, body, isNew = true) {
  const id = await forge.findComment();
  if (id !== undefined) await forge.updateComment(id, body);
  else if (isNew) await forge.createComment(body);
}
