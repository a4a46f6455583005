/** Replacing a ProjectMember, a ProjectMembers or their Project ends no membership. */
import { keepDefault, type Stack, succeeded } from "../../support";
import { ada, bob, readers } from "../../support/people";
import { membershipsIn, membersProgram, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, projectNamed, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

async function replace(stack: Stack, ...names: string[]) {
  const resources = await Promise.all(names.map((name) => stack.resource(name)));
  const up = await succeeded(stack.up({ replace: resources.map((resource) => resource?.urn ?? "") }));
  for (const name of names)
    expect(up.steps.filter((step) => step.name === name).map(({ op }) => op)).toContain("replace");
  return up;
}

it.each(bothProviders)(
  "pulumi up --replace of ProjectMember and ProjectMembers keeps active and pending people, listed or not (%s)",
  async (provider) => {
    const guest = "guest@example.com";
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: {
          projects: [{ name: "payments" }, { name: "orders", members: { [ada]: readers, [guest]: readers } }],
        },
      },
      program: (service) => {
        const projectId = paymentsId(service);
        const person = (username: string) => ({
          type: "ProjectMember",
          properties: { projectId, username, roles: readers },
        });
        const { resources } = membersProgram({
          projectId: projectNamed(service, "orders").id,
          members: { [ada]: readers, [bob]: readers },
          ignoreUsers: ["guest*"],
          onDestroy: "remove",
        });
        return { resources: { ada: person(ada), bob: person(bob), ...resources } };
      },
    });
    await succeeded(stack.up());
    const orders = projectNamed(sandbox, "orders").id;
    const before = [membershipsIn(sandbox), membershipsIn(sandbox, orders)];
    expect(before).toEqual([
      { members: { [ada]: readers }, invited: { [bob]: readers } },
      { members: { [ada]: readers, [guest]: readers }, invited: { [bob]: readers } },
    ]);
    sandbox.clearRequests();

    const replaced = await replace(stack, "ada", "bob", "people");
    for (const username of [ada, bob])
      expect(messagesOf(replaced)).toContain(
        `${username} in project ${paymentsId(sandbox)} was kept because`,
      );
    expect(messagesOf(replaced)).toContain(`people of project ${orders} were kept because`);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
    expect(writes(sandbox)).toEqual([]);
    expect([membershipsIn(sandbox), membershipsIn(sandbox, orders)]).toEqual(before);
  },
);

it("pulumi up --replace of a project, with the project's id taken from it, keeps everyone", async () => {
  keepDefault("refreshBeforeUpdate", "otherwise a created project stops at its own name");
  const { sandbox, stack } = await setUpStack({
    program: ({ orgId }) => ({
      resources: {
        payments: { type: "Project", properties: { orgId, name: "payments" } },
        orders: { type: "Project", properties: { orgId, name: "orders" } },
        bob: {
          type: "ProjectMember",
          properties: { projectId: "${payments.projectId}", username: bob, roles: readers },
        },
        people: {
          type: "ProjectMembers",
          properties: {
            projectId: "${orders.projectId}",
            members: { "owner@example.com": ["GROUP_OWNER"], [ada]: readers },
          },
        },
      },
    }),
  });
  await succeeded(stack.up());
  const everyone = () => [
    membershipsIn(sandbox),
    membershipsIn(sandbox, projectNamed(sandbox, "orders").id),
    sandbox.state.invitations.map(({ id }) => id),
  ];
  const before = everyone();
  expect(before).toMatchObject([{ invited: { [bob]: readers } }, { invited: { [ada]: readers } }, {}]);
  sandbox.clearRequests();
  const up = await replace(stack, "payments", "orders");
  const ofPeople = up.steps.filter(({ name }) => ["bob", "people"].includes(name));
  expect(ofPeople.map(({ op }) => op)).not.toContain("replace");
  expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });
  expect(writes(sandbox)).toEqual([]);
  expect(everyone()).toEqual(before);
});
