import { differencesIn } from "../../../../cli/drift/undeclared";
import { Declarations } from "../../../../cli/lib/access/declared";
import { judge, noOneOwnsAbove } from "../../../../cli/lib/access/judge";
import { accessIn, placeOfOrganization } from "../../../../cli/lib/access/live";

const orgId = "5f0000000000000000000001";
const urn =
  "urn:pulumi:prod::platform::opsmanager:index:AccessFolder$opsmanager:index:OrganizationFile::acme";
const person = (username: string, ...roles: string[]) => {
  const userId = `5f00000000000000000000${username.length}0`;
  return { status: "active", username, userId, roles, invitations: [] } as const;
};
const member = (username: string) => {
  return { type: "opsmanager:index:OrganizationMember", id: `${orgId}/${username}`, inputs: { username } };
};

it("finds owners whom neither a stack nor the program declares, and roles of which it does not know what they own", () => {
  const declared = {
    owners: new Declarations([member("ada")]),
    planned: new Declarations([member("grace")]),
    comparison: "program",
  } as const;
  const people = [
    person("ada", "ORG_OWNER"),
    person("grace", "ORG_OWNER"),
    person("reader", "ORG_READ_ONLY"),
    person("mallory", "ORG_USER_ADMIN", "ORG_MEMBER"),
    person("newcomer", "ORG_BRAND_NEW"),
  ];
  const rules = { ownsAbove: noOneOwnsAbove, ownKeys: new Set<string>(), complete: new Set([orgId]) };
  const judged = judge(declared, accessIn(placeOfOrganization(orgId), { people }), rules);
  expect(differencesIn(judged, declared, [{ urn, stack: "prod", orgId }])).toMatchObject({
    findings: [
      {
        urn,
        name: "acme",
        kind: "undeclared",
        property: "members.mallory",
        live: ["ORG_USER_ADMIN"],
        object: { what: "person", in: "organization", containerId: orgId },
      },
    ],
    undetermined: [{ what: `role ORG_BRAND_NEW in organization ${orgId}`, stack: "prod" }],
  });
});
