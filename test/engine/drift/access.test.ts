/** Who has access that no resource declares: what `opsmanager drift` reports, until a rule accepts it. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, repositoryRoot, type Stack, succeeded } from "../../support";
import { initializeStack } from "../../support/state-backend";
import { rowsOf } from "../../unit/cli/drift/reports";
import { opsmanager } from "../support/opsmanager";
import { messagesOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { owner, reader } from "./support";

afterEach(tearDownStacks);

const execute = promisify(execFile);
const [ada, bob, olga] = ["ada@example.com", "bob@example.com", "olga@example.com"];
const mallory = { username: "mallory@example.com", roles: owner };

const fileOf = (stack: Stack, name: string) => readFile(join(stack.paths.program, name), "utf8");
const writeRules = (stack: Stack, rules: readonly object[]) =>
  writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify(rules));

/** A new project with all its people, as in "Get started", a single person in an older one, and a team. */
function program({ orgId, state }: Sandbox, more: Program["resources"] = {}): Program {
  const projectId = state.projects.find(({ name }) => name === "billing")?.id;
  return {
    resources: {
      payments: { type: "Project", properties: { orgId, name: "payments" } },
      people: {
        type: "ProjectMembers",
        properties: { projectId: "${payments.projectId}", members: { [ada]: owner, [bob]: reader } },
      },
      olga: { type: "ProjectMember", properties: { projectId, username: olga, roles: owner } },
      operators: { type: "Team", properties: { orgId, name: "operators", usernames: [olga] } },
      ...more,
    },
  };
}

/** The options differ in what the command does, and not in what it gets from a provider. */
it.each([
  { provider: "plugin", options: [[], ["--unmanaged"]] },
  { provider: "dynamic", options: [["--state-only"]] },
] as const)(
  "is no one after the first up, whose owner the service chose, then an appointed and an invited owner, one beside single people, and a person in a team ($provider)",
  async ({ provider, options }) => {
    keepDefault(
      "refreshBeforeUpdate",
      "a plain preview knows the owners of the organization and who is undeclared",
    );
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "billing", members: { [olga]: owner } }] } },
      program,
    });
    const { orgId } = sandbox;
    const up = await succeeded(stack.up());
    const { id: payments } = projectNamed(sandbox, "payments");
    const { id: billing } = projectNamed(sandbox, "billing");
    expect(sandbox.user({ username: "owner@example.com" })?.roles).toContainEqual({
      groupId: payments,
      roleName: "GROUP_OWNER",
    });
    for (const { diagnostics } of [up, await succeeded(stack.preview())]) {
      const shown = diagnostics.filter(({ severity }) => severity !== "debug");
      expect(shown.filter(({ message }) => message.includes("owner@example.com"))).toEqual([]);
    }
    // Beside single people, only owners count.
    const member = sandbox.setMember(billing, { username: "reader@example.com" }, reader);
    const drift = (...more: string[]) => opsmanager(stack, ["drift", "--stack", "test", ...more]);
    for (const option of options) {
      const quiet = await drift(...option);
      expect([quiet.exitCode, quiet.stdout.split("\n")[0]]).toEqual([0, "No drift."]);
    }

    sandbox.addInvitation(payments, mallory);
    sandbox.setMember(billing, mallory, owner);
    const [team] = sandbox.state.teams;
    sandbox.changeTeam(team?.id ?? "", { userIds: [...(team?.userIds ?? []), member.id] });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ same: 4 });
    const said = (text: string) =>
      preview.diagnostics.filter(({ message, severity }) => severity !== "debug" && message.includes(text));
    expect(said("mallory")).toMatchObject([
      { message: expect.stringContaining("is not listed and not changed") },
    ]);
    const stays = 'team "operators" who are not listed stay in it: reader@example.com.';
    expect(said("reader")).toMatchObject([{ message: expect.stringContaining(stays) }]);

    const lead = sandbox.setOrgMember(orgId, { username: "former.lead@example.com" }, ["ORG_MEMBER"]);
    const search = { orgId, name: "search", projectOwnerId: lead.id };
    const declared = { projectId: "${search.projectId}", members: { [ada]: owner } };
    await stack.setProgram(
      program(sandbox, {
        search: { type: "Project", properties: search },
        "people-of-search": { type: "ProjectMembers", properties: declared },
      }),
    );
    await succeeded(stack.up());
    for (const option of options) {
      const formats = ["text", "json=drift.json", "sarif=drift.sarif"].flatMap((name) => ["--format", name]);
      const found = await drift(...option, ...formats, "--no-attribution");
      expect(found).toMatchObject({ exitCode: 2, stderr: "" });
      expect(found.stdout).toMatch(/^Drift: 4 differences in 4 resources \(4 undeclared\)\./);
      const outside = "not declared (changed outside Pulumi";
      for (const line of [
        `! members["mallory@example.com"]: pending, ["GROUP_OWNER"], ${outside}`,
        `! members["mallory@example.com"]: active, ["GROUP_OWNER"], ${outside}`,
        `! usernames["reader@example.com"]: "reader@example.com", ${outside}`,
        // No one outside Pulumi is blamed for what the key of the stack did, also without its events.
        '! members["former.lead@example.com"]: active, ["GROUP_OWNER"], not declared (changed with the API key of Pulumi, by a run or by another user of the key',
      ])
        expect(found.stdout).toContain(line);
      const sentence = '(ProjectMembers): members[\\"mallory@example.com\\"]: pending, ';
      expect(await fileOf(stack, "drift.sarif")).toContain(sentence);
      const { result, findings } = driftReport.parse(JSON.parse(await fileOf(stack, "drift.json")));
      const property = 'members["mallory@example.com"]';
      expect(result).toBe("drift");
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: "undeclared", name: "people", property, live: owner }),
      );
    }

    const rules = ["people", "olga", "operators", "people-of-search"].map((resource) => {
      return { resource, kind: "undeclared", reason: "audit", expires: "2999-12-31" };
    });
    await writeRules(stack, rules.slice(1));
    if (provider === "plugin") expect(await resultOfAction(stack)).toMatchObject({ differences: 1 });
    await writeRules(stack, rules);
    expect((await drift(...(options[0] ?? []))).exitCode).toBe(0);
  },
);

/** The action runs the command in processes of its own. */
async function resultOfAction(stack: Stack): Promise<unknown> {
  const { program: cwd } = stack.paths;
  await mkdir(join(cwd, "node_modules"), { recursive: true });
  await symlink(repositoryRoot, join(cwd, "node_modules", "pulumi-opsmanager"));
  const own = { OPSMANAGER_DRIFT_STACKS: "test", OPSMANAGER_DRIFT_ARGUMENTS: "--unmanaged" };
  const env = { ...(await stack.environmentOfCommands()), ...own };
  await execute(process.execPath, [join(repositoryRoot, "action", "run.mjs")], { cwd, env });
  const result = JSON.parse(await fileOf(stack, join("drift-reports", "result.json")));
  expect(result).toMatchObject({ "exit-code": 2, result: "drift", undetermined: 0 });
  return result;
}

it("is reported of a secret list without declared names, and not at all if there is none", async () => {
  const seed = { projects: [{ name: "payments", members: { [olga]: owner } }] };
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: (here) => {
      const projectId = projectNamed(here, "payments").id;
      const properties = { projectId, members: { "fn::secret": { [olga]: owner } } };
      return { resources: { people: { type: "ProjectMembers", properties } } };
    },
  });
  await succeeded(stack.up());
  expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);
  expect((await opsmanager(stack, ["drift", "--state-only"])).exitCode).toBe(1);
  sandbox.addInvitation(projectNamed(sandbox, "payments").id, mallory);
  const found = await opsmanager(stack, ["drift"]);
  expect(found.exitCode).toBe(2);
  expect(found.stdout).toContain('! members: "[secret]", not declared');
  expect(found.stdout).not.toContain("@example.com");
});

it.each([
  { provider: "plugin", isSecret: false },
  { provider: "plugin", isSecret: true },
  { provider: "dynamic", isSecret: false },
] as const)(
  "is an account with the name of a listed one, which removeUnlisted keeps and the new name of the renamed one in the program ends ($provider, secret: $isSecret)",
  async ({ provider, isSecret }) => {
    const renamed = "robert@example.com";
    const listing = (here: Sandbox, name: string): Program => {
      const secret = (names: unknown) => (isSecret ? { "fn::secret": names } : names);
      const members = secret({ [olga]: owner, [name]: reader });
      const properties = { projectId: projectNamed(here, "payments").id, members, removeUnlisted: true };
      const people = { type: "ProjectMembers", properties };
      const team = {
        orgId: here.orgId,
        name: "operators",
        usernames: secret([olga, name]),
        removeUnlisted: true,
      };
      return { resources: { people, operators: { type: "Team", properties: team } } };
    };
    const seed = { projects: [{ name: "payments", members: { [olga]: owner, [bob]: reader } }] };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (here) => listing(here, bob),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeUser(sandbox.user({ username: bob })?.id ?? "", { username: renamed });
    const other = sandbox.setMember(id, { username: bob }, owner);
    const [team] = sandbox.state.teams;
    sandbox.changeTeam(team?.id ?? "", { userIds: [...(team?.userIds ?? []), other.id] });

    const warnings = messagesOf(await succeeded(stack.preview({ refresh: true })), "warning");
    expect(warnings.split("is the name of two accounts")).toHaveLength(3);
    const found = await opsmanager(stack, ["drift"]);
    expect(found.exitCode).toBe(2);
    const means = `the list means ${isSecret ? "[secret]" : renamed}, which was renamed`;
    expect(found.stdout.split(means)).toHaveLength(3);
    expect(found.stdout).toContain("list the renamed account by its new name, and run pulumi up.");
    expect(found.stdout).not.toContain("set removeUnlisted");
    if (isSecret) expect(found.stdout).not.toContain("@example.com");
    await stack.setProgram(listing(sandbox, renamed));
    await succeeded(stack.up({ refresh: true }));
    expect(sandbox.user({ username: bob })?.roles.filter(({ groupId }) => groupId === id)).toEqual([]);
    expect(sandbox.state.teams[0]?.userIds).not.toContain(other.id);
    expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);
  },
);

/** Its teams are declared and not who is in them, as `opsmanager adopt --members --teams` leaves a project. */
function paymentsProgram(sandbox: Sandbox): Program {
  const projectId = projectNamed(sandbox, "payments").id;
  const team = (teamName: string, roles: string[]) => ({
    type: "ProjectTeam",
    properties: { projectId, teamName, roles },
  });
  return {
    resources: {
      payments: { type: "Project", properties: { projectId, tags: ["PROD"] } },
      ada: { type: "ProjectMember", properties: { projectId, username: ada, roles: reader } },
      admins: team("admins", ["GROUP_USER_ADMIN"]),
      auditors: team("auditors", reader),
    },
  };
}

/** It also declares an owner of the other project. */
function billingProgram(sandbox: Sandbox): Program {
  const [projectId, other] = ["billing", "payments"].map((name) => projectNamed(sandbox, name).id);
  const properties = { projectId, members: { [olga]: owner }, removeUnlisted: true };
  return {
    resources: {
      billing: { type: "Project", properties: { projectId } },
      members: { type: "ProjectMembers", properties },
      bob: { type: "ProjectMember", properties: { projectId: other, username: bob, roles: owner } },
    },
  };
}

/** A second stack of the same Pulumi project, with a program of its own. */
async function upSecond(stack: Stack, second: Program): Promise<void> {
  const { program: folder } = stack.paths;
  await stack.setProgram(second);
  await copyFile(join(folder, `Pulumi.${stack.name}.yaml`), join(folder, "Pulumi.second.yaml"));
  await initializeStack(stack.paths.state, stack.project, "second");
  await succeeded(stack.run("up", "--stack", "second", "--yes", "--skip-preview"));
}

it("is, over two stacks, what neither owns: counted on request and without what rules ignore, and masked in every file", async () => {
  const members = { [olga]: ["GROUP_AUTOMATION_ADMIN"], [ada]: reader, [bob]: owner };
  const { sandbox, stack } = await setUpStack({
    sandbox: {
      seed: {
        projects: [
          { name: "payments", members },
          { name: "billing", members: { [olga]: owner } },
        ],
      },
    },
    program: (service) => {
      for (const name of ["admins", "auditors"]) service.addTeam({ name, userIds: [] });
      return paymentsProgram(service);
    },
  });
  const { orgId } = sandbox;
  await succeeded(stack.up());
  await upSecond(stack, billingProgram(sandbox));
  const { id: billing } = projectNamed(sandbox, "billing");
  const byHand = sandbox.addProject({ name: "by-hand" });
  sandbox.addInvitation(byHand.id, { username: "eve@example.com", roles: reader });
  // One stack after the other: runs at once would have processes of their own.
  const both = ["--stack", "test", "--stack", "second", "--parallel", "1"];
  const drift = (...args: string[]) => opsmanager(stack, ["drift", "--state-only", ...args]);

  const quiet = await drift(...both, "--unmanaged", "--format", "text", "--format", "json=drift.json");
  expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  expect(quiet.stdout).toContain("Unmanaged: 1 project, 2 project memberships, 1 organization owner.");
  expect(quiet.stdout).toContain("2 of 3 projects managed (66%), 3 of 5 project memberships managed (60%)");
  const report = driftReport.parse(JSON.parse(await fileOf(stack, "drift.json")));
  expect(report.result).toBe("clean");
  const holder = { name: "by-hand", id: byHand.id };
  expect(rowsOf(report, "projects")).toMatchObject([{ orgId, holder, place: holder }]);
  const people = rowsOf(report, "people")
    .filter(({ status }) => status !== "indirect")
    .map(({ holder, place, status }) => [holder.name, place.name, status]);
  expect(people.sort()).toEqual([
    ["eve@example.com", "by-hand", "pending"],
    [olga, "payments", "active"],
  ]);

  // Alone, a stack does not own what the other one does. Here the command has processes of its own.
  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const argv = [main, "drift", "--state-only", "--stack", "test", "--unmanaged"];
  const env = await stack.environmentOfCommands();
  const alone = execute(process.execPath, argv, { cwd: stack.paths.program, env });
  await expect(alone).rejects.toMatchObject({ code: 2, stderr: "" });
  const { stdout } = await alone.catch((ended: { stdout: string }) => ended);
  expect(stdout).toContain(`  billing (${billing}) in organization`);
  expect(stdout).toContain(`! members["${bob}"]: active, ["GROUP_OWNER"], not declared`);

  const rules = [
    { resource: "by-*" },
    { resource: "*", property: "OLGA@example.com" },
    { resource: "Example*", property: "owner@example.com" },
  ].map((rule) => ({ kind: "unmanaged", reason: "the auditors'", ...rule }));
  const ruled = (content: readonly object[]) =>
    writeRules(stack, content).then(() => drift(...both, "--fail-on-unmanaged"));
  const all = await ruled(rules);
  expect(all).toMatchObject({ exitCode: 0, stderr: "" });
  expect(all.stdout).toMatch(/^No drift\. 4 ignored\.\n/);
  expect((await ruled(rules.slice(1))).exitCode).toBe(2);
  await writeRules(stack, []);

  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["PROD", "URGENT"] });
  sandbox.setMember(billing, { username: "mallory@example.com" }, reader);
  for (const { id, name } of sandbox.state.teams) {
    const person = sandbox.setOrgMember(orgId, { username: `${name}-mallory@example.com` }, ["ORG_MEMBER"]);
    sandbox.changeTeam(id, { userIds: [person.id] });
  }
  const formats = ["--format", "text", "--format", "json=drift.json", "--format", "sarif=drift.sarif"];
  const masked = await drift(...both, "--fail-on-unmanaged", "--mask-people", ...formats);
  expect(masked.exitCode).toBe(2);
  expect(masked.stdout).toMatch(/! teams\.admins\["person-\w{10}"\]: \["GROUP_USER_ADMIN"\] in payments/);
  expect(masked.stdout).toMatch(/person-\w{10} in team auditors \(\w+\) of organization .*: GROUP_READ_ONLY/);
  for (const text of [masked.stdout, await fileOf(stack, "drift.json"), await fileOf(stack, "drift.sarif")]) {
    expect(text).toContain("URGENT");
    expect(text).toContain("by-hand");
    expect(text).toMatch(/members\[\\?"person-[0-9a-f]{10}\\?"\]/);
    expect(text).not.toMatch(/@example\.com/);
  }
  await writeRules(stack, [{ resource: "admins", kind: "unmanaged", reason: "the directory decides" }]);
  const accepted = (await drift(...both)).stdout;
  expect(accepted).toContain("the directory decides");
  expect(accepted).not.toContain(bob);
});
