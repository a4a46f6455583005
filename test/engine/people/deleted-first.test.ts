/** With `deleteBeforeReplace`, Delete runs before Create. No person or team stays that no resource records. */
import { type Program, type Run, type Stack, succeeded } from "../../support";
import { readers } from "../../support/people";
import { membershipsIn, paymentsId } from "../support/people-program";
import { emptyProgram, messagesOf, projectNamed } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { ada, grace, orgId, owner, startTeams, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const options = { deleteBeforeReplace: true };

function program(projectId: string, usernames: readonly string[]): Program {
  const declared = (type: string, properties: object) => ({ type, properties: { ...properties }, options });
  return {
    resources: {
      created: declared("Project", { orgId, name: "created" }),
      adopted: declared("Project", { projectId }),
      ada: declared("ProjectMember", { projectId, username: ada, roles: readers }),
      operators: declared("Team", { orgId, name: "operators", usernames }),
    },
  };
}

/** Replaces the resources with these names, each with Delete first. */
async function replace(stack: Stack, ...names: string[]): Promise<Run> {
  const resources = await Promise.all(names.map((name) => stack.resource(name)));
  return stack.up({ replace: resources.map((resource) => resource?.urn ?? "") });
}

it("a replacement that deletes first creates what was created, with the accounts it had, finds what was adopted, and leaves no one behind if it fails", async () => {
  const { sandbox, stack } = await startTeams("plugin", (service) =>
    program(paymentsId(service), [ada, grace]),
  );
  await succeeded(stack.up());
  const before = projectNamed(sandbox, "created").id;
  const payments = paymentsId(sandbox);
  const { members } = membershipsIn(sandbox);
  expect(Object.keys(members)).toEqual([owner]);
  const renamed = "ada.l@example.com";
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
  await succeeded(replace(stack, "created", "adopted", "operators"));
  expect(projectNamed(sandbox, "created").id).not.toBe(before);
  expect(paymentsId(sandbox)).toBe(payments);
  expect(await stack.resource("created")).toMatchObject({ outputs: { origin: "created" } });
  expect(await stack.resource("adopted")).toMatchObject({ outputs: { origin: "adopted" } });
  expect(teamsOf(sandbox)).toEqual({ operators: [renamed, grace] });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });

  sandbox.addFault({ method: "POST", pathPattern: "/(users|invites)$", fault: { status: 400 } });
  await stack.setProgram(program(payments, [ada, grace, "eve@example.com"]));
  const failed = await replace(stack, "ada", "operators");
  expect(messagesOf(failed, "error")).toContain("has no account with the name eve@example.com");
  await stack.setProgram(emptyProgram);
  await succeeded(stack.up());
  expect(membershipsIn(sandbox)).toEqual({ members, invited: {} });
  expect(teamsOf(sandbox)).toEqual({});
});
