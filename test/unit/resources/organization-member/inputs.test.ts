import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { check as checkOrganizationMember } from "../../../../provider/resources/organization-member/inputs";
import { checker, newSession, urnOf } from "../checker";
import { orgId } from "../people/service";
import { ada, inputs, roles } from "./ada";

const check = checker("OrganizationMember", checkOrganizationMember);
const otherOrganization = "5f00000000000000000000b2";

test("the canonical form has the ID in lower case and sorted roles, and keeps the name as it is written", () => {
  const given = {
    orgId: orgId.toUpperCase(),
    username: "Ada@Example.com",
    roles: ["ORG_OWNER", "ORG_MEMBER"],
  };
  expect(check(given)).toEqual({
    inputs: { orgId, username: "Ada@Example.com", roles: ["ORG_MEMBER", "ORG_OWNER"] },
    failures: [],
    reasons: [],
    warnings: [],
  });
});

test("a role that is not known here is taken, with a warning", () => {
  expect(check({ ...inputs, roles: ["ORG_BRAND_NEW", "ORG_MEMBER"] })).toMatchObject({
    failures: [],
    warnings: [
      'Role "ORG_BRAND_NEW" is not an organization role known to this version; it is sent as it is.',
    ],
  });
});

test("a fault of the inputs is all that is reported, and inputs with a fault declare no one", () => {
  const session = newSession();
  const faulty = { ...inputs, roles: ["ORG_BRAND_NEW", "GROUP_OWNER"] };
  expect(check(faulty, session, "one")).toMatchObject({
    failures: [
      {
        property: "roles",
        reason:
          'roles holds "GROUP_OWNER", which is a role of a project, not of an organization. The roles are ORG_BILLING_ADMIN, ORG_GROUP_CREATOR, ORG_MEMBER, ORG_OWNER, ORG_READ_ONLY.',
      },
    ],
    warnings: [],
  });
  expect(check(inputs, session, "other").failures).toEqual([]);
  expect(check(faulty, session, "third").failures).toHaveLength(1);
  expect(check({ ...faulty, roles: [] }, session, "third").reasons).toEqual([
    "roles must not be empty: a person without a role is not in the organization.",
  ]);
});

test("two resources of one person fail, whatever the case of the name", () => {
  const session = newSession();
  expect(check(inputs, session, "one").failures).toEqual([]);
  expect(check(inputs, session, "one").failures).toEqual([]);
  const username = "ADA@Example.com";
  expect(check({ ...inputs, username }, session, "other")).toMatchObject({
    inputs: { orgId, username, roles },
    failures: [
      {
        property: "",
        reason: `${username} in organization ${orgId} is declared by ${urnOf("OrganizationMember", "one")} already: each would revert the other's changes. Remove one of them from the program.`,
      },
    ],
  });
});

test.each<[string, Properties]>([
  ["the name is of another person", { username: "bob@example.com" }],
  ["the name is not known", { username: UNKNOWN }],
  ["the organization is another one", { orgId: otherOrganization }],
  ["the organization is not known", { orgId: UNKNOWN }],
])("a second resource is no fault if %s", (_, given) => {
  const session = newSession();
  check(inputs, session, "one");
  expect(check({ ...inputs, ...given }, session, "other").failures).toEqual([]);
});

test("without a URN, two declarations of one person are no fault: they may be the same resource", () => {
  const session = newSession();
  const log = { info: () => undefined, warn: () => undefined };
  for (const urn of [`organization member ${ada}`, "organization member"])
    expect(checkOrganizationMember({ inputs, context: { session, urn, log } }).failures).toEqual([]);
});
