/** Every folder of `examples/` is a program that a stranger may copy, so every one is run here as it stands. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../sandbox";
import { type ConfigValue, createStack, disposeStacks, secret, succeeded } from "../support";

const examples = join(__dirname, "..", "..", "examples");

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ ldap: true });
});
afterEach(async () => {
  await disposeStacks();
  await sandbox.close();
});

/** What each example asks for beside the provider's settings, and what its projects are called. */
const played: Record<string, { config: () => Record<string, ConfigValue>; creates: string; adopts: string }> =
  {
    quickstart: {
      config: () => {
        const legacy = sandbox.addProject({ name: "legacy" });
        const invitation = sandbox.addInvitation(legacy.id, {
          username: "ada@example.com",
          roles: ["GROUP_READ_ONLY"],
        });
        return { orgId: sandbox.orgId, legacyProjectId: legacy.id, invitationId: invitation.id };
      },
      creates: "payments",
      adopts: "legacy",
    },
    "quickstart-dynamic": {
      config: () => ({ orgId: sandbox.orgId, legacyProjectId: sandbox.addProject({ name: "legacy" }).id }),
      creates: "billing",
      adopts: "legacy",
    },
  };

it("plays every folder of examples/", () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(Object.keys(played).sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe.each(Object.entries(played))("examples/%s", (folder, { config, creates, adopts }) => {
  it("creates and adopts, has nothing to do the second time, and leaves the adopted project behind", async () => {
    const own = Object.entries(config()).map(([name, value]) => [`${folder}:${name}`, value]);
    const stack = await createStack({
      program: { folder: join(examples, folder) },
      config: {
        "opsmanager:baseUrl": sandbox.baseUrl,
        "opsmanager:publicKey": sandbox.publicKey,
        "opsmanager:privateKey": secret(sandbox.privateKey),
        ...Object.fromEntries(own),
      },
    });
    const names = () => sandbox.state.projects.map(({ name }) => name).sort();

    expect((await succeeded(stack.up())).changes).toEqual({ create: 2 });
    expect(names()).toEqual([adopts, creates].sort());
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    await succeeded(stack.destroy());
    expect(names()).toEqual([adopts]);
  });
});
