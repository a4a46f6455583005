/** Who may have made a change outside Pulumi: the last event that fits each difference. */
import { driftReport } from "../../../cli/drift/report/schema";
import type { Sandbox } from "../../../sandbox";
import { call } from "../../integration/sandbox/client";
import { type Program, type Stack, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { messagesOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const [ada, olga] = ["ada@example.com", "olga@example.com"];
const [owner, reader] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];
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

async function setUp() {
  const setup = await setUpStack({ sandbox: { seed }, program });
  await succeeded(setup.stack.up());
  return { ...setup, projectId: projectNamed(setup.sandbox, "payments").id };
}

/** The entries of the report that hold a text, each in one line: an event that was found is in the second line of its entry. */
async function linesWith(stack: Stack, text: string, ...argv: string[]): Promise<string[]> {
  const { stdout } = await opsmanager(stack, ["drift", ...argv]);
  return inOneLine(stdout)
    .split("\n")
    .filter((line) => line.includes(text));
}

const inOneLine = (report: string): string => report.replace(/\n +(?=last matching event: )/g, " ");

const day = String.raw`\d{4}-\d\d-\d\d`;
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

it("names the key of a colleague's program for people and teams, says that tags have no event, and ends with up", async () => {
  const { sandbox, stack, projectId } = await setUp();
  const argv = ["drift", "--previous", "drift.json", "--format", "text", "--format", "json=drift.json"];
  const run = async () => inOneLine((await opsmanager(stack, argv)).stdout);
  await run();
  const publicKey = await changeByProgram(sandbox, projectId);
  const by = String.raw`last matching event: ${time} by API key ${publicKey} from 127\.0\.0\.1`;
  const first = await run();
  expect(first).toMatch(/\. 3 new since the report of /);
  expect(first).toMatch(new RegExp(String.raw`- members\["ada@example\.com"\]: .* ${by}`));
  expect(first).toMatch(new RegExp(String.raw`usernames.*olga@example\.com.* ${by}`));
  expect(first).toMatch(/\+ tags: .* \(last matching event: undocumented\)/);
  expect(await run()).toMatch(/\. Nothing new since the report of /);
  await succeeded(stack.up({ refresh: true }));
  expect(await run()).toMatch(/\. 3 resolved since the report of /);
});

it("names a person and the address, neither of them with --mask-people, and nothing with --no-attribution", async () => {
  const { sandbox, stack, projectId } = await setUp();
  sandbox.actAs({ username: "mallory@example.com", remoteAddress: "192.0.2.7" });
  sandbox.setMember(projectId, { username: ada }, owner);
  const event = new RegExp(`last matching event: ${time} by mallory@example.com from 192.0.2.7`);
  expect(await linesWith(stack, 'members["ada')).toEqual([expect.stringMatching(event)]);
  const [masked] = await linesWith(stack, "members[", "--mask-people");
  expect(masked).toMatch(/by person-[0-9a-f]{10} from \[masked\]$/);
  expect(await linesWith(stack, "event", "--no-attribution")).toEqual([]);
  sandbox.setSwitches({ eventDelayMs: 3_600_000 });
  const [later] = await linesWith(stack, 'members["ada', "--since", "2026-01-01");
  expect(later).toMatch(/\(last matching event: none\)$/);
});

it("finds the events of unmanaged people, and reads one list for each project and organization", async () => {
  const { sandbox, stack, projectId } = await setUp();
  const other = sandbox.addProject({ name: "by-hand" });
  sandbox.actAs({ username: "mallory@example.com" });
  sandbox.setMember(other.id, { username: olga }, owner);
  sandbox.setMember(projectId, { username: "eve@example.com" }, owner);
  sandbox.setMember(projectId, { username: ada }, owner);
  const before = sandbox.requests.length;
  const lines = await linesWith(stack, "last matching event", "--unmanaged");
  const named = (text: string) => lines.find((line) => line.includes(text));
  expect(named("olga@example.com in by-hand")).toMatch(/UTC by mallory@example\.com from 192\.0\.2\.1$/);
  expect(named('members["eve@example.com"]')).toMatch(/UTC by mallory@example\.com from 192\.0\.2\.1$/);
  const lists = sandbox.requests
    .slice(before)
    .filter(({ path, status }) => path.endsWith("/events") && status === 200)
    .map(({ path }) => path);
  expect(lists.length).toBe(3);
  expect(new Set(lists).size).toBe(3);
});

describe("people who are no longer invited", () => {
  const [bob, carol, dana] = ["bob@example.com", "carol@example.com", "dana@example.com"];

  /** A ProjectMember, one of ProjectMembers and an OrganizationMember, all of them invited. */
  async function setUpInvited() {
    const setup = await setUpStack({
      sandbox: { seed: { projects: [...seed.projects, { name: "billing" }] }, orgUserChanges: "offered" },
      program: (here) => {
        const [projectId, other] = ["payments", "billing"].map((name) => projectNamed(here, name).id);
        return {
          resources: {
            bob: { type: "ProjectMember", properties: { projectId, username: bob, roles: reader } },
            people: {
              type: "ProjectMembers",
              properties: { projectId: other, members: { [carol]: reader } },
            },
            dana: {
              type: "OrganizationMember",
              properties: { orgId: here.orgId, username: dana, roles: ["ORG_READ_ONLY"] },
            },
          },
        };
      },
    });
    await succeeded(setup.stack.up());
    return setup;
  }

  const linesOfInvited = async (stack: Stack) =>
    (await linesWith(stack, "", "--state-only")).filter((line) => /^ {4}[-x] /.test(line));

  it("because a colleague deleted the invitations are not the work of the stack's own invitations", async () => {
    const { sandbox, stack } = await setUpInvited();
    sandbox.actAs({ username: "mallory@example.com" });
    for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
    expect(await linesOfInvited(stack)).toEqual([
      expect.stringMatching(/\(last matching event: undocumented\)$/),
      expect.stringMatching(/\(last matching event: undocumented\)$/),
      expect.stringMatching(/\(last matching event: undocumented\)$/),
    ]);

    await succeeded(stack.up());
    sandbox.setSwitches({ undocumentedEvents: true });
    for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
    for (const line of await linesOfInvited(stack))
      expect(line).toMatch(/last matching event: .* by mallory@/);
  });

  it("because the invitations expired are no one's work, and the preview names the time", async () => {
    const { sandbox, stack } = await setUpInvited();
    sandbox.advanceClock(31 * 86_400);
    const preview = await succeeded(stack.preview());
    for (const username of [bob, carol, dana]) {
      expect(messagesOf(preview)).toMatch(
        new RegExp(`The invitation of ${username} to .* expired on ${day}T.*pulumi up invites them again\\.`),
      );
    }
    const lines = await linesOfInvited(stack);
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(/\(the invitation expired on [\d :-]+ UTC, compared with the state\)$/);
    const run = await opsmanager(stack, ["drift", "--format", "json", "--format", "sarif=drift.sarif"]);
    expect(run.exitCode).toBe(2);
    const { findings } = driftReport.parse(JSON.parse(run.stdout));
    const invited = findings.filter(({ cause }) => cause === "expired");
    expect(invited.map(({ name }) => name).sort()).toEqual(["bob", "dana", "people"]);
    for (const { expiredAt, lastEvent } of invited) {
      expect([Date.parse(expiredAt ?? "") < Date.now() + 31 * 86_400_000, lastEvent]).toEqual([
        true,
        undefined,
      ]);
    }
    await succeeded(stack.up());
    expect(await linesOfInvited(stack)).toEqual([]);
    expect(messagesOf(await stack.preview())).not.toContain("expired on");
  });
});

it("of a deleted project, prints its deletion if the organization lists it, else that the events cannot be read", async () => {
  const { sandbox, stack } = await setUpStack({
    // The list of another project proves that the first one was deleted.
    sandbox: { seed: { projects: [...seed.projects, { name: "billing" }] } },
    program: (here) => {
      const projectId = projectNamed(here, "payments").id;
      const { id: teamId } = here.state.teams[0] ?? here.addTeam({ name: "operators", userIds: [] });
      const properties = { projectId, teamId, roles: reader };
      const person = { projectId, username: ada, roles: reader };
      return {
        resources: {
          payments: { type: "Project", properties: { projectId } },
          operators: { type: "ProjectTeam", properties },
          ada: { type: "ProjectMember", properties: person },
        },
      };
    },
  });
  await succeeded(stack.up());
  const key = sandbox.addKey({ roles: [{ roleName: "GLOBAL_OWNER" }] });
  const { id } = projectNamed(sandbox, "payments");
  expect((await call(sandbox, "DELETE", `/groups/${id}`, undefined, key)).status).toBeLessThan(300);
  const lines = () => linesWith(stack, "", "--state-only");
  const byKey = (await lines()).filter((line) => line.includes(`by API key ${key.publicKey}`));
  // The resources in the project are named with it.
  expect(byKey.length).toBe(1);
  sandbox.setSwitches({ eventDelayMs: 3_600_000 });
  const later = await lines();
  expect(later.filter((line) => line.includes("last matching event"))).toEqual([]);
  expect(later.filter((line) => line.includes("events cannot be read"))).toEqual([
    `Who changed it is unknown for project ${id}: The project no longer exists, so its events cannot be read.`,
  ]);
});

it("is complete without events: a hint says once why they are unknown", async () => {
  const { sandbox, stack, projectId } = await setUp();
  sandbox.setMember(projectId, { username: ada }, owner);
  sandbox.setMember(projectId, { username: olga }, reader);
  for (const [events, reason] of [
    ["off", /: The service does not offer events\.$/],
    ["refused", /: Listing the events of project .* failed: 403 /],
  ] as const) {
    sandbox.setSwitches({ events });
    const { exitCode, stdout } = await opsmanager(stack, [
      "drift",
      "--format",
      "json",
      "--format",
      "text=drift.txt",
    ]);
    expect(exitCode).toBe(2);
    const { findings, eventsUnread } = driftReport.parse(JSON.parse(stdout));
    expect(findings.map(({ lastEvent }) => lastEvent)).toEqual([
      { outcome: "unknown" },
      { outcome: "unknown" },
    ]);
    expect(eventsUnread).toMatchObject([{ what: `project ${projectId}` }]);
    const [hint, ...others] = await linesWith(stack, "Who changed it");
    expect(others).toEqual([]);
    expect(hint).toMatch(reason);
  }
});

it("refuses a time that is none, and one in the future", async () => {
  const { stack } = await setUpStack({ program: () => ({ resources: {} }) });
  for (const time of ["yesterday", "2999-01-01"]) {
    const { exitCode, stderr } = await opsmanager(stack, ["drift", "--since", time]);
    expect(exitCode).toBe(64);
    expect(stderr).toContain(`--since ${time}: must be a day or a time with its zone, not in the future`);
  }
});
