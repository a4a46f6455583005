import { rereadAfterCancel, rereadAfterWrite } from "../../../../provider/resources/evidence/reread";

describe("a read after a write", () => {
  test("uses the signal of the operation, or one of its own if the operation was canceled", async () => {
    const operation = new AbortController();
    const signals: AbortSignal[] = [];
    const read = async (signal: AbortSignal) => signals.push(signal);
    await rereadAfterWrite(read, operation.signal);
    operation.abort();
    await rereadAfterWrite(read, operation.signal);
    expect(signals[0]).toBe(operation.signal);
    expect(signals[1]).not.toBe(operation.signal);
    expect(signals[1]?.aborted).toBe(false);
  });

  test("ends after ten seconds if the operation was canceled", async () => {
    jest.useFakeTimers();
    try {
      const read = rereadAfterCancel(
        (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      );
      const failure = expect(read).rejects.toThrow("no response within 10 s.");
      jest.advanceTimersByTime(9999);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(1);
      await failure;
      await rereadAfterCancel(async () => undefined);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
