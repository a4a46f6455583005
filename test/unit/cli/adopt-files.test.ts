import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importEntriesOf } from "../../../cli/adopt/import-entries";
import { type Adoption, projectFileText as textFor } from "../../../cli/adopt/project-yaml";
import { importListText, parseImportList } from "../../../cli/lib/import-list";
import { loadProjectFiles } from "../../../projects/load";
import { visibleLines } from "../../../provider/text/visible-text";

const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";
const projectId = "5f00000000000000000000a1";

const schema = "../node_modules/pulumi-opsmanager/schemas/project-file.schema.json";
const projectFileText = (adoption: Adoption) => textFor(adoption, schema);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-adopt-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bare: Adoption = {
  key: "payments",
  file: "payments.yaml",
  project: { projectId, name: "payments", orgId },
  people: [],
  membership: "exclusive",
  teams: [],
  keys: [],
};

const person = (username: string, roles: readonly string[]) => ({
  username,
  roles: [...roles],
  status: "active" as const,
});

it("a project of which nothing else is known has a file with its key, its name and its organization", () => {
  expect(projectFileText(bare)).toBe(
    `# yaml-language-server: $schema=${schema}
# Written by \`opsmanager adopt\` from the existing project. You can edit this file: adopt never replaces it.
# Properties that are not in this file are not managed.

key: payments # Name in Pulumi. Do not change it when you rename the file.
name: payments
orgId: ${orgId}
`,
  );
});

it("everything of a project is in its file, in one order, with quotes where they are needed and nowhere else", () => {
  const text = projectFileText({
    ...bare,
    project: {
      ...bare.project,
      orgId: "123456789012345678901234",
      tags: ["1.0", "NO", "PROD"],
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }],
    },
    people: [
      person("Zoe@example.com", ["GROUP_READ_ONLY", "GROUP_OWNER"]),
      person("ada@example.com", ["GROUP_OWNER"]),
    ],
    membership: "additive",
  });
  expect(text.slice(text.indexOf("orgId"))).toBe(
    `orgId: "123456789012345678901234"
tags: ["1.0", "NO", PROD]
ldapGroupMappings:
  - roleName: GROUP_OWNER
    ldapGroups:
      - cn=ops,dc=example,dc=com
membership: additive # Groups add other people. Only the people below are managed.
members:
  Zoe@example.com: [GROUP_OWNER, GROUP_READ_ONLY]
  ada@example.com: [GROUP_OWNER]
`,
  );
});

it("an empty list of tags is left out: a key that sees none must not clear them one day", () => {
  const project = { ...bare.project, tags: [], ldapGroupMappings: [] };
  expect(projectFileText({ ...bare, project })).toBe(projectFileText(bare));
});

it.each([
  "Zürich / Ost",
  "yes",
  "1:30",
  "# no comment",
  "- list",
  "a: b",
  "'single' \"double\"",
  " blanks ",
  "*anchor",
  "!tag",
  "null",
  "0x1f",
  `long ${"x ".repeat(200)}`,
  "東京",
])("the name %j and a person of that name are read from the file as they were written", async (name) => {
  const username = name.trim();
  const people = [person(username, ["GROUP_OWNER"])];
  await writeFile(
    join(folder, bare.file),
    projectFileText({ ...bare, project: { ...bare.project, name }, people }),
  );
  expect(loadProjectFiles(".", folder)).toMatchObject([
    { key: "payments", name, orgId, members: { [username]: ["GROUP_OWNER"] } },
  ]);
});

it.each([
  ["a joiner of emoji", "woman 👩\u200d💻"],
  ["a joiner of Persian, with what YAML quotes", 'تیم\u200cها: "yes" \\'],
  ["joiners of Hindi, in a long name", "क्\u200dष और क्\u200cष ".repeat(20).trim()],
  ["a variation of a letter", "葛\u{e0100}城"],
])("a name with %s is escaped in the file and the list, and read as it was", async (_, name) => {
  const adoption: Adoption = {
    ...bare,
    project: { ...bare.project, name, ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: [name] }] },
    people: [person(name, ["GROUP_OWNER"])],
    membership: "additive",
    teams: [{ teamId: projectId, name, roles: ["GROUP_READ_ONLY"] }],
  };
  const text = projectFileText(adoption);
  expect(text).toBe(visibleLines(text));
  await writeFile(join(folder, bare.file), text);
  expect(loadProjectFiles(".", folder)).toMatchObject([
    {
      name,
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: [name] }],
      members: { [name]: ["GROUP_OWNER"] },
      teams: { [name]: ["GROUP_READ_ONLY"] },
    },
  ]);

  const entries = importEntriesOf(adoption);
  const list = importListText("projects", entries);
  expect(list).toBe(visibleLines(list));
  expect(JSON.parse(list).resources).toContainEqual(
    expect.objectContaining({ logicalName: `payments/${name}`, id: `${projectId}/${name}` }),
  );
  expect(parseImportList(list, { path: "import.json", component: "projects" })).toHaveLength(entries.length);
});
