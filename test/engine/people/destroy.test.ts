/** What destroying does to people: one by one, with their project, or not at all. */
import { type Program, type ResourceOptions, succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { deletions, memberProgram, membersProgram, paymentsId, placesIn } from "../support/people-program";
import { doors, emptyProgram, projectNamed, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const ada = "ada@example.com";
const bob = "bob@example.com";
const olga = "owner@example.com";
const seed = { users: [{ username: ada }], projects: [{ name: "payments", members: { [olga]: owner } }] };

interface Team {
  /** `orgId` and `name`, or `projectId`. */
  readonly project: Readonly<Record<string, unknown>>;
  readonly options?: ResourceOptions;
  readonly adaRoles?: readonly string[];
}

/** A project with ada, who is in, and bob, who is invited. */
function team({ project, options, adaRoles = reader }: Team): Program {
  const person = (username: string, roles: readonly string[]) => ({
    type: "ProjectMember",
    properties: { projectId: "${payments.projectId}", username, roles },
    ...(options && { options }),
  });
  return {
    resources: {
      payments: { type: "Project", properties: project },
      ada: person(ada, adaRoles),
      bob: person(bob, reader),
    },
  };
}

const withProject = { deletedWith: "${payments}" };

describe.each(doors)("a created project with people (%s)", (door) => {
  async function createdTeam(options?: ResourceOptions, adaRoles?: readonly string[]) {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: {
        bypassInvitations: true,
        seed: { users: [{ username: ada }, { username: olga, roles: [] }] },
      },
      program: ({ orgId }) =>
        team({
          project: { orgId, name: "payments" },
          ...(options && { options }),
          ...(adaRoles && { adaRoles }),
        }),
    });
    await succeeded(stack.up());
    const projectId = paymentsId(sandbox);
    sandbox.clearRequests();
    return {
      sandbox,
      stack,
      projectId,
      program: (more: ResourceOptions | undefined) =>
        team({ project: { orgId: sandbox.orgId, name: "payments" }, ...(more && { options: more }) }),
    };
  }

  it("goes at once where they are deletedWith it: nobody is removed one by one", async () => {
    const { sandbox, stack, projectId } = await createdTeam(withProject, owner);
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
    expect(deletions(sandbox)).toEqual([`/groups/${projectId}`]);
    expect(sandbox.state.projects).toEqual([]);
    expect((await stack.state()).resources ?? []).toEqual([]);
  });

  it("goes after the people where they are not: they are removed first", async () => {
    const { sandbox, stack, projectId } = await createdTeam();
    const userId = sandbox.user({ username: ada })?.id;
    const [invitation] = sandbox.state.invitations;
    await succeeded(stack.destroy());
    expect(deletions(sandbox).slice(0, 2).sort()).toEqual([
      `/groups/${projectId}/invites/${invitation?.id}`,
      `/groups/${projectId}/users/${userId}`,
    ]);
    expect(deletions(sandbox).slice(2)).toEqual([`/groups/${projectId}`]);
    expect(sandbox.state.projects).toEqual([]);
  });

  it("stops at its last owner, and says every way out", async () => {
    const { sandbox, stack, projectId, program } = await createdTeam(undefined, owner);
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    const error = said(destroy, "error");
    expect(error).toContain(`${ada} is the only owner of project ${projectId} and was not removed`);
    expect(error).toContain("Add an owner first");
    expect(error).toContain('set onDestroy to "release"');
    // The host of the dynamic door looks at nothing before a destroy, so nobody knows there how the project came here.
    if (door === "plugin") expect(error).toContain("deletedWith");
    expect(placesIn(sandbox).members).toEqual({ [ada]: owner });
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });

    // One of the ways: the people go with the project.
    const { resources } = program(withProject);
    await stack.setProgram({
      resources: { ...resources, ada: adaOf(team({ project: {}, options: withProject, adaRoles: owner })) },
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy());
    expect(sandbox.state.projects).toEqual([]);
  });

  it("that may not be deleted keeps people who are deletedWith it, and the next up takes them over again", async () => {
    const { sandbox, stack, projectId } = await createdTeam(withProject);
    const before = placesIn(sandbox);
    const invitations = sandbox.state.invitations.map(({ id }) => id);
    sandbox.changeProject(projectId, { hasBackups: true });
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(said(destroy, "error")).toContain(`Deleting project ${projectId} failed`);
    expect(placesIn(sandbox)).toEqual(before);
    expect(await stack.resource("payments")).toMatchObject({ id: projectId });

    sandbox.clearRequests();
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(sandbox.state.invitations.map(({ id }) => id)).toEqual(invitations);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
    expect(await stack.resource("bob")).toMatchObject({ outputs: { status: "pending" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });

  it("that may not be deleted loses people who are not, and the next up lets them in again", async () => {
    const { sandbox, stack, projectId } = await createdTeam();
    const before = placesIn(sandbox);
    sandbox.changeProject(projectId, { hasBackups: true });
    expect((await stack.destroy()).exitCode).not.toBe(0);
    expect(placesIn(sandbox)).toEqual({ members: {}, invited: {} });
    expect(await stack.resource("ada")).toBeUndefined();
    expect(await stack.resource("payments")).toMatchObject({ id: projectId });

    await succeeded(stack.up());
    expect(placesIn(sandbox)).toEqual(before);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  });
});

function adaOf({ resources }: Program) {
  const person = resources?.ada;
  if (person === undefined) throw new Error("The program has no ada.");
  return person;
}

describe.each(doors)("an adopted project with people (%s)", (door) => {
  async function adoptedTeam(options?: ResourceOptions, adaRoles?: readonly string[]) {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { bypassInvitations: true, seed },
      program: (sandbox) =>
        team({
          project: { projectId: paymentsId(sandbox) },
          ...(options && { options }),
          ...(adaRoles && { adaRoles }),
        }),
    });
    await succeeded(stack.up());
    sandbox.clearRequests();
    return { sandbox, stack, projectId: paymentsId(sandbox), before: placesIn(sandbox) };
  }

  it("is released with everybody in it where they are deletedWith it, and says that they stay", async () => {
    const { sandbox, stack, projectId, before } = await adoptedTeam(withProject);
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 3 });
    expect(said(destroy)).toMatch(
      new RegExp(`Project ${projectId} .* was released: it stays in the service, with the people in it`),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
  });

  it("does not name deletedWith to its last owner: beside a released project it would remove nobody", async () => {
    const { sandbox, stack } = await adoptedTeam(undefined, owner);
    sandbox.removeMember(paymentsId(sandbox), { username: olga });
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(said(destroy, "error")).toContain(`${ada} is the only owner`);
    expect(said(destroy, "error")).toContain('"release"');
    expect(destroy.output).not.toContain("deletedWith");
    expect(placesIn(sandbox).members).toEqual({ [ada]: owner });
  });

  it("lets go of the last owner as they are, once onDestroy says release", async () => {
    const { sandbox, stack, projectId } = await adoptedTeam(undefined, owner);
    sandbox.removeMember(projectId, { username: olga });
    await stack.setProgram(memberProgram({ projectId, username: ada, roles: owner, onDestroy: "release" }));
    await succeeded(stack.up());
    sandbox.clearRequests();
    const destroy = await succeeded(stack.destroy());
    expect(said(destroy)).toContain(`${ada} was released: they stay in project ${projectId} as they are`);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox).members).toEqual({ [ada]: owner });
  });
});

describe.each(doors)("Pulumi's own guards (%s)", (door) => {
  it.each([{ protect: true }, { retainOnDelete: true }])("%p keeps a person", async (options) => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed },
      program: (sandbox) =>
        memberProgram({ projectId: paymentsId(sandbox), username: bob, roles: reader }, options),
    });
    await succeeded(stack.up());
    const before = placesIn(sandbox);
    sandbox.clearRequests();
    await stack.setProgram(emptyProgram);
    const isProtected = "protect" in options;
    expect((await stack.up()).exitCode === 0).toBe(!isProtected);
    expect((await stack.destroy()).exitCode === 0).toBe(!isProtected);
    expect((await stack.resource("ada")) !== undefined).toBe(isProtected);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
  });

  it("destroy --run-program removes whom it is asked to remove, though the program declares them", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { bypassInvitations: true, seed },
      program: (sandbox) => team({ project: { projectId: paymentsId(sandbox) } }),
    });
    await succeeded(stack.up());
    await succeeded(stack.destroy({ runProgram: true }));
    expect(placesIn(sandbox)).toEqual({ members: { [olga]: owner }, invited: {} });
    expect(projectNamed(sandbox, "payments")).toBeDefined();
  });
});

describe.each(doors)("destroying ProjectMembers (%s)", (door) => {
  const guest = "guest@example.com";
  const late = "late@example.com";

  async function everybody(properties: object, members: Record<string, readonly string[]>) {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: {
        bypassInvitations: true,
        seed: { projects: [{ name: "payments", members: { [guest]: reader } }] },
      },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members, ignoreUsers: ["guest*"], ...properties }),
    });
    await succeeded(stack.up());
    sandbox.clearRequests();
    return { sandbox, stack, projectId: paymentsId(sandbox) };
  }

  it("releases everybody unless told otherwise, and says so", async () => {
    const { sandbox, stack, projectId } = await everybody({}, { [olga]: owner, [bob]: reader });
    const before = placesIn(sandbox);
    const destroy = await succeeded(stack.destroy());
    expect(said(destroy)).toContain(
      `The people of project ${projectId} were released: they stay in it as they are`,
    );
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("with onDestroy remove takes out the declared only; the last owner stays, with a warning", async () => {
    const { sandbox, stack, projectId } = await everybody(
      { onDestroy: "remove" },
      { [olga]: owner, [ada]: reader, [bob]: reader },
    );
    sandbox.setMember(projectId, { username: late }, reader);
    const destroy = await succeeded(stack.destroy());
    expect(placesIn(sandbox)).toEqual({
      members: { [olga]: owner, [guest]: reader, [late]: reader },
      invited: {},
    });
    expect(said(destroy, "warning")).toContain(
      `${olga} is the last owner of project ${projectId} and was not removed`,
    );
    expect(await stack.resource("people")).toBeUndefined();
  });

  it("with onDestroy remove takes the owners out where another owner stays", async () => {
    const { sandbox, stack, projectId } = await everybody(
      { onDestroy: "remove" },
      { [olga]: owner, [ada]: reader },
    );
    sandbox.setMember(projectId, { username: late }, owner);
    await succeeded(stack.destroy());
    expect(placesIn(sandbox)).toEqual({ members: { [guest]: reader, [late]: owner }, invited: {} });
  });

  it("refuses to remove more than maxRemovals: everybody is named, nobody is removed", async () => {
    const { sandbox, stack, projectId } = await everybody(
      { onDestroy: "remove", maxRemovals: 2 },
      { [olga]: owner, [ada]: reader, [bob]: reader },
    );
    const before = placesIn(sandbox);
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    expect(said(destroy, "error")).toMatch(
      new RegExp(
        `3 people would be removed from project ${projectId}, more than maxRemovals \\(2\\), so nobody is removed`,
      ),
    );
    for (const name of [olga, ada, bob]) expect(said(destroy, "error")).toContain(name);
    expect(said(destroy, "error")).not.toContain(guest);
    expect(writes(sandbox)).toEqual([]);
    expect(placesIn(sandbox)).toEqual(before);
    expect(await stack.resource("people")).toBeDefined();
  });
});
