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
import { openForge, publishComment } from "./forge.mjs";

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

/** The comment of a pull request. Without drift, an earlier comment is updated and none is created. */
function publishReport(forge, code, report) {
  const body = report ?? [mark, `Drift could not be determined this time: ${forge.runUrl}`].join("\n");
  return publishComment(forge, body, code !== 0);
}

/**
 * The issue: opened or updated with drift, closed without drift. Drift is known also if something else could not be
 * determined, and the report begins with what that is. An update notifies no one, so a comment follows if something
 * is new or resolved.
 */
async function publishIssue(forge, code, report) {
  const number = await forge.findIssue();
  const isDrift = code === 2 || (code === 1 && result.differences > 0);
  if (isDrift && number === undefined) await forge.createIssue(report);
  else if (isDrift) {
    await forge.updateIssue(number, report);
    if (hasChanged) await forge.commentIssue(number, `${added} new, ${resolved} resolved: ${forge.runUrl}`);
  } else if (number === undefined) return;
  else if (code === 0) {
    await forge.commentIssue(number, `No drift: ${forge.runUrl}`);
    await forge.closeIssue(number);
  }
  // Not determined is not clean: an open issue is left unchanged. A run that is as incomplete as the last one is no news.
  else if (added === undefined || hasChanged)
    await forge.commentIssue(number, `Could not be determined this time: ${forge.runUrl}`);
}

const result = JSON.parse(read("result.json") ?? '{"exit-code":1}');
const code = result["exit-code"];
/** Numbers of entries; `undefined` if there was no earlier report. */
const { new: added, resolved } = result;
const hasChanged = added > 0 || resolved > 0;
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
    const forge = await openForge({
      mark,
      title,
      label,
      tokenVariable: "OPSMANAGER_DRIFT_TOKEN",
      author: env.OPSMANAGER_DRIFT_AUTHOR,
      request: env.OPSMANAGER_DRIFT_PULL_REQUEST,
    });
    const tasks = [];
    // Outside a pull request there is nothing to comment on. A pull request does not decide about the issue.
    if (wanted("COMMENT") && forge.request) tasks.push(publishReport);
    if (wanted("ISSUE") && !forge.request) tasks.push(publishIssue);
    for (const task of tasks) await task(forge, code, report);
  } catch (error) {
    fail(error.message);
  }
}
