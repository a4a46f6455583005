import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

/** Starts a sandbox for one test and ends it with the test file; several may run side by side. */
export function sandboxes(): (options?: SandboxOptions) => Promise<Sandbox> {
  const running: Sandbox[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
  });
  return async (options = {}) => {
    const sandbox = await startSandbox(options);
    running.push(sandbox);
    return sandbox;
  };
}
