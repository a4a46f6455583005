/** What Pulumi YAML itself rejects. What Check rejects: `test/integration/people/check`. */

import { ada } from "../../support/people";
import { memberProgram, membersProgram } from "../support/people-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const projectId = "0123456789abcdef01234567";
const roles = ["GROUP_READ_ONLY"];

// Pulumi YAML checks programs against the package schema itself, so these end in the language's own words.
it.each([
  ["colour", memberProgram({ projectId, username: ada, roles, colour: "blue" })],
  ["roles", memberProgram({ projectId, username: ada, roles: "GROUP_OWNER" })],
  ["members", membersProgram({ projectId, members: [ada] })],
  ["maxRemovals", membersProgram({ projectId, members: { [ada]: roles }, maxRemovals: "many" })],
])(
  "a program with a value of the wrong shape is rejected by Pulumi YAML (plugin): %s",
  async (property, program) => {
    const { sandbox, stack } = await setUpStack({ program: () => program });
    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(preview.output).toContain(property);
    expect(sandbox.requests).toEqual([]);
  },
);
