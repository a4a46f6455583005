/** What operations of a ProjectMember write, record and log in uncommon circumstances. */
import { invitedTo, membershipsIn } from "../../engine/support/people-program";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  projectNamed,
  writes,
} from "../../engine/support/project-program";
import { succeeded, unknown } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  admins,
  eve,
  owner,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const users = { method: "GET", pathPattern: "/groups/\\w+/users", times: 0 };
const project = { method: "GET", pathPattern: "/groups/\\w+$", times: 0 };
const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." } };

describe("a preview of ProjectMember", () => {
  it("shows a new user with an unknown status and origin, and a member with the record and the declared roles", async () => {
    const { sandbox, userId, previewWith } = await setUpPayments({ members: { [ada]: readers } });
    const { steps } = await succeeded(
      previewWith({ eve: person({ username: eve }), ada: person({ username: ada, roles: owners }) }),
    );
    const [newUser, member] = ["eve", "ada"].map((name) => steps.find((step) => step.name === name)?.new);
    expect(newUser).toMatchObject({ id: "" });
    expect(newUser?.outputs).toEqual({
      ...{ projectId, username: eve, roles: readers },
      ...{ status: unknown, origin: unknown, onDestroy: "remove" },
    });
    expect(member).toMatchObject({
      id: `${projectId}/${ada}`,
      outputs: { username: ada, userId: userId(ada), roles: owners, status: "active", origin: "adopted" },
    });
    expect(writes(sandbox)).toEqual([]);
  });

  it("of an update names roles that changed in the service since they were recorded, and shows the declared ones", async () => {
    const { sandbox, upWith, previewWith } = await setUpPayments({
      members: { [ada]: readers },
      config: { "opsmanager:refreshBeforeUpdate": false },
    });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.setMember(projectId, { username: ada }, admins);
    const preview = await succeeded(previewWith({ ada: person({ username: ada, roles: owners }) }));
    expect(messagesOf(preview)).toBe(
      `Roles of ${ada} changed in the service since they were recorded: GROUP_USER_ADMIN become GROUP_OWNER.`,
    );
    expect(preview.steps[0]?.new?.outputs).toMatchObject({ roles: owners, username: ada, status: "active" });
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: admins }));
  });
});

describe("a ProjectMember", () => {
  it("is an error if the service stores other roles than it was sent, and the state records the stored ones", async () => {
    const { sandbox, userId, upWith, outputsOf } = await setUpPayments({ members: { [ada]: readers } });
    const roles = [{ groupId: projectId, roleName: "GROUP_USER_ADMIN" }];
    const body = { results: [{ id: userId(ada), username: ada, roles, teamIds: [] }], totalCount: 1 };
    sandbox.addFault({ method: "POST", pathPattern: "/users", fault: { status: 200, body } });
    expect(await errorsOf(upWith({ ada: person({ username: ada, roles: owners }) }))).toContain(
      `roles of ${ada} in project ${projectId} were sent as GROUP_OWNER, but the service stored GROUP_USER_ADMIN.`,
    );
    expect(await outputsOf("ada")).toMatchObject({ roles: admins, status: "active" });
  });

  it("is an error if the service shows no result, and the state records what was sent", async () => {
    const { sandbox, userId, upWith, outputsOf } = await setUpPayments({ accounts: [ada] });
    // The service accepts the user and neither shows nor keeps the invitation.
    sandbox.addFault({ method: "POST", pathPattern: "/users", fault: { status: 200, body: {} } });
    expect(await errorsOf(upWith({ ada: person({ userId: userId(ada) }) }))).toContain(
      `The service accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`,
    );
    const recorded = { userId: userId(ada), roles: readers, status: "unverified", origin: "created" };
    expect(await outputsOf("ada")).toMatchObject(recorded);
  });

  it("has no project name if the project cannot be read, and keeps a recorded one", async () => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ members: { [ada]: readers } });
    sandbox.addFault({ ...project, fault: refused });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    expect(await outputsOf("ada")).toEqual(expect.not.objectContaining({ groupName: expect.anything() }));
    sandbox.clearFaults();
    await succeeded(upWith({ ada: person({ username: ada, roles: admins }) }));
    sandbox.addFault({ ...project, fault: refused });
    await succeeded(upWith({ ada: person({ username: ada, onDestroy: "release" }) }));
    const recorded = { groupName: "payments", orgId: sandbox.orgId, onDestroy: "release" };
    expect(await outputsOf("ada")).toMatchObject(recorded);
  });

  it.each(bothProviders)("has the name that the same run gave its project (%s)", async (provider) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ provider });
    const program = (name: string, roles: readonly string[]) => ({
      orders: { type: "Project", properties: { orgId: sandbox.orgId, name } },
      ada: person({ projectId: "${orders.projectId}", username: ada, roles }),
    });
    await succeeded(upWith(program("orders", readers)));
    expect(await outputsOf("ada")).toMatchObject({ groupName: "orders" });
    await succeeded(upWith(program("orders-2", admins)));
    expect(projectNamed(sandbox, "orders-2")).toBeDefined();
    expect(await outputsOf("ada")).toMatchObject({ groupName: "orders-2" });
  });

  it.each(bothProviders)(
    "keeps roles that ignoreChanges names, and a member who is added again has the recorded ones (%s)",
    async (provider) => {
      const { sandbox, upWith, outputsOf } = await setUpPayments({
        provider,
        sandbox: { bypassInvitations: true },
        members: { [ada]: readers },
        config: { "opsmanager:refreshBeforeUpdate": false },
      });
      const program = (properties: object) => ({
        ada: person({ username: ada, ...properties }, { ignoreChanges: ["roles"] }),
      });
      await succeeded(upWith(program({})));
      sandbox.setMember(projectId, { username: ada }, admins);
      const update = await succeeded(upWith(program({ roles: owners, onDestroy: "release" })));
      expect(update.changes).toEqual({ update: 1 });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: admins }));
      sandbox.removeMember(projectId, { username: ada });
      await succeeded(upWith(program({ roles: owners, onDestroy: "remove" })));
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
      expect(await outputsOf("ada")).toMatchObject({ origin: "created" });
    },
  );

  it("leaves the state with its project", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers } });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.removeProject(projectId);
    await succeeded(stack.refresh());
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("of an invitation lasts as long as it does by the clock of the service", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
    // By the clock of this machine, an invitation for 30 days has expired.
    sandbox.advanceClock(-32 * 86_400);
    await succeeded(upWith({ ada: person({ username: ada }) }));
    await succeeded(stack.refresh());
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(await outputsOf("ada")).toMatchObject({ status: "pending" });
  });
});

it.each(bothProviders)(
  "the last owner keeps GROUP_OWNER if a ProjectMember declares other roles, and the error names the solution (%s)",
  async (provider) => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({ provider });
    await succeeded(upWith({ owner: person({ username: owner, roles: owners }) }));
    expect(await errorsOf(upWith({ owner: person({ username: owner }) }))).toMatch(
      /Giving owner@example.com GROUP_READ_ONLY in project \w+ failed: 403 CANNOT_DEMOTE_LAST_OWNER.*Give GROUP_OWNER or ORG_OWNER to another member first/,
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    expect(await outputsOf("owner")).toMatchObject({ roles: owners });
  },
);

describe("destroying a ProjectMember", () => {
  it("removes a member by the account if the key may not list the people", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers } });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.addFault({ ...users, fault: refused });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("is refused on a service without member lists if no id of the user is recorded", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ config: { "opsmanager:maxRetries": 0 } });
    const lists = { method: "GET", pathPattern: "/invites$" };
    sandbox.addFault({ method: "POST", fault: { status: 201, body: {}, afterWrite: true } });
    sandbox.addFault({ ...lists, fault: { delayMs: 0 } });
    sandbox.addFault({ ...lists, fault: { status: 500 } });
    await errorsOf(upWith({ eve: person({ username: eve }) }));
    sandbox.setSwitches({ onlyDocumented: true });
    await stack.setProgram(emptyProgram);
    expect(await errorsOf(stack.up())).toContain("neither a userId nor an invitationId is recorded");
    expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
  });
});
