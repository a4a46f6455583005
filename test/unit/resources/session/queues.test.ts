import { Queues } from "../../../../provider/resources/session/queues";

/** Operations that end when the test says so, and their order. */
function operations() {
  const queues = new Queues();
  const order: string[] = [];
  const ends = new Map<string, { readonly end: () => void; readonly fail: (error: Error) => void }>();
  const run = (name: string, ...words: string[]) =>
    queues.oneAtATime(words, async () => {
      order.push(`${name} begins`);
      await new Promise<void>((end, fail) => ends.set(name, { end, fail }));
      order.push(`${name} ends`);
      return name;
    });
  return { order, run, ends, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

test("operations of the same words run one after the other, also after a failure, and others beside them", async () => {
  const { order, run, ends, settled } = operations();
  const [first, second] = [run("first", "org", "payments"), run("second", "org", "payments")];
  const other = run("other", "org", "ledger");
  await settled();
  expect(order.splice(0)).toEqual(["first begins", "other begins"]);
  ends.get("first")?.fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await settled();
  // It comes while the second one of its words runs.
  const third = run("third", "org", "payments");
  await settled();
  expect(order.splice(0)).toEqual(["second begins"]);
  ends.get("second")?.end();
  expect(await second).toBe("second");
  await settled();
  ends.get("third")?.end();
  ends.get("other")?.end();
  expect(await Promise.all([third, other])).toEqual(["third", "other"]);
  expect(order).toEqual(["second ends", "third begins", "third ends", "other ends"]);
});
