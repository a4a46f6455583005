/** The fault matrix with the real engine: one fault per outcome with every operation on a project. */
import type { Sandbox } from "../../../sandbox";
import { bothProviders } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix, expectMatrix } from "./support/expected";
import { beginLife, type Life } from "./support/life";
import { adopting, operations } from "./support/project-operations";

afterAll(tearDownStacks);

describe.each(bothProviders)("one fault per outcome (%s)", (provider) => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ provider });
  });

  describeMatrix(() => life, operations);
});

it("adopting a project matches the matrix (plugin)", async () => {
  const makes = (sandbox: Sandbox, name: string) => sandbox.addProject({ name });
  const life = await beginLife({ provider: "plugin", makes });
  await expectMatrix(life, adopting);
});
