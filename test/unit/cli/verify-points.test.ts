import { allPoints, unobservable } from "../../../cli/verify/points";
import { switchNames } from "../../../sandbox/switches";

test("each switch of the sandbox is observed by one point, or has a reason why no client can observe it", () => {
  const named = [...Object.keys(allPoints), ...Object.keys(unobservable)];
  expect([...named].sort()).toEqual([...switchNames].sort());
  expect(Object.values(unobservable).filter((reason) => !/^[A-Z].*\.$/.test(reason))).toEqual([]);
});
