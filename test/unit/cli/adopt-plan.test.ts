import { noHoldings } from "../../../cli/adopt/holdings";
import { organizationEntries, projectEntries } from "../../../cli/adopt/import-entries";
import type { Access } from "../../../cli/adopt/objects";
import { declaredObjects, type Existing, entriesToImport, planFiles } from "../../../cli/adopt/plan";
import type { ImportEntry } from "../../../cli/lib/import-list";
import type { ProjectFile } from "../../../projects/project-file";

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
  ])("$title", ({ existing, name = "payments", file }) => {
    expect(filesOf([project("a1", name)], existing)).toEqual(file === undefined ? {} : { [id("a1")]: file });
  });
});

describe("the list for pulumi import", () => {
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
});

describe("the API key that an organization file means", () => {
  const key = (last: string, description: string) => {
    return { keyId: id(last), publicKey: last, description, roles: ["ORG_MEMBER"] };
  };
  const keys = [key("a1", "ci"), key("b2", "ci"), key("c3", "bot")];
  const declared = (description: string) => ({ description, roles: ["ORG_MEMBER"] });

  it.each<{
    how: string;
    apiKeys: Record<string, ReturnType<typeof declared>>;
    earlier?: string;
    found: string[];
  }>([
    { how: "by its description", apiKeys: { one: declared("bot") }, found: ["acme/one c3"] },
    {
      how: "by the end of its ID, and the other by elimination",
      apiKeys: { ci: declared("ci"), "ci-0000b2": declared("ci") },
      found: ["acme/ci a1", "acme/ci-0000b2 b2"],
    },
    { how: "not at all if there are several", apiKeys: { ci: declared("ci") }, found: [] },
    { how: "not at all if there is none", apiKeys: { gone: declared("gone") }, found: [] },
    {
      how: "by the earlier list, also if its description was edited",
      apiKeys: { ci: declared("new") },
      earlier: "b2",
      found: ["acme/ci b2"],
    },
  ])("is found $how", ({ apiKeys, earlier, found }) => {
    const recorded = (_: string, name: string) =>
      earlier !== undefined && name === "acme/ci" ? `${orgId}/${id(earlier)}` : undefined;
    const file = { file: "", key: "acme", apiKeys, members: {} };
    const entries = organizationEntries(file, { id: orgId, name: "Acme", orgId }, { keys }, recorded);
    expect(entries.map(({ logicalName, id }) => `${logicalName} ${id?.slice(-2)}`)).toEqual(found);
  });
});
