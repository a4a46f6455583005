/** A team in a project: what is found after a lost or rejected request, and what is recorded of its name. */

import { paymentsId, upAgain } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { orgId, projectTeamsOf, seedWithTeam, teamNamed, teamProgram } from "../../engine/teams/support";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { owners, readers } from "../../support/people";
import { refusal } from "../refusal";
import { shortWaits } from "../short-waits";
import { holdProjectTeam } from "./team-stacks";

afterEach(tearDownStacks);

const addTeam = /\/groups\/\w+\/teams$/;
const projectTeams = { method: "GET", pathPattern: "/groups/.*/teams" };
const organizationTeams = { method: "GET", pathPattern: "/orgs/.*/teams" };

/** The service has the team, in no project. */
async function startWithTeam(properties: object = {}) {
  const setup = await setUpStack({
    sandbox: { seed: seedWithTeam },
    program: (service) =>
      teamProgram(undefined, {
        payments: { projectId: paymentsId(service), teamName: "operators", roles: owners, ...properties },
      }),
  });
  const { sandbox } = setup;
  return { ...setup, projectId: paymentsId(sandbox), teamId: teamNamed(sandbox, "operators").id };
}

describe("after a lost response to the addition of a team to a project", () => {
  const unknown =
    "A read afterwards does not show the change. Run pulumi up again: it continues from what exists.";

  it.each([
    ["is not there", () => undefined, {}],
    ["has other roles, which another program gave it", () => readers, { operators: readers }],
    ["lacks one of its roles", () => [...owners, ...readers], { operators: [...owners, ...readers] }],
  ])("the result is not known if the team %s", async (_, rolesOfOther, expected) => {
    const { sandbox, stack, projectId, teamId } = await startWithTeam();
    sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: { status: 500 } });
    await stack.before("POST", addTeam, () => {
      const roleNames = rolesOfOther();
      if (roleNames) sandbox.setProjectTeam(projectId, { teamId, roleNames });
    });
    expect(await errorsOf(stack.up())).toContain(unknown);
    expect(await stack.resource("payments")).toBeUndefined();
    expect(projectTeamsOf(sandbox, projectId)).toEqual(expected);
  });

  it("the result is not known if the teams of the project cannot be read", async () => {
    const { sandbox, stack } = await startWithTeam();
    await stack.before("POST", addTeam, () => {
      sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: { status: 500 } });
      sandbox.addFault({ ...projectTeams, fault: refusal(403, "NOT_ALLOWED") });
    });
    expect(await errorsOf(stack.up())).toContain(
      "A read afterwards failed as well: Listing the teams of project",
    );
  });
});

it("a team that a project already has in spite of its list gets the declared roles", async () => {
  const { sandbox, stack, projectId, teamId } = await startWithTeam();
  const added = () => {
    sandbox.addFault({ method: "POST", pathPattern: "/teams$", fault: refusal(409, "TEAM_EXISTS_IN_GROUP") });
    sandbox.addFault({ ...projectTeams, fault: { status: 200, body: { results: [], totalCount: 0 } } });
  };
  await stack.before("POST", addTeam, () => {
    added();
    sandbox.setProjectTeam(projectId, { teamId, roleNames: readers });
  });
  expect(messagesOf(await succeeded(stack.up()))).toBe(
    `Team operators has roles in project ${projectId} already. From now on this resource manages the roles of the team in this project: destroying it, or removing it from the program, takes them away. To prevent that, set onDestroy to "release".`,
  );
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  expect(await stack.resource("payments")).toMatchObject({ outputs: { origin: "adopted" } });
});

it("a team that its organization lists is added to a project by a repeated request, after longer and longer waits", async () => {
  const waits = shortWaits();
  const { sandbox, stack, projectId, teamId } = await startWithTeam();
  const reject = (times: number) =>
    sandbox.addFault({
      method: "POST",
      pathPattern: "/teams$",
      times,
      fault: refusal(404, "TEAM_NOT_FOUND"),
    });
  reject(5);
  expect(await errorsOf(stack.up())).toContain("404 TEAM_NOT_FOUND Not now.");
  expect(waits).toEqual([250, 500, 1000, 2000]);
  reject(4);
  await succeeded(stack.up());
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: owners });
  expect(writes(sandbox).at(-1)).toEqual({
    method: "POST",
    path: `/groups/${projectId}/teams`,
    body: [{ teamId, roleNames: owners }],
  });
});

it("a team that the organization does not list is not added by a repeated request", async () => {
  const waits = shortWaits();
  const { sandbox, stack, projectId } = await startWithTeam();
  const teamId = "5f00000000000000000000af";
  await stack.setProgram(teamProgram(undefined, { payments: { projectId, teamId, roles: owners } }));
  expect(await errorsOf(stack.up())).toContain("404 TEAM_NOT_FOUND");
  expect([waits, writes(sandbox).length]).toEqual([[], 1]);
});

it("roles that the service does not store, or that cannot be read afterwards, are an error that names the team", async () => {
  const { sandbox, stack, projectId, declare } = await holdProjectTeam(readers);
  await declare(owners);
  const accepted = `The service accepted GROUP_OWNER for team operators in project ${projectId}, but`;
  sandbox.addFault({ method: "PATCH", pathPattern: "/teams/", fault: { status: 200, body: {} } });
  expect(await errorsOf(stack.up())).toBe(`${accepted} it stored GROUP_READ_ONLY.`);
  await stack.before("PATCH", /\/teams\//, () => {
    sandbox.addFault({ ...projectTeams, fault: refusal(403, "NOT_ALLOWED") });
  });
  expect(await errorsOf(stack.up())).toContain(
    `${accepted} the result could not be read. Run pulumi up again: it continues from what exists. (Listing the teams of project ${projectId} failed: 403 NOT_ALLOWED Not now.`,
  );
  expect(await stack.resource("payments")).toMatchObject({ outputs: { roles: owners } });
});

it("a refresh records the name that a team has now, and retains the recorded one if no list shows it", async () => {
  const { sandbox, stack, teamId, projectId } = await holdProjectTeam(readers);
  const nameOf = async () => {
    await succeeded(stack.refresh());
    return (await stack.resource("payments"))?.outputs?.teamName;
  };
  sandbox.changeTeam(teamId, { name: "admins" });
  expect(await nameOf()).toBe("admins");
  sandbox.changeTeam(teamId, { name: "readers" });
  sandbox.addFault({ ...organizationTeams, fault: refusal(403, "NOT_ALLOWED") });
  expect(await nameOf()).toBe("admins");
  expect(await nameOf()).toBe("readers");
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ readers });
});

it("a refresh retains a team that cannot be read, with the reason, and removes the team of a deleted project from the state", async () => {
  const { sandbox, stack, projectId } = await holdProjectTeam(readers);
  const before = await stack.resource("payments");
  sandbox.addFault({ ...projectTeams, fault: refusal(403, "NOT_ALLOWED") });
  expect(messagesOf(await succeeded(stack.refresh()))).toMatch(
    new RegExp(
      `^\\[unreadable\\] \\[teams ${projectId}\\] The teams of project ${projectId} cannot be read with these credentials, so the state keeps the last known values: Listing the teams of project ${projectId} failed: 403 NOT_ALLOWED Not now\\.`,
    ),
  );
  expect(await stack.resource("payments")).toEqual(before);
  sandbox.removeProject(projectId);
  expect(messagesOf(await succeeded(stack.refresh()))).toBe("");
  expect(await stack.resource("payments")).toBeUndefined();
});

it("a change of onDestroy alone sends nothing, and a team that the project has already is adopted without a request", async () => {
  const { setup, sandbox, projectId, declare, stack } = await holdProjectTeam(readers);
  await declare(readers, { teamName: "operators", onDestroy: "release" });
  expect(await upAgain(setup)).toEqual({ changes: { update: 1 }, writes: [] });
  await succeeded(stack.destroy());
  await declare(readers);
  expect(await upAgain(setup)).toEqual({ changes: { create: 1 }, writes: [] });
  expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  expect((await stack.resource("payments"))?.outputs).toEqual({
    projectId,
    teamId: teamNamed(sandbox, "operators").id,
    teamName: "operators",
    roles: readers,
    orgId,
    origin: "adopted",
    onDestroy: "remove",
  });
});

describe("the removal of a team from a project", () => {
  it.each([
    ["refused", refusal(403, "NOT_ALLOWED")],
    ["a failure", refusal(400, "UNREADABLE")],
  ])("that is rejected fails with its own reason if the read afterwards is %s", async (_, fault) => {
    const { sandbox, stack } = await holdProjectTeam(readers);
    await stack.before("DELETE", /\/teams\//, () => {
      sandbox.addFault({ method: "DELETE", fault: refusal(400, "NOT_NOW") });
      sandbox.addFault({ ...projectTeams, fault });
    });
    expect(await errorsOf(stack.destroy())).toContain("400 NOT_NOW Not now.");
    expect(await stack.resource("payments")).toBeDefined();
  });

  it("that is rejected because of the last owner names it", async () => {
    const { sandbox, stack, projectId } = await holdProjectTeam(owners);
    sandbox.addFault({ method: "DELETE", fault: refusal(403, "CANNOT_DELETE_LAST_OWNER") });
    expect(await errorsOf(stack.destroy())).toContain(
      `Team operators is the only owner of project ${projectId} and was not removed.`,
    );
  });

  it("is not made if another resource declares the team, which the message names", async () => {
    const { sandbox, stack, projectId } = await holdProjectTeam(readers);
    await stack.setProgram(
      teamProgram(undefined, { other: { projectId, teamName: "operators", roles: readers } }),
    );
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `Team operators keeps its roles in project ${projectId} because urn:pulumi:test::platform::opsmanager:index:ProjectTeam::other declares it.`,
    );
    expect(projectTeamsOf(sandbox, projectId)).toEqual({ operators: readers });
  });
});

it("an import by a name takes the team of exactly this name, and by an id in upper case the team of this id", async () => {
  const { sandbox, stack, projectId, teamId } = await startWithTeam();
  const { id: other } = sandbox.addTeam({ name: "Operators" });
  for (const id of [other, teamId]) sandbox.setProjectTeam(projectId, { teamId: id, roleNames: readers });
  for (const [name, imported] of [
    ["one", "operators"],
    ["two", teamId.toUpperCase()],
  ] as const) {
    await succeeded(stack.import("ProjectTeam", name, `${projectId}/${imported}`));
    expect(await stack.resource(name)).toMatchObject({
      id: `${projectId}/${teamId}`,
      inputs: { projectId, teamId, roles: readers },
      outputs: { teamName: "operators", orgId, origin: "imported", onDestroy: "remove" },
    });
  }
});
