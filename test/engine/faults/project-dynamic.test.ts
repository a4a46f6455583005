import { disposeEstates } from "../support/estate";
import { describeMatrix } from "./support/expected";
import { beginLife, type Life, onePerOutcome } from "./support/life";
import { operations } from "./support/project-operations";

afterAll(disposeEstates);

describe("one fault per outcome (dynamic)", () => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ door: "dynamic", group: onePerOutcome });
  });

  const played = operations.filter(({ name }) => /^(creating|updating|deleting) /.test(name));
  describeMatrix(() => life, played);
});
