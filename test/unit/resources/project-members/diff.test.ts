import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { memberListDifferences } from "../../../../provider/resources/project-members/diff";
import type { MemberListInputs } from "../../../../provider/resources/project-members/inputs";
import type { MemberListState } from "../../../../provider/resources/project-members/state";
import { permutations, projectId } from "../people/people";

const ada = "ada@example.com";
const bob = "bob@example.com";
const people = { [ada]: ["GROUP_BACKUP_ADMIN", "GROUP_OWNER"], [bob]: ["GROUP_READ_ONLY"] };
const state: MemberListState = {
  projectId,
  members: people,
  memberDetails: [],
  origin: "created",
  onDestroy: "release",
  ignoreUsers: [],
  maxRemovals: 5,
  removeUnlisted: false,
};
const declared: MemberListInputs = { projectId, members: people };

/** `["update members.bob@example.com.0", "delete members.ada@example.com"]` */
function drawn(
  inputs: Partial<MemberListInputs>,
  oldInputs: Partial<MemberListInputs> = {},
  recorded: MemberListState = state,
  ignored: readonly string[] = [],
): string[] {
  const memberDetails = recorded.memberDetails.length > 0 ? recorded.memberDetails : detailsOf(recorded);
  return memberListDifferences(
    { ...recorded, memberDetails },
    { ...declared, ...inputs },
    { ...declared, ...oldInputs },
    (property) => ignored.includes(property),
  ).map(({ path, kind, replace }) => `${replace ? "replace " : ""}${kind} ${path.join(" ")}`);
}

/** Declared people, each under their own name. */
function detailsOf({ members }: MemberListState): MemberDetail[] {
  return Object.entries(members).map(([username, roles]) => person(username, { roles }));
}

/** The state of a member after a read, reduced to what the comparison needs. */
function person(username: string, more: Partial<MemberDetail> = {}): MemberDetail {
  return { username, status: "active", roles: ["GROUP_READ_ONLY"], declared: true, ignored: false, ...more };
}

describe("people", () => {
  test("who have got a declared person's former name are no removals, even where unlisted people are", () => {
    const roles = people[ada] ?? [];
    const memberDetails = [
      person("ada.l@example.com", { userId: "a", declaredAs: ada, roles }),
      person(ada, { userId: "b", declared: false }),
      person(bob, { userId: "c" }),
    ];
    const recorded = { ...state, memberDetails };
    const exclusive = { removeUnlisted: true };
    expect(drawn({}, {}, recorded)).toEqual([]);
    expect(drawn(exclusive, exclusive, recorded)).toEqual([]);
  });

  test("who are not listed are removals only if the program requires it, or declared them before", () => {
    const memberDetails = [
      person(ada, { roles: people[ada] ?? [] }),
      person(bob),
      person("eve@example.com"),
      person("zoe@example.com", { declared: false }),
      person("svc@example.com", { declared: false, ignored: true }),
    ];
    const recorded = { ...state, memberDetails };
    const patterns = { ignoreUsers: ["svc@*"] };
    const exclusive = { ...patterns, removeUnlisted: true };
    const declaredOnly = ["delete members eve@example.com"];
    const all = [...declaredOnly, "delete members zoe@example.com"];
    expect(drawn(patterns, patterns, recorded)).toEqual(declaredOnly);
    expect(drawn(exclusive, exclusive, recorded)).toEqual(all);
    expect(drawn(exclusive, patterns, recorded)).toEqual([...all, "add removeUnlisted"]);
  });

  test("who are listed but not recorded as declared are an update, or an addition where the outputs lack them", () => {
    const memberDetails = [
      person(ada, { roles: people[ada] ?? [], declared: false }),
      person(bob, { declared: false }),
    ];
    const recorded = { ...state, members: { [ada]: people[ada] ?? [] }, memberDetails };
    expect(drawn({}, {}, recorded)).toEqual([`update members ${ada}`, `add members ${bob}`]);
  });

  test("two names of one account are an addition, also where the roles are the same", () => {
    const roles = people[ada] ?? [];
    const memberDetails = [person("ada.l@example.com", { declaredAs: ada, roles }), person(bob)];
    const members = { ...people, "ada.l@example.com": roles };
    expect(drawn({ members }, {}, { ...state, memberDetails })).toEqual(["add members ada.l@example.com"]);
  });

  test("and their roles are sets: no order of them is a change", () => {
    const allMembers = { ...people, "eve@example.com": ["A", "B", "C"] };
    const recorded = { ...state, members: allMembers };
    for (const entries of permutations(Object.entries(allMembers))) {
      expect(drawn({ members: Object.fromEntries(entries) }, {}, recorded)).toEqual([]);
    }
    for (const roles of permutations(["A", "B", "C"])) {
      expect(drawn({ members: { ...allMembers, "eve@example.com": roles } }, {}, recorded)).toEqual([]);
    }
  });

  test("are the same in another spelling, and shown as a whole where their roles differ as well", () => {
    const spelled = { "ADA@Example.com": people[ada] ?? [], [bob]: people[bob] ?? [] };
    expect(drawn({ members: spelled })).toEqual([]);
    expect(drawn({ members: { ...spelled, "ADA@Example.com": ["GROUP_OWNER"] } })).toEqual([
      "update members ADA@Example.com",
    ]);
  });

  test.each<[string, MemberListInputs["members"], string[]]>([
    ["who comes is added", { ...people, "new@example.com": ["X"] }, ["add members new@example.com"]],
    ["who goes is deleted", { [ada]: people[ada] ?? [] }, [`delete members ${bob}`]],
    [
      "one for another is a deletion and an addition",
      { [ada]: people[ada] ?? [], "new@example.com": ["X"] },
      [`delete members ${bob}`, "add members new@example.com"],
    ],
    [
      "who changes is shown role by role",
      { [ada]: ["GROUP_OWNER"], [bob]: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"] },
      [`delete members ${ada} 0`, `add members ${bob} 1`],
    ],
    ["roles that are not known yet are one update", { ...people, [bob]: UNKNOWN }, [`update members ${bob}`]],
    [
      "a role that is not known yet is one update",
      { ...people, [bob]: [UNKNOWN] },
      [`update members ${bob}`],
    ],
    [
      "who comes with roles that are not known yet is added",
      { ...people, "new@example.com": UNKNOWN },
      ["add members new@example.com"],
    ],
    ["a list that is not known yet is one update", UNKNOWN, ["update members"]],
  ])("%s", (_, members, expected) => {
    expect(drawn({ members })).toEqual(expected);
  });

  test("who were renamed outside Pulumi are the same under their old name and their new one", () => {
    const detail: MemberDetail = {
      ...{ username: "ada.l@example.com", userId: "user-ada", roles: people[ada] ?? [] },
      ...{ declared: true, declaredAs: ada, ignored: false },
      status: "active",
    };
    const recorded: MemberListState = { ...state, memberDetails: [detail, person(bob)] };
    expect(drawn({}, {}, recorded)).toEqual([]);
    const members = { "Ada.L@example.com": people[ada] ?? [], [bob]: people[bob] ?? [] };
    expect(drawn({ members }, {}, recorded)).toEqual([]);
    expect(drawn({ members: { ...members, "Ada.L@example.com": ["X"] } }, {}, recorded)).toEqual([
      "update members Ada.L@example.com",
    ]);
  });

  test("whom the new patterns leave to others are no deletion, whatever the case", () => {
    const members = { [ada]: people[ada] ?? [] };
    const ignoring = { ignoreUsers: ["BOB@*"] };
    expect(drawn({ members, ...ignoring }, ignoring)).toEqual([]);
    expect(drawn({ members, ignoreUsers: ["b?b@*", "x*"] }, { ignoreUsers: ["x*"] })).toEqual([
      "add ignoreUsers 0",
    ]);
    expect(drawn({ members }, { ignoreUsers: ["x*"] })).toEqual([
      `delete members ${bob}`,
      "delete ignoreUsers",
    ]);
  });
});

describe("patterns", () => {
  test("are a set, and an empty one is the same as none", () => {
    for (const ignoreUsers of permutations(["a*", "b*", "c*"])) {
      expect(drawn({ ignoreUsers }, { ignoreUsers: ["a*", "b*", "c*"] })).toEqual([]);
    }
    expect(drawn({ ignoreUsers: [] })).toEqual([]);
    expect(drawn({}, { ignoreUsers: [] })).toEqual([]);
  });

  test.each<[Partial<MemberListInputs>, Partial<MemberListInputs>, string[]]>([
    [{ ignoreUsers: ["x*"] }, {}, ["add ignoreUsers"]],
    [{}, { ignoreUsers: ["x*"] }, ["delete ignoreUsers"]],
    [{ ignoreUsers: ["x*", "y*"] }, { ignoreUsers: ["x*"] }, ["add ignoreUsers 1"]],
    [{ ignoreUsers: ["y*"] }, { ignoreUsers: ["x*"] }, ["update ignoreUsers 0"]],
    [{ ignoreUsers: UNKNOWN }, {}, ["add ignoreUsers"]],
    [{ ignoreUsers: UNKNOWN }, { ignoreUsers: ["x*"] }, ["update ignoreUsers"]],
  ])("%j after %j", (inputs, oldInputs, expected) => {
    expect(drawn(inputs, oldInputs)).toEqual(expected);
  });
});

describe("settings", () => {
  test.each<[Partial<MemberListInputs>]>([
    [{ maxRemovals: 5 }],
    [{ removeUnlisted: false }],
    [{ onDestroy: "release" }],
  ])("%j is the default, so writing it down or taking it away is no change", (setting) => {
    expect(drawn(setting)).toEqual([]);
    expect(drawn({}, setting)).toEqual([]);
  });

  test.each<[Partial<MemberListInputs>, Partial<MemberListInputs>, string[]]>([
    [{ maxRemovals: 0 }, {}, ["add maxRemovals"]],
    [{ maxRemovals: 7 }, { maxRemovals: 0 }, ["update maxRemovals"]],
    [{}, { maxRemovals: 0 }, ["delete maxRemovals"]],
    [{ maxRemovals: UNKNOWN }, { maxRemovals: 5 }, ["update maxRemovals"]],
    [{ removeUnlisted: true }, {}, ["add removeUnlisted"]],
    [{ onDestroy: "remove" }, {}, ["add onDestroy"]],
    [{ onDestroy: UNKNOWN }, { onDestroy: "remove" }, ["update onDestroy"]],
    [{}, { onDestroy: "remove" }, ["delete onDestroy"]],
  ])("%j after %j is one", (inputs, oldInputs, expected) => {
    expect(drawn(inputs, oldInputs)).toEqual(expected);
  });
});

test("another project is a replace, one that is not known yet an update", () => {
  expect(drawn({ projectId: "5f00000000000000000000a2" })).toEqual(["replace update projectId"]);
  expect(drawn({ projectId: UNKNOWN })).toEqual(["update projectId"]);
});

test("what ignoreChanges names is no difference, and hides no other", () => {
  const inputs = { members: { [ada]: ["X"] }, maxRemovals: 1 };
  expect(drawn(inputs, {}, state, ["members"])).toEqual(["add maxRemovals"]);
  expect(drawn(inputs, {}, state, ["maxRemovals"])).toEqual([
    `delete members ${bob}`,
    `update members ${ada} 0`,
    `delete members ${ada} 1`,
  ]);
});
