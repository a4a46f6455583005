import { hasRoles, liveRoles, toApiKeyState } from "../../../../provider/resources/api-key/state";
import { UNKNOWN } from "../../../../provider/resources/contract/values";

const orgId = "5f00000000000000000000b1";
const otherOrg = "5f00000000000000000000b2";
const projectId = "5f00000000000000000000a1";
const keyId = "5f00000000000000000000c1";

const inOrganization = (...names: readonly string[]) => names.map((roleName) => ({ orgId, roleName }));
const elsewhere = [
  { orgId: otherOrg, roleName: "ORG_OWNER" },
  { projectId, roleName: "GROUP_OWNER" },
  { roleName: "GLOBAL_READ_ONLY" },
];

test.each([
  [
    "every role of the organization, sorted, once",
    ["ORG_READ_ONLY", "ORG_MEMBER", "ORG_READ_ONLY"],
    undefined,
  ],
  ["the ORG_MEMBER that the program declares", ["ORG_READ_ONLY", "ORG_MEMBER"], ["ORG_MEMBER"]],
])("a key has %s", (_, names, declared) => {
  const roles = [...elsewhere, ...inOrganization(...names)];
  expect(liveRoles({ roles }, orgId, declared)).toEqual(["ORG_MEMBER", "ORG_READ_ONLY"]);
});

test.each([
  [["ORG_READ_ONLY", "ORG_MEMBER"], ["ORG_READ_ONLY"], true],
  [["ORG_MEMBER"], ["ORG_READ_ONLY"], false],
  [["ORG_READ_ONLY", "ORG_OWNER"], ["ORG_READ_ONLY"], false],
  [["ORG_READ_ONLY"], ["ORG_READ_ONLY", "ORG_MEMBER"], false],
  [[], ["ORG_OWNER"], false],
])("a key with the roles %j in its organization has the declared roles %j: %s", (names, declared, isSame) => {
  const roles = [...elsewhere, ...inOrganization(...names)];
  expect(hasRoles({ keyId, publicKey: "theirkey", roles }, orgId, declared)).toBe(isSame);
});

const key = { keyId, publicKey: "theirkey", roles: inOrganization("ORG_READ_ONLY", "ORG_MEMBER") };
const facts = { orgId, accessList: undefined, privateKey: undefined, origin: "imported" } as const;
const least = {
  orgId,
  description: "",
  roles: ["ORG_MEMBER", "ORG_READ_ONLY"],
  keyId,
  publicKey: "theirkey",
  origin: "imported",
  onDestroy: "remove",
};

test("a key of which the service shows little is recorded without the rest", () => {
  expect(toApiKeyState(key, {}, facts)).toEqual(least);
});

test("a key is recorded with what the service shows, what the program declares, and a sorted access list", () => {
  const shown = { ...key, description: "ci", privateKeyEnd: "cdef" };
  const declared = { roles: ["ORG_READ_ONLY"], triggers: { renewed: "2026" }, onDestroy: "release" } as const;
  const accessList = ["198.51.100.0/24", "192.0.2.7"];
  const recorded = { ...facts, accessList, privateKey: "secret-cdef", origin: "created" } as const;
  expect(toApiKeyState(shown, declared, recorded)).toEqual({
    ...least,
    ...declared,
    description: "ci",
    accessList: ["192.0.2.7", "198.51.100.0/24"],
    privateKey: "secret-cdef",
    privateKeyEnd: "cdef",
    origin: "created",
  });
  expect(accessList).toEqual(["198.51.100.0/24", "192.0.2.7"]);
});

test("roles, triggers and onDestroy that are not known yet leave no trace in the record of a key", () => {
  const unknown = { roles: UNKNOWN, triggers: UNKNOWN, onDestroy: UNKNOWN } as const;
  expect(toApiKeyState(key, unknown, facts)).toEqual(least);
});
