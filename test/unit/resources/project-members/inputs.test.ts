import { type Properties, UNKNOWN, type Value } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import {
  check as checkProjectMembers,
  isIgnoredUser,
} from "../../../../provider/resources/project-members/inputs";
import { checker, newSession, urnOf } from "../checker";
import { permutations, projectId } from "../people/people";

const check = checker("ProjectMembers", checkProjectMembers);
const checkOne = checker("ProjectMember", projectMember.check);
const roles = ["GROUP_READ_ONLY"];
const allMembers = { projectId, members: { "ada@example.com": ["GROUP_OWNER"], "bob@example.com": roles } };

test.each<[string, Properties]>([
  ["people with roles", allMembers],
  [
    "all settings",
    {
      ...allMembers,
      ignoreUsers: ["svc-*"],
      maxRemovals: 0,
      removeUnlisted: true,
      onDestroy: "remove",
    },
  ],
  [
    "nulls for what may be left out",
    { ...allMembers, ignoreUsers: null, maxRemovals: null, onDestroy: null },
  ],
  [
    "what is not known yet",
    { projectId: UNKNOWN, members: UNKNOWN, ignoreUsers: UNKNOWN, maxRemovals: UNKNOWN },
  ],
  [
    "roles that are not known yet",
    { projectId, members: { "ada@example.com": UNKNOWN, "bob@example.com": [UNKNOWN] } },
  ],
])("%s have no fault", (_, inputs) => {
  expect(check(inputs)).toMatchObject({ failures: [], warnings: [] });
});

describe("the canonical form", () => {
  test("has the id in lower case and every set in order, keeps names as they are written, and adds nothing", () => {
    const inputs = {
      projectId: projectId.toUpperCase(),
      members: { "Zoe@Example.com": ["GROUP_B", "GROUP_A"], "ada@example.com": ["GROUP_C"] },
      ignoreUsers: ["svc-*", "bot-*"],
    };
    const expected = {
      projectId,
      members: { "Zoe@Example.com": ["GROUP_A", "GROUP_B"], "ada@example.com": ["GROUP_C"] },
      ignoreUsers: ["bot-*", "svc-*"],
    };
    expect(check(inputs).inputs).toEqual(expected);
    expect(check(expected).inputs).toEqual(expected);
  });

  test("is one for every order of people and roles", () => {
    const people: [string, Value][] = [
      ["ada@example.com", ["GROUP_A", "GROUP_B", UNKNOWN]],
      ["bob@example.com", ["GROUP_C"]],
      ["eve@example.com", UNKNOWN],
    ];
    for (const order of permutations(people)) {
      for (const mixed of permutations<Value>(["GROUP_A", UNKNOWN, "GROUP_B"])) {
        const members = { ...Object.fromEntries(order), "ada@example.com": mixed };
        expect(check({ projectId, members }).inputs.members).toEqual(Object.fromEntries(people));
      }
    }
  });
});

describe("an empty list", () => {
  test("is a fault with the reason and the solution", () => {
    expect(check({ projectId, members: {} }).failures).toEqual([
      {
        property: "members",
        reason:
          "members must not be empty: a list that failed to load would remove everyone. To stop managing these people, remove the resource from the program.",
      },
    ]);
  });

  test.each<[string, Properties]>([
    ["left out", { projectId }],
    ["null", { projectId, members: null }],
    ["a list", { projectId, members: ["ada@example.com"] }],
    ["text", { projectId, members: "ada@example.com" }],
  ])("is one also when it is %s", (_, inputs) => {
    expect(check(inputs).reasons).toEqual(["members must be a map from username to roles."]);
  });
});

describe("a person without roles", () => {
  test.each<[string, Value, string]>([
    ["no roles", [], "must not be empty: a person without a role is not in the project."],
    ["null", null, "must not be empty: a person without a role is not in the project."],
    ["text", "GROUP_OWNER", "must be a list."],
  ])("is a fault that names them, not a member to remove: %s", (_, given, reason) => {
    expect(
      check({ projectId, members: { ...allMembers.members, "eve@example.com": given } }).failures,
    ).toEqual([{ property: "members", reason: `members["eve@example.com"] ${reason}` }]);
  });

  test("is named also if no member has any", () => {
    expect(
      check({ projectId, members: { "ada@example.com": null, "bob@example.com": null } }).reasons,
    ).toEqual([
      'members["ada@example.com"] must not be empty: a person without a role is not in the project.',
      'members["bob@example.com"] must not be empty: a person without a role is not in the project.',
    ]);
  });
});

describe("faults", () => {
  test("of names are found in every key", () => {
    const names = ["", " ada@example.com"];
    const { failures } = check({
      projectId,
      members: Object.fromEntries(names.map((name) => [name, roles])),
    });
    expect(failures).toHaveLength(names.length);
    for (const [index, name] of names.entries()) {
      expect(failures[index]).toMatchObject({
        property: "members",
        reason: expect.stringContaining(`members[${JSON.stringify(name)}]`),
      });
    }
    expect(failures.map(({ reason }) => reason.split("] ")[1])).toEqual([
      "must not be empty.",
      "must not begin or end with blanks.",
    ]);
  });

  test("of one person in two spellings name both", () => {
    const members = { "ada@example.com": roles, "ADA@example.com": roles, "bob@example.com": roles };
    expect(check({ projectId, members }).failures).toEqual([
      {
        property: "members",
        reason:
          'members names one person more than once: "ada@example.com" and "ADA@example.com" are the same name.',
      },
    ]);
  });

  test("of a role twice, and of bad roles, have their location", () => {
    const members = {
      "ada@example.com": ["GROUP_A", "GROUP_B", "GROUP_A"],
      "bob@example.com": ["GROUP_A", ""],
    };
    expect(check({ projectId, members }).reasons).toEqual([
      'members["bob@example.com"][1] must not be empty.',
      'members["ada@example.com"] contains "GROUP_A" more than once.',
    ]);
  });

  test("of a user whom the patterns exclude name the user, whatever the case", () => {
    expect(check({ ...allMembers, ignoreUsers: ["x*", "BOB@*"] }).reasons).toEqual([
      'members["bob@example.com"] matches ignoreUsers: remove the name from members or the pattern from ignoreUsers.',
    ]);
  });

  test.each<[string, Properties, string]>([
    ["a negative number", { maxRemovals: -1 }, "maxRemovals must be 0 or more."],
    ["half a person", { maxRemovals: 1.5 }, "maxRemovals must be a whole number."],
    ["a number as text", { maxRemovals: "5" }, "maxRemovals must be a whole number."],
    ["a pattern that is no list", { ignoreUsers: "svc-*" }, "ignoreUsers must be a list."],
    ["an empty pattern", { ignoreUsers: [""] }, "ignoreUsers[0] must not be empty."],
    ["a word for a yes", { removeUnlisted: "yes" }, "removeUnlisted must be true or false."],
    ["an unknown end", { onDestroy: "delete" }, 'onDestroy must be "remove" or "release".'],
    ["a bad project", { projectId: "5f" }, "projectId must be the id of a project: 24 hexadecimal digits."],
    [
      "a misspelled role",
      { members: { "ada@example.com": ["group_owner"] } },
      'members["ada@example.com"] contains "group_owner", which is not a role of a project. Did you mean GROUP_OWNER?',
    ],
    ["a property that does not exist", { member: {} }, "member is not a property. Did you mean members?"],
  ])("%s", (_, inputs, reason) => {
    expect(check({ ...allMembers, ...inputs }).reasons).toEqual([reason]);
  });

  test("claim no one", () => {
    const session = newSession();
    check({ ...allMembers, maxRemovals: -1 }, session, "allMembers");
    expect(checkOne({ projectId, username: "ada@example.com", roles }, session).failures).toEqual([]);
  });
});

test("a role that is not known here is taken, with a warning", () => {
  const { failures, warnings } = check({ projectId, members: { "ada@example.com": ["GROUP_BRAND_NEW"] } });
  expect(failures).toEqual([]);
  expect(warnings).toEqual([
    'Role "GROUP_BRAND_NEW" is not a project role that this version knows, and is sent unchanged.',
  ]);
});

describe("beside another resource for people of the same project", () => {
  const declaredBy = (name: string, type: string) => expect.stringContaining(urnOf(type, name));

  test.each<[string, Properties, typeof check]>([
    ["ProjectMembers", allMembers, check],
    ["ProjectMember", { projectId, username: "stranger@example.com", roles }, checkOne],
  ])("a %s: fails naming both", (type, inputs, checkOther) => {
    const session = newSession();
    expect(checkOther(inputs, session, "first").failures).toEqual([]);
    const { failures } = check(allMembers, session, "second");
    expect(failures).toEqual([{ property: "projectId", reason: declaredBy("first", type) }]);
    expect(failures[0]?.reason).toEqual(declaredBy("second", "ProjectMembers"));
  });

  test("is no fault in another project, nor where one is checked twice, nor while the project is not known", () => {
    const session = newSession();
    check(allMembers, session, "first");
    expect(check(allMembers, session, "first").failures).toEqual([]);
    expect(
      check({ ...allMembers, projectId: "5f00000000000000000000a2" }, session, "second").failures,
    ).toEqual([]);
    expect(check({ ...allMembers, projectId: UNKNOWN }, session, "third").failures).toEqual([]);
  });
});

test.each([
  [["svc-*"], "SVC-backup@example.com", true],
  [["SVC-?@example.com"], "svc-1@example.com", true],
  [["svc-?@example.com"], "svc-10@example.com", false],
  [["ada"], "ada@example.com", false],
  [[], "ada@example.com", false],
])("the patterns %j and %s: %p", (patterns, username, expected) => {
  expect(isIgnoredUser(patterns, username)).toBe(expected);
});
