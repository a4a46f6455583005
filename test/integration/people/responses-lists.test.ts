/**
 * An Ops Manager without the two lists, and a key that may not read them: the state is kept, and
 * one warning gives the reason.
 */
import { invitedTo, membershipsIn, membersOf } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
  eve,
  owner,
  owners,
  type People,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const members = { [ada]: readers };
const declared = { [ada]: readers, [eve]: readers };
const recorded = { members: { [owner]: owners, ...declared } };

describe("ProjectMembers in an Ops Manager without the lists of users and invitations", () => {
  const story =
    "needs both lists to create and update; without them up, refresh and destroy keep the state with one warning and send nothing";

  it.each(bothProviders)(`${story} (%s)`, async (provider) => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, members });
    // A create fails with an error that names the missing operation.
    sandbox.setSwitches({ onlyDocumented: true });
    expect(await errorsOf(upWith({ people: allMembers(declared) }))).toMatch(
      /GET \/groups\/\{id\}\/users.*Use ProjectMember with userId or invitationId/,
    );
    expect(await stack.resource("people")).toBeUndefined();
    sandbox.setSwitches({ onlyDocumented: false });
    await succeeded(stack.up());

    // The lists are missing again: up and refresh keep the state.
    sandbox.setSwitches({ onlyDocumented: true });
    sandbox.removeMember(projectId, { username: ada });
    sandbox.clearRequests();
    for (const command of ["up", "refresh"] as const) {
      const run = await succeeded(stack[command]());
      expect(run.changes).toEqual({ same: 1 });
      expect(timesPrinted(run, "[missing operation]")).toBe(1);
    }
    expect(await outputsOf("people")).toMatchObject(recorded);

    // An update fails and leaves the state as it was.
    expect(await errorsOf(upWith({ people: allMembers({}) }))).toContain("GET /groups/{id}/users");
    expect(await outputsOf("people")).toMatchObject(recorded);

    // onDestroy is "release" by default.
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
    expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
  });

  const second = { "second@example.com": owners };

  const removing = async (more: object = {}, others: People = {}) => {
    const setup = await setUpPayments({ members: { ...members, ...others } });
    await succeeded(setup.upWith({ people: allMembers(declared, { onDestroy: "remove", ...more }) }));
    setup.sandbox.setSwitches({ onlyDocumented: true });
    setup.sandbox.clearRequests();
    return setup;
  };

  it("with onDestroy remove, destroy removes the members and invitations that the state lists", async () => {
    // The last owner stays, so the state has a second one.
    const { sandbox, stack } = await removing({}, second);
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual({ members: second, invited: {} });
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["DELETE", "DELETE", "DELETE"]);
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("destroy keeps the last owner, and keeps the resource until every other removal has succeeded", async () => {
    const { sandbox, stack, userId } = await removing();
    const body = { error: 409, detail: "The test refuses it." };
    sandbox.addFault({
      method: "DELETE",
      pathPattern: `/users/${userId(ada)}`,
      fault: { status: 409, body },
    });
    const failed = await stack.destroy();
    expect(messagesOf(failed, "warning")).toContain(`${owner} is the last direct owner of project`);
    expect(messagesOf(failed, "error")).toMatch(new RegExp(`Removing ${ada} .* 409 The test refuses it`));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    expect(await stack.resource("people")).toBeDefined();

    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain(`${owner} is the last direct owner of project`);
    // A deleted invitation looks like an accepted one without the list of users.
    expect(messagesOf(destroy, "warning")).toContain(`The invitation of ${eve} to project`);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("destroy keeps the last direct owner also where the service counts owners of the organization", async () => {
    const { sandbox, stack } = await removing();
    sandbox.addUser({
      username: "olaf@example.com",
      roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }],
    });
    sandbox.setSwitches({ orgOwners: true });
    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain(`${owner} is the last direct owner of project`);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("destroy removes no member if the state lists more users than maxRemovals allows", async () => {
    // The last owner stays and does not count.
    const { sandbox, stack } = await removing({ maxRemovals: 1 });
    expect(await errorsOf(stack.destroy())).toMatch(
      /2 people would be removed .* more than maxRemovals \(1\)/,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeDefined();
  });
});

describe("ProjectMember in an Ops Manager that no longer offers the lists", () => {
  it("is kept in the state with one warning, and destroy removes the member by the recorded userId", async () => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads the lists");
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.setSwitches({ onlyDocumented: true });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(timesPrinted(up, "[missing operation]")).toBe(1);
    expect(await outputsOf("ada")).toMatchObject({ status: "active", username: ada });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("members of a project whose lists the key may no longer read", () => {
  const each = { ada: person({ username: ada }), eve: person({ username: eve }) };
  const unreadable =
    "are kept in the state with one warning for the project, and other resources are updated";

  it.each(bothProviders)(`${unreadable} (%s)`, async (provider) => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, members });
    const { id: ordersId } = sandbox.addProject({ name: "orders" });
    const orders = { type: "Project", properties: { projectId: ordersId, tags: ["OLD"] } };
    await succeeded(upWith({ ...each, orders }));
    const { publicKey, orgId } = sandbox;
    sandbox.changeKey(publicKey, {
      roles: [
        { orgId, roleName: "ORG_MEMBER" },
        { groupId: ordersId, roleName: "GROUP_OWNER" },
      ],
    });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 3 });
    expect(timesPrinted(up, "[unreadable] [people ")).toBe(1);
    expect(messagesOf(up, "warning")).toContain(projectId);
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
    expect(await outputsOf("eve")).toMatchObject({ status: "pending", roles: readers });
    await succeeded(
      upWith({ ...each, orders: { ...orders, properties: { projectId: ordersId, tags: ["NEW"] } } }),
    );
    expect(projectNamed(sandbox, "orders").tags).toEqual(["NEW"]);
  });

  it.each(bothProviders)("are not removed by a destroy, which names the reason (%s)", async (provider) => {
    for (const [name, message] of [
      ["ada", /Removing ada@example.com from project \w+ failed: 401 NOT_IN_GROUP/],
      // Only the list of users shows whether she has accepted, so the id of her invitation is not enough.
      ["eve", /eve@example.com was not removed .* may not list its people.*"release".*401 NOT_IN_GROUP/],
    ] as const) {
      const { sandbox, stack, upWith } = await setUpPayments({ provider, members });
      await succeeded(upWith({ [name]: each[name] }));
      sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }] });
      const before = membershipsIn(sandbox);
      expect(await errorsOf(stack.destroy())).toMatch(message);
      expect(membershipsIn(sandbox)).toEqual(before);
      expect(await stack.resource(name)).toBeDefined();
    }
  });

  it("show drift of members if the key may still read the users but not the invitations", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members });
    await succeeded(upWith(each));
    sandbox.changeKey(sandbox.publicKey, { roles: [{ groupId: projectId, roleName: "GROUP_READ_ONLY" }] });
    sandbox.setMember(projectId, { username: ada }, owners);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1, same: 1 });
    expect(timesPrinted(preview, "[unreadable]")).toBe(1);
    expect(messagesOf(preview, "warning")).toContain("NOT_GROUP_USER_ADMIN");
    expect(await outputsOf("eve")).toMatchObject({ status: "pending" });
    sandbox.removeMember(projectId, { username: ada });
    await succeeded(stack.refresh());
    expect(await outputsOf("ada")).toBeUndefined();
  });

  it("are removed although the invitations cannot be read, if no invitation of them is recorded", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members });
    await succeeded(upWith({ ada: each.ada }));
    sandbox.addFault({ pathPattern: "/invites$", times: 0, fault: { status: 403 } });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("are not taken for removed if a removal is refused, and the members cannot be read after that", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members });
    await succeeded(upWith({ ada: each.ada }));
    const body = { error: 409, detail: "The test refuses it." };
    await stack.before("DELETE", /\/users\//, () => {
      sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 409, body } });
      sandbox.addFault({
        method: "GET",
        pathPattern: "/groups/\\w+/users",
        times: 0,
        fault: { status: 403 },
      });
    });
    expect(await errorsOf(stack.destroy())).toContain(body.detail);
    expect(await stack.resource("ada")).toBeDefined();
  });

  it("are not declared without a list, also by userId and without roles", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ members });
    sandbox.addFault({ pathPattern: "/groups/\\w+/users", times: 0, fault: { status: 403 } });
    const declared = person({ userId: userId(ada), roles: undefined });
    expect(await errorsOf(upWith({ ada: declared }))).toContain("403");
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

it.each(bothProviders)(
  "an invited owner who leaves the program stays recorded while the list of invitations seems not to exist (%s)",
  async (provider) => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider });
    await succeeded(upWith({ eve: person({ username: eve, roles: owners }) }));
    const bare = { status: 404, body: "", contentType: "text/plain" };
    sandbox.addFault({ method: "GET", pathPattern: "/invites(\\?|$)", times: 0, fault: bare });
    expect(await errorsOf(upWith())).toContain(
      "an invitation to this project is recorded. Run the command again.",
    );
    expect(await outputsOf("eve")).toMatchObject({ status: "pending" });
    sandbox.clearFaults();
    await succeeded(stack.up());
    expect(membersOf(sandbox)).toEqual({ [owner]: owners });
    expect(invitedTo(sandbox)).toEqual({});
    expect(await stack.resource("eve")).toBeUndefined();
  },
);

it("an invitation that the service neither lists nor shows stays recorded, and the warning names its read, not the list of people", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  await succeeded(upWith({ eve: person({ username: eve }) }));
  sandbox.addFault({ method: "GET", pathPattern: "/invites", times: 0, fault: { status: 404, body: "" } });
  const warnings = messagesOf(await succeeded(stack.refresh()), "warning");
  expect(warnings).toMatch(/\[unreadable\] .*Reading invitation/);
  expect(warnings).not.toContain("GET /groups/{id}/users");
  expect(await outputsOf("eve")).toMatchObject({ status: "pending" });
});
