import { isOver } from "../../../projects/ends";
import { loadFiles } from "../../../projects/load";
import { folderOf, removeFolders } from "./folder";

afterEach(removeFolders);

it.each([
  { until: "2026-12-31", now: "2026-12-31T23:59:59.999Z", over: false },
  { until: "2026-12-31", now: "2027-01-01T00:00:00.000Z", over: true },
  { until: "2028-02-29", now: "2028-02-29T12:00:00.000Z", over: false },
  { until: "2026-12-31", now: "2027-01-01T00:30:00.000+01:00", over: false },
])("a day ($until) ends at 24:00 UTC: at $now over is $over", ({ until, now, over }) => {
  expect(isOver({ until }, new Date(now))).toBe(over);
});

it.each([
  { ada: "{ roles: [GROUP_OWNER], until: 2026-02-30 }", reason: "such as 2026-12-31, not 2026-02-30." },
  { ada: "{ roles: [GROUP_OWNER], until: [2026] }", reason: "until must be the last day" },
  { ada: "{ until: 2026-12-31 }", reason: "has no roles. Add roles." },
  {
    ada: "{ roles: [GROUP_OWNER], untill: 2026-12-31 }",
    reason: "untill is not a property. Did you mean until?",
  },
  {
    ada: "{ role: [GROUP_OWNER], until: 2026-12-31 }",
    reason: "role is not a property. Did you mean roles?",
  },
  { ada: "{ roles: [GROUP_OWNER], last: 2026-12-31 }", reason: "Properties are: roles, until." },
  { ada: "{ roles: [] , until: 2026-12-31 }", reason: "must not be empty" },
])("$ada is a fault with its line", ({ ada, reason }) => {
  const root = folderOf({ "projects/payments.yaml": `name: payments\nmembers: { ada: ${ada} }` });
  expect(() => loadFiles(".", root)).toThrow(reason);
  expect(() => loadFiles(".", root)).toThrow("payments.yaml:2:");
  // An entry without its value leaves no empty list.
  expect(() => loadFiles(".", root)).toThrow("There is a fault in the files");
});
