/** The reasons with which Check rejects an input of the wrong type. */

import type { Value } from "../../../../provider/resources/contract/values";
import { check as checkProject } from "../../../../provider/resources/project/inputs";
import { checker } from "../checker";

const creating = { orgId: "5f00000000000000000000b1", name: "payments" };

const check = checker("Project", checkProject);

test.each<[string, Value, string]>([
  ["projectId", 5, "must be text."],
  ["projectId", "example", "must be the id of a project: 24 hexadecimal digits."],
  ["orgId", "example", "must be the id of an organization: 24 hexadecimal digits."],
  ["name", 5, "must be text."],
  ["tags", "PROD", "must be a list."],
  ["ldapGroupMappings", "GROUP_OWNER", "must be a list."],
  ["ignoreTags", "AUTO_*", "must be a list."],
  ["onDestroy", "forget", 'must be "delete" or "release".'],
])("%s: %j is rejected with its reason", (property, value, rest) => {
  expect(check({ ...creating, [property]: value }).failures).toEqual([
    { property, reason: `${property} ${rest}` },
  ]);
});
