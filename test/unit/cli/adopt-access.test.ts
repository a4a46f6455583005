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

it("API keys have the names of their descriptions, and those that are alike the ends of their IDs", () => {
  const names = [...namesOfKeys([otherCi, ci, bot, key("d4", "CI!")])];
  expect(names.map(([name, { publicKey }]) => `${name} ${publicKey}`)).toEqual([
    "ci d4",
    "bot c3",
    "ci-0000a1 a1",
    "ci-0000b2 b2",
  ]);
});

it.each<{ how: string; apiKeys: Parameters<typeof file>[0]; earlier?: string; found: string[] }>([
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
])("finds the key that a file means $how", ({ apiKeys, earlier, found }) => {
  const recorded = (_: string, name: string) =>
    earlier !== undefined && name === "acme/ci" ? `${orgId}/${id(earlier)}` : undefined;
  const entries = organizationEntries(file(apiKeys), organization, { keys: [ci, otherCi, bot] }, recorded);
  expect(entries.map(({ logicalName, id }) => `${logicalName} ${id?.slice(-2)}`)).toEqual(found);
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
const [own, other] = [defaults(`orgId: ${orgId}`), defaults(`orgId: ${id("0")}`)];
type Surroundings = Parameters<typeof placeOfOrganization>[0];

it.each<{ place: string; why: string; given: Partial<Surroundings> }>([
  {
    place: "inherited",
    why: "of the nearest defaults",
    given: { defaults: [defaults("maxRemovals: 2"), own] },
  },
  { place: "each file", why: "beside nearer defaults of another", given: { defaults: [other, own] } },
  { place: "new defaults", why: "without any", given: {} },
  {
    place: "new defaults",
    why: "beside files that leave it to the setting",
    given: { organizations: [orgId], isOfSetting: true },
  },
  { place: "each file", why: "beside files of another", given: { organizations: [orgId, id("0")] } },
  { place: "each file", why: "beside defaults without it", given: { hasRootDefaults: true } },
  {
    place: "inherited",
    why: "from the setting, as the files that exist",
    given: { hasRootDefaults: true, isOfSetting: true },
  },
])("the organization is $place $why", ({ place, given }) => {
  const nothing = { defaults: [], hasRootDefaults: false, organizations: [], isOfSetting: false };
  expect(placeOfOrganization({ ...nothing, ...given }, orgId)).toBe(place);
});

it.each<{ given: Partial<GivenOptions>; meant: object }>([
  { given: {}, meant: { out: "projects", component: "projects" } },
  { given: { members: true }, meant: { members: true } },
  {
    given: { layout: "access" },
    meant: { out: ".", component: "access", members: true, teams: true, keys: true, everyone: false },
  },
  { given: { layout: "access", teams: true }, meant: { teams: true, everyone: false } },
  {
    given: { layout: "access", complete: "members" },
    meant: { everyone: true, members: true, keys: true },
  },
])("$given means the options that were left out", ({ given, meant }) => {
  const options = checkedOptions({ layout: "projects", importFile: "import.json", ...given }, "/work");
  expect(options).toMatchObject(meant);
  if (given.layout === "access" && given.teams) expect(options).not.toHaveProperty("members");
});
