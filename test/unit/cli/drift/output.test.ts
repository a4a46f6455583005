import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutputs, wholeReportFile, writeReport } from "../../../../cli/drift/outputs";
import { withEarlier } from "../../../../cli/drift/previous";
import type { Finding, Report } from "../../../../cli/drift/report/model";
import { checkWritable } from "../../../../cli/lib/outputs";
import { runCommand } from "../../../support/command";
import {
  finding as findingOf,
  formatted,
  ignoredUnmanaged,
  report as reportWith,
  unowned,
  unownedProject,
} from "./reports";

const text = formatted("text");

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-drift-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const quiet = { stdout: () => {}, hasColors: false, cwd: "/", env: {} };

const finding = (facts: Partial<Finding>) => findingOf({ declared: undefined, live: undefined, ...facts });

const renamed = { name: "renamed", declared: "a", live: "b" };
const report = reportWith({
  generatedAt: "2026-01-02T03:04:05.000Z",
  stacks: [
    { stack: "prod", project: "platform", resources: 4 },
    { stack: "dev", project: "platform", resources: 1 },
  ],
  findings: [
    finding({ declared: "payments", live: "by-\u001b[31mhand" }),
    finding({ kind: "added", property: "tags[1]", live: "URGENT" }),
    finding({
      kind: "removed",
      property: "tags[0]",
      declared: "PROD",
      ignored: { reason: "audit", expires: "2027-01-01" },
    }),
    finding({ name: "deleted", kind: "deleted", property: "" }),
    finding({ name: "fresh", kind: "removed", property: "", cause: "unknown" }),
    finding({ name: "late", kind: "removed", property: "", cause: "unknown", end: { until: "2025-12-31" } }),
    finding({ name: "old", kind: "added", property: "", cause: "not-applied" }),
    finding({ ...renamed, cause: "both" }),
    finding({ ...renamed, comparison: "state", cause: "unknown", property: "orgId" }),
  ],
  unreadable: [
    ...["ada", "bob"].map((name) => ({
      what: findingOf({ type: "opsmanager:index:ProjectMember", name }).urn,
      reason: "No right:\n\u001b[2Jsorry.",
      stack: "prod",
    })),
    { what: "stack test", reason: "no stack named 'test' found.", stack: "test" },
  ],
});

const inWords = `Not determined: 3 entries. Beside that: 8 differences in 6 resources (3 changed, 2 added, 2 removed, 1 deleted). 1 ignored.

prod (platform, 4 resources)
  payments (Project)
    ~ name: declared "payments", live "by-\\u001b[31mhand" (changed outside Pulumi)
    + tags[1]: live "URGENT", not declared (changed outside Pulumi)
    - tags[0]: declared "PROD", not there (changed outside Pulumi) (ignored: audit, until 2027-01-01)
  deleted (Project)
    x The whole object no longer exists (changed outside Pulumi)
  fresh (Project)
    - It is in the program but not in the stack: the next up creates or adopts it (changed outside Pulumi or not applied yet)
  late (Project)
    - It is in the program but not in the stack, and its last day is over: the next up takes away what is there (changed outside Pulumi or not applied yet) (its last day was 2025-12-31)
  old (Project)
    + It is in the stack but no longer in the program: the next up destroys it (not applied yet)
  renamed (Project)
    ~ name: declared "a", live "b" (changed outside Pulumi, and the program is not applied yet)
    ~ orgId: declared "a", live "b" (changed outside Pulumi or not applied yet, compared with the state)
  ? ada (ProjectMember), bob (ProjectMember): No right: \\u001b[2Jsorry.

dev (platform, 1 resource)
  as declared

  ? stack test: no stack named 'test' found.
`;

it("the text has the counts first, then each difference below its resource, and obeys no escape of the service", () => {
  expect(text(report, { hasColors: false })).toBe(inWords);
});

it("the text names people with indirect access once, and unmanaged objects that a rule excludes with its reason", () => {
  const inOnly = (username: string, ...projects: string[]) =>
    projects.map((name) => unowned("people", username, { place: { name, id: "5f" }, status: "indirect" }));
  const rows = [
    ...ignoredUnmanaged.rows.filter(({ status }) => status !== "indirect"),
    ...inOnly("owner@example.com", "payments", "billing", "ledger", "search"),
    ...inOnly("carol@example.com", "payments", "billing: EU"),
  ];
  const written = text(reportWith({ unmanaged: { ...ignoredUnmanaged, rows } }));
  expect(written).toMatch(/^No drift\. 2 ignored\.\n/);
  expect(written).toContain("Unmanaged: 0 projects, 0 project memberships.");
  expect(written).toMatch(/^ {2}by-hand \(5f0{21}9\) in organization \w+ \(ignored: a sandbox\)$/m);
  expect(written).toMatch(/bob@example\.com in payments .* \(ignored: as bob@.* said, until 2027-01-01\)/);
  expect(written).toContain(
    [
      "Access only through a team or the organization, which a project cannot manage:",
      "  owner@example.com in 4 projects",
      '  carol@example.com in payments, "billing: EU"',
    ].join("\n"),
  );
});

it("the text says once for each kind of undeclared access what removes it and what accepts it", () => {
  const undeclared = (what: NonNullable<Finding["object"]>["what"], kind = "ProjectMembers") =>
    finding({
      kind: "undeclared",
      type: `opsmanager:index:${kind}`,
      property: what,
      object: { what, name: what, in: "project", containerId: "5f", containerName: "payments" },
    });
  const advice = (...findings: Finding[]) =>
    text(reportWith({ findings })).match(/^(Undeclared|An account) .*$/gm);
  const accept = "To accept them, declare them, or add an ignore rule";
  const stay = (what: string) => `Undeclared ${what} stay. To remove them, use Ops Manager. ${accept}.`;
  const people = (resources: string, more = "") =>
    `Undeclared people stay, unless removeUnlisted of their ${resources} is true. To remove them, set removeUnlisted, or use Ops Manager. ${accept}${more}.`;

  expect(advice(undeclared("person", "Team"), undeclared("person"))).toEqual([
    people("ProjectMembers or Team", " or ignoreUsers of ProjectMembers"),
  ]);
  // The names of a secret list are not known.
  expect(advice(finding({ kind: "undeclared", type: "opsmanager:index:Team" }))).toEqual([people("Team")]);
  // removeUnlisted may be set already, and the name is listed.
  const namesake = undeclared("person");
  const taken = { ...namesake, object: { ...namesake.object, listedAccount: "new" } as Finding["object"] };
  expect(advice(taken)).toEqual([
    "An account that has taken the name of a listed one stays, also with removeUnlisted: list the renamed account by its new name, and run pulumi up.",
  ]);
  const ignored = { ...undeclared("person", "Team"), ignored: { reason: "audit" } };
  const owner = undeclared("person", "ProjectMember");
  expect(advice(undeclared("team"), undeclared("key"), undeclared("group"), owner, ignored)).toEqual([
    stay("teams, API keys, groups, and owners beside a ProjectMember"),
  ]);
  // No resource declares one.
  const federated = { ...undeclared("group"), property: "roleMappings.admins" };
  expect(advice(undeclared("service account"), undeclared("key"), federated)).toEqual([
    stay("API keys"),
    "Undeclared service accounts and groups of a federation stay, and no resource declares them. To remove them, use Cloud Manager. To accept them, add an ignore rule.",
  ]);
});

/** "No drift." stood above an exit code of 2. */
it("the text on stdout stops after 20 entries of each section, without ignored ones, and has all with --all", async () => {
  const many = Array.from({ length: 30 }, (_, index) => `object-${index}`);
  const long = reportWith({
    findings: [
      ...many.slice(0, 15).map((name) => finding({ name, ignored: { reason: "audit" } })),
      ...many.map((name) => finding({ name: `counted-${name}` })),
    ],
    unreadable: many.flatMap((what) => [
      { what, reason: "no role", stack: "prod" },
      { what, reason: "no list" },
    ]),
    unmanaged: {
      organizations: [],
      rows: [
        ...many.map((name) => unownedProject(name)),
        ...(["active", "indirect"] as const).flatMap((status) =>
          many.map((name) => unowned("people", name, { status })),
        ),
      ],
    },
  });
  const onStdout = async (of: Report, showAll = false) => {
    const written: string[] = [];
    const stdout = (words: string) => void written.push(words);
    await writeReport(of, readOutputs(["text"], folder), { ...quiet, stdout }, { showAll });
    return written.join("");
  };
  const written = await onStdout(long);
  expect(written).toMatch(/^Not determined: 60 entries\. Beside that: 30 differences in 30 resources/);
  expect(written.match(/ ~ name/g)).toHaveLength(20);
  expect(written).not.toContain("ignored: audit");
  expect(written).not.toContain("counted-object-20");
  expect(written.match(/^ {2}(?:\? )?and .*$/gm)).toEqual(
    ["  and 25", "  ? and 10", "  ? and 10", "  and 10", "  and 10", "  and 10"].map(
      (left) => `${left} more (--all shows them)`,
    ),
  );
  expect(await onStdout(long, true)).toBe(text(long, { hasColors: false }));
  // What is new is never among the others.
  const before = { ...long, findings: long.findings.filter(({ name }) => name !== "counted-object-29") };
  const later = withEarlier({ ...long, generatedAt: "2026-03-05T03:04:05.000Z" }, { report: before });
  expect(await onStdout(later)).toContain("counted-object-29");
});

it("the complete report for people is the HTML file, else the JSON file", () => {
  const fileOf = (...values: string[]) => wholeReportFile(readOutputs(values, "/reports"));
  expect(fileOf("json=a.json", "html=a.html", "markdown")).toBe("/reports/a.html");
  expect(fileOf("json=a.json", "html")).toBe("/reports/a.json");
  expect(fileOf("markdown=a.md")).toBeUndefined();
});

it("several forms are written at once, each as a whole or not at all, and folders are made for them", async () => {
  await writeFile(join(folder, "taken"), "");
  const outputs = readOutputs(["json=a/drift.json", "text=b.txt", "html=taken/drift.html", "text"], folder);
  const written: string[] = [];
  const stdout = (words: string) => void written.push(words);
  await expect(writeReport(report, outputs, { ...quiet, stdout, hasColors: true })).rejects.toMatchObject({
    code: "OPSMANAGER_REFUSED",
    message: expect.stringContaining("taken"),
  });
  expect(JSON.parse(await readFile(join(folder, "a", "drift.json"), "utf8"))).toEqual(report);
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe(inWords);
  expect(written).toEqual([text(report, { hasColors: true })]);
  expect((await readdir(folder)).sort()).toEqual(["a", "b.txt", "taken"]);
});

it("files that cannot be written are named before the work, all at once, without text of Node.js", async () => {
  await writeFile(join(folder, "taken"), "");
  await mkdir(join(folder, "folder"));
  await symlink(join(folder, "nowhere"), join(folder, "link"));
  const outputs = readOutputs(
    ["json=taken/drift.json", "html=folder", "junit=link/drift.xml", "text=new/drift.txt"],
    folder,
  );
  await expect(checkWritable(outputs)).rejects.toMatchObject({
    message: [
      `${join(folder, "taken", "drift.json")} cannot be written: a part of its path is a file, or a link to nothing, and not a folder. Give --format another file.`,
      `${join(folder, "folder")} cannot be written: it is a folder. Give --format another file.`,
      `${join(folder, "link", "drift.xml")} cannot be written: a part of its path is a file, or a link to nothing, and not a folder. Give --format another file.`,
    ].join("\n"),
  });
  expect((await readdir(folder)).sort()).toEqual(["folder", "link", "new", "taken"]);
  expect(await readdir(join(folder, "new"))).toEqual([]);
  await checkWritable(readOutputs(["json=new/drift.json", "text"], folder));
  for (const [command = "", ...rest] of [
    ["drift"],
    ["access", "ada@example.com"],
    ["summarize", "preview"],
  ]) {
    const argv = [command, "--format", "text=folder", ...rest];
    const result = await runCommand(argv, { cwd: folder, env: {} });
    expect(result).toMatchObject({ exitCode: 64, stderr: expect.stringContaining("it is a folder") });
  }
});

it("a link stays a link to its file, and a pipe a pipe", async () => {
  await writeFile(join(folder, "target.txt"), "");
  await symlink(join(folder, "target.txt"), join(folder, "link.txt"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const outputs = readOutputs(["text=link.txt", "json=pipe"], folder);
  await checkWritable(outputs);
  const received = readFile(join(folder, "pipe"), "utf8");
  await writeReport(report, outputs, quiet);
  expect(JSON.parse(await received)).toMatchObject({ schemaVersion: 1 });
  expect(await readlink(join(folder, "link.txt"))).toBe(join(folder, "target.txt"));
  expect(await readFile(join(folder, "target.txt"), "utf8")).toContain("Not determined");
  expect((await stat(join(folder, "pipe"))).isFIFO()).toBe(true);
});

it("every fault of --format is named", () => {
  const values = ["yaml=x", "json=", "text", "json", "json=a", "text=a"];
  expect(() => readOutputs(values, "/reports")).toThrow(
    [
      '--format yaml=x: there is no format "yaml"; there are text, json, markdown, html, sarif, junit.',
      "--format json=: the name of the file is missing.",
      "Only one --format can go to stdout; give the others a file, such as --format markdown=report.md.",
      "Two formats go to the same file, /reports/a.",
    ].join("\n"),
  );
});

describe("the command", () => {
  const drift = (...argv: string[]) => runCommand(["drift", ...argv], { cwd: folder, env: { PATH: folder } });
  const pulumiYaml = (content: string) => writeFile(join(folder, "Pulumi.yaml"), content);

  /** The system reports a missing folder and a missing command by one code, and `pulumi` was reported as missing. */
  it("reports where Pulumi.yaml is missing, and that there is no such folder, also if one above it holds a program", async () => {
    await mkdir(join(folder, "program"));
    const empty = await drift("--cwd", "program");
    expect(empty).toMatchObject({ exitCode: 1, stdout: "" });
    expect(empty.stderr).toContain(`There is no Pulumi.yaml in ${join(folder, "program")}`);
    await pulumiYaml("name: platform\nruntime: yaml\n");
    const stderr = "opsmanager: --cwd nowhere: there is no such folder.\n";
    expect(await drift("--cwd", "nowhere")).toEqual({ exitCode: 64, stdout: "", stderr });
  });

  /** A wrong Pulumi.yaml ended with the stack trace of the YAML parser. */
  it.each(["name: platform\nruntime: yaml\n", "name: [\n", "name: *missing\n", "- platform\n"])(
    "reports that there is no pulumi, and leaves it to pulumi to complain of the Pulumi.yaml: %j",
    async (content) => {
      await pulumiYaml(content);
      const result = await drift("--stack", "prod");
      expect(result).toMatchObject({ exitCode: 1, stderr: "" });
      expect(result.stdout).toContain("? stack prod: There is no pulumi command on PATH");
    },
  );

  it("reads nothing where the ignore file has a fault", async () => {
    await pulumiYaml("name: platform\nruntime: yaml\n");
    await writeFile(join(folder, ".opsmanager-drift.yaml"), "- resource: payments\n");
    const result = await drift();
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(".opsmanager-drift.yaml:1:3: reason is missing.");
  });
});
