/** What a response to the list of pending invitations proves, and what it does not. */

import { ApiError, UnexpectedResponseError } from "../../../provider/errors";
import { getProjectMembers } from "../../../provider/functions/get-project-members";
import { owner, partialFailureOf, peopleScenarios, reader } from "./run";

const scenario = peopleScenarios();
const ada = "ada@example.com";
const eve = "eve@example.com";
const list = "/invites(\\?|$)";

/** How gateways respond while the service behind them is replaced. */
const bareResponses = [404, 405, 501].flatMap((status) => [
  { title: `${status} with plain text`, fault: { status, body: "not here\n", contentType: "text/plain" } },
  { title: `${status} with an empty body`, fault: { status, body: "", contentType: "text/plain" } },
]);

describe.each(bareResponses)("one response $title", ({ fault }) => {
  it("does not mean that a recorded invitation no longer exists", async () => {
    const { sandbox, projectId, run, people } = await scenario();
    const member = await run().create("ProjectMember", { projectId, username: ada, roles: owner });
    const faulty = () => sandbox.addFault({ method: "GET", pathPattern: list, fault, times: 2 });

    faulty();
    await expect(run().delete(member)).rejects.toThrow(UnexpectedResponseError);
    sandbox.clearFaults();
    faulty();
    const change = { projectId, username: ada, roles: reader };
    await expect(run().update(member, change)).rejects.toThrow("Run the command again");
    sandbox.clearFaults();
    faulty();
    expect((await run().read(member))?.state).toMatchObject({ status: "pending" });
    sandbox.clearFaults();
    expect(people()).toEqual([`invited ${ada} GROUP_OWNER`]);
    await run().delete(member);
    expect(people()).toEqual([]);
  });

  it("removes no member from the state of ProjectMembers", async () => {
    const { sandbox, projectId, run } = await scenario();
    const members = { "owner@example.com": owner, [ada]: reader };
    const made = await run().create("ProjectMembers", { projectId, members });
    sandbox.addFault({ method: "GET", pathPattern: list, fault, times: 2 });
    await expect(run().read(made)).rejects.toThrow("an invitation to this project is recorded");
  });

  it("is not believed after a list that this process has read", async () => {
    const { sandbox, projectId, run } = await scenario();
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    const up = run();
    await up.create("ProjectMember", { projectId, username: ada, roles: reader }, "ada");
    sandbox.addFault({ method: "GET", pathPattern: list, fault });
    const inputs = { projectId, username: eve, roles: reader };
    await expect(up.create("ProjectMember", inputs, "eve")).rejects.toThrow(
      "it has listed invitations before",
    );
    expect(sandbox.state.invitations.map(({ username }) => username)).toEqual([eve, ada]);
  });

  it("is requested once more before it is believed", async () => {
    const { sandbox, projectId, run, writes } = await scenario({ reinvite: "second" });
    sandbox.addInvitation(projectId, { username: eve, roles: reader });
    sandbox.addFault({ method: "GET", pathPattern: list, fault });
    await run().create("ProjectMember", { projectId, username: eve, roles: reader });
    expect(writes()).toEqual([]);
  });
});

it("the lookup getProjectMembers has pending people also if the first response means that there is no list of them", async () => {
  const { sandbox, projectId, run } = await scenario();
  sandbox.addInvitation(projectId, { username: eve, roles: reader });
  const { session } = run();
  const context = { session, signal: new AbortController().signal };
  const lookUp = () => getProjectMembers.invoke({ args: { projectId }, context });
  const bare = { status: 404, body: "", contentType: "text/plain" };
  sandbox.addFault({ method: "GET", pathPattern: list, fault: bare });
  const owned = { username: "owner@example.com", status: "active" };
  expect((await lookUp()).members).toMatchObject([{ username: eve, status: "pending" }, owned]);
  sandbox.addFault({ method: "GET", pathPattern: list, fault: bare });
  await expect(lookUp()).rejects.toThrow("it has listed invitations before");
});

it("a service that does not offer invitations has none that are pending", async () => {
  const { sandbox, projectId, run, user, people } = await scenario({ bypassInvitations: true });
  user(ada);
  sandbox.addFault({ pathPattern: "/invites", times: 0, fault: { status: 404, body: "" } });
  const up = run();
  const member = await up.create("ProjectMember", { projectId, username: ada, roles: reader });
  expect(people()).toEqual([`${ada} GROUP_READ_ONLY`]);
  expect((await up.read(member))?.state).toMatchObject({ status: "active" });
  await run().delete(member);
  expect(people()).toEqual([]);
});

const hidden = { status: 401, body: { error: 401, errorCode: "NOT_IN_GROUP", detail: "No." } };

it("destroying ProjectMembers stops if the invitations cannot be read", async () => {
  const { sandbox, projectId, run, people } = await scenario();
  const members = { "owner@example.com": owner, [ada]: reader };
  const made = await run().create("ProjectMembers", { projectId, members, onDestroy: "remove" });
  const refused = { status: 401, body: { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "No." } };
  sandbox.addFault({ method: "GET", pathPattern: list, fault: refused });
  await expect(run().delete(made)).rejects.toThrow(ApiError);
  expect(people()).toEqual([`invited ${ada} GROUP_READ_ONLY`]);
});

it("a list of members proves that the project exists, although its organization does not list it", async () => {
  const { sandbox, projectId, run } = await scenario();
  const members = { "owner@example.com": owner, [ada]: reader };
  const made = await run().create("ProjectMembers", { projectId, members });
  const { id: elsewhere } = sandbox.addOrg({ name: "Elsewhere" });
  sandbox.changeProject(projectId, { orgId: elsewhere });
  sandbox.addFault({ method: "GET", pathPattern: list, fault: hidden });
  const later = run();
  expect((await later.read(made))?.state.members).toEqual(made.state.members);
  expect(later.messages.join()).toContain("[unreadable]");
});

describe("a user whom the service accepted", () => {
  const unavailable = { status: 503, body: "" };

  it("is recorded if the read after the write fails", async () => {
    const { sandbox, projectId, run, user, people } = await scenario();
    user(ada);
    const listed = { method: "GET", pathPattern: list, times: 0, fault: unavailable };
    sandbox.addFault({ method: "POST", pathPattern: "/users$", fault: { delayMs: 0 } });
    const up = run();
    const before = sandbox.requests.length;
    const creating = up.create("ProjectMember", { projectId, username: ada, roles: reader });
    while (!sandbox.requests.slice(before).some(({ method }) => method === "POST")) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    sandbox.addFault(listed);
    const failure = await partialFailureOf(creating);
    expect(failure.message).toContain(`accepted ${ada} with GROUP_READ_ONLY for project ${projectId}`);
    expect(failure.state).toMatchObject({
      username: ada,
      roles: reader,
      status: "unverified",
      origin: "created",
    });
    sandbox.clearFaults();
    const recorded = { type: "ProjectMember", name: "people", id: failure.id } as const;
    const oldInputs = { projectId, username: ada, roles: reader };
    const read = await run().read({ ...recorded, state: failure.state as never, oldInputs });
    expect(read?.state).toMatchObject({ status: "pending" });
    if (read) await run().delete(read);
    expect(people()).toEqual([]);
  });
});
