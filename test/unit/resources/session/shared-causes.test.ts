import { refersToOther, SharedCauses } from "../../../../provider/resources/session/shared-causes";
import { KeyRefusedError, UnreachableError } from "../../../../provider/text/errors";

const urnOf = (name: string) => `urn:pulumi:prod::platform::opsmanager:index:Project::${name}`;
const [payments, tools] = [urnOf("payments"), urnOf("tools")];

const explanation = "401. The service refused API key abcdwxyz.";
const keyRefused = { name: "Key refused", explanation };
const refused = (action = "Reading project 5f") =>
  new KeyRefusedError(`${action} failed: ${explanation}`, { status: 401 }, { sharedCause: keyRefused });
const unreachable = () => new UnreachableError("https://om.example.com cannot be reached.");

describe("a cause that all resources share", () => {
  test("is explained by the first resource, and the others refer to it", () => {
    const causes = new SharedCauses();
    expect(causes.report(refused(), payments)).toBe(`Reading project 5f failed: ${explanation}`);
    expect(causes.report(refused(), tools)).toBe("Key refused: see payments.");
    expect(causes.report(refused(), payments)).toBe(`Reading project 5f failed: ${explanation}`);
    expect(causes.report(unreachable(), tools)).toBe("https://om.example.com cannot be reached.");
    expect(causes.report(unreachable(), payments)).toBe("Unreachable: see tools.");
    expect(causes.report(unreachable(), "Project 5f")).toBe("Unreachable: see tools.");
  });

  test("is explained again by the next operation", () => {
    const causes = new SharedCauses();
    causes.report(refused(), payments);
    causes.forget();
    expect(causes.report(refused(), tools)).toContain(explanation);
  });
});

test("lookups refer to each other and to resources, and resources to no lookup, whose error a program may catch", () => {
  const causes = new SharedCauses();
  expect(causes.reportLookup(refused("Reading project 5e"), "getProject")).toContain(explanation);
  expect(causes.reportLookup(refused("Reading project 5d"), "getProject")).toBe(
    "Reading project 5d failed: Key refused: see getProject.",
  );
  expect(causes.report(refused(), payments)).toContain(explanation);
  expect(causes.reportLookup(refused("Listing the teams"), "getTeams")).toBe(
    "Listing the teams failed: Key refused: see payments.",
  );
});

test.each([
  ["Key refused: see payments.", true],
  ["Organization 5f00000000000000000000b1 not found: see tools.", true],
  ["Key refused", false],
  ["Unreachable objects are deleted.", false],
  ["Reading project 5f failed: Key refused: see payments.", false],
  ["folder is not complete, because payments failed: see the message of payments.", false],
])("%s refers to another error: %s", (text, refers) => {
  expect(refersToOther(text)).toBe(refers);
});
