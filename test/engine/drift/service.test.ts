/** `opsmanager drift` against what was changed outside Pulumi and what is not applied yet, through either provider. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport, type Finding, type Report } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { differences } from "../support/differences";
import { setUpNodeStack } from "../support/either-provider";
import { opsmanager } from "../support/opsmanager";
import { bothProviders, projectNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { driftOf, heldBy, owner, reader, rowOf } from "./support";

afterEach(tearDownStacks);

const seed = {
  projects: [
    { name: "tools", members: { "olga@example.com": owner, "ada@example.com": reader } },
    { name: "billing", members: { "olga@example.com": ["GROUP_AUTOMATION_ADMIN"] } },
    { name: "by-hand" },
  ],
};

const project = ({ orgId }: Sandbox, properties: object) => ({
  type: "Project",
  properties: { orgId, ...properties },
});

function program(sandbox: Sandbox): Program & Required<Pick<Program, "resources">> {
  const person = (username: string, roles: unknown) => ({
    type: "ProjectMember",
    properties: { projectId: projectNamed(sandbox, "billing").id, username, roles },
  });
  return {
    resources: {
      payments: project(sandbox, {
        name: "payments",
        tags: ["A", "B", "C"],
        ldapGroupMappings: [
          { roleName: "GROUP_OWNER", ldapGroups: ["cn=a", "cn=b"] },
          { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=r"] },
        ],
      }),
      quiet: project(sandbox, { name: "quiet", tags: ["A"] }),
      retired: project(sandbox, { name: "retired" }),
      former: project(sandbox, { name: "former" }),
      secretive: project(sandbox, { name: "secretive", tags: { "fn::secret": ["CONFIDENTIAL"] } }),
      members: {
        type: "ProjectMembers",
        properties: {
          projectId: projectNamed(sandbox, "tools").id,
          members: { "olga@example.com": owner, "ada@example.com": reader, "invited@example.com": reader },
          removeUnlisted: true,
        },
      },
      bob: person("bob@example.com", reader),
      cleo: person("cleo@example.com", { "fn::secret": reader }),
      dora: person("dora@example.com", reader),
    },
  };
}

/** Every kind of change, in every kind of resource. */
function changeOutsidePulumi(sandbox: Sandbox): void {
  const [payments, tools, billing] = ["payments", "tools", "billing"].map(
    (name) => projectNamed(sandbox, name).id,
  ) as [string, string, string];
  sandbox.changeProject(payments, {
    name: "payments-2",
    tags: ["B", "D", "0"],
    ldapGroupMappings: [
      { roleName: "GROUP_MONITORING_ADMIN", ldapGroups: ["cn=m"] },
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=b", "cn=z"] },
    ],
  });
  sandbox.removeProject(projectNamed(sandbox, "former").id);
  sandbox.changeProject(projectNamed(sandbox, "secretive").id, { tags: ["CONFIDENTIAL", "UNDISCLOSED"] });
  sandbox.setMember(tools, { username: "ada@example.com" }, ["GROUP_USER_ADMIN", ...reader]);
  sandbox.setMember(tools, { username: "stranger@example.com" }, reader);
  sandbox.setMember(billing, { username: "bob@example.com" }, ["GROUP_DATA_ACCESS_ADMIN"]);
  sandbox.setMember(billing, { username: "cleo@example.com" }, ["GROUP_DATA_ACCESS_ADMIN"]);
  const removed = ["invited@example.com", "dora@example.com"];
  for (const { id, username } of sandbox.state.invitations)
    if (removed.includes(username)) sandbox.removeInvitation(id);
}

const expected = [
  ["bob", "changed", "roles", ["GROUP_READ_ONLY"], ["GROUP_DATA_ACCESS_ADMIN"]],
  ["cleo", "changed", "roles", "[secret]", "[secret]"],
  ["dora", "deleted", "", undefined, undefined],
  ["former", "deleted", "", undefined, undefined],
  ["members", "added", 'members["ada@example.com"]', undefined, ["GROUP_USER_ADMIN"]],
  ["members", "removed", 'members["invited@example.com"]', reader, undefined],
  ["members", "undeclared", 'members["stranger@example.com"]', undefined, reader],
  [
    "payments",
    "added",
    "ldapGroupMappings.GROUP_MONITORING_ADMIN",
    undefined,
    { roleName: "GROUP_MONITORING_ADMIN", ldapGroups: ["cn=m"] },
  ],
  ["payments", "changed", "ldapGroupMappings.GROUP_OWNER.ldapGroups", ["cn=a"], ["cn=z"]],
  ["payments", "changed", "name", "payments", "payments-2"],
  ["payments", "changed", "tags", ["A", "C"], ["0", "D"]],
  [
    "payments",
    "removed",
    "ldapGroupMappings.GROUP_READ_ONLY",
    { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=r"] },
    undefined,
  ],
  ["secretive", "changed", "tags", "[secret]", "[secret]"],
];

function found({ findings }: Report) {
  const row = ({ name, kind, property, declared, live }: Finding) => [name, kind, property, declared, live];
  // The engine compares secrets, and reports no secret of the program.
  const expectedCause = ({ live }: Finding) => (live === "[secret]" ? "unknown" : "outside");
  expect(findings.map(({ cause }) => cause)).toEqual(
    findings.map((finding) => (finding.comparison === "program" ? expectedCause(finding) : "outside")),
  );
  return findings.map(row).sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

it.each(bothProviders)(
  "lists every change outside Pulumi, value by value, apart from what is not applied yet, and changes nothing (%s provider)",
  async (provider) => {
    const setup = await setUpStack({ provider, sandbox: { ldap: true, seed }, program });
    const { sandbox, stack } = setup;
    await succeeded(stack.up());
    expect(await driftOf(stack)).toMatchObject({
      exitCode: 0,
      stderr: "",
      report: {
        result: "clean",
        stacks: [{ stack: "test", project: "platform", resources: 9 }],
        findings: [],
        unreadable: [],
      },
    });

    changeOutsidePulumi(sandbox);
    sandbox.clearRequests();
    const before = await heldBy(setup);
    const argv = ["drift", "--format", "json=reports/drift.json"];
    const { exitCode, stdout, stderr } = await opsmanager(stack, argv, { isWatched: true });
    expect(exitCode).toBe(2);
    for (const progress of ["0/9", "9/9"]) expect(stderr).toContain(`${progress} resources refreshed (test)`);
    const text = await readFile(join(stack.paths.program, "reports", "drift.json"), "utf8");
    const report = driftReport.parse(JSON.parse(text));
    expect(found(report)).toEqual(expected);
    expect(report).toMatchObject({ result: "drift", unreadable: [] });
    for (const line of ["payments (Project)", '~ name: declared "payments", live "payments-2"'])
      expect(stdout).toContain(line);
    for (const written of [text, stdout]) expect(written).not.toMatch(/CONFIDENTIAL|UNDISCLOSED|__/);
    // The state alone shows the same.
    const alone = await driftOf(stack, "--state-only");
    expect(alone).toMatchObject({ exitCode: 2, stderr: "" });
    expect(found(alone.report)).toEqual(expected);
    expect(await heldBy(setup)).toEqual(before);

    // The program has changed too, which no run has applied.
    const { retired: _, payments, ...others } = program(sandbox).resources;
    const [imported] = differences[provider].ifImports([
      { ...project(sandbox, { name: "by-hand" }), options: { import: projectNamed(sandbox, "by-hand").id } },
    ]);
    const renamed = { ...payments?.properties, name: "payments-eu" };
    await stack.setProgram({
      resources: {
        ...others,
        payments: project(sandbox, renamed),
        quiet: project(sandbox, { name: "quiet", tags: ["B"] }),
        fresh: project(sandbox, { name: "fresh" }),
        ...(imported && { imported }),
      },
    });
    const rows = async () => (await driftOf(stack)).report.findings.map(rowOf).sort();
    const changedHere = (await rows()).filter((row) => / (payments|quiet|retired|fresh|imported) /.test(row));
    expect(changedHere.filter((row) => !row.includes("ldapGroupMappings"))).toEqual([
      "both | payments | changed | name | payments-eu | payments-2",
      "not-applied | quiet | changed | tags | B | A",
      "not-applied | retired | added |  |  | ",
      "outside | payments | changed | tags | A,C | 0,D",
      "unknown | fresh | removed |  |  | ",
      ...differences[provider].ifImports(["unknown | imported | removed |  |  | "]),
    ]);
    // A refresh leaves no trace of a deletion in the state.
    await succeeded(stack.refresh());
    expect(await rows()).toContain("unknown | former | removed |  |  | ");
    expect(writes(sandbox)).toEqual([]);
  },
);

it("of the state alone, runs no other provider of the stack, and reads a resource whatever its name holds", async () => {
  const name = `we"ird, na'me * $x \\ ::y`;
  const before = `
    const { dynamic } = require("@pulumi/pulumi");
    const provider = {
      create: async () => ({ id: "1", outs: {} }),
      read: async () => { throw new Error("the other provider was called"); },
    };
    new dynamic.Resource(provider, "bucket", {});
  `;
  const odd = (sandbox: Sandbox): Program => ({
    resources: { odd: { ...project(sandbox, { name: "payments", tags: ["A"] }), name } },
  });
  const { sandbox, stack } = await setUpNodeStack("dynamic", { program: odd }, { before });
  await succeeded(stack.up());
  expect((await stack.refresh({ previewOnly: true })).output).toContain("the other provider was called");
  sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["A", "B"] });
  const { exitCode, report } = await driftOf(stack, "--state-only");
  expect(exitCode).toBe(2);
  expect(found(report)).toEqual([[name, "added", "tags", undefined, ["B"]]]);
  expect(report).toMatchObject({ unreadable: [], stacks: [{ resources: 1 }] });
});
