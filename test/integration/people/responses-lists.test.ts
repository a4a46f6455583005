/**
 * An Ops Manager without the two lists, and a key that may not read them: the state is kept, and
 * one warning gives the reason.
 */
import { keepDefault, type ProviderKind, succeeded } from "../../support";
import { invitedTo, memberProgram, membersOf, membersProgram, paymentsId } from "../support/people-program";
import {
  bothProviders,
  emptyProgram,
  messagesOf,
  projectNamed,
  timesPrinted,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const ada = "ada@example.com";
const grace = "grace@example.com";
const owner = "owner@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"], [ada]: roles } }] };
const declared = { [owner]: ["GROUP_OWNER"], [ada]: roles, [grace]: roles };

const createMembers = (properties = {}, provider: ProviderKind = "plugin") =>
  setUpStack({
    provider,
    sandbox: { seed },
    program: (service) =>
      membersProgram({ projectId: paymentsId(service), members: declared, ...properties }),
  });

const story =
  "needs both lists to create and update; without them up, refresh and destroy keep the state with one warning and send nothing";

describe("ProjectMembers in an Ops Manager without the lists of users and invitations", () => {
  it.each(bothProviders)(`${story} (%s)`, async (provider) => {
    const { sandbox, stack } = await createMembers({}, provider);
    // A create fails with an error that names the missing operation.
    sandbox.setSwitches({ onlyDocumented: true });
    const create = await stack.up();
    expect(create.exitCode).not.toBe(0);
    expect(messagesOf(create, "error")).toContain("GET /groups/{id}/users");
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeUndefined();

    sandbox.setSwitches({ onlyDocumented: false });
    await succeeded(stack.up());

    // The lists are missing again: up and refresh keep the state.
    sandbox.setSwitches({ onlyDocumented: true });
    sandbox.removeMember(paymentsId(sandbox), { username: ada });
    sandbox.clearRequests();
    for (const command of ["up", "refresh"] as const) {
      const run = await succeeded(stack[command]());
      expect(run.changes).toEqual({ same: 1 });
      expect(timesPrinted(run, "[missing operation]")).toBe(1);
    }
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs).toMatchObject({ members: declared });

    // An update fails and leaves the state as it was.
    await stack.setProgram(
      membersProgram({ projectId: paymentsId(sandbox), members: { [owner]: ["GROUP_OWNER"] } }),
    );
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain("GET /groups/{id}/users");
    expect(writes(sandbox)).toEqual([]);
    expect((await stack.resource("people"))?.outputs).toMatchObject({ members: declared });

    // onDestroy is "release" by default.
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([]);
  });

  it("with onDestroy remove, destroy removes the members and invitations that the state lists", async () => {
    const { sandbox, stack } = await createMembers({ onDestroy: "remove" });
    await succeeded(stack.up());
    // Ops Manager refuses to remove the last owner, so the project needs a second one.
    sandbox.setMember(paymentsId(sandbox), { username: "second@example.com" }, ["GROUP_OWNER"]);
    sandbox.setSwitches({ onlyDocumented: true });
    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({ "second@example.com": ["GROUP_OWNER"] });
    expect(invitedTo(sandbox)).toEqual({});
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["DELETE", "DELETE", "DELETE"]);
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("destroy keeps the last owner, and keeps the resource until every other removal has succeeded", async () => {
    const { sandbox, stack } = await createMembers({ onDestroy: "remove" });
    await succeeded(stack.up());
    sandbox.setSwitches({ onlyDocumented: true });
    const body = { error: 409, detail: "The test refuses it." };
    const pathPattern = `/users/${sandbox.user({ username: ada })?.id}`;
    sandbox.addFault({ method: "DELETE", pathPattern, fault: { status: 409, body } });
    const failed = await stack.destroy();
    expect(failed.exitCode).not.toBe(0);
    expect(messagesOf(failed, "warning")).toContain(`${owner} is the last direct owner of project`);
    expect(messagesOf(failed, "error")).toMatch(new RegExp(`Removing ${ada} .* 409 The test refuses it`));
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [ada]: roles });
    expect(invitedTo(sandbox)).toEqual({});
    expect(await stack.resource("people")).toBeDefined();

    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy, "warning")).toContain(`${owner} is the last direct owner of project`);
    // A deleted invitation looks like an accepted one without the list of users.
    expect(messagesOf(destroy, "warning")).toContain(`The invitation of ${grace} to project`);
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("destroy removes no member if the state lists more users than maxRemovals allows", async () => {
    const { sandbox, stack } = await createMembers({ onDestroy: "remove", maxRemovals: 2 });
    await succeeded(stack.up());
    sandbox.setSwitches({ onlyDocumented: true });
    sandbox.clearRequests();
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(messagesOf(destroy, "error")).toMatch(/3 people would be removed .* more than maxRemovals \(2\)/);
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("people")).toBeDefined();
  });
});

describe("ProjectMember in an Ops Manager that no longer offers the lists", () => {
  it("is kept in the state with one warning, and destroy removes the member by the recorded userId", async () => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads the lists");
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
    });
    await succeeded(stack.up());
    sandbox.setSwitches({ onlyDocumented: true });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ same: 1 });
    expect(timesPrinted(up, "[missing operation]")).toBe(1);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });
    await succeeded(stack.destroy());
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("members of a project whose lists the key may no longer read", () => {
  const unreadable =
    "are kept in the state with one warning for the project, and other resources are updated";

  it.each(bothProviders)(`${unreadable} (%s)`, async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [...seed.projects, { name: "orders" }] } },
      program: (service) => {
        const projectId = paymentsId(service);
        return {
          resources: {
            ada: { type: "ProjectMember", properties: { projectId, username: ada, roles } },
            grace: { type: "ProjectMember", properties: { projectId, username: grace, roles } },
            orders: {
              type: "Project",
              properties: { projectId: projectNamed(service, "orders").id, tags: ["OLD"] },
            },
          },
        };
      },
    });
    const projectId = paymentsId(sandbox);
    const { id: ordersId } = projectNamed(sandbox, "orders");
    await succeeded(stack.up());
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
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", roles } });
    expect(await stack.resource("grace")).toMatchObject({ outputs: { status: "pending", roles } });

    sandbox.clearRequests();
    const destroy = await stack.destroy({ continueOnError: true });
    expect(destroy.exitCode).not.toBe(0);
    expect(messagesOf(destroy, "error")).toMatch(
      new RegExp(`Removing ${ada} from project ${projectId} failed: 401`),
    );
    // Only the list of users shows whether she has accepted, so the id of her invitation is not
    // enough.
    expect(messagesOf(destroy, "error")).toMatch(
      /grace@example.com was not removed .* may not list its people.*"release".*401 NOT_IN_GROUP/,
    );
    expect(await stack.resource("orders")).toBeUndefined();
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", roles } });
    expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"], [ada]: roles });
    expect(invitedTo(sandbox)).toEqual({ [grace]: roles });
  });

  it("show drift of members if the key may still read the users but not the invitations", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed },
      program: (service) => {
        const projectId = paymentsId(service);
        return {
          resources: {
            ada: { type: "ProjectMember", properties: { projectId, username: ada, roles } },
            grace: { type: "ProjectMember", properties: { projectId, username: grace, roles } },
          },
        };
      },
    });
    await succeeded(stack.up());
    const groupId = paymentsId(sandbox);
    sandbox.changeKey(sandbox.publicKey, { roles: [{ groupId, roleName: "GROUP_READ_ONLY" }] });
    sandbox.setMember(groupId, { username: ada }, ["GROUP_OWNER"]);

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1, same: 1 });
    expect(timesPrinted(preview, "[unreadable]")).toBe(1);
    expect(messagesOf(preview, "warning")).toContain("NOT_GROUP_USER_ADMIN");
    expect(await stack.resource("grace")).toMatchObject({ outputs: { status: "pending" } });
  });
});

describe("a list of invitations that seems not to exist while an owner leaves the program", () => {
  const bare = { status: 404, body: "", contentType: "text/plain" };

  it.each(bothProviders)(
    "fails the run and keeps the record; the next up deletes the invitation (%s)",
    async (provider) => {
      const { sandbox, stack } = await setUpStack({
        provider,
        sandbox: { seed },
        program: (service) =>
          memberProgram({ projectId: paymentsId(service), username: grace, roles: ["GROUP_OWNER"] }),
      });
      await succeeded(stack.up());
      sandbox.addFault({ method: "GET", pathPattern: "/invites(\\?|$)", times: 0, fault: bare });
      await stack.setProgram(emptyProgram);
      const up = await stack.up();
      expect(up.exitCode).not.toBe(0);
      expect(messagesOf(up, "error")).toContain(
        "an invitation to this project is recorded. Run the command again.",
      );
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "pending" } });

      sandbox.clearFaults();
      await succeeded(stack.up());
      expect(invitedTo(sandbox)).toEqual({});
      expect(await stack.resource("ada")).toBeUndefined();
    },
  );
});

it("maxRemovalsPerRun stops the run at the first person beyond it, and names the setting", async () => {
  const people = ["one", "two", "three"].map((name) => `${name}@example.com`);
  const members = Object.fromEntries(people.map((username) => [username, roles]));
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: { ...declared, ...members } }] } },
    config: { "opsmanager:maxRemovalsPerRun": 2 },
    program: (service) => ({
      resources: Object.fromEntries(
        people.map((username) => {
          const properties = { projectId: paymentsId(service), username, roles };
          return [username.split("@")[0] ?? "", { type: "ProjectMember", properties }] as const;
        }),
      ),
    }),
  });
  await succeeded(stack.up());
  await stack.setProgram(emptyProgram);
  const up = await stack.up();
  expect(up.exitCode).not.toBe(0);
  expect(messagesOf(up, "error")).toContain("maxRemovalsPerRun (2)");
  expect(Object.keys(membersOf(sandbox)).filter((username) => people.includes(username))).toHaveLength(1);
  await succeeded(stack.up());
  expect(membersOf(sandbox)).toEqual(declared);
});
