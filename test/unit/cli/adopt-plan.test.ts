import { declaredEntries, importEntriesOf } from "../../../cli/adopt/import-entries";
import {
  adoptionOf,
  declaredProjects,
  type Existing,
  type ExistingFile,
  entriesToImport,
  holdingsOf,
  noHoldings,
  planFiles,
  unreadAccess,
} from "../../../cli/adopt/plan";
import { type ImportEntry, importListText, parseImportList } from "../../../cli/lib/import-list";
import { parseStackExport } from "../../../cli/lib/stack-export";
import { packageVersion, pluginDownloadUrl } from "../../../provider/version";

const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";
const id = (last: string) => last.padStart(24, "0");
const project = (last: string, name: string, more: object = {}) => ({
  projectId: id(last),
  name,
  orgId,
  ...more,
});
const person = (username: string, status: "active" | "pending" | "indirect" = "active") => ({
  username,
  status,
  roles: ["GROUP_OWNER"],
});

const FOLDER_URN = "urn:pulumi:test::platform::opsmanager:index:ProjectFolder::projects";
const nothingThere: Existing = { files: [], fileNames: [], earlier: [], holdings: noHoldings };

const payments = project("a1", "payments");
const adopted = adoptionOf(
  { project: payments, key: "payments", file: "payments.yaml" },
  { people: [person("ada@example.com")] },
);

function filesOf(projects: readonly ReturnType<typeof project>[], surroundings: Partial<Existing> = {}) {
  const { files } = planFiles(projects, projects, { ...nothingThere, ...surroundings });
  return Object.fromEntries(files.map(({ project, key, file }) => [project.projectId, `${key} ${file}`]));
}

describe("which projects get a file", () => {
  it("names that look alike get file names of their own, the same in whatever order the service lists them", () => {
    const projects = [project("b2", "Payments!"), payments, project("c3", "payments ")];
    const expected = {
      [id("a1")]: "payments-0000a1 payments-0000a1.yaml",
      [id("b2")]: "payments payments.yaml",
      [id("c3")]: "payments-0000c3 payments-0000c3.yaml",
    };
    expect(filesOf(projects)).toEqual(expected);
    expect(filesOf([...projects].reverse())).toEqual(expected);
  });

  it("a project has its file by organization and name, whatever the file is called", () => {
    const files = [{ key: "money", orgId: orgId.toUpperCase(), name: "payments" }];
    expect(filesOf([payments], { files })).toEqual({});
  });

  it("a file for a project of the same name in another organization is not this one's, but its key is taken", () => {
    const files = [{ key: "Payments", orgId: id("0"), name: "payments" }];
    expect(filesOf([payments], { files })).toEqual({ [id("a1")]: "payments-0000a1 payments-0000a1.yaml" });
  });

  it("a file that is there, of whatever kind, is not written over", () => {
    expect(filesOf([payments], { fileNames: ["Payments.json"] })).toEqual({
      [id("a1")]: "payments-0000a1 payments-0000a1.yaml",
    });
  });

  it("a file whose key and name were edited is not written over: the project's own key gets another file", () => {
    const surroundings = {
      files: [{ key: "money", orgId, name: "Money" }],
      fileNames: ["payments.yaml"],
      earlier: importEntriesOf(adopted),
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
      files: [{ key: "payments", orgId, name: "payments" }],
      earlier: importEntriesOf(adopted),
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
    expect(elsewhere).toEqual([{ project: payments, urn: urnOf("program") }]);
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
    expect(JSON.parse(importListText("projects", importEntriesOf(adopted)))).toEqual({
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

  it("has each person of a project with LDAP mappings, and no person with indirect access alone", () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops"] }];
    const people = [person("ada@example.com"), person("bob/ext", "pending"), person("eve", "indirect")];
    const file = { project: { ...payments, ldapGroupMappings }, key: "payments", file: "payments.yaml" };
    const { resources } = JSON.parse(
      importListText("projects", importEntriesOf(adoptionOf(file, { people }))),
    );
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

  it("has the project alone if it has no people or people are not requested", () => {
    expect(importEntriesOf({ ...adopted, people: [] }).map(({ type }) => type)).toEqual([
      "opsmanager:index:Project",
    ]);
  });

  const owner = ["GROUP_OWNER"];
  const file = (more: Partial<ExistingFile> = {}) => ({ key: "payments", orgId, name: "payments", ...more });
  /** What a run lists for files that exist already. */
  function listedFor(files: readonly ExistingFile[], { more = {}, all = [payments], access = {} } = {}) {
    const existing = { ...nothingThere, files, ...more };
    const declared = declaredProjects(all, existing).flatMap((each) =>
      declaredEntries(each.file, each.project, access),
    );
    const { entries, ended } = entriesToImport(declared, existing, orgId);
    const names = (list: readonly ImportEntry[]) =>
      list.map(({ type, id }) => `${type.split(":").at(-1)} ${id}`);
    return { entries: names(entries), ended: names(ended) };
  }
  const held = (more: object[] = []) => ({
    holdings: holdingsOf(parseStackExport(stateWith("folder", more)), "projects"),
  });
  const twoEntries = [`Project ${id("a1")}`, `ProjectMembers ${id("a1")}`];
  const members = { "Ada@example.com": owner, "new@example.com": owner };
  const access = {
    people: [person("ada@example.com"), person("new@example.com", "indirect")],
    teams: [{ teamId: id("7"), name: "operators", roles: owner }],
    keys: [{ keyId: id("8"), publicKey: "abcdwxyz", description: "", roles: owner, rolesAbove: [] }],
  };

  it.each<[string, readonly ExistingFile[], Parameters<typeof listedFor>[1], string[], string[]]>([
    ["has what a file declares, without an earlier list", [file({ members })], {}, twoEntries, []],
    ["lacks the people of a file without members", [file()], {}, [`Project ${id("a1")}`], []],
    [
      "has nothing of a deleted project",
      [file({ members })],
      { all: [], more: { earlier: importEntriesOf(adopted) } },
      [],
      twoEntries,
    ],
    [
      "has nothing of a project whose file is deleted",
      [],
      { more: { earlier: importEntriesOf(adopted) } },
      [],
      twoEntries,
    ],
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
          members,
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
      { all: [project("a1", "renamed")], more: { earlier: importEntriesOf(adopted) } },
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
      { all: [], more: { earlier: importEntriesOf(adopted) } },
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
    const declared = declaredProjects([payments], existing);
    expect(unreadAccess(declared, existing)).toEqual({ people: [], teams: [payments], keys: [] });
  });

  it.each(["not JSON", "[]", '{"resources": [{"type": 1}]}'])(
    "is not written over something else: %s",
    (text) => {
      expect(() => parseImportList(text, { path: "import.json", component: "projects" })).toThrow(
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
