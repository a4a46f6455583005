import { createInvitationPacing } from "../../../provider/transport/invitation-pacing";
import type { WireRequest } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { fakeWire, get, ok, post, settled, status } from "./fake-wire";

const invitation = (name: number | string, queueKey = "groups/a"): WireRequest => ({
  ...post(`/invites/${name}`),
  queueKey,
  invites: true,
});
const tooMany = status(400, '{"error":400,"errorCode":"INVITATIONS_RATE_LIMITED_IP"}');
const MINUTE = 60_000;

interface Options {
  /** How many invitations the service takes in any minute. */
  readonly takes: number;
  /** The service counts those that it refuses, too. */
  readonly countsRefused?: boolean;
  readonly perMinute?: number;
  readonly maxRetries?: number;
  readonly onPause?: () => void;
}

/** A service that refuses what is too much, in front of it the layer. */
function paced({ takes, countsRefused = false, perMinute = 10, maxRetries = 4, onPause }: Options) {
  const clock = new FakeClock(onPause);
  const reported: string[] = [];
  const lines: string[] = [];
  const arrivals: number[] = [];
  const taken: string[] = [];
  let most = 0;
  let underWay = 0;
  const wire = fakeWire(async (request) => {
    if (request.method === "GET") return ok;
    underWay += 1;
    most = Math.max(most, underWay);
    await settled();
    underWay -= 1;
    const now = clock.now();
    const isTooMany = arrivals.filter((moment) => moment > now - MINUTE).length >= takes;
    if (!isTooMany || countsRefused) arrivals.push(now);
    if (isTooMany) return tooMany;
    taken.push(request.target);
    return ok;
  });
  const settings = { invitationsPerMinute: perMinute, maxRetries };
  const voice = { log: (line: string) => lines.push(line), report: (line: string) => reported.push(line) };
  const send = createInvitationPacing(settings, voice, clock)(wire.send);
  return { clock, reported, lines, taken, wire, send, most: () => most };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  ["does not count", false],
  ["counts", true],
])(
  "where the service takes ten a minute and %s those that it refuses, fifty take four minutes, and none is sent again once taken",
  async (_, countsRefused) => {
    const { clock, taken, wire, send } = paced({ takes: 10, countsRefused });
    const responses = await Promise.all(numbers(50).map((name) => send(invitation(name))));
    expect(responses.every((response) => response === ok)).toBe(true);
    expect(new Set(taken).size).toBe(50);
    expect(taken).toHaveLength(50);
    expect(clock.now()).toBe(4 * MINUTE);
    // Those that were under way when the service had enough.
    expect(wire.sent.length - 50).toBeLessThanOrEqual(10);
  },
);

test("no more are under way at once than go out in a minute, so that few run into the refusal", async () => {
  const { most, send } = paced({ takes: Number.POSITIVE_INFINITY });
  await Promise.all(numbers(40).map((name) => send(invitation(name))));
  expect(most()).toBe(10);
});

test("a message at once, and again each minute, reports how many are waiting and how long it takes", async () => {
  const { reported, send } = paced({ takes: 10 });
  await Promise.all(numbers(31).map((name) => send(invitation(name))));
  expect(reported).toEqual([
    "The service limits invitations per minute: 21 are waiting, and 10 are sent per minute. This takes about 3 minutes.",
    "The service limits invitations per minute: 11 are waiting, and 10 are sent per minute. This takes about 2 minutes.",
    "The service limits invitations per minute: 1 is waiting, and 10 are sent per minute. This takes about 60 seconds.",
  ]);
});

test("where others invite from the same address, the waits after refusals grow, and together outlast the minute", async () => {
  const { clock, wire, send } = paced({ takes: 0 });
  expect(await send(invitation(1))).toBe(tooMany);
  expect(wire.sent).toHaveLength(5);
  expect(clock.waits).toEqual([6_000, 12_000, 24_000, 48_000]);
});

test("a request that the service counts as an invitation without being known for one waits as well", async () => {
  const { clock, taken, send } = paced({ takes: 1 });
  const assignment = { ...post("/users"), queueKey: "groups/a" };
  await send(invitation(1));
  expect(await send(assignment)).toBe(ok);
  expect(taken).toEqual(["/invites/1", "/users"]);
  expect(clock.now()).toBeGreaterThanOrEqual(MINUTE);
});

test("everything else continues while invitations wait", async () => {
  let read: Promise<unknown> | undefined;
  const { reported, send } = paced({
    takes: 10,
    onPause: () => {
      read = send(get("/groups")).then(({ status }) => [status, reported.length]);
    },
  });
  await Promise.all(numbers(11).map((name) => send(invitation(name))));
  expect(await read).toEqual([200, 1]);
});

test("projects take turns, so that one that invites many does not hold up another", async () => {
  const { taken, send } = paced({ takes: 10 });
  const many = numbers(40).map((name) => send(invitation(name)));
  await Promise.all([...many, send(invitation("alone", "groups/b"))]);
  expect(taken.indexOf("/invites/alone")).toBeLessThan(20);
});

describe("an operation that is canceled while its invitations wait", () => {
  test("cancels no other call: the others get their turn", async () => {
    const cancel = new AbortController();
    const { taken, send } = paced({ takes: 10, onPause: () => cancel.abort() });
    const [canceled, others] = [numbers(15), numbers(35).map((name) => name + 15)];
    const ended = Promise.allSettled(
      canceled.map((name) => send({ ...invitation(name), signal: cancel.signal })),
    );
    await Promise.all(others.map((name) => send(invitation(name))));
    const results = await ended;
    expect(results.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    for (const name of others) expect(taken).toContain(`/invites/${name}`);
  });

  test("and where all had been waiting, the next one comes to its turn", async () => {
    const cancel = new AbortController();
    const { send } = paced({ takes: 1, onPause: () => cancel.abort() });
    await send(invitation(1));
    await expect(send({ ...invitation(2), signal: cancel.signal })).rejects.toMatchObject({
      code: "OPSMANAGER_CANCELLED",
    });
    expect(await send(invitation(3))).toBe(ok);
  });
});
