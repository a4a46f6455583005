import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { ada, grace, linus, orgId, seed, teamProgram, teamsOf } from "../../engine/teams/support";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { changePeople, holdTeam, idOf } from "./team-stacks";

afterEach(tearDownStacks);

const addPerson = /\/teams\/\w+\/users$/;

it("people join a team before others leave it, and no one leaves if a person cannot join", async () => {
  const { sandbox, stack, declare, teamId } = await holdTeam([ada]);
  await declare([grace]);
  await succeeded(stack.up());
  const people = `/orgs/${orgId}/teams/${teamId}/users`;
  expect(writes(sandbox)).toMatchObject([
    { method: "POST", path: people },
    { method: "DELETE", path: `${people}/${idOf(sandbox, ada)}` },
  ]);

  // This account has not accepted an invitation to the organization, and the key cannot list those that have.
  sandbox.addUser({ username: "new@example.com" });
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/users", fault: { status: 403 } });
  await declare(["new@example.com"]);
  const errors = await errorsOf(stack.up());
  expect(errors).toContain("CANNOT_ADD_PENDING_USER");
  expect(errors).toContain("No team can have it before.");
  expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
});

it.each(["the response to it is lost", "another program adds the person first"])(
  "the addition of a person to a team is done if %s, and then others leave it",
  async (situation) => {
    const { sandbox, stack, declare } = await holdTeam([ada]);
    if (situation.includes("lost"))
      sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: "reset-after-write" });
    else await stack.before("POST", addPerson, () => changePeople(sandbox, [ada, grace]));
    await declare([grace]);
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
    expect((await stack.resource("operators"))?.outputs?.people).toMatchObject([
      { userId: idOf(sandbox, grace), declared: true },
    ]);
  },
);

it("people who have no account in the organization are refused with all their names before a team is written", async () => {
  const outsider = "outsider@example.com";
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addUser({ username: outsider });
  await declare([ada, "eve@example.com", grace, outsider]);
  expect(await errorsOf(stack.up())).toContain(
    `Organization ${orgId} has no account with the name eve@example.com, ${outsider}`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a person who is the only owner of a project through a team stays in it, and the error names the solution", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada, grace]);
  sandbox.addFault({
    method: "DELETE",
    pathPattern: "/teams/",
    fault: { status: 403, body: { error: 403, errorCode: "CANNOT_DELETE_LAST_OWNER" } },
  });
  await declare([ada]);
  expect(await errorsOf(stack.up())).toContain(
    `${grace} stays in team "operators": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first.`,
  );
});

it("a team gets its people one by one if the service ignores them at its creation", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, usernamesOfNewTeam: "ignore" },
    program: () => teamProgram({ orgId, name: "operators", usernames: [ada, grace] }),
  });
  await succeeded(stack.up());
  expect((await stack.resource("operators"))?.outputs).toMatchObject({
    origin: "created",
    usernames: [ada, grace],
  });
  expect(writes(sandbox).map(({ path }) => path.replace(/\w{24}/g, "ID"))).toEqual([
    "/orgs/ID/teams",
    "/orgs/ID/teams/ID/users",
    "/orgs/ID/teams/ID/users",
  ]);
});

it("a team that is replaced removes who was declared and left the program, within maxRemovals", async () => {
  keepDefault("refreshBeforeUpdate", "a replacement by --replace needs a read of the team in the same run");
  const { sandbox, stack, teamId, declare, replace } = await holdTeam([ada, grace]);
  await declare([ada], { maxRemovals: 0 });
  expect(await errorsOf(replace())).toContain("more than maxRemovals (0), so nothing was changed");
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
  await declare([ada]);
  expect(messagesOf(await succeeded(replace()))).toContain(
    `Team "operators" (${teamId}) was kept because urn:pulumi:test::platform::opsmanager:index:Team::operators declares it.`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
  expect((await stack.resource("operators"))?.outputs).toMatchObject({
    teamId,
    origin: "created",
    usernames: [ada],
  });
});

it("people whom no list and no lookup shows are refused with the role that is needed, before a team is written", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/users", times: 0, fault: { status: 403 } });
  sandbox.addFault({ method: "GET", pathPattern: "/users/byName", times: 0, fault: { status: 403 } });
  await declare([ada, grace, linus]);
  expect(await errorsOf(stack.up())).toContain(
    `Team "operators" was not changed. ${grace}, ${linus} cannot be looked up. These credentials need the role Organization Owner, which may list the people of the organization.`,
  );
  expect(writes(sandbox)).toEqual([]);
});
