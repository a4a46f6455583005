import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { reportOn } from "../../../../cli/drift";
import { sarif } from "../../../../cli/drift/formats/sarif";
import { fileLocations } from "../../../../cli/drift/locations";
import { documentOf } from "../../../../cli/drift/report/document";

let root: string;
let program: string;

async function put(path: string, ...lines: string[]): Promise<void> {
  const file = join(program, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${lines.join("\n")}\n`);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "opsmanager-locations-"));
  program = join(root, "infra");
  await mkdir(join(root, ".git"));
  await put("projects/_defaults.yaml", "orgId: 5f0c0c0c0c0c0c0c0c0c0c0c", "tags: [PROD]");
  await put(
    "projects/x.yaml",
    "name: Payments",
    "members:",
    "  ada@example.com: [GROUP_OWNER]",
    "membership: additive",
    "teams:",
    "  readers: [GROUP_READ_ONLY]",
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

const urnOf = (kind: string, name: string, parent = "opsmanager:projects:ProjectFolder$") =>
  `urn:pulumi:prod::platform::${parent}opsmanager:index:${kind}::${name}`;

const inProjects = [{ layout: "projects", folder: "projects" }] as const;

it.each([
  ["Project", "x", "name", { file: "infra/projects/x.yaml", line: 1, column: 7 }],
  ["Project", "x", "tags", { file: "infra/projects/_defaults.yaml", line: 2, column: 1 }],
  ["Project", "x", "", { file: "infra/projects/x.yaml", line: 1, column: 1 }],
  ["ProjectMember", "x/ada@example.com", "roles", { file: "infra/projects/x.yaml", line: 3, column: 3 }],
  [
    "ProjectMembers",
    "x",
    'members["ada@example.com"]',
    { file: "infra/projects/x.yaml", line: 3, column: 3 },
  ],
  ["ProjectTeam", "x/readers", "roles", { file: "infra/projects/x.yaml", line: 6, column: 3 }],
  ["Project", "other", "name", undefined],
  ["AgentApiKey", "x", "", undefined],
])("%s %s, property %j, is declared at its location", (kind, name, property, expected) => {
  expect(fileLocations(inProjects, program)(urnOf(kind, name), property)).toEqual(expected);
});

it("is not known of a resource outside of a ProjectFolder, of a key in two folders, and of files with a fault", async () => {
  const locate = (folders: string[], urn = urnOf("Project", "x")) =>
    fileLocations(
      folders.map((folder) => ({ layout: "projects", folder })),
      program,
    )(urn, "name");
  expect(locate(["projects"], urnOf("Project", "x", ""))).toBeUndefined();
  await put("more/x.yaml", "name: x", "orgId: 5f0c0c0c0c0c0c0c0c0c0c0c");
  expect(locate(["projects", "more"])).toBeUndefined();
  expect(locate(["projects", "projects"])).toMatchObject({ line: 1 });
  await put("projects/broken.yaml", "tagz: []");
  expect(locate(["projects"])).toBeUndefined();
  expect(locate(["missing"])).toBeUndefined();
});

it.each([
  ["Project", "x", "name", { file: "infra/projects/x.yaml", line: 1, column: 7 }],
  ["Team", "x", "usernames", { file: "infra/teams/x.yaml", line: 2, column: 1 }],
  [
    "OrganizationFile$opsmanager:index:OrganizationMember",
    "x/ada@example.com",
    "roles",
    { file: "infra/organizations/x.yaml", line: 2, column: 12 },
  ],
  [
    "OrganizationFile$opsmanager:index:ApiKey",
    "x/ci",
    "",
    { file: "infra/organizations/x.yaml", line: 4, column: 3 },
  ],
])(
  "of an AccessFolder, %s %s, property %j, is declared at its location",
  async (kind, name, property, at) => {
    await put("teams/x.yaml", "name: x", "usernames: [ada@example.com]");
    await put(
      "organizations/x.yaml",
      "key: x",
      "members: { ada@example.com: [ORG_OWNER] }",
      "apiKeys:",
      "  ci: { description: pipeline, roles: [ORG_MEMBER] }",
    );
    const locate = fileLocations([{ layout: "access", folder: "." }], program);
    expect(locate(urnOf(kind, name, "opsmanager:index:AccessFolder$"), property)).toEqual(at);
  },
);

it("is in the report and in SARIF, where other results point to Pulumi.yaml", () => {
  const [urn, other] = [urnOf("Project", "x"), urnOf("Project", "y", "")];
  const facts = {
    stack: "prod",
    type: "opsmanager:index:Project",
    name: "x",
    comparison: "program",
  } as const;
  const findings = [urn, other].map(
    (each) => ({ ...facts, urn: each, cause: "outside", kind: "changed", property: "name" }) as const,
  );
  const report = reportOn(
    [{ state: undefined, findings, undetermined: [{ what: urn, reason: "No role." }] }],
    [],
    {
      generatedAt: "2026-01-02T03:04:05.000Z",
      locationOf: fileLocations(inProjects, program),
    },
  );
  const location = { file: "infra/projects/x.yaml", line: 1, column: 7 };
  expect(report.findings.map((finding) => finding.location)).toEqual([location, undefined]);
  expect(report.unreadable).toMatchObject([
    { location: { file: "infra/projects/x.yaml", line: 1, column: 1 } },
  ]);
  const { results } = JSON.parse(sarif(documentOf(report), { programFile: "infra/Pulumi.yaml" })).runs[0];
  interface Place {
    readonly artifactLocation: { readonly uri: string };
    readonly region: object;
  }
  const files = results.flatMap(({ locations }: { locations: readonly { physicalLocation: Place }[] }) =>
    locations.map(({ physicalLocation: { artifactLocation, region } }) => [artifactLocation.uri, region]),
  );
  expect(files).toEqual([
    ["infra/projects/x.yaml", { startLine: 1, startColumn: 7 }],
    ["infra/Pulumi.yaml", { startLine: 1 }],
    ["infra/projects/x.yaml", { startLine: 1, startColumn: 1 }],
  ]);
});
