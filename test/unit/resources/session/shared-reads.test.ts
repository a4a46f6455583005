import { purposeOf, SharedReads } from "../../../../provider/resources/session/shared-reads";

const { signal } = new AbortController();

/** Reads that the test answers one by one, in the order in which they began. */
function heldReads(maxAgeSeconds: number) {
  const begun: {
    readonly key: string;
    readonly answer: (value: string) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const reads = new SharedReads<string>(
    (key) =>
      new Promise((resolve, reject) => {
        begun.push({ key, answer: resolve, fail: reject });
      }),
    maxAgeSeconds,
  );
  return { reads, begun, answer: (index: number, value: string) => begun[index]?.answer(value) };
}

/** Until all that was resolved has had its effect. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
});
afterEach(() => {
  jest.useRealTimers();
});

test("only what writes needs a read of its own", () => {
  expect([purposeOf(true), purposeOf(false)]).toEqual(["reading", "writing"]);
});

describe("a read for reading", () => {
  test("is the one that is under way, or one of the allowed age, for the same key only", async () => {
    const { reads, begun, answer } = heldReads(30);
    const both = [reads.shared("a", signal), reads.read("a", "reading", signal)];
    expect(reads.has("a")).toBe(true);
    expect(reads.has("b")).toBe(false);
    answer(0, "first");
    expect(await Promise.all(both)).toEqual(["first", "first"]);
    jest.advanceTimersByTime(30_000);
    expect(await reads.shared("a", signal)).toBe("first");
    void reads.shared("b", signal);
    expect(begun.map(({ key }) => key)).toEqual(["a", "b"]);
    jest.advanceTimersByTime(1);
    expect(reads.has("a")).toBe(false);
    void reads.shared("a", signal);
    expect(begun).toHaveLength(3);
  });

  test("may be older than allowed while it is under way", async () => {
    const { reads, begun, answer } = heldReads(0);
    const first = reads.shared("a", signal);
    jest.advanceTimersByTime(60_000);
    const second = reads.shared("a", signal);
    answer(0, "slow");
    expect(await Promise.all([first, second])).toEqual(["slow", "slow"]);
    jest.advanceTimersByTime(1);
    void reads.shared("a", signal);
    expect(begun).toHaveLength(2);
  });

  test("is none from before a write, a failure or the end of the operation", async () => {
    const { reads, begun, answer } = heldReads(30);
    const read = async () => {
      const next = reads.shared("a", signal);
      answer(begun.length - 1, "value");
      return next;
    };
    await read();
    reads.written("a");
    await read();
    reads.forget();
    const failing = reads.shared("a", signal);
    begun.at(-1)?.fail(new Error("no"));
    await expect(failing).rejects.toThrow("no");
    expect(reads.has("a")).toBe(false);
    await read();
    expect(begun).toHaveLength(4);
  });
});

test("a read that fails after a write discards no later read", async () => {
  const { reads, begun, answer } = heldReads(30);
  const early = reads.shared("a", signal);
  reads.written("a");
  const late = reads.shared("a", signal);
  answer(1, "after");
  expect(await late).toBe("after");
  begun[0]?.fail(new Error("no"));
  await expect(early).rejects.toThrow("no");
  expect(await reads.shared("a", signal)).toBe("after");
  expect(begun).toHaveLength(2);
});

describe("a read for writing", () => {
  test("begins after the call, and callers during a read share the next one", async () => {
    const { reads, begun, answer } = heldReads(30);
    const early = reads.shared("a", signal);
    jest.advanceTimersByTime(1);
    const late = [reads.fresh("a", signal), reads.read("a", "writing", signal)];
    expect(begun).toHaveLength(1);
    answer(0, "before");
    expect(await early).toBe("before");
    await settled();
    expect(begun).toHaveLength(2);
    answer(1, "after");
    expect(await Promise.all(late)).toEqual(["after", "after"]);
    void reads.fresh("a", signal);
    expect(begun).toHaveLength(3);
  });

  test("may be one that began after a given time", async () => {
    const { reads, begun, answer } = heldReads(30);
    const since = performance.now();
    jest.advanceTimersByTime(1);
    const first = reads.fresh("a", signal);
    answer(0, "value");
    await first;
    expect(await reads.fresh("a", signal, since)).toBe("value");
    void reads.fresh("a", signal, since + 1);
    expect(begun).toHaveLength(2);
  });

  test("begins also after a read that fails", async () => {
    const { reads, begun, answer } = heldReads(30);
    const failing = reads.shared("a", signal);
    const next = reads.fresh("a", signal);
    begun[0]?.fail(new Error("no"));
    await expect(failing).rejects.toThrow("no");
    await settled();
    answer(1, "after");
    expect(await next).toBe("after");
  });
});

test("a caller whose read was interrupted by another caller reads again", async () => {
  const { reads, begun, answer } = heldReads(30);
  const other = new AbortController();
  const [theirs, mine] = [reads.shared("a", other.signal), reads.shared("a", signal)];
  other.abort();
  begun[0]?.fail(new Error("canceled"));
  await expect(theirs).rejects.toThrow("canceled");
  await settled();
  answer(1, "mine");
  expect(await mine).toBe("mine");
  const fails = reads.fresh("a", signal);
  begun[2]?.fail(new Error("a fault of the service"));
  await expect(fails).rejects.toThrow("a fault of the service");
});

test("the age of a read counts from its begin, and a write does not change it", async () => {
  const { reads, answer } = heldReads(30);
  expect(reads.ageOf("a")).toBe(Number.POSITIVE_INFINITY);
  const read = reads.shared("a", signal);
  answer(0, "value");
  await read;
  reads.written("a");
  jest.advanceTimersByTime(1500);
  expect(reads.ageOf("a")).toBe(1500);
});
