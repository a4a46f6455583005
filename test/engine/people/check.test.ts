/** A name that the engine's model cannot hold. What Check rejects: `test/integration/people/check`, `test/unit/resources/names`. */
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { owner, owners, readers } from "../../support/people";
import { membersOf, membersProgram, paymentsId } from "../support/people-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("a person with a name that the library of Pulumi's protocol skips is declared as any other (plugin)", async () => {
  const name = "__proto__";
  const program = (service: Sandbox, roles: readonly string[]) =>
    membersProgram({ projectId: paymentsId(service), members: { [owner]: owners, [name]: roles } });
  const projects = [{ name: "payments", members: { [owner]: owners } }];
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects, users: [{ username: name }] }, bypassInvitations: true },
    program: (service) => program(service, readers),
  });
  for (const roles of [readers, owners]) {
    await stack.setProgram(program(sandbox, roles));
    await succeeded(stack.up());
    expect(Object.entries(membersOf(sandbox))).toContainEqual([name, roles]);
  }
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
});
