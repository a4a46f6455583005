import { interruption, pause, unlessInterrupted } from "../../../provider/transport/interruption";

test.each([
  { reason: "stop", code: "OPSMANAGER_CANCELLED" },
  { reason: null, code: "OPSMANAGER_CANCELLED" },
  { reason: new DOMException("late", "TimeoutError"), code: "OPSMANAGER_TIMEOUT" },
])("an interruption has the reason $reason as its cause", ({ reason, code }) => {
  const { code: own, cause } = interruption(AbortSignal.abort(reason));
  expect({ code: own, cause }).toEqual({ code, cause: reason });
});

const never = new Promise<never>(() => {});
test.each([
  { what: "waiting", wait: (signal: AbortSignal) => unlessInterrupted(never, signal) },
  { what: "a pause", wait: (signal: AbortSignal) => pause(60_000, signal) },
])("$what ends with the signal, whether it comes before or meanwhile", async ({ wait }) => {
  const canceled = { code: "OPSMANAGER_CANCELLED" };
  await expect(wait(AbortSignal.abort())).rejects.toMatchObject(canceled);
  const controller = new AbortController();
  const waiting = wait(controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject(canceled);
});

test("waiting leaves no listener behind, however it ends", async () => {
  const { signal } = new AbortController();
  const added = jest.spyOn(signal, "addEventListener");
  const removed = jest.spyOn(signal, "removeEventListener");
  await expect(unlessInterrupted(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(unlessInterrupted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(removed.mock.calls).toEqual(added.mock.calls.map(([type, listener]) => [type, listener]));
  expect(added).toHaveBeenCalledTimes(2);
});
