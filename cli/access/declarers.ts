/** Which resources of a stack declare a person, a team or an API key. Pure. */
import { ownership } from "../drift/ownership";
import type { StateResource } from "../stack-export";

type Owners = ReturnType<typeof ownership>;
type PersonIn = Parameters<Owners["peopleOwned"]>[1][number];
type KeyIn = Parameters<Owners["ownsKey"]>[1];

/** The URNs of the resources that declare something; `undefined` if that is unknown. */
export type DeclaredBy = readonly string[] | undefined;

export interface Declarers {
  /** @param owner a project, an organization, or `<organization id>/<team id>`; likewise for `key` */
  person(owner: string, person: PersonIn): DeclaredBy;
  teamInProject(projectId: string, teamId: string): DeclaredBy;
  key(owner: string, key: KeyIn): DeclaredBy;
}

/** @param resources those of the state; `undefined` if it was not read */
export function declarersAmong(resources: readonly StateResource[] | undefined): Declarers {
  // Each resource alone, so that what is owned leads to the resource that owns it.
  const each = resources?.map((resource) => ({ urn: resource.urn, owners: ownership([resource]) }));
  const those = (owns: (owners: Owners) => boolean): DeclaredBy =>
    each?.filter(({ owners }) => owns(owners)).map(({ urn }) => urn);
  return {
    person(owner, person) {
      const urns = those((owners) => owners.peopleOwned(owner, [person]).size > 0);
      const isSecret = each?.some(({ owners }) => owners.hasSecretPeople(owner));
      return urns?.length === 0 && isSecret ? undefined : urns;
    },
    teamInProject: (projectId, teamId) => those((owners) => owners.ownsTeam(projectId, teamId)),
    key: (owner, key) => those((owners) => owners.ownsKey(owner, key)),
  };
}
