/** Which errors refer to another one. Who explains a cause: `test/integration/faults/shared-causes.test.ts`. */
import { refersToOther, SharedCauses } from "../../../../provider/resources/session/shared-causes";
import { KeyRefusedError } from "../../../../provider/text/errors";

const explanation = "401. The service refused API key abcdwxyz.";
const keyRefused = { name: "Key refused", explanation };
const refused = (action: string) =>
  new KeyRefusedError(`${action} failed: ${explanation}`, { status: 401 }, { sharedCause: keyRefused });

test("lookups refer to each other and to resources, and resources to no lookup, whose error a program may catch", () => {
  const causes = new SharedCauses();
  const payments = "urn:pulumi:prod::platform::opsmanager:index:Project::payments";
  expect(causes.reportLookup(refused("Reading project 5e"), "getProject")).toContain(explanation);
  expect(causes.reportLookup(refused("Reading project 5d"), "getProject")).toBe(
    "Reading project 5d failed: Key refused: see getProject.",
  );
  expect(causes.report(refused("Reading project 5f"), payments)).toContain(explanation);
  expect(causes.reportLookup(refused("Listing the teams"), "getTeams")).toBe(
    "Listing the teams failed: Key refused: see payments.",
  );
  const people = payments.replace("Project::", "ProjectMembers::");
  expect(causes.report(refused("Listing the people"), people)).toBe("Key refused: see Project payments.");
});

test.each([
  { text: "Key refused: see payments.", refers: true },
  { text: "Organization 5f00000000000000000000b1 not found: see tools.", refers: true },
  { text: "Key refused", refers: false },
  { text: "Unreachable objects are deleted.", refers: false },
  { text: "Reading project 5f failed: Key refused: see payments.", refers: false },
  {
    text: "folder is not complete, because payments failed: see the message of payments.",
    refers: false,
  },
])("$text refers to another error: $refers", ({ text, refers }) => {
  expect(refersToOther(text)).toBe(refers);
});
