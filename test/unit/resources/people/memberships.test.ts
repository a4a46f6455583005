/** The memberships of a project: whose an invitation is, and who is missing. */

import {
  activeMembership,
  type Member,
  type Membership,
  pendingMembership,
} from "../../../../provider/access/person";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { allMemberships } from "../../../../provider/resources/people/memberships";
import { invitation, member, pending } from "./people";

function detail(username: string, more: Partial<MemberDetail>): MemberDetail {
  return { username, status: "pending", roles: ["GROUP_READ_ONLY"], declared: true, ignored: false, ...more };
}

const ada = "ada@example.com";
const invitedAda = detail(ada, { invitationId: "invite-ada" });
/** Ada's account with another name, and another account with Ada's name. */
const renamedAda: Member = { ...member("ada"), username: "zoe@example.com" };
const namesake: Member = { ...member("eve"), username: ada };
const recordedEve = detail("eve@example.com", { userId: "user-eve", status: "active" });

interface Row {
  readonly whose: string;
  readonly recorded: readonly MemberDetail[];
  readonly members: readonly Member[];
  readonly expected: readonly Membership[];
}

const rows: readonly Row[] = [
  {
    whose: "that of a member with the name",
    recorded: [recordedEve],
    members: [namesake],
    expected: [activeMembership(namesake, [invitation("ada")])],
  },
  {
    whose: "that of the recorded account, whatever its name is now",
    recorded: [{ ...invitedAda, userId: "user-ada" }],
    members: [namesake, renamedAda],
    expected: [activeMembership(namesake), activeMembership(renamedAda, [invitation("ada")])],
  },
  {
    whose: "pending for the recorded account, which is no member",
    recorded: [{ ...invitedAda, userId: "user-ada" }],
    members: [namesake],
    expected: [activeMembership(namesake), pendingMembership([invitation("ada")], "user-ada")],
  },
  {
    whose: "not that of a member with its name who is recorded beside it",
    recorded: [invitedAda, recordedEve],
    members: [namesake],
    expected: [activeMembership(namesake), pending("ada")],
  },
];

test.each(rows)("an invitation is $whose", ({ recorded, members, expected }) => {
  expect(allMemberships({ members, invitations: [invitation("ada")] }, recorded)).toEqual(expected);
});

test("pending invitations to spellings of one name are one membership with the newest first", () => {
  const newer = { ...invitation("ADA"), invitationId: "newer", createdAt: "2026-01-02T00:00:00Z" };
  expect(allMemberships({ members: [], invitations: [invitation("ada"), newer] })).toEqual([
    pendingMembership([newer, invitation("ada")]),
  ]);
});
