import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { organizationMember } from "../../../../provider/resources/members/organization-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { type Observation, ObservationLog } from "../../../../provider/resources/session/observations";
import { fault, urnOf } from "../checker";
import { member } from "../people/people";
import { orgId, outcomeOf, type People, type Responses, type Service, unreadable } from "../people/service";
import {
  ada,
  active as created,
  grace,
  id,
  inputs,
  invited,
  notOffered,
  ordinary,
  organization,
  otherOwner,
  owner,
  owners,
  pending,
  renamed,
  roles,
} from "./ada";

const active: Properties = { ...created, origin: "adopted" };
const toOwner: Properties = { ...inputs, roles: owners };
const create = (service: Service, given = inputs, preview = false) =>
  outcomeOf(service, organizationMember.create({ inputs: given, preview, context: service.context }));

interface Change {
  readonly state?: Properties;
  readonly preview?: boolean;
  readonly ignoreChanges?: readonly string[];
}

const update = (service: Service, given: Properties, change: Change = {}) => {
  const existing = { id, state: created, oldInputs: inputs, preview: false, ignoreChanges: [], ...change };
  return outcomeOf(
    service,
    organizationMember.update({ ...existing, inputs: given, context: service.context }),
  );
};

const lookup = `GET accounts/byName/${ada}`;
const invite = (given = roles) => `POST invites ${JSON.stringify({ username: ada, roles: given })}`;
const put = (given = owners) => `PUT users/user-ada/roles ${JSON.stringify({ orgRoles: given })}`;
const patch = `PATCH invites/invite-ada ${JSON.stringify({ roles: owners })}`;
const notice =
  'From now on this resource manages this person: destroying it, or removing it from the program, removes them from the organization, and so from its teams and projects. To prevent that, set onDestroy to "release".';
const unknowns =
  "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.";
const lastOwner = `${ada} is the only owner of the organization. The update fails unless another member becomes an owner before.`;
const notDemoted = `${ada} is the only owner of organization ${orgId} and did not lose ORG_OWNER. Give ORG_OWNER to another member first; an invited person counts only after accepting. To only remove the resource from the state, set onDestroy to "release" and run pulumi up.`;

describe("creating an OrganizationMember", () => {
  test.each<[string, People, Properties, Properties, string[], string[]]>([
    ["invites a person without an account", {}, inputs, pending, [lookup, invite()], []],
    [
      "invites an account, which is recorded",
      { accounts: [ordinary] },
      inputs,
      { ...pending, userId: "user-ada" },
      [lookup, invite()],
      [],
    ],
    [
      "adopts a member with the declared roles",
      { members: [ordinary] },
      inputs,
      active,
      [],
      [`${ada} is in organization ${orgId} already. ${notice}`],
    ],
    [
      "adopts a member with an ORG_MEMBER that the service added",
      { members: [member("ada", "ORG_MEMBER", "ORG_OWNER")] },
      toOwner,
      { ...active, roles: owners },
      [],
      [`${ada} is in organization ${orgId} already. ${notice}`],
    ],
    [
      "adopts a member with other roles",
      { members: [ordinary] },
      { ...toOwner, onDestroy: "release" },
      { ...active, roles: owners, onDestroy: "release" },
      [put()],
      [`${ada} is in organization ${orgId} already: roles ORG_MEMBER become ORG_OWNER.`],
    ],
    [
      "adopts an invited person with other roles",
      { invitations: [invited] },
      toOwner,
      { ...pending, roles: owners, origin: "adopted" },
      [patch],
      [`${ada} is invited to organization ${orgId} already: roles ORG_MEMBER become ORG_OWNER. ${notice}`],
    ],
    [
      "demotes an owner beside another one without a warning",
      { members: [owner, otherOwner] },
      { ...inputs, onDestroy: "release" },
      { ...active, onDestroy: "release" },
      [put(roles)],
      [`${ada} is in organization ${orgId} already: roles ORG_OWNER become ORG_MEMBER.`],
    ],
  ])("%s", async (_, people, given, state, requests, messages) => {
    expect(await create(organization(people), given)).toEqual({ result: { id, state }, requests, messages });
  });

  const planned = { status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" };
  test.each<[string, People, Properties, unknown, string[]]>([
    ["a new person without an ID", {}, inputs, { id: "", state: { ...planned, ...inputs } }, []],
    [
      "a person whose name is not known without an ID",
      {},
      { ...inputs, username: UNKNOWN },
      { id: "", state: { ...planned, ...inputs, username: UNKNOWN } },
      [unknowns],
    ],
    [
      "a person of an organization that is not known without a warning",
      {},
      { ...inputs, orgId: UNKNOWN },
      { id: "", state: { ...planned, ...inputs, orgId: UNKNOWN } },
      [],
    ],
    [
      "what is adopted",
      { members: [ordinary] },
      toOwner,
      { id, state: { ...active, roles: owners } },
      [`${ada} is in organization ${orgId} already: roles ORG_MEMBER become ORG_OWNER. ${notice}`],
    ],
    [
      "that the only owner would be demoted",
      { members: [owner] },
      inputs,
      { id, state: active },
      [`${ada} is in organization ${orgId} already: roles ORG_OWNER become ORG_MEMBER. ${notice}`, lastOwner],
    ],
  ])("shows in a preview %s", async (_, people, given, result, messages) => {
    expect(await create(organization(people), given, true)).toEqual({ result, requests: [], messages });
  });

  test.each<[string, Responses, string]>([
    [
      "the service does not offer invitations",
      { "GET invites": notOffered },
      "this service does not offer invitations to organizations. (The request failed: 404 RESOURCE_NOT_FOUND.)",
    ],
    [
      "the pending invitations cannot be read",
      { "GET invites": unreadable },
      "its pending invitations cannot be read, so the provider cannot determine whether one exists. Reading them needs Organization Owner. (The request failed: 403 USER_UNAUTHORIZED.)",
    ],
  ])("invites no one if %s", async (_, responses, why) => {
    const result = `${ada} was not invited to organization ${orgId}: ${why}`;
    expect(await create(organization({}, responses))).toEqual({ result, requests: [], messages: [] });
    expect(await update(organization({}, responses), inputs)).toEqual({ result, requests: [], messages: [] });
  });

  test("invites no one, with the response as the cause", async () => {
    const { context } = organization({}, { "GET invites": unreadable });
    const creation = organizationMember.create({ inputs, preview: false, context });
    await expect(creation).rejects.toMatchObject({ code: "OPSMANAGER_REFUSED", cause: unreadable });
  });

  test("adopts a member also if the invitations cannot be read", async () => {
    const service = organization({ members: [ordinary] }, { "GET invites": unreadable });
    expect((await create(service, toOwner)).result).toEqual({ id, state: { ...active, roles: owners } });
  });

  test("fails if the members cannot be read", async () => {
    const service = organization({}, { "GET users": unreadable });
    expect(await create(service)).toEqual({ result: unreadable.message, requests: [], messages: [] });
  });

  test("does not demote the only owner", async () => {
    const messages = [
      `${ada} is in organization ${orgId} already: roles ORG_OWNER become ORG_MEMBER. ${notice}`,
    ];
    const service = organization({ members: [owner] });
    expect(await create(service)).toEqual({ result: notDemoted, requests: [], messages });
  });

  test("is refused if another resource has the account", async () => {
    const service = organization({ members: [ordinary] });
    const { session, urn } = service.context;
    const other = urnOf("OrganizationMember", "other");
    session.of(Claims).claim(membersOf(orgId, { username: ada }), urn);
    session.of(Claims).claim(membersOf(orgId, { userId: "user-ada" }), other);
    const result = `${ada} in organization ${orgId} is declared by ${other} already: each would revert the other's changes. Remove one of them from the program.`;
    expect(await create(service)).toEqual({ result, requests: [], messages: [] });
  });
});

describe("creating an OrganizationMember whose name had a meaning before in the same run", () => {
  const seen = {
    ...{ kind: "OrganizationMember" as const, id, ownerId: orgId, origin: "imported" as const },
    ...{ names: [{ username: ada }], recorded: { userId: "user-ada", username: ada } },
  };
  const own = urnOf("OrganizationMember", "ada");
  const renamedState = { ...active, username: grace };
  test.each<[string, string, Observation, Properties, string[]]>([
    [
      "adopts the renamed account, and a replacement retains the origin",
      own,
      seen,
      { ...renamedState, origin: "imported" },
      [],
    ],
    [
      "adopts the renamed account of another resource",
      urnOf("OrganizationMember", "other"),
      seen,
      renamedState,
      [],
    ],
    [
      "adopts the account of a resource with another ID",
      own,
      { ...seen, id: `${orgId}/${grace}` },
      renamedState,
      [],
    ],
    [
      "adopts the account that another kind recorded",
      own,
      { ...seen, kind: "ProjectMember" },
      renamedState,
      [],
    ],
    [
      "invites the person of this name if no read found one",
      own,
      { ...seen, recorded: undefined },
      pending,
      [lookup, invite()],
    ],
  ])("%s", async (_, urn, observation, state, requests) => {
    const service = organization({ members: [renamed] });
    service.context.session.of(ObservationLog).record(urn, observation);
    const { result, requests: sent } = await create(service);
    expect({ result, sent }).toEqual({ result: { id, state }, sent: requests });
  });
});

describe("updating an OrganizationMember", () => {
  test.each<[string, People, Properties, Change, unknown, string[], string[]]>([
    [
      "gives a member other roles",
      { members: [ordinary] },
      toOwner,
      {},
      { ...created, roles: owners },
      [put()],
      [],
    ],
    [
      "sends nothing if the member has the roles",
      { members: [owner] },
      toOwner,
      {},
      { ...created, roles: owners },
      [],
      [],
    ],
    [
      "retains the recorded origin of a member",
      { members: [ordinary] },
      toOwner,
      { state: active },
      { ...active, roles: owners },
      [put()],
      [],
    ],
    [
      "changes an invitation",
      { invitations: [invited] },
      toOwner,
      { state: pending },
      { ...pending, roles: owners },
      [patch],
      [],
    ],
    [
      "invites a person who has left again",
      {},
      toOwner,
      { state: { ...created, origin: "imported" } },
      { ...pending, roles: owners },
      [lookup, invite(owners)],
      [],
    ],
    [
      "invites a person again with the declared roles, also if ignoreChanges names them",
      {},
      toOwner,
      { ignoreChanges: ["roles"] },
      { ...pending, roles: owners },
      [lookup, invite(owners)],
      [],
    ],
    [
      "leaves roles that ignoreChanges names",
      { members: [owner] },
      { ...inputs, onDestroy: "release" },
      { ignoreChanges: ["roles"] },
      { ...created, roles: owners, onDestroy: "release" },
      [],
      [],
    ],
    [
      "does not demote the only owner",
      { members: [owner] },
      inputs,
      { state: { ...created, roles: owners } },
      notDemoted,
      [],
      [],
    ],
    [
      "warns in a preview that the only owner would be demoted",
      { members: [owner] },
      inputs,
      { preview: true, state: { ...created, roles: owners } },
      created,
      [],
      [lastOwner],
    ],
    [
      "warns in a preview of no demotion that ignoreChanges prevents",
      { members: [owner] },
      inputs,
      { preview: true, ignoreChanges: ["roles"] },
      created,
      [],
      [],
    ],
    [
      "shows in a preview a person who has left",
      {},
      toOwner,
      { preview: true },
      { ...created, roles: owners },
      [],
      [],
    ],
    [
      "shows unknown values in a preview",
      {},
      { ...inputs, roles: UNKNOWN },
      { preview: true },
      { ...created, roles: UNKNOWN },
      [],
      [unknowns],
    ],
    [
      "does not take another account of the same name for the recorded one",
      { members: [{ ...member("bob", ...roles), username: ada }] },
      toOwner,
      {},
      `${ada} in organization ${orgId} is another account now: the recorded one has left. Nothing was written. To manage the other account, run pulumi refresh, and then pulumi up.`,
      [],
      [],
    ],
  ])("%s", async (_, people, given, change, result, requests, messages) => {
    expect(await update(organization(people), given, change)).toEqual({ result, requests, messages });
  });

  test("finds a person who accepts between the two lists in a second read", async () => {
    const service: Service = organization(
      {},
      {
        "GET invites": () => {
          service.members = [ordinary];
          return [];
        },
      },
    );
    expect((await update(service, inputs, { state: pending })).result).toEqual(created);
  });

  test("is refused if another resource has the account", async () => {
    const service = organization({ members: [ordinary] });
    const { session, urn } = service.context;
    const other = urnOf("OrganizationMember", "other");
    session.of(Claims).claim(membersOf(orgId, { username: ada }), urn);
    session.of(Claims).claim(membersOf(orgId, { userId: "user-ada" }), other);
    expect(await update(service, toOwner)).toMatchObject({
      result: expect.stringContaining(`${ada} in organization ${orgId} is declared by ${other} already`),
      requests: [],
    });
  });
});

describe("roles of an OrganizationMember that the service does not take as they were sent", () => {
  const request = "PUT users/user-ada/roles";
  const accepted = `The service accepted ${ada} with ORG_OWNER for organization ${orgId}`;
  const sent = `roles of ${ada} in organization ${orgId} were sent as ORG_OWNER`;
  test.each<[string, readonly string[], string]>([
    ["other ones", ["ORG_GROUP_CREATOR", "ORG_READ_ONLY"], "ORG_GROUP_CREATOR, ORG_READ_ONLY"],
    ["none", [], "no role"],
  ])("are an error that names the stored ones, which are recorded: %s", async (_, stored, named) => {
    const service: Service = organization(
      { members: [ordinary] },
      {
        [request]: () => {
          service.members = [{ ...ordinary, roles: stored }];
        },
      },
    );
    const message = `${sent}, but the service stored ${named}.`;
    expect((await update(service, toOwner)).result).toEqual({
      message,
      id,
      state: { ...created, roles: stored },
    });
  });

  const next = "Run pulumi up again: it continues from what exists.";
  test.each<[string, Responses, string]>([
    ["shows no membership", {}, `, but shows neither a membership nor an invitation. ${next}`],
    [
      "offers no invitations",
      { "GET invites": notOffered },
      `, but shows neither a membership nor an invitation. ${next}`,
    ],
    [
      "does not show its invitations",
      { "GET invites": unreadable },
      `, but the result could not be read. ${next} (${unreadable.message})`,
    ],
  ])("are recorded as they were sent if the service %s", async (_, responses, end) => {
    const service: Service = organization(
      { members: [ordinary] },
      {
        ...responses,
        [request]: () => {
          service.members = [];
        },
      },
    );
    const expected = { message: `${accepted}${end}`, id, state: { ...created, roles: owners } };
    expect((await update(service, toOwner)).result).toEqual(expected);
  });

  test("are recorded with the name of the program if the response to an invitation shows none", async () => {
    const message = `${accepted}, but shows neither a membership nor an invitation. ${next}`;
    const state = {
      orgId,
      username: ada,
      status: "pending",
      roles: owners,
      origin: "created",
      onDestroy: "remove",
    };
    const { result } = await create(organization({}, { "POST invites": {} }), toOwner);
    expect(result).toEqual({ message, id, state });
  });

  test("are refused with what to do on a service without the operation", async () => {
    const advice = `Only Cloud Manager documents this operation, so nothing was changed. Change the roles of ${ada} in the service's web interface, and run pulumi up again; or add roles to ignoreChanges.`;
    const members = [ordinary];
    const refused = await update(organization({ members }, { [request]: notOffered }), toOwner);
    expect(refused).toMatchObject({ result: `${notOffered.message} ${advice}`, requests: [put()] });
    const conflict = fault(409, "CONFLICT");
    expect((await update(organization({ members }, { [request]: conflict }), toOwner)).result).toBe(
      conflict.message,
    );
  });
});
