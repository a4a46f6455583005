/** `opsmanager drift` where the program is not the one that was applied last. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../cli/drift/report/schema";
import { type Stack, succeeded } from "../../support";
import { differences } from "../support/differences";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { filesBelow } from "./support/files";

afterEach(tearDownStacks);

it.each(bothProviders)(
  "distinguishes changes outside Pulumi from changes that are not applied yet, and changes nothing (%s provider)",
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
    const idOf = (name: string) => projectNamed(sandbox, name).id;
    sandbox.changeProject(idOf("payments"), { tags: ["URGENT", "TEAM"] });
    sandbox.removeProject(idOf("deleted"));
    sandbox.changeProject(idOf("moved"), { name: "moved-by-hand" });
    const options = { import: idOf("by-hand") };
    const [imported] = differences[provider].ifImports([{ properties: { orgId, name: "by-hand" }, options }]);
    await stack.setProgram(
      projectsProgram({
        payments: { properties: { orgId, name: "payments-eu", tags: ["PROD", "TEAM"] } },
        deleted: { properties: { orgId, name: "deleted" } },
        moved: { properties: { orgId, name: "moved-eu" } },
        fresh: { properties: { orgId, name: "fresh" } },
        ...(imported && { imported }),
      }),
    );
    sandbox.clearRequests();
    const held = async () => [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
    const before = await held();
    const { exitCode, stderr, report, rows } = await drift(stack);
    expect([exitCode, stderr, report.unreadable]).toEqual([2, "", []]);
    expect(new Set(report.findings.map(({ comparison }) => comparison))).toEqual(new Set(["program"]));
    expect(rows).toEqual([
      "both | moved | changed | name | moved-eu | moved-by-hand",
      "not-applied | payments | changed | name | payments-eu | payments",
      "not-applied | retired | added |  |  | ",
      "outside | deleted | deleted |  |  | ",
      "outside | payments | changed | tags | PROD | URGENT",
      "unknown | fresh | removed |  |  | ",
      ...differences[provider].ifImports(["unknown | imported | removed |  |  | "]),
    ]);
    expect([await held(), writes(sandbox)]).toEqual([before, []]);

    // A refresh leaves no trace of a deletion in the state.
    await succeeded(stack.refresh());
    expect((await drift(stack)).rows).toContain("unknown | deleted | removed |  |  | ");
  },
);

async function drift(stack: Stack) {
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json"]);
  const report = driftReport.parse(JSON.parse(stdout));
  const rows = report.findings.map(({ cause, name, kind, property, declared, live }) =>
    [cause, name, kind, property, declared, live].join(" | "),
  );
  return { exitCode, stderr, report, rows: rows.sort() };
}

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
