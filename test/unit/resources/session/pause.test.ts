import { pauseUnlessCanceled, waitForDeletion } from "../../../../provider/resources/session/pause";

test("a pause ends at once, and without an error, when the operation is canceled", async () => {
  const operation = new AbortController();
  const pause = pauseUnlessCanceled(60_000, operation.signal);
  operation.abort();
  expect(await pause).toBeUndefined();
});

test("a known deletion is waited for about a minute, and a suspected one 3.5 seconds", () => {
  const waits = (isKnown: boolean) =>
    Array.from({ length: 8 }, (_, refusals) => waitForDeletion(refusals, isKnown));
  const suspected = [500, 1000, 2000];
  expect(waits(false)).toEqual([...suspected, ...Array(5).fill(undefined)]);
  expect(waits(true)).toEqual([...suspected, 4000, 8000, 16_000, 30_000, undefined]);
});
