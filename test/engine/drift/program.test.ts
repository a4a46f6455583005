/** `opsmanager drift` where the program is not the one that was applied last. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport, type Finding } from "../../../provider/cli/drift/report";
import { succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { filesBelow } from "./support/files";

afterEach(tearDownStacks);

it.each(bothProviders)(
  "distinguishes changes outside Pulumi from changes that are not applied yet (%s provider)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "by-hand" }] } },
      program: ({ orgId }) =>
        projectsProgram({
          payments: { properties: { orgId, name: "payments", tags: ["PROD", "TEAM"] } },
          deleted: { properties: { orgId, name: "deleted" } },
          retired: { properties: { orgId, name: "retired" } },
          moved: { properties: { orgId, name: "moved" } },
        }),
    });
    await succeeded(stack.up());
    const { orgId } = sandbox;
    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT", "TEAM"] });
    sandbox.removeProject(projectNamed(sandbox, "deleted").id);
    sandbox.changeProject(projectNamed(sandbox, "moved").id, { name: "moved-by-hand" });
    await stack.setProgram(
      projectsProgram({
        payments: { properties: { orgId, name: "payments-eu", tags: ["PROD", "TEAM"] } },
        deleted: { properties: { orgId, name: "deleted" } },
        moved: { properties: { orgId, name: "moved-eu" } },
        fresh: { properties: { orgId, name: "fresh" } },
        ...(provider === "plugin" && {
          imported: {
            properties: { orgId, name: "by-hand" },
            options: { import: projectNamed(sandbox, "by-hand").id },
          },
        }),
      }),
    );
    sandbox.clearRequests();
    const [service, state] = [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
    const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    const report = driftReport.parse(JSON.parse(stdout));
    expect(report.findings.every(({ comparison }) => comparison === "program")).toBe(true);
    const row = ({ cause, name, kind, property, declared, live }: Finding) =>
      [cause, name, kind, property, declared, live].join(" | ");
    expect(report.findings.map(row).sort()).toEqual([
      "both | moved | changed | name | moved-eu | moved-by-hand",
      "not-applied | payments | changed | name | payments-eu | payments",
      "not-applied | retired | added |  |  | ",
      "outside | deleted | deleted |  |  | ",
      "outside | payments | added | tags[1] |  | URGENT",
      "outside | payments | removed | tags[0] | PROD | ",
      "unknown | fresh | removed |  |  | ",
      ...(provider === "plugin" ? ["unknown | imported | removed |  |  | "] : []),
    ]);
    expect(report.unreadable).toEqual([]);
    expect(JSON.stringify(sandbox.state)).toBe(service);
    expect(await filesBelow(stack.paths.state)).toEqual(state);
    expect(writes(sandbox)).toEqual([]);

    // A refresh drops what was deleted outside Pulumi, and leaves no trace of it in the state.
    await succeeded(stack.refresh());
    const after = await opsmanager(stack, ["drift", "--format", "json"]);
    expect(driftReport.parse(JSON.parse(after.stdout)).findings.map(row)).toContain(
      "unknown | deleted | removed |  |  | ",
    );
  },
);

it("reports why the program does not run, and compares the live objects with the state instead", async () => {
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => projectsProgram({ payments: { properties: { orgId, name: "payments" } } }),
  });
  await succeeded(stack.up());
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { name: "by-hand" });
  await stack.setProgram(
    projectsProgram({ payments: { properties: { orgId: sandbox.orgId, name: "payments", labels: ["A"] } } }),
  );
  const rules = [
    { resource: "pay*", property: "name", reason: "renamed for the audit", expires: "2999-12-31" },
  ];
  await writeFile(join(stack.paths.program, ".opsmanager-drift.yaml"), JSON.stringify(rules));
  const { exitCode, stdout } = await opsmanager(stack, ["drift"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("(ignored: renamed for the audit, until 2999-12-31)");
  expect(stdout).toMatch(/\? program of stack test: .*labels/);
  // The rule is in the program's folder and is found there; of the state alone nothing is left that counts.
  expect((await opsmanager(stack, ["drift", "--state-only"])).exitCode).toBe(0);
});
