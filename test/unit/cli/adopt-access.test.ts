/** The decisions of `adopt --layout access`, without a service. */
import { namesOfKeys } from "../../../cli/adopt/contents";
import { placeOfOrganization } from "../../../cli/adopt/defaults";
import { holdingsOf } from "../../../cli/adopt/holdings";
import { organizationEntries, teamEntries } from "../../../cli/adopt/import-entries";
import { checkedOptions, type GivenOptions } from "../../../cli/adopt/options";
import { importListText, parseImportList, partOfList } from "../../../cli/lib/import-list";
import { parseStackExport } from "../../../cli/lib/stack-export";

const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";
const id = (last: string) => last.padStart(24, "0");
const organization = { id: orgId, name: "Acme", orgId };
const access = { component: "access", layout: "access" } as const;
const key = (last: string, description: string) => {
  return { keyId: id(last), publicKey: last, description, roles: ["ORG_MEMBER"] };
};
const [ci, otherCi, bot] = [key("a1", "ci"), key("b2", "ci"), key("c3", "bot")];
const declared = (description: string) => ({ description, roles: ["ORG_MEMBER"] });
const file = (apiKeys: Record<string, ReturnType<typeof declared>>, members = {}) => {
  return { file: "", key: "acme", apiKeys, members };
};
const entriesFor = (
  apiKeys: Parameters<typeof file>[0],
  keys = [ci, otherCi, bot],
  recorded = new Map<string, string>(),
) =>
  organizationEntries(file(apiKeys), organization, { keys }, (_, name) => recorded.get(name)).map(
    ({ logicalName, id: resource }) => `${logicalName} ${resource?.slice(-2)}`,
  );

it("API keys have the names of their descriptions, and those that are alike the ends of their IDs", () => {
  const names = [...namesOfKeys([otherCi, ci, bot, key("d4", "CI!")])].map(([name, { publicKey }]) => [
    name,
    publicKey,
  ]);
  expect(names).toEqual([
    ["ci", "d4"],
    ["bot", "c3"],
    ["ci-0000a1", "a1"],
    ["ci-0000b2", "b2"],
  ]);
});

it.each([
  ["by its description", { one: declared("bot") }, undefined, ["acme/one c3"]],
  [
    "by the end of its ID, and the other by elimination",
    { ci: declared("ci"), "ci-0000b2": declared("ci") },
    undefined,
    ["acme/ci a1", "acme/ci-0000b2 b2"],
  ],
  ["not at all if there are several", { ci: declared("ci") }, undefined, []],
  ["not at all if there is none", { gone: declared("gone") }, undefined, []],
  [
    "by the earlier list, also if its description was edited",
    { ci: declared("new") },
    [["acme/ci", `${orgId}/${id("b2")}`]] as const,
    ["acme/ci b2"],
  ],
])("finds the key that a file means %s", (_, apiKeys, recorded, expected) => {
  expect(entriesFor(apiKeys, undefined, new Map(recorded))).toEqual(expected);
});

it("the list has what an organization file declares below a component of its own, and is read as it was written", () => {
  const people = [{ username: "Ada@example.com", status: "pending" as const, roles: [] }];
  const members = { "ada@example.com": ["ORG_OWNER"], "gone@example.com": ["ORG_OWNER"] };
  const entries = [
    ...teamEntries({ key: "operators" }, { id: id("7"), orgId }),
    ...organizationEntries(file({}, members), organization, { people }, () => undefined),
  ];
  const text = importListText(access, entries);
  const { resources } = JSON.parse(text);
  const name = `organization${orgId}`;
  expect(resources).toMatchObject([
    { type: "opsmanager:index:AccessFolder", name: "folder", logicalName: "access", component: true },
    {
      type: "opsmanager:index:OrganizationFile",
      name,
      logicalName: "acme",
      parent: "folder",
      component: true,
    },
    {
      logicalName: "operators",
      id: `${orgId}/${id("7")}`,
      parent: "folder",
      inputs: { onDestroy: "release" },
    },
    { logicalName: "acme/ada@example.com", id: `${orgId}/Ada@example.com`, parent: name },
  ]);
  const parsed = parseImportList(text, "import.json", access);
  expect(parsed).toHaveLength(2);
  expect(importListText(access, parsed)).toBe(text);
  const part = JSON.parse(partOfList(text, parsed.slice(1))).resources;
  expect(part.map(({ logicalName }: { logicalName: string }) => logicalName)).toEqual([
    "access",
    "acme",
    "acme/ada@example.com",
  ]);
  expect(() => parseImportList(text, "import.json", { ...access, layout: "projects" })).toThrow(
    "import.json was written with --layout access, so it is left unchanged.",
  );
});

it("a stack holds what is below its folder of either type, and below the files of organizations in it", () => {
  const type = (kind: string) => `opsmanager:index:${kind}`;
  const urn = (kind: string, name: string) => `urn:pulumi:test::platform::${type(kind)}::${name}`;
  const resource = (kind: string, name: string, parent: string, resourceId?: string) => {
    return { urn: urn(kind, name), type: type(kind), parent, ...(resourceId && { id: resourceId }) };
  };
  const folder = urn("ProjectFolder", "access");
  const resources = [
    { urn: folder, type: type("ProjectFolder") },
    resource("OrganizationFile", "acme", folder),
    resource("ApiKey", "acme/ci", urn("OrganizationFile", "acme"), `${orgId}/${id("a1")}`),
    resource("Team", "operators", folder, `${orgId}/${id("7")}`),
    resource("Team", "own", "", `${orgId}/${id("8")}`),
    resource("OrganizationMember", "ada", "", `${orgId}/Ada@example.com`),
  ];
  const holdings = holdingsOf(parseStackExport({ deployment: { resources } }), "access");
  expect(holdings.keys("organizations")).toEqual(new Map([[orgId, "acme"]]));
  expect(holdings.keys("teams")).toEqual(new Map([[id("7"), "operators"]]));
  expect(holdings.elsewhere("teams")).toEqual(new Map([[id("8"), urn("Team", "own")]]));
  expect(holdings.has("ApiKey", "acme/ci")).toBe(true);
  expect(holdings.declarer("OrganizationMember", `${orgId}/ada@EXAMPLE.com`)).toBe(
    urn("OrganizationMember", "ada"),
  );
});

const defaults = (text: string) => ({ path: "_defaults.yaml", text });
const other = id("0");
it.each([
  [
    "inherited",
    "of the nearest defaults",
    { defaults: [defaults("maxRemovals: 2"), defaults(`orgId: ${orgId}`)] },
  ],
  [
    "each file",
    "beside nearer defaults of another",
    { defaults: [defaults(`orgId: ${other}`), defaults(`orgId: ${orgId}`)] },
  ],
  ["new defaults", "without any", {}],
  [
    "new defaults",
    "beside files that leave it to the setting",
    { organizations: [orgId], isOfSetting: true },
  ],
  ["each file", "beside files of another", { organizations: [orgId, other] }],
  ["each file", "beside defaults without it", { hasRootDefaults: true }],
  ["inherited", "from the setting, as the files that exist", { hasRootDefaults: true, isOfSetting: true }],
])("the organization is %s %s", (place, _, given) => {
  const nothing = { defaults: [], hasRootDefaults: false, organizations: [], isOfSetting: false };
  expect(placeOfOrganization({ ...nothing, ...given }, orgId)).toBe(place);
});

it.each<[Partial<GivenOptions>, object]>([
  [{}, { out: "projects", component: "projects" }],
  [{ members: true }, { members: true }],
  [
    { layout: "access" },
    { out: ".", component: "access", members: true, teams: true, keys: true, everyone: false },
  ],
  [
    { layout: "access", teams: true },
    { teams: true, everyone: false },
  ],
  [
    { layout: "access", complete: "members" },
    { everyone: true, members: true, keys: true },
  ],
])("%j means the options that were left out", (given, expected) => {
  const options = checkedOptions({ layout: "projects", importFile: "import.json", ...given }, "/work");
  expect(options).toMatchObject(expected);
  if (given.layout === "access" && given.teams) expect(options).not.toHaveProperty("members");
});
