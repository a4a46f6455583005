/** Who may have made a change outside Pulumi: the last event that fits each difference. */
import type { Sandbox } from "../../../sandbox";
import { call } from "../../integration/sandbox/client";
import { type Program, type Stack, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { driftOf, owner, reader } from "./support";

afterEach(tearDownStacks);

const [ada, olga] = ["ada@example.com", "olga@example.com"];
const seed = { projects: [{ name: "payments", members: { [olga]: owner, [ada]: reader } }] };

function program(sandbox: Sandbox): Program {
  const projectId = projectNamed(sandbox, "payments").id;
  return {
    resources: {
      payments: { type: "Project", properties: { projectId, tags: ["PROD"] } },
      people: {
        type: "ProjectMembers",
        properties: { projectId, members: { [olga]: owner, [ada]: reader } },
      },
      operators: {
        type: "Team",
        properties: { orgId: sandbox.orgId, name: "operators", usernames: [ada], removeUnlisted: true },
      },
    },
  };
}

/** The report with each event that was found in the line of its entry, instead of the next one. */
async function reportOf(stack: Stack, ...argv: string[]): Promise<string> {
  const { stdout } = await opsmanager(stack, ["drift", ...argv]);
  return stdout.replace(/\n +(?=last matching event: )/g, " ");
}

async function linesWith(stack: Stack, text: string, ...argv: string[]): Promise<string[]> {
  return (await reportOf(stack, ...argv)).split("\n").filter((line) => line.includes(text));
}

const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

/** What a colleague's program does with an API key of its own. */
async function changeByProgram(sandbox: Sandbox, projectId: string): Promise<string> {
  const key = sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] });
  const [adaId, olgaId] = [ada, olga].map((username) => sandbox.user({ username })?.id);
  const teamId = sandbox.state.teams[0]?.id;
  const responses = [
    await call(sandbox, "DELETE", `/groups/${projectId}/users/${adaId}`, undefined, key),
    await call(sandbox, "PATCH", `/groups/${projectId}`, { tags: ["PROD", "URGENT"] }, key),
    await call(sandbox, "POST", `/orgs/${sandbox.orgId}/teams/${teamId}/users`, [{ id: olgaId }], key),
  ];
  for (const { status } of responses) expect(status).toBeLessThan(300);
  return key.publicKey;
}

it("names the key of a colleague's program or a person and the address, is new once, ends with up, and says why there is no event", async () => {
  const { sandbox, stack } = await setUpStack({ sandbox: { seed }, program });
  await succeeded(stack.up());
  const { id: projectId } = projectNamed(sandbox, "payments");
  const argv = ["--previous", "drift.json", "--format", "text", "--format", "json=drift.json"];
  const run = () => reportOf(stack, ...argv);
  expect(await run()).toMatch(/^No drift\. There is no earlier report, so nothing counts as new\.\n/);
  const publicKey = await changeByProgram(sandbox, projectId);
  const by = String.raw`last matching event: ${time} by API key ${publicKey} from 127\.0\.0\.1`;
  const first = await run();
  expect(first).toMatch(/^Drift: .*\. 3 new since the report of /);
  expect(first).toMatch(new RegExp(String.raw`- members\["ada@example\.com"\]: .* ${by}`));
  expect(first).toMatch(new RegExp(String.raw`usernames.*olga@example\.com.* ${by}`));
  expect(first).toMatch(/\+ tags: .* \(last matching event: undocumented\)/);
  await succeeded(stack.up({ refresh: true }));
  const resolved = await run();
  expect(resolved).toMatch(/^No drift\. 3 resolved since the report of /);
  expect(resolved).toMatch(/^ {2}payments \(Project\): tags \(added, since /m);

  for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
  sandbox.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  const other = sandbox.addProject({ name: "by-hand" });
  sandbox.setMember(other.id, { username: olga }, owner);
  sandbox.setMember(projectId, { username: "eve@example.com" }, owner);
  sandbox.setMember(projectId, { username: ada }, owner);
  sandbox.clearRequests();
  const lines = await linesWith(stack, "last matching event", "--unmanaged");
  const event = new RegExp(`last matching event: ${time} by mallory@example.com from 192.0.2.7$`);
  for (const entry of ["olga@example.com in by-hand", 'members["eve@example.com"]', 'members["ada'])
    expect(lines.find((line) => line.includes(entry))).toMatch(event);
  // One list for each project and organization.
  const lists = sandbox.requests.filter(({ path, status }) => path.endsWith("/events") && status === 200);
  expect([lists.length, new Set(lists.map(({ path }) => path)).size]).toEqual([3, 3]);
  expect(await linesWith(stack, "event", "--no-attribution")).toEqual([]);

  sandbox.setSwitches({ eventDelayMs: 3_600_000 });
  const [later] = await linesWith(stack, 'members["ada', "--since", "2026-01-01");
  expect(later).toMatch(/\(last matching event: none\)$/);
  const future = await opsmanager(stack, ["drift", "--since", "2999-01-01"]);
  expect([future.exitCode, future.stderr]).toEqual([
    64,
    expect.stringContaining("--since 2999-01-01: must be a day or a time with its zone, not in the future"),
  ]);

  sandbox.setSwitches({ events: "off" });
  const { exitCode, report } = await driftOf(stack);
  expect(exitCode).toBe(2);
  expect(report.findings.map(({ lastEvent }) => lastEvent?.outcome)).toEqual(["unknown", "unknown"]);
  const reason = "The service does not offer events.";
  expect(report.eventsUnread).toMatchObject([{ what: `project ${projectId}`, reason }]);

  // Of a deleted project, the organization lists the deletion. The resources in the project are named with it.
  sandbox.setSwitches({ events: "on", eventDelayMs: 0 });
  const key = sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] });
  expect((await call(sandbox, "DELETE", `/groups/${projectId}`, undefined, key)).status).toBeLessThan(300);
  expect(await linesWith(stack, `by API key ${key.publicKey}`, "--state-only")).toHaveLength(1);
  sandbox.setSwitches({ eventDelayMs: 3_600_000 });
  const unlisted = await reportOf(stack, "--state-only");
  expect(unlisted).not.toContain("last matching event");
  expect(unlisted.split("\n").filter((line) => line.includes("events cannot be read"))).toEqual([
    `Who changed it is unknown for project ${projectId}: The project no longer exists, so its events cannot be read.`,
  ]);
});

/** A ProjectMember, one of ProjectMembers and an OrganizationMember, all of them invited. */
it("people whose invitations expired are the work of no one, and an up invites them again", async () => {
  const [bob, carol, dana] = ["bob@example.com", "carol@example.com", "dana@example.com"];
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments" }, { name: "billing" }] }, orgUserChanges: "offered" },
    program: (here) => {
      const [projectId, other] = ["payments", "billing"].map((name) => projectNamed(here, name).id);
      const people = { projectId: other, members: { [carol]: reader } };
      const member = { orgId: here.orgId, username: dana, roles: ["ORG_READ_ONLY"] };
      return {
        resources: {
          bob: { type: "ProjectMember", properties: { projectId, username: bob, roles: reader } },
          people: { type: "ProjectMembers", properties: people },
          dana: { type: "OrganizationMember", properties: member },
        },
      };
    },
  });
  await succeeded(stack.up());
  sandbox.advanceClock(31 * 86_400);
  const { exitCode, report } = await driftOf(stack);
  expect(exitCode).toBe(2);
  const expired = { cause: "expired", expiredAt: expect.stringMatching(/^\d{4}-\d\d-\d\d/) };
  expect(report.findings.toSorted((one, two) => one.name.localeCompare(two.name))).toMatchObject([
    { name: "bob", ...expired },
    { name: "dana", ...expired },
    { name: "people", ...expired },
  ]);
  expect(report.findings.map(({ lastEvent }) => lastEvent)).toEqual([undefined, undefined, undefined]);
  const entries = () => linesWith(stack, "the invitation expired on ", "--state-only");
  expect(await entries()).toHaveLength(3);
  await succeeded(stack.up());
  expect(await entries()).toEqual([]);

  // An event of the removal before would be in the same second as the next invitation.
  sandbox.actAs({ username: "mallory@example.com" });
  for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
  expect(await linesWith(stack, "last matching event: undocumented)", "--state-only")).toHaveLength(3);
});

it("a colleague's name of an organization and groups that then own it are drift with who and when, without a further request, until they are declared", async () => {
  const organization = (orgId: string, inputs: object = {}): Program => ({
    resources: { acme: { type: "Organization", properties: { orgId, name: "Acme", ...inputs } } },
  });
  const { sandbox, stack } = await setUpStack({
    sandbox: { idpMappings: "present", seed: { orgs: [{ name: "Acme" }] } },
    program: ({ orgId }) => organization(orgId),
  });
  const { orgId } = sandbox;
  await succeeded(stack.up());
  expect((await driftOf(stack)).exitCode).toBe(0);
  const requestsOf = async () => {
    sandbox.clearRequests();
    const { report } = await driftOf(stack, "--no-attribution");
    return [report.findings.length, sandbox.requests.length];
  };
  const [, before] = await requestsOf();

  sandbox.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  const owning = { roleName: "ORG_OWNER", idpGroups: ["outsiders"] };
  const reading = { roleName: "ORG_READ_ONLY", idpGroups: ["readers"] };
  sandbox.changeOrg(orgId, { idpGroupMappings: [owning, reading] });
  expect(await requestsOf()).toEqual([1, before]);
  sandbox.changeOrg(orgId, { name: "Mallory's" });
  const { exitCode, report } = await driftOf(stack);
  expect(exitCode).toBe(2);
  const facts = { urn: expect.stringMatching(/::acme$/), cause: "outside" };
  const group = { what: "group", name: "outsiders", in: "organization", containerId: orgId };
  expect(report.findings).toMatchObject([
    {
      ...{ ...facts, property: "name", declared: "Acme", live: "Mallory's" },
      lastEvent: { outcome: "found", username: "mallory@example.com", address: "192.0.2.7" },
    },
    {
      ...{ ...facts, kind: "undeclared", property: "idpGroupMappings.outsiders", live: ["ORG_OWNER"] },
      ...{ object: group, lastEvent: { outcome: "undocumented" } },
    },
  ]);
  const unmanaged = await driftOf(stack, "--unmanaged");
  expect(unmanaged.report.findings).toEqual(report.findings);

  await stack.setProgram(organization(orgId, { idpGroupMappings: [owning] }));
  const of = (await driftOf(stack)).report.findings.map(({ property }) => property);
  expect(of).toEqual(["idpGroupMappings", "name"]);
});
