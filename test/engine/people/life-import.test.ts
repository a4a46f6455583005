/** `pulumi import` and the option `import` of a person. What they take into the state: `test/integration/members`. */
import { join } from "node:path";
import type { Seed } from "../../../sandbox";
import { succeeded } from "../../support";
import { ada, owner, roles } from "../support/ada";
import { useGenerated } from "../support/mechanics";
import {
  invitationsTo,
  memberProgram,
  membersOf,
  nothing,
  paymentsId,
  upAgain,
} from "../support/people-program";
import { emptyProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

// The dynamic provider is not here: nothing can be imported into a dynamic resource (known difference).
const token = "opsmanager:index:ProjectMember";

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

it.each([
  ["a member", memberSeed, token, "ada", "/ada@EXAMPLE.com"],
  ["everyone of a project", memberSeed, "opsmanager:index:ProjectMembers", "people", ""],
  ["an invited user", invitedSeed, token, "ada", `/${ada}`],
])(
  "%s is imported, and the program that import writes has no difference to it",
  async (_, seed, type, name, person) => {
    const { setup, sandbox, stack, projectId } = await createPayments(seed);
    const file = join(stack.paths.root, "generated.yaml");
    const code = { generateCode: true, out: file };
    const run = await succeeded(stack.import(type, name, `${projectId}${person}`, code));
    expect(run.changes).toEqual({ import: 1 });
    await useGenerated(stack, file);
    expect(await upAgain(setup)).toEqual(nothing);
    expect(writes(sandbox)).toEqual([]);
  },
);

describe("a person who is in already", () => {
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
