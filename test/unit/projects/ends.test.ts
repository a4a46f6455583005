import { asOf } from "../../../projects/as-of";
import { isOver } from "../../../projects/ends";
import { loadFiles } from "../../../projects/load";
import { folderOf, removeFolders } from "./folder";

afterEach(removeFolders);

test.each([
  ["2026-12-31", "2026-12-31T23:59:59.999Z", false],
  ["2026-12-31", "2027-01-01T00:00:00.000Z", true],
  ["2028-02-29", "2028-02-29T12:00:00.000Z", false],
  ["2026-12-31", "2027-01-01T00:30:00.000+01:00", false],
])("a day (%s) ends at 24:00 UTC: at %s over is %s", (until, now, over) => {
  expect(isOver({ until }, new Date(now))).toBe(over);
});

test("everyone may end: the people are named as ended, and other entries are left out", () => {
  const text = "name: payments\nmembers:\n  ada: { roles: [GROUP_OWNER], until: 2026-12-31 }\n";
  const root = folderOf({ "projects/payments.yaml": `${text}teams: { ops: [GROUP_READ_ONLY] }` });
  const files = loadFiles("projects", "projects", root);
  const at = (time: string) => asOf(files, new Date(time)).projects;
  const teams = { ops: ["GROUP_READ_ONLY"] };
  expect(at("2026-12-31T12:00:00Z")).toMatchObject([{ members: { ada: ["GROUP_OWNER"] }, teams }]);
  expect(at("2027-01-01T00:00:00Z")).toMatchObject([{ members: {}, endedUsers: ["ada"], teams }]);
});

test.each([
  ["members: { ada: { roles: [GROUP_OWNER], until: 2026-02-30 } }", "until must be the last day"],
  ["members: { ada: { roles: [GROUP_OWNER], until: [2026] } }", "until must be the last day"],
  ["members: { ada: { until: 2026-12-31 }, bob: [GROUP_OWNER] }", "has no roles. Add roles."],
  [
    "members: { ada: { roles: [GROUP_OWNER], untill: 2026-12-31 } }",
    "is not a property. Properties are: roles, until.",
  ],
  ["members: { ada: { roles: [] , until: 2026-12-31 } }", "must not be empty"],
])("%s is a fault with its line", (line, reason) => {
  const root = folderOf({ "projects/payments.yaml": `name: payments\n${line}` });
  expect(() => loadFiles("projects", "projects", root)).toThrow(reason);
  expect(() => loadFiles("projects", "projects", root)).toThrow("payments.yaml:2:");
});
