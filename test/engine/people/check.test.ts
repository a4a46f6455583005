/**
 * What Pulumi YAML itself rejects, and that what Check rejects is an error of the command, with the place. The rules of
 * Check: `test/integration/people/check`, `test/unit/resources/names`.
 */

import { succeeded } from "../../support";
import { ada, owner, owners } from "../../support/people";
import { memberProgram, membersOf, membersProgram, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const projectId = "0123456789abcdef01234567";
const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments", members: { [owner]: owners, [ada]: owners } }] };

it.each(bothProviders)(
  "a hidden character in a list that is otherwise unchanged stops the command, and is named (%s)",
  async (provider) => {
    const program = (name: string) => (service: Parameters<typeof paymentsId>[0]) =>
      membersProgram({ projectId: paymentsId(service), members: { [owner]: owners, [name]: owners } });
    const { sandbox, stack } = await setUpStack({ provider, sandbox: { seed }, program: program(ada) });
    await succeeded(stack.up());
    sandbox.clearRequests();
    await stack.setProgram(program(`${ada}\u200b`)(sandbox));
    for (const command of ["preview", "up"] as const) {
      const run = await stack[command]();
      expect(run.exitCode).not.toBe(0);
      expect(messagesOf(run, "error")).toContain(
        `members["${ada}\\u200b"] must not hold hidden characters: U+200B at position ${ada.length + 1}.`,
      );
    }
    expect(writes(sandbox)).toEqual([]);
    expect(membersOf(sandbox)).toEqual({ [ada]: owners, [owner]: owners });
  },
);

it("a person with a name that the library of Pulumi's protocol skips is declared as any other (plugin)", async () => {
  const name = "__proto__";
  const program = (given: readonly string[]) => (service: Parameters<typeof paymentsId>[0]) =>
    membersProgram({ projectId: paymentsId(service), members: { [owner]: owners, [name]: given } });
  const options = { seed: { ...seed, users: [{ username: name }] }, bypassInvitations: true };
  const { sandbox, stack } = await setUpStack({ sandbox: options, program: program(roles) });
  const rolesInProject = () =>
    Object.entries(membersOf(sandbox)).find(([username]) => username === name)?.[1];
  await succeeded(stack.up());
  expect(rolesInProject()).toEqual(roles);
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  await stack.setProgram(program(owners)(sandbox));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect(rolesInProject()).toEqual(owners);
});

// Pulumi YAML checks programs against the package schema itself, so these end in the language's own words.
it("a program with a value of the wrong shape is rejected by Pulumi YAML (plugin)", async () => {
  const { sandbox, stack } = await setUpStack({ program: () => ({}) });
  const programs = {
    colour: memberProgram({ projectId, username: ada, roles, colour: "blue" }),
    roles: memberProgram({ projectId, username: ada, roles: "GROUP_OWNER" }),
    members: membersProgram({ projectId, members: [ada] }),
    maxRemovals: membersProgram({ projectId, members: { [ada]: roles }, maxRemovals: "many" }),
  };
  for (const [property, program] of Object.entries(programs)) {
    await stack.setProgram(program);
    const { exitCode, output } = await stack.preview();
    expect([property, exitCode === 0, output]).toEqual([property, false, expect.stringContaining(property)]);
  }
  expect(sandbox.requests).toEqual([]);
});
