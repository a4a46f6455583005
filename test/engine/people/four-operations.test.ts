/** Design, "A service that offers only the four documented operations": one person there, and what is invented: nothing. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "../support/people-program";
import { doors, said, timesSaid, writes } from "../support/project-program";

afterEach(disposeEstates);

const ada = "ada@example.com";
const grace = "grace@example.com";
const roles = ["GROUP_READ_ONLY"];
const sandboxSeed = {
  projects: [{ name: "payments", members: { [ada]: roles }, invitations: [{ username: grace, roles }] }],
};
const sandbox = { onlyDocumented: true, seed: sandboxSeed };

describe.each(doors)("a user on a service with only the four documented operations (%s)", (door) => {
  const user = (properties = {}) =>
    createEstate({
      door,
      sandbox,
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          userId: service.user({ username: ada })?.id,
          ...properties,
        }),
    });

  it("is taken as named: nothing is sent, nothing is invented, and a second up changes nothing", async () => {
    const { sandbox, stack } = await user();
    const projectId = paymentsId(sandbox);
    const userId = sandbox.user({ username: ada })?.id;
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    const record = await stack.resource("ada");
    expect(record?.id).toBe(`${projectId}/${userId}`);
    expect(record?.outputs).toMatchObject({ status: "unverified", userId, origin: "adopted" });
    for (const output of ["username", "roles", "invitationId", "orgId", "groupName"]) {
      expect(record?.outputs?.[output] ?? undefined).toBeUndefined();
    }

    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 1 });
    expect(timesSaid(again, "GET /groups/{id}/users")).toBe(1);
    expect(said(again, "warning")).toContain("[missing operation]");
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ same: 1 });
    expect(timesSaid(refresh, "[missing operation]")).toBe(1);
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "unverified", userId });
  });

  it("is removed by destroy, and gone already is no failure", async () => {
    const { sandbox, stack } = await user();
    const path = `/groups/${paymentsId(sandbox)}/users/${sandbox.user({ username: ada })?.id}`;
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path }]);
    expect(membersOf(sandbox)).toEqual({});
    expect(await stack.resource("ada")).toBeUndefined();

    // Nothing shows that the person is out already; only the removal does.
    await succeeded(stack.up());
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path }]);
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 404, errorCode: "USER_NOT_IN_GROUP" });
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("stays in the record where the removal is refused without a code", async () => {
    const { sandbox, stack } = await user();
    await succeeded(stack.up());
    for (const status of [400, 403, 404, 409]) {
      const body = { error: status, detail: "The test refuses it." };
      sandbox.addFault({ method: "DELETE", fault: { status, body } });
      const destroy = await stack.destroy();
      expect(destroy.exitCode).not.toBe(0);
      expect(said(destroy, "error")).toMatch(
        new RegExp(`Removing user [0-9a-f]{24} from project.*: ${status} The test refuses it`),
      );
      expect(membersOf(sandbox)).toEqual({ [ada]: roles });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "unverified" } });
    }
  });

  it("stays in where onDestroy says so, and changing that sends nothing", async () => {
    const { sandbox, stack } = await user();
    const userId = sandbox.user({ username: ada })?.id;
    await succeeded(stack.up());
    await stack.setProgram(memberProgram({ projectId: paymentsId(sandbox), userId, onDestroy: "release" }));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: roles });
  });

  it("cannot be given roles: the error names the missing call, and nothing is recorded", async () => {
    const { sandbox, stack } = await user({ roles });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      /roles of .* cannot be set.*POST \/groups\/\{id\}\/users.*Take roles out/,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("cannot be named by username: the error names the missing call and what to give instead", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { onlyDocumented: true, seed: { projects: [{ name: "payments" }] } },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      /ada@example.com in project .* cannot be managed by username.*GET \/groups\/\{id\}\/users.*Give userId or invitationId/,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(invitedTo(sandbox)).toEqual({});
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe.each(doors)("an invitation on a service with only the four documented operations (%s)", (door) => {
  const invitation = (properties = {}) =>
    createEstate({
      door,
      sandbox,
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          invitationId: invitationOf(service, grace).id,
          ...properties,
        }),
    });

  it("is verified by its GET, taken back by destroy, and a second up changes nothing", async () => {
    const { sandbox, stack } = await invitation();
    const projectId = paymentsId(sandbox);
    const { id } = invitationOf(sandbox, grace);
    await succeeded(stack.up());
    expect(await stack.resource("ada")).toMatchObject({
      id: `${projectId}/${id}`,
      outputs: { status: "pending", username: grace, roles, invitationId: id, groupName: "payments" },
    });
    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 1 });
    // There is nothing that this service does not tell of an invitation.
    expect(said(again)).not.toContain("[missing operation]");
    expect(writes(sandbox)).toEqual([]);

    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${projectId}/invites/${id}` }]);
    expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{ [ada]: roles }, {}]);
  });

  it("keeps the userId that stands beside it, by which the person is removed once they have accepted", async () => {
    const { sandbox, stack } = await createEstate({
      door,
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
    "that was accepted is unverified, and destroying it says so and removes nobody (%s)",
    async (deleteGoneInvitation) => {
      const { sandbox, stack } = await invitation();
      sandbox.setSwitches({ deleteGoneInvitation });
      const { id } = invitationOf(sandbox, grace);
      await succeeded(stack.up());
      sandbox.acceptInvitation(id);

      const up = await succeeded(stack.up());
      expect(up.changes).toEqual({ same: 1 });
      expect(timesSaid(up, `[unverified] Invitation ${id}`)).toBe(1);
      if (door === "dynamic") await succeeded(stack.refresh());
      expect(await stack.resource("ada")).toMatchObject({
        outputs: { status: "unverified", username: grace, invitationId: id },
      });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);

      const destroy = await succeeded(stack.destroy());
      expect(said(destroy, "warning")).toMatch(
        /The invitation of grace@example.com .* is not pending any more.*remove them by their userId/,
      );
      expect(membersOf(sandbox)).toEqual({ [ada]: roles, [grace]: roles });
      expect(await stack.resource("ada")).toBeUndefined();
    },
  );

  it("that is not pending cannot be taken over, and nothing is recorded", async () => {
    const { sandbox, stack } = await invitation();
    const { id } = invitationOf(sandbox, grace);
    sandbox.acceptInvitation(id);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      new RegExp(`Reading invitation ${id} to project .* failed: 404 INVALID_INVITATION_ID.*was accepted`),
    );
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("cannot be given roles: the error names the missing call", async () => {
    const { sandbox, stack } = await invitation({ roles: ["GROUP_OWNER"] });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(/cannot be set.*PATCH \/groups\/\{id\}\/invites\/\{invitationId\}/);
    expect(invitedTo(sandbox)).toEqual({ [grace]: roles });
  });
});

describe("importing from a service with only the four documented operations", () => {
  it("works for a pending invitation, and the program shows no difference", async () => {
    const { sandbox: service, stack } = await createEstate({ sandbox, program: () => ({}) });
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
    const { sandbox: service, stack } = await createEstate({ sandbox, program: () => ({}) });
    const projectId = paymentsId(service);
    const userId = service.user({ username: ada })?.id;
    const byId = await stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${userId}`);
    expect(byId.exitCode).not.toBe(0);
    expect(said(byId, "error")).toMatch(
      new RegExp(`${userId} is not a pending invitation.*cannot tell whether it is a user.*by userId`),
    );
    const byName = await stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${ada}`);
    expect(byName.exitCode).not.toBe(0);
    expect(said(byName, "error")).toMatch(/cannot be imported by name.*GET \/groups\/\{id\}\/users/);
    expect(await stack.resource("ada")).toBeUndefined();
  });
});
