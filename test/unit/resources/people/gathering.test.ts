/** How long an operation on people waits for others, so that they share one read. */
import { Gathering } from "../../../../provider/resources/people/gathering";
import { settled } from "../../transport/fake-wire";

const never = new AbortController().signal;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ["setImmediate"] }));
afterEach(() => void jest.useRealTimers());

/** How long the last of these operations waits, in milliseconds; at most 1000. */
async function waitOf(begun: number, age: number, underWay = begun): Promise<number> {
  const gathering = new Gathering();
  for (let index = 0; index < begun - underWay; index += 1) await gathering.during(async () => {});
  for (let index = 0; index < underWay; index += 1) void gathering.during(() => new Promise(() => {}));
  let isOver = false;
  void gathering.wait(age, never).then(() => {
    isOver = true;
  });
  await settled();
  let waited = 0;
  for (; !isOver && waited < 1000; waited += 1) {
    jest.advanceTimersByTime(1);
    await settled();
  }
  return waited;
}

test.each([
  ["does not wait while no more than four have begun", 4, 0, 0],
  ["waits until the latest read is 250 milliseconds old", 5, 0, 250],
  ["waits for what is left of 250 milliseconds", 5, 240, 10],
  ["does not wait if the latest read is 250 milliseconds old", 5, 250, 0],
])("an operation %s", async (_, begun, age, expected) => {
  expect(await waitOf(begun, age)).toBe(expected);
});

test("an operation counts others that are over", async () => {
  expect(await waitOf(5, 200, 1)).toBe(50);
});
