/**
 * Additions and invitations that Ops Manager refuses: what the provider tries next, and which
 * error it reports in the end.
 */

import { invitedTo, membershipsIn } from "../../engine/support/people-program";
import { errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada } from "../../support/people";
import { peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

describe("a user with an account", () => {
  it("is invited if Ops Manager cannot add the account because it is not confirmed yet", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const body = { error: 404, errorCode: "CANNOT_ADD_PENDING_USER", detail: "The user is pending." };
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: { status: 404, body } });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
    expect(writes(sandbox).map(({ path }) => path.split("/").at(-1))).toEqual(["users", "invites"]);
    const recorded = { status: "pending", username: ada, userId: userId(ada), origin: "created" };
    expect(await outputsOf("ada")).toMatchObject(recorded);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is invited if Ops Manager refuses to return the account by name, with any status and error code", async () => {
    const refusals = [
      [401, "USER_UNAUTHORIZED"],
      [403, "NOT_YOUR_TURN"],
      [403, undefined],
      [404, "USERNAME_NOT_FOUND"],
      [404, undefined],
      [405, undefined],
    ] as const;
    // Each user has the refusal in the name, so that a failed assertion shows which one it is
    // about.
    const users = refusals.map(([status, errorCode]) => {
      const name = `refused-${status}-${(errorCode ?? "without-a-code").toLowerCase()}`;
      return { name, username: `${name}@example.com`, status, errorCode };
    });
    const { sandbox, upWith, outputsOf } = await setUpPayments({
      accounts: users.map(({ username }) => username),
    });
    for (const { name, status, errorCode } of users) {
      sandbox.addFault({
        method: "GET",
        pathPattern: `/users/byName/${name}`,
        fault: { status, body: { error: status, errorCode, detail: "The test refuses it." } },
      });
    }
    const each = users.map(({ name, username }) => [name, person({ username })] as const);
    expect((await succeeded(upWith(Object.fromEntries(each)))).changes).toEqual({ create: users.length });
    const probes = sandbox.requests.filter(
      ({ path, authorized }) => authorized && path.includes("/users/byName/"),
    );
    expect(probes.map(({ status }) => status).sort()).toEqual(users.map(({ status }) => status));
    expect(writes(sandbox)).toHaveLength(users.length);
    for (const { name, username } of users) {
      expect(writes(sandbox)).toContainEqual({
        method: "POST",
        path: `/groups/${projectId}/invites`,
        body: { username, roles: readers },
      });
      expect(await outputsOf(name)).toMatchObject({ status: "pending", username });
    }
  });

  it("is invited once if the program declares the userId and the key may not read the account", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const fault = { status: 403, body: { error: 403, errorCode: "NOT_YOUR_TURN" } };
    sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault });
    await succeeded(upWith({ ada: person({ userId: userId(ada) }) }));
    expect(await outputsOf("ada")).toMatchObject({ status: "pending", username: ada });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
  });
});

describe("an invitation that Ops Manager refuses", () => {
  it.each([
    [400, "MAX_USERS_PER_GROUP_EXCEEDED", "The project has its maximum number of users"],
    [400, "INVALID_USERNAME", "A username is usually an e-mail address"],
    [400, "DEFAULT_INVITATION_EXCEPTION", "Check the project's users and invitations"],
    [403, "INVITATION_ONLY_MODE_OR_LDAP", "This service adds people from LDAP groups"],
  ])(
    "ends with an error that names the next step, and the state records nothing: %s %s",
    async (status, errorCode, advice) => {
      const { sandbox, stack, upWith } = await setUpPayments();
      const body = { error: status, errorCode, detail: "The test refuses it." };
      sandbox.addFault({ method: "POST", fault: { status, body } });
      const errors = await errorsOf(upWith({ ada: person({ username: ada }) }));
      expect(errors).toContain(
        `Inviting ${ada} to project ${projectId} failed: ${status} ${errorCode} The test refuses it.`,
      );
      expect(errors).toContain(advice);
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
      expect(await stack.resource("ada")).toBeUndefined();
    },
  );
});
