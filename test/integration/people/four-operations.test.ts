/**
 * ProjectMember in an Ops Manager with only the four documented operations: the state holds
 * nothing that was not read.
 */
import { invitationOf, invitedTo, membershipsIn } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, eve, owners, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const token = "opsmanager:index:ProjectMember";
const before = peopleWith({ [ada]: readers }, { [eve]: readers });

/** Ada is a member and declared by her account, Eve is invited and declared by her invitation. */
async function begin(beginning: Parameters<typeof setUpPayments>[0] = {}) {
  const people = { members: { [ada]: readers }, invited: { [eve]: readers } };
  const setup = await setUpPayments({ sandbox: { onlyDocumented: true }, ...people, ...beginning });
  const userId = setup.userId(ada);
  const { id: invitationId } = invitationOf(setup.sandbox, eve);
  const byUser = (more: object = {}) => ({ ada: person({ userId, roles: undefined, ...more }) });
  const byInvitation = (more: object = {}) => ({ eve: person({ invitationId, roles: undefined, ...more }) });
  return { ...setup, userId, invitationId, byUser, byInvitation };
}

describe("a userId in an Ops Manager with only the four documented operations", () => {
  it.each(bothProviders)("is recorded as unverified, without a write (%s)", async (provider) => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads the person");
    const { sandbox, stack, userId, byUser, upWith } = await begin({ provider });
    await succeeded(upWith(byUser()));
    const recorded = await stack.resource("ada");
    expect(recorded?.id).toBe(`${projectId}/${userId}`);
    expect(recorded?.outputs).toMatchObject({ status: "unverified", userId, origin: "adopted" });
    for (const output of ["username", "roles", "invitationId", "orgId", "groupName"])
      expect(recorded?.outputs?.[output] ?? undefined).toBeUndefined();

    // Up and refresh change nothing, and warn once of the missing operation.
    for (const command of ["up", "refresh"] as const) {
      const run = await succeeded(stack[command]());
      expect(run.changes).toEqual({ same: 1 });
      expect(timesPrinted(run, "[missing operation]")).toBe(1);
      expect(messagesOf(run, "warning")).toContain("GET /groups/{id}/users");
    }
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "unverified", userId });
  });

  it("decides alone if the program gives a username as well", async () => {
    const { stack, userId, byUser, upWith } = await begin();
    await succeeded(upWith(byUser({ username: ada })));
    const outputs = { status: "unverified", username: ada };
    expect(await stack.resource("ada")).toMatchObject({ id: `${projectId}/${userId}`, outputs });
  });

  it.each(bothProviders)("is removed by destroy, also if it was removed before (%s)", async (provider) => {
    const { sandbox, stack, userId, byUser, upWith } = await begin({ provider });
    const removal = [{ method: "DELETE", path: `/groups/${projectId}/users/${userId}` }];
    for (const status of [200, 404]) {
      await succeeded(upWith(byUser()));
      sandbox.clearRequests();
      await succeeded(stack.destroy());
      expect(writes(sandbox)).toEqual(removal);
      // Only the response to the removal shows that the user is no longer a member.
      expect(sandbox.requests.at(-1)).toMatchObject({ status });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}, { [eve]: readers }));
      expect(await stack.resource("ada")).toBeUndefined();
    }
  });

  it("is kept in the state if the removal is refused without an error code; onDestroy release sends nothing", async () => {
    const { sandbox, stack, byUser, upWith, outputsOf } = await begin();
    await succeeded(upWith(byUser()));
    for (const status of [400, 403, 404, 409]) {
      const body = { error: status, detail: "The test refuses it." };
      sandbox.addFault({ method: "DELETE", fault: { status, body } });
      expect(await errorsOf(stack.destroy())).toMatch(
        new RegExp(`Removing user [0-9a-f]{24} from project.*: ${status} The test refuses it`),
      );
      expect(await outputsOf("ada")).toMatchObject({ status: "unverified" });
    }
    sandbox.clearRequests();
    expect((await succeeded(upWith(byUser({ onDestroy: "release" })))).changes).toEqual({ update: 1 });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  });
});

describe("an invitationId in an Ops Manager with only the four documented operations", () => {
  it("is read by its GET, a second up changes nothing, and destroy deletes the invitation", async () => {
    const { sandbox, stack, invitationId, byInvitation, upWith } = await begin();
    await succeeded(upWith(byInvitation()));
    expect(await stack.resource("eve")).toMatchObject({
      id: `${projectId}/${invitationId}`,
      outputs: { status: "pending", username: eve, roles: readers, invitationId, groupName: "payments" },
    });
    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 1 });
    // This Ops Manager returns everything about an invitation.
    expect(messagesOf(again)).not.toContain("[missing operation]");
    expect(writes(sandbox)).toEqual([]);

    await succeeded(stack.destroy());
    const path = `/groups/${projectId}/invites/${invitationId}`;
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path }]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("is recorded with the userId of the program, by which destroy removes the user after an acceptance", async () => {
    const { sandbox, stack, byInvitation, upWith, outputsOf } = await begin({ accounts: [eve] });
    const { id: userId } = sandbox.user({ username: eve }) ?? {};
    await succeeded(upWith(byInvitation({ userId })));
    expect(await outputsOf("eve")).toMatchObject({ status: "pending", userId });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});

    const { id: invitationId } = sandbox.addInvitation(projectId, { username: eve, roles: readers });
    await succeeded(upWith(byInvitation({ userId, invitationId })));
    sandbox.acceptInvitation(invitationId);
    expect(messagesOf(await succeeded(stack.destroy()), "warning")).not.toContain("by their userId");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it.each(["400", "404"] as const)(
    "is recorded as unverified after it was accepted, and destroy warns and removes no member (%s)",
    async (deleteGoneInvitation) => {
      const { sandbox, stack, invitationId, byInvitation, upWith, outputsOf } = await begin();
      sandbox.setSwitches({ deleteGoneInvitation });
      await succeeded(upWith(byInvitation()));
      sandbox.acceptInvitation(invitationId);

      const up = await succeeded(stack.up());
      expect(up.changes).toEqual({ same: 1 });
      expect(timesPrinted(up, "[unverified] [invitation ")).toBe(1);
      const unverified = { status: "unverified", username: eve, invitationId };
      expect(await outputsOf("eve")).toMatchObject(unverified);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);

      const destroy = await succeeded(stack.destroy());
      expect(messagesOf(destroy, "warning")).toMatch(
        /The invitation of eve@example.com .* is no longer pending.*remove them by their userId/,
      );
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers, [eve]: readers }));
      expect(await stack.resource("eve")).toBeUndefined();
    },
  );

  it.each([
    ["stays in the state while it is pending", false],
    ["leaves the state with a warning if it was accepted", true],
  ])("whose deletion is refused %s", async (_, isAccepted) => {
    const { sandbox, stack, invitationId, byInvitation, upWith } = await begin();
    await succeeded(upWith(byInvitation()));
    if (isAccepted) sandbox.acceptInvitation(invitationId);
    const body = { error: 409, detail: "The test refuses it." };
    sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 409, body } });
    const destroy = await stack.destroy();
    expect(destroy.exitCode === 0).toBe(isAccepted);
    expect(messagesOf(destroy)).toContain(isAccepted ? "remove them by their userId" : body.detail);
    expect((await stack.resource("eve")) === undefined).toBe(isAccepted);
  });
});

it("an update keeps the record of an invitation that is no longer pending on such a service", async () => {
  const { sandbox, invitationId, byInvitation, upWith, outputsOf } = await begin();
  await succeeded(upWith(byInvitation()));
  sandbox.removeInvitation(invitationId);
  await succeeded(upWith(byInvitation({ onDestroy: "release" })));
  expect(await outputsOf("eve")).toMatchObject({ status: "unverified", invitationId, onDestroy: "release" });
});

describe("a create in an Ops Manager with only the four documented operations", () => {
  type Begun = Awaited<ReturnType<typeof begin>>;
  it.each<[string, (begun: Begun) => object, RegExp]>([
    [
      "roles beside a userId",
      ({ byUser }) => byUser({ roles: readers }),
      /roles of .* cannot be set.*POST \/groups\/\{id\}\/users.*Remove roles from the program/,
    ],
    [
      "roles beside an invitationId",
      ({ byInvitation }) => byInvitation({ roles: owners }),
      /cannot be set.*PATCH \/groups\/\{id\}\/invites\/\{invitationId\}.*Remove roles from the program/,
    ],
    [
      "a username",
      () => ({ joan: person({ username: "joan@example.com" }) }),
      /joan@example.com in project .* cannot be managed by username.*GET \/groups\/\{id\}\/users.*Give userId or invitationId/,
    ],
  ])("fails with an error that names the missing operation for %s", async (_, program, message) => {
    const begun = await begin();
    const { sandbox, stack } = begun;
    expect(await errorsOf(begun.upWith({ ...program(begun) }))).toMatch(message);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect((await stack.state()).resources).toEqual([]);
  });

  it("fails for an invitation that was accepted", async () => {
    const { sandbox, stack, invitationId, byInvitation, upWith } = await begin();
    sandbox.acceptInvitation(invitationId);
    expect(await errorsOf(upWith(byInvitation()))).toMatch(
      new RegExp(
        `Reading invitation ${invitationId} to project .* failed: 404 INVALID_INVITATION_ID.*was accepted`,
      ),
    );
    expect(await stack.resource("eve")).toBeUndefined();
  });
});

describe("importing from a service with only the four documented operations", () => {
  it("works for a pending invitation, and the program shows no difference", async () => {
    const { stack, invitationId, byInvitation, previewWith } = await begin();
    await succeeded(stack.import(token, "eve", `${projectId}/${invitationId}`));
    expect((await succeeded(previewWith(byInvitation()))).changes).toEqual({ same: 1 });
    expect(await stack.resource("eve")).toMatchObject({
      id: `${projectId}/${invitationId}`,
      outputs: { status: "pending", username: eve, origin: "imported" },
    });
  });

  it("is refused for a user and for a name, each with the reason and what to do", async () => {
    const { stack, userId } = await begin();
    expect(await errorsOf(stack.import(token, "ada", `${projectId}/${userId}`))).toMatch(
      new RegExp(`${userId} is not a pending invitation.*does not show whether it is a user.*by userId`),
    );
    expect(await errorsOf(stack.import(token, "ada", `${projectId}/${ada}`))).toMatch(
      /cannot be imported by name.*GET \/groups\/\{id\}\/users/,
    );
    expect(await stack.resource("ada")).toBeUndefined();
  });
});
