/** Who is meant by a record, a name or an ID. */

import { meantAmong } from "../../../../cli/lib/access/declared";
import { accessIn } from "../../../../cli/lib/access/live";
import { nothingRead } from "../../../../cli/lib/project-access";
import {
  activeMembership,
  type Identity,
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

interface RecordRow {
  readonly title: string;
  readonly recorded: readonly Recorded[];
  /** The first one is looked for. */
  readonly people: readonly [Present, ...Present[]];
  readonly expected: Recorded | undefined;
}

const invitedAccount = pendingMembership([invitation("ada.former")], "user-ada");
const memberWithInvitation = activeMembership(member("ada"), [invitation("ada")]);
const olderInvitation = { username: "", declared: true, invitationId: "invite-eve" };

test.each<RecordRow>([
  {
    title: "is that of the account, whatever its name is now",
    recorded: [ada],
    people: [renamedAda],
    expected: ada,
  },
  {
    title: "of an account is not that of its former name",
    recorded: [ada],
    people: [namesake],
    expected: undefined,
  },
  {
    title: "of an account comes before that of its invitation",
    recorded: [invitedAda, ada],
    people: [memberWithInvitation],
    expected: ada,
  },
  {
    title: "of an account is not that of a pending invitation to it",
    recorded: [ada],
    people: [invitedAccount],
    expected: undefined,
  },
  {
    title: "of an invitation is that of the member, whose account is not recorded",
    recorded: [invitedAda],
    people: [memberWithInvitation],
    expected: invitedAda,
  },
  {
    title: "of an older invitation is that of the same person too",
    recorded: [olderInvitation],
    people: [pendingMembership([invitation("ada"), invitation("eve")])],
    expected: olderInvitation,
  },
  {
    title: "of an invitation that is no longer pending is found by name, whatever its case",
    recorded: [invitedAda],
    people: [renamed(active("eve"), "ADA@example.com")],
    expected: invitedAda,
  },
  {
    title: "of an invitation that is still pending is not that of another person with its name",
    recorded: [invitedAda],
    people: [namesake, pending("ada")],
    expected: undefined,
  },
])("the record $title", ({ recorded, people, expected }) => {
  expect(recordOf(recorded, people)(people[0])).toEqual(expected);
});

describe("the person whom a name stands for", () => {
  const former = { userId: "user-ada", username: "ada.l@example.com", declaredAs: "ada@example.com" };
  const idIn = (identity: Identity | undefined) => identity?.userId ?? identity?.invitationId;

  interface NameRow {
    readonly title: string;
    readonly name?: string;
    readonly recorded: readonly Recorded[];
    readonly id: string | undefined;
  }

  test.each<NameRow>([
    { title: "has this name now", recorded: [], id: "user-eve" },
    { title: "is the recorded account", recorded: [ada], id: "user-ada" },
    { title: "is no account that was not declared", recorded: [{ ...ada, declared: false }], id: "user-eve" },
    {
      title: "is an undeclared account that is recorded under the listed name",
      recorded: [{ ...former, declared: false }],
      id: "user-ada",
    },
    {
      title: "is the renamed account before another one that was recorded with the name",
      recorded: [
        { ...former, declared: true },
        { ...ada, userId: "user-eve" },
      ],
      id: "user-ada",
    },
    {
      title: "is the recorded account by its later name too",
      name: "ada.m@example.com",
      recorded: [{ ...former, declared: true, username: "ada.m@example.com" }],
      id: "user-ada",
    },
    {
      title: "is another account with the name where the recorded one has left",
      recorded: [{ ...ada, userId: "user-old" }],
      id: "user-eve",
    },
    {
      title: "is the recorded invitation before another account with the name",
      recorded: [{ ...invitedAda, invitationId: "invite-bob" }],
      id: "invite-bob",
    },
    { title: "is who accepted a recorded invitation to the name", recorded: [invitedAda], id: "user-eve" },
    { title: "is nobody if no one has it", name: "x@example.com", recorded: [], id: undefined },
  ])("$title", ({ name = "ada@example.com", recorded, id }) => {
    const people = [renamedAda, namesake, pending("bob")];
    const spelled = name.toUpperCase();
    const { found, missing, twice, others } = resolve([spelled], people, recorded);
    expect(idIn(found.get(spelled))).toBe(id);
    expect(missing).toEqual(id === undefined ? [spelled] : []);
    expect(twice).toEqual([]);
    expect(others).toEqual(people.filter((person) => ![...found.values()].includes(person)));
    expect(personNamed(people, recorded)(name)).toBe(found.get(spelled));
  });

  test("is one person in any Unicode form", () => {
    const composed = "j\u00fcrgen@example.com";
    const person = renamed(active("jurgen"), composed.normalize("NFD"));
    expect(resolve([composed], [person], []).found.get(composed)).toBe(person);
  });

  test("is one for the listed and the new name of a renamed account, and the listed name counts", () => {
    const names = ["ada.l@example.com", "ada@example.com", "new@example.com"];
    expect(resolve(names, [renamedAda, active("bob")], [ada])).toEqual({
      found: new Map([["ada@example.com", renamedAda]]),
      missing: ["new@example.com"],
      twice: [["ada@example.com", "ada.l@example.com"]],
      others: [active("bob")],
    });
  });
});

describe("the identity that a record means", () => {
  const recorded = { status: "active", userId: "user-ada", username: "ada@example.com" };
  const pendingRecord = { status: "pending", invitationId: "invite-ada", username: "ada@example.com" };
  const declared = { invitationId: "invite-ada" };
  const invitations = [invitation("ada")];
  const members: readonly Member[] = [];

  test("is the invitation alone while it is pending and the program gives its ID, and its name after that", () => {
    expect(recordedIdentity(pendingRecord, declared, { members, invitations })).toStrictEqual(declared);
    expect(recordedIdentity(pendingRecord, declared, { members, invitations: [] })).toStrictEqual({
      userId: undefined,
      ...declared,
      username: "ada@example.com",
    });
  });

  test("is the declared account and not the recorded one, without a name", () => {
    const other = { ...pendingRecord, userId: "user-old" };
    const meant = recordedIdentity(other, { userId: "user-ada" }, { members, invitations });
    expect(meant).toStrictEqual({ userId: "user-ada", invitationId: "invite-ada" });
  });

  test("has the recorded invitation only while the account is a member", () => {
    const later = { ...recorded, invitationId: "invite-new" };
    const meantAmong = (name: string) =>
      recordedIdentity(later, declared, { members: [member(name)], invitations: [] }).invitationId;
    expect([meantAmong("ada"), meantAmong("bob")]).toEqual(["invite-new", "invite-ada"]);
  });
});

test("a command finds a person by the account, else by the invitation, else by the name of one without another account", () => {
  const named = (name: string) => ({ username: `${name}@example.com`, roles: [] });
  const people = [
    { ...named("ada"), userId: "user-ada", status: "indirect" as const },
    { ...named("bob"), userId: "user-bob", invitationId: "invite-bob" },
    { ...named("eve"), invitationId: "invite-eve" },
    { ...named("zoe"), userId: "user-zoe" },
  ];
  const all = accessIn({ kind: "project", id: "project", name: "payments" }, { ...nothingRead, people });
  const find = (identity: Identity) => [...meantAmong(all, [identity])][0]?.name;
  expect(find({ userId: "user-zoe", invitationId: "invite-eve" })).toBe("zoe@example.com");
  expect(find({ invitationId: "invite-bob", ...named("eve") })).toBe("bob@example.com");
  expect(find({ username: "ZOE@example.com" })).toBe("zoe@example.com");
  expect(find({ userId: "x", ...named("eve") })).toBe("eve@example.com");
  expect(find({ userId: "user-old", ...named("zoe") })).toBeUndefined();
  // Not one who is there only through a team or the organization.
  expect(find({ userId: "user-ada", ...named("ada") })).toBeUndefined();
});
