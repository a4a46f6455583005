/** Design, "Identity decides replacement": whoever takes over is let in first, and nobody goes before that. */
import { type Program, succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import {
  deletions,
  invitationsTo,
  memberProgram,
  membersOf,
  membersProgram,
  paymentsId,
  placesIn,
} from "../support/people-program";
import { doors, projectNamed, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const reader = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";
const bob = "bob@example.com";

describe.each(doors)("another projectId (%s)", (door) => {
  const projects = [
    { name: "payments", members: { "owner@example.com": ["GROUP_OWNER"], [ada]: reader } },
    { name: "orders", members: { "owner@example.com": ["GROUP_OWNER"] } },
  ];

  it("lets the person in there first, then takes them out here", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { bypassInvitations: true, seed: { projects } },
      program: (sandbox) => memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    const [here, there] = [paymentsId(sandbox), projectNamed(sandbox, "orders").id];
    const userId = sandbox.user({ username: ada })?.id;
    await stack.setProgram(memberProgram({ projectId: there, username: ada, roles: reader }));
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([
      ["POST", `/groups/${there}/users`],
      ["DELETE", `/groups/${here}/users/${userId}`],
    ]);
    expect(membersOf(sandbox, here)).not.toHaveProperty([ada]);
    expect(membersOf(sandbox, there)).toMatchObject({ [ada]: reader });
    expect(await stack.resource("ada")).toMatchObject({
      id: `${there}/${ada}`,
      outputs: { projectId: there },
    });
  });

  it("of ProjectMembers lets everybody in there, and leaves those here as they are unless onDestroy says remove", async () => {
    const members = { "owner@example.com": ["GROUP_OWNER"], [ada]: reader };
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { bypassInvitations: true, seed: { projects } },
      program: (sandbox) => membersProgram({ projectId: paymentsId(sandbox), members }),
    });
    await succeeded(stack.up());
    const [here, there] = [paymentsId(sandbox), projectNamed(sandbox, "orders").id];
    await stack.setProgram(membersProgram({ projectId: there, members, onDestroy: "remove" }));
    const moved = await succeeded(stack.up());
    expect(said(moved)).toContain(`The people of project ${here} were released`);
    expect([membersOf(sandbox, here), membersOf(sandbox, there)]).toEqual([members, members]);

    await stack.setProgram(membersProgram({ projectId: here, members }));
    const back = await succeeded(stack.up());
    expect(deletions(sandbox)).toEqual([`/groups/${there}/users/${sandbox.user({ username: ada })?.id}`]);
    expect(said(back, "warning")).toContain(`owner@example.com is the last owner of project ${there}`);
    expect([membersOf(sandbox, here), membersOf(sandbox, there)]).toEqual([
      members,
      { "owner@example.com": ["GROUP_OWNER"] },
    ]);
  });
});

describe.each(doors)("another person under the same resource (%s)", (door) => {
  const owner = ["GROUP_OWNER"];
  const owned = { name: "payments", members: { [ada]: owner } };
  const program = (projectId: string, username: string) =>
    memberProgram({ projectId, username, roles: owner });

  it("takes over as the only owner: let in first, then the other one goes", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { bypassInvitations: true, seed: { users: [{ username: bob }], projects: [owned] } },
      program: (sandbox) => program(paymentsId(sandbox), ada),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    await stack.setProgram(program(projectId, bob));
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method, path }) => [method, path])).toEqual([
      ["POST", `/groups/${projectId}/users`],
      ["DELETE", `/groups/${projectId}/users/${sandbox.user({ username: ada })?.id}`],
    ]);
    expect(membersOf(sandbox)).toEqual({ [bob]: owner });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("who is only invited leaves the last owner in, says the ways out, and the next up after acceptance finishes", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { users: [{ username: bob }], projects: [owned] } },
      program: (sandbox) => program(paymentsId(sandbox), ada),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    await stack.setProgram(program(projectId, bob));
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up, "error")).toMatch(
      new RegExp(
        `${ada} is the only owner of project ${projectId} and was not removed.*[Aa]dd an owner.*"release"`,
        "s",
      ),
    );
    expect(placesIn(sandbox)).toEqual({ members: { [ada]: owner }, invited: { [bob]: owner } });
    expect(await stack.resource("ada")).toBeDefined();
    const [invitation] = invitationsTo(sandbox);

    // As long as nobody has accepted, another run changes nothing and says the same.
    const again = await stack.up();
    expect(again.exitCode).not.toBe(0);
    expect(said(again, "error")).toContain(`${ada} is the only owner`);
    expect(placesIn(sandbox)).toEqual({ members: { [ada]: owner }, invited: { [bob]: owner } });
    expect(invitationsTo(sandbox)).toEqual([invitation]);

    sandbox.acceptInvitation(invitation?.id ?? "");
    await succeeded(stack.up());
    expect(placesIn(sandbox)).toEqual({ members: { [bob]: owner }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("who is only invited, and a program that goes back: nothing of the last owner's is lost", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed: { users: [{ username: bob }], projects: [owned] } },
      program: (sandbox) => program(paymentsId(sandbox), ada),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    await stack.setProgram(program(projectId, bob));
    expect((await stack.up()).exitCode).not.toBe(0);

    await stack.setProgram(program(projectId, ada));
    const up = await succeeded(stack.up());
    expect(said(up)).toContain(`${ada} in project ${projectId} is kept: declared by`);
    expect(placesIn(sandbox)).toEqual({ members: { [ada]: owner }, invited: {} });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });
});

it.each(doors)("two resources swap their people, and nobody is removed (%s)", async (door) => {
  const program = (projectId: string, first: string, second: string): Program => ({
    resources: {
      first: { type: "ProjectMember", properties: { projectId, username: first, roles: reader } },
      second: { type: "ProjectMember", properties: { projectId, username: second, roles: reader } },
    },
  });
  const { sandbox, stack } = await createEstate({
    door,
    sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } },
    program: (sandbox) => program(paymentsId(sandbox), ada, bob),
  });
  await succeeded(stack.up());
  const projectId = paymentsId(sandbox);
  const before = placesIn(sandbox);
  expect(before).toEqual({ members: { [ada]: reader }, invited: { [bob]: reader } });
  sandbox.clearRequests();

  await stack.setProgram(program(projectId, bob, ada));
  const up = await succeeded(stack.up());
  for (const name of [ada, bob])
    expect(said(up)).toContain(`${name} in project ${projectId} is kept: declared by`);
  expect(writes(sandbox)).toEqual([]);
  expect(placesIn(sandbox)).toEqual(before);
  expect(await stack.resource("first")).toMatchObject({ outputs: { username: bob, status: "pending" } });
  expect(await stack.resource("second")).toMatchObject({ outputs: { username: ada, status: "active" } });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
});
