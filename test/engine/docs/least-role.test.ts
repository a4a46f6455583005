/** The table of docs/security.md: the least role of a key with which a command finds out everything. */
import { succeeded } from "../../support";
import { setUpAccessFolder, writeFiles } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const bob = "bob@example.com";
const commands = {
  preview: ["summarize", "preview"],
  drift: ["drift"],
  unmanaged: ["drift", "--unmanaged"],
  access: ["access"],
  adopt: ["adopt", "--dry-run"],
};

it("docs/security.md names the least role of a key for each command", async () => {
  const payments = ({ orgId }: { orgId: string }) => ({ orgId, name: "payments", tags: [] });
  const setup = await setUpAccessFolder({
    provider: "plugin",
    files: (service) => ({ "payments.yaml": payments(service) }),
  });
  const { stack, sandbox } = setup;
  const { orgId, publicKey } = sandbox;
  await succeeded(stack.up());
  const owner = { orgId, roleName: "ORG_OWNER" };
  const reader = { orgId, roleName: "ORG_READ_ONLY" };
  const admin = { groupId: projectNamed(sandbox, "payments").id, roleName: "GROUP_USER_ADMIN" };
  /** Those of the commands that end with 0. */
  const complete = async (roles: (typeof owner | typeof admin)[], names = Object.keys(commands)) => {
    sandbox.changeKey(publicKey, { roles });
    const done: string[] = [];
    for (const [name, argv] of Object.entries(commands)) {
      if (names.includes(name) && (await opsmanager(stack, argv)).exitCode === 0) done.push(name);
    }
    return done;
  };
  const few = ["preview", "drift"];
  expect(await complete([reader], few)).toEqual(few);

  const members = { [bob]: ["GROUP_OWNER"], "eve@example.com": ["GROUP_READ_ONLY"] };
  await writeFiles(setup, { "projects/payments.yaml": { ...payments(sandbox), members } });
  expect(await complete([reader], few)).toEqual([]);
  sandbox.changeKey(publicKey, { roles: [owner] });
  await succeeded(stack.up());
  expect(await complete([reader, admin])).toEqual(few);
  expect(await complete([owner])).toEqual(Object.keys(commands));
});
