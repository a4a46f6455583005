/** What two stacks do that declare one person: docs/reliability.md, "Deletions that end access elsewhere". */
import { membershipsIn } from "../../engine/support/people-program";
import { bothProviders } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
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
