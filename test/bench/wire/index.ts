/**
 * The provider's client beside others: requests on the wire as the service counts them, time as the caller waits, and the
 * processor time of the client's process. Each has a process of its own that lives through all rounds; they take turns, so that
 * a busy machine slows down all of them.
 */
import { type Figure, figure, median, type Row, ratios } from "../row";
import { type Entry, floor, leanestPeer, ours, peers, signedFloor, startAll, withToken } from "./contestants";
import { LineProcess } from "./line-process";
import type { Counted, Endpoint, Manner, Outcome } from "./protocol";

/** How the service returns while the calls are counted. */
interface Situation extends Manner {
  readonly what: string;
  readonly rounds: number;
}

/** The requests of a stack of some hundred projects during the one minute of a real nonce. */
const usesOfNonce = 1_000;
/** The least that a service across a network takes. Without it two round trips cost hardly more than one. */
const milliseconds = 5;
// Many short rounds: other load of the machine then affects adjacent measurements alike.
const steady: Situation = { what: "steady state", rounds: 15 };
const distant: Situation = { what: `each response takes ${milliseconds} ms`, milliseconds, rounds: 15 };
const stale: Situation = { what: `a nonce stale every ${usesOfNonce} requests`, usesOfNonce, rounds: 3 };
const named: Situation = {
  what: "every response names the next nonce",
  usesOfNonce,
  namesNext: true,
  rounds: 3,
};
const situations = [steady, distant, stale, named];

const concurrencies = [1, 16, 64];

interface Sample extends Outcome, Counted {
  readonly calls: number;
}

class Samples {
  readonly #samples = new Map<string, Sample[]>();

  add(table: string, name: string, sample: Sample): void {
    const key = `${table} ${name}`;
    this.#samples.set(key, [...(this.#samples.get(key) ?? []), sample]);
  }

  of(table: string, name: string, value: (sample: Sample) => number): number[] {
    return (this.#samples.get(`${table} ${name}`) ?? []).map(value);
  }
}

export const wire: Row = {
  name: "wire",
  async run({ quick, print, skipped }) {
    const service = LineProcess.ofTypeScript("service.ts");
    const entries = await startAll(
      quick ? [floor, signedFloor, ours, withToken] : [floor, signedFloor, ours, withToken, ...peers],
      skipped,
    );
    try {
      const endpoint = await service.call<Endpoint>("endpoint");
      const samples = new Samples();
      for (const situation of situations) {
        const taking = entries.filter(
          ({ needsOneNonce }) => !needsOneNonce || situation.usesOfNonce === undefined,
        );
        for (const atOnce of concurrencies) {
          print(titleOf(situation, atOnce));
          // The round before the first one is for the just-in-time compilers.
          for (let round = quick ? 0 : -1; round < (quick ? 1 : situation.rounds); round++) {
            for (const entry of inTurns(taking, round)) {
              const task = { situation, atOnce, calls: quick ? 100 : callsOf(situation, atOnce), endpoint };
              const sample = await measure(service, entry, task);
              if (round >= 0) samples.add(titleOf(situation, atOnce), entry.name, sample);
            }
          }
        }
      }
      return figuresOf(samples, entries);
    } finally {
      for (const { process } of [...entries, { process: service }]) await process.close();
    }
  },
};

function titleOf({ what }: Situation, atOnce: number): string {
  return `${what}, ${atOnce} at a time`;
}

/** Three nonces' worth where nonces end; else about as many as take a fifth of a second. */
function callsOf({ usesOfNonce: uses, milliseconds: wait }: Situation, atOnce: number): number {
  if (uses !== undefined) return 3 * uses;
  if (wait === undefined) return atOnce === 1 ? 400 : 1_000;
  return Math.min(1_000, (200 / wait) * atOnce);
}

/** Another one begins in every round. */
function inTurns<T>(list: readonly T[], round: number): T[] {
  const first = Math.abs(round) % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

interface Task {
  readonly situation: Situation;
  readonly atOnce: number;
  readonly calls: number;
  readonly endpoint: Endpoint;
}

async function measure(service: LineProcess, entry: Entry, task: Task): Promise<Sample> {
  const { situation, atOnce, calls, endpoint } = task;
  const baseUrl = entry.isOpen ? `${endpoint.origin}/open` : endpoint.origin;
  const address = `${baseUrl}/api/public/v1.0/groups/${endpoint.projectId}`;
  await service.call("begin", situation);
  await entry.process.call("open", { ...endpoint, baseUrl, address, atOnce });
  // Signing in and connecting is not what is measured.
  await entry.process.call<Outcome>("run", { calls: 2 * atOnce });
  await service.call<Counted>("count");
  const outcome = await entry.process.call<Outcome>("run", { calls });
  return { ...outcome, ...(await service.call<Counted>("count")), calls };
}

const perCall = ({ requests, calls }: Sample) => requests / calls;
const perSecond = ({ calls, seconds }: Sample) => calls / seconds;
const cpuPerCall = ({ cpuSeconds, calls }: Sample) => (cpuSeconds / calls) * 1e6;

const columns: readonly { column: string; unit: Figure["unit"]; value(sample: Sample): number }[] = [
  { column: "requests per call", unit: "requests", value: perCall },
  { column: "calls per second", unit: "calls/s", value: perSecond },
  { column: "p50", unit: "ms", value: ({ p50Milliseconds }) => p50Milliseconds },
  { column: "p99", unit: "ms", value: ({ p99Milliseconds }) => p99Milliseconds },
  { column: "CPU per call", unit: "us", value: cpuPerCall },
];

function figuresOf(samples: Samples, entries: readonly Entry[]): Figure[] {
  const names = entries.map(({ name }) => name);
  const tables = situations.flatMap((situation) => concurrencies.map((atOnce) => titleOf(situation, atOnce)));
  const cells = tables.flatMap((table) => names.flatMap((line) => cellsOf(samples, table, line)));
  return [
    ...cells,
    ...requestsReached(samples),
    ...speedReached(samples, names),
    ...processorTimeReached(samples, names),
  ];
}

function cellsOf(samples: Samples, table: string, line: string): Figure[] {
  const calls = samples.of(table, line, (sample) => sample.calls).reduce((sum, count) => sum + count, 0);
  if (calls === 0) return [];
  const failed = samples.of(table, line, (sample) => sample.failed).reduce((sum, count) => sum + count, 0);
  const cell = (column: string) => ({ cell: { table, line, column } });
  const title = (column: string) => `${table}: ${line}, ${column}`;
  const failures = `failed of ${calls}`;
  return [
    ...columns.map(({ column, unit, value }) =>
      figure(title(column), unit, samples.of(table, line, value), cell(column)),
    ),
    figure(title(failures), "calls", [failed], cell(failures)),
  ];
}

function requestsReached(samples: Samples): Figure[] {
  const mostPerCall = (situation: Situation, atOnce: number) =>
    // Requests under way when a nonce becomes stale are refused once. No client can know it earlier.
    situation === stale ? 1 + atOnce / usesOfNonce : 1;
  return [steady, stale, named].flatMap((situation) =>
    concurrencies.map((atOnce) => {
      const table = titleOf(situation, atOnce);
      const target = mostPerCall(situation, atOnce);
      return figure(`requests per call, ${table}`, "requests", samples.of(table, ours.name, perCall), {
        target,
      });
    }),
  );
}

function speedReached(samples: Samples, names: readonly string[]): Figure[] {
  const rivals = peers.map(({ name }) => name).filter((name) => names.includes(name));
  return [steady, distant].flatMap((situation) => {
    const ofFloor = titleOf(situation, 16);
    const ahead = concurrencies.flatMap((atOnce) => {
      const table = titleOf(situation, atOnce);
      const speed = (name: string) => median(samples.of(table, name, perSecond));
      const [fastest] = rivals.toSorted((one, other) => speed(other) - speed(one));
      if (fastest === undefined) return [];
      const what = `calls per second of the fastest peer (${fastest}), ${table}`;
      return [figure(what, "times", timesOf(samples, table, fastest), { least: 1 })];
    });
    const floors = [floor, signedFloor].map(({ name }) =>
      figure(`calls per second of ${name}, ${ofFloor}`, "times", timesOf(samples, ofFloor, name), {
        least: 0.85,
      }),
    );
    return [...floors, ...ahead];
  });
}

/** How many times the processor time of a compiled client that sends as few requests. */
function processorTimeReached(samples: Samples, names: readonly string[]): Figure[] {
  if (!names.includes(leanestPeer)) return [];
  return [steady, distant].flatMap((situation) =>
    concurrencies.map((atOnce) => {
      const table = titleOf(situation, atOnce);
      const times = timesOf(samples, table, leanestPeer, cpuPerCall);
      return figure(`CPU per call of ${leanestPeer}, ${table}`, "times", times, { target: 1.2 });
    }),
  );
}

/** Within each round, as the machine may have had other work to do in another one. */
function timesOf(
  samples: Samples,
  table: string,
  other: string,
  value: (sample: Sample) => number = perSecond,
): number[] {
  return ratios(samples.of(table, ours.name, value), samples.of(table, other, value));
}
