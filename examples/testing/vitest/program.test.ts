import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenProgram, openProgram } from "../open-program";

let program: OpenProgram;
beforeEach(async () => {
  program = await openProgram();
});
afterEach(() => program.close());

it("creates the project and invites its people, and a second run changes nothing", async () => {
  const { sandbox, stack } = program;
  const { outputs } = await stack.up();
  expect(sandbox.state.projects).toMatchObject([
    { id: outputs.projectId?.value, name: "payments", tags: ["PROD", "TEAM_PAYMENTS"] },
  ]);
  expect(sandbox.state.invitations).toMatchObject([
    { username: "ada@example.com", roles: ["GROUP_OWNER"] },
    { username: "bob@example.com", roles: ["GROUP_READ_ONLY"] },
  ]);

  sandbox.clearRequests();
  await stack.up();
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("corrects what was changed outside Pulumi", async () => {
  const { sandbox, stack } = program;
  const { outputs } = await stack.up();
  const projectId: string = outputs.projectId?.value;
  sandbox.changeProject(projectId, { tags: ["PROD"] });
  const eve = sandbox.setMember(projectId, { username: "eve@example.com" }, ["GROUP_OWNER"]);

  const { summary } = await stack.up();
  expect(summary.resourceChanges).toEqual({ same: 1, update: 2 });
  expect(sandbox.state.projects).toMatchObject([{ tags: ["PROD", "TEAM_PAYMENTS"] }]);
  const { roles = [] } = sandbox.state.users.find(({ id }) => id === eve.id) ?? {};
  expect(roles.filter(({ groupId }) => groupId === projectId)).toEqual([]);
});

it("creates one project although the connection breaks before the response", async () => {
  const { sandbox, stack } = program;
  sandbox.addFault({ method: "POST", pathPattern: "/groups$", fault: "reset-after-write" });
  await stack.up();
  expect(sandbox.faults).toEqual([]);
  expect(sandbox.state.projects).toHaveLength(1);
});
