import { holdingsOf, noHoldings } from "../../../cli/adopt/holdings";
import { projectEntries } from "../../../cli/adopt/import-entries";
import type { Access } from "../../../cli/adopt/objects";
import { declaredObjects, type Existing, entriesToImport, planFiles } from "../../../cli/adopt/plan";
import { unreadAccess } from "../../../cli/adopt/read";
import { type ImportEntry, importListText, parseImportList } from "../../../cli/lib/import-list";
import { parseStackExport } from "../../../cli/lib/stack-export";
import type { ProjectFile } from "../../../projects/project-file";
import { packageVersion, pluginDownloadUrl } from "../../../provider/version";

const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";
const id = (last: string) => last.padStart(24, "0");
const project = (last: string, name: string) => ({ id: id(last), name, orgId });
const owner = ["GROUP_OWNER"];
const person = (username: string, status: "active" | "pending" | "indirect" = "active") => ({
  username,
  status,
  roles: owner,
});

/** A file of this organization, unless `more` says otherwise. */
function file(more: Partial<ProjectFile> = {}) {
  const defaults = {
    file: "",
    key: "payments",
    name: "payments",
    membership: "exclusive",
    onDestroy: "release",
  } as const;
  return { file: { ...defaults, ...more }, orgId: (more.orgId ?? orgId).toLowerCase() };
}

const FOLDER_URN = "urn:pulumi:test::platform::opsmanager:index:ProjectFolder::projects";
const projects = { component: "projects", layout: "projects" } as const;
const nothingThere: Existing<ProjectFile> = {
  kind: "projects",
  noun: "project",
  files: [],
  fileNames: [],
  earlier: [],
  holdings: noHoldings,
};

const payments = project("a1", "payments");
const members = { "ada@example.com": owner };
/** The list of an earlier run, in which this project was adopted with its people. */
const earlier = projectEntries({ key: "payments", members }, payments, {});

type Surroundings = Partial<Existing<ProjectFile>>;

function filesOf(all: readonly ReturnType<typeof project>[], surroundings: Surroundings = {}) {
  const { files } = planFiles(all, all, { ...nothingThere, ...surroundings });
  return Object.fromEntries(files.map(({ object, key, file: name }) => [object.id, `${key} ${name}`]));
}

describe("which projects get a file", () => {
  it("names that look alike get file names of their own, the same in whatever order the service lists them", () => {
    const all = [project("b2", "Payments!"), payments, project("c3", "payments ")];
    const expected = {
      [id("a1")]: "payments-0000a1 payments-0000a1.yaml",
      [id("b2")]: "payments payments.yaml",
      [id("c3")]: "payments-0000c3 payments-0000c3.yaml",
    };
    expect(filesOf(all)).toEqual(expected);
    expect(filesOf([...all].reverse())).toEqual(expected);
  });

  it.each<{ title: string; existing: Surroundings; name?: string; file?: string }>([
    {
      title: "a project has its file by organization and name, whatever the file is called",
      existing: { files: [file({ key: "money", orgId: orgId.toUpperCase() })] },
    },
    {
      title:
        "a file for a project of the same name in another organization is not its file, but its key is taken",
      existing: { files: [file({ key: "Payments", orgId: id("0") })] },
      file: "payments-0000a1 payments-0000a1.yaml",
    },
    {
      title: "a file that is there, of whatever kind, is not written over",
      existing: { fileNames: ["Payments.json"] },
      file: "payments-0000a1 payments-0000a1.yaml",
    },
    {
      title:
        "a file whose key and name were edited is not written over: the project's own key gets another file",
      existing: { files: [file({ key: "money", name: "Money" })], fileNames: ["payments.yaml"], earlier },
      file: "payments payments-0000a1.yaml",
    },
    {
      title: "a name is found however many are taken",
      existing: {
        fileNames: ["payments", `payments-0000a1`, `payments-${id("a1")}`, `payments-${id("a1")}-2`],
      },
      file: `payments-${id("a1")}-3 payments-${id("a1")}-3.yaml`,
    },
    {
      title: "a project that was renamed outside Pulumi since is recognized by its id in the earlier list",
      existing: { files: [file()], earlier },
      name: "payments-2",
    },
    {
      title: "a project that the stack holds below the folder gets its old key back when its file is missing",
      existing: { holdings: heldIn("folder") },
      file: "money payments.yaml",
    },
  ])("$title", ({ existing, name = "payments", file }) => {
    expect(filesOf([project("a1", name)], existing)).toEqual(file === undefined ? {} : { [id("a1")]: file });
  });

  it("a project that another resource declares is left out and named, and so are two of one name", () => {
    const existing = { ...nothingThere, holdings: heldIn("program") };
    expect(planFiles([payments], [payments], existing)).toMatchObject({
      files: [],
      elsewhere: [{ object: payments, urn: urnOf("program") }],
    });
    const twins = [payments, project("b2", "payments")];
    expect(planFiles([payments], twins, nothingThere)).toMatchObject({ files: [], namesakes: [payments] });
  });
});

describe("the list for pulumi import", () => {
  it("has everyone of a project as one ProjectMembers, all below the folder", () => {
    expect(JSON.parse(importListText(projects, earlier))).toEqual({
      resources: [
        { type: "opsmanager:index:ProjectFolder", name: "folder", logicalName: "projects", component: true },
        listed("resource1", "opsmanager:index:Project", "payments", id("a1")),
        listed("resource2", "opsmanager:index:ProjectMembers", "payments", id("a1")),
      ],
    });
  });

  it("has each person of an additive file, and no person with indirect access alone", () => {
    const people = [person("ada@example.com"), person("bob/ext", "pending"), person("eve", "indirect")];
    const members = Object.fromEntries(people.map(({ username }) => [username, owner]));
    const file = { key: "payments", members, membership: "additive" } as const;
    const [, ...entries] = projectEntries(file, payments, { people });
    expect(entries.map(({ logicalName, id }) => `${logicalName}, ${id}`)).toEqual([
      `payments/ada@example.com, ${id("a1")}/ada@example.com`,
      `payments/bob/ext, ${id("a1")}/bob/ext`,
    ]);
  });

  interface Given {
    readonly files?: readonly ReturnType<typeof file>[];
    readonly existing?: Surroundings;
    readonly all?: readonly ReturnType<typeof project>[];
    readonly access?: Access;
  }
  /** What a run lists for files that exist already. */
  function listedFor({ files = [], existing: more = {}, all = [payments], access = {} }: Given) {
    const existing = { ...nothingThere, files, ...more };
    const declared = declaredObjects(all, existing).flatMap((each) =>
      projectEntries(each.file, each.object, access),
    );
    const { entries, ended } = entriesToImport(declared, { ...existing, existing: [existing], orgId });
    const names = (list: readonly ImportEntry[]) =>
      list.map((entry) => `${entry.type.split(":").at(-1)} ${entry.id}`);
    return { entries: names(entries), ended: names(ended) };
  }
  const both = [`Project ${id("a1")}`, `ProjectMembers ${id("a1")}`];

  it.each<Given & { title: string; entries?: string[]; ended?: string[] }>([
    { title: "has what a file declares, without an earlier list", files: [file({ members })], entries: both },
    { title: "lacks the people of a file without members", files: [file()], entries: both.slice(0, 1) },
    {
      title: "has nothing of a deleted project",
      files: [file({ members })],
      all: [],
      existing: { earlier },
      ended: both,
    },
    { title: "has nothing of a project whose file is deleted", existing: { earlier }, ended: both },
    {
      title: "lacks what the stack holds, by name or by id",
      files: [file({ key: "money", members })],
      existing: { holdings: heldIn("folder") },
      entries: both.slice(1),
    },
    {
      title: "has nothing twice that the stack holds under another key",
      files: [file({ members })],
      existing: { holdings: heldIn("folder") },
    },
    {
      title: "of people, teams and keys has those that exist, by each spelling",
      files: [
        file({
          membership: "additive",
          members: { "Ada@example.com": owner, "new@example.com": owner },
          teams: { operators: owner, gone: owner },
          apiKeys: { [id("8")]: owner, gone: owner },
        }),
      ],
      access: {
        people: [person("ada@example.com"), person("new@example.com", "indirect")],
        teams: [{ teamId: id("7"), name: "operators", roles: owner }],
        keys: [{ keyId: id("8"), publicKey: "abcdwxyz", description: "", roles: owner, rolesAbove: [] }],
      },
      entries: [
        `Project ${id("a1")}`,
        `ProjectMember ${id("a1")}/ada@example.com`,
        `ProjectApiKey ${id("a1")}/${id("8")}`,
        `ProjectTeam ${id("a1")}/${id("7")}`,
      ],
    },
    {
      title: "has a project renamed outside Pulumi by the id of the earlier list",
      files: [file({ members })],
      all: [project("a1", "renamed")],
      existing: { earlier },
      entries: both,
    },
    {
      title: "has neither of two projects of one name",
      files: [file()],
      all: [payments, project("b2", "payments")],
    },
    {
      title: "keeps entries of other organizations as they are",
      files: [file({ orgId: id("0") })],
      all: [],
      existing: { earlier },
      entries: both,
    },
  ])("$title", ({ entries = [], ended = [], ...given }) => {
    expect(listedFor(given)).toEqual({ entries, ended });
  });

  it("needs no read for what the stack holds", () => {
    const files = [
      file({ key: "money", membership: "additive", members: { ada: owner }, teams: { ops: owner } }),
    ];
    const urn = `${urnOf("folder")}/ada`.replace(":Project:", ":ProjectMember:");
    const ada = { urn, type: "opsmanager:index:ProjectMember", id: "x/ada", parent: FOLDER_URN };
    const existing = { ...nothingThere, files, holdings: heldIn("folder", [ada]) };
    const declared = declaredObjects([payments], existing);
    expect(unreadAccess(declared, existing)).toEqual({ people: [], teams: [payments], keys: [] });
  });

  it.each(["not JSON", "[]", '{"resources": [{"type": 1}]}'])(
    "is not written over something else: %s",
    (text) => {
      expect(() => parseImportList(text, "import.json", projects)).toThrow(
        "import.json exists and is not a list that adopt wrote, so it is left unchanged. Name another file with --import-file, or move this one.",
      );
    },
  );
});

function listed(name: string, type: string, logicalName: string, resourceId: string): ImportEntry {
  const common = { parent: "folder", version: packageVersion(), pluginDownloadUrl };
  const inputs = type.endsWith(":Project") ? { inputs: { onDestroy: "release" } } : {};
  return { type, name, logicalName, id: resourceId, ...common, ...inputs };
}

function urnOf(place: "folder" | "program"): string {
  const parent = place === "folder" ? "opsmanager:index:ProjectFolder$" : "";
  return `urn:pulumi:test::platform::${parent}opsmanager:index:Project::money`;
}

/** Of a stack with project a1, as a child of the folder or declared by the program itself. */
function heldIn(place: "folder" | "program", more: readonly object[] = []) {
  const stack = "urn:pulumi:test::platform::pulumi:pulumi:Stack::platform-test";
  const resources = [
    { urn: stack, type: "pulumi:pulumi:Stack" },
    { urn: FOLDER_URN, type: "opsmanager:index:ProjectFolder", parent: stack },
    {
      urn: urnOf(place),
      type: "opsmanager:index:Project",
      id: id("a1"),
      parent: place === "folder" ? FOLDER_URN : stack,
    },
    ...more,
  ];
  return holdingsOf(parseStackExport({ deployment: { resources } }), "projects");
}
