/** A person who is recorded under one username and declared under another stays in the project after an up with --target. */
import { succeeded } from "../../support";
import { ada, readers } from "../../support/people";
import { membershipsIn, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, operations, projectNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const renamed = "ada.lovelace@example.com";

it.each(bothProviders)(
  "a ProjectMember that an up with --target left in the stack removes no member whom another resource declares (%s)",
  async (provider) => {
    const grace = "grace@example.com";
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: {
          users: [{ username: ada }],
          projects: [{ name: "payments" }, { name: "orders", members: { [grace]: readers } }],
        },
      },
      program: (service) => ({
        resources: {
          ada: {
            type: "ProjectMember",
            properties: { projectId: paymentsId(service), username: ada, roles: readers },
          },
          grace: {
            type: "ProjectMember",
            properties: { projectId: projectNamed(service, "orders").id, username: grace, roles: readers },
          },
        },
      }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const orders = projectNamed(sandbox, "orders").id;
    const before = membershipsIn(sandbox);
    expect(before).toEqual({ members: {}, invited: { [ada]: readers } });
    sandbox.clearRequests();

    // Ada is declared by her account from now on, and Grace by a ProjectMembers under the username that her account then loses.
    const userId = sandbox.user({ username: ada })?.id;
    await stack.setProgram({
      resources: {
        account: { type: "ProjectMember", properties: { projectId, userId, roles: readers } },
        people: { type: "ProjectMembers", properties: { projectId: orders, members: { [grace]: readers } } },
      },
    });
    const targeted = await succeeded(stack.up({ target: ["**::account", "**::people"] }));
    expect(targeted.changes).toMatchObject({ create: 2 });
    expect(await stack.resource("ada")).toBeDefined();
    expect(await stack.resource("grace")).toBeDefined();
    sandbox.changeUser(sandbox.user({ username: grace })?.id ?? "", { username: renamed });

    const up = await succeeded(stack.up());
    expect(operations(up)).toMatchObject({ account: "same", ada: "delete", grace: "delete" });
    expect(messagesOf(up)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect(membershipsIn(sandbox, orders)).toEqual({ members: { [renamed]: readers }, invited: {} });
  },
);
