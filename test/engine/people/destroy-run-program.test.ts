/** `pulumi destroy --run-program`: the program runs, and declares the members that are then removed. */
import { succeeded } from "../../support";
import { memberProgram, membershipsIn, paymentsId } from "../support/people-program";
import { bothProviders } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const members = { "olga@example.com": ["GROUP_OWNER"] };

it.each(bothProviders)(
  "destroy --run-program removes the members that the program declares (%s)",
  async (provider) => {
    const username = "ada@example.com";
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: { users: [{ username }], projects: [{ name: "payments", members }] },
      },
      program: (started) =>
        memberProgram({ projectId: paymentsId(started), username, roles: ["GROUP_READ_ONLY"] }),
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy({ runProgram: true }));
    expect(membershipsIn(sandbox)).toEqual({ members, invited: {} });
  },
);
