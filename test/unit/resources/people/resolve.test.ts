/** Who is meant by a record, a name or an ID, and what is recorded of a team. */

import { personAmong } from "../../../../cli/lib/ownership";
import {
  activeMembership,
  type Identity,
  type Invitation,
  type Member,
  pendingMembership,
} from "../../../../provider/access/person";
import { recordedIdentity } from "../../../../provider/resources/members/record";
import { personNamed, recordOf, resolve } from "../../../../provider/resources/people/resolve";
import { active, invitation, member, pending, renamed } from "./people";

const ada = { userId: "user-ada", username: "ada@example.com", declared: true };
/** An invitation whose account is not recorded. */
const invitedAda = { invitationId: "invite-ada", username: "ada@example.com", declared: true };
/** Ada's account with another name, and another account with Ada's name. */
const renamedAda = renamed(active("ada"), "ada.l@example.com");
const namesake = renamed(active("eve"), "ada@example.com");

type Recorded = Parameters<typeof recordOf>[0][number];
type Present = Parameters<typeof recordOf>[1][number];

describe("records", () => {
  /** The invitation of Ada's account to the name that it had before. */
  const invitedAccount = pendingMembership([invitation("ada.former")], "user-ada");
  const memberWithInvitation = activeMembership(member("ada"), [invitation("ada")]);
  const unnamed = { username: "", declared: true };

  test.each<[string, Recorded[], Present[], Recorded | undefined]>([
    ["is that of the account, whatever its name is now", [ada], [renamedAda], ada],
    ["is not that of an account whose former name the person has now", [ada], [namesake], undefined],
    ["is that of the invitation", [invitedAda], [pending("ada")], invitedAda],
    ["is that of the account before that of its invitation", [invitedAda, ada], [memberWithInvitation], ada],
    [
      "is that of the invitation where the account of the member is not recorded",
      [invitedAda],
      [memberWithInvitation],
      invitedAda,
    ],
    [
      "is that of an older invitation of the same person too",
      [{ ...unnamed, invitationId: "invite-eve" }],
      [pendingMembership([invitation("ada"), invitation("eve")])],
      { ...unnamed, invitationId: "invite-eve" },
    ],
    ["of an account is not that of a pending invitation to it", [ada], [invitedAccount], undefined],
    [
      "of an account is that of an entry that is recorded as pending",
      [ada],
      [{ userId: "user-ada", username: "ada.former@example.com", status: "pending" }],
      ada,
    ],
    [
      "of an invitation is that of a person with one known invitation",
      [{ ...unnamed, invitationId: "invite-ada" }],
      [{ invitationId: "invite-ada", username: "ada.former@example.com" }],
      { ...unnamed, invitationId: "invite-ada" },
    ],
    [
      "of an invitation that is no longer pending is found by name, whatever its case",
      [invitedAda],
      [renamed(active("eve"), "ADA@example.com")],
      invitedAda,
    ],
    [
      "of an invitation that is still pending is not that of another person with its name",
      [invitedAda],
      [namesake, pending("ada")],
      undefined,
    ],
    [
      "without an ID is found by name",
      [{ username: "ada@example.com", declared: true }],
      [namesake],
      { username: "ada@example.com", declared: true },
    ],
    ["is none for another name", [invitedAda], [active("eve")], undefined],
  ])("the record %s", (_, recorded, people, expected) => {
    const [person] = people;
    expect(person && recordOf(recorded, people)(person)).toEqual(expected);
  });
});

describe("names", () => {
  type Names = Readonly<Record<string, string>>;
  const former = { userId: "user-ada", username: "ada.l@example.com", declaredAs: "ada@example.com" };

  /** By name, the account or the invitation. */
  function idsIn(found: ReadonlyMap<string, Identity>): Names {
    const ids = [...found].map(([name, { userId, invitationId }]) => [name, userId ?? invitationId ?? ""]);
    return Object.fromEntries(ids);
  }

  test.each<[string, Recorded[], Names]>([
    ["are those who have these names now", [], { "ada@example.com": "user-eve" }],
    ["are the recorded accounts", [ada], { "ada@example.com": "user-ada" }],
    [
      "are not accounts that were recorded without being declared",
      [{ ...ada, declared: false }],
      { "ada@example.com": "user-eve" },
    ],
    [
      "are undeclared accounts that are recorded under a listed name",
      [{ ...former, declared: false }],
      { "ada@example.com": "user-ada" },
    ],
    [
      "are the renamed account before another one that was recorded with the name",
      [
        { ...former, declared: true },
        { ...ada, userId: "user-eve" },
      ],
      { "ada@example.com": "user-ada" },
    ],
    [
      "are the recorded accounts by their later names too",
      [{ ...former, declared: true, username: "ada.m@example.com" }],
      { "ada.m@example.com": "user-ada" },
    ],
    [
      "are another account with the name where the recorded one has left",
      [{ ...ada, userId: "user-old" }],
      { "ada@example.com": "user-eve" },
    ],
    ["are none where no one has the name", [], {}],
    [
      "are the recorded invitations where the account is not there",
      [{ ...ada, userId: "user-old", invitationId: "invite-bob" }],
      { "ada@example.com": "invite-bob" },
    ],
    [
      "are the recorded accounts before the recorded invitations",
      [{ ...ada, invitationId: "invite-bob" }],
      { "ada@example.com": "user-ada" },
    ],
    [
      "are the recorded invitations before another account with the name",
      [{ ...invitedAda, invitationId: "invite-bob" }],
      { "ada@example.com": "invite-bob" },
    ],
    [
      "are those who accepted a recorded invitation to the name",
      [invitedAda],
      { "ada@example.com": "user-eve" },
    ],
  ])("the people whom names stand for %s", (_, recorded, expected) => {
    const people = [renamedAda, namesake, pending("bob")];
    const name = Object.keys(expected)[0] ?? "x@example.com";
    const { found, missing, twice, others } = resolve([name.toUpperCase()], people, recorded);
    const spelled = Object.entries(expected).map(([one, id]) => [one.toUpperCase(), id]);
    expect(idsIn(found)).toEqual(Object.fromEntries(spelled));
    expect(missing).toEqual(found.size === 0 ? [name.toUpperCase()] : []);
    expect(twice).toEqual([]);
    expect(others).toEqual(people.filter((person) => ![...found.values()].includes(person)));
    expect(personNamed(people, recorded)(name)).toBe(found.get(name.toUpperCase()));
  });

  test("the listed and the new name of a renamed account stand for one person, and the listed name counts", () => {
    const names = ["ada.l@example.com", "ada@example.com", "new@example.com"];
    const resolution = resolve(names, [renamedAda, active("bob")], [ada]);
    expect({ ...resolution, found: idsIn(resolution.found) }).toEqual({
      found: { "ada@example.com": "user-ada" },
      missing: ["new@example.com"],
      twice: [["ada@example.com", "ada.l@example.com"]],
      others: [active("bob")],
    });
  });
});

describe("recorded people", () => {
  type RecordedMember = Parameters<typeof recordedIdentity>[0];
  const pendingRecord = { status: "pending", invitationId: "invite-ada", username: "ada@example.com" };
  const activeRecord = { status: "active", userId: "user-ada", username: "ada@example.com" };
  const invitationOnly = { invitationId: "invite-ada" };

  test.each<[string, RecordedMember, Identity, Member[], Invitation[], Identity]>([
    [
      "is the invitation alone while it is pending and the program gives its ID",
      pendingRecord,
      invitationOnly,
      [],
      [invitation("ada")],
      invitationOnly,
    ],
    [
      "is the name to which the invitation was sent once it is no longer pending",
      pendingRecord,
      invitationOnly,
      [],
      [invitation("eve")],
      { userId: undefined, invitationId: "invite-ada", username: "ada@example.com" },
    ],
    [
      "is the name as well while the invitation is pending and the program gives a name",
      pendingRecord,
      { username: "ADA@example.com" },
      [],
      [invitation("ada")],
      { userId: undefined, invitationId: "invite-ada", username: "ada@example.com" },
    ],
    [
      "is the account as well while the invitation is pending and the account is recorded",
      { ...pendingRecord, userId: "user-ada" },
      invitationOnly,
      [],
      [invitation("ada")],
      { userId: "user-ada", invitationId: "invite-ada", username: "ada@example.com" },
    ],
    [
      "is the declared account and not the recorded one, without a name",
      { ...pendingRecord, userId: "user-old" },
      { userId: "user-ada" },
      [],
      [invitation("ada")],
      { userId: "user-ada", invitationId: "invite-ada" },
    ],
    [
      "has the name of the program where none is recorded",
      { status: "unverified" },
      { username: "ada@example.com" },
      [],
      [],
      { userId: undefined, invitationId: undefined, username: "ada@example.com" },
    ],
    [
      "has the invitation of the program where none is recorded",
      activeRecord,
      invitationOnly,
      [member("ada")],
      [],
      { userId: "user-ada", invitationId: "invite-ada", username: "ada@example.com" },
    ],
    [
      "has the recorded invitation while the account is a member",
      { ...activeRecord, invitationId: "invite-new" },
      invitationOnly,
      [member("ada")],
      [],
      { userId: "user-ada", invitationId: "invite-new", username: "ada@example.com" },
    ],
    [
      "has no recorded invitation once the member has left, while others stay",
      { ...activeRecord, invitationId: "invite-new" },
      invitationOnly,
      [member("bob")],
      [],
      { userId: "user-ada", invitationId: "invite-ada", username: "ada@example.com" },
    ],
    [
      "has the recorded invitation while it is not accepted, although the account is no member",
      { ...pendingRecord, userId: "user-ada" },
      { username: "ada@example.com" },
      [member("bob")],
      [],
      { userId: "user-ada", invitationId: "invite-ada", username: "ada@example.com" },
    ],
  ])("the person that a record means %s", (_, recorded, declared, members, invitations, expected) => {
    expect(recordedIdentity(recorded, declared, { members, invitations })).toStrictEqual(expected);
  });
});

describe("search", () => {
  const people = [
    { ...onlyNamed("ada"), userId: "user-ada", status: "indirect" },
    { ...onlyNamed("bob"), userId: "user-bob", invitationId: "invite-bob" },
    { ...onlyNamed("eve"), invitationId: "invite-eve" },
    { ...onlyNamed("zoe"), userId: "user-zoe" },
  ];

  function onlyNamed(name: string) {
    return { username: `${name}@example.com` };
  }

  test.each<[string, Identity, string | undefined]>([
    ["has the account before the invitation", { userId: "user-zoe", invitationId: "invite-eve" }, "zoe"],
    ["has the invitation before the name", { invitationId: "invite-bob", ...onlyNamed("eve") }, "bob"],
    ["has the name, whatever its case", { username: "ZOE@example.com" }, "zoe"],
    [
      "has the name of an invitation although an account is given",
      { userId: "x", ...onlyNamed("eve") },
      "eve",
    ],
    ["is no other account with the name", { userId: "user-old", ...onlyNamed("zoe") }, undefined],
    [
      "is no member only through a team or the organization",
      { userId: "user-ada", ...onlyNamed("ada") },
      undefined,
    ],
    ["is none without an ID or name", {}, undefined],
  ])("the person who is found %s", (_, identity, expected) => {
    expect(personAmong(people, identity)?.username).toBe(expected && onlyNamed(expected).username);
  });
});
