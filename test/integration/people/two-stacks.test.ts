/** What two stacks do that declare one person or one project: docs/reliability.md, "Two stacks". */
import { membershipsIn } from "../../engine/support/people-program";
import { bothProviders } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { admins, allMembers, bob, eve, peopleWith, person, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

it.each(bothProviders)(
  "each sets its own roles and removes whom it gives up, until the next up of the other (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpPayments({
      provider,
      accounts: [bob, eve],
      sandbox: { bypassInvitations: true },
    });
    const other = await stack.copy({});
    // Without a refresh, the dynamic provider compares with the state alone.
    const up = async (of: typeof stack, resources: object) => {
      await of.setProgram({ resources: { ...resources } });
      await succeeded(of.up({ refresh: true }));
      return membershipsIn(sandbox);
    };
    const list = { people: allMembers({ [bob]: readers }) };
    const single = { bob: person({ username: bob, roles: admins }) };
    const roles = async (...args: Parameters<typeof up>) => (await up(...args)).members[bob];

    expect(await roles(stack, list)).toEqual(readers);
    expect(await roles(other, single)).toEqual(admins);
    expect(await roles(stack, list)).toEqual(readers);
    expect(await roles(other, {})).toBeUndefined();
    expect(await up(stack, list)).toEqual(peopleWith({ [bob]: readers }));

    const strict = { people: allMembers({ [eve]: readers }, { removeUnlisted: true }) };
    expect(await up(other, strict)).toEqual(peopleWith({ [eve]: readers }));
    expect((await up(stack, list)).members).toMatchObject({ [bob]: readers, [eve]: readers });
  },
);

it.each(bothProviders)(
  "each sets its own tags of a project, which is deleted for both when its creator gives it up (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => ({}) });
    const other = await stack.copy({});
    const [{ id: orgId } = {}] = sandbox.state.orgs;
    const up = async (of: typeof stack, properties: Readonly<Record<string, unknown>> | undefined) => {
      await of.setProgram({
        resources: properties === undefined ? {} : { payments: { type: "Project", properties } },
      });
      await succeeded(of.up({ refresh: true }));
      return sandbox.state.projects.map(({ tags }) => tags);
    };
    const created = { orgId, name: "payments", tags: ["OURS"] };
    expect(await up(stack, created)).toEqual([["OURS"]]);
    const projectId = sandbox.state.projects[0]?.id;
    expect(await up(other, { projectId, tags: ["THEIRS"] })).toEqual([["THEIRS"]]);
    expect(await up(stack, created)).toEqual([["OURS"]]);
    expect(await up(other, undefined)).toEqual([["OURS"]]);
    expect(await up(stack, undefined)).toEqual([]);
  },
);
