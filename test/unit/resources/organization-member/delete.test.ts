import type { Properties } from "../../../../provider/resources/contract/values";
import { organizationMember } from "../../../../provider/resources/organization-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { fault, urnOf } from "../checker";
import { invitation } from "../people/people";
import { orgId, outcomeOf, type People, type Service, toUser, unreadable } from "../people/service";
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
  owner,
  pending,
  renamed,
} from "./ada";

const destroy = (service: Service, state = active, oldInputs = inputs) =>
  outcomeOf(service, organizationMember.delete({ id, state, oldInputs, context: service.context }));

const left = (name = ada) => `${name} left organization ${orgId}, and with it its teams and projects.`;
const removal = "DELETE users/user-ada";
const withdrawal = "DELETE invites/invite-ada";

describe("destroying an OrganizationMember", () => {
  const isRecorded = { ...active, invitationId: "invite-ada" };
  test.each<[string, People, Properties, string[], string[], number]>([
    ["removes a member", { members: [ordinary, otherOwner] }, active, [removal], [left()], 1],
    ["removes a renamed account", { members: [renamed] }, active, [removal], [left(grace)], 1],
    ["removes an owner beside another one", { members: [owner, otherOwner] }, active, [removal], [left()], 2],
    [
      "removes a member and the pending invitation",
      { members: [ordinary], invitations: [invited] },
      isRecorded,
      [withdrawal, removal],
      [left()],
      1,
    ],
    ["deletes an invitation", { invitations: [invitation("bob"), invited] }, pending, [withdrawal], [], 1],
    ["removes an invited person who has accepted", { members: [ordinary] }, pending, [removal], [left()], 1],
    ["reads again before it takes a person for removed", { members: [otherOwner] }, active, [], [], 2],
  ])("%s", async (_, people, state, requests, messages, reads) => {
    const service = organization(people);
    expect(await destroy(service, state)).toEqual({ result: undefined, requests, messages });
    expect(service.reads).toBe(reads);
  });

  test.each<[string, People, Properties]>([
    ["a person", { invitations: [invited] }, pending],
    ["a member", { members: [ordinary], invitations: [invited] }, isRecorded],
  ])("removes %s who accepts the invitation during the removal", async (_, people, state) => {
    const service: Service = organization(people, {
      [withdrawal]: () => {
        service.members = [ordinary];
        service.invitations = [];
        return fault(404, "INVALID_INVITATION_ID");
      },
    });
    const requests = [withdrawal, removal];
    expect(await destroy(service, state)).toEqual({ result: undefined, requests, messages: [left()] });
  });

  test("with onDestroy release neither reads nor writes anything", async () => {
    const service = organization({ members: [ordinary] });
    const message = `${ada} was released and is not changed in organization ${orgId}.`;
    expect(await destroy(service, active, { ...inputs, onDestroy: "release" })).toEqual({
      result: undefined,
      requests: [],
      messages: [message],
    });
    expect(service.reads).toBe(0);
  });

  test("removes no more people than maxRemovalsPerRun allows", async () => {
    const result = `${grace} was not removed from organization ${orgId}: this run would remove 1 person or API key from projects, teams and organizations, more than the setting maxRemovalsPerRun (0) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun 1. If the run has more removals, set it to their number.`;
    const service = organization({ members: [renamed] }, {}, { maxRemovalsPerRun: 0 });
    expect(await destroy(service)).toEqual({ result, requests: [], messages: [] });
  });

  test("never removes the only owner, and the error names the solutions", async () => {
    const result = `${ada} is the only owner of organization ${orgId} and was not removed. Give ORG_OWNER to another member first; an invited person counts only after accepting. To only remove the resource from the state, set onDestroy to "release" and run pulumi up.`;
    const invitedOwner = invitation("olga", "ORG_OWNER");
    const service = organization({ members: [owner], invitations: [invitedOwner] });
    expect(await destroy(service)).toEqual({ result, requests: [], messages: [] });
  });

  test("of a member on a service without the operation names what to do instead", async () => {
    const service = organization({ members: [ordinary] }, { [removal]: notOffered });
    const result = `The request failed: 404 RESOURCE_NOT_FOUND. Only Cloud Manager documents this operation, so ${ada} was not removed. Remove the person in the service's web interface, or set onDestroy to "release" and run pulumi up.`;
    expect(await destroy(service)).toEqual({ result, requests: [removal], messages: [] });
    const { context } = organization({ members: [ordinary] }, { [removal]: notOffered });
    const attempt = organizationMember.delete({ id, state: active, oldInputs: inputs, context });
    await expect(attempt).rejects.toMatchObject({ code: "OPSMANAGER_REFUSED", cause: notOffered });
    const refusing = organization({ members: [ordinary] }, { [removal]: unreadable });
    expect((await destroy(refusing)).result).toBe(unreadable.message);
  });

  test.each<[string, Properties, string]>([
    ["the name in the program", inputs, ada],
    ["the recorded name if no name in the program is recorded", {}, grace],
  ])("remembers the person for a replacement by %s", async (_, oldInputs, username) => {
    const service = organization();
    const state = { ...active, username: grace };
    await destroy(service, state, oldInputs);
    const { session, urn } = service.context;
    expect(session.of(ObservationLog).last(urn)).toEqual({
      ...{ kind: "OrganizationMember", id, ownerId: orgId, origin: "created" },
      ...{ names: [{ username }], recorded: state },
    });
  });
});

describe("destroying an OrganizationMember whose invitations cannot be read", () => {
  const recorded = { ...active, invitationId: "invite-ada" };
  test.each<[string, People, Properties, Error, unknown, string[]]>([
    [
      "removes a member without a recorded invitation",
      { members: [ordinary] },
      active,
      unreadable,
      undefined,
      [removal],
    ],
    [
      "fails for a member with a recorded invitation",
      { members: [ordinary] },
      recorded,
      unreadable,
      unreadable.message,
      [],
    ],
    [
      "fails for a person who is no member, and may be invited",
      {},
      active,
      unreadable,
      unreadable.message,
      [],
    ],
    [
      "sends nothing for such a person if the service offers no invitations",
      {},
      active,
      notOffered,
      undefined,
      [],
    ],
    ["fails for a recorded invitation also then", {}, pending, notOffered, notOffered.message, []],
  ])("%s", async (_, people, state, refusal, result, requests) => {
    const service = organization(people, { "GET invites": refusal });
    expect(await destroy(service, state)).toMatchObject({ result, requests });
  });

  test("fails if the members cannot be read", async () => {
    const service = organization({}, { "GET users": unreadable });
    expect(await destroy(service)).toEqual({ result: unreadable.message, requests: [], messages: [] });
  });
});

describe("destroying an OrganizationMember whose person another resource declares", () => {
  const other = urnOf("OrganizationMember", "other");
  test.each([
    ["by username", { username: ada }],
    ["by account", { userId: "user-ada" }],
    ["by the recorded name of a renamed account", { username: "lovelace@example.com" }],
    ["by the present name of a renamed account", { username: grace }],
  ])("removes no one: %s", async (_, who) => {
    const service = organization({ members: [renamed] });
    service.context.session.of(Claims).claim(membersOf(orgId, who), other);
    expect(await destroy(service, { ...active, username: "lovelace@example.com" })).toEqual({
      result: undefined,
      requests: [],
      messages: [
        `lovelace@example.com in organization ${orgId} was kept because ${other} declares this person.`,
      ],
    });
  });

  test("removes no one if the other resource is declared during the read", async () => {
    const service: Service = organization(
      {},
      {
        "GET users": () => {
          service.context.session.of(Claims).claim(membersOf(orgId, { username: ada }), other);
          return [toUser(ordinary)];
        },
      },
    );
    expect((await destroy(service)).requests).toEqual([]);
  });

  test("removes a person whom only the destroyed resource declares", async () => {
    const service = organization({ members: [ordinary] });
    service.context.session.of(Claims).claim(membersOf(orgId, { username: ada }), service.context.urn);
    expect((await destroy(service)).requests).toEqual([removal]);
  });
});
