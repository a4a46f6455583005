/**
 * Pulumi deletes resources in parallel unless one depends on the other, so a project may be deleted
 * between a read and a removal.
 */

import type { Seed } from "../../../sandbox";
import { errorsOf } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { shortWaits } from "../short-waits";

const [orgId = "", projectId = "", teamId = ""] = ["a", "b", "c"].map((digit) => digit.repeat(24));
const seed: Seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [{ username: "ada@example.com", roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
  projects: [{ id: projectId, name: "payments", members: { "olga@example.com": ["GROUP_OWNER"] } }],
  teams: [{ id: teamId, name: "auditors" }],
  keys: [{}, { orgId, publicKey: "abcdwxyz", desc: "monitoring", roles: [] }],
};
const roles = ["GROUP_READ_ONLY"];

const members = { "olga@example.com": ["GROUP_OWNER"], "ada@example.com": roles, "nina@example.com": roles };
const resources = [
  { what: "a member", type: "ProjectMember", properties: { username: "ada@example.com", roles } },
  { what: "an invitation", type: "ProjectMember", properties: { username: "nina@example.com", roles } },
  { what: "a list of people", type: "ProjectMembers", properties: { members, onDestroy: "remove" } },
  { what: "a team", type: "ProjectTeam", properties: { teamId, roles } },
  { what: "a team by its name", type: "ProjectTeam", properties: { teamName: "auditors", roles } },
  { what: "the roles of an API key", type: "ProjectApiKey", properties: { publicKey: "abcdwxyz", roles } },
  { what: "an agent API key", type: "AgentApiKey", properties: { description: "agents" } },
] as const;
type Row = (typeof resources)[number];

afterEach(tearDownStacks);

const start = ({ type, properties }: Row) =>
  setUpStack({
    provider: "plugin",
    sandbox: { seed, bypassInvitations: true },
    program: () => ({ resources: { one: { type, properties: { projectId, ...properties } } } }),
  });

/** The stack has created it, and the program no longer declares it. */
async function startRemoval(row: Row) {
  const setup = await start(row);
  await succeeded(setup.stack.up());
  await setup.stack.setProgram({ resources: {} });
  return setup;
}

it.each(resources)("removing $what succeeds if the project is deleted meanwhile", async (row) => {
  const { sandbox, stack } = await startRemoval(row);
  await stack.before("DELETE", /\/groups\//, () => sandbox.removeProject(projectId));
  await succeeded(stack.up());
  expect(await stack.resource("one")).toBeUndefined();
});

it.each(
  resources.flatMap((row) => [
    { ...row, by: "refresh" as const },
    { ...row, by: "up" as const },
  ]),
)(
  "$what of a project that was deleted before leaves the state by $by, and stays in it while its organization cannot be read",
  async ({ by, ...row }) => {
    const { sandbox, stack } = await startRemoval(row);
    sandbox.removeProject(projectId);
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/groups`, times: 0, fault: { status: 403 } });
    expect(await errorsOf(stack[by]())).toContain("baseUrl");
    expect(await stack.resource("one")).toBeDefined();
    sandbox.clearFaults();
    await succeeded(stack[by]());
    expect(await stack.resource("one")).toBeUndefined();
  },
);

// A team by its name was advised to set teamId, and every change to check baseUrl.
it.each(resources)("creating $what in a project that is deleted says so", async (row) => {
  const { sandbox, stack } = await start(row);
  shortWaits();
  const method = row.type === "ProjectApiKey" ? "PATCH" : "POST";
  await stack.before(method, /\/groups\//, () => sandbox.removeProject(projectId));
  const since = await errorsOf(stack.up());
  expect(since).toContain("404 GROUP_NOT_FOUND");
  expect(since).toContain("was there earlier in this run and has been deleted since. Run the command again.");
  for (const errors of [await errorsOf(stack.preview()), await errorsOf(stack.up())]) {
    expect(errors).toContain("404 GROUP_NOT_FOUND");
    expect(errors).toContain("Check the project id.");
  }
});

it("removing a member fails if the service still lists the project", async () => {
  const { sandbox, stack } = await startRemoval(resources[0]);
  const body = JSON.stringify({ error: 404, errorCode: "GROUP_NOT_FOUND", detail: "No such group." });
  sandbox.addFault({ method: "DELETE", fault: { status: 404, body } });
  expect(await errorsOf(stack.up())).toMatch(/GROUP_NOT_FOUND/);
  expect(await stack.resource("one")).toBeDefined();
});

it("a list of people that cannot be removed keeps its reasons if it cannot be read afterwards", async () => {
  const { sandbox, stack } = await startRemoval(resources[2]);
  await stack.before("DELETE", /\/users\//, () => {
    const body = { error: 409, errorCode: "PROTECTED", detail: "Ada is protected." };
    sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 409, body } });
    sandbox.addFault({ method: "GET", pathPattern: "/users", times: 0, fault: { status: 500 } });
  });
  expect(await errorsOf(stack.up())).toContain("Ada is protected.");
});
