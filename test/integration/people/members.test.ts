/** What operations of ProjectMembers write, record and log in uncommon circumstances. */
import { invitedTo, membershipsIn } from "../../engine/support/people-program";
import { errorsOf, messagesOf, timesPrinted, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, allMembers, bob, eve, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const users = { method: "GET", pathPattern: "/groups/\\w+/users", times: 0 };
const invites = { ...users, pathPattern: "/groups/\\w+/invites" };
const keyRefused = {
  status: 401,
  body: { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." },
};
const notOffered = { status: 405, body: "" };

describe("ProjectMembers", () => {
  it("is created if the service does not offer reading a project, and not if it refuses that", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments();
    const project = { method: "GET", pathPattern: "/groups/\\w+$" };
    sandbox.addFault({ ...project, fault: { status: 403 } });
    expect(await errorsOf(upWith({ people: allMembers({}) }))).toContain(
      `Reading project ${projectId} failed: 403`,
    );
    expect(await stack.resource("people")).toBeUndefined();
    sandbox.addFault({ ...project, times: 0, fault: notOffered });
    await succeeded(stack.up());
    expect(await outputsOf("people")).toEqual(expect.not.objectContaining({ orgId: expect.anything() }));
  });

  it("is an error if the service accepted a user and does not list them", async () => {
    const { sandbox, upWith } = await setUpPayments();
    sandbox.addFault({ method: "POST", times: 0, fault: { status: 200, body: {} } });
    expect(await errorsOf(upWith({ people: allMembers({ [eve]: readers }) }))).toContain(
      `The service accepted ${eve} for project ${projectId}, but shows neither a membership nor an invitation.`,
    );
  });

  it("records what was sent if the result cannot be read", async () => {
    const { sandbox, upWith, outputsOf } = await setUpPayments({
      config: { "opsmanager:maxRetries": 0, "opsmanager:refreshBeforeUpdate": false },
    });
    await succeeded(upWith({ people: allMembers({}) }));
    // The read before the write succeeds.
    sandbox.addFault({ ...users, times: 1, fault: { delayMs: 0 } });
    sandbox.addFault({ ...users, fault: { status: 503, body: "" } });
    const errors = await errorsOf(upWith({ people: allMembers({ [eve]: readers }) }));
    expect(errors).toContain("The result could not be read: ");
    expect(await outputsOf("people")).toMatchObject({ members: { [eve]: readers } });
  });

  it("records an added account if neither the response nor a read shows it, and finds it later", async () => {
    const { sandbox, stack, upWith, outputsOf } = await setUpPayments({
      sandbox: { bypassInvitations: true },
      accounts: [ada],
      config: { "opsmanager:maxRetries": 0 },
    });
    sandbox.addFault({ method: "POST", fault: { status: 201, body: {}, afterWrite: true } });
    sandbox.addFault({ ...users, times: 1, fault: { delayMs: 0 } });
    sandbox.addFault({ ...users, fault: { status: 503, body: "" } });
    const people = allMembers({ [ada]: readers }, { onDestroy: "remove" });
    expect(await errorsOf(upWith({ people }))).toContain(
      `accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`,
    );
    sandbox.clearFaults();
    await succeeded(stack.refresh());
    const details = [{ username: ada, status: "active", declared: true }, {}];
    expect((await outputsOf("people"))?.memberDetails).toMatchObject(details);
    await succeeded(stack.destroy());
    expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
  });
});

describe("people whom the key may not list", () => {
  it.each([
    ["members", users],
    ["invitations", invites],
  ])("stay in the state as they are, and a warning reports it: %s", async (_, list) => {
    const { sandbox, stack, upWith } = await setUpPayments();
    await succeeded(upWith({ people: allMembers({ [eve]: readers }) }));
    const recorded = await stack.resource("people");
    sandbox.addFault({ ...list, fault: keyRefused });
    const refresh = await succeeded(stack.refresh());
    expect(await stack.resource("people")).toEqual(recorded);
    expect(messagesOf(refresh, "warning")).toMatch(
      /\[unreadable\] .*cannot be read with these credentials, so the state keeps the last known/,
    );
    expect(timesPrinted(refresh, "[unreadable]")).toBe(1);
  });

  it.each([
    ["members", "plugin", users],
    ["members", "dynamic", users],
    ["invitations", "plugin", invites],
  ] as const)("are not removed by a destroy, which fails: %s (%s)", async (_, provider, list) => {
    const { sandbox, stack, upWith } = await setUpPayments({ provider });
    await succeeded(upWith({ people: allMembers({ [eve]: readers }, { onDestroy: "remove" }) }));
    sandbox.addFault({ ...list, fault: keyRefused });
    expect(await errorsOf(stack.destroy())).toMatch(/401 USER_UNAUTHORIZED Not allowed/);
    expect(invitedTo(sandbox)).toEqual({ [eve]: readers });
  });
});

describe("a service that no longer lists people", () => {
  it("has no ProjectMembers to import", async () => {
    const { sandbox, stack } = await setUpPayments();
    sandbox.addFault({ ...users, fault: notOffered });
    const token = "opsmanager:index:ProjectMembers";
    expect(await errorsOf(stack.import(token, "people", projectId))).toContain("cannot be managed");
    expect(writes(sandbox)).toEqual([]);
  });

  it("keeps a member whom a ProjectMember of the same run declares when ProjectMembers leaves the program", async () => {
    const { sandbox, userId, upWith } = await setUpPayments({ members: { [ada]: readers, [bob]: readers } });
    await succeeded(
      upWith({ people: allMembers({ [ada]: readers, [bob]: readers }, { onDestroy: "remove" }) }),
    );
    sandbox.setSwitches({ onlyDocumented: true });
    await succeeded(upWith({ bob: person({ userId: userId(bob), roles: undefined }) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [bob]: readers }));
  });
});
