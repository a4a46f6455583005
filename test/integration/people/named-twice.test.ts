/** Design, ProjectMember: more than one of username, userId and invitationId must mean the same person. */

import {
  invitationOf,
  invitedTo,
  memberProgram,
  membersOf,
  membersProgram,
  paymentsId,
} from "../../engine/support/people-program";
import { writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, bob, readers } from "../../support/people";

afterEach(tearDownStacks);

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

describe("a person whom the program names twice (plugin)", () => {
  it("is rejected where username or userId and the invitation name two persons: nothing is written and nothing recorded", async () => {
    const { sandbox, stack } = await setUpStack({ sandbox: { seed: people }, program: () => ({}) });
    const projectId = paymentsId(sandbox);
    const invitationId = invitationOf(sandbox, bob).id;
    const cases = {
      "a username and another person's invitation": { username: ada },
      "an account and another person's invitation": {
        userId: sandbox.addUser({ username: "eve@example.com" }).id,
      },
      "a member's username and another person's invitation": { username: "owner@example.com" },
      "a member's account and another person's invitation": {
        userId: sandbox.user({ username: "owner@example.com" })?.id,
      },
    };
    for (const [title, who] of Object.entries(cases)) {
      await stack.setProgram(memberProgram({ projectId, ...who, invitationId, roles: ["GROUP_OWNER"] }));
      const up = await stack.up();
      expect({
        title,
        failed: up.exitCode !== 0,
        output: up.output,
        writes: writes(sandbox),
        invited: invitedTo(sandbox),
        recorded: await stack.resource("ada"),
      }).toEqual({
        title,
        failed: true,
        output: expect.stringContaining(`invitationId ${invitationId} do not name the same person`),
        writes: [],
        invited: before,
        recorded: undefined,
      });
    }
  });

  it("is accepted where both are theirs, whatever the case of the username", async () => {
    const { sandbox, stack } = await setUpStack({
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

// Pulumi YAML leaves a key without a value out before the provider gets it; values from a file can be null in any other program.
it("a person whom ProjectMembers names without roles, as null, is refused before anything is written (dynamic)", async () => {
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
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
