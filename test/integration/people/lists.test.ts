/** What a response to the list of pending invitations proves, and what it does not. */

import { invitedTo, membershipsIn, membersOf } from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  allMembers,
  eve,
  owners,
  peopleWith,
  person,
  projectId,
  readers,
  setUpPayments,
} from "./payments";

afterEach(tearDownStacks);

const list = { method: "GET", pathPattern: "/invites(\\?|$)" };
const member = { ada: person({ username: ada }) };
const owner = { ada: person({ username: ada, roles: owners }) };

/** How gateways respond while the service behind them is replaced. */
const bareResponses = [
  { title: "405 with an empty body", fault: { status: 405, body: "", contentType: "text/plain" } },
];

describe.each(bareResponses)("a response $title to the list of invitations", ({ fault }) => {
  it("does not mean that a recorded invitation no longer exists", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
    await succeeded(upWith(owner));
    sandbox.addFault({ ...list, fault, times: 0 });
    const refusal = "an invitation to this project is recorded. Run the command again";
    expect(await errorsOf(stack.destroy())).toContain(refusal);
    expect(await errorsOf(upWith(member))).toContain(refusal);
    await succeeded(stack.refresh());
    expect(await outputsOf("ada")).toMatchObject({ status: "pending" });
    sandbox.clearFaults();
    expect(invitedTo(sandbox)).toEqual({ [ada]: owners });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});
  });

  it("removes no member from the state of ProjectMembers", async () => {
    const { sandbox, stack, upWith } = await setUpPayments();
    await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
    sandbox.addFault({ ...list, fault, times: 0 });
    expect(await errorsOf(stack.refresh())).toContain("an invitation to this project is recorded");
  });

  it("is not believed after a list that this process has read", async () => {
    const { sandbox, stack, upWith } = await setUpPayments({ invited: { [eve]: owners } });
    const after = person({ username: eve }, { dependsOn: ["${ada}"] });
    await stack.before("POST", /\/(users|invites)$/, () => sandbox.addFault({ ...list, fault, times: 0 }));
    expect(await errorsOf(upWith({ ...member, eve: after }))).toContain("it has listed invitations before");
    expect(invitedTo(sandbox)).toEqual({ [eve]: owners, [ada]: readers });
  });

  it("is requested once more before it is believed", async () => {
    const { sandbox, upWith } = await setUpPayments({
      sandbox: { reinvite: "second" },
      invited: { [ada]: readers },
    });
    sandbox.addFault({ ...list, fault });
    await succeeded(upWith(member));
    expect(writes(sandbox)).toEqual([]);
  });
});

it("a service that does not offer invitations has none that are pending", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
    sandbox: { bypassInvitations: true },
    accounts: [ada],
  });
  sandbox.addFault({ pathPattern: "/invites", times: 0, fault: { status: 404, body: "" } });
  await succeeded(upWith(member));
  expect(membersOf(sandbox)).toMatchObject({ [ada]: readers });
  await succeeded(stack.refresh());
  expect(await outputsOf("ada")).toMatchObject({ status: "active" });
  await succeeded(stack.destroy());
  expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
});

it("a list of members proves that the project exists, although its organization does not list it", async () => {
  const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
  await succeeded(upWith({ people: allMembers({ [ada]: readers }) }));
  const before = (await outputsOf("people"))?.members;
  sandbox.changeProject(projectId, { orgId: sandbox.addOrg({ name: "Elsewhere" }).id });
  const body = { error: 401, errorCode: "NOT_IN_GROUP", detail: "No." };
  sandbox.addFault({ ...list, fault: { status: 401, body } });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain("[unreadable]");
  expect((await outputsOf("people"))?.members).toEqual(before);
});
