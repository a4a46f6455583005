import {
  foldName,
  type Identity,
  isOwner,
  type Membership,
  memberName,
  sameName,
} from "../../../../provider/access/person";
import { findMembership } from "../../../../provider/resources/people/memberships";
import { active, invitation, member, pending, permutations } from "./people";

const ada = member("ada");
const bob = member("bob");
const invitedAda = invitation("ada");
const invitedEve = invitation("eve");

describe("names", () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    ["ada@example.com", "ADA@Example.com", true],
    ["ada@example.com", "ada@example.org", false],
    ["ada@example.com", undefined, false],
    [undefined, undefined, false],
  ])("%p and %p are one person: %p", (one, other, expected) => {
    expect(sameName(one, other)).toBe(expected);
    expect(sameName(other, one)).toBe(expected);
  });

  test("have one folded form", () => {
    expect(foldName("ADA@Example.com")).toBe(foldName("ada@example.COM"));
    const composed = "J\u00fcrgen@example.com";
    expect(foldName(composed.normalize("NFD"))).toBe(foldName(composed.toUpperCase()));
  });
});

describe("a membership", () => {
  /** `active user-ada + invite-ada`, `pending invite-ada`, `none` */
  function summaryOf(membership: Membership | undefined): string {
    if (!membership) return "none";
    const ids = membership.invitations.map(({ invitationId }) => invitationId);
    return membership.status === "active"
      ? ["active", membership.userId, ...ids.flatMap((id) => ["+", id])].join(" ")
      : `pending ${ids.join(" + ")}`;
  }

  test.each<[string, Identity, string]>([
    ["is found by account", { userId: "user-bob" }, "active user-bob"],
    ["is found by name, whatever its case", { username: "BOB@example.com" }, "active user-bob"],
    ["is found by invitation", { invitationId: "invite-eve" }, "pending invite-eve"],
    ["is found by the name of an invitation", { username: "Eve@example.com" }, "pending invite-eve"],
    [
      "of a member contains the additional invitation too",
      { userId: "user-ada" },
      "active user-ada + invite-ada",
    ],
    [
      "is the invitation alone where an id of an invitation is all that is given",
      { invitationId: "invite-ada" },
      "pending invite-ada",
    ],
    [
      "is that of the account before any other of the name",
      { userId: "user-bob", username: "ada@example.com" },
      "active user-bob + invite-ada",
    ],
    [
      "is that of the account, and the invitation of that id, whatever name it has",
      { userId: "user-bob", invitationId: "invite-eve" },
      "active user-bob + invite-eve",
    ],
    [
      "is that of the invitation before any other of the name",
      { username: "bob@example.com", invitationId: "invite-eve" },
      "pending invite-eve",
    ],
    [
      "is no other account that has the name, where an account is given",
      { userId: "user-old", username: "bob@example.com" },
      "none",
    ],
    [
      "is the invitation to the name, where the account is no member",
      { userId: "user-old", username: "eve@example.com" },
      "pending invite-eve",
    ],
    [
      "is the invitation of the id, where the account is no member",
      { userId: "user-old", invitationId: "invite-eve" },
      "pending invite-eve",
    ],
    [
      "is found by name where the recorded invitation was accepted",
      { invitationId: "invite-bob", username: "bob@example.com" },
      "active user-bob",
    ],
    [
      "is none for a stranger",
      { userId: "user-x", invitationId: "invite-x", username: "x@example.com" },
      "none",
    ],
    ["is none without an id or name", {}, "none"],
  ])("%s", (_, who, expected) => {
    expect(
      summaryOf(findMembership({ members: [ada, bob], invitations: [invitedAda, invitedEve] }, who)),
    ).toBe(expected);
  });

  test("of a user with several invitations has the newest invitation first, whatever their order", () => {
    const invitations = ["02", "03", "01"].map((day) => ({
      ...invitation("eve"),
      invitationId: day,
      createdAt: `2026-01-${day}T00:00:00Z`,
    }));
    for (const order of permutations([...invitations, invitedAda])) {
      expect(
        summaryOf(findMembership({ members: [], invitations: order }, { username: "eve@example.com" })),
      ).toBe("pending 03 + 02 + 01");
      expect(
        summaryOf(
          findMembership(
            { members: [], invitations: order },
            { invitationId: "01", username: "eve@example.com" },
          ),
        ),
      ).toBe("pending 03 + 02 + 01");
    }
  });

  test("of a renamed account holds invitations under both names", () => {
    const renamed = { ...ada, username: "ada.l@example.com" };
    const invitations = [invitedAda, invitation("ada.l"), invitedEve];
    const who = { userId: ada.userId, username: "ada@example.com" };
    expect(summaryOf(findMembership({ members: [bob, renamed], invitations: invitations }, who))).toBe(
      "active user-ada + invite-ada + invite-ada.l",
    );
  });

  test("of a renamed member keeps the recorded invitation, also if a newer one has the name of now", () => {
    const renamed = { ...ada, username: "ada.l@example.com" };
    const newer = { ...invitation("ada.l"), createdAt: "2026-12-01T00:00:00Z" };
    const who = { userId: ada.userId, invitationId: invitedAda.invitationId };
    expect(summaryOf(findMembership({ members: [renamed], invitations: [newer, invitedAda] }, who))).toBe(
      "active user-ada + invite-ada + invite-ada.l",
    );
  });
});

test("roles and name are those of the membership, else those of the newest invitation", () => {
  const member: Membership = {
    ...active("Ada", "GROUP_OWNER"),
    invitations: [invitation("ada", "GROUP_USER_ADMIN")],
  };
  expect([member.username, member.roles]).toEqual(["Ada@example.com", ["GROUP_OWNER"]]);
  const invited = pending("Eve", "GROUP_USER_ADMIN");
  expect([invited.username, invited.roles]).toEqual(["Eve@example.com", ["GROUP_USER_ADMIN"]]);
});

test("an owner is who owns already, not who is invited to", () => {
  expect(isOwner(active("ada", "GROUP_READ_ONLY", "GROUP_OWNER"))).toBe(true);
  expect(isOwner(active("ada"))).toBe(false);
  expect(isOwner(pending("ada", "GROUP_OWNER"))).toBe(false);
});

test("a message identifies a person by name, else by account, else by invitation", () => {
  expect(memberName({ username: "ada@example.com", userId: "1", invitationId: "2" })).toBe("ada@example.com");
  expect(memberName({ userId: "1", invitationId: "2" })).toBe("user 1");
  expect(memberName({ invitationId: "2" })).toBe("invitation 2");
});
