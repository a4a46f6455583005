/** The last direct owner of a project, through the real engine. The rules: `test/integration/people/project-members-owners`. */
import { succeeded } from "../../support";
import { ada, owner, owners, readers } from "../../support/people";
import { membersOf, membersProgram, nothing, paymentsId, upAgain } from "../support/people-program";
import { errorsOf, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("ProjectMembers keeps the last owner of a project with an error, and is in order once another owner is declared", async () => {
  const setup = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: { [owner]: owners, [ada]: readers } }] } },
    program: (service) =>
      membersProgram({ projectId: paymentsId(service), members: { [owner]: owners, [ada]: readers } }),
  });
  const { sandbox, stack } = setup;
  const projectId = paymentsId(sandbox);
  await succeeded(stack.up());
  await stack.setProgram(membersProgram({ projectId, members: { [ada]: readers } }));
  sandbox.clearRequests();
  expect(await errorsOf(stack.preview())).toContain(`No direct owner would be left in project ${projectId}`);
  expect(await errorsOf(stack.up())).toContain(`${owner} is the last direct owner of project ${projectId}`);
  expect(membersOf(sandbox)).toEqual({ [ada]: readers, [owner]: owners });
  // The service refuses such a removal too, but the provider does not send it.
  expect(writes(sandbox)).toEqual([]);

  await stack.setProgram(membersProgram({ projectId, members: { [ada]: owners } }));
  await succeeded(stack.up());
  expect(membersOf(sandbox)).toEqual({ [ada]: owners });
  expect(await upAgain(setup)).toEqual(nothing);
});
