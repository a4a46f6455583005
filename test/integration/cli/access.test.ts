/** `opsmanager access` against the sandbox; a script that prints a state is in for `pulumi`. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { AccessEntry, AccessReport } from "../../../cli/lib/access/report";
import { pluginType } from "../../../cli/lib/own-resources";
import type { Terminal } from "../../../cli/lib/terminal";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { INPUTS_READ } from "../../../provider/text/sentinels";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";
import { runCommand } from "../../support/command";

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";

let folder: string;
let sandbox: Sandbox;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-access-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: platform\nruntime: nodejs\n");
  const script = '#!/bin/sh\ncase "$1" in\n  config) echo "{}" ;;\n  stack) cat state.json ;;\nesac\n';
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  stateOf();
});

afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

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
function stateOf(...declared: Declared[]): void {
  const resources = declared.map(({ kind, name, id, inputs = {}, outputs = {} }) => {
    return { urn: urnOf({ kind, name }), type: pluginType(kind), custom: true, id, inputs, outputs };
  });
  writeFileSync(join(folder, "state.json"), JSON.stringify({ deployment: { resources } }));
}

async function start(options: SandboxOptions = {}): Promise<{ orgId: string }> {
  sandbox = await startSandbox({
    seed: {
      orgs: [{ name: "Example" }, { name: "Other" }],
      projects: [
        { name: "payments", members: { "olga@example.com": owner, [ada]: reader } },
        { name: "billing", members: { "olga@example.com": owner } },
      ],
    },
    ...options,
  });
  return { orgId: sandbox.orgId };
}

async function access(...argv: string[]) {
  return accessWith({}, ...argv);
}

async function accessWith(surroundings: Partial<Terminal>, ...argv: string[]) {
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    OPSMANAGER_BASE_URL: sandbox.baseUrl,
    OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
    OPSMANAGER_PRIVATE_KEY: sandbox.privateKey,
    OPSMANAGER_MAX_RETRIES: "0",
  };
  const stack = existsSync(join(folder, "Pulumi.yaml")) ? ["-s", "prod"] : [];
  const argvOfRun = ["access", ...stack, "--format", "json=access.json", ...argv];
  const result = await runCommand(argvOfRun, { cwd: folder, env, ...surroundings });
  const report = () => JSON.parse(readFileSync(join(folder, "access.json"), "utf8")) as AccessReport;
  return { ...result, report };
}

/** Each way in one text, and the URNs of the resources that declare it. */
function waysOf({ access: entries }: { readonly access: readonly AccessEntry[] }): string[][] {
  return entries.map(({ in: place, status, projectName, teamName, roles, declaredBy = [] }) => [
    [place, status, projectName, teamName, ...roles].filter(Boolean).join(" "),
    ...declaredBy,
  ]);
}

const [payments, billing] = ["payments", "billing"];
const idOf = (name = "") => sandbox.state.projects.find((project) => project.name === name)?.id ?? "";

/** Sets the response to the list of an organization's invitations. */
function answerInvitations(orgId: string, fault: { readonly status: number; readonly body: unknown }): void {
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault });
}

const noSuchMethod = { status: 405, body: "" };

it("lists each way in which a person has access, and the resource that declares it", async () => {
  const { orgId } = await start();
  const { id: userId } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(idOf(billing), { teamId, roleNames: owner });
  sandbox.addInvitation(idOf(billing), { username: "Ada@example.com", roles: reader });
  sandbox.addInvitation(idOf(payments), { username: ada, roles: owner });
  const { expiresAt } = sandbox.addOrgInvitation(orgId, { username: ada, roles: ["ORG_OWNER"] });
  const resources = {
    member: {
      kind: "OrganizationMember",
      name: "ada",
      id: `${orgId}/${ada}`,
      outputs: { username: ada, userId },
    },
    people: {
      kind: "ProjectMembers",
      name: "people",
      id: idOf(payments),
      inputs: { members: { [ada]: reader } },
    },
    team: {
      kind: "Team",
      name: "team",
      id: `${orgId}/${teamId}`,
      inputs: { usernames: [ada] },
      outputs: { teamId },
    },
    roles: { kind: "ProjectTeam", name: "roles", id: `${idOf(billing)}/${teamId}`, outputs: { teamId } },
    other: { kind: "ProjectMember", name: "other", id: `${idOf(billing)}/olga@example.com` },
  } as const;
  stateOf(...Object.values(resources));
  const { exitCode, stdout, stderr, report } = await access("ADA@example.com", "--org", orgId);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  const [person] = report().found;
  expect(person).toMatchObject({ kind: "person", accounts: [{ userId, username: ada }] });
  expect(person && waysOf(person)).toEqual([
    ["organization active ORG_MEMBER", urnOf(resources.member)],
    ["organization pending ORG_OWNER", urnOf(resources.member)],
    ["team active platform", urnOf(resources.team)],
    ["project pending billing GROUP_READ_ONLY"],
    ["project active billing platform GROUP_OWNER", urnOf(resources.roles)],
    ["project active payments GROUP_READ_ONLY", urnOf(resources.people)],
    ["project pending payments GROUP_OWNER", urnOf(resources.people)],
  ]);
  expect(report()).toMatchObject({ isComplete: true, notOffered: [], unknown: [] });
  expect(stdout).toContain("1 organization, 1 team, 2 projects, and 3 pending invitations.");
  expect(stdout).toContain(
    `  organization: invited, ORG_OWNER, expires ${expiresAt} [declared by ada (OrganizationMember)]\n`,
  );
  expect(stdout).toContain(
    `GROUP_OWNER through team platform (${teamId}) [declared by roles (ProjectTeam)]\n`,
  );
});

it("lists the organization, the roles and the access list of an API key, by its public key or its id", async () => {
  const { orgId } = await start();
  const key = sandbox.addKey({
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
  const resources = {
    key: { kind: "ApiKey", name: "key", id: `${orgId}/${key.id}`, outputs: { orgId } },
    roles: { kind: "ProjectApiKey", name: "roles", id: `${idOf(payments)}/${key.id}` },
  } as const;
  stateOf(...Object.values(resources));
  const { exitCode, stdout, report } = await access("deploybot");
  expect(exitCode).toBe(0);
  const [found, ...others] = report().found;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ kind: "key", keyId: key.id, description: "deploys", accessListEntries: 1 });
  expect(found && waysOf(found)).toEqual([
    ["organization active ORG_READ_ONLY", urnOf(resources.key)],
    ["project active billing GROUP_READ_ONLY"],
    ["project active payments GROUP_OWNER", urnOf(resources.roles)],
  ]);
  expect(stdout).toContain(
    `API key deploybot "deploys" (${key.id}): 1 organization and 2 projects.\nAccess list: 1 entry.\n`,
  );
  expect(stdout).toContain("organization: ORG_READ_ONLY (in every project) [declared by key (ApiKey)]");
  const byId = await access(key.id.toUpperCase());
  expect(byId.report().found).toEqual([found]);
});

it("prints the declared roles of a person, a team and an API key, if the live ones differ", async () => {
  const { orgId } = await start();
  const { id: userId } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(idOf(billing), { teamId, roleNames: owner });
  sandbox.setMember(idOf(payments), { username: ada }, owner);
  const roles = [
    { orgId, roleName: "ORG_MEMBER" },
    { groupId: idOf(payments), roleName: "GROUP_OWNER" },
  ];
  const { id: keyId } = sandbox.addKey({ publicKey: "deploybot", desc: "deploys", orgId, roles });
  const person = { kind: "OrganizationMember", name: "ada", id: `${orgId}/${ada}` } as const;
  const people = { kind: "ProjectMembers", name: "people", id: idOf(payments) } as const;
  const inputs = { roles: reader };
  stateOf(
    { ...person, inputs: { username: ada, roles: ["ORG_MEMBER"] } },
    { ...people, inputs: { members: { "Ada@example.com": reader } } },
    { kind: "ProjectTeam", name: "team", id: `${idOf(billing)}/${teamId}`, inputs, outputs: { teamId } },
    { kind: "ProjectApiKey", name: "ci", id: `${idOf(payments)}/${keyId}`, inputs },
  );
  const { stdout, report } = await access(ada);
  const [found] = report().found;
  expect(found?.access.map(({ declaredRoles }) => declaredRoles)).toEqual([
    undefined,
    undefined,
    reader,
    reader,
  ]);
  expect(stdout).toContain("organization: ORG_MEMBER [declared by ada (OrganizationMember)]\n");
  for (const resource of ["people (ProjectMembers)", "team (ProjectTeam)"]) {
    expect(stdout).toContain(`[declared by ${resource} with other roles: GROUP_READ_ONLY]\n`);
  }
  const key = await access("deploybot");
  expect(key.stdout).toContain("[declared by ci (ProjectApiKey) with other roles: GROUP_READ_ONLY]\n");
});

it("prints no other roles if a team gives them, and unknown roles if a refresh replaced the declared ones", async () => {
  const { orgId } = await start({ teamRolesInUsers: true });
  const { id: userId } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(idOf(payments), { teamId, roleNames: owner });
  const { id: keyId } = sandbox.addKey({
    publicKey: "deploybot",
    orgId,
    roles: [{ groupId: idOf(payments), roleName: "GROUP_OWNER" }],
  });
  const people = { kind: "ProjectMembers", name: "people", id: idOf(payments) } as const;
  const ci = { kind: "ProjectApiKey", name: "ci", id: `${idOf(payments)}/${keyId}` } as const;
  stateOf(
    { ...people, inputs: { members: { [ada]: reader } } },
    { ...ci, inputs: { roles: reader, [INPUTS_READ]: ["roles"] } },
  );
  for (const [name, resource] of [
    [ada, "people (ProjectMembers)"],
    ["deploybot", "ci (ProjectApiKey) with unknown roles"],
  ] as const) {
    expect((await access(name)).stdout).toContain(`[declared by ${resource}]\n`);
  }
  const { found } = (await access("deploybot")).report();
  const unknown = found[0]?.access.map(({ areDeclaredRolesUnknown }) => areDeclaredRolesUnknown);
  expect(unknown).toEqual([undefined, true]);
});

it("prints that nothing has the name, what was searched, and what the service does not offer", async () => {
  const { orgId } = await start();
  answerInvitations(orgId, noSuchMethod);
  const { exitCode, stdout, report } = await access("nobody@example.com", "--org", orgId);
  expect(exitCode).toBe(0);
  expect(report().found).toEqual([]);
  expect(stdout).toContain("No person or API key is named nobody@example.com.");
  expect(stdout).toContain(
    `Searched in organization Example (${orgId}): 2 projects, 3 people, 0 teams, and 0 API keys.\n`,
  );
  expect(stdout).not.toContain("Other");
  expect(stdout).toContain("The service does not offer invitations to organizations.\n");
});

it("lists what could not be read as unknown, and the roles that the account shows anyway", async () => {
  const { orgId } = await start();
  const { id: userId } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const visible = sandbox.addTeam({ name: "platform", userIds: [userId] });
  const refused = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
  sandbox.addFault({ pathPattern: `/groups/${idOf(payments)}/users`, times: 0, fault: refused });
  sandbox.addFault({ pathPattern: `/teams/${visible.id}/users`, times: 0, fault: refused });
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/(invites|apiKeys)`, times: 0, fault: refused });
  const { exitCode, stdout, report } = await access(ada);
  expect(exitCode).toBe(1);
  const [person] = report().found;
  expect(person && waysOf(person)).toEqual([
    ["organization active ORG_MEMBER"],
    ["team active platform"],
    ["project active payments GROUP_READ_ONLY"],
  ]);
  expect(
    report()
      .unknown.map(({ what }) => what)
      .sort(),
  ).toEqual([
    `API keys of organization Example (${orgId})`,
    `pending invitations to organization Example (${orgId})`,
    `people of project payments (${idOf(payments)})`,
    `people of team platform (${visible.id})`,
  ]);
  expect(stdout).toContain("1 organization, 1 team, and 1 project. Not everything could be read.");
  expect(stdout).toContain("\nUnknown:\n  ? ");

  const stranger = await access("nobody@example.com");
  expect(stranger.exitCode).toBe(1);
  expect(stranger.stdout).toContain("nobody@example.com was not found. Not everything could be read.");
  expect(stranger.stdout).not.toContain("no access");
});

it("takes a team that has roles in a project and is not listed for unknown", async () => {
  const { orgId } = await start();
  const { id: userId } = sandbox.setOrgMember(orgId, { username: ada }, ["ORG_MEMBER"]);
  const [hers, other] = ["hers", "other"].map((name) =>
    sandbox.addTeam({ name, userIds: name === "hers" ? [userId] : [] }),
  );
  for (const team of [hers, other])
    sandbox.setProjectTeam(idOf(billing), { teamId: team?.id ?? "", roleNames: owner });
  const fault = { status: 200, body: { results: [], totalCount: 0, links: [] } };
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/teams[?]`, times: 0, fault });
  const { exitCode, report } = await access(ada);
  expect(exitCode).toBe(1);
  const [person] = report().found;
  expect(person && waysOf(person)).toContainEqual([`project active billing ${hers?.id} GROUP_OWNER`]);
  const people = [hers, other].map((team) => `people of team ${team?.id}`).sort();
  expect(
    report()
      .unknown.map(({ what }) => what)
      .sort(),
  ).toEqual(people);
});

it("lists no direct role for a person who has access through a team, although the account shows the roles of the team", async () => {
  const { orgId } = await start({ teamRolesInUsers: true });
  const { id: userId } = sandbox.setOrgMember(orgId, { username: "eve@example.com" }, ["ORG_MEMBER"]);
  const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
  sandbox.setProjectTeam(idOf(billing), { teamId, roleNames: owner });
  const { report } = await access("eve@example.com");
  const [person] = report().found;
  expect(person && waysOf(person)).toEqual([
    ["organization active ORG_MEMBER"],
    ["team active platform"],
    ["project active billing platform GROUP_OWNER"],
  ]);
});

it("takes the other roles of an API key that no organization lists for unknown", async () => {
  const { orgId } = await start();
  const roles = [{ groupId: idOf(payments), roleName: "GROUP_OWNER" }];
  sandbox.addKey({ publicKey: "deploybot", orgId, roles });
  const none = { status: 200, body: { results: [], totalCount: 0 } };
  sandbox.addFault({ pathPattern: `/orgs/${orgId}/apiKeys`, times: 0, fault: none });
  const { exitCode, report } = await access("deploybot");
  expect(exitCode).toBe(1);
  const [key] = report().found;
  expect(key && waysOf(key)).toEqual([["project active payments GROUP_OWNER"]]);
  expect(report().unknown).toMatchObject([{ what: "other roles and access list of API key deploybot" }]);
});

it("finds an account that is in no organization, with its global roles", async () => {
  await start();
  const root = "root@example.com";
  sandbox.addUser({ username: root, roles: [{ roleName: "GLOBAL_OWNER" }] });
  sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  const { exitCode, stdout, report } = await access(root);
  expect(exitCode).toBe(0);
  expect(report().found).toMatchObject([{ access: [{ in: "service", roles: ["GLOBAL_OWNER"] }] }]);
  expect(stdout).toContain("): global roles.\n\nEverywhere\n  global roles: GLOBAL_OWNER\n");
});

it("lists roles outside of the searched organizations as the account shows them", async () => {
  const { orgId } = await start();
  const other = sandbox.state.orgs[1]?.id ?? "";
  const project = sandbox.addProject({ name: "elsewhere", orgId: other });
  sandbox.setOrgMember(other, { username: ada }, ["ORG_MEMBER"]);
  sandbox.setMember(project.id, { username: ada }, owner);
  const { report, stdout } = await access(ada, "--org", orgId);
  const outside = report().found.flatMap(({ access: entries }) =>
    entries.filter(({ isOutside }) => isOutside),
  );
  expect(outside).toEqual([
    { in: "organization", status: "active", isOutside: true, orgId: other, roles: ["ORG_MEMBER"] },
    { in: "project", status: "active", isOutside: true, projectId: project.id, roles: owner },
  ]);
  expect(stdout).toContain(`\nNot searched, but shown by the roles\n  organization ${other}: ORG_MEMBER\n`);
});

it("counts the organizations and projects that give roles to groups, whichever list shows the mappings", async () => {
  const { orgId } = await start({
    ldap: true,
    idpMappings: "present",
    orgProjectFields: "without-tags-and-mappings",
  });
  const idpGroupMappings = [{ roleName: "ORG_OWNER", idpGroups: ["admins"] }];
  const organizations = { results: [{ id: orgId, name: "Example", idpGroupMappings }], totalCount: 1 };
  sandbox.addFault({ pathPattern: "/orgs[?]", fault: { status: 200, body: organizations } });
  sandbox.changeProject(idOf(payments), {
    ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba"] }],
  });
  sandbox.changeProject(idOf(billing), {
    idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["dba"] }],
  });
  const { exitCode, stdout, report } = await access(ada);
  expect(exitCode).toBe(0);
  expect(report().withGroupMappings).toEqual({ organizations: 1, projects: 2 });
  expect(stdout).toContain(
    "Groups of LDAP or of an identity provider have roles in 1 organization and 2 projects. A login may",
  );
});

it("does not know who declares a person where the program keeps the people secret, or where the state is unreadable", async () => {
  const { orgId } = await start();
  const memberDetails = { "4dabf18193072939515e22adb298388d": "secret", ciphertext: "…" };
  stateOf({ kind: "ProjectMembers", name: "people", id: idOf(payments), outputs: { orgId, memberDetails } });
  const secret = await access(ada);
  expect(secret.exitCode).toBe(0);
  expect(secret.stdout).toContain("GROUP_READ_ONLY [unknown whether declared]\n");

  rmSync(join(folder, "state.json"));
  const unread = await access(ada);
  expect(unread.exitCode).toBe(1);
  expect(unread.report().unknown).toMatchObject([{ what: "what stack prod declares" }]);
  expect(unread.stdout).toContain("GROUP_READ_ONLY [unknown whether declared]\n");
});

it("needs no stack, and then does not print what is declared", async () => {
  await start();
  rmSync(join(folder, "Pulumi.yaml"));
  const { exitCode, stdout } = await access(ada);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain("declared]");
  expect(stdout).toContain("No stack is selected, so it is unknown what is declared.\n");
});

it("--mask-people leaves no name of a person in the report", async () => {
  await start();
  const reader = ["GROUP_READ_ONLY"];
  const { id } = sandbox.addProject({ name: "tests of svc_bob" });
  for (const username of [ada, "svc_bob"]) sandbox.setMember(id, { username }, reader);
  stateOf({ kind: "ProjectMember", name: `payments/${ada}`, id: `${idOf(payments)}/${ada}` });
  const { stdout, report } = await access("Ada@example.com", "--mask-people");
  expect(stdout).toMatch(/tests of person-[0-9a-f]{10}/);
  expect(stdout).toMatch(/^person-[0-9a-f]{10} \(account /);
  expect(stdout + JSON.stringify(report())).not.toMatch(/ada@|svc_bob/i);
  expect(stdout).toMatch(/\[declared by payments\/person-[0-9a-f]{10} \(ProjectMember\)\]/);
});

it("a key that the service rejects ends the command with one message", async () => {
  await start();
  const { orgId, publicKey } = sandbox;
  sandbox.removeKey(publicKey);
  const { exitCode, stdout, stderr } = await access(ada, "--org", orgId);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^opsmanager: .* failed: 401 .*\n$/);
});

it("takes a list for unknown if the service offers it for another organization", async () => {
  const { orgId } = await start();
  answerInvitations(orgId, { status: 200, body: [] });
  answerInvitations(sandbox.state.orgs[1]?.id ?? "", noSuchMethod);
  const { exitCode, report } = await access(ada);
  expect(exitCode).toBe(1);
  const [{ what } = { what: "" }, ...others] = report().unknown;
  expect(others).toEqual([]);
  expect(what).toMatch(/^pending invitations to organization Other /);
  expect(what).not.toContain(orgId);
});

it("a key that sees no organization is an error, never no access", async () => {
  await start();
  sandbox.changeKey(sandbox.publicKey, { roles: [] });
  const { exitCode, stdout, stderr } = await access(ada);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain("The API key can see no organization");
});

it("writes no report after Ctrl-C", async () => {
  await start();
  const stop = new AbortController();
  sandbox.addFault({ pathPattern: "/groups/.*/users", fault: { delayMs: 60_000 } });
  const running = accessWith({ stop: stop.signal }, ada);
  while (!sandbox.requests.some(({ path }) => path.endsWith("/apiKeys"))) await setTimeout(5);
  stop.abort();
  const { exitCode, stdout, stderr } = await running;
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toBe("opsmanager: Stopped; no report was written.\n");
});

describe("without a name", () => {
  const mallory = "mallory@example.com";

  /** Everyone and everything of an organization: by themselves, by a team, by an invitation, by a group. */
  async function startAll(): Promise<void> {
    await start();
    const { id: userId } = sandbox.setOrgMember(sandbox.orgId, { username: ada }, ["ORG_MEMBER"]);
    const { id: teamId } = sandbox.addTeam({ name: "platform", userIds: [userId] });
    sandbox.setProjectTeam(idOf(billing), { teamId, roleNames: owner });
    sandbox.addInvitation(idOf(billing), { username: "=cmd|' /C calc'!A0", roles: reader });
    sandbox.addKey({
      desc: "deploy, and more",
      roles: [{ roleName: "ORG_READ_ONLY", orgId: sandbox.orgId }],
    });
    sandbox.setSwitches({ idpMappings: "present" });
    sandbox.changeProject(idOf(payments), {
      idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["cn=owners"] }],
    });
    sandbox.actAs({ username: mallory });
    sandbox.setMember(idOf(payments), { username: "eve@example.com" }, owner);
  }

  it("lists everyone and everything that has access, by which way, declared by what, since when and by whom", async () => {
    await startAll();
    stateOf({ kind: "ProjectMember", name: "ada", id: `${idOf(payments)}/${ada}` });
    const { exitCode, stdout, report } = await access();
    expect({ exitCode, name: report().name }).toEqual({ exitCode: 0, name: undefined });
    const people = report().found.flatMap((found) => (found.kind === "person" ? [found] : []));
    // The same as for each name alone, but for the events.
    for (const name of [ada, "olga@example.com", "eve@example.com"]) {
      const [alone] = (await access(name)).report().found;
      const found = people.find((person) => person.name === name);
      expect(found?.access.map(({ lastEvent: _, ...entry }) => entry)).toEqual(alone?.access);
    }
    expect(stdout).toMatch(/^\d+ people, 1 API key, and 1 group with access\.\n/);
    expect(stdout).toContain('identity provider group "cn=owners": 1 project.');
    expect(stdout).toMatch(
      /eve@example\.com .*\n\n.*\n.*\n {2}project payments \(.*\): GROUP_OWNER \[not declared\] \(20\d\d-.* UTC by mallory@example\.com/,
    );
  });

  it("as CSV, each way is a line, and no cell begins a formula", async () => {
    await startAll();
    const { stdout } = await access("--format", "csv", "--no-attribution");
    const lines = stdout.split("\r\n");
    expect(lines[0]).toMatch(/^kind,name,id,in,organization,/);
    expect(lines.filter((line) => line.startsWith("person,ada@example.com,"))).toHaveLength(4);
    expect(stdout).toContain('key,"deploy, and more",');
    expect(stdout).toContain("\r\nperson,'=cmd|' /c calc'!a0,");
    expect(stdout).not.toMatch(/(^|,)[=+@-]/m);
  });

  it("--mask-people leaves no name in any format", async () => {
    await startAll();
    for (const format of ["text", "json", "csv"]) {
      const { stdout } = await access("--mask-people", "--format", format);
      expect(stdout).not.toMatch(/@example\.com|192\.0\.2/);
      expect(stdout).toMatch(/person-[0-9a-f]{10}/);
    }
  });
});
