import { refersToOther, SharedCauses } from "../../../../provider/resources/session/shared-causes";
import {
  ApiError,
  KeyRefusedError,
  OutcomeUnknownError,
  PartialFailure,
  RefusedError,
  UnreachableError,
} from "../../../../provider/text/errors";

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

describe("an error that says more than its cause", () => {
  const lost = new OutcomeUnknownError(`Creating the key failed: ${explanation} Delete key 5e.`, {
    cause: refused(),
  });
  const partial = new PartialFailure("id", {}, [`Project 5d was created, but ${explanation}`]);

  test("loses the explanation only, where another resource has given it", () => {
    const causes = new SharedCauses();
    causes.report(refused(), payments);
    expect(causes.report(lost, tools)).toBe(
      "Creating the key failed: Key refused: see payments. Delete key 5e.",
    );
    expect(causes.report(partial, tools)).toBe("Project 5d was created, but Key refused: see payments.");
    expect(causes.report(partial, payments)).toBe(`Project 5d was created, but ${explanation}`);
  });

  test("explains the cause for the others", () => {
    const causes = new SharedCauses();
    expect(causes.report(lost, payments)).toContain(explanation);
    expect(causes.report(refused(), tools)).toBe("Key refused: see payments.");
  });

  test("does not explain it without its sentences", () => {
    const causes = new SharedCauses();
    const short = new RefusedError('Team "operators" cannot be found.', { cause: refused() });
    expect(causes.report(short, payments)).toBe('Team "operators" cannot be found.');
    expect(causes.report(refused(), tools)).toContain(explanation);
  });
});

test.each([
  ["a key that was accepted before", new KeyRefusedError("No.", { status: 401 })],
  ["another response", new ApiError("No.", { status: 403 })],
])("%s is explained for each resource", (_, error) => {
  const causes = new SharedCauses();
  causes.report(refused(), urnOf("zero"));
  expect([causes.report(error, payments), causes.report(error, tools)]).toEqual(["No.", "No."]);
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

test("a warning is given once for each cause, and again in the same words", () => {
  const causes = new SharedCauses();
  const [teams, keys] = [
    { key: "teams", name: "Teams not offered" },
    { key: "keys", name: "Keys not offered" },
  ];
  expect(causes.warning(teams, "No teams of project 1.", payments)).toBe("No teams of project 1.");
  expect(causes.warning(teams, "No teams of project 1.", tools)).toBe("No teams of project 1.");
  expect(causes.warning(teams, "No teams of project 2.", tools)).toBe("Teams not offered: see payments.");
  expect(causes.warning(keys, "No keys of project 2.", tools)).toBe("No keys of project 2.");
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
