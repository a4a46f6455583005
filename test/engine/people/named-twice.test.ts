/** Design, ProjectMember: more than one of username, userId and invitationId must mean the same person. */
import type { Sandbox } from "../../sandbox";
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  membersOf,
  membersProgram,
  paymentsId,
} from "../support/people-program";
import { doors, writes } from "../support/project-program";

afterEach(disposeEstates);

const ada = "ada@example.com";
const bob = "bob@example.com";
const readers = ["GROUP_READ_ONLY"];
const people = {
  projects: [
    {
      name: "payments",
      members: { "owner@example.com": ["GROUP_OWNER"] },
      invitations: [
        { username: bob, roles: readers },
        { username: ada, roles: readers },
      ],
    },
  ],
};
const before = { [ada]: readers, [bob]: readers };

describe.each(doors)("a person whom the program names twice (%s)", (door) => {
  it.each<[string, (sandbox: Sandbox) => object]>([
    [
      "a name and somebody else's invitation",
      (sandbox) => ({ username: ada, invitationId: invitationOf(sandbox, bob).id }),
    ],
    [
      "an account and somebody else's invitation",
      (sandbox) => ({
        userId: sandbox.addUser({ username: "eve@example.com" }).id,
        invitationId: invitationOf(sandbox, bob).id,
      }),
    ],
    [
      "a member's name and somebody else's invitation",
      (sandbox) => ({ username: "owner@example.com", invitationId: invitationOf(sandbox, bob).id }),
    ],
    [
      "a member's account and somebody else's invitation",
      (sandbox) => ({
        userId: sandbox.user({ username: "owner@example.com" })?.id,
        invitationId: invitationOf(sandbox, bob).id,
      }),
    ],
  ])("is refused where that is %s: nothing is written and nothing recorded", async (_, who) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: people },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), ...who(service), roles: ["GROUP_OWNER"] }),
    });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(up.output).toContain(`invitationId ${invitationOf(sandbox, bob).id} do not name the same person`);
    expect(writes(sandbox)).toEqual([]);
    expect(invitedTo(sandbox)).toEqual(before);
    expect(await stack.resource("ada")).toBeUndefined();
  });

  it("is taken where both are theirs, whatever the case of the name", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: people },
      program: (service) =>
        memberProgram({
          projectId: paymentsId(service),
          username: "BOB@example.com",
          invitationId: invitationOf(service, bob).id,
          roles: ["GROUP_BACKUP_ADMIN"],
        }),
    });
    await succeeded(stack.up());
    expect(invitedTo(sandbox)).toEqual({ ...before, [bob]: ["GROUP_BACKUP_ADMIN"] });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({ [ada]: readers });
    expect(Object.keys(membersOf(sandbox))).toEqual(["owner@example.com"]);
  });
});

// Pulumi YAML leaves a key without a value out before anybody sees it; values from a file can be null in any other program.
it("a person whom ProjectMembers names without roles, as null, is refused before anything is written (dynamic)", async () => {
  const { sandbox, stack } = await createEstate({
    door: "dynamic",
    sandbox: { seed: people },
    program: (service) =>
      membersProgram({
        projectId: paymentsId(service),
        members: { "owner@example.com": ["GROUP_OWNER"], [bob]: null, [ada]: readers },
      }),
  });
  const up = await stack.up();
  expect(up.exitCode).not.toBe(0);
  expect(up.output).toContain(
    `members["${bob}"] must not be empty: a person without a role is not in the project`,
  );
  expect(writes(sandbox)).toEqual([]);
  expect(invitedTo(sandbox)).toEqual(before);
});
