/**
 * Additions, invitations and removals that Ops Manager refuses: what the provider tries next, and which error it reports in
 * the end. Versions differ in status and code, and some refuse a deletion that they have done, so what counts is whether the
 * membership exists.
 */
import type { Sandbox } from "../../../sandbox";
import { invitationOf, invitedTo, membershipsIn } from "../../engine/support/people-program";
import { errorsOf, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, bob, eve, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const refusalOf = (status: number, errorCode?: string) => ({
  status,
  body: { error: status, reason: "Refused", detail: "The test refuses it.", errorCode },
});

describe("a person with an account", () => {
  it("is invited if Ops Manager cannot add the account because it is not confirmed yet", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const fault = refusalOf(404, "CANNOT_ADD_PENDING_USER");
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
    expect(writes(sandbox).map(({ path }) => path.split("/").at(-1))).toEqual(["users", "invites"]);
    const recorded = { status: "pending", username: ada, userId: userId(ada), origin: "created" };
    expect(await outputsOf("ada")).toMatchObject(recorded);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([
    { status: 401, errorCode: "USER_UNAUTHORIZED" },
    { status: 403, errorCode: "NOT_YOUR_TURN" },
    { status: 403, errorCode: undefined },
    { status: 404, errorCode: "USERNAME_NOT_FOUND" },
    { status: 404, errorCode: undefined },
    { status: 405, errorCode: undefined },
  ])(
    "is invited at once if Ops Manager refuses to return it by name ($status $errorCode)",
    async ({ status, errorCode }) => {
      const { sandbox, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
      const fault = refusalOf(status, errorCode);
      sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", fault });
      await succeeded(upWith({ ada: person({ username: ada }) }));
      const body = { username: ada, roles: readers };
      expect(writes(sandbox)).toEqual([{ method: "POST", path: `/groups/${projectId}/invites`, body }]);
      expect(await outputsOf("ada")).toMatchObject({ status: "pending", username: ada });
    },
  );

  it("is invited once if the program declares the userId and the key may not read the account", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const fault = refusalOf(403, "NOT_YOUR_TURN");
    sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault });
    await succeeded(upWith({ ada: person({ userId: userId(ada) }) }));
    expect(await outputsOf("ada")).toMatchObject({ status: "pending", username: ada });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
  });
});

it.each([
  { code: "400 MAX_USERS_PER_GROUP_EXCEEDED", advice: "The project has its maximum number of users" },
  { code: "400 INVALID_USERNAME", advice: "A username is usually an e-mail address" },
  { code: "400 DEFAULT_INVITATION_EXCEPTION", advice: "Check the project's users and invitations" },
  { code: "403 INVITATION_ONLY_MODE_OR_LDAP", advice: "This service adds people from LDAP groups" },
])("a refused invitation ends with the next step, and records nothing: $code", async ({ code, advice }) => {
  const { sandbox, stack, upWith } = await setUpPayments();
  const [status, errorCode] = code.split(" ");
  sandbox.addFault({ method: "POST", fault: refusalOf(Number(status), errorCode) });
  const errors = await errorsOf(upWith({ ada: person({ username: ada }) }));
  expect(errors).toContain(`Inviting ${ada} to project ${projectId} failed: ${code} The test refuses it.`);
  expect(errors).toContain(advice);
  expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  expect(await stack.resource("ada")).toBeUndefined();
});

describe("a refused removal", () => {
  /** Ada, who is a member, and Bob and Eve, who are invited. */
  const declared = {
    ada: person({ username: ada }),
    bob: person({ username: bob }),
    eve: person({ username: eve }),
  };
  const everyone = peopleWith({ [ada]: readers }, { [bob]: readers, [eve]: readers });

  async function begin(provider: ProviderKind, config = {}) {
    const setup = await setUpPayments({ provider, members: { [ada]: readers }, config });
    await succeeded(setup.upWith(declared));
    const invitation = (username: string) => `/invites/${invitationOf(setup.sandbox, username).id}$`;
    const paths = { ada: `/users/${setup.userId(ada)}$`, bob: invitation(bob), eve: invitation(eve) };
    return { ...setup, paths };
  }

  const refuse = (sandbox: Sandbox, pathPattern: string, refusal: object, afterWrite = false) =>
    sandbox.addFault({ method: "DELETE", pathPattern, fault: { ...refusalOf(409), ...refusal, afterWrite } });

  it.each([
    { status: 400, errorCode: undefined, provider: "plugin" },
    { status: 404, errorCode: "USER_NOT_IN_GROUP", provider: "plugin" },
    { status: 404, errorCode: "USER_NOT_IN_GROUP", provider: "dynamic" },
    { status: 409, errorCode: "IN_USE", provider: "plugin" },
  ] as const)(
    "keeps people recorded who are still there, and is no failure for people who are not ($status $errorCode, $provider)",
    async ({ status, errorCode, provider }) => {
      const { sandbox, stack, paths, upWith } = await begin(provider);
      const refusal = refusalOf(status, errorCode);
      const cause = [status, errorCode, "The test refuses it"].filter(Boolean).join(" ");
      const actions = { ada: `Removing ${ada} from`, bob: `Taking back the invitation of ${bob} to` };
      for (const name of ["ada", "bob"] as const) {
        refuse(sandbox, paths[name], refusal);
        const { [name]: _, ...others } = declared;
        expect(await errorsOf(upWith(others))).toContain(
          `${actions[name]} project ${projectId} failed: ${cause}`,
        );
        expect(membershipsIn(sandbox)).toEqual(everyone);
        expect(await stack.resource(name)).toMatchObject({ outputs: { roles: readers } });
      }

      // Done and refused all the same; and refused because it was accepted between the read and the deletion.
      refuse(sandbox, paths.ada, refusal, true);
      refuse(sandbox, paths.bob, refusal, true);
      refuse(sandbox, paths.eve, refusal);
      await stack.before("DELETE", new RegExp(paths.eve), () =>
        sandbox.acceptInvitation(invitationOf(sandbox, eve).id),
      );
      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
      const { id } = sandbox.user({ username: eve }) ?? {};
      expect(writes(sandbox).map(({ path }) => path)).toContain(`/groups/${projectId}/users/${id}`);
      expect((await stack.state()).resources).toEqual([]);
    },
  );

  it.each([500, 403])(
    "is reported with its reason if the read after it ends with %s, and the person stays recorded",
    async (status) => {
      const { sandbox, stack, paths, upWith, outputsOf } = await begin("plugin", {
        "opsmanager:maxRetries": 0,
      });
      refuse(sandbox, paths.ada, refusalOf(409, "IN_USE"));
      await stack.before("DELETE", /users/, () =>
        sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+/users", times: 0, fault: { status } }),
      );
      sandbox.clearRequests();
      const { ada: _, ...others } = declared;
      expect(await errorsOf(upWith(others))).toContain("409 IN_USE The test refuses it");
      expect(sandbox.requests).toContainEqual(expect.objectContaining({ method: "GET", status }));
      expect(membershipsIn(sandbox)).toEqual(everyone);
      expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
    },
  );
});
