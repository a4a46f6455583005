/** The fault matrix with the real engine: every fault meets every operation on a project. */
import type { Sandbox } from "../../sandbox";
import { disposeEstates } from "../support/estate";
import { describeMatrix, expectMatrix } from "./support/expected";
import { beginLife, groups, type Life } from "./support/life";
import { adopting, oneRequest, operations } from "./support/project-operations";

afterAll(disposeEstates);

describe.each(groups)("$name (plugin)", (group) => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ door: "plugin", group });
  });

  // A read that is repeated has one outcome, whichever fault it met: test/integration/faults has those that spread.
  const played = group.oneByOne
    ? operations.filter(({ name }) => !/^(reading|refreshing) /.test(name))
    : operations;
  describeMatrix(() => life, played);
});

it("adopting a project comes to what the matrix says: faults of one request (plugin)", async () => {
  const makes = (sandbox: Sandbox, name: string) => sandbox.addProject({ name });
  const life = await beginLife({ door: "plugin", group: oneRequest, makes });
  await expectMatrix(life, adopting);
});
