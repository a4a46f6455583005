/** Adopts projects that were created outside Pulumi into Git, and corrects later changes outside Pulumi. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../cli/drift/report/schema";
import { loadProjectFiles } from "../../../projects/load";
import type { Sandbox, SeedProject } from "../../../sandbox";
import { type Run, repositoryRoot, succeeded } from "../../support";
import { filesBelow } from "../drift/support/files";
import { opsmanager } from "../support/opsmanager";
import { membershipsIn } from "../support/people-program";
import { doings, importing } from "../support/project-folder";
import { projectNamed, writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const [olga, orders, contractors] = ["olga@example.com", "orders@example.com", "cn=contractors,dc=example"];

/** With LDAP and without; with tags, pending invitations, no members; with names that are valid file names and others. */
const projects: readonly SeedProject[] = [
  {
    name: "orders-prod",
    tags: ["ORDERS", "PROD"],
    ldapGroupMappings: [
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example"] },
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=orders,dc=example"] },
    ],
    members: { [olga]: owner, [orders]: reader },
  },
  {
    name: "orders-staging",
    tags: ["STAGING"],
    members: { [olga]: owner, [orders]: ["GROUP_DATA_ACCESS_READ_ONLY", ...reader] },
    invitations: [{ username: "new@example.com", roles: reader }],
  },
  { name: "orders / Test", members: { [olga]: owner } },
  { name: "orders-dev" },
  {
    name: "Try-outs: orders",
    tags: ["NO"],
    members: { [orders]: owner },
    invitations: [{ username: "bob@example.com", roles: ["GROUP_MONITORING_ADMIN"] }],
  },
];

/** Changes a name, tags, a mapping, a member's roles and a member, and adds a project that no file declares. */
function changeOutsidePulumi(sandbox: Sandbox): void {
  const id = (name: string) => projectNamed(sandbox, name).id;
  sandbox.changeProject(id("orders / Test"), { name: "orders / Old test" });
  sandbox.changeProject(id("orders-prod"), {
    tags: ["PROD"],
    ldapGroupMappings: [
      { roleName: "GROUP_OWNER", ldapGroups: [contractors, "cn=ops,dc=example"] },
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=orders,dc=example"] },
    ],
  });
  const roles = ["GROUP_DATA_ACCESS_READ_ONLY", "GROUP_OWNER", ...reader];
  sandbox.setMember(id("orders-staging"), { username: orders }, roles);
  sandbox.removeMember(id("orders-prod"), { username: orders });
  sandbox.addProject({ name: "legacy-tools" });
}

/** The differences that a report must list for these changes, and no others. */
const drifted = [
  "Project orders-prod ldapGroupMappings.GROUP_OWNER.ldapGroups added",
  "Project orders-prod tags removed",
  "Project orders-test name changed",
  `ProjectMember orders-prod/${orders} deleted`,
  `ProjectMembers orders-staging members["${orders}"] added`,
];

/** The steps with which the next `up` corrects these changes. */
const corrections = [
  `create ProjectMember orders-prod/${orders}`,
  "update Project orders-prod",
  "update Project orders-test",
  "update ProjectMembers orders-staging",
];

interface Facts {
  readonly tags: readonly string[];
  readonly ldapGroupMappings: readonly { roleName: string; ldapGroups: readonly string[] }[];
  readonly people: Readonly<Record<string, readonly string[]>>;
}

/** One project as a file or the service has it, every list in one order. */
function inOneOrder({ tags, ldapGroupMappings, people }: Facts) {
  const sorted = (lists: readonly (readonly [string, readonly string[]])[]) =>
    Object.fromEntries(lists.map(([name, list]) => [name, [...list].sort()]));
  return {
    tags: [...tags].sort(),
    groups: sorted(ldapGroupMappings.map(({ roleName, ldapGroups }) => [roleName, ldapGroups])),
    people: sorted(Object.entries(people)),
  };
}

/** The projects as the files declare them, by name. */
function inFiles({ stack }: StackSetup) {
  const files = loadProjectFiles("projects", stack.paths.program);
  return Object.fromEntries(
    files.map(({ name, tags = [], ldapGroupMappings = [], members = {} }) => [
      name,
      inOneOrder({ tags, ldapGroupMappings, people: members }),
    ]),
  );
}

/** The state of adopted projects at the service, by name. */
function atService(sandbox: Sandbox) {
  return Object.fromEntries(
    sandbox.state.projects
      .filter(({ name }) => name !== "legacy-tools")
      .map(({ id, name, tags, ldapGroupMappings }) => {
        const { members, invited } = membershipsIn(sandbox, id);
        return [name, inOneOrder({ tags, ldapGroupMappings, people: { ...members, ...invited } })];
      }),
  );
}

async function edit({ stack }: StackSetup, file: string, change: (text: string) => string): Promise<void> {
  const path = join(stack.paths.program, "projects", file);
  await writeFile(path, change(await readFile(path, "utf8")));
}

/** `opsmanager drift`, which must leave service and state as they are. */
async function drift({ sandbox, stack }: StackSetup) {
  const held = async () => [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
  const before = await held();
  const { exitCode, stdout } = await opsmanager(stack, ["drift", "--unmanaged", "--format", "json"]);
  expect(await held()).toEqual(before);
  const { findings, unmanaged } = driftReport.parse(JSON.parse(stdout));
  const found = findings.map(({ type, name, property, kind }) =>
    [type.split(":").at(-1), name, property, kind].filter((part) => part !== "").join(" "),
  );
  const locations = new Map(findings.map(({ name, location }) => [name, location]));
  return { exitCode, found: found.sort(), unmanaged: unmanaged?.projects.map(({ name }) => name), locations };
}

/** What a preview or an `up` finds changed at the service, before it compares that with the files. */
function foundChanged({ steps }: Run): string[] {
  return steps
    .filter((step) => step.refreshed && (step.new === null || Object.keys(step.detailedDiff).length > 0))
    .map(({ type, name }) => `${type.split(":").at(-1)} ${name}`)
    .sort();
}

it("adopts five projects into files and a stack, reports later changes outside Pulumi, and corrects them with the edits of a pull request", async () => {
  const setup = await setUpStack({
    sandbox: { ldap: true, seed: { projects } },
    program: () => ({ folder: join(repositoryRoot, "examples", "gitops"), hosts: "resident" }),
  });
  const { sandbox, stack } = setup;
  // The story has no owner of the organization, whom no project file declares.
  sandbox.setOrgMember(sandbox.orgId, { username: "owner@example.com" }, ["ORG_MEMBER"]);
  stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...(await attachment()) }); // examples-types.test.ts checks the types.
  const live = atService(sandbox);
  await rm(join(stack.paths.program, "projects"), { recursive: true });

  expect(await opsmanager(stack, ["adopt", "--members"])).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining(
      "5 project files written to projects, with 8 memberships (2 invited).\nimport.json lists ",
    ),
  });
  await succeeded(stack.run(...importing));
  await succeeded(stack.up({ expectNoChanges: true }));
  expect([inFiles(setup), atService(sandbox), writes(sandbox)]).toEqual([live, live, []]);
  // The first `up` records that people are deleted with their project.
  const people = (await stack.state()).resources.filter(({ type }) => /ProjectMembers?$/.test(type));
  expect(people.map(({ deletedWith }) => deletedWith)).not.toContain(undefined);

  changeOutsidePulumi(sandbox);
  const reported = await drift(setup);
  expect(reported).toMatchObject({ exitCode: 2, found: drifted, unmanaged: ["legacy-tools"] });
  // The folder is in no repository, so only the name of the file is known.
  expect(reported.locations.get("orders-test")).toEqual({ file: "orders-test.yaml", line: 6, column: 7 });
  expect([...reported.locations.values()]).not.toContain(undefined);

  // A pull request edits two files.
  await edit(setup, "orders-dev.yaml", (text) => `${text}tags: [AUDITED]\n`);
  await edit(setup, "orders-test.yaml", (text) => `${text}  grace@example.com: [GROUP_READ_ONLY]\n`);
  const edited = [...corrections, "update Project orders-dev", "update ProjectMembers orders-test"].sort();
  const preview = await succeeded(stack.preview());
  expect(doings(preview)).toEqual(edited);
  expect(foundChanged(preview)).toEqual(corrections.map((step) => step.replace(/^\w+ /, "")).sort());
  expect(writes(sandbox)).toEqual([]);

  expect(doings(await succeeded(stack.up()))).toEqual(edited);
  expect(writes(sandbox)).toHaveLength(edited.length);
  const [dev, test] = [live["orders-dev"], live["orders / Test"]];
  expect(inFiles(setup)).toEqual({
    ...live,
    "orders-dev": { ...dev, tags: ["AUDITED"] },
    "orders / Test": { ...test, people: { ...test?.people, "grace@example.com": reader } },
  });
  expect(atService(sandbox)).toEqual(inFiles(setup));
  expect(await drift(setup)).toMatchObject({ exitCode: 0, found: [], unmanaged: ["legacy-tools"] });
});
