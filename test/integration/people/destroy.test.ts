/** People who are destroyed together with their project, or beside one that stays. */
import { deletions, membershipsIn, paymentsId, upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { keepDefault, type ProviderKind, type ResourceOptions, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, bob, owner, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const withProject = { deletedWith: "${payments}" };

interface Team {
  readonly provider: ProviderKind;
  /** An adopted project has another owner and stays. */
  readonly isAdopted?: boolean;
  readonly adaRoles?: readonly string[];
  /** Those of Ada and Bob. */
  readonly options?: ResourceOptions;
}

/** The stack has a project with the active member Ada and the invited Bob. */
async function holdTeam({ provider, isAdopted = false, adaRoles = readers, options = {} }: Team) {
  const projects = isAdopted ? [{ name: "payments", members: { [owner]: owners } }] : [];
  const { sandbox, stack } = await setUpStack({
    provider,
    sandbox: { bypassInvitations: true, seed: { users: [{ username: ada }], projects } },
    program: () => ({}),
  });
  const project = isAdopted ? { projectId: paymentsId(sandbox) } : { orgId: sandbox.orgId, name: "payments" };
  const declare = (of: ResourceOptions, more: object = {}) => {
    const person = (properties: object) => ({
      type: "ProjectMember",
      properties: { projectId: "${payments.projectId}", ...properties },
      options: of,
    });
    const payments = { type: "Project", properties: project };
    const people = {
      ada: person({ username: ada, roles: adaRoles, ...more }),
      bob: person({ username: bob, roles: readers }),
    };
    return stack.setProgram({ resources: { payments, ...people } });
  };
  await declare(options);
  await succeeded(stack.up());
  sandbox.clearRequests();
  return { sandbox, stack, projectId: paymentsId(sandbox), before: membershipsIn(sandbox), declare };
}

describe("people who are deletedWith their project", () => {
  it.each(bothProviders)(
    "are deleted with it in one request; if that is refused, they stay, and the next up adopts them again (%s)",
    async (provider) => {
      const { sandbox, stack, projectId, before } = await holdTeam({
        provider,
        adaRoles: owners,
        options: withProject,
      });
      const invitations = sandbox.state.invitations.map(({ id }) => id);
      sandbox.changeProject(projectId, { hasBackups: true });
      expect(await errorsOf(stack.destroy())).toContain(`Deleting project ${projectId} failed`);
      expect(await stack.resource("payments")).toMatchObject({ id: projectId });
      expect((await upAgain({ sandbox, stack })).writes).toEqual([]);
      expect(membershipsIn(sandbox)).toEqual(before);
      expect(sandbox.state.invitations.map(({ id }) => id)).toEqual(invitations);
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
      expect(await stack.resource("bob")).toMatchObject({ outputs: { status: "pending" } });
      expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });

      sandbox.changeProject(projectId, { hasBackups: false });
      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
      expect(deletions(sandbox)).toEqual([`/groups/${projectId}`]);
      expect((await stack.state()).resources ?? []).toEqual([]);
    },
  );

  it.each(bothProviders)(
    "are released with an adopted one, and a message says that they stay (%s)",
    async (provider) => {
      const { sandbox, stack, projectId, before } = await holdTeam({
        provider,
        isAdopted: true,
        options: withProject,
      });
      const destroy = await succeeded(stack.destroy());
      expect(destroy.changes).toEqual({ delete: 3 });
      expect(messagesOf(destroy)).toMatch(
        new RegExp(`Project ${projectId} .* was released: it stays in the service with its members`),
      );
      expect(writes(sandbox)).toEqual([]);
      expect(membershipsIn(sandbox)).toEqual(before);
    },
  );
});

describe("the last owner of a project", () => {
  const release = 'set onDestroy to "release"';
  const together = "set the resource option deletedWith to the Project";

  it.each([
    { provider: "plugin", isAdopted: false, solutions: ["Add an owner first", release, together], not: [] },
    // The host of dynamic providers reads nothing before a destroy, so the origin of the project is unknown there.
    { provider: "dynamic", isAdopted: false, solutions: ["Add an owner first", release], not: [] },
    // Together with a released project, deletedWith would remove no member.
    { provider: "plugin", isAdopted: true, solutions: [release], not: ["deletedWith"] },
  ] as const)(
    "stays with it, and the error names every solution ($provider, adopted: $isAdopted)",
    async ({ provider, isAdopted, solutions, not }) => {
      keepDefault(
        "refreshBeforeUpdate",
        "the read before a destroy shows whether the stack created the project",
      );
      const { sandbox, stack, projectId, declare } = await holdTeam({
        provider,
        isAdopted,
        adaRoles: owners,
      });
      if (isAdopted) sandbox.removeMember(projectId, { username: owner });
      const refused = await stack.destroy();
      const error = messagesOf(refused, "error");
      expect(error).toContain(`${ada} is the only owner of project ${projectId} and was not removed`);
      expect(error).toContain("(403 CANNOT_DELETE_LAST_OWNER ");
      for (const solution of solutions) expect(error).toContain(solution);
      for (const text of not) expect(refused.output).not.toContain(text);
      expect(membershipsIn(sandbox).members).toEqual({ [ada]: owners });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active" } });
      expect(await stack.resource("payments")).toMatchObject({ outputs: { name: "payments" } });

      await declare(isAdopted ? {} : withProject, isAdopted ? { onDestroy: "release" } : {});
      await succeeded(stack.up());
      await succeeded(stack.destroy());
      expect(sandbox.state.projects.map(({ id }) => id)).toEqual(isAdopted ? [projectId] : []);
      if (isAdopted) expect(membershipsIn(sandbox).members).toEqual({ [ada]: owners });
    },
  );
});
