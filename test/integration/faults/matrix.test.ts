/** Every fault meets every operation once, through the handlers and the whole client. */
import type { Context } from "../../../provider/resources/resource";
import { Session } from "../../../provider/resources/session";
import { places, type SandboxConnection } from "../client/with-client";
import { faults } from "./matrix";
import { operations } from "./operations";

const start = places();

beforeEach(() => {
  // Full jitter multiplies by a random number.
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Another run of Pulumi: nothing is remembered. */
function newContext({ client, settings }: SandboxConnection): Context {
  return {
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:Any::subject",
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
}

const outcomeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "ok",
    (error: { code?: string }) => String(error.code).replace("OPSMANAGER_", ""),
  );

describe.each(operations)("$name", (operation) => {
  test.each(faults)("meets $name", async (row) => {
    const { method, path, options, before, after } = operation;
    const connection = await start.sandbox(options, { maxRetries: 1, requestTimeoutSeconds: 1 });
    const { sandbox } = connection;
    const run = await operation.scene(sandbox, newContext(connection));
    await connection.client.call({ action: "Signing in", method: "GET", path: ["orgs", sandbox.orgId] });
    expect(operation.truth(sandbox)).toEqual(before);
    sandbox.clearRequests();
    sandbox.addFault({ method, pathPattern: path.source.replace(/\$$/, "(\\?|$)"), fault: row.fault });

    const outcome = await outcomeOf(run(newContext(connection)));
    const requests = sandbox.requests.filter(
      (request) => request.authorized && request.method === method && path.test(request.path),
    ).length;
    const usual = method === "POST" ? row.post : row.repeatable;
    const expected = operation.exceptions?.[row.name] ?? usual;
    const failure = operation.gathersFailures ? "PARTIAL" : expected.outcome;
    expect([outcome, requests]).toEqual([expected.outcome === "ok" ? "ok" : failure, expected.requests]);
    const isDone = outcome === "ok" || row.takesEffect;
    expect(operation.truth(sandbox)).toEqual(isDone ? after : (operation.partly ?? before));

    // The next run of a command that has failed.
    sandbox.clearFaults();
    if (outcome !== "ok") expect(await outcomeOf(run(newContext(connection)))).toBe("ok");
    expect(operation.truth(sandbox)).toEqual(after);
  });
});
