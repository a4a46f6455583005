/**
 * Publishes the Markdown of `opsmanager summarize`: as the summary of a job on GitHub, as the one
 * comment of a pull request, and outside pull requests as an issue about a run that failed. The issue
 * is closed by the next run that succeeds.
 *
 * It ends with 0, also after a failed run, whose own step has failed already. It ends with 1 if the
 * forge rejected a request.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { openForge, publishComment } from "./forge.mjs";

const { env } = process;
const print = (text) => process.stdout.write(`${text}\n`);
const fail = (message) => {
  print(message);
  process.exitCode = 1;
};

/** The first line of each summary of the command. */
const ownMark = "<!-- opsmanager summary -->";
// The id becomes part of a comment in HTML.
const id = env.OPSMANAGER_SUMMARY_ID || "summary";
const mark = `<!-- opsmanager ${id} -->`;
// GitHub has an outcome for each step, and GitLab one for the job.
const hasSucceeded = [env.OPSMANAGER_SUMMARY_OUTCOME, env.CI_JOB_STATUS].includes("success");

function readSummary() {
  try {
    return readFileSync(env.OPSMANAGER_SUMMARY_FILE || "summary.md", "utf8").replace(ownMark, mark);
  } catch {
    return undefined;
  }
}

/** The issue: opened if the run failed, and closed if it succeeded. A comment notifies about each later failure. */
async function publishIssue(forge, body) {
  const number = await forge.findIssue();
  if (hasSucceeded) {
    if (number === undefined) return;
    await forge.commentIssue(number, `The run succeeded: ${forge.runUrl}`);
    await forge.closeIssue(number);
  } else if (number === undefined) await forge.createIssue(body);
  else {
    await forge.updateIssue(number, body);
    await forge.commentIssue(number, `The run failed again: ${forge.runUrl}`);
  }
}

async function publish() {
  const forge = await openForge({
    mark,
    title: `The projects could not be updated (${id})`,
    label: env.OPSMANAGER_SUMMARY_LABEL || "update-failed",
    tokenVariable: "OPSMANAGER_SUMMARY_TOKEN",
    author: env.OPSMANAGER_SUMMARY_AUTHOR,
    // `refs/pull/3/merge` in workflows that a pull request starts.
    request: /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1],
  });
  const summary = readSummary();
  if (env.GITHUB_STEP_SUMMARY && summary !== undefined) appendFileSync(env.GITHUB_STEP_SUMMARY, summary);
  const body = summary ?? [mark, "The run ended before it wrote a summary."].join("\n");
  const whole = `${body}\n[Output of the run](${forge.runUrl})\n`;
  if (forge.request) await publishComment(forge, whole);
  else await publishIssue(forge, whole);
}

if (/^[\w.-]{1,100}$/.test(id)) await publish().catch((error) => fail(error.message));
else
  fail(
    `OPSMANAGER_SUMMARY_ID is ${JSON.stringify(id)}. Use at most 100 letters, digits and the characters . _ -`,
  );
