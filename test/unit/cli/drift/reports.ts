/** Reports for tests of what is made from them. */
import type { FormatOptions } from "../../../../cli/drift/formats/format";
import { formats as formatsOfDocument } from "../../../../cli/drift/outputs";
import { documentOf } from "../../../../cli/drift/report/document";
import { fromJson, toJson } from "../../../../cli/drift/report/json";
import { type Finding, type Report, type Unmanaged, unmanagedOf } from "../../../../cli/drift/report/model";
import type { UnmanagedLists } from "../../../../cli/drift/report/schema";

type FormatName = keyof typeof formatsOfDocument;

/** Writes a report in one format. */
export function formatted(name: FormatName) {
  return (of: Report, options: Partial<FormatOptions> = {}): string =>
    formatsOfDocument[name](documentOf(of), options);
}

/** The unmanaged objects as JSON has them. */
export function listsOf(found: Unmanaged): UnmanagedLists {
  return toJson(report({ unmanaged: unmanagedOf(found) })).unmanaged ?? unmanaged;
}

export const formatNames = Object.keys(formatsOfDocument) as FormatName[];

const URN = "urn:pulumi:prod::platform::opsmanager:index:";

export function finding(change: Partial<Finding> = {}): Finding {
  const name = change.name ?? "payments";
  const type = change.type ?? "opsmanager:index:Project";
  return {
    stack: "prod",
    urn: `${URN}${type.split(":").at(-1)}::${name}`,
    type,
    name,
    id: "5f0000000000000000000001",
    comparison: "program",
    cause: "outside",
    kind: "changed",
    property: "name",
    declared: "payments",
    live: "payments-by-hand",
    ...change,
  };
}

/** An invited person whom a list of people does not declare. */
export const undeclaredPerson: Partial<Finding> = {
  type: "opsmanager:index:ProjectMembers",
  kind: "undeclared",
  property: 'members["mallory@example.com"]',
  declared: undefined,
  live: ["GROUP_OWNER"],
  object: {
    what: "person",
    name: "mallory@example.com",
    status: "pending",
    in: "project",
    containerId: "5f0000000000000000000001",
    containerName: "payments",
  },
};

export const member: Partial<Finding> = {
  type: "opsmanager:index:ProjectMembers",
  name: "payments-people",
  kind: "removed",
  property: 'members["Ada@example.com"]',
  declared: ["GROUP_OWNER"],
  live: undefined,
};

const inPayments = { projectId: "5f0000000000000000000001", projectName: "payments" };

export const unmanaged: UnmanagedLists = {
  organizations: [
    {
      orgId: "5e0000000000000000000001",
      projects: { total: 3, managed: 2 },
      people: { total: 200, managed: 199 },
    },
  ],
  projects: [{ orgId: "5e0000000000000000000001", projectId: "5f0000000000000000000009", name: "by-hand" }],
  people: [
    { ...inPayments, username: "bob@example.com", status: "active", roles: ["GROUP_READ_ONLY"] },
    { ...inPayments, username: "carol@example.com", status: "indirect", roles: [] },
  ],
  teams: [],
  teamPeople: [],
};

/** The same, with a rule for all of it. */
export const ignoredUnmanaged: UnmanagedLists = {
  ...unmanaged,
  projects: unmanaged.projects.map((project) => ({ ...project, ignored: { reason: "a sandbox" } })),
  people: unmanaged.people.map((person) =>
    person.status === "indirect"
      ? person
      : { ...person, ignored: { reason: "as bob@example.com said", expires: "2027-01-01" } },
  ),
};

/** What a report has other than the usual one; unmanaged objects as JSON has them, or as a report does. */
export type Change = Partial<Omit<Report, "unmanaged">> & { readonly unmanaged?: UnmanagedLists | Unmanaged };

export function report({ unmanaged: found, ...change }: Change = {}): Report {
  const findings = change.findings ?? [];
  const others: Report = {
    schemaVersion: 1,
    tool: { name: "opsmanager", version: "0.1.0" },
    generatedAt: "2026-03-04T05:06:07.890Z",
    result: change.unreadable?.length ? "unknown" : findings.length > 0 ? "drift" : "clean",
    stacks: [{ stack: "prod", project: "platform", resources: 12 }],
    findings,
    unreadable: [],
    ...change,
  };
  if (found === undefined) return others;
  return "rows" in found ? { ...others, unmanaged: found } : fromJson({ ...others, unmanaged: found });
}

/** So many projects with a difference. */
export function manyFindings(count: number): Report {
  const names = Array.from({ length: count }, (_, index) => `project-${index}`);
  return report({ findings: names.map((name) => finding({ name, live: "x".repeat(100) })) });
}

/** One of everything, with the texts that break a format when they are not escaped. */
export function fullReport(): Report {
  return report({
    stacks: [
      { stack: "prod", project: "platform", resources: 12 },
      { stack: "test | `x`", project: "platform", resources: 3 },
    ],
    findings: [
      finding(),
      finding({
        kind: "added",
        property: "tags[1]",
        declared: undefined,
        live: "</details>|`@team` <b>\n\u0007\ud800",
      }),
      finding(member),
      finding({ kind: "deleted", name: "legacy", property: "", declared: undefined, live: undefined }),
      finding({
        name: 'odd "name" & <more>',
        ignored: { reason: "accepted ]]> & <so>", expires: "2027-01-01" },
      }),
      finding({ stack: "test | `x`", comparison: "state", live: "a\\|b" }),
    ],
    unreadable: [
      {
        what: `${URN}Project::billing`,
        reason: "401 <html> | @ops\r\nAsk for the role \u0000.",
        stack: "prod",
      },
      { what: "people of project by-hand (5f0000000000000000000009)", reason: "The key lacks a role." },
    ],
    unmanaged,
  });
}

/** One of everything, and each kind of ignored thing. */
export function everything(): Report {
  const full = fullReport();
  return report({
    ...full,
    unreadable: [...full.unreadable, { what: "ldap", reason: "no role", ignored: { reason: "not needed" } }],
    unmanaged: {
      ...unmanaged,
      projects: [...unmanaged.projects, ...ignoredUnmanaged.projects],
      people: [...unmanaged.people, ...ignoredUnmanaged.people],
    },
  });
}
