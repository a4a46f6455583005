/** The memberships of a project: whose an invitation is, and who is missing. */

import {
  activeMembership,
  type Invitation,
  type Member,
  type Membership,
  pendingMembership,
} from "../../../../provider/access/person";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { allMemberships, showsAllDeclared } from "../../../../provider/resources/people/memberships";
import { active, invitation, member, pending } from "./people";

function detail(username: string, more: Partial<MemberDetail>): MemberDetail {
  return { username, status: "pending", roles: ["GROUP_READ_ONLY"], declared: true, ignored: false, ...more };
}

const ada = "ada@example.com";
const invitedAda = detail(ada, { invitationId: "invite-ada" });
/** Ada's account with another name, and another account with Ada's name. */
const renamedAda: Member = { ...member("ada"), username: "zoe@example.com" };
const namesake: Member = { ...member("eve"), username: ada };

test.each<[string, MemberDetail[], Member[], Invitation[], Membership[]]>([
  [
    "an invitation to the name of a member is that member's",
    [],
    [namesake],
    [invitation("ada")],
    [activeMembership(namesake, [invitation("ada")])],
  ],
  [
    "a recorded invitation is that of the recorded account, whatever the name of the account is now",
    [{ ...invitedAda, userId: "user-ada" }],
    [namesake, renamedAda],
    [invitation("ada")],
    [activeMembership(namesake), activeMembership(renamedAda, [invitation("ada")])],
  ],
  [
    "a recorded invitation stays pending for its recorded account, which is no member",
    [{ ...invitedAda, userId: "user-ada" }],
    [namesake],
    [invitation("ada")],
    [activeMembership(namesake), pendingMembership([invitation("ada")], "user-ada")],
  ],
  [
    "a recorded invitation is not that of a member with its name who is recorded beside it",
    [invitedAda, detail("eve@example.com", { userId: "user-eve", status: "active" })],
    [namesake],
    [invitation("ada")],
    [activeMembership(namesake), pending("ada")],
  ],
  [
    "a recorded invitation is that of a member with its name who is not recorded",
    [invitedAda, detail("bob@example.com", { userId: "user-bob", status: "active" })],
    [namesake],
    [invitation("ada")],
    [activeMembership(namesake, [invitation("ada")])],
  ],
  [
    "an invitation that is not recorded is that of a recorded member with its name",
    [detail("eve@example.com", { userId: "user-eve", status: "active" })],
    [namesake],
    [invitation("ada")],
    [activeMembership(namesake, [invitation("ada")])],
  ],
])("%s", (_, recorded, members, invitations, expected) => {
  expect(allMemberships({ members, invitations }, recorded)).toEqual(expected);
});

test("pending invitations to spellings of one name are one membership with the newest first", () => {
  const newer = { ...invitation("ADA"), invitationId: "newer", createdAt: "2026-01-02T00:00:00Z" };
  expect(allMemberships({ members: [], invitations: [invitation("ada"), newer] })).toEqual([
    pendingMembership([newer, invitation("ada")]),
  ]);
});

test.each<[string, MemberDetail[], boolean]>([
  ["no one is missing where nothing is recorded", [], true],
  [
    "a declared person who is shown is not missing",
    [detail("bob@example.com", { userId: "user-bob" })],
    true,
  ],
  ["a declared person who is not shown is missing", [detail(ada, {}), detail("bob@example.com", {})], false],
  ["an undeclared person is never missing", [detail(ada, { declared: false })], true],
])("%s", (_, recorded, expected) => {
  expect(showsAllDeclared(recorded, { members: [active("bob")], invitations: [] })).toBe(expected);
});
