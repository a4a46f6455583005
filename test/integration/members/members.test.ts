/** ProjectMember and OrganizationMember: one person, from the invitation to the removal, the same stories for both. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  ada,
  bob,
  holdInvitation,
  holdMember,
  lovelace,
  member,
  memberCases,
  peopleOf,
  startMembers,
} from "./members";

afterEach(tearDownStacks);

const notAllowed = refusal(403, "NOT_ALLOWED");
const stages = [
  { stage: "member", hold: holdMember },
  { stage: "invitation", hold: holdInvitation },
];
const withoutRefresh = { config: { refreshBeforeUpdate: false } };

describe.each(memberCases)("$kind", (which) => {
  const { kind, noun, placeId, path, roles, others, set, invite, remove } = which;
  const people = (sandbox: Parameters<typeof set>[0]) => peopleOf(which, sandbox);
  const is = (username: string, having: readonly string[] = roles) => `${username} ${having}`;
  const isInvited = (username: string, having: readonly string[] = roles) => `${username} invited ${having}`;
  const lists = (of: "users" | "invites") => ({ method: "GET", pathPattern: `${path}/${of}`, times: 0 });

  it.each(bothProviders)(
    "invites a person, who accepts, gets other roles, is corrected and removed (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
      const setup = await startMembers({ ada: member(which) }, { provider });
      const { sandbox, stack, declare, outputs, accept } = setup;
      await succeeded(stack.up());
      expect(writes(sandbox)).toEqual([
        { method: "POST", path: `${path}/invites`, body: { username: ada, roles } },
      ]);
      expect(await stack.resource("ada")).toMatchObject({
        id: `${placeId}/${ada}`,
        outputs: { status: "pending", roles, origin: "created", expiresAt: expect.any(String) },
      });
      expect(await upAgain(setup)).toEqual(nothing);

      await declare({ ada: member(which, { roles: others }) });
      expect((await upAgain(setup)).writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect(people(sandbox)).toEqual([isInvited(ada, others)]);

      const { id: userId } = accept();
      expect(await upAgain(setup)).toEqual(nothing);
      await succeeded(stack.refresh());
      expect(await outputs()).toMatchObject({ status: "active", userId, origin: "created" });

      set(sandbox, ada, roles);
      await succeeded(stack.up());
      expect(people(sandbox)).toEqual([is(ada, others)]);

      await stack.setProgram(emptyProgram);
      await succeeded(stack.up());
      expect(people(sandbox)).toEqual([]);
    },
  );

  it("adopts a member and says what they lose; one who is removed and added again is its own", async () => {
    keepDefault("refreshBeforeUpdate", "a plain up adds a person who was removed");
    const { sandbox, stack, outputs } = await startMembers({ ada: member(which) });
    set(sandbox, "Ada@example.com", others);
    const adopted = `Ada@example.com is in ${noun} ${placeId} already: roles ${others} become ${roles}. From now on this resource manages this person: destroying it, or removing it from the program, removes them from the ${noun}`;
    for (const verb of ["preview", "up"] as const)
      expect(messagesOf(await succeeded(stack[verb]()))).toContain(adopted);
    expect(people(sandbox)).toEqual([is("Ada@example.com")]);
    expect(await outputs()).toMatchObject({ origin: "adopted", username: "Ada@example.com" });
    remove(sandbox, "Ada@example.com");
    await succeeded(stack.up());
    expect(await outputs()).toMatchObject({ origin: "created" });
  });

  it("adopts an invitation, which gets the declared roles, and a person as declared without a write", async () => {
    const { sandbox, stack, outputs } = await startMembers({ ada: member(which) });
    const copies = [await stack.copy({}), await stack.copy({})];
    const { id: invitationId } = invite(sandbox, "Ada@Example.com", others);
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `Ada@Example.com is invited to ${noun} ${placeId} already: roles ${others} become ${roles}`,
    );
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["PATCH"]);
    expect(await outputs()).toMatchObject({ status: "pending", invitationId, origin: "adopted" });
    for (const copy of copies) {
      expect(await upAgain({ sandbox, stack: copy })).toEqual({ changes: { create: 1 }, writes: [] });
      expect(await upAgain({ sandbox, stack: copy })).toEqual(nothing);
      if (sandbox.state.invitations.length > 0) sandbox.acceptInvitation(invitationId);
    }
  });

  it.each(stages)(
    "keeps a $stage beyond maxRemovalsPerRun, and one whose resource is renamed",
    async ({ hold }) => {
      const { sandbox, stack, declare } = await hold(which, { config: { maxRemovalsPerRun: 0 } });
      const before = people(sandbox);
      expect(await errorsOf(stack.destroy())).toContain("more than the setting maxRemovalsPerRun (0) allows");
      await declare({ lovelace: member(which) });
      expect(messagesOf(await succeeded(stack.up()))).toContain("was kept because");
      expect(people(sandbox)).toEqual(before);
    },
  );

  it.each(stages)(
    "releases a $stage by the onDestroy of the last up, and an onDestroy that is the default changes nothing",
    async ({ hold }) => {
      const setup = await hold(which);
      const { sandbox, stack, declare } = setup;
      const before = people(sandbox);
      await declare({ ada: member(which, { onDestroy: "remove" }) });
      expect(await upAgain(setup)).toEqual(nothing);
      await declare({ ada: member(which, { onDestroy: "release" }) });
      expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
      await declare({ ada: member(which) });
      expect(messagesOf(await succeeded(stack.destroy()))).toContain(
        `${ada} was released and is not changed in ${noun}`,
      );
      expect(writes(sandbox)).toEqual([]);
      expect(people(sandbox)).toEqual(before);
    },
  );

  it("keeps roles that ignoreChanges names", async () => {
    const options = { ignoreChanges: ["roles"] };
    const { sandbox, stack, declare } = await startMembers({ ada: member(which, {}, options) });
    set(sandbox, ada, roles);
    await succeeded(stack.up());
    set(sandbox, ada, others);
    await declare({ ada: member(which, { onDestroy: "release" }, options) });
    await succeeded(stack.up());
    expect(people(sandbox)).toEqual([is(ada, others)]);
  });

  it("lets a person join another place before they leave this one", async () => {
    const { sandbox, stack, declare, outputs } = await holdMember(which);
    await declare({ ada: member(which, which.otherPlace) });
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    expect(people(sandbox)).toEqual([]);
    expect(await outputs()).toMatchObject({ ...which.otherPlace, status: "pending" });
  });

  describe("during the run", () => {
    it("an invitation that is accepted before the change of its roles, or before it is taken back: the member gets them, and is removed", async () => {
      const { sandbox, stack, declare, outputs, accept } = await holdInvitation(which);
      const copy = await stack.copy({});
      await declare({ ada: member(which, { roles: others }) });
      await stack.before("PATCH", /invites/, accept);
      await succeeded(stack.up());
      expect(people(sandbox)).toEqual([is(ada, others)]);
      expect(await outputs()).toMatchObject({ status: "active", roles: others, origin: "created" });

      remove(sandbox, ada);
      await succeeded(copy.up({ refresh: true }));
      expect(people(sandbox)).toEqual([isInvited(ada)]);
      await copy.before("DELETE", /invites/, accept);
      await succeeded(copy.destroy());
      expect(people(sandbox)).toEqual([]);
    });

    it("an invitation that someone takes back: an error, and the next up invites again", async () => {
      const { sandbox, stack, declare } = await holdInvitation(which);
      await declare({ ada: member(which, { roles: others }) });
      await stack.before("PATCH", /invites/, () => {
        for (const { id } of [...sandbox.state.invitations]) sandbox.removeInvitation(id);
      });
      expect(await errorsOf(stack.up())).toMatch(/invitation of ada@example\.com/);
      await succeeded(stack.up({ refresh: true }));
      expect(people(sandbox)).toEqual([isInvited(ada, others)]);
    });

    // The list of users is the one from before, so that neither list has her.
    it.each(["refresh", "destroy"] as const)(
      "an invitation that is accepted between the two lists of one read: no one is lost by a %s",
      async (command) => {
        const { sandbox, stack, outputs, accept } = await holdInvitation(which, { provider: "dynamic" });
        const isHere = (role: object) => Object.values(role).includes(placeId);
        const results = JSON.parse(
          JSON.stringify(sandbox.state.users.filter((user) => user.roles.some(isHere))),
        );
        accept();
        const body = { results, totalCount: results.length };
        sandbox.addFault({ ...lists("users"), times: 1, fault: { status: 200, body } });
        await succeeded(stack[command]());
        expect(people(sandbox)).toEqual(command === "destroy" ? [] : [is(ada)]);
        if (command === "refresh") expect(await outputs()).toMatchObject({ status: "active" });
      },
    );
  });

  // One that has expired: `../people/expired-invitations.test.ts`.
  it("invites again whose invitation is taken back, and has nothing to destroy after that", async () => {
    const { sandbox, stack } = await holdInvitation(which);
    const takeBack = () => sandbox.removeInvitation(sandbox.state.invitations[0]?.id ?? "");
    takeBack();
    const copy = await stack.copy({});
    expect(operations(await succeeded(stack.up({ refresh: true })))).toEqual({ ada: "create" });
    takeBack();
    sandbox.clearRequests();
    await succeeded(copy.destroy());
    expect(writes(sandbox)).toEqual([]);
  });

  it.each(stages)(
    "keeps a recorded $stage whose list cannot be read, and changes no one",
    async ({ hold, stage }) => {
      const { sandbox, stack, declare } = await hold(which);
      const before = people(sandbox);
      const recorded = await stack.resource("ada");
      sandbox.addFault({ ...lists(stage === "member" ? "users" : "invites"), fault: notAllowed });
      expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
        `[unreadable] [${which.notice}]`,
      );
      expect(await stack.resource("ada")).toEqual(recorded);
      await declare({ ada: member(which), ben: member(which, { username: "ben@example.com" }) });
      expect(await errorsOf(stack.up())).toContain("403 NOT_ALLOWED");
      expect(writes(sandbox)).toEqual([]);
      expect(people(sandbox)).toEqual(before);
    },
  );

  it("keeps an invitation in the state that can neither be taken back nor read", async () => {
    const { sandbox, stack } = await holdInvitation(which);
    for (const fault of [
      refusal(401, "USER_UNAUTHORIZED"),
      refusal(403, "USER_UNAUTHORIZED"),
      refusal(404, "RESOURCE_NOT_FOUND"),
    ]) {
      await stack.before("DELETE", /\/invites\//, () =>
        sandbox.addFault({ pathPattern: "/invites", times: 0, fault }),
      );
      expect(await errorsOf(stack.destroy())).toContain(`${fault.status} ${fault.body.errorCode}`);
      sandbox.clearFaults();
      expect(await stack.resource("ada")).toBeDefined();
      expect(people(sandbox)).toEqual([isInvited(ada)]);
    }
  });

  it("records the roles that the service stores in place of the declared ones, and names both", async () => {
    const { sandbox, stack, outputs } = await startMembers({ ada: member(which) });
    await stack.before("POST", /\/invites$/, () => {
      const { id } = invite(sandbox, ada, others);
      const body = { id, ...which.place, username: ada, roles: others, createdAt: "2026-01-01T00:00:00Z" };
      sandbox.addFault({ method: "POST", pathPattern: "/invites$", fault: { status: 200, body } });
    });
    expect(await errorsOf(stack.up())).toContain(
      `The service stored the roles of ${ada} in ${noun} ${placeId} as ${others} instead of ${roles}.`,
    );
    expect(await outputs()).toMatchObject({ roles: others, status: "pending" });
  });

  describe("import", () => {
    it.each(["member by the username", "member by the id", "invited person"])(
      "takes a %s, and the program has no difference, also once an invitation is accepted",
      async (form) => {
        const setup = await startMembers({});
        const { sandbox, stack, declare, outputs, accept } = setup;
        const isPending = form === "invited person";
        const { id } = (isPending ? invite : set)(sandbox, ada, roles);
        const name = form.endsWith("id") ? id : ada;
        await succeeded(stack.import(kind, "ada", `${placeId.toUpperCase()}/${name.toUpperCase()}`));
        expect(await stack.resource("ada")).toMatchObject({
          id: `${placeId}/${ada}`,
          inputs: { ...which.place, username: ada, roles },
        });
        const status = isPending ? "pending" : "active";
        expect(await outputs()).toMatchObject({ status, origin: "imported", onDestroy: "remove" });
        await declare({ ada: member(which) });
        if (isPending) accept();
        expect(await upAgain(setup)).toEqual(nothing);
      },
    );

    it("takes no one who is not there, says why it cannot decide, and names the forms of the ID", async () => {
      const { sandbox, stack } = await startMembers({});
      const missing = await stack.import(kind, "ada", `${placeId}/${ada}`);
      expect([missing.exitCode, messagesOf(missing, "error")]).toEqual([1, ""]);
      expect(await errorsOf(stack.import(kind, "ada", ada))).toContain(
        `does not name a person: ${kind} is imported by ${which.forms}`,
      );
      for (const list of ["invites", "users"] as const) {
        sandbox.addFault({ ...lists(list), fault: notAllowed });
        expect(await errorsOf(stack.import(kind, "ada", `${placeId}/${ada}`))).toContain("403");
        sandbox.clearFaults();
      }
    });
  });

  describe("of an account that was renamed", () => {
    it.each(bothProviders)(
      "is the same under both names, and has what is declared (%s)",
      async (provider) => {
        keepDefault("refreshBeforeUpdate", "without a read, another name is another person");
        const setup = await holdMember(which, { provider });
        const { sandbox, stack, declare, userId } = setup;
        sandbox.changeUser(userId, { username: lovelace });
        expect(await upAgain(setup)).toEqual(nothing);
        await declare({ ada: member(which, { username: lovelace }) });
        expect(await upAgain(setup)).toMatchObject({ writes: [] });
        set(sandbox, lovelace, others);
        await succeeded(stack.up({ refresh: true }));
        expect(people(sandbox)).toEqual([is(lovelace)]);
        expect(await stack.resource("ada")).toMatchObject({ id: `${placeId}/${ada}` });
        await succeeded(stack.destroy());
        expect(people(sandbox)).toEqual([]);
      },
    );

    it.each(bothProviders)(
      "is not invited by the old name if its resource is renamed (%s)",
      async (provider) => {
        const { sandbox, stack, declare, userId } = await holdMember(which, { provider });
        sandbox.changeUser(userId, { username: lovelace });
        await succeeded(stack.refresh());
        sandbox.clearRequests();
        await declare({ other: member(which) });
        await stack.up({ refresh: true });
        expect(writes(sandbox)).toEqual([]);
        expect(people(sandbox)).toEqual([is(lovelace)]);
      },
    );

    it("is an error beside a second resource by the new name, and stays if that one leaves", async () => {
      const { sandbox, stack, declare, userId } = await holdMember(which);
      sandbox.changeUser(userId, { username: lovelace });
      await succeeded(stack.refresh());
      const both = { ada: member(which), lovelace: member(which, { username: lovelace, roles: others }) };
      await declare(both);
      expect(await errorsOf(stack.up())).toContain("already");
      await declare({ ada: member(which) });
      await succeeded(stack.up());
      expect(people(sandbox)).toEqual([is(lovelace)]);
    });

    it.each(["follows", "keeps-name"] as const)(
      "is not invited again if it accepts after that, and the invitation %s",
      async (renamedInvitee) => {
        const { sandbox, stack, accept } = await startMembers(
          { ada: member(which) },
          { sandbox: { renamedInvitee } },
        );
        const { id } = sandbox.addUser({ username: ada });
        await succeeded(stack.up());
        sandbox.changeUser(id, { username: lovelace });
        accept();
        sandbox.clearRequests();
        await stack.up();
        expect(writes(sandbox)).toEqual([]);
        expect(people(sandbox)).toEqual([is(lovelace)]);
      },
    );
  });

  describe("another account that gets the name", () => {
    /** Bob has the name of Ada, whose account has another one by then. */
    const exchange = (sandbox: Parameters<typeof set>[0], adaId: string) => {
      const { id } = set(sandbox, bob, others);
      sandbox.changeUser(adaId, { username: lovelace });
      sandbox.changeUser(id, { username: ada });
    };

    it("of an invited account that accepts is neither changed nor removed", async () => {
      const { sandbox, stack, accept } = await startMembers({ ada: member(which) });
      const { id } = sandbox.addUser({ username: ada });
      await succeeded(stack.up());
      sandbox.changeUser(id, { username: lovelace });
      accept();
      exchange(sandbox, id);
      await succeeded(stack.refresh());
      await succeeded(stack.up());
      expect(people(sandbox).sort()).toEqual([is(lovelace), is(ada, others)].sort());
      await succeeded(stack.destroy());
      expect(people(sandbox)).toEqual([is(ada, others)]);
    });

    it("of an account whose invitation was taken back is not removed", async () => {
      const { sandbox, stack } = await startMembers({ ada: member(which) });
      const { id } = sandbox.addUser({ username: ada });
      await succeeded(stack.up());
      sandbox.removeInvitation(sandbox.state.invitations[0]?.id ?? "");
      exchange(sandbox, id);
      await succeeded(stack.refresh());
      await stack.destroy();
      expect(people(sandbox)).toEqual([is(ada, others)]);
    });

    it.each(["refresh", "destroy"] as const)(
      "of a member who left is not taken for them (%s)",
      async (command) => {
        const { sandbox, stack, userId } = await holdMember(which, withoutRefresh);
        remove(sandbox, ada);
        exchange(sandbox, userId);
        await succeeded(stack[command]());
        expect(await stack.resource("ada")).toBeUndefined();
        expect(people(sandbox)).toEqual([is(ada, others)]);
      },
    );
  });

  it.each(bothProviders)(
    "an exchange of two people between two resources removes no one (%s)",
    async (provider) => {
      const two = member(which, { username: bob });
      const { sandbox, stack, declare } = await startMembers({ one: member(which), two }, { provider });
      for (const username of [ada, bob]) set(sandbox, username, roles);
      await succeeded(stack.up());
      sandbox.clearRequests();
      await declare({ one: two, two: member(which) });
      await succeeded(stack.up());
      expect(writes(sandbox)).toEqual([]);
    },
  );
});
