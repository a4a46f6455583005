/** Invitations at the pace of the service, through the whole stack and a resource that sends them. */
import { getProject } from "../../../provider/api/projects";
import type { Context } from "../../../provider/resources/contract/resource";
import { Session } from "../../../provider/resources/contract/session";
import { projectMembers } from "../../../provider/resources/project-members";
import { PartialFailure } from "../../../provider/text/errors";
import { clientFactory } from "./with-client";

const start = clientFactory();
const roles = ["GROUP_READ_ONLY"];
const people = Array.from({ length: 50 }, (_, index) => `person-${index}@example.com`);

test("an operation that is canceled in the middle of fifty invitations has messages how long it takes, ends at once, and records those that were sent", async () => {
  const pace = { invitationsPerMinute: 10 };
  const { sandbox, client, settings, messages } = await start.sandbox(pace, { ...pace, maxRetries: 4 });
  const { id: projectId } = sandbox.addProject({ name: "payments" });
  const cancel = new AbortController();
  const context: Context = {
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:ProjectMembers::people",
    log: { info: () => undefined, warn: () => undefined },
    signal: cancel.signal,
  };
  const members = Object.fromEntries(people.map((username) => [username, roles]));
  const creation = projectMembers
    .create({ inputs: { projectId, members }, preview: false, context })
    .catch((error: unknown) => error);
  while (messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
  cancel.abort();
  const failure = await creation;

  expect(messages[0]).toMatch(
    /^The service .*: \d+ are waiting, and 10 are sent per minute. This takes about \d minutes\./,
  );
  if (!(failure instanceof PartialFailure))
    throw new Error("a PartialFailure was expected", { cause: failure });
  const invited = sandbox.state.invitations.map(({ username }) => username).sort();
  expect(invited).toHaveLength(10);
  expect(Object.keys(failure.state.members ?? {}).sort()).toEqual(invited);
  const reasons = failure.reasons.join(" ");
  expect(reasons).toContain("The operation was canceled.");
  for (const username of people.filter((name) => !invited.includes(name)))
    expect(reasons).toContain(username);

  const posts = () => sandbox.requests.filter(({ method, authorized }) => method === "POST" && authorized);
  const sent = posts().length;
  await getProject(client, projectId);
  expect(posts()).toHaveLength(sent);
  expect(sandbox.state.invitations).toHaveLength(10);
});
