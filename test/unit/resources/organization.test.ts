import { withOrganization } from "../../../provider/resources/contract/organization";
import { type Properties, UNKNOWN } from "../../../provider/resources/contract/values";
import { newSession } from "./checker";

const [setting, another] = ["a", "b"].map((digit) => digit.repeat(24)) as [string, string];

test.each<[string, Properties, Properties, unknown]>([
  ["is the organization of inputs that name none", { name: "payments" }, {}, setting],
  ["gives way to the organization of the program", { orgId: another }, {}, another],
  ["gives way to one that is not known yet", { orgId: UNKNOWN }, {}, UNKNOWN],
  ["does not apply to an adopted project", { projectId: another }, {}, undefined],
  ["leaves a resource in its recorded organization", { name: "payments" }, { orgId: another }, another],
])("the setting orgId %s", (_, inputs, recorded, orgId) => {
  expect(withOrganization(inputs, newSession({ orgId: setting }), recorded).orgId).toEqual(orgId);
});

test("without the setting, a resource must name its organization", () => {
  expect(withOrganization({ name: "payments" }, newSession(), { orgId: another }).orgId).toBeUndefined();
});
