import { join } from "node:path";
import type { Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { ada, owner, roles } from "../support/ada";
import { useGenerated } from "../support/mechanics";
import {
  invitationsTo,
  invitedTo,
  memberProgram,
  membersOf,
  nothing,
  paymentsId,
  upAgain,
} from "../support/people-program";
import { emptyProgram, messagesOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

// The dynamic provider is not here: nothing can be imported into a dynamic resource (known difference).
const token = "opsmanager:index:ProjectMember";
const absent = "0".repeat(24);

const member = {
  [owner]: ["GROUP_OWNER"],
  "Ada@Example.com": ["GROUP_READ_ONLY", "GROUP_DATA_ACCESS_ADMIN"],
};
const memberSeed: Seed = { projects: [{ name: "payments", members: member }] };
const invitedSeed: Seed = { projects: [{ name: "payments", invitations: [{ username: ada, roles }] }] };

async function createPayments(seed: Seed) {
  const setup = await setUpStack({ sandbox: { seed }, program: () => emptyProgram });
  const { sandbox, stack } = setup;
  const userId = sandbox.user({ username: ada })?.id ?? "";
  const invitationId = invitationsTo(sandbox)[0]?.id ?? "";
  return { setup, sandbox, stack, projectId: paymentsId(sandbox), userId, invitationId };
}

describe("a person who is in already", () => {
  it.each(["username", "other case", "userId"] as const)(
    "is imported by projectId/%s, and the program that import writes has no difference to it",
    async (form) => {
      const { setup, sandbox, stack, projectId, userId } = await createPayments(memberSeed);
      const name = { username: "Ada@Example.com", "other case": "ada@EXAMPLE.com", userId }[form];
      const file = join(stack.paths.root, "generated.yaml");
      const run = await succeeded(
        stack.import(token, "ada", `${projectId}/${name}`, { generateCode: true, out: file }),
      );
      expect(run.changes).toEqual({ import: 1 });
      expect(await stack.resource("ada")).toMatchObject({
        id: `${projectId}/Ada@Example.com`,
        inputs: {
          projectId,
          username: "Ada@Example.com",
          roles: ["GROUP_DATA_ACCESS_ADMIN", "GROUP_READ_ONLY"],
        },
        outputs: { status: "active", userId, groupName: "payments", origin: "imported", onDestroy: "remove" },
      });

      await useGenerated(stack, file);
      expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
      expect(await upAgain(setup)).toEqual(nothing);
      expect(await stack.resource("ada")).toMatchObject({ outputs: { origin: "imported" } });
      await succeeded(stack.destroy());
      expect(membersOf(sandbox)).toEqual({ [owner]: ["GROUP_OWNER"] });
    },
  );

  it("is the same one for a program that names them by userId", async () => {
    const { setup, stack, projectId, userId } = await createPayments(memberSeed);
    await succeeded(stack.import(token, "ada", `${projectId}/${userId}`));
    await stack.setProgram(memberProgram({ projectId, userId, roles: member["Ada@Example.com"] }));
    expect(await upAgain(setup)).toEqual(nothing);
  });

  it("is imported by the import option of a program that describes them, and brought to its roles", async () => {
    const { setup, sandbox, stack, projectId, userId } = await createPayments(memberSeed);
    const properties = { projectId, username: ada, roles };
    await stack.setProgram(memberProgram(properties, { import: `${projectId}/${userId}` }));
    await succeeded(stack.up());
    expect(writes(sandbox)).toMatchObject([{ method: "POST", path: `/groups/${projectId}/users` }]);
    expect(membersOf(sandbox)).toMatchObject({ "Ada@Example.com": roles });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { origin: "imported", roles } });
    await stack.setProgram(memberProgram(properties));
    expect(await upAgain(setup)).toEqual(nothing);
  });
});

describe("a person who is invited", () => {
  it.each(["username", "invitationId"] as const)(
    "is imported by projectId/%s, and the program that import writes has no difference to it",
    async (form) => {
      const { setup, sandbox, stack, projectId, invitationId } = await createPayments(invitedSeed);
      const name = { username: ada, invitationId: invitationId.toUpperCase() }[form];
      const file = join(stack.paths.root, "generated.yaml");
      await succeeded(stack.import(token, "ada", `${projectId}/${name}`, { generateCode: true, out: file }));
      expect(await stack.resource("ada")).toMatchObject({
        id: `${projectId}/${ada}`,
        inputs: { projectId, username: ada, roles },
        outputs: { status: "pending", invitationId, origin: "imported" },
      });

      await useGenerated(stack, file);
      expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
      expect(await upAgain(setup)).toEqual(nothing);
      sandbox.acceptInvitation(invitationId);
      expect(await upAgain(setup)).toEqual(nothing);
      expect(await stack.resource("ada")).toMatchObject({
        outputs: { status: "active", origin: "imported" },
      });
    },
  );

  it("is imported by the import option with nothing written", async () => {
    const { sandbox, stack, setup, projectId, invitationId } = await createPayments(invitedSeed);
    const properties = { projectId, username: ada, roles };
    await stack.setProgram(memberProgram(properties, { import: `${projectId}/${invitationId}` }));
    expect((await succeeded(stack.up())).changes).toEqual({ import: 1 });
    expect(writes(sandbox)).toEqual([]);
    await stack.setProgram(memberProgram(properties));
    expect(await upAgain(setup)).toEqual(nothing);
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});
  });
});

describe("an id without a member or invitation in the project", () => {
  it("is not imported, and nothing enters the state: a username, an id, a project that does not exist", async () => {
    const { sandbox, stack, projectId } = await createPayments(memberSeed);
    for (const id of [`${projectId}/grace@example.com`, `${projectId}/${absent}`, `${absent}/${ada}`]) {
      const run = await stack.import(token, "ada", id);
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toMatch(new RegExp(`${id}.*does not exist`, "s"));
      expect(await stack.resource("ada")).toBeUndefined();
    }
    expect(writes(sandbox)).toEqual([]);
  });

  it("a user with access only through a team is not imported", async () => {
    const seed = { teams: [{ name: "platform", usernames: [ada] }], projects: [{ name: "payments" }] };
    const { sandbox, stack, projectId } = await createPayments(seed);
    const teamId = sandbox.state.teams[0]?.id ?? "";
    sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
    const run = await stack.import(token, "ada", `${projectId}/${ada}`);
    expect(run.exitCode).not.toBe(0);
    expect(messagesOf(run, "error")).toContain("does not exist");
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("is no id of a person at all: the error shows the three forms, and no request is sent", async () => {
    const { sandbox, stack } = await createPayments(memberSeed);
    for (const id of [ada, `payments/${ada}`, `${absent}/`, absent]) {
      const run = await stack.import(token, "ada", id);
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toContain(`"${id}" does not name a person in a project`);
      for (const form of ["<projectId>/<username>", "<projectId>/<userId>", "<projectId>/<invitationId>"]) {
        expect(messagesOf(run, "error")).toContain(form);
      }
      expect(await stack.resource("ada")).toBeUndefined();
    }
    expect(sandbox.requests).toEqual([]);
  });
});
