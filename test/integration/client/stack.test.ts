/** The order of the drawn stack in `provider/transport/index.ts`, as the request log of the service shows it. */
import { getProject } from "../../../provider/api/projects";
import { clientFactory } from "./with-client";

const start = clientFactory();

test("log outside of limit, limit outside of retry, retry outside of digest", async () => {
  jest.spyOn(Math, "random").mockReturnValue(0);
  const { sandbox, client, lines } = await start.sandbox({}, { maxConcurrentRequests: 1, maxRetries: 2 });
  const [one, other] = ["one", "other"].map((name) => sandbox.addProject({ name }).id) as [string, string];
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
