/** The messages that docs/drift-ci.md makes of a report with `jq`: its commands, with its filters. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withEarlier } from "../../../cli/drift/previous";
import { itIf } from "../../support";
import { readPage } from "../../support/documents";
import { everything, finding, formatted, report } from "../../unit/cli/drift/reports";
import { hasJq } from "../gitops/support";

const folder = mkdtempSync(join(tmpdir(), "opsmanager-messages-"));
afterAll(() => rmSync(folder, { recursive: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));

itIf(hasJq(), "there is no jq on PATH")(
  "make a message for Slack within its limits, a card for Teams, and metrics",
  () => {
    const { blocks } = readPage("docs/drift-ci.md");
    const filters = blocks.filter(({ language }) => language === "jq").map(({ text }) => text);
    const commands = blocks.flatMap(({ text }) => text.match(/^jq .*$/gm) ?? []);
    expect(commands).toHaveLength(filters.length);
    const messagesOf = (content: ReturnType<typeof report>) => {
      put("last.json", formatted("json")(content));
      put("report.txt", formatted("text")(content));
      for (const [index, command] of commands.entries()) {
        put(/-f (\S+)/.exec(command)?.[1] ?? "", filters[index] ?? "");
        execFileSync("sh", ["-c", command], { cwd: folder });
      }
      return (read("message.json").blocks as { text: { type: string; text: string } }[]).map(({ text }) => {
        expect([text.type, text.text.length > 0, text.text.length <= 3000]).toEqual([
          "plain_text",
          true,
          true,
        ]);
        return text.text;
      });
    };

    const many = Array.from({ length: 1500 }, () => finding({ live: "x".repeat(5000) }));
    expect(messagesOf(report({ findings: many }))).toHaveLength(25);
    const earlier = report({ generatedAt: "2026-03-03T05:06:07.890Z", findings: [finding()] });
    const texts = messagesOf(withEarlier(everything(), { report: earlier }));
    expect([texts[0], ...texts.slice(-2)]).toEqual([
      "unknown: 5 differences, 2 not determined, 2 unmanaged",
      "projects: by-hand in by-hand []",
      'people: bob@example.com in payments ["GROUP_READ_ONLY"]',
    ]);
    expect(read("card.json").attachments[0].content.body[0].text).toMatch(/^Not determined: 2 entries\./);
    expect(readFileSync(join(folder, "metrics.prom"), "utf8").match(/^[^#].*$/gm)).toEqual([
      'opsmanager_drift_differences{stack="prod"} 4',
      'opsmanager_drift_differences{stack="test | `x`"} 1',
      "opsmanager_drift_undetermined 2",
      "opsmanager_drift_unmanaged 2",
      "opsmanager_drift_oldest_timestamp_seconds 1772514367",
      "opsmanager_drift_report_timestamp_seconds 1772600767",
    ]);
  },
);
