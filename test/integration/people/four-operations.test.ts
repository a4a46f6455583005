/**
 * ProjectMember in an Ops Manager with only the four documented operations: the state holds
 * nothing that was not read.
 */
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, succeeded } from "../../support";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, timesPrinted, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const ada = "ada@example.com";
const grace = "grace@example.com";
const roles = ["GROUP_READ_ONLY"];
const sandboxSeed = {
  projects: [{ name: "payments", members: { [ada]: roles }, invitations: [{ username: grace, roles }] }],
};
const sandbox = { onlyDocumented: true, seed: sandboxSeed };

const userProgram = (service: Sandbox, properties = {}) =>
  memberProgram({
    projectId: paymentsId(service),
    userId: service.user({ username: ada })?.id,
    ...properties,
  });

const invitationProgram = (service: Sandbox, properties = {}) =>
  memberProgram({
    projectId: paymentsId(service),
    invitationId: invitationOf(service, grace).id,
    ...properties,
  });

describe("a userId in an Ops Manager with only the four documented operations", () => {
  const life =
    "is recorded as unverified without a write, and removed by destroy, also if it was removed before";

  it.each(bothProviders)(`${life} (%s)`, async (provider) => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads the person");
    const { sandbox: service, stack } = await setUpStack({ provider, sandbox, program: userProgram });
    const projectId = paymentsId(service);
    const userId = service.user({ username: ada })?.id;
    await succeeded(stack.up());
    expect(writes(service)).toEqual([]);
    const record = await stack.resource("ada");
    expect(record?.id).toBe(`${projectId}/${userId}`);
    expect(record?.outputs).toMatchObject({ status: "unverified", userId, origin: "adopted" });
    for (const output of ["username", "roles", "invitationId", "orgId", "groupName"]) {
      expect(record?.outputs?.[output] ?? undefined).toBeUndefined();
    }

    // Up and refresh change nothing, and warn once of the missing operation.
    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 1 });
    expect(timesPrinted(again, "GET /groups/{id}/users")).toBe(1);
    expect(messagesOf(again, "warning")).toContain("[missing operation]");
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ same: 1 });
    expect(timesPrinted(refresh, "[missing operation]")).toBe(1);
    expect(writes(service)).toEqual([]);
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "unverified", userId });

    const path = `/groups/${projectId}/users/${userId}`;
    await succeeded(stack.destroy());
    expect(writes(service)).toEqual([{ method: "DELETE", path }]);
    expect(membersOf(service)).toEqual({});
    expect(await stack.resource("ada")).toBeUndefined();

    // Only the response to the removal shows that the user is no longer a member.
    await succeeded(stack.up());
    service.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(service)).toEqual([{ method: "DELETE", path }]);
    expect(service.requests.at(-1)).toMatchObject({ status: 404, errorCode: "USER_NOT_IN_GROUP" });
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("is kept in the state if the removal is refused without an error code; onDestroy release sends nothing", async () => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program: userProgram });
    await succeeded(stack.up());
    for (const status of [400, 403, 404, 409]) {
      const body = { error: status, detail: "The test refuses it." };
      service.addFault({ method: "DELETE", fault: { status, body } });
      const destroy = await stack.destroy();
      expect(destroy.exitCode).not.toBe(0);
      expect(messagesOf(destroy, "error")).toMatch(
        new RegExp(`Removing user [0-9a-f]{24} from project.*: ${status} The test refuses it`),
      );
      expect(membersOf(service)).toEqual({ [ada]: roles });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "unverified" } });
    }

    service.clearRequests();
    await stack.setProgram(userProgram(service, { onDestroy: "release" }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.destroy());
    expect(writes(service)).toEqual([]);
    expect(membersOf(service)).toEqual({ [ada]: roles });
  });
});

describe("an invitationId in an Ops Manager with only the four documented operations", () => {
  it("is read by its GET, a second up changes nothing, and destroy deletes the invitation", async () => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program: invitationProgram });
    const projectId = paymentsId(service);
    const { id } = invitationOf(service, grace);
    await succeeded(stack.up());
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${id}`,
      outputs: { status: "pending", username: grace, roles, invitationId: id, groupName: "payments" },
    });
    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 1 });
    // This Ops Manager returns everything about an invitation.
    expect(messagesOf(again)).not.toContain("[missing operation]");
    expect(writes(service)).toEqual([]);

    await succeeded(stack.destroy());
    expect(writes(service)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/invites/${id}` }]);
    expect([membersOf(service), invitedTo(service)]).toEqual([{ [ada]: roles }, {}]);
  });

  it("is recorded with the userId of the program, by which destroy removes the user after an acceptance", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { onlyDocumented: true, seed: { ...sandboxSeed, users: [{ username: grace }] } },
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          userId: service.user({ username: grace })?.id,
          invitationId: invitationOf(service, grace).id,
        }),
    });
    const userId = sandbox.user({ username: grace })?.id;
    await succeeded(stack.up());
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "pending", userId } });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});

    const invitation = sandbox.addInvitation(paymentsId(sandbox), { username: grace, roles });
    await stack.setProgram(
      memberProgram({ projectId: paymentsId(sandbox), userId, invitationId: invitation.id }),
    );
    await succeeded(stack.up());
    sandbox.acceptInvitation(invitation.id);
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)[grace]).toBeUndefined();
  });

  it.each(["400", "404"] as const)(
    "is recorded as unverified after it was accepted, and destroy warns and removes no member (%s)",
    async (deleteGoneInvitation) => {
      const { sandbox: service, stack } = await setUpStack({ sandbox, program: invitationProgram });
      service.setSwitches({ deleteGoneInvitation });
      const { id } = invitationOf(service, grace);
      await succeeded(stack.up());
      service.acceptInvitation(id);

      const up = await succeeded(stack.up());
      expect(up.changes).toEqual({ same: 1 });
      expect(timesPrinted(up, "[unverified] [invitation ")).toBe(1);
      expect(await stack.resource("ada")).toMatchObject({
        outputs: { status: "unverified", username: grace, invitationId: id },
      });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(service)).toEqual([]);

      const destroy = await succeeded(stack.destroy());
      expect(messagesOf(destroy, "warning")).toMatch(
        /The invitation of grace@example.com .* is no longer pending.*remove them by their userId/,
      );
      expect(membersOf(service)).toEqual({ [ada]: roles, [grace]: roles });
      expect(await stack.resource("ada")).toBeUndefined();
    },
  );
});

describe("a create in an Ops Manager with only the four documented operations", () => {
  it.each<[string, (service: Sandbox) => Program, RegExp]>([
    [
      "roles beside a userId",
      (service) => userProgram(service, { roles }),
      /roles of .* cannot be set.*POST \/groups\/\{id\}\/users.*Remove roles from the program/,
    ],
    [
      "roles beside an invitationId",
      (service) => invitationProgram(service, { roles: ["GROUP_OWNER"] }),
      /cannot be set.*PATCH \/groups\/\{id\}\/invites\/\{invitationId\}/,
    ],
    [
      "a username",
      (service) => memberProgram({ projectId: paymentsId(service), username: "joan@example.com", roles }),
      /joan@example.com in project .* cannot be managed by username.*GET \/groups\/\{id\}\/users.*Give userId or invitationId/,
    ],
  ])("fails with an error that names the missing operation for %s", async (_, program, message) => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(message);
    expect(writes(service)).toEqual([]);
    expect([membersOf(service), invitedTo(service)]).toEqual([{ [ada]: roles }, { [grace]: roles }]);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("fails for an invitation that was accepted", async () => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program: invitationProgram });
    const { id } = invitationOf(service, grace);
    service.acceptInvitation(id);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      new RegExp(`Reading invitation ${id} to project .* failed: 404 INVALID_INVITATION_ID.*was accepted`),
    );
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("importing from a service with only the four documented operations", () => {
  it("works for a pending invitation, and the program shows no difference", async () => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program: () => ({}) });
    const projectId = paymentsId(service);
    const { id } = invitationOf(service, grace);
    await succeeded(stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${id}`));
    await stack.setProgram(memberProgram({ projectId, invitationId: id }));
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${id}`,
      outputs: { status: "pending", username: grace, origin: "imported" },
    });
  });

  it("is refused for a user and for a name, each with the reason and what to do", async () => {
    const { sandbox: service, stack } = await setUpStack({ sandbox, program: () => ({}) });
    const projectId = paymentsId(service);
    const userId = service.user({ username: ada })?.id;
    const byId = await stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${userId}`);
    expect(byId.exitCode).not.toBe(0);
    expect(messagesOf(byId, "error")).toMatch(
      new RegExp(`${userId} is not a pending invitation.*does not show whether it is a user.*by userId`),
    );
    const byName = await stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${ada}`);
    expect(byName.exitCode).not.toBe(0);
    expect(messagesOf(byName, "error")).toMatch(/cannot be imported by name.*GET \/groups\/\{id\}\/users/);
    expect(await stack.resource("ada")).toBeUndefined();
  });
});
