import { type Properties, UNKNOWN, type Value } from "../../../../provider/resources/contract/values";
import { check as checkProject, setFailures } from "../../../../provider/resources/project/inputs";
import { projectNamed, projectOf } from "../../../../provider/resources/project/subjects";
import { Claims, existing } from "../../../../provider/resources/session/claims";
import { ObservationLog } from "../../../../provider/resources/session/observations";
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

  test("a project has ten tags at most", () => {
    expect(check({ projectId, tags: [..."ABCDEFGHIJ"] }).failures).toEqual([]);
    expect(check({ projectId, tags: [..."ABCDEFGHIJK"] }).reasons).toEqual([
      "tags has 11 entries; a project has at most 10.",
    ]);
  });

  test("are at most ten, each once, and none that is left to others", () => {
    const tags = [..."ABCDEFGHIJ", "A", "K8S"];
    expect(check({ projectId, tags, ignoreTags: ["K8*"] }).failures).toEqual([
      { property: "tags", reason: 'tags contains "A" more than once.' },
      { property: "tags", reason: "tags has 12 entries; a project has at most 10." },
      {
        property: "tags",
        reason:
          'tags contains "K8S", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.',
      },
    ]);
  });

  test("in lower case are taken, with a warning", () => {
    const { failures, warnings } = check({ projectId, tags: ["prod", "PROD"] });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([
      'Tag "prod" has lower-case letters: the service\'s documentation lists A to Z only, and some versions store tags in capitals.',
    ]);
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
      'ldapGroupMappings[0].ldapGroups contains "cn=a" more than once.',
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
    const warning =
      "ldapGroupMappings has no entry for GROUP_OWNER, which the service's documentation requires: it may refuse the mappings (MISSING_ROLE_ENTRY_IN_LDAP_MAPPING). Map GROUP_OWNER to at least one LDAP group.";
    expect(warnings).toEqual(isWarned ? [warning] : []);
  });

  test("of a misspelled role are refused", () => {
    const ldapGroupMappings = [mapping("GROUP_OWNER", "cn=a"), mapping("GROUP_READ_ONYL", "cn=b")];
    expect(check({ projectId, ldapGroupMappings }).reasons).toEqual([
      'ldapGroupMappings[1].roleName contains "GROUP_READ_ONYL", which is not a role of a project. Did you mean GROUP_READ_ONLY?',
    ]);
  });

  test("of a role that is not known here are taken, with a warning", () => {
    const { failures, warnings } = check({
      projectId,
      ldapGroupMappings: [mapping("GROUP_BRAND_NEW", "cn=a"), mapping("GROUP_OWNER", "cn=b")],
    });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([
      'Role "GROUP_BRAND_NEW" in ldapGroupMappings is not a project role that this version knows, and is sent unchanged.',
    ]);
  });
});

describe("mappings of an identity provider's groups", () => {
  const mapping = (roleName: string, ...idpGroups: string[]) => ({ roleName, idpGroups });

  test("groups of an identity provider have the rules of LDAP mappings, and need no entry for GROUP_OWNER", () => {
    const idpGroupMappings = [
      mapping("GROUP_READ_ONLY", "b", "a", "b"),
      mapping("GROUP_READ_ONYL", "c"),
      mapping("GROUP_READ_ONLY", "d"),
    ];
    expect(check({ projectId, idpGroupMappings }).reasons).toEqual([
      "idpGroupMappings has more than one entry for GROUP_READ_ONLY: put all its groups into one.",
      'idpGroupMappings[1].roleName contains "GROUP_READ_ONYL", which is not a role of a project. Did you mean GROUP_READ_ONLY?',
      'idpGroupMappings[0].idpGroups contains "b" more than once.',
    ]);
    const { failures, warnings } = check({ projectId, idpGroupMappings: [mapping("GROUP_BRAND_NEW", "a")] });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([
      'Role "GROUP_BRAND_NEW" in idpGroupMappings is not a project role that this version knows, and is sent unchanged.',
    ]);
  });

  test("mappings are put in order of their roles, each with its groups in order, and unknown values come last", () => {
    const unknownRole: Value = { roleName: UNKNOWN, idpGroups: ["z", UNKNOWN, "y"] };
    const idpGroupMappings = [unknownRole, mapping("GROUP_READ_ONLY", "b", "a"), mapping("GROUP_OWNER", "c")];
    expect(check({ projectId, idpGroupMappings }).inputs.idpGroupMappings).toEqual([
      mapping("GROUP_OWNER", "c"),
      mapping("GROUP_READ_ONLY", "a", "b"),
      { roleName: UNKNOWN, idpGroups: ["y", "z", UNKNOWN] },
    ]);
    expect(check({ projectId, idpGroupMappings: [UNKNOWN, mapping("GROUP_OWNER", "c")] }).inputs).toEqual({
      projectId,
      idpGroupMappings: [mapping("GROUP_OWNER", "c"), UNKNOWN],
    });
  });

  const ldap: Value = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=a"] }];
  const idp: Value = [mapping("GROUP_OWNER", "a")];
  test.each<[string, Value, Value, boolean]>([
    ["are an error beside LDAP mappings", ldap, idp, true],
    ["are an error beside LDAP mappings of which one is not known yet", [...ldap, UNKNOWN], idp, true],
    ["may stand beside an empty list of LDAP mappings", [], idp, false],
    ["may be empty beside LDAP mappings", ldap, [], false],
    ["may stand beside LDAP mappings that are not known yet", UNKNOWN, idp, false],
  ])("mappings of an identity provider's groups %s", (_, ldapGroupMappings, idpGroupMappings, isFailure) => {
    const failure = {
      property: "idpGroupMappings",
      reason:
        "ldapGroupMappings and idpGroupMappings both have entries, but a service takes its groups either from LDAP or from an identity provider: remove one of them, or set it to [].",
    };
    expect(check({ projectId, ldapGroupMappings, idpGroupMappings }).failures).toEqual(
      isFailure ? [failure] : [],
    );
  });
});

describe("a fault beside values that are not known yet", () => {
  const misspelled =
    'ldapGroupMappings[0].roleName contains "GROUP_OWNR", which is not a role of a project. Did you mean GROUP_OWNER?';
  const ldapGroups = ["cn=a"];
  test.each<[string, Properties, string]>([
    ["a tag", { tags: ["A", UNKNOWN, "A"] }, 'tags contains "A" more than once.'],
    [
      "a pattern",
      { tags: ["K8S"], ignoreTags: [UNKNOWN, "K*"] },
      'tags contains "K8S", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.',
    ],
    ["a mapping", { ldapGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups }, UNKNOWN] }, misspelled],
    ["groups", { ldapGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: UNKNOWN }] }, misspelled],
    ["a group", { ldapGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: [UNKNOWN] }] }, misspelled],
    [
      "a role",
      { ldapGroupMappings: [{ roleName: UNKNOWN, ldapGroups: ["cn=a", "cn=a"] }] },
      'ldapGroupMappings[0].ldapGroups contains "cn=a" more than once.',
    ],
    [
      "a role of another mapping",
      {
        ldapGroupMappings: [
          { roleName: "GROUP_OWNR", ldapGroups },
          { roleName: UNKNOWN, ldapGroups },
        ],
      },
      misspelled,
    ],
  ])("a fault is an error although %s beside it is not known yet", (_, inputs, reason) => {
    expect(check({ projectId, ...inputs }).reasons).toEqual([reason]);
  });
});

test("each fault between entries has the location of the last entry that causes it", () => {
  const given = {
    tags: ["A", "K8S", "A", "K8S", ..."BCDEFGH"],
    ignoreTags: ["K*"],
    ldapGroupMappings: [
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=a"] },
      { roleName: "GROUP_READ_ONYL", ldapGroups: ["cn=b", "cn=b"] },
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=c"] },
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

test("inputs with a fault of shape are returned as the program gives them, without null", () => {
  const inputs = { projectId: projectId.toUpperCase(), tags: ["B", "A"], ignoreTags: "K*" };
  expect(check({ ...inputs, name: null }).inputs).toEqual(inputs);
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
    'tags contains "A" more than once.',
  ]);
});

/** Each list beside its fault of shape has a fault between entries, which no message names. */
test.each<[string, Properties, string[]]>([
  ["tags that are text", { tags: "A" }, ["tags must be a list."]],
  ["a number among tags", { tags: ["A", "A", 7] }, ["tags[2] must be text."]],
  [
    "tags that are lists and objects",
    { tags: [["A"], { b: 1 }, "C", "C"] },
    ["tags[0] must be text.", "tags[1] must be text."],
  ],
  [
    "mappings that are one object",
    { ldapGroupMappings: { roleName: "GROUP_OWNR" } },
    ["ldapGroupMappings must be a list."],
  ],
  [
    "text among mappings",
    { ldapGroupMappings: ["GROUP_OWNER", { roleName: "GROUP_OWNR", ldapGroups: ["cn=a"] }] },
    ["ldapGroupMappings[0] must have roleName and ldapGroups."],
  ],
  [
    "null among mappings",
    { ldapGroupMappings: [null] },
    ["ldapGroupMappings[0] must have roleName and ldapGroups."],
  ],
  [
    "a mapping without groups",
    { ldapGroupMappings: [{ roleName: "GROUP_OWNR" }] },
    ["ldapGroupMappings[0].ldapGroups must be a list."],
  ],
  [
    "a mapping without a role",
    { ldapGroupMappings: [{ ldapGroups: ["cn=a", "cn=a"] }] },
    ["ldapGroupMappings[0].roleName must be text."],
  ],
  [
    "a number among groups",
    { ldapGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: [7] }] },
    ["ldapGroupMappings[0].ldapGroups[0] must be text."],
  ],
  [
    "the groups of the other source in a mapping",
    { idpGroupMappings: [{ roleName: "GROUP_OWNR", ldapGroups: ["cn=a"] }] },
    ["idpGroupMappings[0].idpGroups must be a list.", "ldapGroups is not a property in idpGroupMappings[0]."],
  ],
  ["patterns that are text", { ignoreTags: "K*", tags: ["K8S"] }, ["ignoreTags must be a list."]],
  ["a number among patterns", { ignoreTags: ["K*", 7], tags: ["K8S"] }, ["ignoreTags[1] must be text."]],
])("%s: the error names this fault alone, and no warning is logged", (_, inputs, reasons) => {
  const checked = check({ projectId, ...inputs });
  expect(checked.reasons).toEqual(reasons);
  expect(checked.warnings).toEqual([]);
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

  test.each<[string, Properties]>([
    ["of shape", { name: "" }],
    ["between entries", { tags: ["a", "a"] }],
  ])("a Project with a fault %s declares no project, and no warning is logged", (_, faulty) => {
    const session = newSession();
    const { failures, warnings } = check({ projectId, ...faulty }, session);
    expect(failures).toHaveLength(1);
    expect(warnings).toEqual([]);
    expect(session.of(Claims).declarerOf(projectOf(projectId))).toBeUndefined();
  });

  test("two Projects are warned of each other if one gives the name of its recorded project, and the other the ID", () => {
    const session = newSession();
    const urn = urnOf("Project", "ada");
    const observation = { kind: "Project", id: projectId, origin: "created", names: [creating] } as const;
    session.of(ObservationLog).record(urn, observation);
    expect(check(creating, session).warnings).toEqual([]);
    expect(check({ projectId }, session, "ben").warnings).toEqual([
      `Project ${projectId} is also declared by ${urn}: each will revert the other's changes.`,
    ]);
  });
});

describe("what a resource declares as its project", () => {
  const urn = urnOf("Project", "ada");
  const [byName, byId, asExisting] = [
    projectNamed(creating),
    projectOf(projectId),
    existing(projectId, projectId),
  ];
  test.each<[string, Properties, (typeof byName)[]]>([
    ["by its name, if the program gives no ID", creating, [byName]],
    ["as an existing project, if the program gives its ID", { projectId }, [byId, asExisting]],
    ["not by the name beside its ID", { projectId, ...creating }, [byId, asExisting]],
    ["not at all while its ID is not known yet", { projectId: UNKNOWN, ...creating }, []],
  ])("a Project declares its project %s", (_, inputs, declared) => {
    const session = newSession();
    check(inputs, session);
    const subjects = [byName, byId, asExisting];
    expect(subjects.filter((subject) => session.of(Claims).declarerOf(subject) === urn)).toEqual(declared);
  });

  test("a Project declares the name, and the ID of the project that it held under this name", () => {
    const session = newSession();
    const observation = { kind: "Project", id: projectId, origin: "created", names: [creating] } as const;
    session.of(ObservationLog).record(urn, observation);
    check(creating, session);
    const declarers = [byName, byId, asExisting].map((subject) => session.of(Claims).declarerOf(subject));
    expect(declarers).toEqual([urn, urn, undefined]);
  });

  test.each<[string, Properties]>([
    ["name", { orgId, name: UNKNOWN }],
    ["organization", { orgId: UNKNOWN, name: "payments" }],
    ["name and organization", { orgId: UNKNOWN, name: UNKNOWN }],
    ["ID", { projectId: UNKNOWN }],
  ])(
    "two Projects whose %s is not known yet declare nothing, and are not warned of each other",
    (_, inputs) => {
      const session = newSession();
      const take = jest.spyOn(session.of(Claims), "take");
      expect(check(inputs, session).warnings).toEqual([]);
      expect(check(inputs, session, "ben").warnings).toEqual([]);
      expect(take).not.toHaveBeenCalled();
    },
  );
});

describe("the setting orgId", () => {
  const other = "5f00000000000000000000b2";
  test.each<[string, Properties, Properties]>([
    ["is the organization of a project that is declared by its name", { name: "payments" }, creating],
    [
      "does not replace a declared organization",
      { orgId: other, name: "payments" },
      { orgId: other, name: "payments" },
    ],
    ["is not added beside projectId", { projectId }, { projectId }],
  ])("the setting orgId %s", (_, inputs, expected) => {
    expect(check(inputs, newSession({ orgId })).inputs).toEqual(expected);
  });
});
