/** The fault matrix with the real engine: one fault per outcome with every operation on a project. The others: test/integration/faults. */
import type { Sandbox } from "../../../sandbox";
import type { ProviderKind } from "../../support";
import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix, expectMatrix, type Operation } from "./support/expected";
import { beginLife, type Life } from "./support/life";
import { adopting, operations, secondHalf } from "./support/project-operations";

afterAll(tearDownStacks);

/** What an outcome means is shared code, so a life is played with one provider. Each provider records a project without its tag. */
const lives: readonly (readonly [ProviderKind, readonly Operation[]])[] = [
  ["plugin", [...operations, secondHalf]],
  ["dynamic", [secondHalf]],
];

describe.each(lives)("one fault per outcome (%s)", (provider, played) => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ provider });
  });

  describeMatrix(() => life, played);
});

it("adopting a project matches the matrix (plugin)", async () => {
  const makes = (sandbox: Sandbox, name: string) => sandbox.addProject({ name });
  const life = await beginLife({ provider: "plugin", makes });
  await expectMatrix(life, adopting);
});
