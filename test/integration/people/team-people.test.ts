/** The people of a Team: what the service does not accept of them, and what a replacement removes. As of any list: `../lists`. */
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { ada, grace, linus, orgId, teamsOf } from "../../engine/teams/support";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import { changePeople, holdTeam, idOf } from "./team-stacks";

afterEach(tearDownStacks);

it("no one leaves a team if a person cannot join it", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  // This account has not accepted an invitation to the organization, and the key cannot list those that have.
  sandbox.addUser({ username: "new@example.com" });
  sandbox.addFault({ method: "GET", pathPattern: "/orgs/[^/]+/users", fault: { status: 403 } });
  await declare(["new@example.com"]);
  const errors = await errorsOf(stack.up());
  expect(errors).toContain("CANNOT_ADD_PENDING_USER");
  expect(errors).toContain("No team can have it before.");
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
});

it("a person whom another program adds to a team first is declared, and then others leave it", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada]);
  await stack.before("POST", /\/teams\/\w+\/users$/, () => changePeople(sandbox, [ada, grace]));
  await declare([grace]);
  await succeeded(stack.up());
  expect(teamsOf(sandbox)).toEqual({ operators: [grace] });
  const recorded = [{ userId: idOf(sandbox, grace), declared: true }];
  expect((await stack.resource("operators"))?.outputs?.people).toMatchObject(recorded);
});

it("people without an account in the organization, or whom nothing shows, are refused with all their names before a team is written", async () => {
  const outsider = "outsider@example.com";
  const { sandbox, stack, declare } = await holdTeam([ada]);
  sandbox.addUser({ username: outsider });
  await declare([ada, "eve@example.com", grace, outsider]);
  expect(await errorsOf(stack.up())).toContain(
    `organization ${orgId} has no account with the name eve@example.com, ${outsider}`,
  );
  for (const pathPattern of ["/orgs/\\w+/users", "/users/byName"])
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 403 } });
  await declare([ada, grace, linus]);
  expect(await errorsOf(stack.up())).toContain(
    `Team "operators" was not changed: ${grace}, ${linus} cannot be looked up. These credentials need the role Organization Owner, which may list the people of the organization.`,
  );
  expect(writes(sandbox)).toEqual([]);
});

it("a person who is the only owner of a project through a team stays in it, and the error names the solution", async () => {
  const { sandbox, stack, declare } = await holdTeam([ada, grace]);
  const fault = refusal(403, "CANNOT_DELETE_LAST_OWNER");
  sandbox.addFault({ method: "DELETE", pathPattern: "/teams/", fault });
  await declare([ada]);
  expect(await errorsOf(stack.up())).toContain(
    `${grace} stays in team "operators": without this person, a project would have no owner. Give GROUP_OWNER in that project to another person first.`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
});

it("a team gets its people one by one if the service ignores them at its creation", async () => {
  const { sandbox, stack } = await holdTeam([ada, grace], { sandbox: { usernamesOfNewTeam: "ignore" } });
  const recorded = { origin: "created", usernames: [ada, grace] };
  expect((await stack.resource("operators"))?.outputs).toMatchObject(recorded);
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
});

it("a team that is replaced removes who was declared and left the program, within maxRemovals", async () => {
  keepDefault("refreshBeforeUpdate", "a replacement by --replace needs a read of the team in the same run");
  const { sandbox, stack, teamId, declare, replace } = await holdTeam([ada, grace]);
  await declare([ada], { maxRemovals: 0 });
  expect(await errorsOf(replace())).toContain("more than maxRemovals (0) allows");
  expect(teamsOf(sandbox)).toEqual({ operators: [ada, grace] });
  await declare([ada]);
  expect(messagesOf(await succeeded(replace()))).toContain(
    `Team "operators" (${teamId}) was kept because urn:pulumi:test::platform::opsmanager:index:Team::operators declares it.`,
  );
  expect(teamsOf(sandbox)).toEqual({ operators: [ada] });
  const recorded = { teamId, origin: "created", usernames: [ada] };
  expect((await stack.resource("operators"))?.outputs).toMatchObject(recorded);
});
