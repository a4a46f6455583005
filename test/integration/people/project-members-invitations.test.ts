/** ProjectMembers: invitations that Ops Manager does not show, or does not delete although it accepts that. */
import { membershipsIn } from "../../engine/support/people-program";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, allMembers, eve, peopleWith, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const config = { "opsmanager:maxRetries": 0 };
const invites = { pathPattern: "/invites(/.*)?$" };
const removing = { onDestroy: "remove" };

it.each(bothProviders)(
  "destroy removes no one while the invitations cannot be read, and the state keeps the people (%s)",
  async (provider) => {
    const people = { members: { [ada]: readers }, invited: { [eve]: readers } };
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ provider, config, ...people });
    await succeeded(upWith({ people: allMembers({ [ada]: readers, [eve]: readers }, removing) }));
    const recorded = await outputsOf("people");
    sandbox.clearRequests();
    const body = { error: 403, errorCode: "NOT_ALLOWED", detail: "The test refuses it." };
    sandbox.addFault({ ...invites, method: "GET", times: 0, fault: { status: 403, body } });
    expect(await errorsOf(stack.destroy())).toContain("403 NOT_ALLOWED");
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [ada]: readers }, { [eve]: readers }));
    expect(await outputsOf("people")).toEqual(recorded);
    sandbox.clearFaults();
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  },
);

describe("removals of invited people", () => {
  const notRemoved = `The service accepted the removal of ${eve} from project ${projectId}, but still lists this person in it.`;

  it("an accepted removal is an error also if only one of two invitations stays", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ config, invited: { [eve]: readers } });
    sandbox.addInvitation(projectId, { username: eve, roles: readers });
    await succeeded(upWith({ people: allMembers({ [eve]: readers }) }));
    sandbox.addFault({ ...invites, method: "DELETE", fault: { status: 204 } });
    expect(await errorsOf(upWith({ people: allMembers({}) }))).toContain(notRemoved);
    expect(sandbox.state.invitations).toHaveLength(1);
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });

  it("an accepted removal of a member is an error also if only the invitation of this member stays", async () => {
    const both = { members: { [ada]: readers }, invited: { [ada]: readers } };
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({ config, ...both });
    await succeeded(upWith({ people: allMembers({ [ada]: readers }, removing) }));
    sandbox.addFault({ ...invites, method: "DELETE", fault: { status: 204 } });
    expect(await errorsOf(stack.destroy())).toContain(notRemoved.replace(eve, ada));
    expect(await outputsOf("people")).toMatchObject({ members: { [ada]: readers } });
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});
