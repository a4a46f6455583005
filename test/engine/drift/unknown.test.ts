/** `opsmanager drift` where not everything can be found out: the rest is still reported, and the exit code is 1. */
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DriftReport, driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Stack, succeeded } from "../../support";
import { initializeStack } from "../../support/state-backend";
import { type HeldResponses, holdResponsesOf } from "../support/held-responses";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, projectProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const gates: HeldResponses[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
});

const reader = ["GROUP_READ_ONLY"];

async function drift(stack: Stack, ...argv: string[]): Promise<{ exitCode: number; report: DriftReport }> {
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json", ...argv]);
  if (stdout === "") throw new Error(stderr);
  return { exitCode, report: driftReport.parse(JSON.parse(stdout)) };
}

function namesOf(report: DriftReport): string[] {
  return report.unreadable.map(({ what }) => what.split("::").at(-1) ?? "").sort();
}

const payments = ({ orgId }: Sandbox) => projectProgram({ orgId, name: "payments", tags: ["PROD"] });

/** The engine reports "same" for objects that could not be read for lack of a role; one warning stands for all people of a project. */
it.each(bothProviders)(
  "names whatever the key may not read, beside the drift that it can see (%s provider)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      config: { "opsmanager:maxRetries": 0 },
      sandbox: {
        seed: { projects: [{ name: "billing", members: { "olga@example.com": ["GROUP_OWNER"] } }] },
      },
      program: (service) => {
        const { orgId } = service;
        const projectId = projectNamed(service, "billing").id;
        const person = (username: string) => ({
          type: "ProjectMember",
          properties: { projectId, username, roles: reader },
        });
        return {
          resources: {
            payments: { type: "Project", properties: { orgId, name: "payments" } },
            tools: { type: "Project", properties: { orgId, name: "tools" } },
            ada: person("ada@example.com"),
            bob: person("bob@example.com"),
          },
        };
      },
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { name: "by-hand" });
    sandbox.changeKey(sandbox.publicKey, {
      roles: [
        { orgId: sandbox.orgId, roleName: "ORG_MEMBER" },
        { groupId: id, roleName: "GROUP_OWNER" },
      ],
    });
    const { exitCode, report } = await drift(stack);
    expect(exitCode).toBe(1);
    expect(report.result).toBe("unknown");
    expect(report.findings).toMatchObject([{ name: "payments", property: "name", live: "by-hand" }]);
    expect(namesOf(report)).toEqual(["ada", "bob", "tools"]);
    for (const { reason } of report.unreadable)
      expect(reason).toContain("cannot be read with these credentials");

    sandbox.addFault({ method: "GET", times: 0, fault: { status: 503 } });
    const failing = (await drift(stack, "--state-only", "--unmanaged")).report;
    expect(failing.unmanaged).toBeUndefined();
    expect(failing.unreadable).toContainEqual({
      what: "unmanaged objects",
      reason: "No organization could be read.",
    });

    await sandbox.close();
    const away = await drift(stack);
    expect(away.exitCode).toBe(1);
    expect(namesOf(away.report)).toEqual(["ada", "bob", "payments", "program of stack test", "tools"]);
    expect(away.report.unreadable[0]?.reason).toContain(`${sandbox.baseUrl} cannot be reached`);
    expect(away.report.unreadable).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining("did not compare the whole program") }),
    );
  },
);

/** A response without tags showed as no drift, once the key had lost its global role. */
it("does not call tags as declared that the key cannot see, be it since yesterday or from the start", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { tagsWithoutGlobalRole: "hide" },
    program: payments,
  });
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  sandbox.changeProject(id, { tags: ["URGENT"] });
  sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId: sandbox.orgId, roleName: "ORG_OWNER" }] });
  const lost = await drift(stack);
  expect(lost).toMatchObject({ exitCode: 1, report: { findings: [], unreadable: [{}] } });
  expect(lost.report.unreadable[0]?.reason).toContain(
    `The tags of project ${id} ("payments") are no longer visible`,
  );

  await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["TEAM"] }));
  await succeeded(stack.up());
  const never = await drift(stack);
  expect(never).toMatchObject({ exitCode: 1, report: { findings: [], unreadable: [{}] } });
  expect(never.report.unreadable[0]?.reason).toContain("may not see tags");
});

/** A preview takes no lock. */
it("works while another run holds the stack, reports pulumi's error for the stack that fails, and what the service does not offer", async () => {
  const { sandbox, stack } = await setUpStack({ program: payments });
  await succeeded(stack.up());
  const locks = join(stack.paths.state, ".pulumi", "locks", "organization", stack.project, stack.name);
  await mkdir(locks, { recursive: true });
  const lock = { pid: 1, username: "ada", hostname: "elsewhere", timestamp: "2026-01-01T00:00:00Z" };
  await writeFile(join(locks, "another.json"), JSON.stringify(lock));
  expect((await stack.up()).output).toContain("currently locked");
  expect(await drift(stack)).toMatchObject({ exitCode: 0, report: { result: "clean" } });

  const settings = (name: string) => join(stack.paths.program, `Pulumi.${name}.yaml`);
  await copyFile(settings("test"), settings("empty"));
  await initializeStack(stack.paths.state, stack.project, "empty");
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
  const named = ["--state-only", "--stack", "nowhere", "--stack", "empty", "--stack", "test"];
  const { exitCode, report } = await drift(stack, ...named);
  expect(exitCode).toBe(1);
  expect(report.stacks).toEqual([
    { stack: "empty", project: "platform", resources: 0 },
    { stack: "test", project: "platform", resources: 1 },
  ]);
  const reason = expect.stringContaining("no stack named 'nowhere' found");
  expect(report.unreadable).toEqual([{ what: "stack nowhere", stack: "nowhere", reason }]);
  expect(report.findings).toMatchObject([{ stack: "test", kind: "changed", live: ["URGENT"] }]);

  const env = { PULUMI_CONFIG_PASSPHRASE: "a wrong one" };
  const text = await opsmanager(stack, ["drift", "--state-only", "--stack", "test"], { env });
  expect(text.exitCode).toBe(1);
  expect(text.stdout).toContain("? stack test: getting stack configuration");
  expect(text.stdout).toContain("incorrect passphrase");

  sandbox.setSwitches({ onlyDocumented: true });
  const documented = await drift(stack, "--stack", "test");
  expect(documented.exitCode).toBe(1);
  expect(documented.report.unreadable).toMatchObject([
    {
      what: expect.stringMatching(/::payments$/),
      reason: expect.stringContaining("does not offer reading a project"),
    },
  ]);
});

it("ends the engine on Ctrl-C, and leaves no report behind", async () => {
  const { sandbox, stack } = await setUpStack({ program: payments });
  const gate = await holdResponsesOf(sandbox.baseUrl);
  gates.push(gate);
  await stack.setConfig({ "opsmanager:baseUrl": gate.baseUrl });
  await succeeded(stack.up());
  const stop = new AbortController();
  const held = gate.hold("GET");
  const running = opsmanager(stack, ["drift", "--format", "json=drift.json"], { stop: stop.signal });
  await held;
  const abandoned = gate.abandoned("GET");
  stop.abort();
  await abandoned;
  expect(await running).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "opsmanager: Stopped; no report was written.\n",
  });
  expect(existsSync(join(stack.paths.program, "drift.json"))).toBe(false);
});
