/** What each world begins with: two organizations, two projects, a team, accounts and API keys. */
import { type Sandbox, type Switches, startSandbox } from "../../../sandbox";
import { FOREIGN_KEY } from "./kinds";
import { type Person, people, type Slot, type TeamName, withoutAccount } from "./names";
import { API_KEY } from "./oracle";

export const orgId = "5f00000000000000000000a1";
export const otherOrgId = "5f00000000000000000000b2";
export const ownerName = "owner@example.com";
export const privateKey = "3f7a91d2-77aa-4c1b-9d0e-5a6b7c8d9e0f";
export const projectIds: ReadonlyMap<Slot, string> = new Map([
  ["legacy", "5f0000000000000000000c01"],
  ["orders", "5f0000000000000000000c02"],
]);
export const teamIds: ReadonlyMap<TeamName, string> = new Map([["readers", "5f0000000000000000000e01"]]);
export const accountIds: ReadonlyMap<Person, string> = new Map(
  people
    .filter((person) => !withoutAccount.includes(person))
    .map((person, index) => [person, `5f0000000000000000000d0${index}`]),
);
/** The name that the person has when the world begins. */
export const firstName = (person: Person): string => `${person}@example.com`;

export function start(
  world: { readonly switches: Partial<Switches>; readonly keyRoles?: "organization" | undefined },
  log: (line: string) => void,
): Promise<Sandbox> {
  return startSandbox({
    ...world.switches,
    log,
    seed: {
      orgs: [
        { id: orgId, name: "Example" },
        { id: otherOrgId, name: "Other" },
      ],
      keys: [
        {
          publicKey: API_KEY,
          privateKey,
          roles: [
            ...(world.keyRoles === "organization" ? [] : [{ roleName: "GLOBAL_OWNER" } as const]),
            { orgId, roleName: "ORG_OWNER" },
            { orgId: otherOrgId, roleName: "ORG_OWNER" },
          ],
        },
        {
          ...FOREIGN_KEY,
          orgId,
          roles: [{ groupId: projectIds.get("legacy") ?? "", roleName: "GROUP_READ_ONLY" }],
        },
      ],
      users: [
        { username: ownerName, roles: [{ orgId, roleName: "ORG_OWNER" }] },
        ...[...accountIds].map(([person, id]) => ({ id, username: firstName(person) })),
      ],
      teams: [{ id: teamIds.get("readers"), orgId, name: "readers", usernames: ["ada@example.com"] }],
      projects: [
        {
          id: projectIds.get("legacy"),
          name: "legacy",
          tags: ["PROD", "K8S_ONE"],
          members: { [ownerName]: ["GROUP_OWNER"], "ada@example.com": ["GROUP_READ_ONLY"] },
          invitations: [{ username: "finn@example.com", roles: ["GROUP_READ_ONLY"] }],
          teams: [{ teamId: teamIds.get("readers") ?? "", roleNames: ["GROUP_READ_ONLY"] }],
        },
        {
          id: projectIds.get("orders"),
          name: "orders",
          members: { "dora@example.com": ["GROUP_OWNER"], "ben@example.com": ["GROUP_READ_ONLY"] },
        },
      ],
    },
  });
}

/** A service of its own with everything that this one holds. */
export async function copyOf(
  original: Sandbox,
  { switches }: { readonly switches: Partial<Switches> },
): Promise<Sandbox> {
  const copy = await startSandbox({ ...switches, seed: original.state });
  copy.advanceClock((Date.parse(original.time) - Date.parse(copy.time)) / 1000);
  return copy;
}
