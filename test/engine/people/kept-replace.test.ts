/** Replacing a ProjectMember, a ProjectMembers or their Project ends no membership. */
import { type Stack, succeeded } from "../../support";
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

const [created, adopted] = ["created", "adopted"];

/**
 * Create needs the origin of the resource that it replaces. An earlier read records it: a Delete that runs first, or the plugin's
 * refresh, which always reads invited people. Without a refresh, the create finds an existing member. A created project that is
 * neither read nor deleted first stops at its own name, which Project's tests show.
 */
const settings = [
  {
    ...{ provider: "plugin", deleteBeforeReplace: false, refreshBeforeUpdate: true },
    ...{ origin: { active: created, pending: created }, projectStops: false },
  },
  // Without the read before the program runs, the provider knows less; people stay all the same.
  {
    ...{ provider: "plugin", deleteBeforeReplace: false, refreshBeforeUpdate: false },
    ...{ origin: { active: adopted, pending: created }, projectStops: true },
  },
  {
    ...{ provider: "dynamic", deleteBeforeReplace: false, refreshBeforeUpdate: true },
    ...{ origin: { active: adopted, pending: adopted }, projectStops: true },
  },
  // This host passes no URN, so a claim of the same resource may be one of another resource.
  {
    ...{ provider: "dynamic", deleteBeforeReplace: true, refreshBeforeUpdate: true },
    ...{ origin: { active: created, pending: created }, projectStops: false },
  },
];

describe.each(bothProviders)("pulumi up --replace (%s)", (provider) => {
  describe.each(settings.filter((setting) => setting.provider === provider))(
    "with $deleteBeforeReplace as deleteBeforeReplace and $refreshBeforeUpdate as refreshBeforeUpdate",
    ({ deleteBeforeReplace, refreshBeforeUpdate, origin, projectStops }) => {
      const config = { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate };

      it("of ProjectMember and ProjectMembers keeps active and pending people, listed or not", async () => {
        const guest = "guest@example.com";
        const { sandbox, stack } = await setUpStack({
          provider,
          config,
          sandbox: {
            bypassInvitations: true,
            seed: {
              projects: [
                { name: "payments" },
                { name: "orders", members: { [ada]: readers, [guest]: readers } },
              ],
            },
          },
          program: (service) => {
            const projectId = paymentsId(service);
            const person = (username: string) => ({
              type: "ProjectMember",
              properties: { projectId, username, roles: readers },
              options: { deleteBeforeReplace },
            });
            const allMembers = {
              projectId: projectNamed(service, "orders").id,
              members: { [ada]: readers, [bob]: readers },
              ignoreUsers: ["guest*"],
              onDestroy: "remove",
            };
            const { resources } = membersProgram(allMembers, { deleteBeforeReplace });
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
        expect(writes(sandbox)).toEqual([]);
        expect([membershipsIn(sandbox), membershipsIn(sandbox, orders)]).toEqual(before);
        for (const [name, status] of [
          ["ada", "active"],
          ["bob", "pending"],
        ] as const)
          expect(await stack.resource(name)).toMatchObject({ outputs: { status, origin: origin[status] } });
        expect(await stack.resource("people")).toMatchObject({ outputs: { origin: "created" } });
        expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
      });

      if (projectStops) return;
      it("of their project, with the project's id taken from it, keeps everyone", async () => {
        const { sandbox, stack } = await setUpStack({
          provider,
          config,
          program: ({ orgId }) => ({
            resources: {
              payments: {
                type: "Project",
                properties: { orgId, name: "payments" },
                options: { deleteBeforeReplace },
              },
              orders: {
                type: "Project",
                properties: { orgId, name: "orders" },
                options: { deleteBeforeReplace },
              },
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
        const orders = projectNamed(sandbox, "orders").id;
        const before = [membershipsIn(sandbox), membershipsIn(sandbox, orders)];
        const invitations = sandbox.state.invitations.map(({ id }) => id);
        expect(before).toMatchObject([{ invited: { [bob]: readers } }, { invited: { [ada]: readers } }]);
        sandbox.clearRequests();

        for (const name of ["payments", "orders"]) {
          const up = await replace(stack, name);
          expect(up.steps.filter((step) => /people|bob/.test(step.name)).map(({ op }) => op)).not.toContain(
            "replace",
          );
        }
        expect(writes(sandbox)).toEqual([]);
        expect([membershipsIn(sandbox), membershipsIn(sandbox, orders)]).toEqual(before);
        expect(sandbox.state.invitations.map(({ id }) => id)).toEqual(invitations);
        expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });
      });
    },
  );
});
