/** What the programs of this folder have in common: the same resources and lookups, in one language each. */
import { join } from "node:path";
import { succeeded } from "../../../support";
import { invitedTo } from "../../support/people-program";
import { projectNamed, writes } from "../../support/project-program";
import { type StackSetup, setUpStack } from "../../support/stack-setup";

export const programs = join(__dirname, "..", "programs");

const bob = "bob@example.com";

/** A stack with the program `programs/<folder>`, and the project `billing` that it expects. */
export async function openProgram(folder: string): Promise<StackSetup & { readonly billingId: string }> {
  const setup = await setUpStack({
    sandbox: { ldap: true },
    program: () => ({ folder: join(programs, folder) }),
  });
  const { sandbox, stack } = setup;
  const { id: billingId } = sandbox.addProject({ name: "billing" });
  sandbox.setMember(billingId, { username: bob }, ["GROUP_OWNER"]);
  await stack.setConfig({
    "team:orgId": sandbox.orgId,
    "team:billingId": billingId,
    "team:baseUrl": sandbox.baseUrl,
    "team:publicKey": sandbox.publicKey,
    "team:privateKey": sandbox.privateKey,
  });
  return { ...setup, billingId };
}

/** The first `up` and a second one; fails where anything is not as it is with every other language. */
export async function playProgram({ sandbox, stack, billingId }: Awaited<ReturnType<typeof openProgram>>) {
  expect((await succeeded(stack.up())).changes).toEqual({ create: 3 });
  const { id, tags, ldapGroupMappings } = projectNamed(sandbox, "payments");
  expect({ tags, ldapGroupMappings }).toEqual({
    tags: ["PROD", "TEAM_PAYMENTS"],
    ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=developers,dc=example,dc=com"] }],
  });
  expect(invitedTo(sandbox, id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
  const invitedToBilling = {
    "ada_Lovelace@example.com": ["GROUP_DATA_ACCESS_READ_ONLY", "GROUP_READ_ONLY"],
    "svc-backup@example.com": ["GROUP_BACKUP_ADMIN"],
  };
  expect(invitedTo(sandbox, billingId)).toEqual(invitedToBilling);
  expect(await stack.outputs()).toMatchObject({
    projectId: id,
    people: { "ada@example.com": ["GROUP_OWNER"] },
    billing: { ...invitedToBilling, [bob]: ["GROUP_OWNER"] },
    billingName: "billing",
  });

  sandbox.clearRequests();
  expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 3 });
  expect(writes(sandbox)).toEqual([]);
}
