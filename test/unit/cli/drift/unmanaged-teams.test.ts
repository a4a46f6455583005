/** Teams in projects that no resource owns, in the formats of the report. */
import { html } from "../../../../cli/drift/formats/html";
import { junit } from "../../../../cli/drift/formats/junit";
import { markdown } from "../../../../cli/drift/formats/markdown";
import { sarif } from "../../../../cli/drift/formats/sarif";
import { text } from "../../../../cli/drift/formats/text";
import { parseIgnoreRules, withIgnoredUnmanaged } from "../../../../cli/drift/ignore-rules";
import { maskPeople } from "../../../../cli/drift/mask-people";
import { countIgnored, notIgnored, type Unmanaged, unmanagedEntries } from "../../../../cli/drift/report";
import { ownership } from "../../../../cli/lib/ownership";
import { report } from "./reports";

const projectId = "5f0000000000000000000001";
const teamId = "5f00000000000000000000e1";

const unmanaged: Unmanaged = {
  organizations: [
    {
      orgId: "5e0000000000000000000001",
      projects: { total: 1, managed: 1 },
      people: { total: 0, managed: 0 },
      teams: { total: 4, managed: 3 },
    },
  ],
  projects: [],
  people: [],
  teams: [{ projectId, projectName: "payments", teamId, name: "operators", roles: ["GROUP_OWNER"] }],
  teamPeople: [],
};

const found = report({ unmanaged });

it.each([
  [
    "text",
    text(found, { hasColors: false }),
    "team operators in payments (5f0000000000000000000001): GROUP_OWNER",
  ],
  ["text", text(found, { hasColors: false }), "3 of 4 teams managed (75%)"],
  ["markdown", markdown(found), "0 projects, 0 people, and 1 team unmanaged"],
  ["markdown", markdown(found), "Teams that no resource owns: 1"],
  ["HTML", html(found), "<h3>Teams that no resource owns <small>1</small></h3>"],
  ["JUnit", junit(found), 'classname="unmanaged.teams" name="team operators in payments'],
  ["SARIF", sarif(found), "Team operators is in project payments"],
])("are in the format %s", (_, written, expected) => {
  expect(written).toContain(expected);
});

it("are ignored by a rule that names the project, and the team as property", () => {
  const rulesOf = (property: string) =>
    parseIgnoreRules(
      `- resource: payments\n  property: ${property}\n  kind: unmanaged\n  reason: other stack\n`,
      "rules.yaml",
      "2026-06-15",
    );
  const other = withIgnoredUnmanaged(unmanaged, rulesOf("admins"));
  expect(notIgnored(unmanagedEntries(other))).toHaveLength(1);
  const ignored = withIgnoredUnmanaged(unmanaged, rulesOf("oper*"));
  expect(notIgnored(unmanagedEntries(ignored))).toEqual([]);
  expect(countIgnored(report({ unmanaged: ignored }))).toBe(1);
});

it("are owned by a ProjectTeam of either provider, in its own project only", () => {
  const resource = (type: string) => ({ type, id: `${projectId}/${teamId}`, inputs: {}, outputs: {} });
  for (const type of ["opsmanager:index:ProjectTeam", "pulumi-nodejs:dynamic/opsmanager:ProjectTeam"]) {
    const owners = ownership([resource(type)]);
    expect(owners.ownsTeam(projectId, teamId)).toBe(true);
    expect(owners.ownsTeam("5f0000000000000000000002", teamId)).toBe(false);
  }
});

it("keep their names when people are masked, and people of a Team have pseudonyms", () => {
  const state = {
    urn: "urn:pulumi:prod::platform::opsmanager:index:Team::operators",
    type: "opsmanager:index:Team",
    id: `${projectId}/${teamId}`,
    inputs: { usernames: ["ada.l"] },
    outputs: { people: [{ username: "ada.l", userId: teamId }] },
  };
  const finding = {
    stack: "prod",
    urn: state.urn,
    type: state.type,
    id: state.id,
    name: "operators",
    comparison: "program",
    cause: "outside",
    kind: "removed",
    property: "usernames[0]",
    declared: "ada.l",
  } as const;
  const masked = maskPeople(report({ unmanaged, findings: [finding] }), [state]);
  expect(JSON.stringify(masked)).not.toContain("ada.l");
  expect(masked.unmanaged?.teams[0]?.name).toBe("operators");
});
