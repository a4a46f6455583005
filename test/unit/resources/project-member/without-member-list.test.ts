import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { fault } from "../checker";
import { invitation, projectId } from "../people/people";
import { outcomeOf, type Responses, type Service, unreadable } from "../people/service";
import { ada, inputs, invitationFields, project, roles } from "./ada";

const unlisted = { "GET users": fault(404) };
const userId = "user-ada";
const invitationId = "invite-ada";
const lookup = [`GET invites/${invitationId}`];
const noLongerPending = { [`GET invites/${invitationId}`]: fault(404, "INVALID_INVITATION_ID") };
const unverified = { projectId, status: "unverified", origin: "adopted", onDestroy: "remove" };
const groupName = "payments";
const pending = {
  ...{ projectId, status: "pending", username: ada, roles, ...invitationFields, groupName },
  ...{ origin: "adopted", onDestroy: "remove" },
};

const service = (responses: Responses = {}) =>
  project({ invitations: [invitation("ada")] }, { ...unlisted, ...responses });

const notByName = (name: string) =>
  `${name} in project ${projectId} cannot be managed by username: this service does not offer listing the people of a project (GET /groups/{id}/users). Give userId or invitationId instead, without roles.`;
const withoutRoles = (name: string, call: string) =>
  `roles of ${name} in project ${projectId} cannot be set: this service does not offer it (${call}). Remove roles from the program. Then destroying still removes the person, and nothing else is managed.`;

describe("on a service that lists no people, creating a ProjectMember", () => {
  test.each<[string, Responses, Properties, unknown, readonly string[]]>([
    [
      "records an account as unverified",
      {},
      { userId },
      { id: userId, state: { ...unverified, userId } },
      [],
    ],
    [
      "records an account and its name as unverified, with the account in the ID",
      {},
      { userId, username: ada, onDestroy: "release" },
      { id: userId, state: { ...unverified, userId, username: ada, onDestroy: "release" } },
      [],
    ],
    ["records a pending invitation", {}, { invitationId }, { id: invitationId, state: pending }, lookup],
    [
      "records a pending invitation and the account of the program",
      {},
      { invitationId, userId },
      { id: userId, state: { ...pending, userId } },
      lookup,
    ],
    [
      "fails for an invitation that is no longer pending",
      noLongerPending,
      { invitationId },
      "The request failed: 404 INVALID_INVITATION_ID.",
      lookup,
    ],
    ["is refused for a username", {}, { username: ada, roles }, notByName(ada), []],
    [
      "is refused for roles of an account",
      {},
      { userId, roles },
      withoutRoles("user user-ada", "POST /groups/{id}/users"),
      [],
    ],
    [
      "is refused for roles of an invitation",
      {},
      { invitationId, roles },
      withoutRoles("invitation invite-ada", "PATCH /groups/{id}/invites/{invitationId}"),
      [],
    ],
  ])("%s", async (_, responses, who, expected, requests) => {
    const begun = service(responses);
    const creation = projectMember.create({
      inputs: { projectId, ...who },
      preview: false,
      context: begun.context,
    });
    const result =
      typeof expected === "string"
        ? expected
        : { ...(expected as object), id: `${projectId}/${(expected as { id: string }).id}` };
    expect(await outcomeOf(begun, creation)).toEqual({ result, requests, messages: [] });
  });
});

describe("on a service that lists no people, updating a ProjectMember", () => {
  const recorded = { ...pending, orgId: "5f00000000000000000000b1", origin: "imported" };
  const update = (begun: Service, state: Properties, given: Properties) =>
    outcomeOf(
      begun,
      projectMember.update({
        ...{ id: `${projectId}/${ada}`, state, oldInputs: inputs, inputs: { projectId, ...given } },
        ...{ preview: false, ignoreChanges: [], context: begun.context },
      }),
    );

  test.each<[string, Responses, Properties, unknown]>([
    ["reads a pending invitation and retains the origin", {}, { invitationId }, recorded],
    [
      "retains what is recorded of an invitation that is no longer pending",
      noLongerPending,
      { invitationId, username: ada, onDestroy: "release" },
      { ...recorded, status: "unverified", onDestroy: "release" },
    ],
    [
      "fails if the invitation cannot be read for another reason",
      { [`GET invites/${invitationId}`]: unreadable },
      { invitationId },
      unreadable.message,
    ],
  ])("%s", async (_, responses, given, result) => {
    const messages = [`roles of ${ada} are no longer managed; nothing was sent.`];
    expect(await update(service(responses), recorded, given)).toEqual({ result, requests: lookup, messages });
  });

  test("retains the recorded account and name of the invitation that the program gives, pending or not", async () => {
    const state = { ...recorded, userId };
    expect((await update(service(), state, { invitationId })).result).toEqual(state);
    expect((await update(service(noLongerPending), state, { invitationId })).result).toEqual({
      ...state,
      status: "unverified",
    });
  });

  test("retains no account and no name that are recorded for another invitation", async () => {
    const begun = service({ "GET invites/invite-bob": fault(404, "INVALID_INVITATION_ID") });
    const { result } = await update(begun, { ...recorded, userId }, { invitationId: "invite-bob" });
    expect(result).toMatchObject({ status: "unverified", invitationId: "invite-bob" });
    expect(result).not.toHaveProperty("userId");
    expect(result).not.toHaveProperty("username");
  });

  test("records the account that the program gives beside an invitation", async () => {
    const state = { ...recorded, userId };
    expect((await update(service(), recorded, { invitationId, userId })).result).toEqual(state);
  });

  test("takes an account that replaces the recorded one", async () => {
    const state = { ...unverified, userId: "user-bob" };
    expect(await update(service(), state, { userId })).toMatchObject({ result: { ...unverified, userId } });
  });
});
