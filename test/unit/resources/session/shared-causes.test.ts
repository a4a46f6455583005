import { refersToOther, SharedCauses } from "../../../../provider/resources/session/shared-causes";
import {
  ApiError,
  KeyRefusedError,
  PartialFailure,
  RefusedError,
  UnreachableError,
} from "../../../../provider/text/errors";

const refused = () =>
  new KeyRefusedError("The service refused API key abcdwxyz.", { status: 401 }, "Key refused");
const unreachable = () => new UnreachableError("https://om.example.com cannot be reached.");

describe("a cause that all resources share", () => {
  test("is explained by the first resource, and the others refer to it", () => {
    const causes = new SharedCauses();
    expect(causes.report(refused(), "payments")).toBe("The service refused API key abcdwxyz.");
    expect(causes.report(refused(), "tools")).toBe("Key refused: see payments.");
    expect(causes.report(refused(), "payments")).toBe("The service refused API key abcdwxyz.");
    expect(causes.report(unreachable(), "tools")).toBe("https://om.example.com cannot be reached.");
    expect(causes.report(unreachable(), "payments")).toBe("Unreachable: see tools.");
  });

  test("is found in the error that another one wraps", () => {
    const causes = new SharedCauses();
    causes.report(refused(), "payments");
    const wrapped = new RefusedError('Team "operators" cannot be found by its name.', { cause: refused() });
    expect(causes.report(wrapped, "tools")).toBe("Key refused: see payments.");
  });

  test("is explained again by the next operation", () => {
    const causes = new SharedCauses();
    causes.report(refused(), "payments");
    causes.forget();
    expect(causes.report(refused(), "tools")).toBe("The service refused API key abcdwxyz.");
  });
});

test.each([
  ["a key that was accepted before", new KeyRefusedError("No.", { status: 401 }, undefined)],
  ["another response", new ApiError("No.", { status: 403 })],
  ["a failure with a state to record", new PartialFailure("id", {}, ["No."], { cause: refused() })],
])("%s is explained for each resource", (_, error) => {
  const causes = new SharedCauses();
  causes.report(refused(), "zero");
  expect([causes.report(error, "payments"), causes.report(error, "tools")]).toEqual(["No.", "No."]);
});

test.each([
  ["Key refused: see payments.", true],
  ["Unreachable: see tools.", true],
  ["Key refused", false],
  ["Unreachable objects are deleted.", false],
  ["The service refused API key abcdwxyz.", false],
])("%s refers to another error: %s", (text, refers) => {
  expect(refersToOther(text)).toBe(refers);
});
