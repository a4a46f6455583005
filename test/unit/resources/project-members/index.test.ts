/** What the providers know of ProjectMembers as a whole: its secrets, and who changes without Pulumi. */
import { toProperties } from "../../../../provider/resources/contract/border";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { secretNames, secretTexts } from "../../../../provider/resources/contract/secret-texts";
import { projectMembers } from "../../../../provider/resources/project-members";
import { projectId } from "../people/people";

test("secret members make their details secret too, and another secret property makes nothing else secret", () => {
  expect([...secretNames(projectMembers, new Set(["members"]))]).toEqual(["members", "memberDetails"]);
  expect([...secretNames(projectMembers, new Set(["ignoreUsers"]))]).toEqual(["ignoreUsers"]);
});

test("the names of secret members are secret texts, as their roles are", () => {
  const values = { members: { "ada@example.com": ["GROUP_OWNER"] } };
  expect(secretTexts(values, ["members"], projectMembers.maps)).toEqual(["ada@example.com", "GROUP_OWNER"]);
});

test.each<[string, Partial<MemberDetail>[], boolean]>([
  ["no one", [], false],
  ["only active people", [{}], false],
  ["a pending invitation beside a member", [{}, { status: "pending" }], true],
  ["only ignored invitations", [{}, { status: "pending", ignored: true }], false],
])(
  "people of a project change by themselves if one is invited who is not ignored: %s",
  (_, people, expected) => {
    const memberDetails = people.map((more) => ({
      ...{ username: "ada@example.com", status: "active", roles: [], declared: true, ignored: false },
      ...more,
    }));
    const state = { projectId, members: {}, memberDetails, origin: "created", onDestroy: "release" };
    const settings = { ignoreUsers: [], maxRemovals: 5, removeUnlisted: false };
    expect(projectMembers.changesByItself?.(toProperties({ ...state, ...settings }))).toBe(expected);
  },
);
