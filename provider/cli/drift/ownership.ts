/** What the resources of a state own, with either provider. Pure. */

import type { TeamName } from "../../api/teams";
import { joinId, splitId } from "../../object-id";
import { type Identity, sameName } from "../../resources/membership/membership";
import { inOrder } from "../../resources/values";
import type { LivePerson } from "../organization";
import { kindOf, treatmentOf } from "../own-resources";
import type { StateResource } from "../stack-export";

/** A resource as `pulumi stack export` writes it. */
export type OwnedResource = Pick<StateResource, "type" | "id" | "inputs" | "outputs" | "delete" | "external">;

export function ownership(resources: readonly OwnedResource[]) {
  /** Organizations of owned objects, as recorded. */
  const orgIds = new Set<string>();
  const projects = new Set<string>();
  /**
   * Projects and teams (`<organization id>/<team id>`) whose resource keeps its people secret, so
   * the state does not show which people it declares.
   */
  const withSecretPeople = new Set<string>();
  /** Declared teams in projects, as `<project id>/<team id>`. */
  const teams = new Set<string>();
  /** Declared teams of organizations, by `<organization id>/<team id>`. */
  const teamsOfOrganizations = new Map<string, TeamName>();
  /** Declared people by project, or by `<organization id>/<team id>`. */
  const declared = new Map<string, Identity[]>();
  for (const { type, id = "", inputs = {}, outputs = {}, delete: isReplaced, external } of resources) {
    if (kindOf(type) === undefined || isReplaced || external || id === "") continue;
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    const { ownerId: projectId } = splitId(id);
    const {
      project,
      team,
      people = [],
      peopleAreSecret,
      teams: own = [],
    } = treatmentOf(type)?.owned(id, inputs, outputs) ?? {};
    if (project) projects.add(projectId);
    for (const teamId of own) teams.add(`${projectId}/${teamId.toLowerCase()}`);
    // The id of a Team begins with its organization, where other ids have their project.
    const owner = team ? joinId(projectId, team.teamId.toLowerCase()) : projectId;
    if (team) {
      orgIds.add(projectId);
      teamsOfOrganizations.set(owner, team);
    }
    if (peopleAreSecret) withSecretPeople.add(owner);
    declared.set(owner, [...(declared.get(owner) ?? []), ...people]);
  }
  return {
    orgIds,
    ownsProject: (projectId: string) => projects.has(projectId.toLowerCase()),
    ownsTeam: (projectId: string, teamId: string) => teams.has(`${projectId}/${teamId}`.toLowerCase()),
    /** The teams of an organization that a Team declares, sorted by name. */
    teamsOf: (orgId: string) =>
      [...teamsOfOrganizations]
        .filter(([owner]) => owner.startsWith(`${orgId}/`))
        .map(([, team]) => team)
        .sort((one, other) => inOrder(one.teamName, other.teamName) || inOrder(one.teamId, other.teamId)),
    /** @param owner a project, or `<organization id>/<team id>`; likewise for `peopleOwned` */
    hasSecretPeople: (owner: string) => withSecretPeople.has(owner.toLowerCase()),
    /** The members and invitations that a resource declares. */
    peopleOwned: <Person extends KnownPerson>(owner: string, people: readonly Person[]) =>
      new Set(
        (declared.get(owner.toLowerCase()) ?? []).flatMap((identity) => personAmong(people, identity) ?? []),
      ),
  };
}

/** A person of a project, or an account in a team. */
type KnownPerson = Identity & Partial<Pick<LivePerson, "status">>;

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
function personAmong<Person extends KnownPerson>(
  people: readonly Person[],
  identity: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  const has = (name: "userId" | "invitationId") => (person: Person) =>
    person[name] !== undefined && person[name] === identity[name];
  const hasName = ({ userId, username }: Person) =>
    sameName(username, identity.username) && (userId === undefined || identity.userId === undefined);
  return direct.find(has("userId")) ?? direct.find(has("invitationId")) ?? direct.find(hasName);
}
