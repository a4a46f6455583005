/** Invitations at the pace of the service, through the whole stack and the resources that send them. */
import { getProject } from "../../../provider/api/projects";
import type { Context } from "../../../provider/resources/contract/resource";
import { Session } from "../../../provider/resources/contract/session";
import { projectMember } from "../../../provider/resources/members/project-member";
import { projectMembers } from "../../../provider/resources/project-members";
import { PartialFailure } from "../../../provider/text/errors";
import type { Sandbox } from "../../../sandbox";
import { clientFactory } from "./with-client";

const start = clientFactory();
const roles = ["GROUP_READ_ONLY"];
const people = (count: number) => Array.from({ length: count }, (_, index) => `person-${index}@example.com`);

interface Options {
  /** Of the service. */
  readonly invitationsPerMinute: number;
  /** Of the provider. The default makes a minute's waits a matter of milliseconds. */
  readonly pace?: number;
  readonly onRefusal?: (sandbox: Sandbox) => void;
}

/** One project of a service that takes so many invitations a minute, and what an operation on it is in. */
async function setup({ invitationsPerMinute, pace = 6000, onRefusal }: Options) {
  const connection = await start.sandbox(
    { invitationsPerMinute, log: () => watch() },
    { invitationsPerMinute: pace, maxRetries: 4 },
  );
  const { sandbox, client, settings } = connection;
  const watch = () => {
    if (sandbox.requests.at(-1)?.errorCode === "INVITATIONS_RATE_LIMITED_IP") onRefusal?.(sandbox);
  };
  const { id: projectId } = sandbox.addProject({ name: "payments" });
  const cancel = new AbortController();
  const context: Context = {
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:ProjectMembers::people",
    log: { info: () => undefined, warn: () => undefined },
    signal: cancel.signal,
  };
  const invited = () => sandbox.state.invitations.map(({ username }) => username).sort();
  const posts = () =>
    sandbox.requests.filter(({ method, path, authorized }) => {
      return method === "POST" && authorized && /\/(invites|users)$/.test(path);
    });
  return { ...connection, projectId, context, cancel, invited, posts };
}

const nextMinute = (sandbox: Sandbox) => sandbox.advanceClock(61);

test("more people than the service invites in a minute are all invited, each once", async () => {
  const { projectId, context, invited, posts } = await setup({
    invitationsPerMinute: 7,
    onRefusal: nextMinute,
  });
  const members = Object.fromEntries(people(20).map((username) => [username, roles]));
  await projectMembers.create({ inputs: { projectId, members }, preview: false, context });
  expect(invited()).toEqual(people(20).sort());
  expect(posts().filter(({ status }) => status === 201)).toHaveLength(20);
  expect(posts().filter(({ status }) => status === 400).length).toBeGreaterThan(0);
});

test("people with an account that the service invites are invited at the same pace", async () => {
  const { sandbox, projectId, context, posts } = await setup({
    invitationsPerMinute: 1,
    onRefusal: nextMinute,
  });
  for (const username of people(3)) sandbox.addUser({ username });
  const members = Object.fromEntries(people(3).map((username) => [username, roles]));
  await projectMembers.create({ inputs: { projectId, members }, preview: false, context });
  const pending = sandbox.state.invitations.map(({ username }) => username).sort();
  expect(pending).toEqual(people(3));
  expect(posts().some(({ path, status }) => path.endsWith("/users") && status === 400)).toBe(true);
});

test("members whose roles change are no invitations, and continue while those wait", async () => {
  const { sandbox, projectId, context, cancel } = await setup({
    invitationsPerMinute: 1,
    pace: 1,
    onRefusal: async () => {
      const ada = { ...context, urn: "urn:pulumi:dev::proj::opsmanager:index:ProjectMember::ada" };
      const inputs = { projectId, username: "ada@example.com", roles: ["GROUP_OWNER"] };
      await projectMember.create({ inputs, preview: false, context: ada });
      cancel.abort();
    },
  });
  sandbox.setMember(projectId, { username: "ada@example.com" }, roles);
  const invite = (username: string) =>
    projectMember.create({ inputs: { projectId, username, roles }, preview: false, context });
  const results = await Promise.allSettled(people(2).map(invite));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const ada = sandbox.user({ username: "ada@example.com" });
  expect(ada?.roles).toContainEqual({ groupId: projectId, roleName: "GROUP_OWNER" });
});

describe("an operation that is canceled in the middle of fifty invitations", () => {
  test("has messages how long it takes, ends at once, and records those that were sent", async () => {
    const { sandbox, client, projectId, context, cancel, messages, invited, posts } = await setup({
      invitationsPerMinute: 10,
      pace: 10,
    });
    const members = Object.fromEntries(people(50).map((username) => [username, roles]));
    const creation = projectMembers
      .create({ inputs: { projectId, members }, preview: false, context })
      .catch((error: unknown) => error);
    while (messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    const failure = await creation;
    expect(messages[0]).toMatch(
      /^The service .*: \d+ are waiting, and 10 are sent per minute. This takes about \d minutes\./,
    );
    expect(failure).toBeInstanceOf(PartialFailure);
    const { state, reasons } = failure as PartialFailure;
    expect(invited()).toHaveLength(10);
    expect(Object.keys(state.members as object).sort()).toEqual(invited());
    expect(reasons.join(" ")).toContain("The operation was canceled.");
    for (const username of people(50).filter((name) => !invited().includes(name))) {
      expect(reasons.join(" ")).toContain(username);
    }
    const sent = posts().length;
    await getProject(client, projectId);
    expect(posts()).toHaveLength(sent);
    expect(sandbox.state.invitations).toHaveLength(10);
  });

  test("does not read again for each owner to remove", async () => {
    const { sandbox, projectId, context, cancel } = await setup({
      invitationsPerMinute: 1,
      pace: 1,
      onRefusal: () => setImmediate(() => cancel.abort()),
    });
    const owner = ["GROUP_OWNER"];
    const [ada = "", ...others] = people(4);
    for (const username of people(4)) sandbox.setMember(projectId, { username }, owner);
    const oldInputs = { projectId, members: Object.fromEntries(people(4).map((name) => [name, owner])) };
    const { id, state } = await projectMembers.create({ inputs: oldInputs, preview: false, context });
    sandbox.clearRequests();
    const members = { [ada]: owner, "new@example.com": roles, "newer@example.com": roles };
    const inputs = { projectId, members };
    const update = { id, state, oldInputs, inputs, ignoreChanges: [], preview: false, context };
    const failure = await projectMembers.update(update).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { state: recorded } = failure as PartialFailure;
    expect(Object.keys(recorded.members as object)).toEqual(expect.arrayContaining([ada, ...others]));
    const looks = sandbox.requests.filter(
      ({ method, path, authorized }) => authorized && method === "GET" && path.endsWith(`${projectId}/users`),
    );
    // One before the plan was made, and one of what came of it.
    expect(looks).toHaveLength(2);
  });
});
