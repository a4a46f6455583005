/** The state cannot be reached: what the commands report, and what they must not print. */
import { readdir } from "node:fs/promises";
import { setUpAccessFolder } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** `pulumi` quotes the address as it is, and a report of drift may become an issue that everyone reads. */
it("no command repeats the password of the database that holds the state, nor takes an unknown stack for none", async () => {
  const setup = await setUpAccessFolder({ provider: "dynamic", files: () => ({}) });
  const { sandbox, stack } = setup;
  stack.setEnv({
    PULUMI_BACKEND_URL: "postgres://state:hunter2%2Fsecret@127.0.0.1:1/pulumi",
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
  });
  const commands = [
    ["adopt"],
    ["adopt", "--stack", "prod"],
    ["drift", "--stack", "prod", "--format", "markdown"],
    ["doctor"],
  ];
  for (const argv of commands) {
    const { exitCode, stdout, stderr } = await opsmanager(stack, argv);
    expect({ argv, exitCode }).toEqual({ argv, exitCode: 1 });
    expect(stdout + stderr).toContain("unable to open state database");
    expect(stdout + stderr).not.toContain("hunter2");
  }
  expect(await readdir(stack.paths.program)).not.toContain("import.json");
});
