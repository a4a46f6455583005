import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { type Observation, ObservationLog } from "../../../../provider/resources/session/observations";
import { urnOf } from "../checker";
import { invitation, member, projectId } from "../people/people";
import { outcomeOf, type People, type Responses, type Service, toUser, unreadable } from "../people/service";
import { ada, active as created, grace, id, inputs, pending as invited, owners, project, roles } from "./ada";

const renamed = { ...member("ada"), username: grace };
const active: Properties = { ...created, origin: "adopted" };
const pending: Properties = { ...invited, origin: "adopted" };
const unknowns =
  "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.";
const notice =
  'From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".';

const create = (service: Service, given: Properties = inputs, preview = false) =>
  outcomeOf(service, projectMember.create({ inputs: given, preview, context: service.context }));

const lookup = `GET accounts/byName/${ada}`;
const invite = `POST invites ${JSON.stringify({ username: ada, roles })}`;
const assign = (userId: string, given = roles) =>
  `POST users ${JSON.stringify([{ id: userId, roles: given.map((roleName) => ({ roleName })) }])}`;
const assigned = (name: string, ...given: string[]) => ({ results: [toUser(member(name, ...given))] });

describe("creating a ProjectMember", () => {
  test.each<[string, People, Responses, Properties, unknown, string[], string[]]>([
    ["invites a person without an account", {}, {}, inputs, invited, [lookup, invite], []],
    [
      "adds the account of a person",
      { accounts: [member("ada")] },
      { "POST users": assigned("ada") },
      inputs,
      created,
      [lookup, assign("user-ada")],
      [],
    ],
    [
      "adopts a member with the declared roles",
      { members: [member("ada")] },
      {},
      inputs,
      active,
      [],
      [`${ada} is in project ${projectId} already. ${notice}`],
    ],
    [
      "adopts an invited person with other roles",
      { invitations: [invitation("ada")] },
      {},
      { ...inputs, roles: owners, onDestroy: "release" },
      { ...pending, roles: owners, onDestroy: "release" },
      [`PATCH invites/invite-ada ${JSON.stringify({ roles: owners })}`],
      [`${ada} is invited to project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER.`],
    ],
    [
      "adopts a member with any roles if the program declares none",
      { members: [member("ada", ...owners)] },
      {},
      { projectId, userId: "user-ada" },
      { ...active, roles: owners },
      [],
      [`${ada} is in project ${projectId} already. ${notice}`],
    ],
    [
      "adopts the invitation to the name of the account that the program gives",
      { accounts: [member("ada")], invitations: [invitation("ada")] },
      {},
      { projectId, userId: "user-ada" },
      { ...pending, userId: "user-ada" },
      ["GET accounts/user-ada"],
      [`${ada} is invited to project ${projectId} already. ${notice}`],
    ],
    [
      "adopts the one of several invitations that the program gives",
      { invitations: [invitation("ada"), { ...invitation("ada"), invitationId: "invite-ada-2" }] },
      {},
      { projectId, invitationId: "invite-ada-2" },
      { ...pending, invitationId: "invite-ada-2" },
      [],
      [`${ada} is invited to project ${projectId} already. ${notice}`],
    ],
  ])("%s", async (_, people, responses, given, state, requests, messages) => {
    const expected = { result: { id, state }, requests, messages };
    expect(await create(project(people, responses), given)).toEqual(expected);
  });

  test("shows in a preview what is adopted, and sends nothing", async () => {
    const wanted = { ...inputs, roles: owners };
    expect(await create(project({ members: [member("ada")] }), wanted, true)).toEqual({
      result: { id, state: { ...active, roles: owners, orgId: undefined, groupName: undefined } },
      requests: [],
      messages: [
        `${ada} is in project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER. ${notice}`,
      ],
    });
  });

  const planned = { status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" };
  test.each<[string, Properties, string[], string[]]>([
    ["a new person", inputs, [lookup], []],
    ["a person whose name is not known", { ...inputs, username: UNKNOWN }, [], [unknowns]],
    ["a person whose roles are not known", { ...inputs, roles: UNKNOWN }, [], [unknowns]],
    ["a person of a new project", { ...inputs, projectId: UNKNOWN }, [], []],
  ])("shows %s in a preview without an ID", async (_, given, requests, messages) => {
    const result = { id: "", state: { ...planned, ...given } };
    expect(await create(project(), given, true)).toEqual({ result, requests, messages });
  });

  test.each<[string, People, Responses, Properties, string, string[]]>([
    [
      "an invitation that is not pending",
      {},
      {},
      { projectId, invitationId: "invite-ada", roles },
      `Invitation invite-ada to project ${projectId} is not pending: it was accepted, has expired or was deleted. Set username or userId instead.`,
      [],
    ],
    [
      "an account that is no member, without roles",
      { accounts: [member("ada")] },
      {},
      { projectId, userId: "user-ada" },
      `${ada} is not in project ${projectId}, and a member without roles cannot be added. Set roles.`,
      ["GET accounts/user-ada"],
    ],
    [
      "an account that cannot be read, without roles",
      {},
      { "GET accounts/user-ada": unreadable },
      { projectId, userId: "user-ada" },
      `user user-ada is not in project ${projectId}, and a member without roles cannot be added. Set roles.`,
      ["GET accounts/user-ada"],
    ],
  ])("is refused for %s", async (_, people, responses, given, result, requests) => {
    expect(await create(project(people, responses), given)).toEqual({ result, requests, messages: [] });
  });

  test.each([
    ["a preview shares a recent read", true, 1],
    ["an update reads the people itself", false, 2],
  ])("%s", async (_, preview, reads) => {
    const service = project({ members: [member("ada")] }, {}, { readCacheSeconds: 30 });
    for (let run = 0; run < 2; run += 1) await create(service, inputs, preview);
    expect(service.reads).toBe(reads);
  });

  test("is refused if another resource declares the person", async () => {
    const other = urnOf("ProjectMember", "other");
    const twice = `in project ${projectId} is declared by ${other} already: each would revert the other's changes. Remove one of them from the program.`;
    const byName = project();
    byName.context.session.of(Claims).claim(membersOf(projectId, { username: ada }), other);
    expect((await create(byName)).result).toBe(`${ada} ${twice}`);
    expect(byName.reads).toBe(0);
    const byAccount = project({ members: [member("ada")] });
    byAccount.context.session.of(Claims).claim(membersOf(projectId, { userId: "user-ada" }), other);
    expect(await create(byAccount)).toEqual({ result: `${ada} ${twice}`, requests: [], messages: [] });
  });

  test("records other roles than those that were sent, and the error names both", async () => {
    const responses = { "POST users": assigned("ada", "GROUP_READ_ONLY", "GROUP_USER_ADMIN") };
    const wanted = { ...inputs, roles: ["GROUP_BACKUP_ADMIN", "GROUP_OWNER"] };
    const message = `roles of ${ada} in project ${projectId} were sent as GROUP_BACKUP_ADMIN, GROUP_OWNER, but the service stored GROUP_READ_ONLY, GROUP_USER_ADMIN.`;
    const state = { ...active, roles: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"] };
    const { result } = await create(project({ members: [member("ada")] }, responses), wanted);
    expect(result).toEqual({ message, id, state });
  });

  test.each<[string, People, Properties, Properties]>([
    [
      "a new account as unverified",
      { accounts: [member("ada")] },
      { projectId, userId: "user-ada", roles: owners },
      { ...active, status: "unverified", roles: owners, origin: "created" },
    ],
    [
      "a member as active",
      { members: [member("ada")] },
      { ...inputs, roles: owners, onDestroy: "release" },
      { ...active, roles: owners, onDestroy: "release" },
    ],
  ])("records what was sent if no read shows the result: %s", async (_, people, given, state) => {
    const service: Service = project(people, {
      "POST users": () => {
        service.members = [];
      },
    });
    const message = `The service accepted ${ada} with GROUP_OWNER for project ${projectId}, but shows neither a membership nor an invitation. Run pulumi up again: it continues from what exists.`;
    expect((await create(service, given)).result).toEqual({ message, id, state });
  });
});

describe("creating a ProjectMember with several identities", () => {
  const invitations = [invitation("bob"), invitation("ada")];
  const accounts = [member("ada"), member("bob")];
  const twoPeople = (given: string, actual: string) =>
    `${given} do not name the same person in project ${projectId}: found ${actual}. Remove one of them, or correct it. Nothing was written.`;
  const unverifiable = (given: string) =>
    `${given} cannot be verified to be the same person in project ${projectId}: these credentials may not read account user-ada. These credentials need the role Project User Admin in a project of this account. Or remove the others from the program. Nothing was written.`;

  test.each<[string, People, Properties, string, string[]]>([
    [
      "a name and the account of another member",
      { members: [member("bob")] },
      { username: ada, userId: "user-bob" },
      twoPeople(`username "${ada}" and userId user-bob`, "bob@example.com (user user-bob)"),
      [],
    ],
    [
      "a name and the account of another person who is no member",
      { accounts, invitations: [invitation("ada")] },
      { username: ada, userId: "user-bob" },
      twoPeople(`username "${ada}" and userId user-bob`, "bob@example.com (user user-bob)"),
      ["GET accounts/user-bob"],
    ],
    [
      "a name and the invitation of another person",
      { invitations },
      { username: ada, invitationId: "invite-bob" },
      twoPeople(`username "${ada}" and invitationId invite-bob`, "bob@example.com"),
      [],
    ],
    [
      "an account and the invitation of another person",
      { invitations, accounts },
      { userId: "user-ada", invitationId: "invite-bob" },
      twoPeople("userId user-ada and invitationId invite-bob", "bob@example.com (user user-ada)"),
      ["GET accounts/user-ada"],
    ],
    [
      "a member and the invitation of another person",
      { members: [member("ada")], invitations },
      { userId: "user-ada", invitationId: "invite-bob" },
      twoPeople("userId user-ada and invitationId invite-bob", `${ada} (user user-ada)`),
      [],
    ],
  ])("is refused for %s", async (_, people, who, result, requests) => {
    const given = { projectId, ...who, roles };
    expect(await create(project(people), given)).toEqual({ result, requests, messages: [] });
  });

  test.each<[string, People, Properties, string]>([
    ["a name", {}, { username: ada }, `username "${ada}" and userId user-ada`],
    [
      "an invitation",
      { invitations },
      { invitationId: "invite-ada" },
      "userId user-ada and invitationId invite-ada",
    ],
    [
      "a name and an invitation",
      { invitations },
      { username: ada, invitationId: "invite-ada" },
      `username "${ada}" and userId user-ada and invitationId invite-ada`,
    ],
  ])("is refused for an account that cannot be read beside %s", async (_, people, who, named) => {
    const service = project(people, { "GET accounts/user-ada": unreadable });
    const result = unverifiable(named);
    const requests = ["GET accounts/user-ada"];
    const given = { projectId, userId: "user-ada", ...who, roles };
    expect(await create(service, given)).toEqual({ result, requests, messages: [] });
  });

  test("adopts the person whom all of them mean", async () => {
    const service = project({ invitations, accounts });
    const given = {
      projectId,
      username: "ADA@example.com",
      userId: "user-ada",
      invitationId: "invite-ada",
      roles,
    };
    expect((await create(service, given)).result).toEqual({
      id: `${projectId}/ADA@example.com`,
      state: { ...pending, userId: "user-ada" },
    });
  });
});

describe("creating a ProjectMember whose name had a meaning before in the same run", () => {
  const own = urnOf("ProjectMember", "ada");
  const other = urnOf("ProjectMember", "other");
  const recorded = { userId: "user-ada", username: grace };
  const seen = {
    ...{ kind: "ProjectMember" as const, id, ownerId: projectId, origin: "imported" as const },
    ...{ names: [{ username: ada }], recorded },
  };
  const elsewhere = "5f00000000000000000000a2";
  const people = { members: [renamed] };
  async function createAfter(
    urn: string,
    observation: Observation,
    given: Properties = inputs,
    begun: People = people,
  ) {
    const service = project(begun);
    service.context.session.of(ObservationLog).record(urn, observation);
    const { result, requests } = await create(service, given);
    return { state: (result as { state?: Properties }).state ?? result, requests };
  }
  const adopted = { ...active, username: grace };
  const sent = { state: invited, requests: [lookup, invite] };

  test("adopts the renamed account, and a replacement retains the recorded origin", async () => {
    expect(await createAfter(own, seen)).toEqual({ state: { ...adopted, origin: "imported" }, requests: [] });
    expect(await createAfter(other, seen)).toEqual({ state: adopted, requests: [] });
  });

  test.each<[string, string, Observation]>([
    ["the program gave another name", own, { ...seen, names: [{ username: grace }] }],
    ["it was recorded for another project", own, { ...seen, id: `${elsewhere}/${ada}`, ownerId: elsewhere }],
    ["no read found the person", own, { ...seen, recorded: undefined }],
    ["only the name is recorded", own, { ...seen, recorded: { username: ada } }],
  ])("invites the person of this name if %s", async (_, urn, observation) => {
    expect(await createAfter(urn, observation)).toEqual(sent);
  });

  test("invites the person of this name if another resource declares the renamed account", async () => {
    const service = project(people);
    const { session } = service.context;
    session.of(ObservationLog).record(own, seen);
    session.of(Claims).claim(membersOf(projectId, { userId: "user-ada" }), other);
    expect((await create(service)).requests).toEqual(sent.requests);
  });

  test("adopts the renamed account if this resource declares it", async () => {
    const service = project(people);
    const { session } = service.context;
    session.of(ObservationLog).record(own, seen);
    session.of(Claims).claim(membersOf(projectId, { userId: "user-ada" }), own);
    expect((await create(service)).requests).toEqual([]);
  });

  test("is refused if the program gives the invitation of another person beside the name", async () => {
    const given = { ...inputs, invitationId: "invite-bob" };
    const begun = { members: [renamed], invitations: [invitation("bob")] };
    expect(await createAfter(own, seen, given, begun)).toEqual({
      state: `username "${ada}" and invitationId invite-bob do not name the same person in project ${projectId}: found ${grace} (user user-ada). Remove one of them, or correct it. Nothing was written.`,
      requests: [],
    });
  });

  test("adopts the invitation that the program gives beside the name", async () => {
    const given = { ...inputs, invitationId: "invite-ada" };
    const begun = { members: [renamed], invitations: [invitation("ada")] };
    expect(await createAfter(other, seen, given, begun)).toEqual({ state: pending, requests: [] });
  });

  test("adopts the member who accepted the invitation that the program gives", async () => {
    const given = { projectId, invitationId: "invite-ada", roles };
    const ids = { userId: "user-ada", invitationId: "invite-ada" };
    const byInvitation = { ...seen, id: `${projectId}/invite-ada`, names: [{}], recorded: ids };
    const begun = { members: [member("ada")] };
    expect(await createAfter(own, byInvitation, given, begun)).toEqual({ state: active, requests: [] });
    const named = { ...seen, names: [{ username: grace }, { username: ada }], recorded: ids };
    expect(await createAfter(own, named, { ...given, username: ada })).toEqual({
      state: { ...adopted, origin: "imported" },
      requests: [],
    });
  });

  test("adopts the recorded invitation whose name has changed", async () => {
    const recordedInvitation = { ...seen, recorded: { invitationId: "invite-grace", username: ada } };
    const begun = { invitations: [invitation("grace")] };
    const state = { ...invited, username: grace, invitationId: "invite-grace", origin: "imported" };
    expect(await createAfter(own, recordedInvitation, inputs, begun)).toEqual({ state, requests: [] });
  });

  test("adopts the recorded invitation of the account that the program gives", async () => {
    const observation = {
      ...seen,
      names: [{ userId: "user-ada" }],
      recorded: { ...recorded, invitationId: "invite-grace" },
    };
    const given = { projectId, userId: "user-ada", roles };
    const state = { ...pending, userId: "user-ada", username: grace, invitationId: "invite-grace" };
    const begun = { invitations: [invitation("grace")] };
    expect(await createAfter(other, observation, given, begun)).toEqual({ state, requests: [] });
  });

  test("adopts a member of whom only the name is recorded, also without rights to list invitations", async () => {
    const service = project({ members: [member("ada")] }, { "GET invites": unreadable });
    service.context.session.of(ObservationLog).record(own, { ...seen, recorded: { username: ada } });
    expect((await create(service)).result).toEqual({ id, state: { ...active, origin: "imported" } });
  });
});
