/** Reads that a write needs. How old a read for reading may be: `test/integration/project/shared-reads.test.ts`. */
import { SharedReads } from "../../../../provider/resources/session/shared-reads";

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
