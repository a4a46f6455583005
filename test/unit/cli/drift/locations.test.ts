import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { reportOn } from "../../../../cli/drift";
import { fileLocations } from "../../../../cli/drift/locations";
import type { Finding } from "../../../../cli/drift/report/model";
import { finding, formatted } from "./reports";

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
    "externalTeams:",
    "  readers: [GROUP_READ_ONLY]",
    "teams: { x: [GROUP_READ_ONLY] }",
  );
  await put("teams/x.yaml", "name: x", "usernames: [ada@example.com]", "orgId: 5f0c0c0c0c0c0c0c0c0c0c0c");
  await put(
    "organizations/x.yaml",
    "key: x",
    "members: { ada@example.com: [ORG_OWNER] }",
    "apiKeys:",
    "  ci: { description: pipeline, roles: [ORG_MEMBER] }",
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

const urnOf = (kind: string, name: string, parent = "opsmanager:index:AccessFolder$") =>
  `urn:pulumi:prod::platform::${parent}opsmanager:index:${kind}::${name}`;
const textOf = (at: Finding["location"]) => at && [at.file, at.line, at.column].join(":");

const people = 'members["ada@example.com"]';
const IN_FILE = "OrganizationFile$opsmanager:index:";
const ada = { name: "x/ada@example.com", property: "roles" };

it.each([
  { kind: "Project", name: "x", property: "name", at: "projects/x.yaml:1:7" },
  { kind: "Project", name: "x", property: "tags", at: "projects/_defaults.yaml:2:1" },
  { kind: "ProjectMembers", name: "x", property: people, at: "projects/x.yaml:3:3" },
  { kind: "ProjectTeam", name: "x/readers", property: "roles", at: "projects/x.yaml:6:3" },
  { kind: "ProjectTeam", name: "x/x", property: "roles", at: "projects/x.yaml:7:10" },
  { kind: "Team", name: "x", property: "usernames", at: "teams/x.yaml:2:1" },
  { kind: `${IN_FILE}OrganizationMember`, ...ada, at: "organizations/x.yaml:2:12" },
  { kind: `${IN_FILE}ApiKey`, name: "x/ci", property: "", at: "organizations/x.yaml:4:3" },
])("$kind $name, property '$property', is declared at $at", ({ kind, name, property, at }) => {
  expect(textOf(fileLocations(["."], program)(urnOf(kind, name), property))).toBe(`infra/${at}`);
});

it("is not known of a resource outside of an AccessFolder, of a key in two folders, and of files with a fault", async () => {
  const locate = (folders: string[], urn = urnOf("Project", "x")) =>
    fileLocations(folders, program)(urn, "name");
  expect(locate(["."], urnOf("Project", "x", ""))).toBeUndefined();
  await put("more/projects/x.yaml", "name: x", "orgId: 5f0c0c0c0c0c0c0c0c0c0c0c");
  expect(locate([".", "more"])).toBeUndefined();
  expect(locate([".", "."])).toMatchObject({ line: 1 });
  await put("projects/broken.yaml", "tagz: []");
  expect(locate(["."])).toBeUndefined();
  expect(locate(["missing"])).toBeUndefined();
});

it("is in the report and in SARIF, where other results point to Pulumi.yaml", () => {
  const [urn, other] = [urnOf("Project", "x"), urnOf("Project", "y", "")];
  const checked = {
    state: undefined,
    findings: [finding({ urn }), finding({ urn: other })],
    undetermined: [{ what: urn, reason: "No role." }],
  };
  const locationOf = fileLocations(["."], program);
  const report = reportOn([checked], [], { generatedAt: "2026-01-02T03:04:05.000Z", locationOf });
  const [{ results }] = JSON.parse(formatted("sarif")(report, { programFile: "infra/Pulumi.yaml" })).runs;
  expect(results).toMatchObject(
    [
      { uri: "infra/projects/x.yaml", region: { startLine: 1, startColumn: 7 } },
      { uri: "infra/Pulumi.yaml", region: { startLine: 1 } },
      { uri: "infra/projects/x.yaml", region: { startLine: 1, startColumn: 1 } },
    ].map(({ uri, region }) => ({
      locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
    })),
  );
});
