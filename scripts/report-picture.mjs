/**
 * `npm run picture`: writes the picture of docs/drift.md, docs/images/drift-html.png: the HTML of an example report, in Chromium.
 * No test compares it, because fonts differ between machines.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inRepository } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { runScript } from "./lib/script.mjs";

const picture = inRepository("docs", "images", "drift-html.png");

const orgId = "76f6b5d85a57737079cb913a";
const payments = "5f0c1d2e3a4b5c6d7e8f9a0b";
const billing = "5f0c1d2e3a4b5c6d7e8f9a0c";

await runScript(async () => {
  const load = createRequire(import.meta.url);
  const drift = (/** @type {string[]} */ ...file) => load(inRepository("dist", "cli", "drift", ...file));
  /** @type {import("../cli/drift/formats/html.js")} */
  const { html } = drift("formats", "html.js");
  /** @type {import("../cli/drift/report/document.js")} */
  const { documentOf } = drift("report", "document.js");
  /** @type {import("../cli/drift/report/json.js")} */
  const { fromJson } = drift("report", "json.js");
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-picture-"));
  try {
    const page = join(folder, "report.html");
    writeFileSync(page, html(documentOf(fromJson(exampleReport()))));
    await run("chromium", [
      "--headless",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), // Chromium's own sandbox does not work for root.
      "--hide-scrollbars",
      "--window-size=1000,1080",
      `--user-data-dir=${join(folder, "profile")}`,
      `--screenshot=${picture}`,
      pathToFileURL(page).href,
    ]);
    console.log(`Written: ${picture}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** @returns {import("../cli/drift/report/schema.js").DriftReport} */
function exampleReport() {
  return {
    schemaVersion: 1,
    tool: { name: "opsmanager", version: "0.1.0" },
    generatedAt: "2026-03-04T05:06:07.000Z",
    result: "drift",
    stacks: [
      { stack: "prod", project: "platform", resources: 42 },
      { stack: "test", project: "platform", resources: 17 },
    ],
    findings: [
      finding({ property: "tags[1]", kind: "removed", cause: "not-applied", declared: "TEAM_PAYMENTS" }),
      finding({ property: "tags[1]", kind: "added", live: "URGENT" }),
      finding({
        name: "payments-people",
        type: "opsmanager:index:ProjectMembers",
        property: 'members["ada@example.com"]',
        kind: "changed",
        declared: ["GROUP_READ_ONLY"],
        live: ["GROUP_OWNER"],
      }),
      finding({ stack: "test", name: "billing", id: billing, property: "", kind: "deleted" }),
      finding({
        stack: "test",
        name: "search",
        property: "tags[0]",
        kind: "added",
        live: "AUDIT",
        ignored: { reason: "tagged by the auditors until they are done", expires: "2026-12-31" },
      }),
    ],
    unreadable: [],
    unmanaged: {
      organizations: [{ orgId, projects: { total: 24, managed: 23 }, people: { total: 180, managed: 171 } }],
      projects: [{ orgId, projectId: "d128a71fa011038d701ab8e5", name: "by-hand" }],
      people: Array.from({ length: 9 }, (_, index) => ({
        projectId: payments,
        projectName: "payments",
        username: `user-${index + 1}@example.com`,
        status: "active",
        roles: ["GROUP_READ_ONLY"],
      })),
      teams: [],
      teamPeople: [],
    },
  };
}

/**
 * @param {Partial<import("../cli/drift/report/schema.js").Finding> & { property: string, kind: "changed" | "added" | "removed" | "deleted" }} facts
 * @returns {import("../cli/drift/report/schema.js").Finding}
 */
function finding({ stack = "prod", name = "payments", type = "opsmanager:index:Project", ...facts }) {
  return {
    stack,
    urn: `urn:pulumi:${stack}::platform::${type}::${name}`,
    type,
    name,
    id: payments,
    comparison: "program",
    cause: "outside",
    ...facts,
  };
}
