/** `opsmanager drift --unmanaged` over two stacks of one service, with rules and without names of people, in the processes of a user. */
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

it("names what no stack owns, counts it on request and without what rules ignore, and masks people", async () => {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program: paymentsProgram });
  const { orgId } = sandbox;
  await succeeded(stack.up());
  await upSecond(stack, billingProgram(sandbox));
  const { id: billing } = projectNamed(sandbox, "billing");
  const byHand = sandbox.addProject({ name: "by-hand" });
  sandbox.addInvitation(byHand.id, { username: "eve@example.com", roles: reader });
  const both = ["--stack", "test", "--stack", "second"];
  const drift = (...args: string[]) => opsmanager(stack, ["drift", "--state-only", ...args]);
  const file = (name: string) => readFile(join(stack.paths.program, name), "utf8");

  const quiet = await drift(...both, "--unmanaged", "--format", "text", "--format", "json=drift.json");
  expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  expect(quiet.stdout).toContain("Unmanaged: 1 project, 2 people, 1 organization owner.");
  expect(quiet.stdout).toContain("2 of 3 projects managed (66%), 2 of 4 people managed (50%)");
  const { result, unmanaged } = driftReport.parse(JSON.parse(await file("drift.json")));
  expect(result).toBe("clean");
  expect(unmanaged?.projects).toMatchObject([{ orgId, projectId: byHand.id, name: "by-hand" }]);
  const people = (unmanaged?.people ?? [])
    .filter(({ status }) => status !== "indirect")
    .map(({ username, projectName, status }) => [username, projectName, status]);
  expect(people.sort()).toEqual([
    ["eve@example.com", "by-hand", "pending"],
    ["olga@example.com", "payments", "active"],
  ]);

  // One stack under two names is reported once; alone, it does not own what the other one does.
  const twice = await drift("--stack", "test", "--stack", `organization/${stack.project}/test`);
  expect(twice.stdout).toMatch(/^No drift\.\n\ntest \(\w+, 2 resources\)\n {2}as declared\n$/);
  const alone = await drift("--stack", "test", "--fail-on-unmanaged");
  expect(alone.exitCode).toBe(2);
  expect(alone.stdout).toContain(`  billing (${billing}): a project of organization`);

  const known = (kind: object) => ({ kind: "unmanaged", reason: "the auditors'", ...kind });
  const rules = [
    known({ resource: "by-*" }),
    known({ resource: "*", property: "OLGA@example.com" }),
    known({ resource: "Example*", property: "owner@example.com" }),
  ];
  const ruled = async (content: readonly object[]) => {
    await writeFile(join(stack.paths.program, "known.yaml"), JSON.stringify(content));
    return drift(...both, "--fail-on-unmanaged", "--ignore-file", "known.yaml");
  };
  const all = await ruled(rules);
  expect(all).toMatchObject({ exitCode: 0, stderr: "" });
  expect(all.stdout).toMatch(/^No drift\. 4 ignored\.\n/);
  expect((await ruled(rules.slice(1))).exitCode).toBe(2);

  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["PROD", "URGENT"] });
  sandbox.setMember(billing, { username: "mallory@example.com" }, reader);
  const formats = ["--format", "text", "--format", "json=drift.json", "--format", "sarif=drift.sarif"];
  const masked = await drift(...both, "--fail-on-unmanaged", "--mask-people", ...formats);
  expect(masked.exitCode).toBe(2);
  for (const text of [masked.stdout, await file("drift.json"), await file("drift.sarif")]) {
    expect(text).toContain("URGENT");
    expect(text).toContain("by-hand");
    expect(text).toMatch(/members\[\\?"person-[0-9a-f]{10}\\?"\]/);
    expect(text).not.toMatch(/@example\.com/);
  }
});

it("reports a stack without a state and an organization without a list as unknown, stops when canceled, and prints nothing else in a process of its own", async () => {
  const projects = Array.from({ length: 30 }, (_, index) => ({ name: `by-hand-${index}` }));
  let onRequest = (_line: string) => {};
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [...seed.projects, ...projects] }, log: (line) => onRequest(line) },
    program: paymentsProgram,
  });
  await succeeded(stack.up());
  const named = ["--state-only", "--stack", "test", "--stack", "nowhere", "--unmanaged"];
  const unknown = await opsmanager(stack, ["drift", ...named]);
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
    unmanaged: { organizations: [{ orgId: sandbox.orgId }] },
  });
  expect(await opsmanager(stack, ["drift", "--org", "example"])).toMatchObject({
    exitCode: 64,
    stdout: "",
    stderr: "opsmanager: --org example: must be the id of an organization, 24 hexadecimal digits.\n",
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

  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const args = ["drift", "--unmanaged", "--org", sandbox.orgId, "--parallel", "1"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args], {
    cwd: stack.paths.program,
    env: await stack.environmentOfCommands(),
  });
  expect(stdout).toContain("Unmanaged: 31 projects");
  expect(stderr).toBe("");
});
