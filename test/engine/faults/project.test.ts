/** The fault matrix with the real engine: every fault with every operation on a project. */
import type { Sandbox } from "../../../sandbox";
import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix, expectMatrix } from "./support/expected";
import { beginLife, groups, type Life, oneRequest, playedBy } from "./support/life";
import { adopting, operations } from "./support/project-operations";

afterAll(tearDownStacks);

describe.each(groups)("$name (plugin)", (group) => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ provider: "plugin", group });
  });

  describeMatrix(() => life, playedBy(operations, group, "plugin"));
});

it("adopting a project matches the matrix: faults of one request (plugin)", async () => {
  const makes = (sandbox: Sandbox, name: string) => sandbox.addProject({ name });
  const life = await beginLife({ provider: "plugin", group: oneRequest, makes });
  await expectMatrix(life, adopting);
});
