/** People and teams that a resource with all people of a project or team does not declare. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { keepDefault, type Program, repositoryRoot, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const olga = { "olga@example.com": owner };
const mallory = { username: "mallory@example.com", roles: owner };

/** A project with all its people, one with a single person, and a team. */
function program(sandbox: Sandbox): Program {
  const [payments, billing] = ["payments", "billing"].map((name) => projectNamed(sandbox, name).id);
  const usernames = Object.keys(olga);
  return {
    resources: {
      people: { type: "ProjectMembers", properties: { projectId: payments, members: olga } },
      olga: {
        type: "ProjectMember",
        properties: { projectId: billing, username: "olga@example.com", roles: owner },
      },
      operators: { type: "Team", properties: { orgId: sandbox.orgId, name: "operators", usernames } },
    },
  };
}

const seed = { projects: ["payments", "billing"].map((name) => ({ name, members: olga })) };

/** The options differ in what the command does, and not in what it gets from a provider. */
it.each([
  { provider: "plugin", options: [[], ["--unmanaged"]] },
  { provider: "dynamic", options: [["--state-only"]] },
] as const)(
  "reports an invited owner, an owner beside single people and a person in a team, until a rule accepts them ($provider)",
  async ({ provider, options }) => {
    keepDefault("refreshBeforeUpdate", "a plain preview names who is undeclared");
    const { sandbox, stack } = await setUpStack({ provider, sandbox: { seed }, program });
    await succeeded(stack.up());
    const [payments = "", billing = ""] = sandbox.state.projects.map(({ id }) => id);
    // Beside single people, only owners count.
    const reader = sandbox.setMember(billing, { username: "reader@example.com" }, ["GROUP_READ_ONLY"]);
    const drift = (...more: string[]) => opsmanager(stack, ["drift", "--stack", "test", ...more]);
    expect((await drift()).exitCode).toBe(0);

    sandbox.addInvitation(payments, mallory);
    sandbox.setMember(billing, mallory, owner);
    const [team] = sandbox.state.teams;
    sandbox.changeTeam(team?.id ?? "", { userIds: [...(team?.userIds ?? []), reader.id] });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ same: 3 });
    const said = (text: string) => preview.diagnostics.filter(({ message }) => message.includes(text));
    expect(said("mallory")).toMatchObject([
      { message: expect.stringContaining("is not listed and not changed") },
    ]);
    const stays = 'team "operators" who are not listed stay in it: reader@example.com.';
    expect(said("reader")).toMatchObject([{ message: expect.stringContaining(stays) }]);

    for (const option of options) {
      const formats = ["text", "json=drift.json", "sarif=drift.sarif"].flatMap((name) => ["--format", name]);
      const found = await drift(...option, ...formats);
      expect(found).toMatchObject({ exitCode: 2, stderr: "" });
      expect(found.stdout).toMatch(/^Drift: 3 differences in 3 resources \(3 undeclared\)\./);
      for (const line of [
        '! members["mallory@example.com"]: pending, ["GROUP_OWNER"], not declared',
        '! members["mallory@example.com"]: active, ["GROUP_OWNER"], not declared',
        '! usernames["reader@example.com"]: "reader@example.com", not declared',
      ])
        expect(found.stdout).toContain(line);
      const read = (name: string) => readFile(join(stack.paths.program, name), "utf8");
      const sentence = '(ProjectMembers): members[\\"mallory@example.com\\"]: pending, ';
      expect(await read("drift.sarif")).toContain(sentence);
      const json = await read("drift.json");
      const { result, findings } = driftReport.parse(JSON.parse(json));
      const property = 'members["mallory@example.com"]';
      expect(result).toBe("drift");
      expect(findings).toContainEqual(
        expect.objectContaining({ kind: "undeclared", name: "people", property, live: owner }),
      );
    }
    const masked = await drift("--mask-people");
    expect(masked.stdout).toMatch(/! members\["person-\w{10}"\]/);
    expect(masked.stdout).not.toContain("mallory");

    const rules = ["people", "olga", "operators"].map((resource) => {
      return { resource, kind: "undeclared", reason: "audit", expires: "2999-12-31" };
    });
    await writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify(rules.slice(1)));
    if (provider === "plugin") expect(await resultOfAction(stack)).toMatchObject({ differences: 1 });
    await writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify(rules));
    expect((await drift()).exitCode).toBe(0);
  },
);

/** The action runs the command in processes of its own. */
async function resultOfAction(stack: Awaited<ReturnType<typeof setUpStack>>["stack"]): Promise<unknown> {
  const { program: cwd } = stack.paths;
  await mkdir(join(cwd, "node_modules"), { recursive: true });
  await symlink(repositoryRoot, join(cwd, "node_modules", "pulumi-opsmanager"));
  await promisify(execFile)(process.execPath, [join(repositoryRoot, "action", "run.mjs")], {
    cwd,
    env: {
      ...(await stack.environmentOfCommands()),
      OPSMANAGER_DRIFT_STACKS: "test",
      OPSMANAGER_DRIFT_ARGUMENTS: "--unmanaged",
    },
  });
  const result = JSON.parse(await readFile(join(cwd, "drift-reports", "result.json"), "utf8"));
  expect(result).toMatchObject({ "exit-code": 2, result: "drift", undetermined: 0 });
  return result;
}

it("reports undeclared people of a secret list without declared names, and nothing if there are none", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: (here) => {
      const projectId = projectNamed(here, "payments").id;
      const properties = { projectId, members: { "fn::secret": olga } };
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
