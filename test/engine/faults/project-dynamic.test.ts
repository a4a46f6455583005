import { tearDownStacks } from "../support/stack-setup";
import { describeMatrix } from "./support/expected";
import { beginLife, type Life, onePerOutcome } from "./support/life";
import { operations } from "./support/project-operations";

afterAll(tearDownStacks);

describe("one fault per outcome (dynamic)", () => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ provider: "dynamic", group: onePerOutcome });
  });

  const played = operations.filter(({ name }) => /^(creating|updating|deleting) /.test(name));
  describeMatrix(() => life, played);
});
