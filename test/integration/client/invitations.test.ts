/** Invitations at the pace of the service, through the whole stack and the resources that send them. */
import { getProject } from "../../../provider/api/projects";
import type { Context } from "../../../provider/resources/contract/resource";
import { Session } from "../../../provider/resources/contract/session";
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
});
