/** `opsmanager drift` where the program is not the one that was applied last. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../cli/drift/report/schema";
import { type ProviderKind, succeeded } from "../../support";
import { differences } from "../support/differences";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, projectsProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { filesBelow } from "./support/files";

afterEach(tearDownStacks);

/** Applies a program, changes the projects outside Pulumi, writes another program, and reports twice, before and after a refresh. */
async function reportOnce(provider: ProviderKind) {
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
  const options = { import: projectNamed(sandbox, "by-hand").id };
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
  const read = async () => [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
  const drift = async () => {
    const { exitCode, stdout, stderr } = await opsmanager(stack, ["drift", "--format", "json"]);
    const { findings, unreadable } = driftReport.parse(JSON.parse(stdout));
    const rows = findings.map(({ cause, name, kind, property, declared, live }) =>
      [cause, name, kind, property, declared, live].join(" | "),
    );
    return { exitCode, stderr, unreadable, comparisons: findings.map(({ comparison }) => comparison), rows };
  };
  const before = await read();
  const first = await drift();
  const after = [await read(), writes(sandbox)];
  await succeeded(stack.refresh());
  return { before, first, after, afterRefresh: await drift() };
}

describe.each(bothProviders)("a program that is not the applied one (%s provider)", (provider) => {
  let reported: Awaited<ReturnType<typeof reportOnce>>;
  beforeAll(async () => {
    reported = await reportOnce(provider);
  });

  it("drift distinguishes changes outside Pulumi from changes that are not applied yet", () => {
    const { exitCode, stderr, unreadable, comparisons, rows } = reported.first;
    expect({ exitCode, stderr, unreadable }).toEqual({ exitCode: 2, stderr: "", unreadable: [] });
    expect(new Set(comparisons)).toEqual(new Set(["program"]));
    expect(rows.sort()).toEqual([
      "both | moved | changed | name | moved-eu | moved-by-hand",
      "not-applied | payments | changed | name | payments-eu | payments",
      "not-applied | retired | added |  |  | ",
      "outside | deleted | deleted |  |  | ",
      "outside | payments | changed | tags | PROD | URGENT",
      "unknown | fresh | removed |  |  | ",
      ...differences[provider].ifImports(["unknown | imported | removed |  |  | "]),
    ]);
  });

  it("drift changes neither the service nor the state", () => {
    expect(reported.after).toEqual([reported.before, []]);
  });

  it("drift calls the cause of a deletion unknown after a refresh, which leaves no trace of it in the state", () => {
    expect(reported.afterRefresh.rows).toContain("unknown | deleted | removed |  |  | ");
  });
});

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
