import type { Identity } from "../../../../provider/access/person";
import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims, existing } from "../../../../provider/resources/session/claims";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { fault, urnOf } from "../checker";
import { invitation, member, projectId } from "../people/people";
import { type People, type Responses, type Service, toUser, unreadable } from "../people/service";
import { active, ada, id, inputs, pending, project, withoutIds } from "./ada";

const { username: _, ...nameless } = active;
const other = urnOf("ProjectMember", "other");

/** Destroys the resource. @returns what was sent and printed, and the error, if there is one */
async function destroy(service: Service, state: Properties, oldInputs: Properties = inputs) {
  const { context, requests, infos, warnings } = service;
  const error = await projectMember.delete({ id, state, oldInputs, context }).then(
    () => [],
    (failure: Error) => [failure.message],
  );
  return { requests, messages: [...infos, ...warnings, ...error], reads: service.reads };
}

describe("destroying a ProjectMember", () => {
  const listing = { members: [member("bob"), member("ada")], invitations: [invitation("bob")] };
  const invited = { invitations: [invitation("bob"), invitation("ada")] };
  const both = { members: [member("ada")], ...invited };
  const renamed = { invitations: [invitation("grace")] };
  const toGrace = (invitationId: string) => ({ ...invitation("grace"), invitationId });
  test.each<[string, People, Properties, Properties, string[], number]>([
    ["removes a member", listing, active, inputs, ["DELETE users/user-ada"], 1],
    [
      "removes a member and their invitation",
      both,
      active,
      inputs,
      ["DELETE users/user-ada", "DELETE invites/invite-ada"],
      1,
    ],
    ["deletes an invitation", invited, pending, inputs, ["DELETE invites/invite-ada"], 1],
    ["removes an invited person who has accepted", listing, pending, inputs, ["DELETE users/user-ada"], 1],
    [
      "deletes an invitation to the recorded name of an account that was renamed, if no ID is recorded",
      { ...invited, accounts: [{ ...member("ada"), username: "grace@example.com" }] },
      { ...active, status: "unverified" },
      { projectId, userId: "user-ada" },
      ["GET accounts/user-ada", "DELETE invites/invite-ada"],
      2,
    ],
    [
      "deletes only the recorded invitation if the program gives the account, and that was deleted",
      { invitations: [toGrace("grace-1"), toGrace("grace-2"), invitation("ada")] },
      { ...active, status: "pending", invitationId: "grace-1" },
      { projectId, userId: "user-ada" },
      ["GET accounts/user-ada", "DELETE invites/grace-1"],
      1,
    ],
    [
      "deletes the invitation of a known account",
      invited,
      { ...active, status: "pending", invitationId: "invite-ada" },
      inputs,
      ["DELETE invites/invite-ada"],
      1,
    ],
    [
      "deletes no other invitation if the recorded one of the account is no longer pending",
      invited,
      { ...active, status: "pending", invitationId: "grace-1" },
      { projectId, userId: "user-ada" },
      [],
      2,
    ],
    [
      "sends nothing for a person who has left and of whom only the name is recorded",
      {},
      { ...withoutIds, status: "unverified" },
      inputs,
      [],
      2,
    ],
    ["reads again before it takes a person for removed", { members: [member("bob")] }, active, inputs, [], 2],
    [
      "deletes the recorded invitation of a member who has left, to whatever name it was sent",
      renamed,
      { ...active, invitationId: "invite-grace" },
      inputs,
      ["DELETE invites/invite-grace"],
      2,
    ],
    [
      "deletes an invitation to the recorded name if no ID is recorded",
      { ...invited, accounts: [member("ada")] },
      { ...active, status: "unverified" },
      { projectId, userId: "user-ada" },
      ["GET accounts/user-ada", "DELETE invites/invite-ada"],
      2,
    ],
    [
      "deletes an invitation to the present name of a renamed account if no ID is recorded",
      { ...renamed, accounts: [{ ...member("ada"), username: "grace@example.com" }] },
      { ...active, status: "unverified" },
      { projectId, userId: "user-ada" },
      ["GET accounts/user-ada", "DELETE invites/invite-grace"],
      2,
    ],
    [
      "deletes no invitation to a recorded name that another account may have by now",
      { ...invited, accounts: [{ ...member("ada"), username: "grace@example.com" }] },
      active,
      { projectId, userId: "user-ada" },
      [],
      2,
    ],
    [
      "deletes the recorded invitation and those to the recorded name, also if the account was deleted",
      { invitations: [...["grace-1", "grace-2", "grace-3"].map(toGrace), invitation("ada")] },
      { ...active, status: "pending", invitationId: "grace-1" },
      inputs,
      ["GET accounts/user-ada", "DELETE invites/grace-1", "DELETE invites/invite-ada"],
      1,
    ],
    [
      "deletes an invitation to the recorded name of an account that was deleted",
      invited,
      { ...active, status: "unverified" },
      { projectId, userId: "user-ada" },
      ["GET accounts/user-ada", "DELETE invites/invite-ada"],
      2,
    ],
  ])("%s", async (_, people, state, oldInputs, requests, reads) => {
    expect(await destroy(project(people), state, oldInputs)).toEqual({ requests, messages: [], reads });
  });

  test("removes no more people than maxRemovalsPerRun allows, also if the people cannot be listed", async () => {
    const refused = `${ada} was not removed from project ${projectId}: this run would make 1 removal (each person, team or API key counts once in each place), more than the setting maxRemovalsPerRun (0) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 1. If the run has more removals, set it to their number.`;
    const expected = { requests: [], messages: [refused], reads: 1 };
    expect(await destroy(project(listing, {}, { maxRemovalsPerRun: 0 }), active)).toEqual(expected);
    const unlisted = { "GET users": unreadable };
    expect(await destroy(project({}, unlisted, { maxRemovalsPerRun: 0 }), active)).toEqual(expected);
  });
});

describe("destroying a ProjectMember whose people cannot be listed", () => {
  const reason = `these credentials may not list its people, so the provider cannot determine whether the invitation was accepted. These credentials need the role Project User Admin there. Or set onDestroy to "release" and run pulumi up. (The request failed: 403 USER_UNAUTHORIZED.)`;
  test.each<[string, Responses, Properties, string[], string[]]>([
    [
      "removes the recorded account, without rights to list",
      { "GET users": unreadable },
      active,
      ["DELETE users/user-ada"],
      [],
    ],
    [
      "is refused if only an invitation is recorded, which may have been accepted",
      { "GET users": unreadable },
      pending,
      [],
      [`${ada} was not removed from project ${projectId}: ${reason}`],
    ],
    [
      "deletes the recorded invitation on a service that lists no people",
      { "GET users": fault(404) },
      pending,
      ["DELETE invites/invite-ada"],
      [],
    ],
    [
      "removes the account of a project that the organization still lists",
      { "GET users": fault(404, "GROUP_NOT_FOUND") },
      active,
      ["DELETE users/user-ada"],
      [],
    ],
    [
      "is refused if the recorded invitation cannot be read",
      { "GET invites": unreadable },
      { ...active, invitationId: "invite-ada" },
      [],
      [unreadable.message],
    ],
    [
      "removes a member without a recorded invitation, whether or not invitations can be read",
      { "GET invites": unreadable },
      active,
      ["DELETE users/user-ada"],
      [],
    ],
    [
      "is refused if the account cannot be read and an invitation may be theirs",
      { "GET users": [], "GET accounts/user-ada": unreadable },
      { ...nameless, status: "unverified" },
      ["GET accounts/user-ada"],
      [
        `user user-ada was not removed from project ${projectId}: these credentials may not read the account, so the provider cannot determine whether an invitation is theirs. These credentials need the role Project User Admin in a project of this account. Or set onDestroy to "release" and run pulumi up.`,
      ],
    ],
    [
      "sends nothing if the account cannot be read and no invitation to its recorded name is pending",
      { "GET users": [], "GET accounts/user-ada": unreadable },
      { ...active, status: "unverified" },
      ["GET accounts/user-ada"],
      [],
    ],
    [
      "sends nothing for an account without a recorded name that was deleted",
      { "GET users": [], "GET accounts/user-ada": fault(404, "USER_NOT_FOUND") },
      { ...nameless, status: "unverified" },
      ["GET accounts/user-ada"],
      [],
    ],
    [
      "is refused if the account cannot be read for another reason",
      { "GET users": [], "GET accounts/user-ada": fault(500) },
      { ...nameless, status: "unverified" },
      ["GET accounts/user-ada"],
      ["The request failed: 500 undefined."],
    ],
    [
      "removes no one if the account cannot be read and no invitation is pending",
      { "GET users": [], "GET invites": [], "GET accounts/user-ada": unreadable },
      { ...nameless, status: "unverified" },
      ["GET accounts/user-ada"],
      [],
    ],
  ])("%s", async (_, responses, state, requests, messages) => {
    const people = { members: [member("ada")], invitations: [invitation("bob")] };
    const oldInputs = "username" in state ? inputs : { projectId, userId: "user-ada" };
    expect(await destroy(project(people, responses), state, oldInputs)).toMatchObject({ requests, messages });
  });

  test("fails with the response as the cause", async () => {
    const { context } = project({}, { "GET users": unreadable });
    const removal = projectMember.delete({ id, state: pending, oldInputs: inputs, context });
    await expect(removal).rejects.toMatchObject({ code: "OPSMANAGER_REFUSED", cause: unreadable });
  });

  test("sends nothing if the organization does not list the project any more", async () => {
    const service = project({}, { "GET users": fault(404, "GROUP_NOT_FOUND") });
    service.projects = [];
    expect(await destroy(service, active)).toEqual({ requests: [], messages: [], reads: 1 });
  });
});

describe("destroying a ProjectMember whose person another resource declares", () => {
  const kept = `${ada} in project ${projectId} was kept because ${other} declares this person.`;
  const renamed = [{ ...member("ada"), username: "grace@example.com" }];
  test.each<[string, Identity, Responses, number]>([
    ["by username", { username: ada }, {}, 0],
    ["by account", { userId: "user-ada" }, {}, 0],
    ["by the present name of the renamed account", { username: "grace@example.com" }, {}, 1],
  ])("removes no one: %s", async (_, who, responses, reads) => {
    const service = project({ members: renamed }, responses);
    service.context.session.of(Claims).claim(membersOf(projectId, who), other);
    expect(await destroy(service, active)).toEqual({ requests: [], messages: [kept], reads });
  });

  test("removes no one if the other resource is declared during the read, also if people cannot be listed", async () => {
    for (const users of [[toUser(member("ada"))], unreadable]) {
      const service: Service = project(
        {},
        {
          "GET users": () => {
            service.context.session.of(Claims).claim(membersOf(projectId, { username: ada }), other);
            return users;
          },
        },
      );
      expect(await destroy(service, active)).toEqual({ requests: [], messages: [kept], reads: 1 });
    }
  });

  test("keeps a recorded invitation that another resource gives by its ID", async () => {
    const service = project({ invitations: [invitation("ada")] });
    service.context.session.of(Claims).take(existing(projectId, "invite-ada"), other);
    expect((await destroy(service, pending)).messages).toEqual([kept]);
  });

  test.each<[string, Identity, Properties]>([
    ["by its recorded name", { username: ada }, inputs],
    ["by its recorded name, with onDestroy release", { username: ada }, { ...inputs, onDestroy: "release" }],
    ["by its present name", { username: "grace@example.com" }, inputs],
  ])(
    "remembers a person whom only the destroyed resource declares %s, for a replacement",
    async (_, who, given) => {
      const service = project({ members: renamed });
      const { session, urn } = service.context;
      session.of(Claims).claim(membersOf(projectId, who), urn);
      const requests = "onDestroy" in given ? [] : ["DELETE users/user-ada"];
      expect((await destroy(service, active, given)).requests).toEqual(requests);
      expect(session.of(ObservationLog).last(urn)).toMatchObject({ id, origin: "created", recorded: active });
    },
  );

  test("remembers no one for a replacement if the program does not declare the person", async () => {
    const service = project({ members: [member("ada")] });
    await destroy(service, active);
    expect(service.context.session.of(ObservationLog).all()).toEqual([]);
  });
});
