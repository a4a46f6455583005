import type { Account, Project } from "./model";
import { isMember, rolesIn, setProjectRoles } from "./people";
import type { World } from "./store";

/** A service whose people come from LDAP groups (the switch `ldapPeople`). */

/** Whether projects have LDAP mappings. */
export const isLdapBacked = ({ switches }: World): boolean => switches.ldap || switches.ldapPeople;

const syncIntervalMs = 3_600_000;

function mappedRoles(project: Project, account: Account): string[] {
  const groups = account.ldapGroups ?? [];
  return project.ldapGroupMappings
    .filter(({ ldapGroups }) => ldapGroups.some((group) => groups.includes(group)))
    .map(({ roleName }) => roleName);
}

/**
 * Gives each account exactly the roles that its LDAP groups map to, in each project that has mappings. The last owner is
 * not protected: the directory decides.
 */
export function syncLdapPeople(world: World): void {
  // The events of a synchronization name no person and no key.
  world.events.during({}, () => giveMappedRoles(world));
  world.ldapSyncedAt = world.clock.now();
}

function giveMappedRoles({ store }: World): void {
  for (const project of store.projects.filter(({ ldapGroupMappings }) => ldapGroupMappings.length > 0)) {
    for (const account of store.users.all()) {
      const mapped = mappedRoles(project, account);
      const isEqual = [...mapped].sort().join() === rolesIn(account, project.id).sort().join();
      if (!isEqual || isMember(account, project.id) !== mapped.length > 0) {
        setProjectRoles(store, account, project.id, mapped);
      }
    }
  }
}

/** Synchronizes if people come from LDAP groups and the last time was an hour ago. */
export function syncLdapPeopleWhenDue(world: World): void {
  const isDue = world.clock.now() >= world.ldapSyncedAt + syncIntervalMs;
  if (world.switches.ldapPeople && isDue) syncLdapPeople(world);
}
