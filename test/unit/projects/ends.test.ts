import { asOf, isOver } from "../../../projects/ends";
import { organizationKind } from "../../../projects/organization-file";
import { organizationFileJsonSchema, projectFileJsonSchema, teamFileJsonSchema } from "../../../projects/json-schema";
import { loadFiles } from "../../../projects/load";
import { folderOf } from "./folder";

test.each([
  ["2026-12-31", "2026-12-31T23:59:59.999Z", false],
  ["2026-12-31", "2027-01-01T00:00:00.000Z", true],
  ["2028-02-29", "2028-02-29T12:00:00.000Z", false],
  ["2026-12-31", "2027-01-01T00:30:00.000+01:00", false],
])("a day (%s) ends at 24:00 UTC: at %s over is %s", (until, now, over) => {
  expect(isOver({ until }, new Date(now))).toBe(over);
});
