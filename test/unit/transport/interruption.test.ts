import { RequestTimeoutError } from "../../../provider/text/errors";
import { interruption, pause, unlessInterrupted } from "../../../provider/transport/interruption";

describe("an interruption", () => {
  test("is the error of this provider that a signal carries", () => {
    const reason = new RequestTimeoutError("This operation took too long.");
    expect(interruption(AbortSignal.abort(reason))).toBe(reason);
  });

  test.each([
    ["a cancellation", new Error("stop"), "OPSMANAGER_CANCELLED"],
    ["a text", "stop", "OPSMANAGER_CANCELLED"],
    ["null", null, "OPSMANAGER_CANCELLED"],
    ["a custom timeout", new DOMException("late", "TimeoutError"), "OPSMANAGER_TIMEOUT"],
  ])("has its reason as its cause: %s", (_, reason, code) => {
    const error = interruption(AbortSignal.abort(reason));
    expect({ code: error.code, cause: error.cause }).toEqual({ code, cause: reason });
  });
});

describe("waiting that an interruption ends", () => {
  const never = new Promise<never>(() => {});

  test("ends with the signal, whether it comes before or meanwhile", async () => {
    await expect(unlessInterrupted(never, AbortSignal.abort())).rejects.toMatchObject({
      code: "OPSMANAGER_CANCELLED",
    });
    const controller = new AbortController();
    const waiting = unlessInterrupted(never, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  });

  test("leaves no listener behind, however it ends", async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, "addEventListener");
    const removed = jest.spyOn(signal, "removeEventListener");
    await expect(unlessInterrupted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(unlessInterrupted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]));
    expect(added).toHaveBeenCalledTimes(2);
  });

  test("a pause ends with the signal", async () => {
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  });
});
