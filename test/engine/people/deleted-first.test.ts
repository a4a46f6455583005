/** With `deleteBeforeReplace`, Delete runs before Create. No person or team stays that no resource records. */
import { type Program, type Run, type Stack, succeeded } from "../../support";
import { readers } from "../../support/people";
import { membershipsIn, paymentsId } from "../support/people-program";
import { emptyProgram, messagesOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, orgId, owner, startTeams, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const options = { deleteBeforeReplace: true };

/** Replaces the resources with these names, each with Delete first. */
async function replace(stack: Stack, ...names: string[]): Promise<Run> {
  const resources = await Promise.all(names.map((name) => stack.resource(name)));
  return stack.up({ replace: resources.map((resource) => resource?.urn ?? "") });
}

it("a replacement that deletes first and then fails leaves no person and no team that the next commit removes", async () => {
  const program = (projectId: string, usernames: readonly string[]): Program => ({
    resources: {
      ada: { type: "ProjectMember", properties: { projectId, username: ada, roles: readers }, options },
      operators: { type: "Team", properties: { orgId, name: "operators", usernames }, options },
    },
  });
  const { sandbox, stack } = await startTeams("plugin", (service) => program(paymentsId(service), [ada]));
  await succeeded(stack.up());
  const { members } = membershipsIn(sandbox);
  expect(Object.keys(members)).toEqual([owner]);
  sandbox.addFault({ method: "POST", pathPattern: "/(users|invites)$", fault: { status: 400 } });
  await stack.setProgram(program(paymentsId(sandbox), [ada, "eve@example.com"]));
  const failed = await replace(stack, "ada", "operators");
  expect(messagesOf(failed, "error")).toContain("has no account with the name eve@example.com");
  await stack.setProgram(emptyProgram);
  await succeeded(stack.up());
  expect(membershipsIn(sandbox)).toEqual({ members, invited: {} });
  expect(teamsOf(sandbox)).toEqual({});
});

it("a replacement that deletes first creates what was created, with the accounts it had, and finds what was adopted", async () => {
  const { sandbox, stack } = await startTeams("plugin", (service) => ({
    resources: {
      created: { type: "Project", properties: { orgId, name: "created" }, options },
      adopted: { type: "Project", properties: { projectId: paymentsId(service) }, options },
      operators: {
        type: "Team",
        properties: { orgId, name: "operators", usernames: [ada, grace] },
        options,
      },
    },
  }));
  await succeeded(stack.up());
  const before = projectNamed(sandbox, "created").id;
  const payments = paymentsId(sandbox);
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: "ada.l@example.com" });
  await succeeded(replace(stack, "created", "adopted", "operators"));
  expect(projectNamed(sandbox, "created").id).not.toBe(before);
  expect(paymentsId(sandbox)).toBe(payments);
  expect(await stack.resource("created")).toMatchObject({ outputs: { origin: "created" } });
  expect(await stack.resource("adopted")).toMatchObject({ outputs: { origin: "adopted" } });
  expect(teamsOf(sandbox)).toEqual({ operators: ["ada.l@example.com", grace] });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
});

it("a replacement that deletes first removes a person whom another resource declares only after that one", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: readers, [grace]: readers } }] } },
    program: () => ({}),
  });
  const projectId = paymentsId(sandbox);
  const person = (username: string) => ({
    type: "ProjectMember",
    properties: { projectId, username, roles: readers },
    options,
  });
  await stack.setProgram({ resources: { one: person(ada) } });
  await succeeded(stack.up());
  await stack.setProgram({ resources: { other: person(ada), one: person(grace) } });
  await succeeded(stack.up());
  expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: readers, [grace]: readers }, invited: {} });
});
