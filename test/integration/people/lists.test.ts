/** What a response to the list of pending invitations proves, and what it does not. */

import type { SandboxOptions } from "../../../sandbox";
import {
  invitedTo,
  memberProgram,
  membersOf,
  membersProgram,
  paymentsId,
} from "../../engine/support/people-program";
import { errorsOf, messagesOf, writes } from "../../engine/support/project-program";
import { type Program, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, eve, owners, readers } from "../../support/people";

afterEach(tearDownStacks);

const first = "owner@example.com";
const list = { method: "GET", pathPattern: "/invites(\\?|$)" };

/** The project `payments` with its owner, and the first `up` still to come. */
async function startWith(program: (projectId: string) => Program, options: SandboxOptions = {}) {
  const seed = { projects: [{ name: "payments", members: { [first]: owners } }] };
  const setup = await setUpStack({
    sandbox: { seed, ...options },
    program: (service) => program(paymentsId(service)),
  });
  return { ...setup, projectId: paymentsId(setup.sandbox) };
}

const adaAs = (roles: readonly string[]) => (projectId: string) =>
  memberProgram({ projectId, username: ada, roles });
const allMembers =
  (properties = {}) =>
  (projectId: string) =>
    membersProgram({ projectId, members: { [first]: owners, [ada]: readers }, ...properties });

/** How gateways respond while the service behind them is replaced. */
const bareResponses = [
  { title: "404 with plain text", fault: { status: 404, body: "not here\n", contentType: "text/plain" } },
  { title: "405 with an empty body", fault: { status: 405, body: "", contentType: "text/plain" } },
  { title: "501 with plain text", fault: { status: 501, body: "not here\n", contentType: "text/plain" } },
];

describe.each(bareResponses)("a response $title to the list of invitations", ({ fault }) => {
  it("does not mean that a recorded invitation no longer exists", async () => {
    const { sandbox, stack, projectId } = await startWith(adaAs(owners));
    await succeeded(stack.up());
    sandbox.addFault({ ...list, fault, times: 0 });
    const refusal = "an invitation to this project is recorded. Run the command again";
    expect(await errorsOf(stack.destroy())).toContain(refusal);
    await stack.setProgram(adaAs(readers)(projectId));
    expect(await errorsOf(stack.up())).toContain(refusal);
    await succeeded(stack.refresh());
    expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "pending" });
    sandbox.clearFaults();
    expect(invitedTo(sandbox)).toEqual({ [ada]: owners });
    await succeeded(stack.destroy());
    expect(invitedTo(sandbox)).toEqual({});
  });

  it("removes no member from the state of ProjectMembers", async () => {
    const { sandbox, stack } = await startWith(allMembers());
    await succeeded(stack.up());
    sandbox.addFault({ ...list, fault, times: 0 });
    expect(await errorsOf(stack.refresh())).toContain("an invitation to this project is recorded");
  });

  it("is not believed after a list that this process has read", async () => {
    const { sandbox, stack, projectId } = await startWith(adaAs(readers));
    const other = { type: "ProjectMember", properties: { projectId, username: eve, roles: readers } };
    const after = { ...other, options: { dependsOn: ["${ada}"] } };
    await stack.setProgram({ resources: { ...adaAs(readers)(projectId).resources, eve: after } });
    sandbox.addInvitation(projectId, { username: eve, roles: owners });
    await stack.before("POST", /\/(users|invites)$/, () => sandbox.addFault({ ...list, fault, times: 0 }));
    expect(await errorsOf(stack.up())).toContain("it has listed invitations before");
    expect(invitedTo(sandbox)).toEqual({ [eve]: owners, [ada]: readers });
  });

  it("is requested once more before it is believed", async () => {
    const { sandbox, stack, projectId } = await startWith(adaAs(readers), { reinvite: "second" });
    sandbox.addInvitation(projectId, { username: ada, roles: readers });
    sandbox.addFault({ ...list, fault });
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
  });
});

it("a service that does not offer invitations has none that are pending", async () => {
  const { sandbox, stack } = await startWith(adaAs(readers), { bypassInvitations: true });
  sandbox.addUser({ username: ada });
  sandbox.addFault({ pathPattern: "/invites", times: 0, fault: { status: 404, body: "" } });
  await succeeded(stack.up());
  expect(membersOf(sandbox)).toMatchObject({ [ada]: readers });
  await succeeded(stack.refresh());
  expect((await stack.resource("ada"))?.outputs).toMatchObject({ status: "active" });
  await succeeded(stack.destroy());
  expect(membersOf(sandbox)).not.toHaveProperty(ada);
});

it("a list of members proves that the project exists, although its organization does not list it", async () => {
  const { sandbox, stack, projectId } = await startWith(allMembers());
  await succeeded(stack.up());
  const before = (await stack.resource("people"))?.outputs?.members;
  sandbox.changeProject(projectId, { orgId: sandbox.addOrg({ name: "Elsewhere" }).id });
  const body = { error: 401, errorCode: "NOT_IN_GROUP", detail: "No." };
  sandbox.addFault({ ...list, fault: { status: 401, body } });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain("[unreadable]");
  expect((await stack.resource("people"))?.outputs?.members).toEqual(before);
});
