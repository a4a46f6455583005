/** An input that becomes a secret without another change: the engine calls that the same, and keeps the old outputs. */
import { type Program, succeeded } from "../../support";
import { messagesOf, projectProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("is kept out of messages from the next up on, and nothing is sent for it", async () => {
  const named = (name: unknown, { orgId }: { orgId: string }): Program =>
    projectProgram({ orgId, name, tags: ["PROD"], onDestroy: "release" });
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    program: (service) => named("moonshot", service),
  });
  await succeeded(stack.up());
  sandbox.clearRequests();
  await stack.setProgram(named({ "fn::secret": "moonshot" }, sandbox));
  expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  expect(writes(sandbox)).toEqual([]);

  const destroy = await succeeded(stack.destroy());
  expect(messagesOf(destroy)).toContain("was released");
  expect(messagesOf(destroy)).not.toContain("moonshot");
});
