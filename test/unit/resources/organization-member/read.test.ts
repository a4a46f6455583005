import type { Properties } from "../../../../provider/resources/contract/values";
import { organizationMember } from "../../../../provider/resources/members/organization-member";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { invitation, member } from "../people/people";
import {
  orgId,
  outcomeOf,
  type People,
  type Responses,
  type Service,
  toUser,
  unreadable,
} from "../people/service";
import {
  active,
  ada,
  grace,
  id,
  inputs,
  invited,
  notOffered,
  ordinary,
  organization,
  otherOwner,
  owners,
  pending,
  renamed,
  roles,
} from "./ada";

const refresh = (service: Service, state?: Properties, oldInputs?: Properties) =>
  outcomeOf(service, organizationMember.read({ id, state, oldInputs, context: service.context }));

describe("refreshing an OrganizationMember", () => {
  const readers = ["ORG_READ_ONLY"];
  const declaresReaders = { ...inputs, roles: readers };
  test.each<[string, People, Properties, Properties, Properties, Properties]>([
    [
      "records a member with the present roles and name",
      { members: [{ ...renamed, roles: owners }] },
      active,
      inputs,
      { ...active, username: grace, roles: owners },
      { ...inputs, roles: owners },
    ],
    [
      "records the account that accepted the invitation",
      { members: [ordinary] },
      pending,
      inputs,
      active,
      inputs,
    ],
    ["records an invitation", { invitations: [invited] }, pending, inputs, pending, inputs],
    [
      "records the newest invitation of a member by its ID alone",
      { members: [ordinary], invitations: [invited] },
      active,
      inputs,
      { ...active, invitationId: "invite-ada" },
      inputs,
    ],
    [
      "records no ORG_MEMBER that the service added beside the declared roles",
      { members: [member("ada", "ORG_MEMBER", "ORG_READ_ONLY")] },
      { ...active, roles: readers },
      declaresReaders,
      { ...active, roles: readers },
      declaresReaders,
    ],
  ])("%s", async (_, people, state, oldInputs, expected, now) => {
    const service = organization(people);
    expect(await refresh(service, state, oldInputs)).toEqual({
      result: { id, state: expected, inputs: now },
      requests: [],
      messages: [],
    });
    const { session, urn } = service.context;
    const names = [{ username: ada }, { username: ada }];
    expect(session.of(ObservationLog).last(urn)).toMatchObject({ id, names, recorded: expected });
    expect(service.reads).toBe(1);
  });

  test("finds a person who accepts between the two lists in a second read", async () => {
    const service: Service = organization(
      {},
      { "GET users": () => (service.reads === 1 ? [] : [toUser(ordinary)]) },
    );
    expect((await refresh(service, pending, inputs)).result).toEqual({ id, state: active, inputs });
  });

  test("removes a person from the state who is in no list of two reads", async () => {
    const service = organization({ members: [otherOwner], invitations: [invitation("bob")] });
    expect(await refresh(service, active, inputs)).toEqual({ result: undefined, requests: [], messages: [] });
    expect(service.reads).toBe(2);
    expect(service.context.session.of(ObservationLog).all()).toMatchObject([{ recorded: undefined }]);
  });

  const notReadable = `[unreadable] [organization people ${orgId}] The people of organization ${orgId} cannot be read with these credentials, so the state retains the last known values: The request failed: 403 USER_UNAUTHORIZED.`;
  const noList = `[missing operation] [organization people ${orgId}] This service does not offer listing the people of an organization (GET /orgs/{id}/users), so the state of the people of organization ${orgId} retains the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`;
  test.each<[string, Responses, Properties, string[]]>([
    ["without rights to list members", { "GET users": unreadable }, active, [notReadable]],
    ["on a service that lists no members", { "GET users": notOffered }, active, [noList]],
    ["without rights to list invitations", { "GET invites": unreadable }, active, [notReadable]],
    ["of a recorded invitation if the service lists none", { "GET invites": notOffered }, pending, [noList]],
  ])("retains the last known values %s, and warns", async (_, responses, state, messages) => {
    const service = organization({ invitations: [invited] }, responses);
    expect(await refresh(service, state, inputs)).toEqual({
      result: { id, state, inputs },
      requests: [],
      messages,
    });
    expect(service.reads).toBe(1);
  });

  test("removes a member from the state on a service without invitations", async () => {
    const service = organization({}, { "GET invites": notOffered });
    expect(await refresh(service, active, inputs)).toEqual({ result: undefined, requests: [], messages: [] });
  });

  test("records a member without rights to list invitations, with the recorded invitation", async () => {
    const service = organization({ members: [ordinary] }, { "GET invites": unreadable });
    const state = { ...active, invitationId: "invite-ada" };
    expect(await refresh(service, state, inputs)).toEqual({
      result: { id, state, inputs },
      requests: [],
      messages: [],
    });
  });
});

describe("importing an OrganizationMember", () => {
  const adaId = "5f00000000000000000000d1";
  const people = {
    members: [otherOwner, { ...ordinary, userId: adaId }],
    invitations: [invitation("eve", ...roles)],
  };
  const adaResult = { id, state: { ...active, userId: adaId, origin: "imported" }, inputs };
  const eve = { username: "eve@example.com" };
  const eveResult = {
    id: `${orgId}/eve@example.com`,
    state: { ...pending, ...eve, invitationId: "invite-eve", origin: "imported" },
    inputs: { ...inputs, ...eve },
  };
  test.each<[string, string, Responses, unknown]>([
    ["finds a member by name", "ADA@example.com", {}, adaResult],
    ["finds a member by account", adaId.toUpperCase(), {}, adaResult],
    ["finds an invited person by name", "eve@example.com", {}, eveResult],
    ["finds no one by the name of a person who is not there", grace, {}, undefined],
    ["finds a member without rights to list invitations", ada, { "GET invites": unreadable }, adaResult],
    ["finds no one on a service without invitations", grace, { "GET invites": notOffered }, undefined],
    ["fails without rights to list members", ada, { "GET users": unreadable }, unreadable.message],
    [
      "fails without rights to list invitations if the person is no member",
      grace,
      { "GET invites": unreadable },
      unreadable.message,
    ],
  ])("%s", async (_, name, responses, result) => {
    const service = organization(people, responses);
    const importing = organizationMember.read({ id: `${orgId}/${name}`, context: service.context });
    expect(await outcomeOf(service, importing)).toEqual({ result, requests: [], messages: [] });
  });

  test("is also a read of which only the state or only the inputs are recorded", async () => {
    for (const [state, oldInputs] of [
      [active, undefined],
      [undefined, inputs],
    ]) {
      const { result } = await refresh(organization({ members: [ordinary] }), state, oldInputs);
      expect(result).toMatchObject({ id, state: { origin: "imported" }, inputs });
    }
  });

  test("requires an organization and a person in the ID", async () => {
    await expect(organizationMember.read({ id: ada, context: organization().context })).rejects.toThrow(
      `"${ada}" does not name a person: OrganizationMember is imported by <orgId>/<username> or <orgId>/<userId>.`,
    );
  });
});
