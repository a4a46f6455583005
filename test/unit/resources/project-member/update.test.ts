import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { fault, urnOf } from "../checker";
import { member, projectId } from "../people/people";
import { outcomeOf, type People, type Responses, type Service, toUser, unreadable } from "../people/service";
import { ada, active as created, grace, id, inputs, pending as invited, owners, project, roles } from "./ada";

const toOwner: Properties = { ...inputs, roles: owners };
const renamed = { ...member("ada"), username: grace };
const active: Properties = { ...created, origin: "imported" };

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
