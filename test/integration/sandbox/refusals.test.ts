/** What the service refuses: status and error code for each body. A refused request changes nothing. */
import type { SandboxOptions } from "../../../sandbox";
import { outcome } from "./client";
import { scenes } from "./scene";

const start = scenes();

type Refusals = Readonly<Record<string, readonly (readonly [body: unknown, is: string])[]>>;

function refuses(options: SandboxOptions, refusals: Refusals): void {
  test.each(Object.entries(refusals))("%s", async (request, cases) => {
    const { sandbox, ask } = await start(options);
    const before = JSON.stringify(sandbox.state);
    for (const [body, is] of cases) {
      expect({ body, is: outcome(await ask(request, body)) }).toEqual({ body, is });
    }
    expect(JSON.stringify(sandbox.state)).toBe(before);
  });
}

const member = (...roleNames: string[]) => ({
  id: "{member}",
  roles: roleNames.map((roleName) => ({ roleName })),
});
const orgRoles = ["ORG_MEMBER"];
const newName = { username: "more@example.com" };
const ip = { ipAddress: "192.0.2.7" };
const readOnlyField = "400 ATTRIBUTE_READ_ONLY";
const tooMany = Array.from({ length: 11 }, (_, index) => `T${index}`);

const projectRoles = [
  [[], "403 NO_ROLES_IN_ASSIGNMENT"],
  [["ORG_MEMBER"], "400 INVALID_ROLE_FOR_GROUP"],
  [["GLOBAL_OWNER"], "403 CANNOT_ADD_GLOBAL_ROLE"],
  [["GROUP_NONE"], "400 INVALID_ENUM_VALUE"],
] as const;

describe("about projects", () => {
  refuses(
    {},
    {
      "POST /groups": [
        [{ name: " " }, "400 INVALID_GROUP_NAME"],
        [{ name: "10gen-x" }, "400 INVALID_GROUP_NAME_10GEN"],
        [{}, "400 MISSING_ATTRIBUTE"],
        [{ name: 1 }, "400 INVALID_ATTRIBUTE"],
        [{ name: "a", colour: "red" }, "400 INVALID_ATTRIBUTE"],
      ],
      "PATCH /groups/{project}": [
        [{ activeAgentCount: 3 }, readOnlyField],
        [{ id: "{org}", tags: [] }, "400 GROUP_MISMATCH"],
        ["{", "400 INVALID_JSON"],
        [{ name: "x".repeat(1024 * 1024) }, "413"],
        [{ tags: tooMany }, "400 TOO_MANY_GROUP_TOKENS"],
        [{ tags: ["a b"] }, "400 INVALID_GROUP_TOKEN"],
      ],
      "GET /groups/short": [[undefined, "404 INVALID_GROUP_ID"]],
      "GET /groups?itemsPerPage=501": [[undefined, "400 INVALID_QUERY_PARAMETER"]],
      "GET /groups//": [[undefined, "404 RESOURCE_NOT_FOUND"]],
      "DELETE /groups": [[undefined, "405"]],
    },
  );
});

describe("about mappings of LDAP groups", () => {
  const mapping = (roleName: string, ldapGroups = ["cn=a"]) => ({ roleName, ldapGroups });
  const refused = (...ldapGroupMappings: unknown[]) => ({ ldapGroupMappings });
  refuses(
    { ldap: true },
    {
      "POST /orgs/{org}/teams": [[{ name: "a" }, "409 CANNOT_CREATE_TEAM_WITH_LDAP_ENABLED"]],
      "PATCH /groups/{project}": [
        [refused(mapping("GROUP_OWNER"), mapping("GROUP_OWNER")), "400 DUPLICATE_ROLE_ENTRY_IN_LDAP_MAPPING"],
        [refused(mapping("GROUP_OWNER", [])), "400 MISSING_ROLE_ENTRY_IN_LDAP_MAPPING"],
        [refused(mapping("ORG_OWNER")), "400 INVALID_ROLE_FOR_GROUP"],
        [refused({ ldapGroups: ["x"] }), "400 MISSING_ATTRIBUTE"],
      ],
    },
  );
});

describe("about people and invitations", () => {
  refuses(
    { orgUserChanges: "offered" },
    {
      "POST /groups/{project}/users": [
        [[member()], "400 INVALID_GROUP_ROLE_UPDATE"],
        [[member("GLOBAL_OWNER")], "403 CANNOT_ADD_GLOBAL_ROLE"],
        [[member("GROUP_KING")], "400 INVALID_ENUM_VALUE"],
        [[{ ...member("GROUP_OWNER"), id: "x" }], "404 INVALID_USER_ID"],
        [
          [{ id: "{member}", roles: [{ groupId: "{other}", roleName: "GROUP_OWNER" }] }],
          "400 INVALID_ATTRIBUTE",
        ],
      ],
      "DELETE /groups/{project}/users/{outsider}": [[undefined, "404 USER_NOT_IN_GROUP"]],
      "PATCH /users/{owner}": [
        [{ roles: [{ orgId: "{org}", roleName: "ORG_OWNER" }] }, "403 CANNOT_DEMOTE_LAST_OWNER"],
        [{ roles: [{ groupId: "{project}", roleName: "GROUP_OWNER" }] }, "403 CANNOT_DEMOTE_LAST_ORG_OWNER"],
      ],
      "PATCH /users/{member}": [[{ roles: [{ roleName: "GLOBAL_OWNER" }] }, "403 CANNOT_ADD_GLOBAL_ROLE"]],
      "POST /groups/{project}/invites": [
        [{ ...newName, roles: [] }, "400 INVALID_GROUP_ROLE_UPDATE"],
        [{ ...newName, roles: orgRoles }, "400 INVALID_ROLE_FOR_GROUP"],
      ],
    },
  );
});

describe("about an organization, its teams and keys", () => {
  refuses(
    { orgUserChanges: "offered" },
    {
      "PATCH /orgs/{org}": [[{ name: " " }, "400 INVALID_ATTRIBUTE"]],
      "DELETE /orgs/{org}/users/{outsider}": [[undefined, "404 USER_NOT_IN_ORG"]],
      "PUT /orgs/{org}/users/{owner}/roles": [
        [{ orgRoles }, "403 CANNOT_DEMOTE_LAST_ORG_OWNER"],
        [{ orgRoles: ["GROUP_OWNER"] }, "400 ROLE_NEEDS_GROUP_ID"],
      ],
      "POST /orgs/{org}/invites": [[{ ...newName, roles: ["GLOBAL_OWNER"] }, "403 CANNOT_ADD_GLOBAL_ROLE"]],
      "POST /orgs/{org}/teams": [
        [{ name: " " }, "400 INVALID_TEAM_NAME"],
        [{}, "400 MISSING_ATTRIBUTE"],
      ],
      "GET /orgs/{org}/teams/byName/x": [[undefined, "404 TEAM_NAME_NOT_FOUND"]],
      "POST /orgs/{org}/teams/{team}/users": [[[{ id: "{ann}" }], "409 USER_ALREADY_IN_TEAM"]],
      "POST /groups/{project}/teams": [
        ...projectRoles.map(([roleNames, is]) => [[{ teamId: "{team}", roleNames }], is] as const),
      ],
      "POST /groups/{project}/agentapikeys": [[{ desc: "a".repeat(1001) }, "400 INVALID_ATTRIBUTE"]],
      "POST /orgs/{org}/apiKeys": [
        [{ roles: orgRoles }, "400 MISSING_ATTRIBUTE"],
        [{ desc: "a".repeat(251), roles: orgRoles }, "400 INVALID_ATTRIBUTE"],
      ],
      "PATCH /groups/{project}/apiKeys/{apiKey}": [[{ roles: ["ORG_OWNER"] }, "400 INVALID_ROLE_FOR_GROUP"]],
      "POST /orgs/{org}/apiKeys/{apiKey}/accessList": [
        [[{ ...ip, cidrBlock: "192.0.2.0/24" }], "400 BAD_ACCESS_LIST_ADD_REQUEST"],
        [[ip, { cidrBlock: "192.0.2.7/32" }], "400 DUPLICATE_ADDRESSES_IN_INPUT"],
        [[{ ipAddress: "nowhere" }], "400 INVALID_ATTRIBUTE"],
      ],
      "GET /orgs/{org}/apiKeys/{apiKey}/accessList/192.0.2.7": [
        [undefined, "404 API_KEY_ACCESS_LIST_NOT_FOUND"],
      ],
    },
  );
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
