/** Writes of one person of a project: what is sent, what responses mean, and what is reported. */

import {
  activeMembership,
  type Identity,
  type Membership,
  pendingMembership,
} from "../../../../provider/access/person";
import type { Call } from "../../../../provider/api/client";
import type { ProjectContext } from "../../../../provider/resources/contract/resource";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import {
  type Accepted,
  accountById,
  accountByName,
  addOrInvite,
  announceAdoption,
  giveRoles,
  lookUpMembership,
  membershipAfter,
  type PeoplePlace,
  projectPlace,
  removeMember,
  removeWithoutMemberList,
  withdrawInvitation,
} from "../../../../provider/resources/people/write";
import {
  KeyRefusedError,
  OutcomeUnknownError,
  PartialFailure,
  UnreachableError,
} from "../../../../provider/text/errors";
import { fault, newSession, urnOf } from "../checker";
import { active, invitation, member, pending, projectId } from "./people";

const readers = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];

const keyRefused = new KeyRefusedError("Key refused.", { status: 401 });
const unreachable = new UnreachableError("Unreachable.");
const lost = new OutcomeUnknownError("No response.");

/** A project whose service responds with these values in turn; an error is thrown. */
function project(...responses: unknown[]) {
  const requests: string[] = [];
  const messages: string[] = [];
  const respond = async ({ method, path, body, shape, invites }: Call<unknown>) => {
    const below = path.filter((part) => part !== "groups" && part !== projectId).join("/");
    const sent = body === undefined ? [] : [JSON.stringify(body)];
    requests.push([method, below, ...sent, ...(invites ? ["(invites)"] : [])].join(" "));
    const response = responses.shift();
    if (response instanceof Error) throw response;
    return shape.parse(response);
  };
  const log = (message: string) => void messages.push(message);
  const context: ProjectContext = {
    session: newSession({}, { call: respond, now: () => Date.now() }),
    ...{ urn: urnOf("ProjectMember", "ada"), log: { info: log, warn: log } },
    ...{ signal: new AbortController().signal, projectId },
  };
  return { context, requests, messages };
}

/** A place of which each read shows this, or fails with this. */
function placeWith(shown: Membership | Error | undefined, more: Partial<PeoplePlace> = {}): PeoplePlace {
  const read = async () => {
    if (shown instanceof Error) throw shown;
    return shown;
  };
  return { ...projectPlace(project().context), ...more, read };
}

describe("lookups", () => {
  test("the lookup of an account returns its ID and its name", async () => {
    const response = { id: "user-ada", username: "Ada@example.com" };
    const account = { userId: "user-ada", username: "Ada@example.com" };
    const { context, requests } = project(response, response);
    expect(await accountByName("ada@example.com", context)).toEqual(account);
    expect(await accountById("user-ada", context)).toEqual(account);
    expect(requests).toEqual(["GET users/byName/ada@example.com", "GET users/user-ada"]);
  });

  test.each<[Error, "none" | "unknown" | "thrown"]>([
    [fault(404, "USERNAME_NOT_FOUND"), "none"],
    [fault(404, "USER_NOT_FOUND"), "none"],
    [fault(404, "ANOTHER_CODE"), "unknown"],
    [fault(400, "ANOTHER_CODE"), "unknown"],
    [fault(401, "NOT_ORG_GROUP_CREATOR"), "unknown"],
    [fault(403), "unknown"],
    [fault(404), "unknown"],
    [fault(405), "unknown"],
    [fault(501), "unknown"],
    [fault(409, "USER_NOT_FOUND"), "thrown"],
    [fault(500), "thrown"],
    [keyRefused, "thrown"],
    [unreachable, "thrown"],
  ])("the lookup of an account that fails with %p has the result: %s", async (error, expected) => {
    const byName = accountByName("ada@example.com", project(error).context);
    const byId = accountById("user-ada", project(error).context);
    if (expected === "thrown") await expect(byName).rejects.toBe(error);
    else expect(await byName).toBe(expected);
    if (expected === "unknown") expect(await byId).toBe(expected);
    else await expect(byId).rejects.toBe(error);
  });
});

describe("additions", () => {
  const sent = 'POST users [{"id":"user-ada","roles":[{"roleName":"GROUP_READ_ONLY"}]}] (invites)';
  const invited = 'POST invites {"username":"ada@example.com","roles":["GROUP_READ_ONLY"]} (invites)';
  const roles = [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }];
  const account = { id: "user-ada", username: "ada.l@example.com", roles, teamIds: [] };
  const sentInvitation = { ...invitation("ada"), id: "invite-ada", groupId: projectId };
  const pendingAccount = fault(409, "CANNOT_ADD_PENDING_USER");
  const byName = { username: "ada@example.com" };
  const both = { ...byName, userId: "user-ada" };
  const shown = { userId: "user-ada", username: "ada.l@example.com" };

  test.each<[string, Identity, unknown[], Accepted, string[]]>([
    [
      "by account is a member if the response has the roles",
      both,
      [{ results: [{ ...account, id: "user-eve" }, account] }],
      { membership: activeMembership({ ...shown, roles: readers, teamIds: [] }), who: shown },
      [sent],
    ],
    [
      "by account is read if the roles of the response may be those of teams",
      both,
      [{ results: [{ ...account, teamIds: ["team-1"] }] }],
      { membership: undefined, who: shown },
      [sent],
    ],
    [
      "by account was invited under the name of the response if it has no roles in this project",
      both,
      [{ results: [{ ...account, roles: [{ ...roles[0], groupId: "other" }] }] }],
      { membership: undefined, who: shown },
      [sent],
    ],
    [
      "by account is read if the response shows no one",
      both,
      [{}],
      { membership: undefined, who: both },
      [sent],
    ],
    [
      "by account is invited by name if the account has not confirmed its own invitation",
      both,
      [pendingAccount, sentInvitation],
      { membership: pendingMembership([invitation("ada")], "user-ada"), who: both },
      [sent, invited],
    ],
    ["by name is invited", byName, [sentInvitation], { membership: pending("ada"), who: byName }, [invited]],
    [
      "by name is read if the response has no invitation",
      byName,
      [{}],
      { membership: undefined, who: byName },
      [invited],
    ],
  ])("a person who is added %s", async (_, who, responses, expected, requests) => {
    const payments = project(...responses);
    expect(await addOrInvite(who, readers, payments.context)).toEqual(expected);
    expect(payments.requests).toEqual(requests);
  });

  test.each<[string, Identity, Error]>([
    ["by account alone is not invited", { userId: "user-ada" }, pendingAccount],
    ["by account is not invited after another refusal", both, fault(403, "NOT_ALLOWED")],
  ])("a person who is added %s", async (_, who, refusal) => {
    const { context, requests } = project(refusal);
    await expect(addOrInvite(who, readers, context)).rejects.toBe(refusal);
    expect(requests).toEqual([sent]);
  });

  test("a person who is added by invitation is refused without a request, and the error names what is missing", async () => {
    const { context, requests } = project();
    const adding = addOrInvite({ invitationId: "invite-ada" }, readers, context);
    await expect(adding).rejects.toThrow(/^invitation invite-ada can be added only by username\.$/);
    expect(requests).toEqual([]);
  });
});

test.each<[string, Membership, string[] | undefined, "remove" | "release" | undefined, string]>([
  [
    "a member with other roles",
    active("ada"),
    owners,
    undefined,
    'ada@example.com is in project x already: roles GROUP_READ_ONLY become GROUP_OWNER. From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".',
  ],
  [
    "an invited person",
    pending("ada"),
    readers,
    "release",
    "ada@example.com is invited to project x already.",
  ],
  [
    "a person without managed roles",
    active("ada"),
    undefined,
    "release",
    "ada@example.com is in project x already.",
  ],
])("the adoption of %s is announced in one message", (_, membership, roles, onDestroy, expected) => {
  const { context, messages } = project();
  announceAdoption(membership, roles, (onDestroy && { onDestroy }) || {}, {
    ...projectPlace(context),
    text: "project x",
  });
  expect(messages).toEqual([expected]);
});

describe("roles of invitations", () => {
  const former = { ...invitation("ada"), invitationId: "former" };
  const membership = pendingMembership([invitation("ada"), former], "user-ada");
  const response = { ...invitation("ada"), id: "invite-ada", roles: owners, groupId: projectId };

  test("new roles of an invited person are those of the newest invitation; the others stay as they are", async () => {
    const { context, requests } = project(response);
    expect(await giveRoles(membership, owners, projectPlace(context))).toEqual({
      membership: pendingMembership([{ ...invitation("ada"), roles: owners }, former], "user-ada"),
      who: membership,
    });
    expect(requests).toEqual(['PATCH invites/invite-ada {"roles":["GROUP_OWNER"]}']);
  });

  test.each<[string, Error, Membership | undefined, boolean]>([
    [
      "are given to the member who has accepted since",
      fault(404, "INVALID_INVITATION_ID"),
      active("ada"),
      true,
    ],
    ["are an error if the invitation is deleted", fault(404, "INVALID_INVITATION_ID"), undefined, false],
    ["are an error if the invitation is shown still", fault(404, "INVALID_INVITATION_ID"), membership, false],
    ["are given to the member whatever the refusal was", fault(403, "NOT_ALLOWED"), active("ada"), true],
  ])("new roles of an invited person %s", async (_, refusal, shown, isGiven) => {
    const { context } = project(refusal);
    const setRoles = async () => active("ada", "GROUP_OWNER");
    const giving = giveRoles(membership, owners, placeWith(shown, { ...projectPlace(context), setRoles }));
    if (isGiven)
      expect(await giving).toEqual({ membership: active("ada", "GROUP_OWNER"), who: active("ada") });
    else await expect(giving).rejects.toBe(refusal);
  });
});

describe("roles of members", () => {
  test("new roles of a member that are refused are an error, and are not sent again", async () => {
    const refusal = fault(404, "INVALID_INVITATION_ID");
    const setRoles = jest.fn(async () => active("ada")).mockRejectedValueOnce(refusal);
    const giving = giveRoles(active("ada"), owners, placeWith(active("ada"), { setRoles }));
    await expect(giving).rejects.toBe(refusal);
  });

  test("new roles of a member are one request, and the membership is that of the response with the known invitations", async () => {
    const ada = { ...member("ada"), status: "active", invitations: [invitation("ada")] } as const;
    const roles = [{ groupId: projectId, roleName: "GROUP_OWNER" }];
    const { context, requests } = project(
      { results: [{ id: ada.userId, username: ada.username, roles, teamIds: [] }] },
      {},
    );
    const place = projectPlace(context);
    expect(await place.setRoles(ada, owners)).toEqual(
      activeMembership({ ...member("ada"), roles: owners, teamIds: [] }, [invitation("ada")]),
    );
    expect(await place.setRoles(ada, owners)).toBeUndefined();
    expect(requests[0]).toBe('POST users [{"id":"user-ada","roles":[{"roleName":"GROUP_OWNER"}]}]');
  });
});

describe("refused removals", () => {
  const refusal = fault(500);

  test.each<[string, Error, Membership | Error | undefined, boolean]>([
    ["is done if a read shows no member", refusal, undefined, true],
    ["is done if a read shows an invitation alone", refusal, pending("ada"), true],
    ["is an error if a read shows the member", refusal, active("ada"), false],
    ["is an error if the read fails", refusal, unreachable, false],
    [
      "is done if a read shows no member, whatever the refusal was",
      fault(401, "NOT_ALLOWED"),
      undefined,
      true,
    ],
    ["is an error for a refused key", keyRefused, undefined, false],
    ["is an error for a lost connection", unreachable, undefined, false],
  ])("a refused removal %s", async (_, error, shown, isDone) => {
    const removing = removeMember(member("ada"), placeWith(shown, { remove: () => Promise.reject(error) }));
    if (isDone) expect(await removing).toBeUndefined();
    else await expect(removing).rejects.toBe(error);
  });

  test("a refused removal is an error without a read if the operation was canceled", async () => {
    const { context } = project();
    const canceled = { ...context, signal: AbortSignal.abort() };
    const place = placeWith(undefined, { context: canceled, remove: () => Promise.reject(refusal) });
    await expect(removeMember(member("ada"), place)).rejects.toBe(refusal);
  });

  test.each<[string, Membership | undefined, "done" | "refused", string[]]>([
    ["of an invitation is done if nothing is shown any more", undefined, "done", []],
    ["of an invitation is done if another invitation is shown", pending("eve"), "done", []],
    ["of an invitation is an error if it is shown", pending("ada"), "refused", []],
    ["of an invitation removes the member who has accepted it", active("ada"), "done", ["user-ada"]],
    [
      "of an invitation is an error if it is shown beside the member, who is removed",
      activeMembership(member("ada"), [invitation("eve"), invitation("ada")]),
      "refused",
      ["user-ada"],
    ],
  ])("a refused removal %s", async (_, shown, expected, removed) => {
    const ids: string[] = [];
    const invitations = { update: () => Promise.reject(refusal), delete: () => Promise.reject(refusal) };
    const withdrawing = withdrawInvitation(
      pending("ada"),
      invitation("ada"),
      placeWith(shown, { invitations }),
      async ({ userId }) => void ids.push(userId),
    );
    if (expected === "done") expect(await withdrawing).toBeUndefined();
    else await expect(withdrawing).rejects.toBe(refusal);
    expect(ids).toEqual(removed);
  });
});

describe("removals without lists", () => {
  const who = { username: "ada@example.com" };
  const account = { ...who, userId: "user-ada" };
  const invited = { ...who, invitationId: "invite-ada" };
  const notPending = fault(404, "INVALID_INVITATION_ID");
  const warning = `The invitation of ada@example.com to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which. If it was accepted, the person is still in the project: remove them by their userId.`;

  test.each<[string, Identity, unknown[], string[], string[]]>([
    ["of an account is one request", account, [], ["DELETE users/user-ada"], []],
    [
      "of an account that is no member is done",
      account,
      [fault(404, "USER_NOT_IN_GROUP")],
      ["DELETE users/user-ada"],
      [],
    ],
    ["of an invitation is one request", invited, [], ["DELETE invites/invite-ada"], []],
    [
      "of an invitation that no longer exists is a warning",
      invited,
      [notPending],
      ["DELETE invites/invite-ada"],
      [warning],
    ],
    [
      "of an invitation that is refused is a warning if it can no longer be read",
      invited,
      [fault(500), notPending],
      ["DELETE invites/invite-ada", "GET invites/invite-ada"],
      [warning],
    ],
    [
      "of an account and its accepted invitation is no warning",
      { ...account, ...invited },
      [undefined, notPending],
      ["DELETE users/user-ada", "DELETE invites/invite-ada"],
      [],
    ],
  ])("without a list of the people, a removal %s", async (_, leaver, responses, requests, messages) => {
    const payments = project(...responses);
    await removeWithoutMemberList(leaver, payments.context);
    expect([payments.requests, payments.messages]).toEqual([requests, messages]);
  });

  test.each<[string, Identity, unknown[], number]>([
    ["is an error if the service refuses to remove the account", { ...account, ...invited }, [fault(403)], 1],
    [
      "is an error if the service refuses to delete an invitation that it shows",
      invited,
      [fault(403), { ...invitation("ada"), id: "invite-ada", groupId: projectId }],
      2,
    ],
    ["is an error if the service refuses to show the invitation too", invited, [fault(403), fault(403)], 2],
  ])("without a list of the people, a removal %s", async (_, leaver, responses, requests) => {
    const payments = project(...responses);
    await expect(removeWithoutMemberList(leaver, payments.context)).rejects.toBe(responses[0]);
    expect(payments.requests).toHaveLength(requests);
    expect(payments.messages).toEqual([]);
  });

  test("without a list of the people, a removal is refused for a name alone, and the error says why", async () => {
    const { context, requests } = project();
    await expect(removeWithoutMemberList(who, context)).rejects.toThrow(
      `ada@example.com cannot be removed from project ${projectId}: neither a userId nor an invitationId is recorded, and this service does not offer listing its people.`,
    );
    expect(requests).toEqual([]);
  });
});

describe("lists", () => {
  const refusal = new Refusal(fault(403, "NOT_ALLOWED"));
  const notOffered = new Refusal(fault(404));
  const ada = { username: "ada@example.com" };

  test("the membership of a member is found in the lists although the invitations cannot be read", () => {
    const lists = { members: [member("ada")], invitations: refusal };
    expect(lookUpMembership(projectId, lists, ada)).toEqual(active("ada"));
  });

  test("the membership in the lists is an error without a list of members, also if an invitation is found", () => {
    const lists = { members: refusal, invitations: [invitation("ada")] };
    expect(() => lookUpMembership(projectId, lists, ada)).toThrow("403 NOT_ALLOWED");
  });

  test("the membership in the lists is an error without invitations if the person is no member", () => {
    const lists = { members: [member("bob")], invitations: refusal };
    expect(() => lookUpMembership(projectId, lists, ada)).toThrow("403 NOT_ALLOWED");
  });

  test("the membership in the lists is none if the service does not offer invitations, unless one is recorded", () => {
    const lists = { members: [member("bob")], invitations: notOffered };
    expect(lookUpMembership(projectId, lists, ada)).toBeUndefined();
    expect(() => lookUpMembership(projectId, lists, { ...ada, invitationId: "invite-ada" })).toThrow(
      "but an invitation to this project is recorded. Run the command again.",
    );
  });
});

describe("results", () => {
  const who = { username: "ada@example.com" };
  const added = { userId: "user-ada", username: "ada.l@example.com" };
  const next = "Run pulumi up again: it continues from what exists.";
  const sent = "The service accepted ada.l@example.com with GROUP_READ_ONLY, GROUP_OWNER for project x";

  async function settle(
    write: Promise<Accepted>,
    shown: Membership | Error | undefined,
    roles: readonly string[] = readers,
  ) {
    const unread = ({ userId = "none" }: Identity) => [userId, {}] as const;
    const place = placeWith(shown, { text: "project x" });
    return (await membershipAfter({ write, who, roles, place, unread })).membership;
  }

  test("the membership after a write is that of the response, else that of a read", async () => {
    const accepted = async (membership?: Membership) => ({ membership, who });
    expect(await settle(accepted(active("ada")), unreachable)).toEqual(active("ada"));
    expect(await settle(accepted(), active("eve"))).toEqual(active("eve"));
    await expect(settle(Promise.reject(unreachable), active("ada"))).rejects.toBe(unreachable);
  });

  test.each<[string, Membership | Error | undefined, string]>([
    ["could not be read", unreachable, `${sent}, but the result could not be read. ${next} (Unreachable.)`],
    ["is not shown", undefined, `${sent}, but shows neither a membership nor an invitation. ${next}`],
  ])(
    "the membership after a write that was accepted and %s is a partial failure with the ID of the response",
    async (_, shown, reason) => {
      const accepted = Promise.resolve({ membership: undefined, who: added });
      const error = await settle(accepted, shown, [...readers, ...owners]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PartialFailure);
      expect(error).toMatchObject({ id: "user-ada", reasons: [reason] });
    },
  );

  test("the membership after a write whose response was lost is that of a read which shows the roles", async () => {
    expect(await settle(Promise.reject(lost), active("ada"))).toEqual(active("ada"));
  });

  test.each<[string, Membership | Error | undefined, string]>([
    ["shows no one", undefined, `No response. A read afterwards does not show the change. ${next}`],
    [
      "shows other roles",
      active("ada", "GROUP_OWNER"),
      `No response. A read afterwards does not show the change. ${next}`,
    ],
    ["fails", unreachable, `No response. A read afterwards failed as well: Unreachable. ${next}`],
  ])(
    "the membership after a write whose response was lost is not known if a read %s",
    async (_, shown, message) => {
      const error = await settle(Promise.reject(lost), shown).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(error).toMatchObject({ message });
    },
  );
});
