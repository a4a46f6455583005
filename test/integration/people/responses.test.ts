/**
 * Additions, invitations and removals that Ops Manager refuses: what the provider tries next, and which error it reports in
 * the end. Each refusal of each request: `../faults/matrix.test.ts`.
 */
import { invitedTo, membershipsIn } from "../../engine/support/people-program";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import { ada, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const byName = { ada: person({ username: ada }) };

describe("a person with an account", () => {
  it("is invited if Ops Manager cannot add the account because it is not confirmed yet", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const fault = refusal(404, "CANNOT_ADD_PENDING_USER");
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault });
    await succeeded(upWith(byName));
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
    expect(writes(sandbox).map(({ path }) => path.split("/").at(-1))).toEqual(["users", "invites"]);
    const recorded = { status: "pending", username: ada, userId: userId(ada), origin: "created" };
    expect(await outputsOf("ada")).toMatchObject(recorded);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([
    { title: "401 USER_UNAUTHORIZED", fault: refusal(401, "USER_UNAUTHORIZED") },
    { title: "403", fault: { status: 403 } },
    { title: "404 USERNAME_NOT_FOUND", fault: refusal(404, "USERNAME_NOT_FOUND") },
    { title: "404", fault: { status: 404 } },
    { title: "405", fault: { status: 405 } },
  ])("is invited at once if Ops Manager refuses to return it by name ($title)", async ({ fault }) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    sandbox.addFault({ method: "GET", pathPattern: "/users/byName/", fault });
    await succeeded(upWith(byName));
    const body = { username: ada, roles: readers };
    expect(writes(sandbox)).toEqual([{ method: "POST", path: `/groups/${projectId}/invites`, body }]);
    expect(await outputsOf("ada")).toMatchObject({ status: "pending", username: ada });
  });

  it("is invited once if the program declares the userId and the key may not read the account", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    const fault = refusal(403, "NOT_YOUR_TURN");
    sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault });
    await succeeded(upWith({ ada: person({ userId: userId(ada) }) }));
    expect(await outputsOf("ada")).toMatchObject({ status: "pending", username: ada });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
  });
});

it.each([
  {
    status: 400,
    code: "MAX_USERS_PER_GROUP_EXCEEDED",
    advice: "The project has its maximum number of users",
  },
  { status: 400, code: "INVALID_USERNAME", advice: "A username is usually an e-mail address" },
  { status: 400, code: "DEFAULT_INVITATION_EXCEPTION", advice: "Check the project's users and invitations" },
  { status: 403, code: "INVITATION_ONLY_MODE_OR_LDAP", advice: "This service adds people from LDAP groups" },
  { status: 400, code: "INVALID_ENUM_VALUE", advice: "This version of the service has no role of that name" },
])("a refused invitation ends with the next step, and records nothing: $code", async (row) => {
  const { status, code, advice } = row;
  const { sandbox, stack, upWith } = await setUpPayments();
  sandbox.addFault({ method: "POST", fault: refusal(status, code) });
  const errors = await errorsOf(upWith(byName));
  expect(errors).toContain(`Inviting ${ada} to project ${projectId} failed: ${status} ${code} Not now.`);
  expect(errors).toContain(advice);
  expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  expect(await stack.resource("ada")).toBeUndefined();
});

// Versions differ in status and code, and some refuse a deletion that they have done.
describe("a removal that is refused as of nobody in the project", () => {
  const fault = refusal(404, "USER_NOT_IN_GROUP");

  it.each(bothProviders)("is a failure while the person is there, and done if not (%s)", async (provider) => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      provider,
      members: { [ada]: readers },
    });
    await succeeded(upWith(byName));
    sandbox.addFault({ method: "DELETE", fault });
    expect(await errorsOf(stack.destroy())).toContain(
      `Removing ${ada} from project ${projectId} failed: 404 USER_NOT_IN_GROUP Not now.`,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    expect(await outputsOf("ada")).toMatchObject({ roles: readers });
    sandbox.addFault({ method: "DELETE", fault: { ...fault, afterWrite: true } });
    await succeeded(stack.destroy());
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it.each([500, 403])("is reported if the read after it ends with %s", async (status) => {
    const config = { "opsmanager:maxRetries": 0 };
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      config,
      members: { [ada]: readers },
    });
    await succeeded(upWith(byName));
    sandbox.addFault({ method: "DELETE", fault });
    await stack.before("DELETE", /users/, () =>
      sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+/users", times: 0, fault: { status } }),
    );
    expect(await errorsOf(stack.destroy())).toContain("404 USER_NOT_IN_GROUP Not now.");
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
  });
});
