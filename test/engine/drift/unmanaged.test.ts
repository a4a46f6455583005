/** `opsmanager drift --unmanaged` over two stacks of one service, in every format, with and without names of people. */
import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Program, repositoryRoot, type Stack, succeeded } from "../../support";
import { initializeStack } from "../../support/state-backend";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];

const seed = {
  projects: [
    {
      name: "payments",
      members: { "olga@example.com": ["GROUP_AUTOMATION_ADMIN"], "ada@example.com": reader },
    },
    { name: "billing", members: { "olga@example.com": owner } },
  ],
};

function paymentsProgram(sandbox: Sandbox): Program {
  const projectId = projectNamed(sandbox, "payments").id;
  return {
    resources: {
      payments: { type: "Project", properties: { projectId, tags: ["PROD"] } },
      ada: { type: "ProjectMember", properties: { projectId, username: "ada@example.com", roles: reader } },
    },
  };
}

function billingProgram(sandbox: Sandbox): Program {
  const projectId = projectNamed(sandbox, "billing").id;
  return {
    resources: {
      billing: { type: "Project", properties: { projectId } },
      members: {
        type: "ProjectMembers",
        properties: { projectId, members: { "olga@example.com": owner }, removeUnlisted: true },
      },
    },
  };
}

/** A second stack of the same Pulumi project, with a program of its own. */
async function upSecond(stack: Stack, program: Program): Promise<void> {
  const { program: folder } = stack.paths;
  await stack.setProgram(program);
  await copyFile(join(folder, `Pulumi.${stack.name}.yaml`), join(folder, "Pulumi.second.yaml"));
  await initializeStack(stack.paths.state, stack.project, "second");
  await succeeded(stack.run("up", "--stack", "second", "--yes", "--skip-preview"));
}

const formats = ["json", "markdown", "html", "sarif", "junit"];

/** Reports on two stacks, one of them alone, with rules, and masked; each with what it printed and wrote. */
async function reportOnTwoStacks() {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: paymentsProgram });
  await succeeded(stack.up());
  await upSecond(stack, billingProgram(sandbox));
  const idOf = (name: string) => projectNamed(sandbox, name).id;
  const unmanaged = sandbox.addProject({ name: "by-hand" });
  sandbox.addInvitation(unmanaged.id, { username: "eve@example.com", roles: reader });
  const both = ["--stack", "test", "--stack", "second"];
  const drift = (...args: string[]) => opsmanager(stack, ["drift", "--state-only", ...args]);
  const file = (name: string) => readFile(join(stack.paths.program, name), "utf8");

  const quiet = await drift(...both, "--unmanaged", "--format", "json=drift.json");
  const json = driftReport.parse(JSON.parse(await file("drift.json")));
  const twice = await drift("--stack", "test", "--stack", `organization/${stack.project}/test`);
  const alone = await drift("--stack", "test", "--fail-on-unmanaged");

  const rules = join(stack.paths.program, "known.yaml");
  const known = (kind: object) => ({ kind: "unmanaged", reason: "the auditors'", ...kind });
  const ofBoth = [
    known({ resource: "by-*" }),
    known({ resource: "*", property: "OLGA@example.com" }),
    known({ resource: "Example*", property: "owner@example.com" }),
  ];
  const ruled = async (content: readonly object[]) => {
    await writeFile(rules, JSON.stringify(content));
    return drift(...both, "--fail-on-unmanaged", "--ignore-file", rules);
  };
  const ignoring = { all: await ruled(ofBoth), some: await ruled(ofBoth.slice(1)) };

  sandbox.changeProject(idOf("payments"), { tags: ["PROD", "URGENT"] });
  sandbox.setMember(idOf("billing"), { username: "mallory@example.com" }, reader);
  const files = formats.flatMap((name) => ["--format", `${name}=drift.${name}`]);
  const { exitCode, stdout } = await drift(...both, "--fail-on-unmanaged", "--mask-people", ...files);
  const texts = [stdout, ...(await Promise.all(formats.map((name) => file(`drift.${name}`))))];
  const ids = { orgId: sandbox.orgId, byHand: unmanaged.id, billing: idOf("billing") };
  return { quiet, json, twice, alone, ignoring, masked: { exitCode, texts }, ...ids };
}

describe("what no stack owns", () => {
  let reports: Awaited<ReturnType<typeof reportOnTwoStacks>>;
  beforeAll(async () => {
    reports = await reportOnTwoStacks();
  });

  it("--unmanaged names the projects and people that no stack owns, and does not count them for the exit code", () => {
    const { quiet, json, orgId, byHand } = reports;
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
    expect(quiet.stdout).toContain("Unmanaged: 1 project, 2 people, 1 organization owner.");
    expect(quiet.stdout).toContain("2 of 3 projects managed (66%), 2 of 4 people managed (50%)");
    expect(json).toMatchObject({
      result: "clean",
      unreadable: [],
      unmanaged: {
        organizations: [{ orgId, projects: { total: 3, managed: 2 }, people: { total: 4, managed: 2 } }],
        projects: [{ orgId, projectId: byHand, name: "by-hand" }],
        people: expect.arrayContaining([
          expect.objectContaining({ username: "eve@example.com", projectName: "by-hand", status: "pending" }),
          expect.objectContaining({
            username: "olga@example.com",
            projectName: "payments",
            status: "active",
          }),
        ]),
      },
    });
  });

  it("one stack under two names is reported once", () => {
    expect(reports.twice.stdout).toMatch(/^No drift\.\n\ntest \(\w+, 2 resources\)\n {2}as declared\n$/);
  });

  it("one stack alone reports the resources of the other stack as unmanaged, and --fail-on-unmanaged counts them", () => {
    const { alone, billing } = reports;
    expect(alone.exitCode).toBe(2);
    expect(alone.stdout).toContain(`  billing (${billing}): a project of organization`);
  });

  it("--fail-on-unmanaged does not count what rules ignore, and counts all else", () => {
    const { all, some } = reports.ignoring;
    expect(all).toMatchObject({ exitCode: 0, stderr: "" });
    expect(all.stdout).toMatch(/^No drift\. 4 ignored\.\n/);
    expect(some.exitCode).toBe(2);
  });

  it("--mask-people replaces each name of a person in the text and in every format, and no name of a project", () => {
    const { exitCode, texts } = reports.masked;
    expect([exitCode, texts.length]).toEqual([2, 1 + formats.length]);
    for (const text of texts) {
      expect(text).toContain("URGENT");
      expect(text).toContain("by-hand");
      expect(text).toMatch(/members\[\\?(?:"|&quot;|&#34;)person-[0-9a-f]{10}\\?(?:"|&quot;|&#34;)\]/);
      expect(text).not.toMatch(/@example\.com/);
    }
  });
});

it("reports an organization without a list and a stack without a state as unknown, and stops when canceled", async () => {
  let onRequest = (_line: string) => {};
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, log: (line) => onRequest(line) },
    program: paymentsProgram,
  });
  await succeeded(stack.up());
  const unknown = await opsmanager(stack, [
    "drift",
    "--state-only",
    "--stack",
    "test",
    "--stack",
    "nowhere",
    "--unmanaged",
  ]);
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stdout).toContain(
    "? unmanaged objects: The state of nowhere could not be read, so the owned objects are unknown.",
  );
  expect(unknown.stdout).not.toContain("Unmanaged:");

  const elsewhere = "5e00000000000000000000ff";
  const missing = await opsmanager(stack, ["drift", "--state-only", "--org", elsewhere, "--format", "json"]);
  expect(missing.exitCode).toBe(1);
  expect(JSON.parse(missing.stdout)).toMatchObject({
    result: "unknown",
    unreadable: [{ what: `projects of organization ${elsewhere}` }],
    unmanaged: { organizations: [{ orgId: sandbox.orgId }], projects: [{ name: "billing" }] },
  });

  const stop = new AbortController();
  onRequest = (line) => {
    if (line.includes(`/orgs/${sandbox.orgId}/groups`)) stop.abort();
  };
  const stopped = await opsmanager(stack, ["drift", "--state-only", "--unmanaged"], {
    stop: stop.signal,
    env: await stack.environmentOfCommands(), // No `pulumi` is under way when it stops.
  });
  expect(stopped).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "opsmanager: Stopped; no report was written.\n",
  });

  const wrong = await opsmanager(stack, ["drift", "--org", "example"]);
  expect(wrong).toMatchObject({
    exitCode: 64,
    stdout: "",
    stderr: "opsmanager: --org example: must be the id of an organization, 24 hexadecimal digits.\n",
  });
});

it("prints nothing but the report in a process of its own, however many projects it reads at once", async () => {
  const projects = Array.from({ length: 30 }, (_, index) => ({ name: `by-hand-${index}` }));
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [...seed.projects, ...projects] } },
    program: paymentsProgram,
  });
  await succeeded(stack.up());
  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const args = ["drift", "--unmanaged", "--org", sandbox.orgId, "--parallel", "1"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args], {
    cwd: stack.paths.program,
    env: await stack.environmentOfCommands(),
  });
  expect(stdout).toContain("Unmanaged: 31 projects");
  expect(stderr).toBe("");
});
