/** An API key in files: made with its roles in five projects by one `up`, and rotated in both ways while a client uses it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { attachPlugin, doings, writeFiles } from "../support/access-folder";
import { day, daysAgo } from "../support/days";
import { projectNamed, writes } from "../support/project-program";
import { type KeyPair, ReadingClient } from "../support/reading-client";
import { attachment, setUpStack, tearDownStacks } from "../support/stack-setup";
import { orgId, seed } from "../teams/support";

afterEach(tearDownStacks);

const projects = ["billing", "ledger", "orders", "payments", "stock"];

/** The files of an organization and of the projects in which its keys have a role. */
function filesOf(keys: Readonly<Record<string, string>>) {
  const entries = Object.entries(keys).map(
    ([name, more]) => `  ${name}: { description: pipeline ${name}, roles: [ORG_MEMBER]${more} }`,
  );
  const roles = Object.keys(keys).map((name) => `${name}: [GROUP_READ_ONLY]`);
  return {
    "organizations/acme.yaml": ["key: acme", "apiKeys:", ...entries].join("\n"),
    ...Object.fromEntries(
      projects.map((name) => [`projects/${name}.yaml`, `name: ${name}\napiKeys: { ${roles.join(", ")} }`]),
    ),
  };
}

it.each(["plugin", "dynamic"] as const)(
  "is made by one up, and a client is never refused in a rotation with overlap, and briefly in one by triggers (%s)",
  async (provider) => {
    const { stack, sandbox } = await setUpStack({
      provider: "dynamic",
      sandbox: { seed: { ...seed, projects: [] } },
      config: { "opsmanager:orgId": orgId },
      program: () => ({}),
    });
    const setup = { stack, sandbox };
    const program = `const { AccessFolder } = require("pulumi-opsmanager/projects");
const access = new AccessFolder("access", { folder: ".", provider: "${provider}" });
exports.apiKeys = access.apiKeys;`;
    await writeFile(join(stack.paths.program, "index.js"), program);
    if (provider === "plugin") await attachPlugin(setup);
    const residents = provider === "plugin" ? await attachment() : {};
    const up = async (keys: Parameters<typeof filesOf>[0]) => {
      await writeFiles(setup, filesOf(keys));
      sandbox.clearRequests();
      return doings(await succeeded(stack.up()));
    };
    const keyPair = async (name: string) => {
      const { stdout } = await succeeded(stack.run("stack", "output", "apiKeys", "--show-secrets"));
      return (JSON.parse(stdout) as Record<string, KeyPair>)[`acme/${name}`] as KeyPair;
    };
    const inProjects = (doing: string, key: string) =>
      projects.map((name) => `${doing} ProjectApiKey ${name}/${key}`);
    const placesOf = ({ publicKey }: KeyPair) =>
      sandbox.state.keys
        .find((key) => key.publicKey === publicKey)
        ?.roles.flatMap(({ groupId }) => sandbox.state.projects.find(({ id }) => id === groupId)?.name ?? [])
        .sort();

    // The key and its roles in five projects are one commit.
    expect(await up({ old: "" })).toEqual(
      [
        "create AccessFolder access",
        "create ApiKey acme/old",
        "create OrganizationFile acme",
        ...projects.map((name) => `create Project ${name}`),
        ...inProjects("create", "old"),
      ].sort(),
    );
    const old = await keyPair("old");
    expect(placesOf(old)).toEqual(projects);
    expect(JSON.stringify((await stack.state()).resources)).not.toContain(old.privateKey);

    // With overlap: one commit, a client that moves in time, and a night.
    const client = new ReadingClient(sandbox.baseUrl, old, projectNamed(sandbox, "payments").id);
    const overlap = { old: `, until: ${day(-1)}`, new: "" };
    stack.setEnv(daysAgo(2));
    expect(await up(overlap)).toEqual([
      "create ApiKey acme/new",
      ...inProjects("create", "new").sort(),
      "update ApiKey acme/old",
      ...inProjects("update", "old").sort(),
    ]);
    stack.setEnv(residents);
    const renewed = await keyPair("new");
    expect([placesOf(old), placesOf(renewed)]).toEqual([projects, projects]);
    client.use(renewed);
    expect(await up(overlap)).toEqual(["update ApiKey acme/old", ...inProjects("update", "old").sort()]);
    expect([placesOf(old), placesOf(renewed), client.refused]).toEqual([undefined, projects, 0]);
    expect(client.answered).toBeGreaterThan(0);
    // What is over leaves the files without a write.
    expect(await up({ new: "" })).toEqual(["delete ApiKey acme/old", ...inProjects("delete", "old").sort()]);
    expect([writes(sandbox), client.refused]).toEqual([[], 0]);

    // By triggers: all roles are there before the old key goes, and the client is refused until it has the new one.
    const triggered = { new: ', triggers: { renewed: "2026-12" }' };
    expect(await up(triggered)).toEqual(["replace ApiKey acme/new", ...inProjects("replace", "new").sort()]);
    const sent = sandbox.requests.map(({ method, path, refusal }) => ({ method, path, refusal }));
    const given = sent.findLastIndex(({ method }) => method === "PATCH");
    const deleted = sent.findIndex(({ method }) => method === "DELETE");
    expect([given, deleted].every((index) => index >= 0) && given < deleted).toBe(true);
    const last = await keyPair("new");
    expect([placesOf(renewed), placesOf(last)]).toEqual([undefined, projects]);
    client.use(last);
    const { answered, refused } = client;
    expect(refused).toBeGreaterThan(0);
    expect(await up(triggered)).toEqual([]);
    await client.stop();
    // The one under way may still have the old key.
    expect(client.refused - refused).toBeLessThanOrEqual(1);
    expect(client.answered).toBeGreaterThan(answered);
  },
);
