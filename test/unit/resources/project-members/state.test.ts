import { activeMembership, type Membership } from "../../../../provider/access/person";
import { toProperties } from "../../../../provider/resources/contract/border";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import { allMemberships } from "../../../../provider/resources/people/memberships";
import { resolve } from "../../../../provider/resources/people/resolve";
import {
  type MemberListInputs,
  onDestroySetting,
} from "../../../../provider/resources/project-members/inputs";
import {
  asMemberListState,
  stateAfterRead,
  stateAfterWrite,
} from "../../../../provider/resources/project-members/state";
import { active, invitation, member, pending, permutations, projectId, renamed } from "../people/people";

const refused = new Refusal(new Error("not offered"));

describe("allMembers in a project", () => {
  test("stands there once, in order of their names, however the lists come", () => {
    const members = [member("bob"), member("Ada"), member("zoe")];
    const invitations = [
      invitation("ADA"),
      invitation("eve"),
      { ...invitation("eve"), invitationId: "second" },
    ];
    for (const order of permutations(invitations)) {
      for (const people of permutations(members)) {
        const allMembers = allMemberships({ members: people, invitations: order });
        expect(allMembers.map((membership) => `${membership.username} ${membership.status}`)).toEqual([
          "Ada@example.com active",
          "bob@example.com active",
          "eve@example.com pending",
          "zoe@example.com active",
        ]);
        expect(allMembers.map(({ invitations }) => invitations.length)).toEqual([1, 0, 2, 0]);
      }
    }
  });

  test("is who the list shows that was not refused", () => {
    expect(allMemberships({ members: [member("ada")], invitations: refused })).toEqual([active("ada")]);
    expect(allMemberships({ members: refused, invitations: [invitation("eve")] })).toEqual([pending("eve")]);
    expect(allMemberships({ members: refused, invitations: refused })).toEqual([]);
  });

  test("is two people where two accounts have one name", () => {
    const twins = [member("ada"), { ...member("ada"), userId: "user-other" }];
    expect(allMemberships({ members: twins, invitations: [] })).toHaveLength(2);
  });
});

/** The state of a member after a create or update that declared them. */
function detail(membership: Membership, more: Partial<MemberDetail> = {}): MemberDetail {
  return {
    username: membership.username,
    status: membership.status,
    roles: ["GROUP_READ_ONLY"],
    userId: membership.status === "active" ? membership.userId : undefined,
    declared: true,
    ignored: false,
    ...more,
  };
}

describe("the named people among those who are there", () => {
  const ada = active("ada");
  const bob = active("bob");
  const eve = pending("eve");
  const summaryOf = (names: string[], memberships: Membership[], recorded: MemberDetail[] = []) => {
    const { found, missing, others } = resolve(names, memberships, recorded);
    return {
      found: Object.fromEntries([...found].map(([name, membership]) => [name, membership.username])),
      missing,
      others: others.map((membership) => membership.username),
    };
  };

  test("are found by name, whatever its case and at whatever stage", () => {
    expect(summaryOf(["ADA@example.com", "Eve@example.com", "new@example.com"], [ada, bob, eve])).toEqual({
      found: { "ADA@example.com": "ada@example.com", "Eve@example.com": "eve@example.com" },
      missing: ["new@example.com"],
      others: ["bob@example.com"],
    });
  });

  test("are none without members, and all members without names", () => {
    expect(summaryOf(["ada@example.com"], [])).toEqual({
      found: {},
      missing: ["ada@example.com"],
      others: [],
    });
    expect(summaryOf([], [ada, eve])).toMatchObject({
      found: {},
      others: ["ada@example.com", "eve@example.com"],
    });
  });

  test("are found by their account after a rename outside Pulumi, under the old name and under the new one", () => {
    const now = renamed(ada, "ada.l@example.com");
    const later = detail(now, { declaredAs: "ada@example.com" });
    for (const recorded of [detail(ada), later]) {
      expect(summaryOf(["ada@example.com"], [now, bob], [recorded, detail(bob)]).found).toEqual({
        "ada@example.com": "ada.l@example.com",
      });
    }
    expect(summaryOf(["ada.l@example.com"], [now, bob], [later, detail(bob)])).toMatchObject({
      found: { "ada.l@example.com": "ada.l@example.com" },
      others: ["bob@example.com"],
    });
  });

  test("are not others who got their former name, in whatever order they were recorded", () => {
    const now = renamed(ada, "ada.l@example.com");
    const other = renamed(bob, "ada@example.com");
    const recorded = [detail(now, { declaredAs: "ada@example.com" }), detail(other, { declared: false })];
    for (const order of permutations(recorded)) {
      expect(summaryOf(["ada@example.com"], [other, now], order)).toEqual({
        found: { "ada@example.com": "ada.l@example.com" },
        missing: [],
        others: ["ada@example.com"],
      });
    }
  });

  test("are found by name where the recorded account is deleted and another has come", () => {
    const again = active("ada");
    expect(summaryOf(["ada@example.com"], [again], [{ ...detail(ada), userId: "user-old" }]).found).toEqual({
      "ada@example.com": "ada@example.com",
    });
  });

  test("are one person once: the old and the new name of a renamed account are distinguished from a missing member", () => {
    const now = renamed(ada, "ada.l@example.com");
    const recorded = [detail(now, { declaredAs: "ada@example.com" })];
    const names = ["ada@example.com", "ada.l@example.com"];
    for (const order of permutations(names)) {
      const { found, missing, twice, others } = resolve(order, [now], recorded);
      expect([...found.values()]).toEqual([now]);
      expect({ missing, twice, others }).toEqual({ missing: [], twice: [names], others: [] });
    }
  });
});

describe("what is recorded of all members", () => {
  const inputs = (more: Partial<MemberListInputs> = {}): MemberListInputs => ({
    projectId,
    members: {},
    ...more,
  });
  const recordedOf = (
    memberships: Membership[],
    names: string[],
    { recorded = [], ...more }: { recorded?: MemberDetail[] } & Partial<MemberListInputs> = {},
    stateOf = stateAfterWrite,
  ) =>
    stateOf({
      ...{ projectId, memberships, names, recorded },
      inputs: inputs(more),
      orgId: "5f00000000000000000000b1",
      origin: "created",
    });
  const flags = (state: ReturnType<typeof recordedOf>) =>
    state.memberDetails.map(({ username, declared, ignored, declaredAs }) =>
      [username, declared && "declared", ignored && "ignored", declaredAs].filter(Boolean).join(" "),
    );

  test("has declared people under the name that the program uses, and no others unless these are to be removed", () => {
    const memberships = [active("zoe"), active("ada", "GROUP_OWNER"), pending("eve")];
    expect(recordedOf(memberships, ["Zoe@example.com"]).members).toEqual({
      "Zoe@example.com": ["GROUP_READ_ONLY"],
    });
    const state = recordedOf(memberships, ["Zoe@example.com"], { removeUnlisted: true });
    expect(state.members).toEqual({
      "Zoe@example.com": ["GROUP_READ_ONLY"],
      "ada@example.com": ["GROUP_OWNER"],
      "eve@example.com": ["GROUP_READ_ONLY"],
    });
    expect(Object.keys(state.members)).toEqual(["Zoe@example.com", "ada@example.com", "eve@example.com"]);
    expect(flags(state)).toEqual(["zoe@example.com declared", "ada@example.com", "eve@example.com"]);
  });

  test("has those whom others manage in the details alone, unless the program names them", () => {
    const memberships = [active("ada"), active("svc-backup"), active("svc-own")];
    const state = recordedOf(memberships, ["ada@example.com", "svc-own@example.com"], {
      ignoreUsers: ["SVC-*"],
    });
    expect(Object.keys(state.members)).toEqual(["ada@example.com", "svc-own@example.com"]);
    expect(flags(state)).toEqual([
      "ada@example.com declared",
      "svc-backup@example.com ignored",
      "svc-own@example.com declared",
    ]);
  });

  test("after a read, only people who were declared before are declared", () => {
    const recorded = [detail(active("ada")), detail(active("bob"), { declared: false })];
    const memberships = [active("ada"), active("bob"), active("eve")];
    const names = memberships.map((membership) => membership.username);
    expect(flags(recordedOf(memberships, names, { recorded }, stateAfterRead))).toEqual([
      "ada@example.com declared",
      "bob@example.com",
      "eve@example.com",
    ]);
  });

  test("keeps the program's name for a renamed account in each read", () => {
    const now = renamed(active("ada"), "ada.l@example.com");
    let recorded = [detail(active("ada"))];
    for (let read = 0; read < 3; read += 1) {
      const state = recordedOf([now], ["ada@example.com"], { recorded }, stateAfterRead);
      expect(state.members).toEqual({ "ada@example.com": ["GROUP_READ_ONLY"] });
      expect(flags(state)).toEqual(["ada.l@example.com declared ada@example.com"]);
      recorded = [...state.memberDetails];
    }
  });

  test("gives no member the state of a renamed account because of its former name, in repeated reads", () => {
    const now = renamed(active("ada", "GROUP_OWNER"), "ada.l@example.com");
    const other = renamed(active("bob"), "ADA@example.com");
    let recorded = [detail(active("ada"))];
    for (let read = 0; read < 3; read += 1) {
      const state = recordedOf([other, now], ["ada@example.com"], { recorded }, stateAfterRead);
      expect(state.members).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
      expect(flags(state)).toEqual(["ADA@example.com", "ada.l@example.com declared ada@example.com"]);
      recorded = [...state.memberDetails];
    }
  });

  test("recognizes a user who was invited and has accepted, but no other account of the same name", () => {
    const readAfter = (before: MemberDetail) =>
      recordedOf([active("ada")], ["ada@example.com"], { recorded: [before] }, stateAfterRead);
    expect(flags(readAfter(detail(pending("ada"))))).toEqual(["ada@example.com declared"]);
    const other = readAfter({ ...detail(active("ada")), userId: "user-old" });
    expect(flags(other)).toEqual(["ada@example.com"]);
    expect(other.members).toEqual({});
  });

  test("holds settings as the program gives them, and the effective end", () => {
    expect(recordedOf([], [], { ignoreUsers: ["a*"], maxRemovals: 0, onDestroy: "remove" })).toMatchObject({
      ignoreUsers: ["a*"],
      maxRemovals: 0,
      removeUnlisted: false,
      onDestroy: "remove",
    });
    expect(recordedOf([], [])).toMatchObject({
      ...{ ignoreUsers: [], maxRemovals: 5, removeUnlisted: false, onDestroy: "release" },
    });
    expect(onDestroySetting.effective({ onDestroy: UNKNOWN })).toBe("release");
  });

  test("has all that is known of each person, and nothing that is not", () => {
    const membership: Membership = activeMembership(member("ada"), [invitation("ada", "GROUP_OWNER")]);
    const { memberDetails, ...others } = toProperties(recordedOf([membership, pending("eve")], []));
    expect(Object.keys(others)).toEqual([
      ...["projectId", "members", "orgId", "origin", "onDestroy", "ignoreUsers", "maxRemovals"],
      "removeUnlisted",
    ]);
    const sent = { createdAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-31T00:00:00Z" };
    const plain = { roles: ["GROUP_READ_ONLY"], declared: false, ignored: false, ...sent };
    expect(memberDetails).toEqual([
      {
        username: "ada@example.com",
        status: "active",
        userId: "user-ada",
        invitationId: "invite-ada",
        ...plain,
      },
      { username: "eve@example.com", status: "pending", invitationId: "invite-eve", ...plain },
    ]);
  });

  test("is read as the harmless where an older version did not record it", () => {
    expect(asMemberListState({}, projectId)).toEqual({
      ...{ projectId, members: {}, memberDetails: [], origin: "imported", onDestroy: "release" },
      ...{ ignoreUsers: [], maxRemovals: 5, removeUnlisted: false },
    });
  });
});
