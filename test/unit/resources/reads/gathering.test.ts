/** How long an operation on people waits for others, so that they share one read. */
import { Gathering } from "../../../../provider/resources/reads/gathering";
import { shortWaits } from "../../../integration/short-waits";

const never = new AbortController().signal;

/** The waits of the last of these operations, in milliseconds. */
async function waitsOf(begun: number, age: number, underWay = begun): Promise<number[]> {
  const gathering = new Gathering();
  for (let index = 0; index < begun - underWay; index += 1) await gathering.during(async () => {});
  for (let index = 0; index < underWay; index += 1) void gathering.during(() => new Promise(() => {}));
  const waits = shortWaits();
  await gathering.wait(age, never);
  return waits;
}

test.each([
  ["does not wait while no more than four have begun", 4, 0, []],
  ["waits until the latest read is 250 milliseconds old", 5, 0, [250]],
  ["waits for what is left of 250 milliseconds", 5, 240, [10]],
  ["does not wait if the latest read is 250 milliseconds old", 5, 250, []],
])("an operation %s", async (_, begun, age, expected) => {
  expect(await waitsOf(begun, age)).toEqual(expected);
});

test("an operation counts others that are over", async () => {
  expect(await waitsOf(5, 200, 1)).toEqual([50]);
});
