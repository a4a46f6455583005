/** Which roles own projects, and which of them this version knows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  countsInEachProject,
  owningRights,
  ownsFromAbove,
  type RoleAbove,
  unknownRights,
} from "../../../provider/access/rights";
import { organizationRoles, projectRoles } from "../../../provider/resources/contract/roles";
import { globalRoleNames, orgRoleNames, projectRoleNames } from "../../../sandbox/model";
import { repositoryRoot } from "../../support/repository";

it("knows what each role allows that resources suggest or the sandbox has, and no other", () => {
  const suggested = [projectRoles, organizationRoles].flatMap(({ names }) => Object.keys(names));
  const known = [...suggested, ...projectRoleNames, ...orgRoleNames, ...globalRoleNames];
  expect(unknownRights(known)).toEqual([]);
  const others = ["GROUP_OF_A_LATER_VERSION", "ORG_OWNERS", "group_owner", "constructor", ""];
  expect(unknownRights(others)).toEqual(others);
});

it("knows of each role outside of projects whether it counts in those below, as the page of the documents says", () => {
  const page = readFileSync(join(repositoryRoot, "docs", "roles.md"), "utf8");
  const [listed = ""] = page.split("other roles of an organization reach only");
  for (const role of [...Object.keys(organizationRoles.names), ...orgRoleNames, ...globalRoleNames])
    expect([role, countsInEachProject(role)]).toEqual([role, listed.includes(`\`${role}\``)]);
  for (const role of projectRoleNames) expect(countsInEachProject(role)).toBe(false);
  expect(countsInEachProject("ORG_OF_A_LATER_VERSION")).toBe("unknown");
});

it("has each role once, and says where that is documented", () => {
  const roles = owningRights.map(({ role }) => role);
  expect(new Set(roles).size).toBe(roles.length);
  for (const { source } of owningRights) expect(source).toMatch(/page/);
});

it.each<[boolean, RoleAbove[]]>([
  [
    true,
    [
      { role: "ORG_MEMBER", orgId: "org" },
      { role: "ORG_OWNER", orgId: "org" },
    ],
  ],
  [true, [{ role: "GLOBAL_OWNER" }]],
  [false, [{ role: "ORG_OWNER", orgId: "other" }]],
  [false, [{ role: "ORG_OWNER" }]],
  [false, [{ role: "GLOBAL_OWNER", orgId: "org" }]],
  [false, [{ role: "ORG_USER_ADMIN", orgId: "org" }, { role: "GLOBAL_USER_ADMIN" }]],
  [false, [{ role: "GROUP_OWNER", orgId: "org" }]],
  [false, []],
])("whether a holder owns all projects of the organization is %s with %j", (expected, rolesAbove) => {
  expect(ownsFromAbove(rolesAbove, "org")).toBe(expected);
  expect(
    ownsFromAbove(
      rolesAbove.filter(({ orgId }) => orgId !== undefined),
      undefined,
    ),
  ).toBe(false);
});
