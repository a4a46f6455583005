/** ProjectMember in an Ops Manager with only the four documented operations: the state holds nothing that was not read. */
import { invitationOf, membershipsIn } from "../../engine/support/people-program";
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

const before = peopleWith({ [ada]: readers }, { [eve]: readers });

/** Ada is a member and declared by her account, Eve is invited and declared by her invitation. */
async function begin(beginning: Parameters<typeof setUpPayments>[0] = {}) {
  const people = { members: { [ada]: readers }, invited: { [eve]: readers } };
  const setup = await setUpPayments({ sandbox: { onlyDocumented: true }, ...people, ...beginning });
  const userId = setup.userId(ada);
  const { id: invitationId } = invitationOf(setup.sandbox, eve);
  const byUser = (more: object = {}) => ({ ada: person({ userId, roles: undefined, ...more }) });
  const byInvitation = (more: object = {}) => ({ eve: person({ invitationId, roles: undefined, ...more }) });
  const refuse = (status: number, times: number) => {
    const body = { error: status, detail: "The test refuses it." };
    setup.sandbox.addFault({ method: "DELETE", times, fault: { status, body } });
  };
  return { ...setup, userId, invitationId, byUser, byInvitation, refuse };
}

describe("a userId", () => {
  it.each(bothProviders)(
    "is recorded as unverified without a write, and removed by destroy, also if it was removed before (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "an up without changes reads the person");
      const { sandbox, stack, userId, byUser, upWith } = await begin({ provider });
      await succeeded(upWith(byUser()));
      const recorded = await stack.resource("ada");
      expect(recorded?.id).toBe(`${projectId}/${userId}`);
      expect(recorded?.outputs).toMatchObject({ status: "unverified", userId, origin: "adopted" });
      for (const output of ["username", "roles", "invitationId", "orgId", "groupName"])
        expect(recorded?.outputs?.[output] ?? undefined).toBeUndefined();
      for (const command of ["up", "refresh"] as const) {
        const run = await succeeded(stack[command]());
        expect(run.changes).toEqual({ same: 1 });
        expect(timesPrinted(run, "[missing operation]")).toBe(1);
        expect(messagesOf(run, "warning")).toContain("GET /groups/{id}/users");
      }
      expect(writes(sandbox)).toEqual([]);

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
    },
  );

  it("decides alone beside a username, stays recorded if the removal is refused, and onDestroy release sends nothing", async () => {
    const { sandbox, stack, byUser, upWith, outputsOf, refuse } = await begin();
    const named = (more: object = {}) => byUser({ username: ada, ...more });
    await succeeded(upWith(named()));
    for (const status of [400, 403, 404, 409]) {
      refuse(status, 1);
      expect(await errorsOf(stack.destroy())).toMatch(
        new RegExp(`Removing ${ada} from project.*: ${status} The test refuses it`),
      );
      expect(await outputsOf("ada")).toMatchObject({ status: "unverified", username: ada });
    }
    sandbox.clearRequests();
    expect((await succeeded(upWith(named({ onDestroy: "release" })))).changes).toEqual({ update: 1 });
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  });
});

describe("an invitationId", () => {
  it("is imported or declared, read by its GET, and its invitation is taken back by destroy", async () => {
    const { sandbox, stack, invitationId, byInvitation, upWith } = await begin();
    await succeeded(stack.import("ProjectMember", "eve", `${projectId}/${invitationId}`));
    const again = await succeeded(upWith(byInvitation()));
    expect(again.changes).toEqual({ same: 1 });
    // This Ops Manager returns everything about an invitation.
    expect(messagesOf(again)).not.toContain("[missing operation]");
    const recorded = {
      status: "pending",
      username: eve,
      roles: readers,
      invitationId,
      groupName: "payments",
    };
    expect(await stack.resource("eve")).toMatchObject({
      id: `${projectId}/${invitationId}`,
      outputs: recorded,
    });
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.destroy());
    const path = `/groups/${projectId}/invites/${invitationId}`;
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path }]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("is recorded with the userId of the program, by which destroy removes the person after an acceptance", async () => {
    const { sandbox, stack, invitationId, byInvitation, upWith, outputsOf } = await begin({
      accounts: [eve],
    });
    const { id: userId } = sandbox.user({ username: eve }) ?? {};
    await succeeded(upWith(byInvitation({ userId })));
    expect(await outputsOf("eve")).toMatchObject({ status: "pending", userId });
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
      await succeeded(upWith(byInvitation()));
      expect(await outputsOf("eve")).toMatchObject({ status: "unverified", username: eve, invitationId });
      expect(writes(sandbox)).toEqual([]);
      expect(messagesOf(await succeeded(stack.destroy()), "warning")).toMatch(
        /The invitation of eve@example.com .* is no longer pending.*remove them by their userId/,
      );
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers, [eve]: readers }));
      expect(await stack.resource("eve")).toBeUndefined();
    },
  );

  it("whose deletion is refused stays recorded while it is pending, and leaves the state with a warning if it was accepted", async () => {
    const { sandbox, stack, invitationId, byInvitation, upWith, refuse } = await begin();
    await succeeded(upWith(byInvitation()));
    refuse(409, 0);
    expect(await errorsOf(stack.destroy())).toContain("The test refuses it.");
    expect(await stack.resource("eve")).toBeDefined();
    sandbox.acceptInvitation(invitationId);
    expect(messagesOf(await succeeded(stack.destroy()))).toContain("remove them by their userId");
    expect(await stack.resource("eve")).toBeUndefined();
  });

  it("that is no longer pending stays recorded by an update", async () => {
    const { sandbox, invitationId, byInvitation, upWith, outputsOf } = await begin();
    await succeeded(upWith(byInvitation()));
    sandbox.removeInvitation(invitationId);
    await succeeded(upWith(byInvitation({ onDestroy: "release" })));
    const recorded = { status: "unverified", invitationId, onDestroy: "release" };
    expect(await outputsOf("eve")).toMatchObject(recorded);
  });
});

it.each(bothProviders)(
  "a userId and an invitationId are managed in full once the service offers the other operations (%s)",
  async (provider) => {
    const { sandbox, stack, userId, invitationId, byUser, byInvitation, upWith, outputsOf } = await begin({
      provider,
    });
    await succeeded(upWith({ ...byUser(), ...byInvitation() }));
    sandbox.setSwitches({ onlyDocumented: false });
    await succeeded(upWith({ ...byUser({ roles: owners }), ...byInvitation({ roles: owners }) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: owners }, { [eve]: owners }));
    const inProject = { groupName: "payments", orgId: sandbox.orgId, origin: "adopted", roles: owners };
    expect(await outputsOf("ada")).toMatchObject({ ...inProject, status: "active", userId, username: ada });
    expect(await outputsOf("eve")).toMatchObject({
      ...inProject,
      status: "pending",
      invitationId,
      username: eve,
    });
    sandbox.acceptInvitation(invitationId);
    await succeeded(stack.refresh());
    expect(await outputsOf("eve")).toMatchObject({ ...inProject, status: "active", username: eve });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  },
);

type Begun = Awaited<ReturnType<typeof begin>>;

it.each<{ title: string; program: (begun: Begun) => object; message: RegExp }>([
  {
    title: "roles beside a userId",
    program: ({ byUser }) => byUser({ roles: readers }),
    message: /roles of .* cannot be set.*POST \/groups\/\{id\}\/users.*Remove roles from the program/,
  },
  {
    title: "roles beside an invitationId",
    program: ({ byInvitation }) => byInvitation({ roles: owners }),
    message:
      /cannot be set.*PATCH \/groups\/\{id\}\/invites\/\{invitationId\}.*Remove roles from the program/,
  },
  {
    title: "a username",
    program: () => ({ joan: person({ username: "joan@example.com" }) }),
    message:
      /joan@example.com in project .* cannot be managed by username.*GET \/groups\/\{id\}\/users.*Give userId or invitationId/,
  },
  {
    title: "an invitation that is not pending",
    program: () => ({ eve: person({ invitationId: "f".repeat(24), roles: undefined }) }),
    message: /Reading invitation f+ to project .* failed: 404 INVALID_INVITATION_ID.*was accepted/,
  },
])("a create names the missing operation, and writes nothing, for $title", async ({ program, message }) => {
  const begun = await begin();
  const { sandbox, stack, upWith } = begun;
  expect(await errorsOf(upWith({ ...program(begun) }))).toMatch(message);
  expect(writes(sandbox)).toEqual([]);
  expect(membershipsIn(sandbox)).toEqual(before);
  expect((await stack.state()).resources).toEqual([]);
});

it("an import is refused for a user and for a name, each with the reason and what to do", async () => {
  const { stack, userId } = await begin();
  const importing = (name: string) => stack.import("ProjectMember", "ada", `${projectId}/${name}`);
  expect(await errorsOf(importing(userId))).toMatch(
    new RegExp(`${userId} is not a pending invitation.*does not show whether it is a user.*by userId`),
  );
  expect(await errorsOf(importing(ada))).toMatch(/cannot be imported by name.*GET \/groups\/\{id\}\/users/);
});
