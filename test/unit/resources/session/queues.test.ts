import { Queues } from "../../../../provider/resources/session/queues";

/** Operations that end when the test says so, and their order. */
function operations(queues: Queues) {
  const order: string[] = [];
  const ends = new Map<string, { readonly end: () => void; readonly fail: (error: Error) => void }>();
  const run = (name: string, ...words: string[]) =>
    queues.oneAtATime(words, async () => {
      order.push(`${name} begins`);
      await new Promise<void>((end, fail) => ends.set(name, { end, fail }));
      order.push(`${name} ends`);
      return name;
    });
  return { order, run, ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("operations of the same words run one after the other, also after a failure, and others beside them", async () => {
  const { order, run, ends } = operations(new Queues());
  const first = run("first", "org", "payments");
  const second = run("second", "org", "payments");
  const third = run("third", "org", "payments");
  const other = run("other", "org", "ledger");
  await settled();
  expect(order).toEqual(["first begins", "other begins"]);
  ends.get("first")?.fail(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await settled();
  ends.get("second")?.end();
  expect(await second).toBe("second");
  await settled();
  ends.get("third")?.end();
  ends.get("other")?.end();
  expect(await Promise.all([third, other])).toEqual(["third", "other"]);
  expect(order.filter((text) => !text.startsWith("other"))).toEqual([
    "first begins",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
});

test("an operation that comes while the second of its words runs waits for that one", async () => {
  const { order, run, ends } = operations(new Queues());
  const first = run("first", "org", "payments");
  const second = run("second", "org", "payments");
  await settled();
  ends.get("first")?.end();
  await first;
  await settled();
  const third = run("third", "org", "payments");
  await settled();
  expect(order).toEqual(["first begins", "first ends", "second begins"]);
  ends.get("second")?.end();
  await second;
  await settled();
  ends.get("third")?.end();
  expect(await third).toBe("third");
});
