import { type Properties, UNKNOWN, type Value } from "../../../../provider/resources/contract/values";
import { check as checkProject } from "../../../../provider/resources/project/inputs";
import { projectOf } from "../../../../provider/resources/project/subjects";
import { Claims } from "../../../../provider/resources/session/claims";
import { checker, newSession, urnOf } from "../checker";

const projectId = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const check = checker("Project", checkProject);

const creating = { orgId, name: "payments" };

describe("who a project is", () => {
  test.each<[string, Properties]>([
    ["projectId adopts", { projectId }],
    ["orgId and name create", creating],
    ["projectId beside orgId and name asserts", { projectId, ...creating }],
    ["an id that is not known yet is one", { projectId: UNKNOWN }],
    ["parts that are not known yet are parts", { orgId: UNKNOWN, name: UNKNOWN }],
  ])("%s", (_, inputs) => {
    expect(check(inputs).failures).toEqual([]);
  });

  test.each([
    [{}, "orgId and name are missing"],
    [{ name: "payments" }, "orgId is missing"],
    [{ orgId }, "name is missing"],
    [{ orgId, name: null }, "name is missing"],
    [{ tags: ["A"] }, "orgId and name are missing"],
  ])("%j says what is missing, and both ways to say it", (inputs, missing) => {
    expect(check(inputs as Properties).failures).toEqual([
      {
        property: "",
        reason: `${missing}: give projectId to adopt an existing project, or orgId and name to create one.`,
      },
    ]);
  });
});

describe("the canonical form", () => {
  test("has ids in lower case and every set in order, and adds nothing", () => {
    const { inputs: checked } = check({
      projectId: projectId.toUpperCase(),
      orgId: orgId.toUpperCase(),
      tags: ["PROD", "A", "B"],
      ignoreTags: ["Z*", "K*"],
      ldapGroupMappings: [
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=b", "cn=a"] },
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
      ],
    });
    expect(checked).toEqual({
      projectId,
      orgId,
      tags: ["A", "B", "PROD"],
      ignoreTags: ["K*", "Z*"],
      ldapGroupMappings: [
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=a", "cn=b"] },
      ],
    });
  });

  test("is its own canonical form", () => {
    const { inputs: checked } = check({ ...creating, tags: ["C", "A", "B"], onDestroy: "release" });
    expect(check(checked).inputs).toEqual(checked);
  });

  test("keeps empty lists, which clear, apart from absent ones, which are not managed", () => {
    expect(check({ projectId, tags: [], ldapGroupMappings: [] }).inputs).toEqual({
      projectId,
      tags: [],
      ldapGroupMappings: [],
    });
    expect(check({ projectId, tags: null }).inputs).toEqual({ projectId });
  });

  test("puts what is not known yet behind what is", () => {
    expect(check({ projectId, tags: [UNKNOWN, "B", "A"] }).inputs.tags).toEqual(["A", "B", UNKNOWN]);
    expect(check({ projectId, tags: UNKNOWN, ldapGroupMappings: [UNKNOWN] }).inputs).toEqual({
      projectId,
      tags: UNKNOWN,
      ldapGroupMappings: [UNKNOWN],
    });
  });
});

describe("tags", () => {
  test.each([["A"], ["a-b_c.D9"], ["X".repeat(32)]])("%s is one", (tag) => {
    expect(check({ projectId, tags: [tag] }).failures).toEqual([]);
  });

  test.each([[""], ["X".repeat(33)], ["two words"], ["ä"], ["a/b"], ["a\n"]])("%j is none", (tag) => {
    expect(check({ projectId, tags: [tag] }).reasons).toEqual([
      "tags[0] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`.",
    ]);
  });

  test("are at most ten, each once, and none that is left to others", () => {
    const tags = [..."ABCDEFGHIJ", "A", "K8S"];
    expect(check({ projectId, tags, ignoreTags: ["K8*"] }).failures).toEqual([
      { property: "tags", reason: 'tags holds "A" more than once.' },
      { property: "tags", reason: "tags has 12 entries; a project has at most 10." },
      {
        property: "tags",
        reason:
          'tags holds "K8S", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.',
      },
    ]);
  });

  test("in lower case are taken, with a warning", () => {
    const { failures, warnings } = check({ projectId, tags: ["prod", "PROD"] });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('Tag "prod" has lower-case letters')]);
  });
});

describe("LDAP mappings", () => {
  const mapping = (roleName: string, ...ldapGroups: string[]) => ({ roleName, ldapGroups });

  test("have each role once and each group once in it", () => {
    const ldapGroupMappings = [
      mapping("GROUP_OWNER", "cn=a", "cn=b", "cn=a"),
      mapping("GROUP_READ_ONLY", "cn=a"),
      mapping("GROUP_OWNER", "cn=c"),
    ];
    expect(check({ projectId, ldapGroupMappings }).reasons).toEqual([
      "ldapGroupMappings has more than one entry for GROUP_OWNER: put all its groups into one.",
      'ldapGroupMappings[0].ldapGroups holds "cn=a" more than once.',
    ]);
  });

  test("have groups: an empty list is not a mapping", () => {
    expect(check({ projectId, ldapGroupMappings: [mapping("GROUP_OWNER")] }).reasons).toEqual([
      "ldapGroupMappings[0].ldapGroups must not be empty: leave the whole mapping out instead.",
    ]);
  });

  test("may have a group that is not known yet as their only one", () => {
    const ldapGroupMappings: Value = [{ roleName: "GROUP_OWNER", ldapGroups: [UNKNOWN] }];
    expect(check({ projectId, ldapGroupMappings }).failures).toEqual([]);
  });

  test.each<[string, Value, boolean]>([
    ["without GROUP_OWNER are warned of", [mapping("GROUP_READ_ONLY", "cn=a")], true],
    ["with GROUP_OWNER are not", [mapping("GROUP_READ_ONLY", "cn=a"), mapping("GROUP_OWNER", "cn=b")], false],
    ["that are empty are not", [], false],
    ["that are not known yet are not", UNKNOWN, false],
    ["with an entry that is not known yet are not", [mapping("GROUP_READ_ONLY", "cn=a"), UNKNOWN], false],
    ["with a role that is not known yet are not", [{ roleName: UNKNOWN, ldapGroups: ["cn=a"] }], false],
  ])("%s: some versions require that role", (_, ldapGroupMappings, isWarned) => {
    const { failures, warnings } = check({ projectId, ldapGroupMappings });
    expect(failures).toEqual([]);
    expect(warnings.map((warning) => /no entry for \w+/.exec(warning)?.[0])).toEqual(
      isWarned ? ["no entry for GROUP_OWNER"] : [],
    );
  });

  test("of a misspelled role are refused", () => {
    const ldapGroupMappings = [mapping("GROUP_OWNER", "cn=a"), mapping("GROUP_READ_ONYL", "cn=b")];
    expect(check({ projectId, ldapGroupMappings }).reasons).toEqual([
      'ldapGroupMappings[1].roleName holds "GROUP_READ_ONYL", which is not a role of a project. Did you mean GROUP_READ_ONLY?',
    ]);
  });

  test("of a role that is not known here are taken, with a warning", () => {
    const { failures, warnings } = check({
      projectId,
      ldapGroupMappings: [mapping("GROUP_BRAND_NEW", "cn=a"), mapping("GROUP_OWNER", "cn=b")],
    });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining('Role "GROUP_BRAND_NEW" in ldapGroupMappings is not a project role'),
    ]);
  });
});

test("faults of shape and of values are all named at once", () => {
  const inputs = {
    projectId: "5f",
    name: "",
    tags: ["A", "A"],
    onDestroy: "keep",
    withDefaultAlertsSettings: "yes",
    projectOwnerId: "owner",
    colour: "red",
  };
  expect(check(inputs).reasons).toEqual([
    "projectId must be the id of a project: 24 hexadecimal digits.",
    "name must not be empty.",
    "withDefaultAlertsSettings must be true or false.",
    "projectOwnerId must be the id of a user: 24 hexadecimal digits.",
    'onDestroy must be "delete" or "release".',
    "colour is not a property.",
    'tags holds "A" more than once.',
  ]);
});

test.each([
  ["tags that are no list", { tags: "A" }],
  ["tags that are no text", { tags: [["A"], { b: 1 }, 7] }],
  ["mappings that are no list", { ldapGroupMappings: { roleName: "GROUP_OWNER" } }],
  ["mappings that are text", { ldapGroupMappings: ["GROUP_OWNER"] }],
  ["mappings without groups", { ldapGroupMappings: [{ roleName: "GROUP_OWNER" }] }],
  [
    "mappings with a number for a group",
    { ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: [7] }] },
  ],
  ["patterns that are no list", { ignoreTags: "K*", tags: ["K8S"] }],
])("%s are a fault of the user, not of the provider", (_, inputs) => {
  const { failures, warnings } = check({ projectId, ...inputs } as Properties);
  expect(failures.length).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});

describe("two resources for one project", () => {
  test("are named to each other", () => {
    const session = newSession();
    check({ projectId }, session);
    const { warnings } = check({ projectId: projectId.toUpperCase() }, session, "ben");
    expect(warnings).toEqual([
      `Project ${projectId} is also declared by ${urnOf("Project", "ada")}: each will revert the other's changes.`,
    ]);
  });

  test("are no matter when one is checked twice", () => {
    const session = newSession();
    check({ projectId }, session);
    expect(check({ projectId }, session).warnings).toEqual([]);
  });

  test("are not seen in inputs with faults", () => {
    const session = newSession();
    check({ projectId, name: "" }, session);
    expect(session.of(Claims).declarerOf(projectOf(projectId))).toBeUndefined();
  });
});
