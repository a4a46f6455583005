import {
  pauseUnlessCanceled,
  waitForDeletion,
  whileRefused,
} from "../../../../provider/resources/session/pause";

const { signal } = new AbortController();

test("an attempt is repeated while a wait is given for its error, and its value is returned", async () => {
  const asked: [string, number][] = [];
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error(`refusal ${attempts}`);
    return "done";
  };
  const waitOf = (error: unknown, refusals: number) => {
    asked.push([(error as Error).message, refusals]);
    return 0;
  };
  expect(await whileRefused(attempt, waitOf, signal)).toBe("done");
  expect(asked).toEqual([
    ["refusal 1", 0],
    ["refusal 2", 1],
  ]);
});

test("an error without a wait ends the attempts", async () => {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    throw new Error("No.");
  };
  await expect(whileRefused(attempt, async () => undefined, signal)).rejects.toThrow("No.");
  expect(attempts).toBe(1);
});

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
