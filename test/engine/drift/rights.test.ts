/** Who can own a project: the first drift of new projects, and people who own it without a membership of their own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const [ada, bob, mallory] = ["ada@example.com", "bob@example.com", "mallory@example.com"];
const [owner, reader] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];

/** The program of "Get started", once for each project. docs/get-started.test.ts types the page itself, with one project. */
function getStarted(orgId: string, projects: Readonly<Record<string, object>>): Program {
  return {
    resources: Object.fromEntries(
      Object.entries(projects).flatMap(([name, properties]) => [
        [name, { type: "Project", properties: { orgId, name, ...properties } }],
        [
          `people-of-${name}`,
          {
            type: "ProjectMembers",
            properties: { projectId: `\${${name}.projectId}`, members: { [ada]: owner, [bob]: reader } },
          },
        ],
      ]),
    ),
  };
}

it.each([
  { provider: "plugin", options: ["--unmanaged"] },
  { provider: "dynamic", options: ["--state-only"] },
] as const)(
  "finds no drift after the first up, whose owner the service chose, but another owner whom the creation appointed ($provider)",
  async ({ provider, options }) => {
    keepDefault("refreshBeforeUpdate", "a preview knows who owns the organization from its read");
    const projects = { payments: {}, billing: {} };
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => getStarted(orgId, projects),
    });
    const up = await succeeded(stack.up());
    const preview = await succeeded(stack.preview());
    const owners = sandbox.state.users.filter(({ roles }) =>
      roles.some(({ groupId, roleName }) => groupId !== undefined && roleName === "GROUP_OWNER"),
    );
    expect(owners.map(({ username }) => username)).toContain("owner@example.com");
    for (const { diagnostics } of [up, preview]) {
      const shown = diagnostics.filter(({ severity }) => severity !== "debug");
      expect(shown.filter(({ message }) => message.includes("owner@example.com"))).toEqual([]);
    }
    const quiet = await opsmanager(stack, ["drift", ...options]);
    expect([quiet.exitCode, quiet.stdout.split("\n")[0]]).toEqual([0, "No drift."]);

    const { orgId } = sandbox;
    const lead = sandbox.setOrgMember(orgId, { username: "former.lead@example.com" }, ["ORG_MEMBER"]);
    await stack.setProgram(getStarted(orgId, { ...projects, search: { projectOwnerId: lead.id } }));
    await succeeded(stack.up());
    sandbox.setMember(projectNamed(sandbox, "search").id, { username: mallory }, ["GROUP_USER_ADMIN"]);
    const { exitCode, stdout } = await opsmanager(stack, ["drift", "--no-attribution", ...options]);
    expect(exitCode).toBe(2);
    // No one outside Pulumi is blamed for what the key of the stack did, also without its events.
    expect(stdout).toContain(
      '! members["former.lead@example.com"]: active, ["GROUP_OWNER"], not declared (changed with the API key of Pulumi, by a run or by another user of the key',
    );
    expect(stdout).toContain(
      `! members["${mallory}"]: active, ["GROUP_USER_ADMIN"], not declared (changed outside Pulumi`,
    );
  },
);

/** As `opsmanager adopt --members --teams` leaves a project: its teams are declared, and not who is in them. */
function adopted(sandbox: Sandbox): Program {
  const projectId = projectNamed(sandbox, "payments").id;
  const team = (teamName: string, roles: string[]) => ({
    type: "ProjectTeam",
    properties: { projectId, teamName, roles },
  });
  return {
    resources: {
      payments: { type: "Project", properties: { projectId } },
      people: { type: "ProjectMembers", properties: { projectId, members: { [ada]: owner } } },
      admins: team("admins", ["GROUP_USER_ADMIN"]),
      auditors: team("auditors", reader),
    },
  };
}

it("reports who joins a team that can own a project, lists who joins another one, with who and when, and accepts a team by a rule", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: owner } }] } },
    program: (service) => {
      for (const name of ["admins", "auditors"]) {
        const { id } = service.addTeam({ name, userIds: [service.user({ username: ada })?.id ?? ""] });
        service.setProjectTeam(projectNamed(service, "payments").id, {
          teamId: id,
          roleNames: name === "admins" ? ["GROUP_USER_ADMIN"] : reader,
        });
      }
      return adopted(service);
    },
  });
  await succeeded(stack.up({ refresh: true }));
  const argv = ["--unmanaged", "--previous", "drift.json", "--format", "text", "--format", "json=drift.json"];
  const run = (...more: string[]) => opsmanager(stack, ["drift", ...argv, ...more]);
  const before = await run();
  expect(before.exitCode).toBe(0);
  expect(before.stdout).toContain("0 of 2 teams managed (0%)");

  sandbox.actAs({ username: "colleague@example.com" });
  for (const { id, name, userIds } of sandbox.state.teams) {
    const person = sandbox.setOrgMember(sandbox.orgId, { username: `${name}-${mallory}` }, ["ORG_MEMBER"]);
    sandbox.changeTeam(id, { userIds: [...userIds, person.id] });
  }
  const found = await run();
  expect(found.exitCode).toBe(2);
  const by = String.raw`\n +last matching event: \S+ \S+ UTC by colleague@example\.com`;
  expect(found.stdout).toMatch(
    new RegExp(
      String.raw`! teams\.admins\["admins-${mallory}"\]: \["GROUP_USER_ADMIN"\] in payments, not declared \(changed outside Pulumi\) \(new\)${by}`,
    ),
  );
  expect(found.stdout).toMatch(
    new RegExp(
      String.raw`auditors-${mallory} in team auditors \(\w+\) of organization .*: GROUP_READ_ONLY \(new\)${by}`,
    ),
  );
  const plain = await opsmanager(stack, ["drift", "--mask-people"]);
  expect(plain.exitCode).toBe(2);
  expect(plain.stdout).toMatch(/! teams\.admins\["person-\w{10}"\]: \["GROUP_USER_ADMIN"\] in payments/);
  expect(plain.stdout).not.toContain("mallory");

  const rule = [{ resource: "admins", kind: "unmanaged", reason: "the directory decides who is in it" }];
  await writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify(rule));
  expect((await run()).exitCode).toBe(0);
});
