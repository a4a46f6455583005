/**
 * The reports in docs/drift.md that no test of the engine compares are what the text format writes.
 */
import { withEarlier } from "../../../cli/drift/previous";
import { readPage } from "../../support/documents";
import { finding, formatted, report, undeclaredPerson } from "../cli/drift/reports";

const tags = finding({ property: "tags", declared: ["TEAM_PAYMENTS"], live: ["URGENT"] });
const mallory = finding(undeclaredPerson);
const renamed = finding({ name: "billing" });
const stacks = [{ stack: "prod", project: "gitops", resources: 6 }];
const on = (day: string, ...findings: (typeof tags)[]) =>
  report({ generatedAt: `2026-11-${day}T06:00:00.000Z`, stacks, findings });

it("shows what is new, and who is not declared", () => {
  const first = withEarlier(on("20", renamed), { report: undefined });
  const second = withEarlier(on("21", renamed, tags), { report: first });
  const third = withEarlier(on("23", renamed, tags), { report: second });
  const fourth = withEarlier(on("24", tags, mallory), { report: third });
  const samples = readPage("docs/drift.md").blocks.map((block) => block.text.trim());
  for (const each of [fourth, on("24", mallory)]) expect(samples).toContain(formatted("text")(each).trim());
});
