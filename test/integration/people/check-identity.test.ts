/**
 * Identity of a ProjectMember: what Check cannot verify is verified before the first write, and a
 * failure records nothing.
 */
import type { Sandbox } from "../../../sandbox";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  membersOf,
  paymentsId,
} from "../../engine/support/people-program";
import { errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, grace } from "../../support/people";

afterEach(tearDownStacks);

const joan = "joan@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = {
  users: [{ username: grace }],
  projects: [{ name: "payments", members: { [ada]: roles }, invitations: [{ username: joan, roles }] }],
};
const unknownId = "0123456789abcdef01234567";

const idOf = (service: Sandbox, username: string) => service.user({ username })?.id ?? "";

describe("a ProjectMember", () => {
  it.each<[string, (service: Sandbox) => object, RegExp]>([
    [
      "the username and the userId of two members",
      (service) => ({ username: ada, userId: idOf(service, grace), roles }),
      /username "ada@example.com" and userId [0-9a-f]{24} do not name the same person.*found (ada|grace)@example.com \(user [0-9a-f]{24}\)\. Remove one of them, or correct it\. Nothing was written/,
    ],
    [
      "the username of an invitation and the userId of an account",
      (service) => ({ username: joan, userId: idOf(service, grace), roles }),
      /username "joan@example.com" and userId [0-9a-f]{24} do not name the same person/,
    ],
    [
      "the username of an account and another user's invitation",
      (service) => ({ username: grace, invitationId: invitationOf(service, joan).id, roles }),
      /invitationId [0-9a-f]{24} do not name the same person/,
    ],
    [
      "the userId of a member and another user's invitation",
      (service) => ({ userId: idOf(service, ada), invitationId: invitationOf(service, joan).id, roles }),
      /invitationId [0-9a-f]{24} do not name the same person/,
    ],
    [
      "a userId that does not exist",
      () => ({ userId: unknownId, roles }),
      /Looking up account 0123456789abcdef01234567 failed: 404 USER_NOT_FOUND.*Check username or userId/,
    ],
    [
      "a userId without roles of a user outside the project",
      (service) => ({ userId: idOf(service, grace) }),
      /grace@example\.com is not in project [0-9a-f]{24}, and a member without roles cannot be added. Set roles/,
    ],
    [
      "an invitation that is not pending",
      () => ({ invitationId: unknownId }),
      /Invitation 0123456789abcdef01234567 to project [0-9a-f]{24} is not pending.*Set username or userId instead/,
    ],
  ])(
    "is rejected with the solution, and nothing is sent or recorded, if it has %s",
    async (_, person, message) => {
      const { sandbox, stack } = await setUpStack({
        sandbox: { seed },
        program: (service) => memberProgram({ projectId: paymentsId(service), ...person(service) }),
      });
      expect(await errorsOf(stack.preview())).toMatch(message);
      expect(await errorsOf(stack.up())).toMatch(message);
      expect(writes(sandbox)).toEqual([]);
      expect(membersOf(sandbox)).toEqual({ [ada]: roles });
      expect(invitedTo(sandbox)).toEqual({ [joan]: roles });
      expect(await stack.resource("ada")).toBeUndefined();
    },
  );

  it.each<[string, object, (service: Sandbox) => object]>([
    ["a member", { username: ada }, (service) => ({ userId: idOf(service, grace) })],
    ["an invitation", { username: joan }, (service) => ({ userId: idOf(service, grace) })],
    [
      "a member, and that user is a member too",
      { username: ada },
      (service) => ({ userId: service.setMember(paymentsId(service), { username: grace }, roles).id }),
    ],
  ])("keeps its state if an update adds the userId of another user to %s", async (_, person, more) => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), ...person, roles }),
    });
    await succeeded(stack.up());
    const before = await stack.resource("ada");
    const projectId = paymentsId(sandbox);
    await stack.setProgram(memberProgram({ projectId, ...person, ...more(sandbox), roles: ["GROUP_OWNER"] }));
    expect(await errorsOf(stack.up())).toMatch(/do not name the same person.*Nothing was written/);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toMatchObject({ id: before?.id, outputs: { roles } });

    await stack.setProgram(memberProgram({ projectId, ...person, roles }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});
