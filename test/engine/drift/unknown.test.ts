/** `opsmanager drift` where not everything can be found out: the rest is still reported, and the exit code is 1. */
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Stack, succeeded } from "../../support";
import { initializeStack } from "../../support/state-backend";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, projectProgram } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { driftOf, owner, reader } from "./support";

afterEach(tearDownStacks);

function namesOf(report: Report): string[] {
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
      sandbox: { seed: { projects: [{ name: "billing", members: { "olga@example.com": owner } }] } },
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
    const { exitCode, report } = await driftOf(stack);
    expect(exitCode).toBe(1);
    expect(report.result).toBe("unknown");
    expect(report.findings).toMatchObject([{ name: "payments", property: "name", live: "by-hand" }]);
    expect(namesOf(report)).toEqual(["ada", "bob", "tools"]);
    for (const { reason } of report.unreadable)
      expect(reason).toContain("cannot be read with these credentials");

    sandbox.addFault({ method: "GET", times: 0, fault: { status: 503 } });
    const failing = (await driftOf(stack, "--state-only", "--unmanaged")).report;
    expect(failing.unmanaged).toBeUndefined();
    const reason = "No organization could be read.";
    expect(failing.unreadable).toContainEqual({ what: "unmanaged objects", reason });

    await sandbox.close();
    const away = await driftOf(stack);
    expect(away.exitCode).toBe(1);
    expect(namesOf(away.report)).toEqual(["ada", "bob", "payments", "program of stack test", "tools"]);
    const reasons = away.report.unreadable.map((each) => each.reason).join("\n");
    expect(reasons).toContain(`${sandbox.baseUrl} cannot be reached`);
    expect(reasons).toContain("did not compare the whole program");
  },
);

/** The list of all people took "not offered" for "nobody is invited". */
it.each(bothProviders)(
  "an invited owner is not hidden by a gateway in front of the service (%s provider)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "billing", members: { "olga@example.com": owner } }] } },
      program: (service) => {
        const projectId = projectNamed(service, "billing").id;
        const properties = { projectId, members: { "olga@example.com": owner } };
        return { resources: { people: { type: "ProjectMembers", properties } } };
      },
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "billing");
    sandbox.addInvitation(id, { username: "eve@example.com", roles: owner });
    const pathPattern = `/groups/${id}/invites`;
    const earlier = join(stack.paths.program, "earlier.json");
    await writeFile(earlier, JSON.stringify((await driftOf(stack)).report));
    const ofOpsManager = { error: 404, errorCode: "RESOURCE_NOT_FOUND", detail: "None." };
    const outcomes = {
      plugin: [
        { fault: { status: 404 }, exitCode: 1 },
        { fault: { status: 404, body: ofOpsManager }, exitCode: 0 },
      ],
      dynamic: [
        { fault: { status: 404, body: "<html>Not here</html>" }, exitCode: 1 },
        { fault: { status: 405 }, exitCode: 1 },
      ],
    };
    for (const { fault, exitCode } of outcomes[provider]) {
      sandbox.addFault({ pathPattern, times: 0, fault });
      const drift = await driftOf(stack, "--previous", earlier);
      const { notChecked = [], resolved = [] } = drift.report.previous ?? {};
      expect([drift.exitCode, namesOf(drift.report)]).toEqual([exitCode, exitCode === 1 ? ["people"] : []]);
      expect([notChecked.length, resolved.length]).toEqual(exitCode === 1 ? [1, 0] : [0, 1]);
      sandbox.clearFaults();
    }
    // The gateway responds while the engine reads, and has recovered when the people are read again.
    sandbox.addFault({ pathPattern, times: 2, fault: { status: 404 } });
    expect((await driftOf(stack)).report).toMatchObject({
      result: "drift",
      findings: [{ property: 'members["eve@example.com"]' }],
    });

    // A list that the key may not read hides no team and nobody in it.
    const ivy = sandbox.setOrgMember(sandbox.orgId, { username: "ivy@example.com" }, ["ORG_MEMBER"]);
    const { id: teamId } = sandbox.addTeam({ name: "shadow", userIds: [ivy.id] });
    sandbox.setProjectTeam(id, { teamId, roleNames: owner });
    sandbox.addFault({ pathPattern, times: 0, fault: { status: 403 } });
    for (const more of [[], ["--unmanaged"]]) {
      const { exitCode, report } = await driftOf(stack, ...more);
      const found = report.findings.map(({ property }) => property);
      expect([exitCode, found]).toEqual([1, ["teams.shadow", 'teams.shadow["ivy@example.com"]']]);
      if (more.length === 0) expect(namesOf(report)).toEqual(["people"]);
    }
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
  const unreadable = (reason: string) => ({
    exitCode: 1,
    report: { findings: [], unreadable: [{ reason: expect.stringContaining(reason) }] },
  });
  expect(await driftOf(stack)).toMatchObject(
    unreadable(`The tags of project ${id} ("payments") are no longer visible`),
  );
  await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["TEAM"] }));
  await succeeded(stack.up());
  expect(await driftOf(stack)).toMatchObject(unreadable("may not see tags"));
});

it("reports pulumi's error for the stack that fails, why a program does not run, and what the service does not offer", async () => {
  const { sandbox, stack } = await setUpStack({ program: payments });
  await succeeded(stack.up());
  const settings = (name: string) => join(stack.paths.program, `Pulumi.${name}.yaml`);
  await copyFile(settings("test"), settings("empty"));
  await initializeStack(stack.paths.state, stack.project, "empty");
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
  const named = ["--state-only", "--stack", "nowhere", "--stack", "empty", "--stack", "test"];
  const { exitCode, report } = await driftOf(stack, ...named);
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

  // The live objects are compared with the state instead. The rule is found in the program's folder.
  await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", labels: ["A"] }));
  const rule = { resource: "pay*", property: "tags", reason: "until the audit", expires: "2999-12-31" };
  await writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify([rule]));
  const faulty = await opsmanager(stack, ["drift"]);
  expect(faulty.exitCode).toBe(1);
  expect(faulty.stdout).toContain("(ignored: until the audit, until 2999-12-31)");
  expect(faulty.stdout).toMatch(/\? program of stack test: .*labels/);
  expect((await opsmanager(stack, ["drift", "--state-only"])).exitCode).toBe(0);

  sandbox.setSwitches({ onlyDocumented: true });
  const what = expect.stringMatching(/::payments$/);
  expect(await driftOf(stack, "--state-only")).toMatchObject({
    exitCode: 1,
    report: {
      unreadable: [{ what, reason: expect.stringContaining("does not offer reading a project") }],
    },
  });
});

interface Exported {
  deployment: { resources: Record<string, unknown>[] };
}

async function rewriteState(stack: Stack, change: (state: Exported) => void): Promise<void> {
  const state: Exported = JSON.parse((await succeeded(stack.run("stack", "export"))).stdout);
  change(state);
  const file = join(stack.paths.root, "state.json");
  await writeFile(file, JSON.stringify(state));
  await succeeded(stack.run("stack", "import", "--force", "--file", file));
}

/** What a replacement has still to delete has the URN of its successor. The result for one was taken for the result for the other. */
it("keeps a resource apart from a predecessor that is still to be deleted", async () => {
  const { sandbox, stack } = await setUpStack({ program: payments });
  await succeeded(stack.up());
  await rewriteState(stack, ({ deployment }) => {
    const own = deployment.resources.find(({ type }) => type === "opsmanager:index:Project");
    const inputs = { ...(own?.inputs as object), name: "former", tags: ["FORMER"] };
    deployment.resources.push({ ...own, delete: true, inputs });
  });
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["PROD", "URGENT"] });
  const drifted = {
    exitCode: 1,
    report: {
      findings: [{ name: "payments", kind: "added", live: ["URGENT"] }],
      unreadable: [{ reason: expect.stringContaining("has not deleted the former object") }],
    },
  };
  expect(await driftOf(stack)).toMatchObject(drifted);
  expect(await driftOf(stack, "--state-only")).toMatchObject(drifted);
});
