/** Two projects with people, a team and a key, and stacks for it: what the stories about all kinds begin with. */
import type { Program, ProviderKind } from "../../support";
import { setUpStack } from "../../support/model-stack";

export const orgId = "5f00000000000000000000b1";
export const [payments, search] = ["5f00000000000000000000a1", "5f00000000000000000000a2"];
export const [adaId, olgaId] = ["5f00000000000000000000d1", "5f00000000000000000000d2"];
export const [ada, olga, newcomer] = ["ada@example.com", "olga@example.com", "zo\u00eb@example.com"];
export const [readers, owners] = [["GROUP_READ_ONLY"], ["GROUP_OWNER"]];
export const teamId = "5f00000000000000000000e1";
export const [keyId, adminId] = ["5f00000000000000000000c1", "5f00000000000000000000c0"];
const privateKey = "5e5e5e5e-0000-4000-8000-0123456789ab";

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [
    { id: olgaId, username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] },
    { id: adaId, username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] },
  ],
  projects: [
    { id: payments, orgId, name: "payments", tags: ["PROD"], members: { [olga]: owners, [ada]: readers } },
    {
      id: search,
      orgId,
      name: "search",
      members: { [olga]: owners },
      teams: [{ teamId, roleNames: owners }],
    },
  ],
  teams: [{ id: teamId, orgId, name: "operators", usernames: [ada] }],
  keys: [
    {
      id: adminId,
      publicKey: "adminkey",
      privateKey,
      desc: "admin",
      orgId,
      roles: [{ orgId, roleName: "ORG_OWNER" }],
    },
    {
      ...{ id: keyId, publicKey: "theirkey", desc: "ci", orgId },
      roles: [
        { orgId, roleName: "ORG_MEMBER" },
        { groupId: search, roleName: "GROUP_OWNER" },
      ],
    },
  ],
};

export async function begin(provider: ProviderKind, resources: Program["resources"]) {
  return setUpStack({
    provider,
    sandbox: { seed, orgUserChanges: "offered" },
    config: { publicKey: "adminkey", privateKey },
    program: () => ({ resources: resources ?? {} }),
  });
}
