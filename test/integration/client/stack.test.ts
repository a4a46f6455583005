/** The order of the drawn stack in `provider/transport/index.ts`, as the request log of the service shows it. */
import { text } from "node:stream/consumers";
import { createProject, getProject } from "../../../provider/api/projects";
import { always, clientFactory } from "./with-client";

const start = clientFactory();

test("log outside of limit, limit outside of retry, retry outside of digest", async () => {
  jest.spyOn(Math, "random").mockReturnValue(0);
  const { sandbox, client, lines } = await start.sandbox({}, { maxConcurrentRequests: 1, maxRetries: 2 });
  const { id: one } = sandbox.addProject({ name: "one" });
  const { id: other } = sandbox.addProject({ name: "other" });
  sandbox.addFault({ pathPattern: one, fault: { status: 503 } });
  sandbox.addFault({ pathPattern: one, fault: "stale-nonce" });

  await Promise.all([getProject(client, one), getProject(client, other)]);
  jest.restoreAllMocks();

  const seen = sandbox.requests.map(({ path, authorized, fault, status, digest }) => [
    path.endsWith(one) ? "one" : "other",
    authorized ? `nc ${digest?.nc}` : "no credentials",
    fault ?? status,
  ]);
  expect(seen).toEqual([
    ["one", "no credentials", 401],
    ["one", "nc 1", "status 503"],
    // A stale nonce is the digest layer's own affair: no attempt is counted, nothing is logged.
    ["one", "nc 2", "stale-nonce"],
    ["one", "nc 1", 200],
    // With one slot, the other call waits until all attempts of the first are over.
    ["other", "nc 2", 200],
  ]);
  expect(lines.map((line) => line.replace(/in \d+ ms/, "in N ms"))).toEqual([
    `GET /api/public/v1.0/groups/${one}: status 503; attempt 2 of 3 in N ms`,
    `GET /api/public/v1.0/groups/${one}: 200 in N ms`,
    `GET /api/public/v1.0/groups/${other}: 200 in N ms`,
  ]);
});

test("a client's time is that of the service, which may be days off from this machine's", async () => {
  const { sandbox, client } = await start.sandbox();
  const { id } = sandbox.addProject({ name: "payments" });
  const days = 40 * 86_400;
  sandbox.advanceClock(days);
  await getProject(client, id);
  // `Date` is cut to whole seconds, and a busy machine may take a while.
  expect(Math.abs(client.now() - Date.now() - days * 1000)).toBeLessThan(60_000);
});

test("a write sends its body as JSON and its query apart", async () => {
  const bodies: string[] = [];
  const { client } = await start.server(async (request, response) => {
    bodies.push(`${request.url} ${request.headers["content-type"]} ${await text(request)}`);
    always(201, { id: "a1", name: "payments", orgId: "b1" })(request, response);
  });
  const wanted = { name: "payments", orgId: "b1", withDefaultAlertsSettings: false };
  await createProject(client, { ...wanted, projectOwnerId: "d1" });
  expect(bodies).toEqual([
    '/api/public/v1.0/groups?projectOwnerId=d1 application/json {"name":"payments","orgId":"b1","withDefaultAlertsSettings":false}',
  ]);
});
