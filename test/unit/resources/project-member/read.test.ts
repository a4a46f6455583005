import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { fault } from "../checker";
import { invitation, member, projectId } from "../people/people";
import { type People, type Responses, type Service, unreadable } from "../people/service";
import {
  active,
  ada,
  facts,
  grace,
  id,
  inputs,
  invitationFields,
  owners,
  pending,
  project,
  roles,
  withoutIds,
} from "./ada";

const { username: _, ...nameless } = active;

/** Refreshes the resource. @returns the result or the error, and what was sent and printed beside it */
async function refresh(service: Service, state: Properties | undefined, oldInputs: Properties | undefined) {
  const { context, requests, warnings } = service;
  const result = await projectMember.read({ id, state, oldInputs, context }).catch((error: Error) => error);
  return { result: result instanceof Error ? result.message : result, requests, warnings };
}

const retained = (state: Properties) => ({ id, state, inputs });

describe("refreshing a ProjectMember records", () => {
  test.each<[string, People, Properties, Properties]>([
    [
      "a member with the present roles",
      { members: [member("ada", ...owners)] },
      active,
      { ...active, roles: owners },
    ],
    [
      "the present name of a renamed account",
      { members: [{ ...member("ada", ...owners), username: grace }] },
      active,
      { ...active, username: grace, roles: owners },
    ],
    [
      "the account that accepted the invitation",
      { members: [member("ada", ...owners)] },
      pending,
      { ...active, roles: owners },
    ],
    [
      "the invitation of a person who was removed and invited again",
      { invitations: [invitation("ada", ...owners)] },
      active,
      { ...pending, userId: "user-ada", roles: owners },
    ],
  ])("%s", async (_, people, state, expected) => {
    const service = project(people);
    expect(await refresh(service, state, inputs)).toEqual({
      result: { id, state: expected, inputs: { ...inputs, roles: owners } },
      requests: [],
      warnings: [],
    });
    const { session, urn } = service.context;
    expect(session.of(ObservationLog).last(urn)).toMatchObject({ id, origin: "created", recorded: expected });
  });

  test("roles that the program does not declare in the state alone", async () => {
    const declared = { projectId, userId: "user-ada" };
    const { result } = await refresh(project({ members: [member("ada")] }), active, declared);
    expect(result).toEqual({ id, state: active, inputs: declared });
  });

  test("nothing of a person who is in no list, which were read twice", async () => {
    const service = project({ members: [member("bob")], invitations: [invitation("bob")] });
    expect(await refresh(service, active, inputs)).toEqual({ result: undefined, requests: [], warnings: [] });
    expect(service.reads).toBe(2);
    expect(service.context.session.of(ObservationLog).all()).toMatchObject([
      { id, names: [{ username: ada }] },
    ]);
  });

  test("the recorded invitation of a member if the invitations cannot be read", async () => {
    const service = project({ members: [member("ada")] }, { "GET invites": unreadable });
    const recorded = { ...active, invitationId: "invite-ada" };
    expect((await refresh(service, recorded, inputs)).result).toEqual(retained(recorded));
  });
});

describe("refreshing a ProjectMember whose people cannot be listed", () => {
  const unlisted = { "GET users": fault(404) };
  const noList = `[missing operation] [people ${projectId}] This service does not offer listing the people of a project (GET /groups/{id}/users), so the state of the people of project ${projectId} retains the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`;
  const notReadable = `[unreadable] [people ${projectId}] The people of project ${projectId} cannot be read with these credentials, so the state retains the last known values: The request failed: 403 USER_UNAUTHORIZED.`;
  const unverified = `[unverified] [invitation ${projectId}/invite-ada] Invitation invite-ada to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which.`;
  const expired = { ...invitation("ada"), expiresAt: "2025-12-31T00:00:00Z" };
  const lookup = ["GET invites/invite-ada"];
  const isUnverified = { ...pending, status: "unverified" };

  test.each<[string, Responses, Properties, Properties, string[], string[]]>([
    [
      "retains a member without rights to list",
      { "GET users": unreadable },
      active,
      active,
      [],
      [notReadable],
    ],
    [
      "retains an invitation without rights to list",
      { "GET users": unreadable },
      pending,
      pending,
      [],
      [notReadable],
    ],
    ["retains a member on a service that lists none", unlisted, active, active, [], [noList]],
    ["reads the recorded invitation alone", unlisted, pending, pending, lookup, []],
    [
      "reports an invitation that is no longer pending",
      { ...unlisted, "GET invites/invite-ada": fault(404, "INVALID_INVITATION_ID") },
      pending,
      isUnverified,
      lookup,
      [unverified],
    ],
    [
      "retains an invitation that these credentials may not read, and warns of that",
      { ...unlisted, "GET invites/invite-ada": unreadable },
      pending,
      pending,
      lookup,
      [notReadable],
    ],
    [
      "retains a member of a project that the organization lists although it seems deleted",
      { "GET users": fault(404, "GROUP_NOT_FOUND") },
      active,
      active,
      [],
      [notReadable.replace("403 USER_UNAUTHORIZED", "404 GROUP_NOT_FOUND")],
    ],
    [
      "retains an invitation without rights to list the invitations",
      { "GET users": [], "GET invites": unreadable },
      pending,
      pending,
      [],
      [notReadable],
    ],
    [
      "reads the recorded invitation alone on a service that lists no invitations",
      { "GET users": [], "GET invites": fault(404) },
      pending,
      pending,
      lookup,
      [],
    ],
  ])("%s", async (_, responses, state, expected, requests, warnings) => {
    const service = project({ invitations: [invitation("ada")] }, responses);
    expect(await refresh(service, state, inputs)).toEqual({ result: retained(expected), requests, warnings });
  });

  test("reports an invitation that has expired", async () => {
    const service = project({ invitations: [expired] }, unlisted);
    const result = retained(isUnverified);
    expect(await refresh(service, pending, inputs)).toEqual({
      result,
      requests: lookup,
      warnings: [unverified],
    });
  });

  test("fails if the invitation cannot be read for another reason", async () => {
    const service = project({}, { ...unlisted, "GET invites/invite-ada": fault(500) });
    expect((await refresh(service, pending, inputs)).result).toBe("The request failed: 500 undefined.");
  });

  test.each<[string, Responses, Properties]>([
    ["a member, also without rights to list the invitations", { "GET invites": unreadable }, active],
    [
      "a person without a recorded invitation, if the service lists none",
      { "GET invites": fault(404) },
      withoutIds,
    ],
  ])("removes from the state %s", async (_, responses, state) => {
    const service = project({}, responses);
    expect((await refresh(service, state, inputs)).result).toBeUndefined();
  });

  test("removes an invitation from the state that is in no list and no longer pending", async () => {
    const service = project({}, { "GET invites": fault(404) });
    expect(await refresh(service, pending, inputs)).toEqual({
      result: undefined,
      requests: lookup,
      warnings: [unverified],
    });
  });

  test("removes the people of a deleted project from the state", async () => {
    const service = project({}, { "GET users": fault(404, "GROUP_NOT_FOUND") });
    service.projects = [];
    expect(await refresh(service, active, inputs)).toEqual({ result: undefined, requests: [], warnings: [] });
  });

  test("retains a person whose account cannot be read if an invitation may be theirs", async () => {
    const service = project({ invitations: [invitation("ada")] }, { "GET accounts/user-ada": unreadable });
    const [state, oldInputs] = [
      { ...nameless, status: "unverified" },
      { projectId, userId: "user-ada" },
    ];
    expect(await refresh(service, state, oldInputs)).toEqual({
      result: { id, state, inputs: oldInputs },
      requests: ["GET accounts/user-ada"],
      warnings: [
        `[unreadable] [people ${projectId}] User user-ada cannot be read with these credentials, so the provider cannot determine whether an invitation to project ${projectId} is theirs. The state retains the last known values. These credentials need the role Project User Admin in a project of this account.`,
      ],
    });
  });
});

describe("importing a ProjectMember", () => {
  const adaId = "5f00000000000000000000d1";
  const inviteId = "5f00000000000000000000c1";
  const people = {
    members: [{ ...member("ada"), userId: adaId }, member("bob")],
    invitations: [{ ...invitation("eve"), invitationId: inviteId }],
  };
  async function importing(person: string, service = project(people)) {
    const result = await projectMember
      .read({ id: `${projectId}/${person}`, context: service.context })
      .catch((error: Error) => error.message);
    return { result, requests: service.requests };
  }
  const adopted = { ...facts, origin: "imported", onDestroy: "remove" };
  const adaResult = {
    id,
    state: { projectId, status: "active", username: ada, userId: adaId, roles, ...adopted },
    inputs,
  };
  const eve = "eve@example.com";
  const eveState = {
    ...{ projectId, status: "pending", username: eve, roles, ...adopted, ...invitationFields },
    invitationId: inviteId,
  };
  const eveInputs = { projectId, username: eve, roles };
  const eveResult = { id: `${projectId}/${eve}`, state: eveState, inputs: eveInputs };

  test.each<[string, string, unknown]>([
    ["the name", "Ada@Example.com", adaResult],
    ["the account", adaId.toUpperCase(), adaResult],
    ["the invitation", inviteId.toUpperCase(), eveResult],
    ["the name of an invited person", eve, eveResult],
    ["the name of a person who is not there", grace, undefined],
  ])("finds a person by %s", async (_, person, result) => {
    expect(await importing(person)).toEqual({ result, requests: [] });
  });

  test("is also a read of which only the state or only the inputs are recorded", async () => {
    for (const [state, oldInputs] of [
      [active, undefined],
      [undefined, inputs],
    ]) {
      const { result } = await refresh(project({ members: [member("ada")] }), state, oldInputs);
      expect(result).toMatchObject({ id, state: { origin: "imported" }, inputs });
    }
  });

  test.each<[string, string, Responses, unknown]>([
    [
      "of a project that does not exist finds no one",
      ada,
      { "GET users": fault(404, "GROUP_NOT_FOUND") },
      undefined,
    ],
    ["fails without rights to list members", ada, { "GET users": unreadable }, unreadable.message],
    ["fails without rights to list invitations", ada, { "GET invites": unreadable }, unreadable.message],
    ["finds a member on a service without invitations", ada, { "GET invites": fault(404) }, adaResult],
    [
      "finds no account by name on a service that lists no people",
      ada,
      { "GET users": fault(404) },
      `${ada} cannot be imported by name: this service does not offer listing the people of a project (GET /groups/{id}/users). A pending invitation can be imported by <projectId>/<invitationId>; a user is declared by userId.`,
    ],
  ])("%s", async (_, person, responses, result) => {
    expect(await importing(person, project(people, responses))).toEqual({ result, requests: [] });
  });

  test.each<[string, string, Responses, unknown]>([
    [
      "takes an invitation by its ID",
      inviteId.toUpperCase(),
      {},
      { id: `${projectId}/${inviteId}`, state: eveState, inputs: { projectId, invitationId: inviteId } },
    ],
    [
      "cannot find an account by its ID",
      adaId,
      {},
      `${adaId} is not a pending invitation to project ${projectId}, and this service does not show whether it is a user. Declare a user by userId instead of importing it.`,
    ],
    ["reports another error", inviteId, { [`GET invites/${inviteId}`]: unreadable }, unreadable.message],
  ])("from a service that lists no people %s", async (_, person, responses, result) => {
    const service = project(people, { "GET users": fault(404), ...responses });
    const requests = [`GET invites/${person.toLowerCase()}`];
    expect(await importing(person, service)).toEqual({ result, requests });
  });

  test("fails with the response as the cause if a service that lists no people knows no such invitation", async () => {
    const { context } = project({}, { "GET users": fault(404) });
    await expect(projectMember.read({ id: `${projectId}/${adaId}`, context })).rejects.toMatchObject({
      code: "OPSMANAGER_REFUSED",
      cause: fault(404, "INVALID_INVITATION_ID"),
    });
  });

  test("requires a project and a person in the ID", async () => {
    const context = project().context;
    await expect(projectMember.read({ id: ada, context })).rejects.toThrow(
      `"${ada}" does not name a person: ProjectMember is imported by <projectId>/<username>, <projectId>/<userId> or <projectId>/<invitationId>.`,
    );
  });
});
