/**
 * Every folder of `examples/` is a program that a stranger may copy, so every one is run here as it is, in the resident processes.
 * examples-testing-workflow.test.ts has the processes of a user: the language host, the compiler and the plugin that `Pulumi.yaml`
 * names.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { type Sandbox, startSandbox } from "../../sandbox";
import { type ConfigValue, createStack, disposeStacks, type Stack, succeeded } from "../support";
import { ada, bob, eve, owner, owners, readers } from "../support/people";
import { day, daysAgo } from "./support/days";
import { exampleNames, examples, hasTestFile } from "./support/examples";
import { invitationOf, invitedTo, membersOf } from "./support/people-program";
import { messagesOf, projectNamed, writes } from "./support/project-program";
import { type KeyPair, ReadingClient } from "./support/reading-client";
import { attachment, connection } from "./support/stack-setup";

const robot = "svc-backup@example.com";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ ldap: true });
});
afterEach(async () => {
  await disposeStacks();
  await sandbox.close();
});

/** @param config what the example requires beside the provider's settings */
async function open(folder: string, config: Readonly<Record<string, ConfigValue>>): Promise<Stack> {
  const own = Object.entries(config).map(([name, value]) => [`${folder}:${name}`, value]);
  return createStack({
    program: { folder: join(examples, folder), hosts: "resident" },
    config: { ...connection(sandbox), ...Object.fromEntries(own) },
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...(await attachment()) }, // examples-types.test.ts checks the types.
  });
}

function projectNames(): string[] {
  return sandbox.state.projects.map(({ name }) => name).sort();
}

/** What each example is for, as tests. */
const plays: Readonly<Record<string, (folder: string) => void>> = {
  quickstart: (folder) =>
    createsAndAdopts("payments", () => {
      const legacy = sandbox.addProject({ name: "legacy" });
      const invitation = sandbox.addInvitation(legacy.id, {
        username: ada,
        roles: readers,
      });
      return open(folder, { orgId: sandbox.orgId, legacyProjectId: legacy.id, invitationId: invitation.id });
    }),
  "quickstart-dynamic": (folder) =>
    createsAndAdopts("billing", () =>
      open(folder, { orgId: sandbox.orgId, legacyProjectId: sandbox.addProject({ name: "legacy" }).id }),
    ),
  minimal: projectWithPeople,
  team: teamInAProject,
  "new-project": projectWithTeamAndKey,
  "key-rotation": keyRotatedWithOverlap,
  offboarding: oneListForManyProjects,
  yaml: allResourcesAndALookup,
  gitops: organizationInFiles,
  "gitops-sharded": projectsInSeveralStacks,
};

it("plays every folder of examples/ that has no test file of its own", () => {
  const folders = exampleNames.filter((name) => !hasTestFile(name));
  expect(Object.keys(plays).sort()).toEqual([...folders].sort());
});

it("each program names the plugin where npm installs it, as the one does that the engine starts it for", async () => {
  const settingsOf = async (name: string) =>
    parse(await readFile(join(examples, name, "Pulumi.yaml"), "utf8")).plugins;
  const expected = await settingsOf("testing");
  expect(expected).toEqual({ providers: [{ name: "opsmanager", path: "./node_modules/pulumi-opsmanager" }] });
  for (const name of Object.keys(plays))
    expect([name, await settingsOf(name)]).toEqual([
      name,
      name === "quickstart-dynamic" ? undefined : expected,
    ]);
});

describe.each(Object.entries(plays))("examples/%s", (folder, play) => play(folder));

function createsAndAdopts(created: string, start: () => Promise<Stack>): void {
  it("creates and adopts, has nothing to do the second time, and leaves the adopted project behind", async () => {
    const stack = await start();
    expect((await succeeded(stack.up())).changes).toEqual({ create: 2 });
    expect(projectNames()).toEqual(["legacy", created].sort());
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    await succeeded(stack.destroy());
    expect(projectNames()).toEqual(["legacy"]);
  });
}

function projectWithPeople(folder: string): void {
  it("creates the project and invites its people", async () => {
    const stack = await open(folder, { orgId: sandbox.orgId });
    const first = await succeeded(stack.up());
    expect([first.changes, messagesOf(first, "warning")]).toEqual([{ create: 2 }, ""]);
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD", "TEAM_PAYMENTS"]);
    expect(invitedTo(sandbox, id)).toEqual({
      [ada]: owners,
      [bob]: readers,
    });
    await succeeded(stack.destroy());
    expect(projectNames()).toEqual([]);
  });
}

function teamInAProject(folder: string): void {
  const pendingIn = async (stack: Stack) => (await stack.outputs()).pending;

  it("adds or invites the team, recognizes who accepts, removes who leaves the list, and deletes the project", async () => {
    const stack = await open(folder, { orgId: sandbox.orgId });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 4 });
    const { id } = projectNamed(sandbox, "payments");
    expect(invitedTo(sandbox, id)).toEqual({
      [ada]: owners,
      [bob]: ["GROUP_DATA_ACCESS_READ_ONLY", "GROUP_READ_ONLY"],
      [eve]: ["GROUP_MONITORING_ADMIN", "GROUP_READ_ONLY"],
    });
    expect(await stack.outputs()).toEqual({ projectId: id, pending: [ada, bob, eve] });

    sandbox.acceptInvitation(invitationOf(sandbox, bob, id).id);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });
    expect(await pendingIn(stack)).toEqual([ada, eve]);

    const list = join(stack.paths.program, "people.ts");
    const lines = (await readFile(list, "utf8")).split("\n");
    await writeFile(list, lines.filter((line) => !line.includes(bob) && !line.includes(eve)).join("\n"));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2, delete: 2 });
    expect(membersOf(sandbox, id)).toEqual({ [owner]: owners });
    expect(invitedTo(sandbox, id)).toEqual({ [ada]: owners });

    sandbox.clearRequests();
    await succeeded(stack.destroy());
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${id}` }]);
  });
}

function projectWithTeamAndKey(folder: string): void {
  const people = [ada, bob];

  it("invites the people to a new organization, adds those who accept to the team, and makes a secret key; destroying leaves the people", async () => {
    await sandbox.close();
    sandbox = await startSandbox(); // A service with LDAP has no teams.
    const stack = await open(folder, { orgId: sandbox.orgId, lead: owner });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 6 });
    expect(sandbox.state.teams.map(({ userIds }) => userIds.length)).toEqual([1]);
    expect(sandbox.state.invitations.map(({ username }) => username).sort()).toEqual(people);
    for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);

    await succeeded(stack.up());
    const { teams, agentKeys } = projectNamed(sandbox, "payments");
    expect(teams.map(({ roleNames }) => roleNames)).toEqual([
      ["GROUP_AUTOMATION_ADMIN", "GROUP_MONITORING_ADMIN"],
    ]);
    expect([agentKeys.length, sandbox.state.teams.map(({ userIds }) => userIds.length)]).toEqual([2, [3]]);
    const output = async (...flags: string[]) =>
      (await succeeded(stack.run("stack", "output", ...flags))).output;
    expect(await output()).toMatch(/agentApiKey +\[secret\]/);
    expect(await output("agentApiKey", "--show-secrets")).toContain(agentKeys.at(-1)?.key);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 6 });
    await succeeded(stack.destroy());
    expect([projectNames(), sandbox.state.teams]).toEqual([[], []]);
    for (const username of people) expect(sandbox.user({ username })?.roles).toHaveLength(1);
  });
}

function keyRotatedWithOverlap(folder: string): void {
  it("one commit, and a client works with the old key until it moves, and with the new one while the old one ends", async () => {
    const { id: projectId } = sandbox.addProject({ name: "payments" });
    const stack = await open(folder, { orgId: sandbox.orgId, projectId });
    const program = join(stack.paths.program, "index.ts");
    const text = await readFile(program, "utf8");
    const commit = (line: string) => writeFile(program, text.replace(/^const issued: .*$/m, line));
    const readme = await readFile(join(examples, folder, "README.md"), "utf8");
    const [before = "", rotation = "", after = ""] = readme.match(/const issued: .*?;/g) ?? [];
    expect(text).toContain(before);
    const keys = async () => {
      const output = await succeeded(stack.run("stack", "output", "keys", "--show-secrets"));
      return JSON.parse(output.output) as Record<"2026-01" | "2026-07", KeyPair>;
    };

    const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    stack.setEnv({ ...env, ...daysAgo(2) });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 2 });
    const { "2026-01": oldKey } = await keys();
    const client = new ReadingClient(sandbox.baseUrl, oldKey, projectId);
    await commit(rotation.replace(/\d{4}-\d\d-\d\d/, day(-1)));
    expect((await succeeded(stack.up())).changes).toEqual({ create: 2, update: 2 });
    const { "2026-01": kept, "2026-07": newKey } = await keys();
    expect(kept).toEqual(oldKey);
    client.use(newKey);

    stack.setEnv({ ...env, ...(await attachment()) });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2, update: 2 });
    expect(await client.stop()).toMatchObject({ answered: expect.any(Number), refused: 0 });
    expect(await new ReadingClient(sandbox.baseUrl, oldKey, projectId).stop()).toMatchObject({
      answered: 0,
      refused: 1,
    });
    sandbox.clearRequests();
    await commit(after);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2, delete: 2 });
    expect(writes(sandbox)).toEqual([]);
  });
}

function oneListForManyProjects(folder: string): void {
  const names = ["billing", "orders", "payments"];

  interface Person {
    readonly username: string;
    readonly projects: Record<string, string[]>;
  }

  /** Who is in each project and who is invited: `{ billing: [ada, "bob@example.com (invited)"] }`. */
  function everywhere(): Record<string, string[]> {
    const entries = names.map((name) => {
      const { id } = projectNamed(sandbox, name);
      const invited = Object.keys(invitedTo(sandbox, id)).map((username) => `${username} (invited)`);
      return [name, [...Object.keys(membersOf(sandbox, id)), ...invited]];
    });
    return Object.fromEntries(entries);
  }

  async function changePeople(stack: Stack, change: (people: Person[]) => Person[]): Promise<void> {
    const list = join(stack.paths.program, "people.json");
    const people = JSON.parse(await readFile(list, "utf8")) as Person[];
    await writeFile(list, JSON.stringify(change(people)));
  }

  it("adds or invites all listed people, and removes a person who is removed from the list from all projects", async () => {
    // Ada owns everything and bob is in two of three projects; eve and bob in `billing` are still to come.
    for (const name of names) {
      const { id } = sandbox.addProject({ name });
      sandbox.setMember(id, { username: ada }, owners);
      if (name !== "billing") sandbox.setMember(id, { username: bob }, readers);
      if (name === "payments") sandbox.setMember(id, { username: robot }, ["GROUP_BACKUP_ADMIN"]);
    }
    const stack = await open(folder, { orgId: sandbox.orgId, projects: names });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 3 });
    expect(everywhere()).toEqual({
      billing: [ada, `${bob} (invited)`],
      orders: [ada, bob, `${eve} (invited)`],
      payments: [ada, bob, robot, `${eve} (invited)`],
    });
    expect(membersOf(sandbox, projectNamed(sandbox, "orders").id)[bob]).toEqual(["GROUP_USER_ADMIN"]);
    expect(await stack.outputs()).toEqual({ pending: [bob, eve] });
    await changePeople(stack, (people) => people.filter(({ username }) => username !== bob));
    expect((await succeeded(stack.up())).changes).toEqual({ update: 3 });
    const without = {
      billing: [ada],
      orders: [ada, `${eve} (invited)`],
      payments: [ada, robot, `${eve} (invited)`],
    };
    expect(everywhere()).toEqual(without);
    expect(await stack.outputs()).toEqual({ pending: [eve] });

    // A faulty list removes no member: the run fails and names the fault.
    const list = join(stack.paths.program, "people.json");
    const text = await readFile(list, "utf8");
    const misspelled = ({ projects, ...person }: Person) => ({
      ...person,
      projects: { ...projects, bliling: owners },
    });
    for (const { change, message } of [
      { change: () => [], message: "people.json lists no people, so nothing was changed." },
      {
        change: (people: Person[]) => people.map(misspelled),
        message: "people.json: ada@example.com is in unknown projects: bliling.",
      },
    ]) {
      await changePeople(stack, change);
      sandbox.clearRequests();
      const up = await stack.up();
      expect([message, up.exitCode === 0, writes(sandbox)]).toEqual([message, false, []]);
      expect(up.output).toContain(message);
      await writeFile(list, text);
    }

    // Many people were added outside Pulumi: the next run reports them.
    const strangers = [1, 2, 3, 4].map((number) => `temp-${number}@example.com`);
    const { id: orders } = projectNamed(sandbox, "orders");
    for (const username of strangers) sandbox.setMember(orders, { username }, readers);
    const tooMany = await stack.up();
    expect(tooMany.exitCode).not.toBe(0);
    for (const text of ["more than maxRemovals (3) allows", ...strangers])
      expect(tooMany.output).toContain(text);
    await succeeded(stack.destroy());
    expect(everywhere()).toEqual({ ...without, orders: [ada, ...strangers, `${eve} (invited)`] });
  });
}

function allResourcesAndALookup(folder: string): void {
  it("creates one project, adopts the other with its people, and leaves the adopted one behind", async () => {
    const { id: legacy } = sandbox.addProject({ name: "legacy" });
    sandbox.setMember(legacy, { username: ada }, owners);
    sandbox.setMember(legacy, { username: eve }, readers);
    sandbox.setMember(legacy, { username: robot }, ["GROUP_BACKUP_ADMIN"]);
    const stack = await open(folder, { orgId: sandbox.orgId, legacyProjectId: legacy });

    const first = await succeeded(stack.up());
    expect(first.changes).toEqual({ create: 4 });
    const { id: payments } = projectNamed(sandbox, "payments");
    expect(await stack.outputs()).toEqual({
      paymentsId: payments,
      legacyName: "legacy",
      ada: "pending",
      inPayments: [
        expect.objectContaining({ username: ada, status: "pending", roles: owners }),
        expect.objectContaining({ username: owner, status: "active" }),
      ],
    });
    expect(invitedTo(sandbox, legacy)).toEqual({ [bob]: ["GROUP_DATA_ACCESS_READ_ONLY", "GROUP_READ_ONLY"] });
    expect(Object.keys(membersOf(sandbox, legacy))).toEqual([ada, robot]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });

    await succeeded(stack.destroy());
    expect(projectNames()).toEqual(["legacy"]);
    expect(Object.keys(membersOf(sandbox, legacy))).toEqual([ada, robot]);
  });
}

function organizationInFiles(folder: string): void {
  const orgId = "5f0c0c0c0c0c0c0c0c0c0c0c";

  it("declares what the files have, releases one project and deletes the other whose file was deleted, and keeps keys secret", async () => {
    await sandbox.close();
    const users = [{ username: ada, roles: [{ orgId, roleName: "ORG_OWNER" }] }];
    const seed = { orgs: [{ id: orgId, name: "Example Org" }], users };
    sandbox = await startSandbox({ seed, orgUserChanges: "offered" }); // A service with LDAP has no teams.
    const stack = await open(folder, {});
    // Three projects, the people of two of them, one person of the third, a team, its roles and those of a key, the file of
    // the organization with two people and the key, and the component.
    expect((await succeeded(stack.up())).changes).toEqual({ create: 14 });
    expect(projectNames()).toEqual(["Billing EU", "payments", "try-outs of eve"]);
    const payments = projectNamed(sandbox, "payments");
    expect(payments.tags).toEqual(["PROD"]);
    expect(payments.teams.map(({ roleNames }) => roleNames)).toEqual([["GROUP_AUTOMATION_ADMIN"]]);
    expect(membersOf(sandbox, payments.id)).toMatchObject({ [ada]: owners });
    expect(Object.keys(invitedTo(sandbox, payments.id))).toEqual([bob]);
    expect(await stack.outputs()).toMatchObject({
      projects: { payments: { projectId: payments.id, name: "payments" }, billing: { name: "Billing EU" } },
      teams: { operators: { name: "operators" } },
    });
    const key = sandbox.state.keys.find(({ desc }) => desc === "deployment pipeline");
    expect(key?.privateKey).toEqual(expect.any(String));
    expect(JSON.stringify(await stack.state())).not.toContain(key?.privateKey);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 14 });

    const files = join(stack.paths.program, "projects");
    await rm(join(files, "payments.yaml"));
    await rm(join(files, "try-outs", "eve.yaml"));
    await succeeded(stack.up());
    expect(projectNames()).toEqual(["Billing EU", "payments"]);
  });
}

function projectsInSeveralStacks(folder: string): void {
  it("declares in each stack the projects of one organization, and leaves those of the other stack alone", async () => {
    sandbox.addOrg({ id: "5f0c0c0c0c0c0c0c0c0c0c0c", name: "Shop" });
    sandbox.addOrg({ id: "5f0c0c0c0c0c0c0c0c0c0c0d", name: "Bank" });
    const settingsOf = async (stack: string) => {
      const { config } = parse(await readFile(join(examples, folder, `Pulumi.${stack}.yaml`), "utf8"));
      return { select: JSON.stringify(config[`${folder}:select`]) };
    };
    const shop = await open(folder, await settingsOf("shop"));
    // Two projects with their people, the file of the organization with one person, and the component.
    expect((await succeeded(shop.up())).changes).toEqual({ create: 7 });
    expect(projectNames()).toEqual(["orders", "payments"]);
    const bank = await open(folder, await settingsOf("bank"));
    expect((await succeeded(bank.up())).changes).toEqual({ create: 3 });
    expect(projectNames()).toEqual(["ledger", "orders", "payments"]);
    expect((await succeeded(shop.up())).changes).toEqual({ same: 7 });
    expect(Object.keys((await bank.outputs()).projects as object)).toEqual(["ledger"]);
  });
}
