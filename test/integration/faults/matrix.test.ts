/** Every fault with every operation once, through the handlers and the whole client. */
import { createClient, UNREAD_BODY } from "../../../provider/api/client";
import { resolveSettings } from "../../../provider/config";
import type { Context } from "../../../provider/resources/resource";
import { Session } from "../../../provider/resources/session";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { type DrawnSettings, drawSettings, reported } from "../../support/drawn-settings";
import { type FaultRow, faults, gatewayFaults } from "./matrix";
import { type Operation, operations } from "./operations";

const rows = [...faults, ...gatewayFaults];
const cells = operations.flatMap((operation) => rows.map((row) => ({ operation, row })));

/** What one cell of the matrix has shown, in the order in which it happened. */
interface Observation {
  readonly drawn: DrawnSettings;
  readonly truthBefore: unknown;
  readonly outcome: string;
  readonly requests: number;
  readonly truthAfterFault: unknown;
  /** Outcome of the next run of a command that has failed. */
  readonly nextOutcome: string | undefined;
  readonly truthInTheEnd: unknown;
}

const observations = new Map<string, Promise<Observation>>();
const keyOf = (operation: Operation, row: FaultRow) => `${operation.name}: ${row.name}`;

/** Most cells wait for a timer, so several run at once; each has a service and a client of its own. */
const concurrency = 12;

beforeAll(async () => {
  // Full jitter multiplies by a random number.
  jest.spyOn(Math, "random").mockReturnValue(0);
  const waiting = cells.values();
  const worker = async () => {
    for (const { operation, row } of waiting) {
      const observation = observe(operation, row);
      observations.set(keyOf(operation, row), observation);
      await Promise.allSettled([observation]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
});
afterAll(() => {
  jest.restoreAllMocks();
});

async function observe(operation: Operation, row: FaultRow): Promise<Observation> {
  const sandbox = await startSandbox(operation.options);
  const { baseUrl, publicKey, privateKey } = sandbox;
  const drawn = drawSettings(keyOf(operation, row));
  const settings = resolveSettings({
    args: { baseUrl, publicKey, privateKey, maxRetries: 1, requestTimeoutSeconds: 1, ...drawn },
    env: {},
    isDefaultProvider: false,
    directory: __dirname,
  });
  const client = createClient(settings, () => undefined);
  /** Another run of Pulumi: no session state is carried over. */
  const newContext = (): Context => ({
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:Any::subject",
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  });
  try {
    const run = await operation.scenario(sandbox, newContext());
    await client.call({
      action: "Signing in",
      method: "GET",
      shape: UNREAD_BODY,
      path: ["orgs", sandbox.orgId],
    });
    const truthBefore = operation.truth(sandbox);
    sandbox.clearRequests();
    const { method, path } = operation;
    sandbox.addFault({ method, pathPattern: path.source.replace(/\$$/, "(\\?|$)"), fault: row.fault });

    const outcome = await outcomeOf(run(newContext()));
    const requests = requestsOf(operation, sandbox);
    const truthAfterFault = operation.truth(sandbox);

    sandbox.clearFaults();
    const nextOutcome = outcome === "ok" ? undefined : await outcomeOf(run(newContext()));
    const truthInTheEnd = operation.truth(sandbox);
    return { drawn, truthBefore, outcome, requests, truthAfterFault, nextOutcome, truthInTheEnd };
  } finally {
    await client.close();
    await sandbox.close();
  }
}

const outcomeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "ok",
    (error: { code?: string }) => String(error.code).replace("OPSMANAGER_", ""),
  );

const requestsOf = ({ method, path }: Operation, { requests }: Sandbox) =>
  requests.filter((request) => request.authorized && request.method === method && path.test(request.path))
    .length;

describe.each(operations)("$name", (operation) => {
  test.each(rows)("meets $name", async (row) => {
    const { method, before, after } = operation;
    const observed = await observations.get(keyOf(operation, row));
    if (observed === undefined) throw new Error("The cell was not run.");
    reported(observed.drawn);
    expect(observed.truthBefore).toEqual(before);

    const usual = method === "POST" ? row.post : row.repeatable;
    const expected = operation.exceptions?.[row.name] ?? usual;
    const failure = operation.gathersFailures ? "PARTIAL" : expected.outcome;
    expect([observed.outcome, observed.requests]).toEqual([
      expected.outcome === "ok" ? "ok" : failure,
      expected.requests,
    ]);
    const isDone = observed.outcome === "ok" || row.takesEffect;
    expect(observed.truthAfterFault).toEqual(isDone ? after : (operation.partly ?? before));

    if (observed.outcome !== "ok") expect(observed.nextOutcome).toBe("ok");
    expect(observed.truthInTheEnd).toEqual(after);
  });
});

test("every cell of the matrix has a name of its own", () => {
  expect(new Set(cells.map(({ operation, row }) => keyOf(operation, row))).size).toBe(cells.length);
});
