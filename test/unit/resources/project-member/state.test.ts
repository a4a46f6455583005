import type { Identity } from "../../../../provider/access/person";
import { activeMembership } from "../../../../provider/access/person";
import { toProperties } from "../../../../provider/resources/contract/border";
import type { Context } from "../../../../provider/resources/contract/resource";
import { UNKNOWN, type Unsure } from "../../../../provider/resources/contract/values";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import type { MemberInputs, MemberState } from "../../../../provider/resources/members/port";
import { projectMember, projectMemberPort } from "../../../../provider/resources/members/project-member";
import {
  asMemberState,
  memberId,
  toMemberState,
  withRecordedInvitation,
} from "../../../../provider/resources/members/record";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { splitId } from "../../../../provider/text/object-id";
import { fault, newSession, urnOf } from "../checker";
import { active, invitation, member, pending, permutations, projectId } from "../people/people";

const otherProject = "5f00000000000000000000a2";
const name = "ada@example.com";
const id = `${projectId}/${name}`;
const contextOfAda = (): Context => ({
  session: newSession({}),
  urn: urnOf("ProjectMember", "ada"),
  log: { info: () => undefined, warn: () => undefined },
  signal: new AbortController().signal,
});
const facts = { orgId: "5f00000000000000000000b1", groupName: "payments" };

describe("what is recorded", () => {
  test("of a member is who they are, what they may do, and the invitation that is still pending", () => {
    const membership = activeMembership(member("ada", "GROUP_OWNER"), [invitation("ada")]);
    expect(
      toProperties(toMemberState(projectMemberPort, projectId, membership, {}, "adopted", facts)),
    ).toEqual({
      projectId,
      status: "active",
      username: name,
      userId: "user-ada",
      invitationId: "invite-ada",
      roles: ["GROUP_OWNER"],
      ...facts,
      origin: "adopted",
      onDestroy: "remove",
    });
  });

  test("of an invited user is the newest invitation, and no account", () => {
    const state = toMemberState(
      projectMemberPort,
      projectId,
      pending("ada"),
      { onDestroy: "release" },
      "created",
      facts,
    );
    expect(toProperties(state)).toEqual({
      projectId,
      status: "pending",
      username: name,
      invitationId: "invite-ada",
      roles: ["GROUP_READ_ONLY"],
      createdAt: "2026-01-01T00:00:00Z",
      expiresAt: "2026-01-31T00:00:00Z",
      inviterUsername: "owner@example.com",
      ...facts,
      origin: "created",
      onDestroy: "release",
    });
  });

  test("is read from its fields, or from the id where an older version did not record it", () => {
    expect(asMemberState(projectMemberPort, {}, `${projectId}/${name}`)).toEqual({
      projectId,
      status: "unverified",
      origin: "adopted",
      onDestroy: "remove",
    });
    const state = toMemberState(projectMemberPort, otherProject, active("ada"), {}, "created", {});
    expect(asMemberState(projectMemberPort, toProperties(state), `${projectId}/${name}`)).toMatchObject({
      projectId: otherProject,
      origin: "created",
    });
  });
});

describe("the id", () => {
  test.each([
    [`${projectId}/ada@example.com`, projectId, "ada@example.com"],
    [`${projectId.toUpperCase()}/Ada@Example.com`, projectId, "Ada@Example.com"],
    [`${projectId}/cn=ada/ou=x`, projectId, "cn=ada/ou=x"],
    [`${projectId}/`, projectId, ""],
    [projectId, projectId, ""],
  ])("%s is split at its first slash", (id, project, person) => {
    expect(splitId(id)).toEqual({ placeId: project, name: person });
  });

  test("is made of the name, else of the account, else of the invitation", () => {
    const ids = { userId: "u", invitationId: "i" };
    expect(memberId(projectId, { ...ids, username: "Ada" })).toBe(`${projectId}/Ada`);
    expect(memberId(projectId, ids)).toBe(`${projectId}/u`);
    expect(memberId(projectId, { invitationId: "i" })).toBe(`${projectId}/i`);
  });
});

test("destroying removes, unless the program certainly declares release", () => {
  expect(projectMemberPort.onDestroy.effective({})).toBe("remove");
  expect(projectMemberPort.onDestroy.effective({ onDestroy: "remove" })).toBe("remove");
  expect(projectMemberPort.onDestroy.effective({ onDestroy: "release" })).toBe("release");
  expect(projectMemberPort.onDestroy.effective({ onDestroy: UNKNOWN })).toBe("remove");
});

const roles = ["GROUP_BACKUP_ADMIN", "GROUP_OWNER", "GROUP_READ_ONLY"];
type Recorded = MemberState & { readonly projectId: string };
type Inputs = MemberInputs & { readonly projectId: Unsure<string> };

const state: Recorded = {
  projectId,
  status: "active",
  username: name,
  userId: "user-ada",
  roles,
  origin: "created",
  onDestroy: "remove",
};
const declared: Inputs = { projectId, username: name, roles };

/** `["update roles.1", "replace update username"]` */
function drawn(
  inputs: Inputs,
  oldInputs: Inputs = declared,
  recorded: Recorded = state,
  ignoreChanges: readonly string[] = [],
): string[] {
  const context = contextOfAda();
  const given = { inputs: toProperties(inputs), oldInputs: toProperties(oldInputs) };
  const request = { id, state: toProperties(recorded), ...given, ignoreChanges, context };
  return projectMember
    .diff(request)
    .map(({ path, kind, replace }) => `${replace ? "replace " : ""}${kind} ${path.join(".")}`);
}

describe("the member of a membership", () => {
  const { username: _, ...anonymous } = declared;
  const by = (identity: MemberInputs): Inputs => ({ ...anonymous, ...identity });
  const invited: Recorded = { ...state, status: "pending", userId: undefined, invitationId: "i1" };
  const renamed: Recorded = { ...state, username: "ada.l@example.com" };

  test.each<[string, Inputs, Inputs, Recorded, string[]]>([
    ["the recorded name", declared, declared, state, []],
    ["the name in another case", by({ username: "ADA@Example.com" }), declared, state, []],
    ["the recorded account instead of the name", by({ userId: "user-ada" }), declared, state, []],
    ["the account beside the name", { ...declared, userId: "user-ada" }, declared, state, []],
    ["the name alone, after both", declared, { ...declared, userId: "user-ada" }, state, []],
    ["the recorded invitation instead of the name", by({ invitationId: "i1" }), declared, invited, []],
    [
      "an invitation that was accepted since",
      by({ invitationId: "i1" }),
      by({ invitationId: "i1" }),
      state,
      [],
    ],
    ["the name from before a rename outside Pulumi", declared, declared, renamed, []],
    [
      "the new name after a rename outside Pulumi",
      by({ username: "ada.l@example.com" }),
      declared,
      renamed,
      [],
    ],
  ])("%s is no change", (_, inputs, oldInputs, recorded, expected) => {
    expect(drawn(inputs, oldInputs, recorded)).toEqual(expected);
  });

  test.each<[string, Inputs, Inputs, string[]]>([
    ["another name", by({ username: "bob@example.com" }), declared, ["replace update username"]],
    ["another account", by({ userId: "user-bob" }), by({ userId: "user-ada" }), ["replace update userId"]],
    ["another account instead of the name", by({ userId: "user-bob" }), declared, ["replace add userId"]],
    [
      "another invitation instead of the name",
      by({ invitationId: "i2" }),
      declared,
      ["replace add invitationId"],
    ],
    [
      "another name and another account",
      { ...declared, username: "bob@example.com", userId: "user-bob" },
      declared,
      ["replace add userId"],
    ],
  ])("%s is another person: a replace", (_, inputs, oldInputs, expected) => {
    expect(drawn(inputs, oldInputs)).toEqual(expected);
  });

  test.each<[string, Inputs, string[]]>([
    ["the recorded name", { ...declared, userId: "user-bob" }, ["add userId"]],
    [
      "the recorded account",
      { ...declared, username: "bob@example.com", userId: "user-ada" },
      ["update username"],
    ],
  ])("%s beside a stranger's is an update, which finds out and refuses", (_, inputs, expected) => {
    expect(drawn(inputs)).toEqual(expected);
  });

  test.each<[string, Inputs, string[]]>([
    ["a name", by({ username: UNKNOWN }), ["update username"]],
    ["an account instead of the name", by({ userId: UNKNOWN }), ["add userId"]],
    [
      "an invitation beside another name",
      by({ username: "bob@example.com", invitationId: UNKNOWN }),
      ["add invitationId"],
    ],
  ])("%s that is not known yet is an update, never a replace", (_, inputs, expected) => {
    expect(drawn(inputs)).toEqual(expected);
  });

  test("another project is a replace, one that is not known yet an update", () => {
    expect(drawn({ ...declared, projectId: otherProject })).toEqual(["replace update projectId"]);
    expect(drawn({ ...declared, projectId: UNKNOWN })).toEqual(["update projectId"]);
  });

  test("a person of whom nothing is recorded but the program's own words is who the program named before", () => {
    const unverified: Recorded = {
      ...state,
      status: "unverified",
      username: undefined,
      userId: undefined,
    };
    expect(drawn(by({ userId: "user-ada" }), by({ userId: "user-ada" }), unverified)).toEqual([]);
    expect(drawn(by({ userId: "user-bob" }), by({ userId: "user-ada" }), unverified)).toEqual([
      "replace update userId",
    ]);
  });
});

describe("roles", () => {
  test("are a set: no order of them is a change", () => {
    for (const order of permutations(roles)) {
      expect(drawn({ ...declared, roles: order })).toEqual([]);
      expect(drawn(declared, { ...declared, roles: order }, { ...state, roles: order })).toEqual([]);
    }
  });

  test.each<[string, Unsure<readonly string[]>, string[]]>([
    ["one less", ["GROUP_BACKUP_ADMIN", "GROUP_OWNER"], ["delete roles.2"]],
    ["one more", [...roles, "GROUP_USER_ADMIN"], ["add roles.3"]],
    ["one for another", ["GROUP_BACKUP_ADMIN", "GROUP_OWNER", "GROUP_USER_ADMIN"], ["update roles.2"]],
    ["all others", ["GROUP_USER_ADMIN"], ["update roles.0", "delete roles.1", "delete roles.2"]],
    ["a list that is not known yet", UNKNOWN, ["update roles"]],
    ["a list with something unknown", ["GROUP_OWNER", UNKNOWN as unknown as string], ["update roles"]],
  ])("%s: shown role by role where that can be", (_, wanted, expected) => {
    expect(drawn({ ...declared, roles: wanted })).toEqual(expected);
  });

  const { roles: _, ...unmanaged } = { ...declared, userId: "user-ada" };

  test("that are not declared are not managed", () => {
    expect(drawn(unmanaged, unmanaged)).toEqual([]);
    expect(drawn(unmanaged, unmanaged, { ...state, roles: ["GROUP_USER_ADMIN"] })).toEqual([]);
  });

  test("that are no longer declared show as deleted, and those that are declared again as added where they differ", () => {
    expect(drawn(unmanaged, { ...unmanaged, roles })).toEqual(["delete roles"]);
    expect(drawn({ ...unmanaged, roles }, unmanaged)).toEqual([]);
    expect(drawn({ ...unmanaged, roles: ["GROUP_OWNER"] }, unmanaged)).toEqual(["add roles"]);
    expect(drawn({ ...unmanaged, roles: UNKNOWN }, unmanaged)).toEqual(["add roles"]);
  });

  test("of a member who cannot be read show as added", () => {
    expect(drawn(declared, declared, { ...state, roles: undefined })).toEqual(["add roles"]);
  });
});

describe("what destroying does", () => {
  test("is no change where it is only written down", () => {
    expect(drawn({ ...declared, onDestroy: "remove" })).toEqual([]);
    expect(drawn(declared, { ...declared, onDestroy: "remove" })).toEqual([]);
  });

  test("is one where it becomes another", () => {
    expect(drawn({ ...declared, onDestroy: "release" })).toEqual(["update onDestroy"]);
    expect(drawn(declared, { ...declared, onDestroy: "release" })).toEqual(["delete onDestroy"]);
    expect(drawn({ ...declared, onDestroy: UNKNOWN })).toEqual(["update onDestroy"]);
  });
});

test("what ignoreChanges names is no difference, and hides no other", () => {
  const inputs: Inputs = {
    projectId: otherProject,
    username: "bob@example.com",
    roles: ["X"],
    onDestroy: "release",
  };
  expect(drawn(inputs, declared, state, ["roles", "onDestroy"])).toEqual([
    "replace update projectId",
    "replace update username",
  ]);
  expect(drawn(inputs, declared, state, ["projectId", "username"])).toEqual([
    "update roles.0",
    "delete roles.1",
    "delete roles.2",
    "update onDestroy",
  ]);
});

describe("the recorded invitation of another account", () => {
  const bob = { ...state, userId: "user-bob" };
  const recorded = { ...state, invitationId: "invite-grace" };
  const listed = [invitation("ada"), invitation("grace")];
  const refusal = new Refusal(fault(403));
  const other = urnOf("ProjectMember", "other");
  const { userId: _, ...withoutAccount } = recorded;
  const invited = { ...bob, status: "pending" as const };
  const grace = { username: "grace@example.com" };

  test.each<
    [string, MemberState, MemberState, typeof listed | Refusal, Identity, string, string | undefined]
  >([
    ["while it is pending", bob, recorded, listed, {}, other, "invite-grace"],
    ["while invitations cannot be read", state, recorded, refusal, {}, other, "invite-grace"],
    [
      "if this resource declares it",
      bob,
      recorded,
      listed,
      grace,
      urnOf("ProjectMember", "ada"),
      "invite-grace",
    ],
    ["not if another resource declares its name", bob, recorded, listed, grace, other, undefined],
    [
      "not if another resource declares its ID",
      bob,
      recorded,
      listed,
      { invitationId: "invite-grace" },
      other,
      undefined,
    ],
    [
      "not if another resource declares its account",
      bob,
      recorded,
      listed,
      { userId: "user-ada" },
      other,
      undefined,
    ],
    ["not if it is no longer pending", bob, recorded, [invitation("ada")], {}, other, undefined],
    ["not if its account is not recorded", bob, withoutAccount, listed, {}, other, undefined],
    ["not if the member has the recorded account", state, recorded, listed, {}, other, undefined],
    ["not by a person who is only invited", invited, recorded, listed, {}, other, undefined],
    [
      "not beside another one",
      { ...bob, invitationId: "invite-ada" },
      recorded,
      refusal,
      {},
      other,
      "invite-ada",
    ],
  ])("is kept %s", (_, current, before, invitations, claimed, urn, invitationId) => {
    const context = contextOfAda();
    context.session.of(Claims).claim(membersOf(projectId, claimed), urn);
    const people = { members: [], invitations };
    expect(withRecordedInvitation(current, before, people, { id: projectId, context })).toEqual({
      ...current,
      invitationId,
    });
  });
});
