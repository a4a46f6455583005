/** What the service refuses: status and error code for each body. A refused request changes nothing. */
import type { SandboxOptions } from "../../../sandbox";
import { outcome } from "./client";
import { scenes } from "./scene";

const start = scenes();

type Refusals = Readonly<Record<string, readonly (readonly [body: unknown, is: string])[]>>;

const member = (...roleNames: string[]) => ({
  id: "{member}",
  roles: roleNames.map((roleName) => ({ roleName })),
});
const teams = (...roleNames: string[]) => [{ teamId: "{team}", roleNames }];
const mapping = (roleName: string, ldapGroups = ["cn=a"]) => ({ roleName, ldapGroups });
const mappings = (...ldapGroupMappings: unknown[]) => ({ ldapGroupMappings });
const orgRoles = ["ORG_MEMBER"];
const username = "more@example.com";
const ip = { ipAddress: "192.0.2.7" };

const offered: Refusals = {
  "POST /groups": [
    [{ name: " " }, "400 INVALID_GROUP_NAME"],
    [{ name: "10gen-x" }, "400 INVALID_GROUP_NAME_10GEN"],
    [{}, "400 MISSING_ATTRIBUTE"],
    [{ name: 1 }, "400 INVALID_ATTRIBUTE"],
    [{ name: "a", colour: "red" }, "400 INVALID_ATTRIBUTE"],
  ],
  "PATCH /groups/{project}": [
    [{ activeAgentCount: 3 }, "400 ATTRIBUTE_READ_ONLY"],
    [{ id: "{org}", tags: [] }, "400 GROUP_MISMATCH"],
    ["{", "400 INVALID_JSON"],
    [{ name: "x".repeat(1024 * 1024) }, "413"],
    [{ tags: ["a b"] }, "400 INVALID_GROUP_TOKEN"],
  ],
  "GET /groups/short": [[undefined, "404 INVALID_GROUP_ID"]],
  "GET /groups?itemsPerPage=501": [[undefined, "400 INVALID_QUERY_PARAMETER"]],
  "DELETE /groups": [[undefined, "405"]],
  "POST /groups/{project}/users": [
    [[member()], "400 INVALID_GROUP_ROLE_UPDATE"],
    [[member("GLOBAL_OWNER")], "403 CANNOT_ADD_GLOBAL_ROLE"],
    [[member("GROUP_KING")], "400 INVALID_ENUM_VALUE"],
    [[{ ...member("GROUP_OWNER"), id: "x" }], "404 INVALID_USER_ID"],
  ],
  "DELETE /groups/{project}/users/{outsider}": [[undefined, "404 USER_NOT_IN_GROUP"]],
  "PATCH /users/{owner}": [
    [{ roles: [{ orgId: "{org}", roleName: "ORG_OWNER" }] }, "403 CANNOT_DEMOTE_LAST_OWNER"],
    [{ roles: [{ groupId: "{project}", roleName: "GROUP_OWNER" }] }, "403 CANNOT_DEMOTE_LAST_ORG_OWNER"],
  ],
  "POST /groups/{project}/invites": [
    [{ username, roles: [] }, "400 INVALID_GROUP_ROLE_UPDATE"],
    [{ username, roles: orgRoles }, "400 INVALID_ROLE_FOR_GROUP"],
  ],
  "DELETE /orgs/{org}/users/{outsider}": [[undefined, "404 USER_NOT_IN_ORG"]],
  "PUT /orgs/{org}/users/{owner}/roles": [
    [{ orgRoles }, "403 CANNOT_DEMOTE_LAST_ORG_OWNER"],
    [{ orgRoles: ["GROUP_OWNER"] }, "400 ROLE_NEEDS_GROUP_ID"],
  ],
  "POST /orgs/{org}/invites": [[{ username, roles: ["GLOBAL_OWNER"] }, "403 CANNOT_ADD_GLOBAL_ROLE"]],
  "POST /orgs/{org}/teams": [[{ name: " " }, "400 INVALID_TEAM_NAME"]],
  "GET /orgs/{org}/teams/byName/x": [[undefined, "404 TEAM_NAME_NOT_FOUND"]],
  "POST /orgs/{org}/teams/{team}/users": [[[{ id: "{ann}" }], "409 USER_ALREADY_IN_TEAM"]],
  "POST /groups/{project}/teams": [
    [teams(), "403 NO_ROLES_IN_ASSIGNMENT"],
    [teams("ORG_MEMBER"), "400 INVALID_ROLE_FOR_GROUP"],
  ],
  "POST /groups/{project}/agentapikeys": [[{ desc: "a".repeat(1001) }, "400 INVALID_ATTRIBUTE"]],
  "POST /orgs/{org}/apiKeys": [[{ desc: "a".repeat(251), roles: orgRoles }, "400 INVALID_ATTRIBUTE"]],
  "POST /orgs/{org}/apiKeys/{apiKey}/accessList": [
    [[{ ...ip, cidrBlock: "192.0.2.0/24" }], "400 BAD_ACCESS_LIST_ADD_REQUEST"],
    [[ip, { cidrBlock: "192.0.2.7/32" }], "400 DUPLICATE_ADDRESSES_IN_INPUT"],
  ],
};

const ofLdap: Refusals = {
  "POST /orgs/{org}/teams": [[{ name: "a" }, "409 CANNOT_CREATE_TEAM_WITH_LDAP_ENABLED"]],
  "PATCH /groups/{project}": [
    [mappings(mapping("GROUP_OWNER"), mapping("GROUP_OWNER")), "400 DUPLICATE_ROLE_ENTRY_IN_LDAP_MAPPING"],
    [mappings(mapping("GROUP_OWNER", [])), "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING"],
  ],
};

describe.each<{ set: SandboxOptions; refusals: Refusals }>([
  { set: { orgUserChanges: "offered" }, refusals: offered },
  { set: { ldap: true }, refusals: ofLdap },
])("with $set", ({ set, refusals }) => {
  test.each(Object.entries(refusals))("%s", async (request, cases) => {
    const { sandbox, ask } = await start(set);
    const before = JSON.stringify(sandbox.state);
    for (const [body, is] of cases) {
      expect({ body, is: outcome(await ask(request, body)) }).toEqual({ body, is });
    }
    expect(JSON.stringify(sandbox.state)).toBe(before);
  });
});

test("more than 250 people of a team", async () => {
  const { sandbox, ids, ask } = await start();
  const [one, ...others] = Array.from({ length: 251 }, (_, index) =>
    sandbox.setOrgMember(sandbox.orgId, { username: `p${index}@example.com` }, orgRoles),
  );
  sandbox.changeTeam(ids.team ?? "", { userIds: others.map(({ id }) => id) });
  const response = await ask("POST /orgs/{org}/teams/{team}/users", [{ id: one?.id }]);
  expect(outcome(response)).toBe("400 MAX_USERS_PER_TEAM_EXCEEDED");
});
