/** The ways in that a service may refuse: then there is another one, and only where there is none the user is told. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { invitedTo, memberProgram, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { doors, pathOf, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const ada = "ada@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments" }], users: [{ username: ada }] };

describe.each(doors)("somebody with an account (%s)", (door) => {
  it("is invited where the account is not confirmed yet and cannot be added", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed, bypassInvitations: false },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
    });
    const body = { error: 404, errorCode: "CANNOT_ADD_PENDING_USER", detail: "The user is pending." };
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: { status: 404, body } });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
    expect(writes(sandbox).map(({ path }) => path.split("/").at(-1))).toEqual(["users", "invites"]);
    expect(await stack.resource("ada")).toMatchObject({
      outputs: { status: "pending", username: ada, origin: "created" },
    });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([
    [401, "USER_UNAUTHORIZED"],
    [403, "NOT_YOUR_TURN"],
    [403, undefined],
    [404, "USERNAME_NOT_FOUND"],
    [404, undefined],
    [405, undefined],
  ])("is invited where the look for the account is refused with %s %s", async (status, errorCode) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
    });
    sandbox.addFault({
      method: "GET",
      pathPattern: "/users/byName/",
      fault: { status, body: { error: status, errorCode, detail: "The test refuses it." } },
    });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: `/groups/${paymentsId(sandbox)}/invites`, body: { username: ada, roles } },
    ]);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "pending" } });
  });
});

it.each(doors)(
  "somebody named by account is invited once, though the key may not look it up (%s)",
  async (door) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          userId: service.user({ username: ada })?.id,
          roles,
        }),
    });
    const body = { error: 403, errorCode: "NOT_YOUR_TURN" };
    sandbox.addFault({
      method: "GET",
      pathPattern: "/users/[0-9a-f]{24}$",
      times: 0,
      fault: { status: 403, body },
    });
    await succeeded(stack.up());
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "pending", username: ada } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toHaveLength(1);
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles });
  },
);

describe("everybody, where the look for accounts is refused", () => {
  it.each(doors)("is invited all the same (%s)", async (door) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (service) =>
        membersProgram({
          projectId: paymentsId(service),
          members: { [ada]: roles, "grace@example.com": roles },
        }),
    });
    const body = { error: 401, errorCode: "USER_UNAUTHORIZED" };
    sandbox.addFault({ pathPattern: "/users/byName/", times: 0, fault: { status: 401, body } });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ [ada]: roles, "grace@example.com": roles });
  });
});

describe.each(doors)("a way in that the service refuses for good (%s)", (door) => {
  it.each([
    [400, "MAX_USERS_PER_GROUP_EXCEEDED", "The project is full"],
    [400, "INVALID_USERNAME", "As a rule a username is an e-mail address"],
    [400, "DEFAULT_INVITATION_EXCEPTION", "look at the project's people and invitations"],
    [403, "INVITATION_ONLY_MODE_OR_LDAP", "from LDAP or by invitation only"],
  ])("ends with what can be done, and nothing is recorded: %s %s", async (status, errorCode, advice) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
    });
    const body = { error: status, errorCode, detail: "The test refuses it." };
    sandbox.addFault({ method: "POST", fault: { status, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const action = `Inviting ${ada} to project ${paymentsId(sandbox)} failed: ${status} ${errorCode}`;
    expect(said(up, "error")).toContain(`${action} The test refuses it.`);
    expect(said(up, "error")).toContain(advice);
    expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{}, {}]);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("names the role that no project has", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: ada, roles: ["ORG_OWNER"] }),
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      new RegExp(`Inviting ${ada}.*400 INVALID_ROLE_FOR_GROUP.*ORG_OWNER.*begin with GROUP_`, "s"),
    );
    expect(invitedTo(sandbox)).toEqual({});
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe.each(doors)("a service that takes only so many invitations a minute (%s)", (door) => {
  const people = Array.from({ length: 10 }, (_, index) => `person-${index}@example.com`);

  it("gets the rest when it takes them again, and nobody is invited twice", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] }, invitationsPerMinute: 7, log: () => opened() },
      // The pace that the provider keeps from then on is a real minute otherwise.
      config: { "opsmanager:invitationsPerMinute": 6000 },
      program: (service) => ({
        resources: Object.fromEntries(
          people.map((username) => [
            username,
            { type: "ProjectMember", properties: { projectId: paymentsId(service), username, roles } },
          ]),
        ),
      }),
    });
    // The minute is over as soon as somebody was refused.
    const opened = () => {
      if (sandbox.requests.at(-1)?.errorCode === "INVITATIONS_RATE_LIMITED_IP") sandbox.advanceClock(61);
    };
    expect((await succeeded(stack.up())).changes).toEqual({ create: 10 });
    expect(Object.keys(invitedTo(sandbox))).toEqual(people);
    expect(sandbox.state.invitations).toHaveLength(10);
    const invitations = sandbox.requests.filter(
      ({ method, authorized, path }) => method === "POST" && authorized && /invites$/.test(pathOf({ path })),
    );
    expect(invitations.filter(({ status }) => status === 400).length).toBeGreaterThan(0);
    expect(invitations.filter(({ status }) => status === 201)).toHaveLength(10);
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 10 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("names whom it has refused, and the next up invites only them", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { projects: [{ name: "payments" }] }, invitationsPerMinute: 7 },
      program: (service) =>
        membersProgram({
          projectId: paymentsId(service),
          members: Object.fromEntries(people.map((username) => [username, roles])),
        }),
      config: { "opsmanager:maxRetries": 0 },
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const told = said(up, "error");
    const refused = people.filter((username) => told.includes(`Inviting ${username}`));
    expect(refused).toHaveLength(3);
    expect(told).toContain("run the command again in a minute");
    expect(Object.keys(invitedTo(sandbox))).toEqual(people.filter((username) => !refused.includes(username)));
    expect(Object.keys((await stack.resource("people"))?.outputs?.members ?? {})).toEqual(
      Object.keys(invitedTo(sandbox)),
    );

    sandbox.advanceClock(61);
    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(Object.keys(invitedTo(sandbox))).toEqual(people);
    expect(writes(sandbox)).toHaveLength(3);
  });
});
