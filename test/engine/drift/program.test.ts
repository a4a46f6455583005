/** `opsmanager drift --program`: also what the next up would do. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport, type Finding } from "../../../provider/cli/drift/report";
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { opsmanager } from "../support/opsmanager";
import { doors, projectNamed, projectsProgram, writes } from "../support/project-program";
import { filesBelow } from "./support/files";

afterEach(disposeEstates);

it.each(doors)("adds what only the program says, each difference once (%s door)", async (door) => {
  const { sandbox, stack } = await createEstate({
    door,
    sandbox: { seed: { projects: [{ name: "by-hand" }] } },
    program: ({ orgId }) =>
      projectsProgram({
        payments: { properties: { orgId, name: "payments", tags: ["PROD", "TEAM"] } },
        gone: { properties: { orgId, name: "gone" } },
        retired: { properties: { orgId, name: "retired" } },
      }),
  });
  await succeeded(stack.up());
  const { orgId } = sandbox;
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT", "TEAM"] });
  sandbox.removeProject(projectNamed(sandbox, "gone").id);
  await stack.setProgram(
    projectsProgram({
      payments: { properties: { orgId, name: "payments-eu", tags: ["PROD", "TEAM"] } },
      gone: { properties: { orgId, name: "gone" } },
      fresh: { properties: { orgId, name: "fresh" } },
      ...(door === "plugin" && {
        imported: {
          properties: { orgId, name: "by-hand" },
          options: { import: projectNamed(sandbox, "by-hand").id },
        },
      }),
    }),
  );
  sandbox.clearRequests();
  const [service, state] = [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
  const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--program", "--format", "json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
  const report = driftReport.parse(JSON.parse(stdout));
  const row = ({ comparison, name, kind, property, declared, live }: Finding) =>
    [comparison, name, kind, property, declared, live].join(" | ");
  expect(report.findings.map(row).sort()).toEqual([
    "program | fresh | removed |  |  | ",
    ...(door === "plugin" ? ["program | imported | removed |  |  | "] : []),
    "program | payments | changed | name | payments-eu | payments",
    "program | retired | added |  |  | ",
    "state | gone | deleted |  |  | ",
    "state | payments | added | tags[1] |  | URGENT",
    "state | payments | removed | tags[0] | PROD | ",
  ]);
  expect(report.unreadable).toEqual([]);
  expect(JSON.stringify(sandbox.state)).toBe(service);
  expect(await filesBelow(stack.paths.state)).toEqual(state);
  expect(writes(sandbox)).toEqual([]);
});

it("says what keeps the program from running, beside what the service shows", async () => {
  const { sandbox, stack } = await createEstate({
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
  const { exitCode, stdout } = await opsmanager(stack, ["drift", "--program"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("(ignored: renamed for the audit, until 2999-12-31)");
  expect(stdout).toMatch(/\? program of stack test: .*labels/);
  // The rule lives in the program's folder and is found there; without the program nothing is left that counts.
  expect((await opsmanager(stack, ["drift"])).exitCode).toBe(0);
});
