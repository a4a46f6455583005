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

  it("a project has its file by organization and name, whatever the file is called", () => {
    const files = [file({ key: "money", orgId: orgId.toUpperCase() })];
    expect(filesOf([payments], { files })).toEqual({});
  });

  it("a file for a project of the same name in another organization is not this one's, but its key is taken", () => {
    const files = [file({ key: "Payments", orgId: id("0") })];
    expect(filesOf([payments], { files })).toEqual({ [id("a1")]: "payments-0000a1 payments-0000a1.yaml" });
  });

  it("a file that is there, of whatever kind, is not written over", () => {
    expect(filesOf([payments], { fileNames: ["Payments.json"] })).toEqual({
      [id("a1")]: "payments-0000a1 payments-0000a1.yaml",
    });
  });

  it("a file whose key and name were edited is not written over: the project's own key gets another file", () => {
    const surroundings = {
      files: [file({ key: "money", name: "Money" })],
      fileNames: ["payments.yaml"],
      earlier,
    };
    expect(filesOf([payments], surroundings)).toEqual({ [id("a1")]: "payments payments-0000a1.yaml" });
  });

  it("a name is found however many are taken", () => {
    const fileNames = ["payments", `payments-0000a1`, `payments-${id("a1")}`, `payments-${id("a1")}-2`];
    expect(filesOf([payments], { fileNames })).toEqual({
      [id("a1")]: `payments-${id("a1")}-3 payments-${id("a1")}-3.yaml`,
    });
  });

  it("a project that was renamed outside Pulumi since is recognized by its id in the earlier list", () => {
    const surroundings = {
      files: [file()],
      earlier,
    };
    expect(filesOf([project("a1", "payments-2")], surroundings)).toEqual({});
  });

  it("a project that the stack holds as a child of the folder gets its old key back when its file is missing", () => {
    const holdings = holdingsOf(parseStackExport(stateWith("folder")), "projects");
    expect(filesOf([payments], { holdings })).toEqual({ [id("a1")]: "money payments.yaml" });
  });

  it("a project that another resource of the stack declares is left out and named with that resource", () => {
    const holdings = holdingsOf(parseStackExport(stateWith("program")), "projects");
    const { files, elsewhere } = planFiles([payments], [payments], { ...nothingThere, holdings });
    expect(files).toEqual([]);
    expect(elsewhere).toEqual([{ object: payments, urn: urnOf("program") }]);
  });

  it("two projects of one name in one organization are left out: a file could not distinguish them", () => {
    const twins = [payments, project("b2", "payments")];
    const { files, namesakes } = planFiles([payments], twins, nothingThere);
    expect(files).toEqual([]);
    expect(namesakes).toEqual([payments]);
  });
});

describe("the list for pulumi import", () => {
  it("has everyone of a project as one ProjectMembers, all below the folder", () => {
    expect(JSON.parse(importListText(projects, earlier))).toEqual({
      resources: [
        {
          type: "opsmanager:index:ProjectFolder",
          name: "folder",
          logicalName: "projects",
          component: true,
        },
        listed("resource1", "opsmanager:index:Project", "payments", id("a1")),
        listed("resource2", "opsmanager:index:ProjectMembers", "payments", id("a1")),
      ],
    });
  });

  it("has each person of an additive file, and no person with indirect access alone", () => {
    const people = [person("ada@example.com"), person("bob/ext", "pending"), person("eve", "indirect")];
    const names = Object.fromEntries(people.map(({ username }) => [username, owner]));
    const entries = projectEntries({ key: "payments", members: names, membership: "additive" }, payments, {
      people,
    });
    const { resources } = JSON.parse(importListText(projects, entries));
    expect(resources.slice(2)).toEqual([
      listed(
        "resource2",
        "opsmanager:index:ProjectMember",
        "payments/ada@example.com",
        `${id("a1")}/ada@example.com`,
      ),
      listed("resource3", "opsmanager:index:ProjectMember", "payments/bob/ext", `${id("a1")}/bob/ext`),
    ]);
  });

  type Given = { more?: Surroundings; all?: readonly ReturnType<typeof project>[]; access?: Access };
  /** What a run lists for files that exist already. */
  function listedFor(
    files: readonly ReturnType<typeof file>[],
    { more = {}, all = [payments], access = {} }: Given = {},
  ) {
    const existing = { ...nothingThere, files, ...more };
    const declared = declaredObjects(all, existing).flatMap((each) =>
      projectEntries(each.file, each.object, access),
    );
    const { entries, ended } = entriesToImport(declared, { ...existing, existing: [existing], orgId });
    const names = (list: readonly ImportEntry[]) =>
      list.map((entry) => `${entry.type.split(":").at(-1)} ${entry.id}`);
    return { entries: names(entries), ended: names(ended) };
  }
  const held = (more: object[] = []) => ({
    holdings: holdingsOf(parseStackExport(stateWith("folder", more)), "projects"),
  });
  const twoEntries = [`Project ${id("a1")}`, `ProjectMembers ${id("a1")}`];
  const access = {
    people: [person("ada@example.com"), person("new@example.com", "indirect")],
    teams: [{ teamId: id("7"), name: "operators", roles: owner }],
    keys: [{ keyId: id("8"), publicKey: "abcdwxyz", description: "", roles: owner, rolesAbove: [] }],
  };

  it.each<[string, readonly ReturnType<typeof file>[], Given, string[], string[]]>([
    ["has what a file declares, without an earlier list", [file({ members })], {}, twoEntries, []],
    ["lacks the people of a file without members", [file()], {}, [`Project ${id("a1")}`], []],
    ["has nothing of a deleted project", [file({ members })], { all: [], more: { earlier } }, [], twoEntries],
    ["has nothing of a project whose file is deleted", [], { more: { earlier } }, [], twoEntries],
    [
      "lacks what the stack holds, by name or by id",
      [file({ key: "money", members })],
      { more: held() },
      [`ProjectMembers ${id("a1")}`],
      [],
    ],
    [
      "has nothing twice that the stack holds under another key",
      [file({ members })],
      { more: held() },
      [],
      [],
    ],
    [
      "of people, teams and keys has those that exist, by each spelling",
      [
        file({
          membership: "additive",
          members: { "Ada@example.com": owner, "new@example.com": owner },
          teams: { operators: owner, gone: owner },
          apiKeys: { [id("8")]: owner, gone: owner },
        }),
      ],
      { access },
      [
        `Project ${id("a1")}`,
        `ProjectMember ${id("a1")}/ada@example.com`,
        `ProjectApiKey ${id("a1")}/${id("8")}`,
        `ProjectTeam ${id("a1")}/${id("7")}`,
      ],
      [],
    ],
    [
      "has a project renamed outside Pulumi by the id of the earlier list",
      [file({ members })],
      { all: [project("a1", "renamed")], more: { earlier } },
      twoEntries,
      [],
    ],
    [
      "has neither of two projects of one name",
      [file()],
      { all: [payments, project("b2", "payments")] },
      [],
      [],
    ],
    [
      "keeps entries of other organizations as they are",
      [file({ orgId: id("0") })],
      { all: [], more: { earlier } },
      twoEntries,
      [],
    ],
  ])("%s", (_, files, given, entries, ended) => {
    expect(listedFor(files, given)).toEqual({ entries, ended });
  });

  it("needs no read for what the stack holds", () => {
    const files = [
      file({ key: "money", membership: "additive", members: { ada: owner }, teams: { ops: owner } }),
    ];
    const urn = `${urnOf("folder")}/ada`.replace(":Project:", ":ProjectMember:");
    const more = [{ urn, type: "opsmanager:index:ProjectMember", id: "x/ada", parent: FOLDER_URN }];
    const existing = { ...nothingThere, files, ...held(more) };
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
function stateWith(place: "folder" | "program", more: readonly object[] = []) {
  const folder = FOLDER_URN;
  const stack = "urn:pulumi:test::platform::pulumi:pulumi:Stack::platform-test";
  return {
    deployment: {
      resources: [
        { urn: stack, type: "pulumi:pulumi:Stack" },
        { urn: folder, type: "opsmanager:index:ProjectFolder", parent: stack },
        {
          urn: urnOf(place),
          type: "opsmanager:index:Project",
          id: id("a1"),
          parent: place === "folder" ? folder : stack,
        },
        ...more,
      ],
    },
  };
}
