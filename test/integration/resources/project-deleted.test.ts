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

const resources = [
  ["a member", "ProjectMember", { username: "ada@example.com", roles }],
  ["an invitation", "ProjectMember", { username: "nina@example.com", roles }],
  [
    "a list of people",
    "ProjectMembers",
    {
      members: { "olga@example.com": ["GROUP_OWNER"], "ada@example.com": roles, "nina@example.com": roles },
      onDestroy: "remove",
    },
  ],
  ["a team", "ProjectTeam", { teamId, roles }],
  ["a team by its name", "ProjectTeam", { teamName: "auditors", roles }],
  ["the roles of an API key", "ProjectApiKey", { publicKey: "abcdwxyz", roles }],
  ["an agent API key", "AgentApiKey", { description: "agents" }],
] as const;

afterEach(tearDownStacks);

it.each(resources)(
  "removing %s succeeds if the project is deleted meanwhile",
  async (_, type, properties) => {
    const { sandbox, stack } = await setUpStack({
      provider: "plugin",
      sandbox: { seed, bypassInvitations: true },
      program: () => ({ resources: { one: { type, properties: { projectId, ...properties } } } }),
    });
    await succeeded(stack.up());
    await stack.before("DELETE", /\/groups\//, () => sandbox.removeProject(projectId));
    await stack.setProgram({ resources: {} });
    await succeeded(stack.up());
    expect(await stack.resource("one")).toBeUndefined();
  },
);

// A team by its name was advised to set teamId, and every change to check baseUrl.
it.each(resources)("creating %s in a project that is deleted says so", async (_, type, properties) => {
  const { sandbox, stack } = await setUpStack({
    provider: "plugin",
    sandbox: { seed, bypassInvitations: true },
    program: () => ({ resources: { one: { type, properties: { projectId, ...properties } } } }),
  });
  shortWaits();
  const method = type === "ProjectApiKey" ? "PATCH" : "POST";
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
  const { sandbox, stack } = await setUpStack({
    provider: "plugin",
    sandbox: { seed, bypassInvitations: true },
    program: () => ({
      resources: { one: { type: "ProjectMember", properties: { projectId, ...resources[0][2] } } },
    }),
  });
  await succeeded(stack.up());
  const body = JSON.stringify({ error: 404, errorCode: "GROUP_NOT_FOUND", detail: "No such group." });
  sandbox.addFault({ method: "DELETE", fault: { status: 404, body } });
  await stack.setProgram({ resources: {} });
  expect(await errorsOf(stack.up())).toMatch(/GROUP_NOT_FOUND/);
  expect(await stack.resource("one")).toMatchObject({ type: expect.stringContaining("ProjectMember") });
});

it("a list of people that cannot be removed keeps its reasons if it cannot be read afterwards", async () => {
  const [, , [, type, properties]] = resources;
  const { sandbox, stack } = await setUpStack({
    provider: "plugin",
    sandbox: { seed, bypassInvitations: true },
    program: () => ({ resources: { one: { type, properties: { projectId, ...properties } } } }),
  });
  await succeeded(stack.up());
  await stack.before("DELETE", /\/users\//, () => {
    sandbox.addFault({
      method: "DELETE",
      times: 0,
      fault: { status: 409, body: { error: 409, errorCode: "PROTECTED", detail: "Ada is protected." } },
    });
    sandbox.addFault({ method: "GET", pathPattern: "/users", times: 0, fault: { status: 500 } });
  });
  await stack.setProgram({ resources: {} });
  expect(await errorsOf(stack.up())).toContain("Ada is protected.");
});
