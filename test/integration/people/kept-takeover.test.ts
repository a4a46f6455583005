/** Design, "Identity decides replacement": the new member is added or invited before the previous one is removed. */

import {
  deletions,
  invitationsTo,
  memberProgram,
  membershipsIn,
  membersOf,
  membersProgram,
  paymentsId,
} from "../../engine/support/people-program";
import { bothProviders, messagesOf, projectNamed, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { type Run, setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, bob, readers } from "../../support/people";

afterEach(tearDownStacks);

/** Two projects of Ada and the owner, each beside one of the owner alone; a ProjectMember and a ProjectMembers may declare Ada. */
async function setUpMoves(provider: ProviderKind) {
  const owner = { "owner@example.com": ["GROUP_OWNER"] };
  const members = { ...owner, [ada]: readers };
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: {
      bypassInvitations: true,
      seed: {
        projects: [
          { name: "payments", members },
          { name: "orders", members: owner },
          { name: "tools", members },
          { name: "docs", members: owner },
        ],
      },
    },
    program: () => ({}),
  });
  const idOf = (name: string) => projectNamed(sandbox, name).id;
  const declare = (projectId: string, allMembers: object) =>
    stack.setProgram({
      resources: {
        ...memberProgram({ projectId, username: ada, roles: readers }).resources,
        ...membersProgram({ members, ...allMembers }).resources,
      },
    });
  const [here, there] = [idOf("payments"), idOf("orders")];
  const [toolsId, everybodyThere] = [idOf("tools"), idOf("docs")];
  return { sandbox, stack, owner, members, here, there, toolsId, everybodyThere, declare };
}

it.each(bothProviders)(
  "another projectId adds people there before it removes them here; ProjectMembers removes them only with onDestroy (%s)",
  async (provider) => {
    const { sandbox, stack, owner, members, ...projects } = await setUpMoves(provider);
    const { here, there, toolsId, everybodyThere, declare } = projects;
    await declare(here, { projectId: toolsId });
    await succeeded(stack.up());
    const userId = sandbox.user({ username: ada })?.id;
    expect(writes(sandbox)).toEqual([]);

    // Without onDestroy, a ProjectMembers releases those in the project before.
    await declare(there, { projectId: everybodyThere, onDestroy: "remove" });
    const moved = await succeeded(stack.up());
    const ofTheMember = writes(sandbox).filter(({ path }) => path.includes(here) || path.includes(there));
    expect(ofTheMember.map(({ method, path }) => [method, path])).toEqual([
      ["POST", `/groups/${there}/users`],
      ["DELETE", `/groups/${here}/users/${userId}`],
    ]);
    expect(membersOf(sandbox, here)).not.toHaveProperty([ada]);
    expect(membersOf(sandbox, there)).toMatchObject({ [ada]: readers });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${there}/${ada}`,
      outputs: { projectId: there },
    });
    expect(messagesOf(moved)).toContain(`The people of project ${toolsId} were released`);
    expect([membersOf(sandbox, toolsId), membersOf(sandbox, everybodyThere)]).toEqual([members, members]);

    // With onDestroy: remove, all but the last owner are removed.
    sandbox.clearRequests();
    await declare(there, { projectId: toolsId });
    const back = await succeeded(stack.up());
    expect(deletions(sandbox)).toEqual([`/groups/${everybodyThere}/users/${userId}`]);
    expect(messagesOf(back, "warning")).toContain(
      `owner@example.com is the last direct owner of project ${everybodyThere}`,
    );
    expect([membersOf(sandbox, toolsId), membersOf(sandbox, everybodyThere)]).toEqual([members, owner]);
  },
);

describe.each(bothProviders)("another person under the same resource (%s)", (provider) => {
  const owner = ["GROUP_OWNER"];
  const owned = { name: "payments", members: { [ada]: owner } };
  const program = (projectId: string, username: string) =>
    memberProgram({ projectId, username, roles: owner });

  /** Ada, the last owner, gives her place to Bob, who is only invited; the run fails. */
  async function setUpRefusal() {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { users: [{ username: bob }], projects: [owned] } },
      program: (service) => program(paymentsId(service), ada),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    const expectRefusal = (up: Run) => {
      expect(up.exitCode).not.toBe(0);
      expect(messagesOf(up, "error")).toMatch(
        new RegExp(
          `${ada} is the only owner of project ${projectId} and was not removed.*[Aa]dd an owner.*"release"`,
          "s",
        ),
      );
      expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owner }, invited: { [bob]: owner } });
    };
    await stack.setProgram(program(projectId, bob));
    expectRefusal(await stack.up());
    return { sandbox, stack, projectId, expectRefusal };
  }

  it("who is only invited leaves the last owner in the project, and the program may go back", async () => {
    const { sandbox, stack, projectId } = await setUpRefusal();
    expect(await stack.resource("ada")).toBeDefined();

    // The invitation is taken back, and the last owner loses nothing.
    await stack.setProgram(program(projectId, ada));
    const back = await succeeded(stack.up());
    expect(messagesOf(back)).toContain(`${ada} in project ${projectId} was kept because`);
    expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: owner }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("who is only invited takes the place of the last owner as soon as the invitation is accepted", async () => {
    const { sandbox, stack, expectRefusal } = await setUpRefusal();
    // Until then, another run changes nothing and fails for the same reason.
    const [invitation] = invitationsTo(sandbox);
    expectRefusal(await stack.up());
    expect(invitationsTo(sandbox)).toEqual([invitation]);

    sandbox.acceptInvitation(invitation?.id ?? "");
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual({ members: { [bob]: owner }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});
