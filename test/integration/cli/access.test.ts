/** `opsmanager access` against the sandbox; a script that prints a state is in for `pulumi`. */
import { setTimeout } from "node:timers/promises";
import type { AccessReport } from "../../../cli/lib/access/report";
import { pluginType } from "../../../cli/lib/own-resources";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { INPUTS_READ } from "../../../provider/text/sentinels";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { itIf } from "../../support";
import type { CommandResult } from "../../support/command";
import { hasPython, readRows, readSheet } from "../../support/formats/spreadsheet";
import { sandboxes } from "../sandbox/with-sandbox";
import { commandFolder, printsState } from "./command-folder";

const startSandbox = sandboxes();
const folder = commandFolder();

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";
const [payments, billing] = ["payments", "billing"];

let sandbox: Sandbox;

/** Two organizations; the first one has two projects. */
async function start(options: SandboxOptions = {}): Promise<{ orgId: string; other: string }> {
  const projects = [
    { name: "payments", members: { "olga@example.com": owner, [ada]: reader } },
    { name: "billing", members: { "olga@example.com": owner } },
  ];
  sandbox = await startSandbox({
    seed: { orgs: [{ name: "Example" }, { name: "Other" }], projects },
    ...options,
  });
  folder.withPulumi(printsState);
  stateOf();
  return { orgId: sandbox.orgId, other: sandbox.state.orgs[1]?.id ?? "" };
}

const idOf = (name = "") => sandbox.state.projects.find((project) => project.name === name)?.id ?? "";

/** A team of this person that has roles in the project. */
function addTeamOf(username: string, { project = billing, roles = owner } = {}) {
  const { id: userId } = sandbox.setOrgMember(sandbox.orgId, { username }, ["ORG_MEMBER"]);
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(idOf(project), { teamId, roleNames: roles });
  return { userId, teamId };
}

interface Declared {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly id: string;
  readonly inputs?: object;
  readonly outputs?: object;
}

function urnOf({ kind, name }: Pick<Declared, "kind" | "name">): string {
  return `urn:pulumi:prod::platform::${pluginType(kind)}::${name}`;
}

/** Writes the state of stack prod. */
function stateOf(...declared: readonly Declared[]): void {
  const resources = declared.map(({ kind, name, id, inputs = {}, outputs = {} }) => {
    return { urn: urnOf({ kind, name }), type: pluginType(kind), custom: true, id, inputs, outputs };
  });
  folder.write({ "state.json": JSON.stringify({ deployment: { resources } }) });
}

interface Run extends CommandResult {
  report(): AccessReport;
  /** Each way of everything that was found in one text, and the URNs of the resources that declare it. */
  ways(): string[][];
  /** What is unknown, sorted. */
  unknown(): string[];
}

async function access(...argv: string[]): Promise<Run> {
  const stack = folder.has("Pulumi.yaml") ? ["-s", "prod"] : [];
  const formats = [
    "--format",
    "json=access.json",
    ...(argv.includes("--format") ? [] : ["--format", "text"]),
  ];
  const result = await folder.run(["access", ...stack, ...formats, ...argv], sandbox);
  const report = (): AccessReport => JSON.parse(folder.read("access.json"));
  return {
    ...result,
    report,
    ways: () =>
      report()
        .found.flatMap((found) => found.access)
        .map(({ in: place, status, projectName, teamName, roles, declaredBy = [] }) => [
          [place, status, projectName, teamName, ...roles].filter(Boolean).join(" "),
          ...declaredBy,
        ]),
    unknown: () =>
      report()
        .unknown.map(({ what }) => what)
        .sort(),
  };
}

const noSuchMethod = { status: 405, body: "" };

it("lists each way in which a person has access, and the resource that declares it", async () => {
  // The account shows the roles of the team as its own.
  const { orgId } = await start({ teamRolesInUsers: true });
  const { userId, teamId } = addTeamOf(ada);
  sandbox.addInvitation(idOf(billing), { username: "Ada@example.com", roles: reader });
  sandbox.addInvitation(idOf(payments), { username: ada, roles: owner });
  const { expiresAt } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  const [member, people, team, roles, other] = [
    {
      kind: "OrganizationMember",
      name: "ada",
      id: `${orgId}/${ada}`,
      outputs: { username: ada, userId },
    },
    {
      kind: "ProjectMembers",
      name: "people",
      id: idOf(payments),
      inputs: { members: { [ada]: reader } },
    },
    {
      kind: "Team",
      name: "team",
      id: `${orgId}/${teamId}`,
      inputs: { usernames: [ada] },
      outputs: { teamId },
    },
    { kind: "ProjectTeam", name: "roles", id: `${idOf(billing)}/${teamId}`, outputs: { teamId } },
    { kind: "ProjectMember", name: "other", id: `${idOf(billing)}/olga@example.com` },
  ] as const;
  stateOf(member, people, team, roles, other);
  const { exitCode, stdout, stderr, report, ways } = await access("ADA@example.com", "--org", orgId);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(report()).toMatchObject({
    found: [{ kind: "person", accounts: [{ userId, username: ada }] }],
    isComplete: true,
    notOffered: [],
    unknown: [],
  });
  expect(ways()).toEqual([
    ["organization active ORG_MEMBER", urnOf(member)],
    ["organization pending ORG_OWNER", urnOf(member)],
    ["team active platform", urnOf(team)],
    ["project pending billing GROUP_READ_ONLY"],
    ["project active billing platform GROUP_OWNER", urnOf(roles)],
    ["project active payments GROUP_READ_ONLY", urnOf(people)],
    ["project pending payments GROUP_OWNER", urnOf(people)],
  ]);
  expect(stdout).toContain("1 organization, 1 team, 2 projects, and 3 pending invitations.");
  for (const line of [
    `  organization: invited, ORG_OWNER, expires ${expiresAt} (in every project) [declared by ada (OrganizationMember)]\n`,
    `GROUP_OWNER through team platform (${teamId}) [declared by roles (ProjectTeam)]\n`,
  ])
    expect(stdout).toContain(line);
});

it("lists who joins a team by an invitation to a project, with the roles of the team in other projects", async () => {
  await start();
  const { teamId } = addTeamOf(ada);
  const ivy = "ivy@example.com";
  sandbox.addInvitation(idOf(payments), { username: ivy, roles: reader, teamIds: [teamId] });
  const { exitCode, ways } = await access(ivy);
  expect({ exitCode, ways: ways() }).toEqual({
    exitCode: 0,
    ways: [
      ["team pending platform"],
      ["project pending billing platform GROUP_OWNER"],
      ["project pending payments GROUP_READ_ONLY"],
    ],
  });
});

it("lists the organization, the roles and the access list of an API key, by its public key or its id", async () => {
  const { orgId } = await start();
  const { id: keyId } = sandbox.addKey({
    publicKey: "deploybot",
    desc: "deploys",
    orgId,
    roles: [
      { orgId, roleName: "ORG_READ_ONLY" },
      { groupId: idOf(payments), roleName: "GROUP_OWNER" },
      { groupId: idOf(billing), roleName: "GROUP_READ_ONLY" },
    ],
    accessList: [{ cidrBlock: "192.0.2.0/24", created: "2026-01-02T03:04:05Z" }],
  });
  const key = { kind: "ApiKey", name: "key", id: `${orgId}/${keyId}`, outputs: { orgId } } as const;
  const roles = { kind: "ProjectApiKey", name: "roles", id: `${idOf(payments)}/${keyId}` } as const;
  stateOf(key, roles);
  const { exitCode, stdout, report, ways } = await access("deploybot");
  expect(exitCode).toBe(0);
  const { found } = report();
  expect(found).toMatchObject([{ kind: "key", keyId, description: "deploys", accessListEntries: 1 }]);
  expect(ways()).toEqual([
    ["organization active ORG_READ_ONLY", urnOf(key)],
    ["project active billing GROUP_READ_ONLY"],
    ["project active payments GROUP_OWNER", urnOf(roles)],
  ]);
  expect(stdout).toContain(
    `API key deploybot "deploys" (${keyId}): 1 organization and 2 projects.\nAccess list: 1 entry.\n`,
  );
  expect(stdout).toContain("organization: ORG_READ_ONLY (in every project) [declared by key (ApiKey)]");
  expect((await access(keyId.toUpperCase())).report().found).toEqual(found);
});

it("prints the declared roles if the live ones differ, unless a team gives the others or a refresh replaced them", async () => {
  const { orgId } = await start({ teamRolesInUsers: true });
  const roles = [{ groupId: idOf(payments), roleName: "GROUP_OWNER" }];
  const { id: keyId } = sandbox.addKey({ publicKey: "deploybot", orgId, roles });
  const { teamId } = addTeamOf(ada);
  sandbox.setMember(idOf(payments), { username: ada }, owner);
  const inProject = (kind: ResourceKind, name: string, id: string, inputs: object) => {
    return { kind, name, id, inputs, outputs: { teamId } };
  };
  const member = inProject("OrganizationMember", "ada", `${orgId}/${ada}`, { roles: ["ORG_MEMBER"] });
  const people = inProject("ProjectMembers", "people", idOf(payments), {
    members: { "Ada@example.com": reader },
  });
  const team = inProject("ProjectTeam", "team", `${idOf(billing)}/${teamId}`, { roles: reader });
  const key = inProject("ProjectApiKey", "ci", `${idOf(payments)}/${keyId}`, { roles: reader });
  stateOf(member, people, team, key);
  const { stdout, report } = await access(ada);
  const declaredRoles = report().found.flatMap((found) => found.access.map((each) => each.declaredRoles));
  expect(declaredRoles).toEqual([undefined, undefined, reader, reader]);
  expect(stdout).toContain("organization: ORG_MEMBER [declared by ada (OrganizationMember)]\n");
  const other = "with other roles: GROUP_READ_ONLY";
  for (const resource of [
    `people (ProjectMembers) ${other}`,
    `team (ProjectTeam) ${other}, but not who is in the team`,
  ])
    expect(stdout).toContain(`[declared by ${resource}]\n`);
  expect((await access("deploybot")).stdout).toContain(
    "[declared by ci (ProjectApiKey) with other roles: GROUP_READ_ONLY]\n",
  );

  sandbox.setMember(idOf(payments), { username: ada }, reader);
  sandbox.setProjectTeam(idOf(payments), { teamId, roleNames: owner });
  stateOf(people, { ...key, inputs: { ...key.inputs, [INPUTS_READ]: ["roles"] } });
  expect((await access(ada)).stdout).toContain("[declared by people (ProjectMembers)]\n");
  const ofKey = await access("deploybot");
  expect(ofKey.stdout).toContain("[declared by ci (ProjectApiKey) with unknown roles]\n");
  const unknown = ofKey
    .report()
    .found.flatMap((found) => found.access.map((each) => each.areDeclaredRolesUnknown));
  expect(unknown).toEqual([undefined, true]);
});

it("prints the declared roles of an account that was renamed since the last refresh", async () => {
  await start();
  const { userId } = addTeamOf(ada);
  const memberDetails = [{ userId, username: ada, status: "active", declared: true, roles: reader }];
  const inputs = { members: { [ada]: reader } };
  stateOf({ kind: "ProjectMembers", name: "people", id: idOf(payments), inputs, outputs: { memberDetails } });
  sandbox.setMember(idOf(payments), { username: ada }, owner);
  sandbox.changeUser(userId, { username: "lovelace@example.com" });
  expect((await access("lovelace@example.com")).stdout).toContain(
    "GROUP_OWNER [declared by people (ProjectMembers) with other roles: GROUP_READ_ONLY]\n",
  );
});

it("does not know what is declared where people are secret, the state is unreadable, or no stack is selected", async () => {
  const { orgId } = await start();
  const memberDetails = { "4dabf18193072939515e22adb298388d": "secret", ciphertext: "…" };
  const outputs = { orgId, memberDetails };
  stateOf({ kind: "ProjectMembers", name: "people", id: idOf(payments), outputs });
  const secret = await access(ada);
  folder.remove("state.json");
  const unread = await access(ada);
  expect([secret.exitCode, unread.exitCode]).toEqual([0, 1]);
  for (const { stdout } of [secret, unread])
    expect(stdout).toContain("GROUP_READ_ONLY [unknown whether declared]\n");
  expect(unread.unknown()).toEqual(["what stack prod declares"]);
  folder.remove("Pulumi.yaml");
  const { exitCode, stdout } = await access(ada);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain("declared]");
  expect(stdout).toContain("No stack is selected, so it is unknown what is declared.\n");
});

it("prints that nothing has the name, what was searched, and what the service does not offer", async () => {
  const { orgId } = await start();
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault: noSuchMethod });
  const { exitCode, stdout, report } = await access("nobody@example.com", "--org", orgId);
  expect({ exitCode, found: report().found }).toEqual({ exitCode: 0, found: [] });
  for (const line of [
    "No person, API key or service account is named nobody@example.com.",
    `Searched in organization Example (${orgId}): 2 projects, 3 people, 0 teams, and 0 API keys.\n`,
    "The service does not offer invitations to organizations.\n",
  ])
    expect(stdout).toContain(line);
  expect(stdout).not.toContain("Other");
});

it("lists the service accounts of Cloud Manager by client ID, by name and in each project, and how many requests they need", async () => {
  const { orgId } = await start();
  const asked = () => sandbox.requests.filter(({ path }) => path.includes("/serviceAccounts")).length;
  await access("--org", orgId, "--no-attribution");
  // A service without them is asked once.
  expect(asked()).toBe(1);
  sandbox.setSwitches({ serviceAccountLists: "offered" });
  const inProject = { groupId: idOf(payments), roleName: "GROUP_OWNER" };
  const named = `deploy of ${ada}`;
  const deploy = sandbox.addServiceAccount({
    ...{ name: named, roles: [{ orgId, roleName: "ORG_READ_ONLY" }, inProject] },
  });
  const root = sandbox.addServiceAccount({ name: "root", roles: [{ orgId, roleName: "ORG_OWNER" }] });
  for (const name of [deploy.clientId, named]) {
    const one = await access(name, "--org", orgId);
    expect([one.exitCode, one.ways()]).toEqual([
      0,
      [["organization active ORG_READ_ONLY"], ["project active payments GROUP_OWNER"]],
    ]);
    expect(one.stdout).toMatch(
      `service account ${named} (${deploy.clientId}): 1 organization and 1 project.\n`,
    );
    expect(one.stdout).toContain(": GROUP_OWNER [not declared]\n");
  }
  const all = await access("--org", orgId, "--no-attribution", "--format", "text");
  expect(all.stdout).toMatch(/^\d+ people, 1 API key, and 2 service accounts with access\.\n/);
  expect(all.stdout).toContain("0 API keys, and 2 service accounts.\n");
  const section = all.stdout.split("\n\n").find((each) => each.startsWith("Project payments ("));
  expect(section).toContain(`  service account ${named} (${deploy.clientId}): GROUP_OWNER [not declared]\n`);
  expect(section).toContain(
    "1 person, 1 API key, and 2 service accounts with a role in every project, listed above",
  );
  const sheet = await access("--org", orgId, "--no-attribution", "--mask-people", "--format", "csv");
  expect(sheet.stdout).not.toContain(ada);
  const lines = sheet.stdout.split("\r\n").filter((line) => line.startsWith("service account,"));
  const isRoot = (line: string) => line.startsWith(`service account,root,${root.clientId},`);
  // The organization and each of its projects.
  expect(lines.filter(isRoot).length).toBe(3);
  // By its own role, and by that of the organization.
  expect(lines.filter((line) => line.includes(`,${deploy.clientId},payments,`)).length).toBe(2);
  sandbox.addFault({ pathPattern: "/serviceAccounts", times: 0, fault: { status: 403 } });
  const unread = await access("--org", orgId, "--no-attribution");
  expect([unread.exitCode, unread.unknown()]).toEqual([
    1,
    [
      `service accounts of organization Example (${orgId})`,
      `service accounts of project billing (${idOf(billing)})`,
      `service accounts of project payments (${idOf(payments)})`,
    ],
  ]);
});

it("lists what the federation of an organization gives at login, or says that it cannot be read", async () => {
  const { orgId } = await start();
  const all = () => access("--org", orgId, "--no-attribution");
  const textsIn = ({ stdout }: { readonly stdout: string }) =>
    stdout.split("\n").filter((line) => line.startsWith("  group of the federation "));
  const without = await all();
  expect([without.exitCode, textsIn(without)]).toEqual([0, []]);
  sandbox.setSwitches({ federationSettings: "offered" });
  // Of which the organization has none.
  expect(textsIn(await all())).toEqual([]);
  const roleAssignments = [
    { role: "ORG_OWNER", orgId },
    { role: "GROUP_READ_ONLY", groupId: idOf(payments) },
  ];
  sandbox.changeOrg(orgId, {
    federationId: "5f00000000000000000000fe",
    roleMappings: [{ externalGroupName: "platform", roleAssignments }],
    postAuthRoleGrants: ["ORG_MEMBER"],
  });
  const found = await all();
  expect([found.exitCode, textsIn(found)]).toEqual([
    0,
    [
      '  group of the federation "everyone who signs in": ORG_MEMBER [not declared]',
      '  group of the federation "platform": ORG_OWNER (in every project) [not declared]',
      '  group of the federation "platform": GROUP_READ_ONLY [not declared]',
    ],
  ]);
  // Several mappings and assignments of one group are one line for each place.
  const again = [
    { role: "ORG_READ_ONLY", orgId, groupId: idOf(payments) },
    { role: "GROUP_OWNER", orgId, groupId: idOf(payments) },
  ];
  const roleMappings = [roleAssignments, [...roleAssignments, ...again]].map((each) => {
    return { externalGroupName: "platform", roleAssignments: each };
  });
  sandbox.changeOrg(orgId, { roleMappings, postAuthRoleGrants: ["ORG_MEMBER", "ORG_MEMBER"] });
  expect(textsIn(await all())).toEqual([
    '  group of the federation "everyone who signs in": ORG_MEMBER [not declared]',
    '  group of the federation "platform": ORG_OWNER, ORG_READ_ONLY (in every project) [not declared]',
    '  group of the federation "platform": GROUP_OWNER, GROUP_READ_ONLY [not declared]',
  ]);
  sandbox.addFault({ pathPattern: "/connectedOrgConfigs/", fault: { status: 200, body: { orgId } } });
  sandbox.addFault({ pathPattern: "/connectedOrgConfigs/", times: 0, fault: { status: 403 } });
  for (const _ of ["the mappings are missing", "it is refused"]) {
    const unread = await all();
    expect([unread.exitCode, unread.unknown()]).toEqual([
      1,
      [`federation of organization Example (${orgId})`],
    ]);
  }
});

it("marks the API key or the service account with which it has signed in, in each format", async () => {
  const { orgId } = await start({ serviceAccountLists: "offered" });
  const { baseUrl, publicKey } = sandbox;
  const roles = [{ orgId, roleName: "ORG_OWNER" }];
  sandbox.changeKey(publicKey, { orgId, roles });
  sandbox.addKey({ orgId, roles });
  const [own] = [1, 2].map(() => sandbox.addServiceAccount({ name: "deploy", roles }));
  const env = {
    ...{ PATH: `${folder.path}:${process.env.PATH}`, OPSMANAGER_BASE_URL: baseUrl },
    ...{ OPSMANAGER_CLIENT_ID: own?.clientId, OPSMANAGER_CLIENT_SECRET: own?.clientSecret },
    OPSMANAGER_TOKEN_URL: `${baseUrl}/api/oauth/token`,
  };
  const formats = ["text=a.txt", "json=a.json", "csv=a.csv"].flatMap((format) => ["--format", format]);
  const marked = async (surroundings?: { env: NodeJS.ProcessEnv }) => {
    await folder.run(
      ["access", "-s", "prod", "--org", orgId, "--no-attribution", ...formats],
      sandbox,
      surroundings,
    );
    const report: AccessReport = JSON.parse(folder.read("a.json"));
    const found = report.found.filter((each) => "isOwn" in each && each.isOwn);
    return [
      ...found.map((each) =>
        each.kind === "key" ? each.publicKey : each.kind === "service account" && each.clientId,
      ),
      ...(folder.read("a.txt").match(/^ {2}.*(?= \(the one of this command\): ORG_OWNER)/gm) ?? []),
      ...(folder.read("a.csv").match(/^.*(?=,,Example,.*,yes\r$)/gm) ?? []),
    ];
  };
  const { id: keyId } = sandbox.state.keys.find((key) => key.publicKey === publicKey) ?? {};
  expect(await marked()).toEqual([
    publicKey,
    `  API key ${publicKey} (${keyId})`,
    `key,${publicKey},${publicKey},`,
  ]);
  expect(await marked({ env })).toEqual([
    own?.clientId,
    `  service account deploy (${own?.clientId})`,
    `service account,deploy,${own?.clientId},`,
  ]);
});

describe("unknown", () => {
  it("is what could not be read, and the roles that the account shows are listed anyway", async () => {
    const { orgId } = await start();
    const { teamId } = addTeamOf(ada);
    const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
    for (const pathPattern of [
      `/groups/${idOf(payments)}/users`,
      `/teams/${teamId}/users`,
      `/orgs/${orgId}/(invites|apiKeys)`,
    ])
      sandbox.addFault({ pathPattern, times: 0, fault: refused });
    const { exitCode, stdout, ways, unknown } = await access(ada);
    expect(exitCode).toBe(1);
    expect(ways()).toEqual([
      ["organization active ORG_MEMBER"],
      ["team active platform"],
      ["project active billing platform GROUP_OWNER"],
      ["project active payments GROUP_READ_ONLY"],
    ]);
    expect(unknown()).toEqual([
      `API keys of organization Example (${orgId})`,
      `pending invitations to organization Example (${orgId})`,
      `people of project payments (${idOf(payments)})`,
      `people of team platform (${teamId})`,
    ]);
    expect(stdout).toContain("1 organization, 1 team, and 2 projects. Not everything could be read.");
    expect(stdout).toContain("\nUnknown:\n  ? ");

    const stranger = await access("nobody@example.com");
    expect(stranger.exitCode).toBe(1);
    expect(stranger.stdout).toContain("nobody@example.com was not found. Not everything could be read.");
    expect(stranger.stdout).not.toContain("no access");
  });

  it("is who is in a team that has roles in a project and is not listed", async () => {
    const { orgId } = await start();
    const { teamId } = addTeamOf(ada);
    const { id: other } = sandbox.addTeam({ name: "other", userIds: [] });
    sandbox.setProjectTeam(idOf(billing), { teamId: other, roleNames: owner });
    const none = { status: 200, body: { results: [], totalCount: 0, links: [] } };
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/teams[?]`, times: 0, fault: none });
    const { exitCode, ways, unknown } = await access(ada);
    expect(exitCode).toBe(1);
    expect(ways()).toContainEqual([`project active billing ${teamId} GROUP_OWNER`]);
    expect(unknown()).toEqual([teamId, other].map((id) => `people of team ${id}`).sort());
  });

  it("is what else an API key has that no organization lists", async () => {
    const { orgId } = await start();
    const roles = [{ groupId: idOf(payments), roleName: "GROUP_OWNER" }];
    sandbox.addKey({ publicKey: "deploybot", orgId, roles });
    const none = { status: 200, body: { results: [], totalCount: 0 } };
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/apiKeys`, times: 0, fault: none });
    const { exitCode, ways, unknown } = await access("deploybot");
    expect(exitCode).toBe(1);
    expect(ways()).toEqual([["project active payments GROUP_OWNER"]]);
    expect(unknown()).toEqual(["other roles and access list of API key deploybot"]);
  });

  it("is who owns the organization if its people are listed without roles", async () => {
    const { orgId } = await start();
    const results = sandbox.state.users.map(({ id, username }) => ({ id, username }));
    const body = { results, totalCount: results.length };
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/users`, times: 0, fault: { status: 200, body } });
    const { exitCode, stdout, unknown } = await access("--org", orgId, "--no-attribution");
    const named = `people of organization Example (${orgId})`;
    expect({ exitCode, unknown: unknown() }).toEqual({ exitCode: 1, unknown: [named] });
    expect(stdout.split(`  ? ${named}: not read\n`)).toHaveLength(3);
  });

  it("is a list that the service offers for another organization", async () => {
    const { other } = await start();
    sandbox.addFault({ pathPattern: `/orgs/${other}/invites`, times: 0, fault: noSuchMethod });
    const { exitCode, unknown } = await access(ada);
    expect(exitCode).toBe(1);
    expect(unknown()).toEqual([`pending invitations to organization Other (${other})`]);
  });
});

it("finds an account and an API key that are in no organization, with their global roles", async () => {
  const { orgId } = await start();
  const listed = "global API keys";
  sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
  const without = await access();
  expect(without.report().notListed).toContain(listed);
  const root = "root@example.com";
  sandbox.addUser({ username: root, roles: [{ roleName: "GLOBAL_OWNER" }] });
  sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  const { exitCode, stdout, ways } = await access(root);
  expect({ exitCode, ways: ways() }).toEqual({ exitCode: 0, ways: [["service active GLOBAL_OWNER"]] });
  expect(stdout).toContain(
    "): global roles.\n\nEverywhere\n  global roles: GLOBAL_OWNER (in every project) [not declared]\n",
  );
  sandbox.addKey({ publicKey: "globalrw", desc: "backup", roles: [{ roleName: "GLOBAL_READ_ONLY" }] });
  const all = await access();
  expect(all.report().notListed).not.toContain(listed);
  expect(all.stdout).toContain('API key globalrw "backup"');
  const one = await access("globalrw");
  expect([one.exitCode, one.ways()]).toEqual([0, [["service active GLOBAL_READ_ONLY"]]]);
});

it("lists what a project shows of those who are in no list of its organization", async () => {
  const { orgId } = await start();
  const inProject = { groupId: idOf(payments), roleName: "GROUP_READ_ONLY" };
  sandbox.changeKey(sandbox.publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
  sandbox.addUser({ username: "root@example.com", roles: [{ roleName: "GLOBAL_OWNER" }, inProject] });
  const key = { id: "5f00000000000000000000c7", publicKey: "globalrw" };
  const results = [{ ...key, roles: [{ roleName: "GLOBAL_USER_ADMIN" }, inProject] }];
  const fault = { status: 200, body: { results, totalCount: 1 } };
  sandbox.addFault({ pathPattern: `/groups/${idOf(payments)}/apiKeys`, times: 0, fault });
  const { exitCode, stdout } = await access("--no-attribution");
  expect(exitCode).toBe(0);
  const everywhere = [
    "  root@example.com: GLOBAL_OWNER (in every project) [not declared]",
    "  API key globalrw (5f00000000000000000000c7): GLOBAL_USER_ADMIN (in every project) [not declared]",
  ];
  expect(stdout).toContain(`\nEverywhere\n${everywhere.join("\n")}\n`);
});

it("lists the groups of an organization that the list of organizations lacks", async () => {
  const { orgId } = await start({ ldap: true });
  sandbox.changeOrg(orgId, { ldapGroupMappings: [{ roleName: "ORG_OWNER", ldapGroups: ["cn=owners"] }] });
  const none = { status: 200, body: { results: [], totalCount: 0 } };
  sandbox.addFault({ pathPattern: "/orgs[?]", times: 0, fault: none });
  const { exitCode, stdout } = await access("--org", orgId, "--no-attribution");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`\nOrganization Example (${orgId})\n`);
  expect(stdout).toContain('  LDAP group "cn=owners": ORG_OWNER (in every project) [not declared]\n');
});

it("lists roles outside of the searched organizations as the account shows them", async () => {
  const { orgId, other } = await start();
  const { id: projectId } = sandbox.addProject({ name: "elsewhere", orgId: other });
  sandbox.setOrgMember(other, { username: ada }, ["ORG_MEMBER"]);
  sandbox.setMember(projectId, { username: ada }, owner);
  const { report, stdout } = await access(ada, "--org", orgId);
  const entries = report().found.flatMap((found) => found.access);
  expect(entries.filter(({ isOutside }) => isOutside)).toMatchObject([
    { in: "organization", status: "active", orgId: other, roles: ["ORG_MEMBER"], declaration: "unknown" },
    { in: "project", status: "active", projectId, roles: owner, declaration: "unknown" },
  ]);
  expect(stdout).toContain(`\nNot searched, but shown by the roles\n  organization ${other}: ORG_MEMBER\n`);
});

it("counts the organizations and projects that give roles to groups, whichever list shows the mappings", async () => {
  const orgProjectFields = "without-tags-and-mappings";
  const { orgId } = await start({ ldap: true, idpMappings: "present", orgProjectFields });
  const idpGroupMappings = [{ roleName: "ORG_OWNER", idpGroups: ["admins"] }];
  const body = { results: [{ id: orgId, name: "Example", idpGroupMappings }], totalCount: 1 };
  sandbox.addFault({ pathPattern: "/orgs[?]", fault: { status: 200, body } });
  const roleName = "GROUP_OWNER";
  sandbox.changeProject(idOf(payments), { ldapGroupMappings: [{ roleName, ldapGroups: ["cn=dba"] }] });
  sandbox.changeProject(idOf(billing), { idpGroupMappings: [{ roleName, idpGroups: ["dba"] }] });
  const { exitCode, stdout, report } = await access(ada);
  expect(exitCode).toBe(0);
  expect(report().withGroupMappings).toEqual({ organizations: 1, projects: 2 });
  expect(stdout).toContain(
    "Groups of LDAP or of an identity provider have roles in 1 organization and 2 projects. A login may",
  );
});

it.each([
  {
    key: "that the service rejects",
    arrange: () => sandbox.removeKey(sandbox.publicKey),
    says: /^opsmanager: .* failed: 401 .*\n$/,
  },
  {
    key: "that sees no organization",
    arrange: () => sandbox.changeKey(sandbox.publicKey, { roles: [] }),
    says: /^opsmanager: The API key can see no organization.*\n$/,
  },
])("a key $key ends the command with one message, and never with no access", async ({ arrange, says }) => {
  await start();
  arrange();
  const { exitCode, stdout, stderr } = await access(ada);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(says);
});

it("writes no report after Ctrl-C", async () => {
  await start();
  const stop = new AbortController();
  sandbox.addFault({ pathPattern: "/groups/.*/users", fault: { delayMs: 60_000 } });
  const running = folder.run(["access", "-s", "prod", ada], sandbox, { stop: stop.signal });
  while (!sandbox.requests.some(({ path }) => path.endsWith("/apiKeys"))) await setTimeout(5);
  stop.abort();
  expect(await running).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "opsmanager: Stopped; no report was written.\n",
  });
});

describe("without a name", () => {
  const mallory = "mallory@example.com";

  /** Everyone and everything of an organization: by themselves, by a team, by an invitation, by a group. */
  async function startAll(): Promise<void> {
    const { orgId } = await start({ idpMappings: "present" });
    addTeamOf(ada);
    sandbox.addInvitation(idOf(billing), { username: "=cmd|' /C calc'!A0", roles: reader });
    sandbox.addKey({ desc: "deploy, and more", roles: [{ roleName: "ORG_READ_ONLY", orgId }] });
    const idpGroupMappings = [{ roleName: "GROUP_OWNER", idpGroups: ["cn=owners"] }];
    sandbox.changeProject(idOf(payments), { idpGroupMappings });
    sandbox.actAs({ username: mallory });
    sandbox.setMember(idOf(payments), { username: "eve@example.com" }, owner);
  }

  it("lists everyone and everything that has access, by which way, declared by what, since when and by whom", async () => {
    await startAll();
    stateOf({ kind: "ProjectMember", name: "ada", id: `${idOf(payments)}/${ada}` });
    const { exitCode, stdout, report } = await access();
    expect({ exitCode, name: report().name }).toEqual({ exitCode: 0, name: undefined });
    const all = report().found.flatMap((found) => (found.kind === "person" ? [found] : []));
    // The same as for each name alone, but for the events.
    for (const name of [ada, "olga@example.com", "eve@example.com"]) {
      const [alone] = (await access(name)).report().found;
      const found = all.find((person) => person.name === name);
      expect(found?.access.map(({ lastEvent: _, ...entry }) => entry)).toEqual(alone?.access);
    }
    expect(stdout).toMatch(/^\d+ people, 2 API keys, and 1 group with access\.\n/);
    for (const what of report().notListed) expect(stdout).toContain(what);
    expect(stdout).toMatch(
      /\nThe report does not show people with global roles .*, and service accounts .*\.\n/,
    );
    const inProject = stdout.split("\n\n").find((section) => section.startsWith("Project payments ("));
    expect(inProject?.split("\n").slice(1)).toEqual([
      "  ada@example.com: GROUP_READ_ONLY [declared by ada (ProjectMember)]",
      expect.stringMatching(
        /^ {2}eve@example\.com: GROUP_OWNER \[not declared\] \(20\d\d-.* UTC by mallory@example\.com/,
      ),
      "  olga@example.com: GROUP_OWNER [not declared]",
      '  identity provider group "cn=owners": GROUP_OWNER [not declared]',
      "  1 person and 2 API keys with a role in every project, listed above",
    ]);
  });

  itIf(hasPython(), "Python")(
    "as CSV, a spreadsheet stores names and IDs as text, and days as days",
    async () => {
      await start();
      const converted = [
        "007",
        "12,5",
        "1/2",
        "3-4",
        "12:30 pm",
        "5 %",
        "$5",
        "(5)",
        "1e5",
        "MAR1",
        "1-Sep",
        "Dec 2026",
        "TRUE",
      ];
      const kept = ["svc1", "1st", "Mar", "march-team 1", "v1.2", "e5", "abc-2026-01", "1e"];
      const publicKeys = [...converted, ...kept].map(
        (desc) => sandbox.addKey({ desc, orgId: sandbox.orgId, roles: [] }).publicKey,
      );
      const { id } = sandbox.addProject({
        name: "2026-01",
        orgId: sandbox.orgId,
        id: "5e0000000000000000000012",
      });
      sandbox.addInvitation(id, { username: "new@example.com", roles: reader });
      expect((await access("--no-attribution", "--format", "csv=access.csv")).exitCode).toBe(0);
      const rows = readRows(folder.read("access.csv"));
      const names = rows
        .filter(({ id: publicKey = "" }) => publicKeys.includes(publicKey))
        .map(({ name }) => name);
      expect(names.sort()).toEqual([...converted.map((name) => `'${name}`), ...kept].sort());
      const invited = rows.find(({ name }) => name === "new@example.com");
      expect(invited).toMatchObject({ project: "'2026-01", "project id": "'5e0000000000000000000012" });
      expect(invited?.expires).toMatch(/^20\d\d-/);
    },
  );

  itIf(hasPython(), "Python")(
    "as CSV, a spreadsheet reads what was written, and no cell begins a formula, whatever separates cells",
    async () => {
      await start();
      const names = [
        'Köln, "Süd"',
        "-1+1",
        "@SUM(1)",
        "\tcmd",
        "\r=1+1",
        " =1+1",
        "＝1+1",
        'a;=1+1;"=1+1";+1; -1',
      ];
      const keyOf = (desc: string) => sandbox.addKey({ desc, orgId: sandbox.orgId, roles: [] });
      const keys = new Map(names.map((name) => [keyOf(name).publicKey, name]));
      expect((await access("--no-attribution", "--format", "csv=access.csv")).exitCode).toBe(0);
      const text = folder.read("access.csv");
      expect(text).toMatch(/^\uFEFFkind,[^\n]*\r\n/);
      const read = readRows(text).filter(({ id }) => keys.has(id ?? ""));
      const inText = (name = "") => name.replace("\t", "\\u0009").replace("\r", "\\u000d");
      const withMark = (name: string) => name.replace(/^(?=\s*[=@＝-])|(?<=;)(?=[\s"]*[=+-])/g, "'");
      expect(new Map(read.map(({ id, name }) => [id, name]))).toEqual(
        new Map([...keys].map(([id, name]) => [id, withMark(inText(name))])),
      );
      for (const separator of [",", ";", "\t"])
        expect(
          readSheet(text, separator)
            .flat()
            .filter((value) => /^[\s"]*[=+@＝-]/.test(value)),
        ).toEqual([]);
    },
  );

  it("--mask-people leaves no name in any format, whatever has it in its own", async () => {
    await startAll();
    // A person of the service, one who has left and acts in events, one whom only the state knows, and one who invited.
    const people = ["svc_bob", "svc_actor", "svc_state", "svc_inviter"];
    const inNames = `tests of ${people.join(" and ")}`;
    const { id: orgId } = sandbox.addOrg({ name: `Org, ${inNames}` });
    const { id: userId } = sandbox.setOrgMember(orgId, { username: "svc_bob" }, ["ORG_OWNER"]);
    const { id } = sandbox.addProject({ name: inNames, orgId });
    sandbox.actAs({ username: "svc_actor" });
    for (const username of [ada, "Svc_Bob"]) sandbox.setMember(id, { username }, reader);
    sandbox.addInvitation(id, { username: "new@example.com", roles: reader, inviterUsername: "svc_inviter" });
    const { id: teamId } = sandbox.addTeam({ name: `Team, ${inNames}`, userIds: [userId], orgId });
    sandbox.setProjectTeam(id, { teamId, roleNames: owner });
    sandbox.addKey({ desc: `Key, ${inNames}`, orgId, roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
    const idpGroupMappings = [{ roleName: "GROUP_OWNER", idpGroups: [`cn=${inNames}`] }];
    sandbox.changeProject(id, { idpGroupMappings });
    const refused = { status: 403, body: { error: 403, errorCode: "NO", detail: `Not in ${inNames}.` } };
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault: refused });
    stateOf(
      { kind: "ProjectMember", name: `payments/${ada}`, id: `${idOf(payments)}/${ada}` },
      { kind: "ProjectMember", name: inNames, id: `${id}/svc_bob` },
      { kind: "ProjectMembers", name: "left", id: idOf(billing), inputs: { members: { svc_state: reader } } },
    );
    const csv = "csv=access.csv";
    for (const format of ["text", "json", "csv", csv])
      for (const name of [[], ["Ada@example.com"], ["svc_bob"]]) {
        const { stdout } = await access(
          "--mask-people",
          "--format",
          format,
          "--since",
          "2026-01-01",
          ...name,
        );
        const shown = format === csv ? `${stdout}${folder.read("access.csv")}` : stdout;
        expect(shown).not.toMatch(/@example\.com|svc_|192\.0\.2/i);
        expect(shown).toMatch(/tests of person-[0-9a-f]{10} and person-/);
      }
  });

  it("is a summary where every format goes to a file", async () => {
    await startAll();
    sandbox.addFault({
      pathPattern: "/groups/.*/users",
      times: 0,
      fault: { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "No." } },
    });
    for (const files of [["csv=access.csv"], ["text=access.txt", "csv=access.csv"]]) {
      const { stdout, exitCode } = await access(...files.flatMap((file) => ["--format", file]));
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(
        /^4 people, 2 API keys, and 1 group with access\. Not everything could be read\.\n/,
      );
      expect(stdout).toMatch(/\nUnknown:\n( {2}\? people of project .*: .*\n){2}$/);
      expect(stdout).not.toContain("\nProject ");
    }
    expect(folder.read("access.txt")).toContain("\nProject payments ");
    expect((await access(ada, "--format", "csv=access.csv")).stdout).toMatch(
      /^ada@example\.com \(.*\n\nSearched/,
    );
  });
});
