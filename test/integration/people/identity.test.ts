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
const withoutRefresh = { "opsmanager:refreshBeforeUpdate": false };
const withoutRetries = { "opsmanager:maxRetries": 0 };
const anyAccount = { method: "GET", pathPattern: "/users/[0-9a-f]{24}$", times: 0 };

/** The accounts of Ada and Bob. Afterwards, Ada's is renamed and Bob's has her name. */
function adaAndBob(sandbox: Sandbox) {
  const [adaId = "", bobId = ""] = [ada, bob].map((username) => sandbox.user({ username })?.id);
  const exchangeNames = () => {
    sandbox.changeUser(adaId, { username: former });
    sandbox.changeUser(bobId, { username: ada });
  };
  return { adaId, bobId, exchangeNames };
}

async function setUpBoth(beginning: Parameters<typeof setUpPayments>[0] = {}) {
  const setup = await setUpPayments({ accounts: [ada, bob], ...beginning });
  return { ...setup, ...adaAndBob(setup.sandbox) };
}

/** Bob is a member, and his account has got Ada's name. */
const bobIsIn = peopleWith({ [ada]: admins });

it.each(["userId", "username"] as const)(
  "a member declared by %s who left is added again as the program means it: an id invites the renamed account, a name takes over the other one",
  async (by) => {
    const { sandbox, stack, adaId, bobId, exchangeNames, upWith } = await setUpBoth({
      members: { [ada]: readers },
      accounts: [bob],
    });
    await succeeded(upWith({ ada: person({ [by]: { userId: adaId, username: ada }[by] }) }));
    sandbox.removeMember(projectId, { id: adaId });
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, admins);
    await succeeded(stack.refresh());
    const preview = messagesOf(await succeeded(stack.preview()));
    const takenOver = `${ada} is in project ${projectId} already: roles GROUP_USER_ADMIN become GROUP_READ_ONLY. From now on`;
    expect(preview.includes(takenOver)).toBe(by === "username");
    expect(membershipsIn(sandbox)).toEqual(bobIsIn);
    await succeeded(stack.up());
    const invited = peopleWith({ [ada]: admins }, { [former]: readers });
    expect(membershipsIn(sandbox)).toEqual(by === "userId" ? invited : peopleWith({ [ada]: readers }));
  },
);

describe("an invited account that is declared by userId", () => {
  it.each(["follows", "keeps-name"] as const)(
    "is recorded by a refresh if the read after the invitation failed, and leaves none behind without one, also if the account was renamed (%s)",
    async (renamedInvitee) => {
      const { sandbox, stack, userId, outputsOf } = await inviteUnseen({
        provider: "dynamic",
        sandbox: { renamedInvitee },
      });
      const copy = await stack.copy({});
      await succeeded(copy.refresh());
      const invitationId = sandbox.state.invitations[0]?.id;
      expect((await copy.resource("ada"))?.outputs).toMatchObject({ status: "pending", invitationId });
      sandbox.changeUser(userId(ada), { username: former });
      expect(await outputsOf("ada")).toMatchObject({ status: "unverified" });
      await succeeded(stack.destroy());
      expect(invitedTo(sandbox)).toEqual({});
    },
  );

  async function inviteUnseen(beginning: Parameters<typeof setUpPayments>[0]) {
    const lists = { method: "GET", pathPattern: "/groups/\\w+/invites" };
    const setup = await setUpPayments({ ...beginning, accounts: [ada], config: withoutRetries });
    const { sandbox, userId, upWith, outputsOf } = setup;
    sandbox.addFault({ ...lists, fault: { delayMs: 0 } });
    sandbox.addFault({ ...lists, fault: { status: 500 } });
    await errorsOf(upWith({ ada: person({ userId: userId(ada) }) }));
    expect(await outputsOf("ada")).toMatchObject({ status: "unverified", username: ada });
    return setup;
  }

  it("is not reported as deleted if the account cannot be read and no name is recorded", async () => {
    const { sandbox, stack, userId, upWith, outputsOf } = await setUpPayments({
      provider: "dynamic",
      sandbox: { onlyDocumented: true },
      accounts: [ada],
    });
    await succeeded(upWith({ ada: person({ userId: userId(ada), roles: undefined }) }));
    sandbox.setSwitches({ onlyDocumented: false });
    sandbox.addInvitation(projectId, { username: ada, roles: readers });
    sandbox.addFault({ ...anyAccount, fault: { status: 403 } });
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

  it.each([
    { renamedInvitee: "follows", name: former },
    { renamedInvitee: "keeps-name", name: ada },
  ] as const)(
    "keeps its invitation, which is found by its id, if it and its resource are renamed and another account gets the name ($renamedInvitee)",
    async ({ renamedInvitee, name }) => {
      const setup = await setUpBoth({ sandbox: { renamedInvitee } });
      const { sandbox, stack, adaId, bobId, exchangeNames, upWith, outputsOf } = setup;
      await succeeded(upWith({ old: person({ userId: adaId }) }));
      const { invitationId } = (await outputsOf("old")) ?? {};
      exchangeNames();
      sandbox.setMember(projectId, { id: bobId }, admins);
      sandbox.clearRequests();
      await succeeded(stack.refresh());
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      await succeeded(upWith({ new: person({ userId: adaId }) }));
      expect(writes(sandbox)).toEqual([]);
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: admins }, { [name]: readers }));
      expect(await outputsOf("new")).toMatchObject({ status: "pending", invitationId });
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(bobIsIn);
    },
  );
});

// Of one person: `../members/members.test.ts`.
describe("a person whom ProjectMembers invited by name", () => {
  const begin = async (provider: (typeof bothProviders)[number] = "plugin") => {
    const setup = await setUpBoth({ provider });
    await succeeded(setup.upWith({ people: allMembers({ [ada]: readers }, { onDestroy: "remove" }) }));
    const invitationId = setup.sandbox.state.invitations[0]?.id ?? "";
    setup.sandbox.clearRequests();
    return { ...setup, invitationId };
  };

  it.each([false, true])(
    "keeps the invitation and stays the declared one if the account is renamed before it accepts (removeUnlisted: %s)",
    async (removeUnlisted) => {
      const { sandbox, stack, exchangeNames, invitationId, upWith } = await begin();
      const people = allMembers({ [ada]: readers }, { removeUnlisted, onDestroy: "remove" });
      await succeeded(upWith({ people }));
      exchangeNames();
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(invitedTo(sandbox)).toEqual({ [former]: readers });
      sandbox.acceptInvitation(invitationId);
      expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
      expect(writes(sandbox)).toEqual([]);
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
    },
  );

  // The name alone led from the invitation to the account, and another account may have the name by then.
  it.each(["accepts", "is taken back"] as const)(
    "is not another account that gets the name once the invitation %s",
    async (end) => {
      const { sandbox, stack, bobId, exchangeNames, invitationId } = await begin();
      exchangeNames();
      if (end === "accepts") sandbox.acceptInvitation(invitationId);
      else sandbox.removeInvitation(invitationId);
      sandbox.setMember(projectId, { id: bobId }, admins);
      await succeeded(stack.refresh());
      if (end === "accepts") {
        await succeeded(stack.up());
        expect(membershipsIn(sandbox)).toEqual(peopleWith({ [former]: readers, [ada]: admins }));
      }
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual(bobIsIn);
    },
  );

  it("loses the invitation with the declaration, and another account that got the name stays", async () => {
    const { sandbox, bobId, exchangeNames, upWith } = await begin("dynamic");
    exchangeNames();
    sandbox.setMember(projectId, { id: bobId }, readers);
    expect((await succeeded(upWith({ people: allMembers({}) }))).changes).toEqual({ update: 1 });
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }));
  });

  it("keeps the declared name if the update that invited them failed, and the account is renamed", async () => {
    const { sandbox, adaId, upWith } = await setUpBoth({ accounts: [ada], members: { [eve]: admins } });
    await succeeded(upWith({ people: allMembers({ [eve]: admins }, { maxRemovals: 0 }) }));
    const people = allMembers({ [ada]: readers }, { maxRemovals: 0 });
    const stays = `Nobody was removed from project ${projectId}, because 1 person would leave, more than maxRemovals (0) allows: ${eve}.`;
    expect(await errorsOf(upWith({ people }))).toContain(stays);
    sandbox.changeUser(adaId, { username: former });
    expect(await errorsOf(upWith({ people }))).toContain(stays);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [eve]: admins }, { [former]: readers }));
  });
});

describe("a member declared by username", () => {
  it("takes the invitation of the former account along if another account has got the name (dynamic)", async () => {
    const setup = await setUpBoth({ provider: "dynamic" });
    const { sandbox, stack, adaId, bobId, exchangeNames, upWith, outputsOf } = setup;
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
    const { sandbox, stack, bobId, exchangeNames, upWith, outputsOf } = await setUpBoth({
      sandbox: { bypassInvitations: true },
      members: { [ada]: readers },
      accounts: [bob],
    });
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
    const { sandbox, stack, adaId, upWith, outputsOf } = await setUpBoth({
      config: withoutRefresh,
      members: { [ada]: readers },
      accounts: [bob],
    });
    await succeeded(stack.import("ProjectMember", "ada", `${projectId}/${ada}`));
    const declared = person({ username: ada, onDestroy: "release" }, { deleteBeforeReplace: true });
    await succeeded(upWith({ ada: declared }));
    sandbox.changeUser(adaId, { username: former });
    await succeeded(stack.up({ replace: (await stack.resource("ada"))?.urn ?? "" }));
    expect(writes(sandbox)).toEqual([]);
    expect(await outputsOf("ada")).toMatchObject({ userId: adaId, username: former, origin: "imported" });
  });

  it("is not replaced by a renamed account and another person's invitation as one", async () => {
    const { sandbox, stack, adaId, upWith } = await setUpBoth({
      members: { [ada]: readers },
      accounts: [bob],
    });
    await succeeded(upWith({ ada: person({ username: ada }) }));
    sandbox.changeUser(adaId, { username: former });
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
    const setup = await setUpBoth({
      config: withoutRefresh,
      members: { [ada]: readers },
      accounts: [bob],
      ...beginning,
    });
    const { sandbox, adaId, upWith } = setup;
    await succeeded(upWith({ ada: person({ [by]: { userId: adaId, username: ada }[by] }) }));
    sandbox.removeMember(projectId, { id: adaId });
    sandbox.changeUser(adaId, { username: former });
    return setup;
  };
  const changed = (options: object = {}) => person({ username: ada, roles: admins }, options);

  it.each([
    { title: "again by the present name", status: undefined, invited: { [former]: admins } },
    {
      title: "again by the id if the key may not read the account",
      status: 403,
      invited: { [former]: admins },
    },
    { title: "by no name if the account cannot be read", status: 500, invited: {} },
  ])(
    "is invited $title, and no one by the former name, which no account has",
    async ({ status, invited }) => {
      const { sandbox, upWith } = await begin("username", {
        config: { ...withoutRefresh, ...withoutRetries },
      });
      if (status) sandbox.addFault({ ...anyAccount, fault: { status } });
      const up = await upWith({ ada: changed() });
      expect(messagesOf(up, "error").includes("500")).toBe(status === 500);
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}, invited));
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
    { whose: "membership", beginning: { members: { [ada]: readers } } },
    { whose: "invitation", beginning: { members: {}, accounts: [ada, bob] } },
  ])(
    "declared by userId, whose $whose ended, takes no invitation along that someone else got under the former name",
    async ({ beginning }) => {
      const { sandbox, stack } = await begin("userId", beginning);
      for (const { id } of [...sandbox.state.invitations]) sandbox.removeInvitation(id);
      sandbox.addInvitation(projectId, { username: ada, roles: owners });
      await succeeded(stack.destroy());
      expect(invitedTo(sandbox)).toEqual({ [ada]: owners });
    },
  );
});

describe("a listed name that the service spells otherwise", () => {
  const robert = allMembers({ "robert@example.com": readers }, { removeUnlisted: true });

  it("is the account that the lookup finds, and that account is not removed", async () => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ members: { [bob]: readers } });
    const body = { id: userId(bob), username: bob, roles: [], links: [] };
    sandbox.addFault({ pathPattern: "byName/robert", times: 0, fault: { status: 200, body } });
    await succeeded(upWith({ people: robert }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it.each([500, 403])(
    "may mean any member if the lookup ends with %s, so no member is removed",
    async (status) => {
      const { sandbox, upWith } = await setUpPayments({ members: { [bob]: readers } });
      sandbox.addFault({ pathPattern: "byName/", times: 0, fault: { status } });
      sandbox.addFault({ method: "POST", times: 0, fault: { status: 409 } });
      expect(await errorsOf(upWith({ people: robert }))).toContain(
        `${bob} stay in project ${projectId} for now: it is not known which account robert@example.com means`,
      );
      expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
    },
  );
});
