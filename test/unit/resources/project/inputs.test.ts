/** What Check accepts of a Project alone; what it shares with the other kinds: `../inputs.test.ts`. */
import { type Properties, UNKNOWN, type Value } from "../../../../provider/resources/contract/values";
import { check as checkProject, setFailures } from "../../../../provider/resources/project/inputs";
import { checker, newSession } from "../checker";

const projectId = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const check = checker("Project", checkProject);

const creating = { orgId, name: "payments" };
const mapping = (roleName: string, ...ldapGroups: string[]) => ({ roleName, ldapGroups });
const owners = mapping("GROUP_OWNER", "cn=a");

describe("who a project is", () => {
  test.each<Properties>([
    { projectId },
    creating,
    { projectId, ...creating },
    { projectId: UNKNOWN },
    { orgId: UNKNOWN, name: UNKNOWN },
  ])("%j is enough", (inputs) => {
    expect(check(inputs).failures).toEqual([]);
  });

  test.each<{ inputs: Properties; missing: string }>([
    { inputs: {}, missing: "orgId and name are missing" },
    { inputs: { name: "payments" }, missing: "orgId is missing" },
    { inputs: { orgId, name: null }, missing: "name is missing" },
  ])("$inputs is not: $missing, and there are two ways to say it", ({ inputs, missing }) => {
    const reason = `${missing}: give projectId to adopt an existing project, or orgId and name to create one.`;
    expect(check(inputs).failures).toEqual([{ property: "", reason }]);
  });

  test("the setting orgId is the organization of a project that has only a name", () => {
    const session = newSession({ orgId });
    expect(check({ name: "payments" }, session).inputs).toEqual(creating);
    expect(check({ projectId }, session).inputs).toEqual({ projectId });
    expect(check({ ...creating, orgId: projectId }, session).inputs).toEqual({
      ...creating,
      orgId: projectId,
    });
  });
});

test("empty lists, which clear, stay apart from absent ones, which are not managed", () => {
  const cleared = { projectId, tags: [], ldapGroupMappings: [] };
  expect(check(cleared).inputs).toEqual(cleared);
  expect(check({ projectId, tags: null }).inputs).toEqual({ projectId });
});

const badTag = "tags[0] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`.";
const misspelled =
  'ldapGroupMappings[0].roleName contains "GROUP_OWNR", which is not a role of a project. Did you mean GROUP_OWNER?';
const twoSources = "ldapGroupMappings and idpGroupMappings both have entries, but a service takes its groups";
const idpOwners: Value = [{ roleName: "GROUP_OWNER", idpGroups: ["a"] }];

test.each<{ inputs: Properties; reasons: string[] }>([
  { inputs: { tags: ["a-b_c.D9", "X".repeat(32)] }, reasons: [] },
  { inputs: { tags: [..."ABCDEFGHIJ"] }, reasons: [] },
  ...["", "X".repeat(33), "two words", "ä", "a/b", "a\n"].map((tag) => ({
    inputs: { tags: [tag] },
    reasons: [badTag],
  })),
  { inputs: { tags: [..."ABCDEFGHIJK"] }, reasons: ["tags has 11 entries; a project has at most 10."] },
  {
    inputs: { tags: ["A", UNKNOWN, "A", "K8S"], ignoreTags: [UNKNOWN, "K8*"] },
    reasons: ['tags contains "A" more than once.', 'tags contains "K8S", which ignoreTags matches'],
  },
  {
    inputs: { ldapGroupMappings: [owners, mapping("GROUP_OWNER", "cn=c")] },
    reasons: ["ldapGroupMappings has more than one entry for GROUP_OWNER: put all its groups into one."],
  },
  {
    inputs: { ldapGroupMappings: [{ roleName: UNKNOWN, ldapGroups: ["cn=a", "cn=a"] }, UNKNOWN] },
    reasons: ['ldapGroupMappings[0].ldapGroups contains "cn=a" more than once.'],
  },
  {
    inputs: { ldapGroupMappings: [mapping("GROUP_OWNER")] },
    reasons: ["ldapGroupMappings[0].ldapGroups must not be empty: leave the whole mapping out instead."],
  },
  { inputs: { ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: [UNKNOWN] }] }, reasons: [] },
  { inputs: { ldapGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: UNKNOWN }] }, reasons: [misspelled] },
  // A fault of shape is named alone: faults between entries of such a list may be its results.
  { inputs: { tags: ["A", "A", 7] }, reasons: ["tags[2] must be text."] },
  {
    inputs: { ldapGroupMappings: ["GROUP_OWNER", { roleName: "GROUP_OWNR", ldapGroups: ["cn=a"] }] },
    reasons: ["ldapGroupMappings[0] must have roleName and ldapGroups."],
  },
  {
    inputs: { idpGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: ["cn=a"] }] },
    reasons: ["idpGroupMappings[0].idpGroups must be a list.", "ldapGroups is not a property in"],
  },
  { inputs: { ldapGroupMappings: [owners, UNKNOWN], idpGroupMappings: idpOwners }, reasons: [twoSources] },
  { inputs: { ldapGroupMappings: [], idpGroupMappings: idpOwners }, reasons: [] },
  { inputs: { ldapGroupMappings: [owners], idpGroupMappings: [] }, reasons: [] },
  { inputs: { ldapGroupMappings: UNKNOWN, idpGroupMappings: idpOwners }, reasons: [] },
])("$inputs has the faults $reasons", ({ inputs, reasons }) => {
  expect(check({ projectId, ...inputs }).reasons).toEqual(
    reasons.map((reason) => expect.stringContaining(reason)),
  );
});

const lowerCase = 'Tag "prod" has lower-case letters';
const newRole = 'Role "GROUP_BRAND_NEW" in ldapGroupMappings is not a project role that this version knows';
const noOwner = "ldapGroupMappings has no entry for GROUP_OWNER, which the service's documentation requires";

test.each<{ inputs: Properties; warnings: string[] }>([
  { inputs: { tags: ["prod", "PROD"] }, warnings: [lowerCase] },
  { inputs: { ldapGroupMappings: [owners, mapping("GROUP_BRAND_NEW", "cn=b")] }, warnings: [newRole] },
  { inputs: { ldapGroupMappings: [mapping("GROUP_READ_ONLY", "cn=a")] }, warnings: [noOwner] },
  { inputs: { ldapGroupMappings: [mapping("GROUP_READ_ONLY", "cn=a"), UNKNOWN] }, warnings: [] },
  { inputs: { ldapGroupMappings: [] }, warnings: [] },
  { inputs: { idpGroupMappings: [{ roleName: "GROUP_READ_ONLY", idpGroups: ["a"] }] }, warnings: [] },
])("$inputs is taken, with the warnings $warnings", ({ inputs, warnings }) => {
  const checked = check({ projectId, ...inputs });
  expect(checked.failures).toEqual([]);
  expect(checked.warnings).toEqual(warnings.map((warning) => expect.stringContaining(warning)));
});

// A project file names its line by this.
test("each fault between entries has the location of the last entry that causes it", () => {
  const given = {
    tags: ["A", "K8S", "A", "K8S", ..."BCDEFGH"],
    ignoreTags: ["K*"],
    ldapGroupMappings: [
      mapping("GROUP_OWNER", "cn=a"),
      mapping("GROUP_READ_ONYL", "cn=b", "cn=b"),
      mapping("GROUP_OWNER", "cn=c"),
    ],
    idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["a", "a"] }],
  };
  expect(setFailures(given).map(({ property, path }) => [property, ...path])).toEqual([
    ["tags", "tags", 2],
    ["tags", "tags", 3],
    ["tags", "tags"],
    ["tags", "tags", 3],
    ["ldapGroupMappings", "ldapGroupMappings", 2, "roleName"],
    ["ldapGroupMappings", "ldapGroupMappings", 1, "roleName"],
    ["ldapGroupMappings", "ldapGroupMappings", 1, "ldapGroups"],
    ["idpGroupMappings", "idpGroupMappings", 0, "idpGroups"],
    ["idpGroupMappings", "idpGroupMappings"],
  ]);
});
