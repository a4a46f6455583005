/** Whom a declaration means: an id decides alone, a name only where the program gives names. */
import type { Sandbox } from "../../../sandbox";
import { invitedTo, membershipsIn } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  admins,
  allMembers,
  bob,
  eve,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const former = "ada.former@example.com";

/** The accounts of Ada and Bob. Afterwards, Ada's is renamed and Bob's has her name. */
function adaAndBob(sandbox: Sandbox) {
  const [adaId = "", bobId = ""] = [ada, bob].map((username) => sandbox.user({ username })?.id);
  const exchangeNames = () => {
    sandbox.changeUser(adaId, { username: former });
    sandbox.changeUser(bobId, { username: ada });
  };
  return { adaId, bobId, exchangeNames };
}

/** Bob is a member, and his account has got Ada's name. */
const bobIsIn = peopleWith({ [ada]: admins });

describe.each(["userId", "username"] as const)("a member declared by %s", (by) => {
  const begin = async (provider: (typeof bothProviders)[number]) => {
    const setup = await setUpPayments({ provider, members: { [ada]: readers }, accounts: [bob] });
    const { sandbox, upWith } = setup;
    const { adaId, bobId, exchangeNames } = adaAndBob(sandbox);
    const declared = { ada: person({ [by]: { userId: adaId, username: ada }[by] }) };
    await succeeded(upWith(declared));
    sandbox.removeMember(projectId, { id: adaId });
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, admins);
    return setup;
  };

  it("is added again as the program means it: an id invites the renamed account, a name takes over the other one", async () => {
    const { sandbox, stack } = await begin("plugin");
    await succeeded(stack.refresh());
    const preview = messagesOf(await succeeded(stack.preview()));
    const takenOver = `${ada} is in project ${projectId} already: roles GROUP_USER_ADMIN become GROUP_READ_ONLY. From now on`;
    expect(preview.includes(takenOver)).toBe(by === "username");
    expect(membershipsIn(sandbox)).toEqual(bobIsIn);
    await succeeded(stack.up());
    const invited = peopleWith({ [ada]: admins }, { [former]: readers });
    expect(membershipsIn(sandbox)).toEqual(by === "userId" ? invited : peopleWith({ [ada]: readers }));
  });
});

describe("a member declared by userId whose invitation was sent, and the read after that failed", () => {
  const lists = { method: "GET", pathPattern: "/groups/\\w+/invites" };
  const begin = async (beginning: Parameters<typeof setUpPayments>[0]) => {
    const config = { "opsmanager:maxRetries": 0 };
    const setup = await setUpPayments({ ...beginning, accounts: [ada], config });
    const { sandbox, userId, upWith, outputsOf } = setup;
    sandbox.addFault({ ...lists, fault: { delayMs: 0 } });
    sandbox.addFault({ ...lists, fault: { status: 500 } });
    await errorsOf(upWith({ ada: person({ userId: userId(ada) }) }));
    expect(await outputsOf("ada")).toMatchObject({ status: "unverified", username: ada });
    return setup;
  };

  it.each(bothProviders)(
    "is not reported as deleted, and its invitation is recorded (%s)",
    async (provider) => {
      const { sandbox, stack, outputsOf } = await begin({ provider });
      await succeeded(stack.refresh());
      const invitationId = sandbox.state.invitations[0]?.id;
      expect(await outputsOf("ada")).toMatchObject({ status: "pending", invitationId });
    },
  );

  it.each(["follows", "keeps-name"] as const)(
    "is removed by a destroy that no read came before, also after the account was renamed (%s)",
    async (renamedInvitee) => {
      const { sandbox, stack, userId } = await begin({ provider: "dynamic", sandbox: { renamedInvitee } });
      sandbox.changeUser(userId(ada), { username: former });
      await succeeded(stack.destroy());
      expect(invitedTo(sandbox)).toEqual({});
    },
  );
});

describe("an invited account that is declared by userId", () => {
  it("is not reported as deleted if the account cannot be read and no name is recorded", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({
      provider: "dynamic",
      sandbox: { onlyDocumented: true },
      accounts: [ada],
    });
    await succeeded(upWith({ ada: person({ userId: userId(ada), roles: undefined }) }));
    sandbox.setSwitches({ onlyDocumented: false });
    sandbox.addInvitation(projectId, { username: ada, roles: readers });
    sandbox.addFault({ pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault: { status: 403 } });
    const refresh = await succeeded(stack.refresh());
    expect(messagesOf(refresh, "warning")).toContain("cannot be read with these credentials");
    expect(await outputsOf("ada")).toMatchObject({ status: "unverified" });
    expect(await errorsOf(stack.destroy())).toContain("may not read the account");
  });

  it.each(bothProviders)("leaves no second invitation behind (%s)", async (provider) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ provider, accounts: [ada] });
    await succeeded(upWith({ ada: person({ userId: userId(ada) }) }));
    sandbox.addInvitation(projectId, { username: ada, roles: owners });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});
  });

  it("is found by the recorded invitation, whatever the names are", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ accounts: [ada, bob] });
    const { adaId, bobId, exchangeNames } = adaAndBob(sandbox);
    await succeeded(upWith({ ada: person({ userId: adaId }) }));
    const { invitationId } = (await outputsOf("ada")) ?? {};
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, admins);
    sandbox.clearRequests();
    await succeeded(stack.refresh());
    expect(await outputsOf("ada")).toMatchObject({ status: "pending", invitationId });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(bobIsIn);
  });

  it.each([
    ["follows", former],
    ["keeps-name", ada],
  ] as const)(
    "keeps its invitation if the account is renamed and the resource as well (%s)",
    async (renamedInvitee, name) => {
      const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
        sandbox: { renamedInvitee },
        accounts: [ada],
      });
      const { id: userId = "" } = sandbox.user({ username: ada }) ?? {};
      await succeeded(upWith({ old: person({ userId }) }));
      const { invitationId } = (await outputsOf("old")) ?? {};
      sandbox.changeUser(userId, { username: former });
      sandbox.clearRequests();
      await succeeded(upWith({ new: person({ userId }) }));
      expect(writes(sandbox)).toEqual([]);
      expect(invitedTo(sandbox)).toEqual({ [name]: readers });
      expect(await outputsOf("new")).toMatchObject({ invitationId });
      expect(await stack.resource("old")).toBeUndefined();
    },
  );
});

// Of one person: `../members/members.test.ts`.
describe("an account that ProjectMembers invited by name", () => {
  const begin = async (provider: (typeof bothProviders)[number] = "plugin") => {
    const setup = await setUpPayments({ provider, accounts: [ada, bob] });
    await succeeded(setup.upWith({ people: allMembers({ [ada]: readers }, { onDestroy: "remove" }) }));
    const invitationId = setup.sandbox.state.invitations[0]?.id ?? "";
    return { ...setup, ...adaAndBob(setup.sandbox), invitationId };
  };

  // The dynamic provider has no read before a destroy.
  it.each(["refresh", "destroy"] as const)(
    "is not lost if it accepts between the two lists of one read (%s)",
    async (command) => {
      const { sandbox, stack, invitationId, outputsOf } = await begin("dynamic");
      const results = sandbox.state.users.filter(({ roles }) =>
        roles.some(({ groupId }) => groupId === projectId),
      );
      sandbox.acceptInvitation(invitationId);
      // The list of users is the one from before.
      const body = { results, totalCount: results.length };
      sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+/users", fault: { status: 200, body } });
      await succeeded(stack[command]());
      const isRemoved = command === "destroy";
      expect(JSON.stringify(await outputsOf("people"))?.includes('"pending"') ?? false).toBe(false);
      expect((await outputsOf("people")) === undefined).toBe(isRemoved);
      expect(membershipsIn(sandbox)).toEqual(peopleWith(isRemoved ? {} : { [ada]: readers }));
    },
  );

  // The name alone led from the invitation to the account, and another account may have the name by then.
  it("stays the declared one if it accepts after it was renamed, and another account gets the name", async () => {
    const { sandbox, stack, adaId, bobId, invitationId } = await begin();
    sandbox.changeUser(adaId, { username: former });
    sandbox.acceptInvitation(invitationId);
    sandbox.changeUser(bobId, { username: ada });
    sandbox.setMember(projectId, { id: bobId }, admins);
    await succeeded(stack.refresh());
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [former]: readers, [ada]: admins }));
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(bobIsIn);
  });

  it("is not another account of the name once the invitation is no longer pending", async () => {
    const { sandbox, stack, bobId, exchangeNames, invitationId } = await begin();
    sandbox.removeInvitation(invitationId);
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, admins);
    await succeeded(stack.refresh());
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(bobIsIn);
  });
});

it("a username beside a userId stops the run if the account of the name cannot be determined", async () => {
  const { sandbox, stack, userId, upWith } = await setUpPayments({ accounts: [ada, bob] });
  sandbox.addFault({
    method: "GET",
    pathPattern: "/users/[0-9a-f]{24}",
    times: 0,
    fault: { status: 401, body: { error: 401, errorCode: "NOT_USER_ADMIN" } },
  });
  const message = `username "${ada}" and userId ${userId(bob)} cannot be verified to be the same person`;
  expect(await errorsOf(upWith({ ada: person({ username: ada, userId: userId(bob) }) }))).toContain(message);
  expect(await errorsOf(stack.up())).toContain(message);
  expect(writes(sandbox)).toEqual([]);
});

describe("a member declared by username", () => {
  it("takes the invitation of the former account along if another account has got the name (dynamic)", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      provider: "dynamic",
      accounts: [ada, bob],
    });
    const { adaId, bobId, exchangeNames } = adaAndBob(sandbox);
    await succeeded(upWith({ ada: person({ username: ada }) }));
    const { invitationId } = (await outputsOf("ada")) ?? {};
    sandbox.setMember(projectId, { id: adaId }, readers);
    await succeeded(upWith({ ada: person({ username: ada, roles: admins }) }));
    expect(await outputsOf("ada")).toMatchObject({ userId: adaId, invitationId });

    sandbox.removeMember(projectId, { id: adaId });
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, admins);
    await succeeded(upWith({ ada: person({ username: ada }) }));
    expect(await outputsOf("ada")).toMatchObject({ userId: bobId, invitationId });
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }, { [former]: readers }));
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("is the account that has the name now if the program goes back to a name that the resource gave up", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      sandbox: { bypassInvitations: true },
      members: { [ada]: readers },
      accounts: [bob],
    });
    const { bobId, exchangeNames } = adaAndBob(sandbox);
    await succeeded(upWith({ ada: person({ username: ada }) }));
    exchangeNames();
    await succeeded(stack.refresh());
    await succeeded(upWith({ ada: person({ username: former }) }));
    expect(writes(sandbox)).toEqual([]);
    await stack.setProgram({ resources: { ada: person({ username: ada }) } });
    await succeeded(stack.up({ refresh: true }));
    expect(await outputsOf("ada")).toMatchObject({ userId: bobId });
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("keeps a renamed account and its origin if a replacement releases it before it creates, and nothing was read", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      config: { "opsmanager:refreshBeforeUpdate": false },
      members: { [ada]: readers },
      accounts: [bob],
    });
    const { adaId } = adaAndBob(sandbox);
    await succeeded(stack.import("opsmanager:index:ProjectMember", "ada", `${projectId}/${ada}`));
    const declared = person({ username: ada, onDestroy: "release" }, { deleteBeforeReplace: true });
    await succeeded(upWith({ ada: declared }));
    sandbox.changeUser(adaId, { username: former });
    await succeeded(stack.up({ replace: (await stack.resource("ada"))?.urn ?? "" }));
    expect(writes(sandbox)).toEqual([]);
    expect(await outputsOf("ada")).toMatchObject({ userId: adaId, username: former, origin: "imported" });
  });

  it("is not replaced by a renamed account and another person's invitation as one", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ members: { [ada]: readers }, accounts: [bob] });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.changeUser(adaAndBob(sandbox).adaId, { username: former });
    const { id: invitationId } = sandbox.addInvitation(projectId, { username: eve, roles: readers });
    await stack.setProgram({ resources: { ada: person({ username: ada, invitationId }) } });
    const { urn = "" } = (await stack.resource("ada")) ?? {};
    expect(await errorsOf(stack.up({ refresh: true, replace: urn }))).toContain(
      "do not name the same person",
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [former]: readers }, { [eve]: readers }));
  });
});

// No create could send it again under the same id.
it("an invitation that a program gives by its id stays if its resource is replaced and deletes first", async () => {
  const { sandbox, stack, upWith } = await setUpPayments({ invited: { [ada]: readers } });
  const { id: invitationId } = { ...sandbox.state.invitations[0] };
  await succeeded(upWith({ ada: person({ invitationId }, { deleteBeforeReplace: true }) }));
  await succeeded(stack.up({ replace: (await stack.resource("ada"))?.urn ?? "" }));
  expect(writes(sandbox)).toEqual([]);
  expect(sandbox.state.invitations).toMatchObject([{ id: invitationId }]);
});

describe("a member who left and was renamed, and no read came before the command", () => {
  const begin = async (by: "username" | "userId", beginning: Parameters<typeof setUpPayments>[0] = {}) => {
    const setup = await setUpPayments({
      config: { "opsmanager:refreshBeforeUpdate": false },
      members: { [ada]: readers },
      accounts: [bob],
      ...beginning,
    });
    const { sandbox, upWith } = setup;
    const { adaId } = adaAndBob(sandbox);
    await succeeded(upWith({ ada: person({ [by]: { userId: adaId, username: ada }[by] }) }));
    sandbox.removeMember(projectId, { id: adaId });
    sandbox.changeUser(adaId, { username: former });
    return setup;
  };
  const changed = (options: object = {}) => person({ username: ada, roles: admins }, options);

  it.each([
    ["present name", undefined],
    ["id if the key may not read the account", 403],
  ] as const)(
    "is invited again by the %s, and no one by the former name, which no account has",
    async (_, status) => {
      const { sandbox, upWith } = await begin("username");
      if (status) {
        const fault = { status };
        sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault });
      }
      await succeeded(upWith({ ada: changed() }));
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}, { [former]: admins }));
    },
  );

  it("is not invited again if another resource declares the present name", async () => {
    const { sandbox, upWith } = await begin("username");
    const other = person({ username: former });
    expect(await errorsOf(upWith({ other, ada: changed({ dependsOn: ["${other}"] }) }))).toMatch(
      new RegExp(`${former} in project ${projectId} is already declared by `),
    );
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}, { [former]: readers }));
  });

  it("leaves no recorded invitation behind, whatever name it has by now", async () => {
    const { sandbox, stack } = await begin("username", {
      sandbox: { renamedInvitee: "follows" },
      invited: { [ada]: readers },
    });
    expect(invitedTo(sandbox)).toEqual({ [former]: readers });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});
  });

  it.each([
    ["declared by userId", { members: { [ada]: readers } }],
    ["declared by userId, and whose invitation was deleted", { members: {}, accounts: [ada, bob] }],
  ])("%s, takes no invitation along that someone else got under the former name", async (_, beginning) => {
    const { sandbox, stack } = await begin("userId", beginning);
    for (const { id } of [...sandbox.state.invitations]) sandbox.removeInvitation(id);
    sandbox.addInvitation(projectId, { username: ada, roles: owners });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({ [ada]: owners });
  });

  it("is not invited by the former name either if the account cannot be read", async () => {
    const config = { "opsmanager:refreshBeforeUpdate": false, "opsmanager:maxRetries": 0 };
    const { sandbox, upWith } = await begin("username", { config });
    const fault = { status: 500 };
    sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0, fault });
    expect(await errorsOf(upWith({ ada: changed() }))).toContain("500");
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});

describe("a listed name that the service spells otherwise", () => {
  it("is the same person in another Unicode form", async () => {
    const name = "j\u00fcrgen@example.com";
    const stored = name.normalize("NFD");
    const { sandbox, stack, upWith } = await setUpPayments({
      members: { [stored]: readers, [bob]: readers },
    });
    await succeeded(upWith({ people: allMembers({ [name]: owners }, { removeUnlisted: true }) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [stored]: owners }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("is the account that the lookup finds, and that account is not removed", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ members: { [bob]: readers } });
    const body = { id: userId(bob), username: bob, roles: [], links: [] };
    sandbox.addFault({ pathPattern: "byName/robert", times: 0, fault: { status: 200, body } });
    const people = allMembers({ "robert@example.com": readers }, { removeUnlisted: true });
    await succeeded(upWith({ people }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([500, 403])(
    "may mean any member if the lookup ends with %s, so no member is removed",
    async (status) => {
      const { sandbox, upWith } = await setUpPayments({ members: { [bob]: readers } });
      sandbox.addFault({ pathPattern: "byName/", times: 0, fault: { status } });
      sandbox.addFault({ method: "POST", times: 0, fault: { status: 409 } });
      const people = allMembers({ "robert@example.com": readers }, { removeUnlisted: true });
      expect(await errorsOf(upWith({ people }))).toContain(
        `${bob} stay in project ${projectId} for now: it is not known which account robert@example.com means`,
      );
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
    },
  );
});

describe("an invited person of ProjectMembers", () => {
  it.each([false, true])(
    "keeps the invitation if the account is renamed before it accepts (removeUnlisted: %s)",
    async (removeUnlisted) => {
      const { sandbox, stack, upWith } = await setUpPayments({ accounts: [ada, bob] });
      const people = allMembers({ [ada]: readers }, { removeUnlisted, onDestroy: "remove" });
      await succeeded(upWith({ people }));
      adaAndBob(sandbox).exchangeNames();
      sandbox.clearRequests();
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(invitedTo(sandbox)).toEqual({ [former]: readers });

      sandbox.acceptInvitation(sandbox.state.invitations[0]?.id ?? "");
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    },
  );

  it.each(bothProviders)(
    "is not another account that got the name: it stays, and the invitation is deleted (%s)",
    async (provider) => {
      const { sandbox, upWith } = await setUpPayments({ provider, accounts: [ada, bob] });
      const { bobId, exchangeNames } = adaAndBob(sandbox);
      await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
      exchangeNames();
      sandbox.setMember(projectId, { id: bobId }, readers);
      expect((await succeeded(upWith({ people: allMembers({}) }))).changes).toEqual({ update: 1 });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
    },
  );

  it("keeps the declared name if the update that invited them failed, and the account is renamed", async () => {
    const { sandbox, upWith } = await setUpPayments({ accounts: [ada], members: { [eve]: admins } });
    const { adaId } = adaAndBob(sandbox);
    await succeeded(upWith({ people: allMembers({ [eve]: admins }, { maxRemovals: 0 }) }));
    const people = allMembers({ [ada]: readers }, { maxRemovals: 0 });
    const stays = `1 person would be removed from project ${projectId}, more than maxRemovals (0), so nobody is removed: ${eve}.`;
    expect(await errorsOf(upWith({ people }))).toContain(stays);
    sandbox.changeUser(adaId, { username: former });
    expect(await errorsOf(upWith({ people }))).toContain(stays);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [eve]: admins }, { [former]: readers }));
  });
});
