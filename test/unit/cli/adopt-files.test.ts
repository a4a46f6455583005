import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adoptedKinds } from "../../../cli/adopt/contents";
import { draftOf } from "../../../cli/adopt/draft";
import type { Access, AdoptedObject } from "../../../cli/adopt/objects";
import { importListText, parseImportList } from "../../../cli/lib/import-list";
import { loadProjectFiles } from "../../../projects/load";
import { visibleLines } from "../../../provider/text/visible-text";

const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";
const projectId = "5f00000000000000000000a1";

const schema = "../node_modules/pulumi-opsmanager/schemas/project-file.schema.json";
const bare: AdoptedObject = { id: projectId, name: "payments", orgId };
const file = "payments.yaml";

/** The draft of a project file, which says its own organization. */
function draftFor(object: AdoptedObject, access: Access = {}) {
  const of = { key: "payments", file, object };
  const place = { path: file, schema, inheritsOrganization: false };
  return draftOf({ kind: adoptedKinds.projects, of, access, place });
}
const textFor = (object: AdoptedObject, access?: Access) => draftFor(object, access).file.text;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-adopt-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const person = (username: string, roles: readonly string[]) => ({
  username,
  roles: [...roles],
  status: "active" as const,
});

it("a project of which nothing else is known has a file with its key, its name and its organization", () => {
  expect(textFor(bare)).toBe(
    `# yaml-language-server: $schema=${schema}
# Written by \`opsmanager adopt\` from the existing project. You can edit this file: adopt never replaces it.
# Properties that are not in this file are not managed.

key: payments # Name in Pulumi. Do not change it when you rename the file.
name: payments
orgId: ${orgId}
`,
  );
  // A key that sees no tags must not clear them one day.
  expect(textFor({ ...bare, tags: [], ldapGroupMappings: [] })).toBe(textFor(bare));
});

it("everything of a project is in its file, in one order, with quotes where they are needed and nowhere else", () => {
  const text = textFor(
    {
      ...bare,
      orgId: "123456789012345678901234",
      tags: ["1.0", "NO", "PROD"],
      ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }],
    },
    {
      people: [
        person("Zoe@example.com", ["GROUP_READ_ONLY", "GROUP_OWNER"]),
        person("ada@example.com", ["GROUP_OWNER"]),
      ],
    },
  );
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
  "woman 👩\u200d💻",
  'تیم\u200cها: "yes" \\',
  "क्\u200dष और क्\u200cष ".repeat(20).trim(),
  "葛\u{e0100}城",
])(
  "the name %j is read from the file and the list as it was written, and nothing hides in them",
  async (name) => {
    const own = name.trim();
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: [own] }];
    const { entries, file: written } = draftFor(
      { ...bare, name, ldapGroupMappings },
      {
        people: [person(own, ["GROUP_OWNER"])],
        teams: [{ teamId: projectId, name: own, roles: ["GROUP_READ_ONLY"] }],
      },
    );
    expect(written.text).toBe(visibleLines(written.text));
    await writeFile(join(folder, file), written.text);
    expect(loadProjectFiles(".", folder)).toMatchObject([
      { key: "payments", name, orgId, ldapGroupMappings, members: { [own]: ["GROUP_OWNER"] } },
    ]);
    expect(loadProjectFiles(".", folder)[0]?.teams).toEqual({ [own]: ["GROUP_READ_ONLY"] });

    const component = { component: "projects", layout: "projects" } as const;
    const list = importListText(component, entries);
    expect(list).toBe(visibleLines(list));
    expect(JSON.parse(list).resources).toContainEqual(
      expect.objectContaining({ logicalName: `payments/${own}`, id: `${projectId}/${own}` }),
    );
    expect(parseImportList(list, "import.json", component)).toHaveLength(entries.length);
  },
);
