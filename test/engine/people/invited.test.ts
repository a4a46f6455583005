/** An invited person changes by accepting, so the engine reads them before each run whatever the settings are. The life of all kinds: `../lives-*`. */
import { succeeded } from "../../support";
import { ada, owner, owners, readers } from "../../support/people";
import {
  invitationOf,
  invitedTo,
  memberProgram,
  nothing,
  paymentsId,
  upAgain,
} from "../support/people-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("without refreshBeforeUpdate, an invitation is read all the same until it is accepted, is sent again if it was taken back, and is read no longer once it is accepted (plugin; the dynamic provider always reads)", async () => {
  const setup = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: { [owner]: owners } }] } },
    config: { "opsmanager:refreshBeforeUpdate": false },
    program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles: readers }),
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  sandbox.removeInvitation(invitationOf(sandbox, ada).id);
  expect((await upAgain(setup)).changes).toEqual({ create: 1 });
  expect(invitedTo(sandbox)).toEqual({ [ada]: readers });

  sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
  expect(await upAgain(setup)).toEqual(nothing);
  expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", username: ada } });

  sandbox.setMember(paymentsId(sandbox), { username: ada }, owners);
  expect(await upAgain(setup)).toEqual(nothing);
  expect(sandbox.requests).toEqual([]);
  expect((await succeeded(stack.preview({ refresh: true }))).changes).toEqual({ update: 1 });
});
