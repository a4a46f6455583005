/** What tests rely on: no key of the machine reaches a service. */
import { join } from "node:path";
import { createStack, disposeStacks, succeeded } from "../support";

afterEach(disposeStacks);

it("a stack runs a TypeScript program with a dynamic provider, and keeps settings of the machine from it", async () => {
  const stack = await createStack({ program: { folder: join(__dirname, "programs", "inline-dynamic") } });
  process.env.OPSMANAGER_PUBLIC_KEY = "of the machine";
  try {
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
  } finally {
    delete process.env.OPSMANAGER_PUBLIC_KEY;
  }
  expect(await stack.outputs()).toEqual({ word: "hello", settingsSeen: [] });
});
