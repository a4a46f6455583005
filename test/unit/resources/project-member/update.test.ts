import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { OutcomeUnknownError } from "../../../../provider/text/errors";
import { fault, urnOf } from "../checker";
import { invitation, member, projectId } from "../people/people";
import { outcomeOf, type People, type Responses, type Service, toUser, unreadable } from "../people/service";
import {
  ada,
  active as created,
  grace,
  id,
  inputs,
  pending as invited,
  owners,
  project,
  roles,
  withoutIds,
} from "./ada";

const admins = ["GROUP_USER_ADMIN"];
const toOwner: Properties = { ...inputs, roles: owners };
const renamed = { ...member("ada"), username: grace };
const active: Properties = { ...created, origin: "imported" };
const pending: Properties = { ...invited, origin: "imported" };

interface Change {
  readonly state?: Properties;
  readonly oldInputs?: Properties;
  readonly preview?: boolean;
  readonly ignoreChanges?: readonly string[];
}

const update = (service: Service, given: Properties, change: Change = {}) => {
  const existing = { id, state: active, oldInputs: inputs, preview: false, ignoreChanges: [], ...change };
  return outcomeOf(service, projectMember.update({ ...existing, inputs: given, context: service.context }));
};

const lookup = `GET accounts/byName/${ada}`;
const invite = `POST invites ${JSON.stringify({ username: ada, roles: owners })}`;
const assign = (userId: string, given = owners) =>
  `POST users ${JSON.stringify([{ id: userId, roles: given.map((roleName) => ({ roleName })) }])}`;
const assigned = (person: Parameters<typeof toUser>[0]) => ({ "POST users": { results: [toUser(person)] } });
const changed = (live: readonly string[], wanted: readonly string[]) =>
  `Roles of ${ada} changed in the service since they were recorded: ${live.join(", ")} become ${wanted.join(", ")}.`;

describe("updating a ProjectMember", () => {
  const adaOwns = assigned(member("ada", ...owners));
  const owner = { ...active, roles: owners };
  test.each<[string, People, Responses, Properties, Change, Properties, string[], string[]]>([
    [
      "gives a member other roles",
      { members: [member("ada")] },
      adaOwns,
      toOwner,
      {},
      owner,
      [assign("user-ada")],
      [],
    ],
    [
      "sends nothing if a member has the roles already",
      { members: [member("ada", ...owners)] },
      {},
      toOwner,
      {},
      owner,
      [],
      [],
    ],
    [
      "names roles that changed in the service",
      { members: [member("ada", ...admins)] },
      adaOwns,
      toOwner,
      {},
      owner,
      [assign("user-ada")],
      [changed(admins, owners)],
    ],
    [
      "names roles in the service if none are recorded",
      { members: [member("ada", ...admins)] },
      adaOwns,
      toOwner,
      { state: { ...active, roles: [] } },
      owner,
      [assign("user-ada")],
      [changed(admins, owners)],
    ],
    [
      "records the present name of a renamed account under the same ID",
      { members: [renamed] },
      {},
      { ...inputs, onDestroy: "release" },
      {},
      { ...active, username: grace, onDestroy: "release" },
      [],
      [],
    ],
    [
      "leaves roles that ignoreChanges names",
      { members: [member("ada", ...admins)] },
      {},
      toOwner,
      { ignoreChanges: ["roles"] },
      { ...active, roles: admins },
      [],
      [],
    ],
    [
      "gives a member who is invited again the declared roles, also if ignoreChanges names them",
      {},
      {},
      toOwner,
      { ignoreChanges: ["roles"], state: pending },
      { ...invited, roles: owners },
      [lookup, invite],
      [],
    ],
    [
      "logs that roles are no longer managed",
      { members: [member("ada")] },
      {},
      { projectId, userId: "user-ada" },
      { oldInputs: { projectId, userId: "user-ada", roles } },
      active,
      [],
      [`roles of ${ada} are no longer managed; nothing was sent.`],
    ],
    [
      "logs nothing about roles that were not managed before",
      { members: [member("ada")] },
      {},
      { projectId, userId: "user-ada", onDestroy: "release" },
      { oldInputs: { projectId, userId: "user-ada" } },
      { ...active, onDestroy: "release" },
      [],
      [],
    ],
    [
      "changes a pending invitation",
      { invitations: [invitation("ada")] },
      {},
      toOwner,
      { state: pending },
      { ...pending, roles: owners },
      [`PATCH invites/invite-ada ${JSON.stringify({ roles: owners })}`],
      [],
    ],
    [
      "keeps the recorded invitation of a member if the invitations cannot be read",
      { members: [member("ada")] },
      { ...adaOwns, "GET invites": unreadable },
      toOwner,
      { state: { ...active, invitationId: "invite-ada" } },
      { ...owner, invitationId: "invite-ada" },
      [assign("user-ada")],
      [],
    ],
  ])("%s", async (_, people, responses, given, change, result, requests, messages) => {
    expect(await update(project(people, responses), given, change)).toEqual({ result, requests, messages });
  });

  test("records other roles than those that were sent, and the error names both", async () => {
    const service = project({ members: [member("ada")] }, assigned(member("ada", ...admins)));
    const message = `roles of ${ada} in project ${projectId} were sent as GROUP_OWNER, but the service stored GROUP_USER_ADMIN.`;
    expect((await update(service, toOwner)).result).toEqual({
      message,
      id,
      state: { ...active, roles: admins },
    });
  });

  test("shows in a preview the declared values over the recorded ones, and sends nothing", async () => {
    const service = project({ members: [member("ada", ...admins)] });
    expect(await update(service, toOwner, { preview: true })).toEqual({
      result: { ...active, roles: owners },
      requests: [],
      messages: [changed(admins, owners)],
    });
  });

  test("reads nothing in a preview with unknown values", async () => {
    const service = project();
    expect(await update(service, { ...inputs, roles: UNKNOWN }, { preview: true })).toEqual({
      result: { ...active, roles: UNKNOWN },
      requests: [],
      messages: [
        "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.",
      ],
    });
    expect(service.reads).toBe(0);
  });

  test("adopts an invited person who has the declared name if the recorded account has another one and has left", async () => {
    const service = project({ invitations: [invitation("ada")] });
    const given = { ...inputs, onDestroy: "release" };
    expect(await update(service, given, { state: { ...active, username: grace } })).toEqual({
      result: { ...pending, origin: "adopted", onDestroy: "release" },
      requests: [],
      messages: [`${ada} is invited to project ${projectId} already.`],
    });
  });

  test("finds the membership by a read if the response is lost", async () => {
    const lost = new OutcomeUnknownError("No usable response.");
    const service: Service = project(
      {},
      {
        "POST invites": () => {
          service.invitations = [invitation("ada", ...owners)];
          return lost;
        },
      },
    );
    expect(await update(service, toOwner, { state: pending })).toEqual({
      result: { ...invited, roles: owners },
      requests: [lookup, invite],
      messages: [],
    });
  });

  test("is refused before any read if another resource declares the person", async () => {
    const service = project({ members: [member("ada")] });
    const other = urnOf("ProjectMember", "other");
    service.context.session.of(Claims).claim(membersOf(projectId, { username: ada }), other);
    const result = `${ada} in project ${projectId} is declared by ${other} already: each would revert the other's changes. Remove one of them from the program.`;
    expect(await update(service, toOwner)).toEqual({ result, requests: [], messages: [] });
    expect(service.reads).toBe(0);
  });

  test("adopts another account that has the name of a recorded account which has left", async () => {
    const service = project(
      { members: [{ ...member("bob", ...admins), username: ada }] },
      {
        ...assigned({ ...member("bob", ...owners), username: ada }),
      },
    );
    expect(await update(service, toOwner)).toEqual({
      result: { ...active, userId: "user-bob", roles: owners, origin: "adopted" },
      requests: [assign("user-bob")],
      messages: [
        `${ada} is in project ${projectId} already: roles GROUP_USER_ADMIN become GROUP_OWNER. From now on this resource manages this person: destroying it, or removing it from the program, removes them from the project. To prevent that, set onDestroy to "release".`,
      ],
    });
  });
});

describe("updating a ProjectMember who has left", () => {
  const account = "GET accounts/user-ada";
  const owner = { ...created, roles: owners };
  test.each<[string, People, Responses, unknown, string[]]>([
    [
      "adds the account again",
      { accounts: [member("ada")] },
      assigned(member("ada", ...owners)),
      owner,
      [lookup, assign("user-ada")],
    ],
    [
      "adds the recorded account again under its present name if no account has the name of the program",
      { accounts: [renamed] },
      assigned({ ...renamed, roles: owners }),
      { ...owner, username: grace },
      [lookup, account, assign("user-ada")],
    ],
    [
      "adds the recorded account again if these credentials may not read it",
      {},
      { [account]: unreadable, ...assigned(member("ada", ...owners)) },
      owner,
      [lookup, account, assign("user-ada")],
    ],
    [
      "invites the person by name if the recorded account was deleted",
      {},
      {},
      { ...invited, roles: owners },
      [lookup, account, invite],
    ],
    [
      "fails if the recorded account cannot be read for another reason",
      {},
      { [account]: fault(500) },
      "The request failed: 500 undefined.",
      [lookup, account],
    ],
  ])("%s", async (_, people, responses, result, requests) => {
    expect(await update(project(people, responses), toOwner)).toEqual({ result, requests, messages: [] });
  });

  test("is refused if another resource declares the recorded account by its present name", async () => {
    const service = project({ accounts: [renamed] });
    const other = urnOf("ProjectMember", "other");
    service.context.session.of(Claims).claim(membersOf(projectId, { username: grace }), other);
    expect(await update(service, toOwner)).toEqual({
      result: `${grace} in project ${projectId} is declared by ${other} already: each would revert the other's changes. Remove one of them from the program.`,
      requests: [lookup, account],
      messages: [],
    });
  });

  test("is refused if the program gives a previous name beside the account", async () => {
    const given = { ...toOwner, username: grace, userId: "user-ada" };
    const service = project({ accounts: [member("ada")] });
    expect(await update(service, given, { oldInputs: { ...given, roles } })).toEqual({
      result: `username "${grace}" and userId user-ada do not name the same person in project ${projectId}: found ${ada} (user user-ada). Remove one of them, or correct it. Nothing was written.`,
      requests: ["GET accounts/user-ada"],
      messages: [],
    });
  });

  test("is refused without roles, with the reason and what to do", async () => {
    const [given, service] = [{ projectId, userId: "user-ada" }, project({ accounts: [member("ada")] })];
    expect((await update(service, given, { oldInputs: given })).result).toBe(
      `${ada} is not in project ${projectId}, and a member without roles cannot be added. Set roles.`,
    );
  });
});

describe("updating a ProjectMember whose identity in the program changes", () => {
  const twoPeople = (given: string, actual: string) =>
    `${given} do not name the same person in project ${projectId}: found ${actual}. Remove one of them, or correct it. Nothing was written.`;
  const byAccount = { projectId, userId: "user-ada", roles };
  test.each<[string, People, Properties, Change, unknown, string[]]>([
    [
      "refuses an account of another person beside the name",
      { members: [member("ada"), member("bob")] },
      { ...inputs, userId: "user-bob" },
      {},
      twoPeople(`username "${ada}" and userId user-bob`, "bob@example.com (user user-bob)"),
      [],
    ],
    [
      "refuses the name of another person beside the account",
      { members: [member("ada"), member("bob")] },
      { ...byAccount, username: "bob@example.com" },
      { oldInputs: byAccount },
      twoPeople('username "bob@example.com" and userId user-ada', `${ada} (user user-ada)`),
      [],
    ],
    [
      "takes the account of the recorded person beside the name from before a rename",
      { members: [renamed] },
      { ...inputs, userId: "user-ada" },
      {},
      { ...active, username: grace },
      [],
    ],
    [
      "takes the previous name beside the account of an invited person who is named by both as before",
      { members: [renamed] },
      { ...inputs, userId: "user-ada", onDestroy: "release" },
      { state: { ...withoutIds, origin: "imported" }, oldInputs: { ...inputs, userId: "user-ada" } },
      { ...active, username: grace, onDestroy: "release" },
      [],
    ],
  ])("%s", async (_, people, given, change, result, requests) => {
    expect(await update(project(people), given, change)).toEqual({ result, requests, messages: [] });
  });
});
