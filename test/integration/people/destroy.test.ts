/** Destroy of members: one by one, together with their project, or not at all. */

import {
  deletions,
  memberProgram,
  membershipsIn,
  membersProgram,
  paymentsId,
  upAgain,
} from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { keepDefault, type Program, type ProviderKind, type ResourceOptions, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, bob, owner, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const seed = { users: [{ username: ada }], projects: [{ name: "payments", members: { [owner]: owners } }] };

interface Team {
  /** `orgId` and `name`, or `projectId`. */
  readonly project: Readonly<Record<string, unknown>>;
  readonly options?: ResourceOptions;
  readonly adaRoles?: readonly string[];
}

/** A project with the active member ada and the invited user bob. */
function team({ project, options, adaRoles = readers }: Team): Program {
  const person = (username: string, roles: readonly string[]) => ({
    type: "ProjectMember",
    properties: { projectId: "${payments.projectId}", username, roles },
    ...(options && { options }),
  });
  return {
    resources: {
      payments: { type: "Project", properties: project },
      ada: person(ada, adaRoles),
      bob: person(bob, readers),
    },
  };
}

const withProject = { deletedWith: "${payments}" };

describe("a created project with members", () => {
  async function createdTeam(
    options?: ResourceOptions,
    adaRoles?: readonly string[],
    provider: ProviderKind = "plugin",
  ) {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: { users: [{ username: ada }, { username: owner, roles: [] }] },
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

  const together =
    "is deleted in one request if the members are deletedWith it; if Ops Manager refuses, the next up adopts the members again";

  it.each(bothProviders)(`${together} (%s)`, async (provider) => {
    const { sandbox, stack, projectId } = await createdTeam(withProject, owners, provider);
    const people = () => ({ ...membershipsIn(sandbox), ids: sandbox.state.invitations.map(({ id }) => id) });
    const before = people();
    sandbox.changeProject(projectId, { hasBackups: true });
    expect(await errorsOf(stack.destroy())).toContain(`Deleting project ${projectId} failed`);
    expect(people()).toEqual(before);
    expect(await stack.resource("payments")).toMatchObject({ id: projectId });

    expect((await upAgain({ sandbox, stack })).writes).toEqual([]);
    expect(people()).toEqual(before);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
    expect(await stack.resource("bob")).toMatchObject({ outputs: { status: "pending" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });

    sandbox.changeProject(projectId, { hasBackups: false });
    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
    expect(deletions(sandbox)).toEqual([`/groups/${projectId}`]);
    expect(sandbox.state.projects).toEqual([]);
    expect((await stack.state()).resources ?? []).toEqual([]);
  });

  // The host of dynamic providers reads nothing before a destroy, so the origin of the project is unknown there.
  it.each([
    { provider: "plugin", solutionOfCreator: ["set the resource option deletedWith to the Project"] },
    { provider: "dynamic", solutionOfCreator: [] },
  ] as const)(
    "is kept with its last owner, and the error names every solution ($provider)",
    async ({ provider, solutionOfCreator }) => {
      keepDefault(
        "refreshBeforeUpdate",
        "the read before a destroy shows whether the stack created the project",
      );
      const { sandbox, stack, projectId, program } = await createdTeam(undefined, owners, provider);
      const error = await errorsOf(stack.destroy());
      expect(error).toContain(`${ada} is the only owner of project ${projectId} and was not removed`);
      for (const solution of [
        "Add an owner first",
        'set onDestroy to "release"',
        ...solutionOfCreator,
        "(403 CANNOT_DELETE_LAST_OWNER ",
      ])
        expect(error).toContain(solution);
      expect(membershipsIn(sandbox).members).toEqual({ [ada]: owners });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
      expect(await stack.resource("payments")).toMatchObject({ outputs: { name: "payments" } });

      // One of the solutions: the members are deleted with the project.
      const { resources } = program(withProject);
      await stack.setProgram({
        resources: {
          ...resources,
          ada: adaOf(team({ project: {}, options: withProject, adaRoles: owners })),
        },
      });
      await succeeded(stack.up());
      await succeeded(stack.destroy());
      expect(sandbox.state.projects).toEqual([]);
    },
  );
});

function adaOf({ resources }: Program) {
  const person = resources?.ada;
  if (person === undefined) throw new Error("The program has no ada.");
  return person;
}

describe("an adopted project with members", () => {
  async function adoptedTeam(
    options?: ResourceOptions,
    adaRoles?: readonly string[],
    provider: ProviderKind = "plugin",
  ) {
    const { sandbox, stack } = await setUpStack({
      provider,
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
    return { sandbox, stack, projectId: paymentsId(sandbox), before: membershipsIn(sandbox) };
  }

  const released =
    "is released with all members if they are deletedWith it, and a message reports that they stay";

  it.each(bothProviders)(`${released} (%s)`, async (provider) => {
    const { sandbox, stack, projectId, before } = await adoptedTeam(withProject, readers, provider);
    const destroy = await succeeded(stack.destroy());
    expect(destroy.changes).toEqual({ delete: 3 });
    expect(messagesOf(destroy)).toMatch(
      new RegExp(`Project ${projectId} .* was released: it stays in the service with its members`),
    );
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
  });

  it("keeps its last owner: the error does not propose deletedWith, and onDestroy release leaves the owner unchanged", async () => {
    const { sandbox, stack, projectId } = await adoptedTeam(undefined, owners);
    sandbox.removeMember(projectId, { username: owner });
    // Together with a released project, deletedWith would remove no member.
    const refused = await stack.destroy();
    expect(refused.exitCode).not.toBe(0);
    expect(messagesOf(refused, "error")).toContain(`${ada} is the only owner`);
    expect(messagesOf(refused, "error")).toContain('"release"');
    expect(refused.output).not.toContain("deletedWith");
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: owners });

    await stack.setProgram(memberProgram({ projectId, username: ada, roles: owners, onDestroy: "release" }));
    await succeeded(stack.up());
    sandbox.clearRequests();
    const destroy = await succeeded(stack.destroy());
    expect(messagesOf(destroy)).toContain(`${ada} was released and is not changed in project ${projectId}.`);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox).members).toEqual({ [ada]: owners });
  });
});

describe("destroy of ProjectMembers", () => {
  const guest = "guest@example.com";
  const late = "late@example.com";

  async function setUpMembers(
    properties: object,
    members: Record<string, readonly string[]>,
    provider: ProviderKind = "plugin",
  ) {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        bypassInvitations: true,
        seed: { projects: [{ name: "payments", members: { [guest]: readers } }] },
      },
      program: (sandbox) =>
        membersProgram({ projectId: paymentsId(sandbox), members, ignoreUsers: ["guest*"], ...properties }),
    });
    await succeeded(stack.up());
    sandbox.clearRequests();
    return { sandbox, stack, projectId: paymentsId(sandbox) };
  }

  it.each(bothProviders)(
    "with onDestroy remove removes only declared members, and warns of the last owner who stays (%s)",
    async (provider) => {
      const { sandbox, stack, projectId } = await setUpMembers(
        { onDestroy: "remove" },
        { [owner]: owners, [ada]: readers, [bob]: readers },
        provider,
      );
      sandbox.setMember(projectId, { username: late }, readers);
      const destroy = await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual({
        members: { [owner]: owners, [guest]: readers, [late]: readers },
        invited: {},
      });
      expect(messagesOf(destroy, "warning")).toContain(
        `${owner} is the last direct owner of project ${projectId} and was not removed`,
      );
      expect(await stack.resource("people")).toBeUndefined();
    },
  );

  it.each(bothProviders)(
    "follows the inputs from before an update that failed in part (%s)",
    async (provider) => {
      const properties = { onDestroy: "remove" };
      const members = { [ada]: readers, [bob]: readers };
      const { sandbox, stack, projectId } = await setUpMembers(properties, members, provider);
      sandbox.setMember(projectId, { username: late }, owners);
      const edited = { projectId, members: { [ada]: readers }, ignoreUsers: ["guest*"], maxRemovals: 0 };
      await stack.setProgram(membersProgram({ ...edited, onDestroy: "release" }));
      const refused = await stack.up();
      expect(messagesOf(refused, "error")).toContain("more than maxRemovals (0), so nobody is removed");
      await succeeded(stack.destroy());
      expect(membershipsIn(sandbox)).toEqual({ members: { [guest]: readers, [late]: owners }, invited: {} });
    },
  );
});
