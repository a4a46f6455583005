/** The table of docs/security.md: the least role of a key with which a command finds out everything. */
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const commands = {
  preview: ["summarize", "preview"],
  drift: ["drift"],
  unmanaged: ["drift", "--unmanaged"],
  access: ["access"],
  adopt: ["adopt", "--dry-run"],
};

it("docs/security.md names the least role of a key for each command", async () => {
  const members = { "olga@example.com": ["GROUP_OWNER"] };
  const { sandbox, stack } = await setUpStack({
    config: { "opsmanager:refreshBeforeUpdate": true },
    sandbox: { seed: { projects: [{ name: "payments", members }] } },
    program: () => ({}),
  });
  const { orgId, publicKey } = sandbox;
  const projectId = projectNamed(sandbox, "payments").id;
  const payments = { type: "Project", properties: { projectId, name: "payments", tags: [] } };
  const owner = { orgId, roleName: "ORG_OWNER" };
  const reader = { orgId, roleName: "ORG_READ_ONLY" };
  const admin = { groupId: projectId, roleName: "GROUP_USER_ADMIN" };
  /** Those of the commands that end with 0. */
  const complete = async (...roles: (typeof owner | typeof admin)[]) => {
    sandbox.changeKey(publicKey, { roles });
    const done: string[] = [];
    for (const [name, argv] of Object.entries(commands)) {
      if ((await opsmanager(stack, argv)).exitCode === 0) done.push(name);
    }
    return done;
  };
  await stack.setProgram({ resources: { payments } });
  await succeeded(stack.up());
  expect(await complete(reader)).toEqual(["preview", "drift"]);

  const more = { ...members, "eve@example.com": ["GROUP_READ_ONLY"] };
  const people = { type: "ProjectMembers", properties: { projectId, members: more } };
  await stack.setProgram({ resources: { payments, people } });
  expect(await complete(reader)).toEqual([]);
  sandbox.changeKey(publicKey, { roles: [owner] });
  await succeeded(stack.up());
  expect(await complete(reader, admin)).toEqual(["preview", "drift"]);
  expect(await complete(owner)).toEqual(Object.keys(commands));
});
