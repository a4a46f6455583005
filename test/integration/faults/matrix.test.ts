/** Every fault with every operation once, through a stack of the engine's model and the whole client. */
import { type Seed, startSandbox } from "../../../sandbox";
import { type DrawnSettings, drawSettings, reported } from "../../support/drawn-settings";
import { type Run, Stack } from "../../support/model-stack";
import type { Program } from "../../support/program";
import { succeeded } from "../../support/stack";
import { type FaultRow, faults, gatewayFaults, impatient, refusedAfterwards } from "./matrix";
import { held, type Operation, operations, type Situation, seed } from "./operations";

const rowsOf = ({ request }: Operation) => [
  ...faults,
  ...(request.startsWith("GET") ? [] : [refusedAfterwards]),
  ...gatewayFaults,
];
const cells = operations.flatMap((operation) => rowsOf(operation).map((row) => ({ operation, row })));

/** What one cell of the matrix has shown, in the order in which it happened. */
type Observation = Awaited<ReturnType<typeof observe>>;

const observations = new Map<string, Promise<Observation>>();
const keyOf = (operation: Operation, row: FaultRow) => `${operation.name}: ${row.name}`;

const isLate = ({ settings }: FaultRow) => settings === impatient;

beforeAll(async () => {
  // Full jitter multiplies by a random number.
  jest.spyOn(Math, "random").mockReturnValue(0);
  // The late ones do little but wait.
  const [late, prompt] = [cells.filter(({ row }) => isLate(row)), cells.filter(({ row }) => !isLate(row))];
  await Promise.all([observeAll(late, 16), observeAll(prompt, 4)]);
}, 600_000);
afterAll(() => {
  jest.restoreAllMocks();
});

/** Each cell has a service and a client of its own, so several run at once. */
async function observeAll(all: typeof cells, concurrency: number): Promise<void> {
  const waiting = all.values();
  const worker = async () => {
    for (const { operation, row } of waiting) {
      const observation = observe(operation, row);
      observations.set(keyOf(operation, row), observation);
      await Promise.allSettled([observation]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

interface Beginning {
  readonly seed: Seed;
  readonly stack: Stack;
}

const beginnings = new Map<string, Promise<Beginning>>();

/** The service and the stack before an operation. With the same settings, every fault begins with a copy of them. */
function beginningOf(operation: Operation, drawn: DrawnSettings): Promise<Beginning> {
  const key = `${operation.name} ${JSON.stringify(drawn)}`;
  const beginning = beginnings.get(key) ?? begin(operation, drawn);
  beginnings.set(key, beginning);
  return beginning;
}

async function begin({ from, ...operation }: Operation, drawn: DrawnSettings) {
  const sandbox = await startSandbox({ seed, ...operation.sandbox });
  const { baseUrl, publicKey, privateKey } = sandbox;
  const stack = new Stack("plugin", { baseUrl, publicKey, privateKey, maxRetries: 1, ...drawn });
  await stack.setProgram(programOf(from));
  await succeeded(stack.up());
  const { state } = sandbox;
  await sandbox.close();
  return { seed: state, stack };
}

function programOf({ declares }: Situation): Program {
  return { resources: declares === undefined ? {} : { subject: declares } };
}

async function observe(operation: Operation, row: FaultRow) {
  const { from, to, request, spares = 0 } = operation;
  const drawn = drawSettings(keyOf(operation, row));
  const beginning = await beginningOf(operation, drawn);
  const sandbox = await startSandbox({ ...operation.sandbox, seed: beginning.seed });
  const stack = await beginning.stack.copy({ baseUrl: sandbox.baseUrl });
  const truthBefore = held(sandbox);

  const [method, path = ""] = request.split(" ");
  const pathPattern = `${path.replaceAll("ID", "\\w+")}(\\?|$)`;
  if (spares > 0) sandbox.addFault({ method, pathPattern, fault: { delayMs: 0 }, times: spares });
  sandbox.addFault({ method, pathPattern, fault: row.fault });
  const run = async () => {
    if (from === to) return stack.refresh();
    await stack.setProgram(programOf(to));
    return stack.up();
  };
  try {
    await stack.setConfig(row.settings ?? {});
    const first = await run();
    const requests = sandbox.requests.filter(
      (sent) => sent.authorized && sent.method === method && new RegExp(pathPattern).test(sent.path),
    );
    const truthAfterFault = held(sandbox);
    sandbox.clearFaults();
    await stack.setConfig({ requestTimeoutSeconds: undefined });
    const next = first.exitCode === 0 ? first : await run();
    return {
      drawn,
      truthBefore,
      errors: errorsOf(first),
      requests: requests.length - spares,
      truthAfterFault,
      nextErrors: errorsOf(next),
      truthInTheEnd: held(sandbox),
      recorded: (await stack.state()).resources.length,
    };
  } finally {
    await sandbox.close();
  }
}

function errorsOf({ diagnostics }: Run): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

describe.each(operations)("$name", (operation) => {
  test.each(rowsOf(operation))("meets $name", async (row) => {
    const { drawn, ...observed } = (await observations.get(keyOf(operation, row))) ?? {};
    if (drawn !== undefined) reported(drawn);
    const { request, from, to, partly = from.holds } = operation;
    const usual = request.startsWith("POST") ? row.post : row.repeatable;
    const { error, requests, nextError } = operation.exceptions?.[row.name] ?? usual;
    expect(observed).toEqual({
      truthBefore: from.holds,
      errors: error === undefined ? [] : [expect.stringMatching(new RegExp(`failed: .*${error}`))],
      requests,
      truthAfterFault: error === undefined || row.takesEffect ? to.holds : partly,
      nextErrors: nextError === undefined ? [] : [expect.stringMatching(new RegExp(nextError))],
      truthInTheEnd: to.holds,
      // Nothing that exists was reported as deleted.
      recorded: to.declares === undefined || nextError !== undefined ? 0 : 1,
    });
  });
});

test("every cell of the matrix has a name of its own", () => {
  expect(new Set(cells.map(({ operation, row }) => keyOf(operation, row))).size).toBe(cells.length);
});
