/** A provider whose key is rotated by the same program: a preview of Pulumi knows its settings only during the update. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { ada, bob, cleo, eve, owner } from "../../support/people";
import { attachPlugin, doings, writeFiles } from "../support/access-folder";
import { accessIn, changesBetween, orgId, resource, seed, summarize } from "../support/access-words";
import { opsmanager } from "../support/opsmanager";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const files = {
  "projects/payments.yaml": `name: payments\nmembers: { ${owner}: [GROUP_OWNER], ${ada}: [GROUP_READ_ONLY] }`,
  "teams/operators.yaml": `name: operators\nusernames: [${bob}]`,
  "organizations/acme.yaml": `key: acme\nmembers: { ${cleo}: [ORG_READ_ONLY] }`,
};

const key = { orgId, description: "pulumi", roles: ["ORG_OWNER"] };

/** A folder and a team below the provider; each takes the organization from its settings. */
const uses = {
  yaml: async ({ stack, sandbox }: StackSetup, month: string, usernames: readonly string[]) => {
    const provider = { provider: "${rotated}" };
    // The events hide what is secret, known or not.
    const keyPair = { publicKey: { "fn::secret": "${key.publicKey}" }, privateKey: "${key.privateKey}" };
    await stack.setProgram({
      resources: {
        key: resource("ApiKey", { ...key, triggers: { month } }),
        rotated: resource("Provider", { ...keyPair, baseUrl: sandbox.baseUrl, orgId }),
        access: resource("opsmanager:AccessFolder", { folder: stack.paths.program }, provider),
        ops: resource("Team", { name: "ops", usernames }, provider),
      },
    });
    stack.setEnv(await attachment());
  },
  node: async ({ stack, sandbox }: StackSetup, month: string, usernames: readonly string[]) => {
    const program = [
      'const { ApiKey, Provider, Team } = require("pulumi-opsmanager");',
      'const { AccessFolder } = require("pulumi-opsmanager/projects");',
      `const key = new ApiKey("key", ${JSON.stringify({ ...key, triggers: { month } })});`,
      "const { publicKey, privateKey } = key;",
      `const settings = { publicKey, privateKey, baseUrl: "${sandbox.baseUrl}", orgId: "${orgId}" };`,
      'const provider = new Provider("rotated", settings);',
      'new AccessFolder("access", { folder: ".", provider: "plugin" }, { providers: [provider] });',
      `new Team("ops", { name: "ops", usernames: ${JSON.stringify(usernames)} }, { provider });`,
    ];
    await writeFile(join(stack.paths.program, "index.js"), program.join("\n"));
  },
} as const;

it.each(["yaml", "node"] as const)(
  "below it, the summary takes access from nobody and names whoever the program adds, and drift is not determined (%s)",
  async (way) => {
    const setup = await setUpStack({
      provider: way === "yaml" ? "plugin" : "dynamic",
      sandbox: { orgUserChanges: "offered", bypassInvitations: true, seed },
      program: () => ({}),
    });
    const { stack, sandbox } = setup;
    if (way === "node") await attachPlugin(setup);
    const use = async (month: string, ...usernames: readonly string[]) => {
      await uses[way](setup, month, usernames);
      await writeFiles(setup, files);
    };
    await use("2026-01", ada, bob);
    await succeeded(stack.up());
    const before = accessIn(sandbox);

    await use("2026-07", ada, eve);
    const preview = await summarize(stack, sandbox, "preview");
    expect(preview.plan).toContain("organization acme: ");
    expect(preview.changes).toEqual([
      "+API key pulumi in organization",
      `+${eve} in team ops`,
      "-API key pulumi in organization",
    ]);
    expect(preview.plan).toContain(
      `team ops: 1 to change, access for ${eve}, perhaps another access for ${bob}`,
    );
    expect(preview.plan).toContain(
      "Pulumi cannot ask rotated before the update, because not all settings are",
    );
    const shown =
      "Pulumi shows these as deleted, and the update may keep them: OrganizationMember acme/cleo@";
    expect(preview.plan.includes(shown)).toBe(way === "yaml");
    expect(preview.plan).not.toMatch(/to (delete|release)/);
    const drift = await opsmanager(stack, ["drift"]);
    expect(drift.stdout).toMatch(/^Not determined: 5 entries\. Beside that: 1 difference in 1 resource/);
    expect(drift.stdout).toContain("known only during an update");
    expect(drift.stdout).not.toContain("destroys");

    expect(doings(await succeeded(stack.up()))).toEqual(["replace ApiKey key", "update Team ops"]);
    expect(changesBetween(before, accessIn(sandbox))).toEqual([
      "+API key pulumi in organization",
      `+${eve} in team ops`,
      "-API key pulumi in organization",
      `-${bob} in team ops`,
    ]);
  },
);
