/** People of a declared team whom no resource declares, in the formats of the report. */
import { html } from "../../../../cli/drift/formats/html";
import { junit } from "../../../../cli/drift/formats/junit";
import { markdown } from "../../../../cli/drift/formats/markdown";
import { sarif } from "../../../../cli/drift/formats/sarif";
import { text } from "../../../../cli/drift/formats/text";
import { parseIgnoreRules, withIgnoredUnmanaged } from "../../../../cli/drift/ignore-rules";
import { maskPeople } from "../../../../cli/drift/mask-people";
import {
  countIgnored,
  driftReport,
  notIgnored,
  type Unmanaged,
  unmanagedEntries,
} from "../../../../cli/drift/report";
import { pseudonymOf } from "../../../../cli/lib/mask";
import { finding, report } from "./reports";

const orgId = "5e0000000000000000000001";
const teamId = "5f00000000000000000000e1";

const unmanaged: Unmanaged = {
  organizations: [
    {
      orgId,
      projects: { total: 1, managed: 1 },
      people: { total: 0, managed: 0 },
      teamPeople: { total: 4, managed: 3 },
    },
  ],
  projects: [],
  people: [],
  teams: [],
  teamPeople: [{ orgId, teamId, teamName: "operators", username: "svc_eve" }],
};

const found = report({ unmanaged });

it.each([
  ["text", text(found, { hasColors: false }), "Unmanaged: 0 projects, 0 people, 1 team member."],
  [
    "text",
    text(found, { hasColors: false }),
    `svc_eve in team operators (${teamId}) of organization ${orgId}`,
  ],
  ["text", text(found, { hasColors: false }), "3 of 4 team members managed (75%)"],
  ["markdown", markdown(found), "0 projects, 0 people, and 1 team member unmanaged"],
  ["markdown", markdown(found), "Team members that no resource owns: 1"],
  ["markdown", markdown(found), "| 1 of 1 (100%) | 0 of 0 | 3 of 4 (75%) |"],
  ["HTML", html(found), "<h3>Team members that no resource owns <small>1</small></h3>"],
  ["HTML", html(found), "<dt>unmanaged team member</dt><dd>1</dd>"],
  ["HTML", html(found), "3 of 4 team members managed (75%)"],
  [
    "JUnit",
    junit(found),
    `classname="unmanaged.teamPeople" name="svc_eve in team operators (${teamId}) of organization ${orgId}"`,
  ],
  ["SARIF", sarif(found), `svc_eve is in team operators (${teamId}) of organization ${orgId}, and no`],
])("are in the format %s", (_, written, expected) => {
  expect(written).toContain(expected);
});

it("fail in JUnit and SARIF only if unmanaged objects count as drift", () => {
  const counted = report({ unmanaged: { ...unmanaged, countsAsDrift: true } });
  expect(junit(found)).not.toContain("<failure");
  expect(junit(counted)).toContain("<failure");
  const levelIn = (written: string) => JSON.parse(written).runs[0].results[0].level;
  expect([levelIn(sarif(found)), levelIn(sarif(counted))]).toEqual(["note", "warning"]);
});

function withRule(resource: string, property = "*"): Unmanaged {
  const rule = `- resource: "${resource}"\n  property: "${property}"\n  kind: unmanaged\n  reason: break-glass account\n`;
  return withIgnoredUnmanaged(unmanaged, parseIgnoreRules(rule, "rules.yaml", "2026-06-15"));
}

it.each([
  ["the team by its name", withRule("oper*")],
  ["the team by its id", withRule(teamId)],
  ["the person as property, without case", withRule("operators", "SVC_*")],
])("are ignored by a rule that names %s", (_, marked) => {
  expect(notIgnored(unmanagedEntries(marked))).toEqual([]);
  expect(countIgnored(report({ unmanaged: marked }))).toBe(1);
  expect(html(report({ unmanaged: marked }))).toContain("break-glass account");
});

it.each([
  ["another person", withRule("operators", "svc_ada")],
  ["another team", withRule("admins")],
])("count in spite of a rule that names %s", (_, marked) => {
  expect(notIgnored(unmanagedEntries(marked))).toHaveLength(1);
});

it("have pseudonyms when people are masked, everywhere in the report, and the team keeps its name", () => {
  const masked = maskPeople(
    report({ unmanaged, findings: [finding({ declared: "svc_eve", live: "svc_eve too" })] }),
  );
  expect(masked.unmanaged?.teamPeople).toEqual([
    { orgId, teamId, teamName: "operators", username: pseudonymOf("svc_eve") },
  ]);
  expect(JSON.stringify(masked)).not.toContain("svc_eve");
  expect(driftReport.parse(masked)).toEqual(masked);
});
