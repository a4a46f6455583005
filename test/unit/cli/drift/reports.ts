/** Reports for tests of what is made from them. */
import type { FormatOptions } from "../../../../cli/drift/formats/format";
import { formats as formatsOfDocument } from "../../../../cli/drift/outputs";
import { documentOf } from "../../../../cli/drift/report/document";
import type {
  Finding,
  Report,
  Unmanaged,
  UnmanagedKind,
  UnmanagedRow,
} from "../../../../cli/drift/report/model";

type FormatName = keyof typeof formatsOfDocument;

/** Writes a report in one format. */
export function formatted(name: FormatName) {
  return (of: Report, options: Partial<FormatOptions> = {}): string =>
    formatsOfDocument[name](documentOf(of), options);
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

export const orgId = "5e0000000000000000000001";

/** Something that no resource owns, in project payments; with a name as its ID in lower case. */
export function unowned(kind: UnmanagedKind, name: string, change: Partial<UnmanagedRow> = {}): UnmanagedRow {
  const place = { name: "payments", id: "5f0000000000000000000001" };
  return { kind, holder: { name, id: name.toLowerCase() }, place, roles: [], ...change };
}

/** A project that no resource owns. */
export function unownedProject(name: string, id = "5f0000000000000000000009"): UnmanagedRow {
  return unowned("projects", name, { holder: { name, id }, place: { name, id }, orgId });
}

/** The rows of a kind. */
export function rowsOf({ unmanaged }: { readonly unmanaged?: Unmanaged | undefined }, kind: UnmanagedKind) {
  return unmanaged?.rows.filter((row) => row.kind === kind) ?? [];
}

export const unmanaged: Unmanaged = {
  organizations: [{ orgId, projects: { total: 3, managed: 2 }, people: { total: 200, managed: 199 } }],
  rows: [
    unownedProject("by-hand"),
    unowned("people", "bob@example.com", { status: "active", roles: ["GROUP_READ_ONLY"] }),
    unowned("people", "carol@example.com", { status: "indirect" }),
  ],
};

/** The same, with a rule for all of it. */
export const ignoredUnmanaged: Unmanaged = {
  ...unmanaged,
  rows: unmanaged.rows.map((row) => {
    if (row.status === "indirect") return row;
    const byProject = { reason: "a sandbox" };
    const byPerson = { reason: "as bob@example.com said", expires: "2027-01-01" };
    return { ...row, ignored: row.kind === "projects" ? byProject : byPerson };
  }),
};

export function report(change: Partial<Report> = {}): Report {
  const findings = change.findings ?? [];
  return {
    schemaVersion: 1,
    tool: { name: "opsmanager", version: "0.1.0" },
    generatedAt: "2026-03-04T05:06:07.890Z",
    result: change.unreadable?.length ? "unknown" : findings.length > 0 ? "drift" : "clean",
    stacks: [{ stack: "prod", project: "platform", resources: 12 }],
    findings,
    unreadable: [],
    ...change,
  };
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
    unmanaged: { ...unmanaged, rows: [...unmanaged.rows, ...ignoredUnmanaged.rows] },
  });
}
