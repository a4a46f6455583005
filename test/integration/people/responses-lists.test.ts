/**
 * An Ops Manager without the lists of people, a key that may not read them, and responses to them that prove less than they
 * seem to: the state is kept, and one warning gives the reason.
 */
import { invitedTo, membershipsIn } from "../../engine/support/people-program";
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
import { refusal } from "../refusal";
import {
  ada,
  allMembers,
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

const members = { [ada]: readers };
const declared = { [ada]: readers, [eve]: readers };
const recorded = { members: { [owner]: owners, ...declared } };
const users = { method: "GET", pathPattern: "/groups/\\w+/users", times: 0 };
const invitations = { method: "GET", pathPattern: "/invites(\\?|$)", times: 0 };
const each = { ada: person({ username: ada }), eve: person({ username: eve }) };

describe("ProjectMembers in an Ops Manager without the lists", () => {
  it.each(bothProviders)(
    "is neither created nor updated; up, refresh and destroy keep the state with one warning and send nothing (%s)",
    async (provider) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, members });
      sandbox.setSwitches({ onlyDocumented: true });
      expect(await errorsOf(upWith({ people: allMembers(declared) }))).toMatch(
        /GET \/groups\/\{id\}\/users.*Use ProjectMember with userId or invitationId/,
      );
      expect(await stack.resource("people")).toBeUndefined();
      sandbox.setSwitches({ onlyDocumented: false });
      await succeeded(stack.up());

      sandbox.setSwitches({ onlyDocumented: true });
      sandbox.removeMember(projectId, { username: ada });
      sandbox.clearRequests();
      for (const command of ["up", "refresh"] as const) {
        const run = await succeeded(stack[command]());
        expect(run.changes).toEqual({ same: 1 });
        expect(timesPrinted(run, "[missing operation]")).toBe(1);
      }
      expect(await errorsOf(upWith({ people: allMembers({}) }))).toContain("GET /groups/{id}/users");
      expect(await outputsOf("people")).toMatchObject(recorded);
      // onDestroy is "release" by default.
      await succeeded(stack.destroy());
      expect(writes(sandbox)).toEqual([]);
      expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
    },
  );

  const removing = async (more: object = {}) => {
    const setup = await setUpPayments({ members });
    await succeeded(setup.upWith({ people: allMembers(declared, { onDestroy: "remove", ...more }) }));
    setup.sandbox.setSwitches({ onlyDocumented: true });
    setup.sandbox.clearRequests();
    return setup;
  };

  it("with onDestroy remove, destroy removes those whom the state lists, but not the last direct owner, and stays until every other removal has succeeded", async () => {
    const { sandbox, stack, userId } = await removing();
    const grants = [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }];
    sandbox.addUser({ username: "olaf@example.com", roles: grants });
    // The service itself would let the last owner leave.
    sandbox.setSwitches({ orgOwners: true });
    const fault = refusal(409, "NOT_ADA");
    sandbox.addFault({ method: "DELETE", pathPattern: `/users/${userId(ada)}`, fault });
    const lastOwner = `${owner} was not removed from project`;
    const failed = await stack.destroy();
    expect(messagesOf(failed, "warning")).toContain(lastOwner);
    expect(messagesOf(failed, "error")).toMatch(new RegExp(`Removing ${ada} .* 409 NOT_ADA`));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    expect(await stack.resource("people")).toBeDefined();

    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain(lastOwner);
    // A deleted invitation looks like an accepted one without the list of users.
    expect(messagesOf(destroy, "warning")).toContain(`The invitation of ${eve} to project`);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("destroy removes no member if the state lists more users than maxRemovals allows", async () => {
    // The last owner stays and does not count.
    const { sandbox, stack } = await removing({ maxRemovals: 1 });
    expect(await errorsOf(stack.destroy())).toMatch(
      /2 people would leave, more than maxRemovals \(1\).*no update can raise maxRemovals/,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeDefined();
  });
});

describe("people of a project whose lists the key may no longer read", () => {
  it.each(bothProviders)(
    "are kept in the state with one warning for the project, and other resources are updated (%s)",
    async (provider) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, members });
      const { id: ordersId } = sandbox.addProject({ name: "orders" });
      const orders = (tag: string) => ({ type: "Project", properties: { projectId: ordersId, tags: [tag] } });
      await succeeded(upWith({ ...each, orders: orders("OLD") }));
      const inOrganization = { orgId: sandbox.orgId, roleName: "ORG_MEMBER" as const };
      const inOrders = { groupId: ordersId, roleName: "GROUP_OWNER" as const };
      sandbox.changeKey(sandbox.publicKey, { roles: [inOrganization, inOrders] });
      const up = await succeeded(stack.up());
      expect(up.changes).toEqual({ same: 3 });
      expect(timesPrinted(up, "[unreadable] [people ")).toBe(1);
      expect(messagesOf(up, "warning")).toContain(projectId);
      expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
      expect(await outputsOf("eve")).toMatchObject({ status: "pending", roles: readers });
      await succeeded(upWith({ ...each, orders: orders("NEW") }));
      expect(projectNamed(sandbox, "orders").tags).toEqual(["NEW"]);
    },
  );

  it.each(bothProviders)("are not removed by a destroy, which names the reason (%s)", async (provider) => {
    const { sandbox, stack, upWith } = await setUpPayments({ provider, members });
    await succeeded(upWith(each));
    sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_MEMBER" }] });
    const before = membershipsIn(sandbox);
    expect(await errorsOf(upWith({ eve: each.eve }))).toMatch(
      /Removing ada@example.com from project \w+ failed: 401 NOT_IN_GROUP/,
    );
    // Only the list of users shows whether she has accepted, so the id of her invitation is not enough.
    expect(await errorsOf(upWith({ ada: each.ada }))).toMatch(
      /eve@example.com was not removed .* may not list its people.*"release".*401 NOT_IN_GROUP/,
    );
    expect(membershipsIn(sandbox)).toEqual(before);
    expect((await stack.state()).resources).toHaveLength(2);
  });

  it.each(bothProviders)(
    "stay recorded if the organization may not be read by the key after the project was deleted (%s)",
    async (provider) => {
      const { sandbox, stack, upWith } = await setUpPayments({ provider, members });
      await succeeded(upWith(each));
      sandbox.removeProject(projectId);
      sandbox.addFault({ pathPattern: `/orgs/${sandbox.orgId}/groups`, times: 0, fault: { status: 403 } });
      const errors = await errorsOf(stack.refresh());
      const [first, second] = provider === "plugin" ? ["::ada'", "::eve'"] : ["<URN>", "<URN>"];
      for (const text of [first, second, "cannot be read either", "lacks a role"])
        expect(errors).toContain(text);
      expect(errors).not.toContain("not found");
      expect((await stack.state()).resources).toHaveLength(2);
    },
  );

  it("show drift of members if only the invitations cannot be read", async () => {
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

  it.each([
    { title: "users", list: users },
    { title: "invitations, and none is recorded", list: invitations },
  ])("are removed by the account if the key may not list the $title", async ({ list }) => {
    const { sandbox, stack, upWith } = await setUpPayments({ members });
    await succeeded(upWith({ ada: each.ada }));
    sandbox.addFault({ ...list, fault: { status: 403 } });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("are not declared without a list, also by userId and without roles", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ members });
    sandbox.addFault({ ...users, fault: { status: 403 } });
    const byAccount = person({ userId: userId(ada), roles: undefined });
    expect(await errorsOf(upWith({ ada: byAccount }))).toContain("403");
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("an empty response to the list of invitations, as of a gateway", () => {
  const message = "an invitation to this project is recorded. Run the command again";
  const bare = { status: 405, body: "", contentType: "text/plain" };

  it.each(bothProviders)(
    "does not mean that a recorded invitation no longer exists (%s)",
    async (provider) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider });
      await succeeded(upWith({ eve: each.eve }));
      sandbox.addFault({ ...invitations, fault: bare });
      expect(await errorsOf(stack.destroy())).toContain(message);
      expect(await errorsOf(upWith({ eve: person({ username: eve, roles: owners }) }))).toContain(message);
      await succeeded(stack.refresh());
      expect(await outputsOf("eve")).toMatchObject({ status: "pending" });
      sandbox.clearFaults();
      expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
      await succeeded(stack.destroy());
      expect(invitedTo(sandbox)).toEqual({});
    },
  );

  it("is that of a service without the list, which still shows who left and whose invitation ended", async () => {
    keepDefault("refreshBeforeUpdate", "an up adds a person who left");
    const bypass = { bypassInvitations: true };
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ members, sandbox: bypass });
    await succeeded(upWith({ eve: each.eve }));
    sandbox.addFault({ ...invitations, fault: bare });
    await succeeded(stack.import("ProjectMember", "ada", `${projectId}/${ada}`));
    await succeeded(stack.refresh());
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
    expect(await outputsOf("eve")).toMatchObject({ status: "pending", roles: readers });
    sandbox.removeMember(projectId, { username: ada });
    sandbox.removeInvitation(sandbox.state.invitations[0]?.id ?? "");
    await succeeded(stack.refresh());
    expect((await stack.state()).resources).toEqual([]);
    await succeeded(upWith({ ada: each.ada }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("removes no one from the state of ProjectMembers", async () => {
    const { sandbox, stack, upWith } = await setUpPayments();
    await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
    sandbox.addFault({ ...invitations, fault: bare });
    expect(await errorsOf(stack.refresh())).toContain(message);
  });

  it("is not believed after a list that this process has read", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ invited: { [eve]: owners } });
    const after = person({ username: eve }, { dependsOn: ["${ada}"] });
    await stack.before("POST", /\/(users|invites)$/, () => sandbox.addFault({ ...invitations, fault: bare }));
    expect(await errorsOf(upWith({ ada: each.ada, eve: after }))).toContain(
      "it has listed invitations before",
    );
    expect(invitedTo(sandbox)).toEqual({ [eve]: owners, [ada]: readers });
  });

  it("means none that are pending, on a service that does not offer invitations", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      sandbox: { bypassInvitations: true },
      accounts: [ada],
    });
    sandbox.addFault({ ...invitations, fault: { status: 404, body: "" } });
    await succeeded(upWith({ ada: each.ada }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith(members));
    await succeeded(stack.refresh());
    expect(await outputsOf("ada")).toMatchObject({ status: "active" });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});

it("an invitation that the service neither lists nor shows stays recorded, and the warning names its read, not the list of people", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  await succeeded(upWith({ eve: each.eve }));
  sandbox.addFault({ method: "GET", pathPattern: "/invites", times: 0, fault: { status: 404, body: "" } });
  const warnings = messagesOf(await succeeded(stack.refresh()), "warning");
  expect(warnings).toMatch(/\[unreadable\] .*Reading invitation/);
  expect(warnings).not.toContain("GET /groups/{id}/users");
  expect(await outputsOf("eve")).toMatchObject({ status: "pending" });
});

it("a list of members proves that the project exists, although its organization does not list it", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
  const before = (await outputsOf("people"))?.members;
  sandbox.changeProject(projectId, { orgId: sandbox.addOrg({ name: "Elsewhere" }).id });
  sandbox.addFault({ ...invitations, times: 1, fault: refusal(401, "NOT_IN_GROUP") });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain("[unreadable]");
  expect((await outputsOf("people"))?.members).toEqual(before);
});
