/** People and teams that a resource with all people of a project or team does not declare. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Program, repositoryRoot, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const seed = { projects: [{ name: "payments", members: { "olga@example.com": owner } }] };

function program(type: "ProjectMembers" | "ProjectMember", more: object = {}) {
  return (sandbox: Sandbox): Program => {
    const projectId = projectNamed(sandbox, "payments").id;
    const people =
      type === "ProjectMembers"
        ? { members: { "olga@example.com": owner }, ...more }
        : { username: "olga@example.com", roles: owner };
    return { resources: { people: { type, properties: { projectId, ...people } } } };
  };
}

const formats = ["json", "markdown", "html", "sarif", "junit"];
const intoFiles = formats.flatMap((name) => ["--format", `${name}=drift.${name}`]);

/** The options differ in what the command does, and not in what it gets from a provider. */
it.each([
  ["plugin", [[], ["--state-only"], ["--unmanaged"]]],
  ["dynamic", [["--state-only"]]],
] as const)(
  "reports an invited owner in every preview and every format, until a rule accepts her (%s)",
  async (provider, options) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: program("ProjectMembers"),
    });
    await succeeded(stack.up());
    expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);
    const { id } = projectNamed(sandbox, "payments");
    sandbox.addInvitation(id, { username: "mallory@example.com", roles: owner });

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ same: 1 });
    const lines = preview.diagnostics.filter(({ message }) => message.includes("mallory"));
    expect(lines).toMatchObject([{ message: expect.stringContaining("is not listed and not changed") }]);
    await succeeded(stack.up());

    for (const option of options) {
      const found = await opsmanager(stack, ["drift", "--stack", "test", ...option, ...intoFiles]);
      expect(found).toMatchObject({ exitCode: 2, stderr: "" });
      expect(found.stdout).toMatch(/^Drift: 1 difference in 1 resource \(1 undeclared\)\./);
      expect(found.stdout).toContain(
        '! members["mallory@example.com"]: pending, ["GROUP_OWNER"], not declared',
      );
      const files = await Promise.all(
        formats.map((name) => readFile(join(stack.paths.program, `drift.${name}`), "utf8")),
      );
      for (const file of files) expect(file).toContain("mallory");
      const { result, findings } = driftReport.parse(JSON.parse(files[0] ?? ""));
      expect({ result, findings }).toMatchObject({
        result: "drift",
        findings: [
          { kind: "undeclared", name: "people", property: 'members["mallory@example.com"]', live: owner },
        ],
      });
    }
    const masked = await opsmanager(stack, ["drift", "--stack", "test", "--mask-people"]);
    expect(masked.stdout).toMatch(/! members\["person-\w{10}"\]/);
    expect(masked.stdout).not.toContain("mallory");

    const rule = { resource: "people", property: 'members["mallory@example.com"]', kind: "undeclared" };
    const rules = join(stack.paths.program, ".opsmanager-drift.yaml");
    await writeFile(rules, JSON.stringify([{ ...rule, reason: "audit", expires: "2999-12-31" }]));
    expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);
  },
);

it("reports an owner beside ProjectMembers of single people, and a person in a team", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: (sandbox) => ({
      resources: {
        ...program("ProjectMember")(sandbox).resources,
        operators: {
          type: "Team",
          properties: { orgId: sandbox.orgId, name: "operators", usernames: ["olga@example.com"] },
        },
      },
    }),
  });
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  sandbox.setMember(id, { username: "reader@example.com" }, ["GROUP_READ_ONLY"]);
  expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);

  sandbox.setMember(id, { username: "mallory@example.com" }, owner);
  const [team] = sandbox.state.teams;
  const userId = (username: string) => sandbox.user({ username })?.id ?? "";
  sandbox.changeTeam(team?.id ?? "", { userIds: ["olga@example.com", "reader@example.com"].map(userId) });
  const preview = await succeeded(stack.preview());
  expect(preview.diagnostics.filter(({ message }) => message.includes("reader"))).toMatchObject([
    {
      message: expect.stringContaining('team "operators" who are not listed stay in it: reader@example.com.'),
    },
  ]);
  const found = await opsmanager(stack, ["drift", "--stack", "test"]);
  expect(found.exitCode).toBe(2);
  expect(found.stdout).toContain('! members["mallory@example.com"]: active, ["GROUP_OWNER"], not declared');
  expect(found.stdout).toContain('! usernames["reader@example.com"]: "reader@example.com", not declared');
});

it("reports undeclared people of a secret list without declared names, and nothing if there are none", async () => {
  const members = { "fn::secret": { "olga@example.com": owner } };
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed },
    program: program("ProjectMembers", { members }),
  });
  await succeeded(stack.up());
  expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);
  expect((await opsmanager(stack, ["drift", "--stack", "test", "--state-only"])).exitCode).toBe(1);
  sandbox.addInvitation(projectNamed(sandbox, "payments").id, {
    username: "mallory@example.com",
    roles: owner,
  });
  const found = await opsmanager(stack, ["drift", "--stack", "test"]);
  expect(found.exitCode).toBe(2);
  expect(found.stdout).toContain('! members: "[secret]", not declared');
  expect(found.stdout).not.toContain("@example.com");
});

it("is drift for the action, which counts her as a difference", async () => {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: program("ProjectMembers") });
  await succeeded(stack.up());
  sandbox.addInvitation(projectNamed(sandbox, "payments").id, {
    username: "mallory@example.com",
    roles: owner,
  });
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
  expect(result).toMatchObject({ "exit-code": 2, result: "drift", differences: 1, undetermined: 0 });
});
