/** What the resources of a state own, with either provider. Pure. */

import { type Identity, sameName } from "../../resources/membership/membership";
import { splitId } from "../../resources/project-member/state";
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
   * Projects with a ProjectMembers whose members are secret, so the state does not show which
   * people it declares.
   */
  const secretProjects = new Set<string>();
  /** Declared teams, as `<project id>/<team id>`. */
  const teams = new Set<string>();
  /** Declared people by project. */
  const declared = new Map<string, Identity[]>();
  for (const { type, id = "", inputs = {}, outputs = {}, delete: isReplaced, external } of resources) {
    if (kindOf(type) === undefined || isReplaced || external || id === "") continue;
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    const { projectId } = splitId(id);
    const {
      project,
      people = [],
      peopleAreSecret,
      teams: own = [],
    } = treatmentOf(type)?.owned(id, inputs, outputs) ?? {};
    if (project) projects.add(projectId);
    for (const teamId of own) teams.add(`${projectId}/${teamId.toLowerCase()}`);
    if (peopleAreSecret) secretProjects.add(projectId);
    declared.set(projectId, [...(declared.get(projectId) ?? []), ...people]);
  }
  return {
    orgIds,
    ownsProject: (projectId: string) => projects.has(projectId.toLowerCase()),
    ownsTeam: (projectId: string, teamId: string) => teams.has(`${projectId}/${teamId}`.toLowerCase()),
    secretProjects,
    /** The members and invitations of a project that a resource declares. */
    peopleOwned: <Person extends LivePerson>(projectId: string, people: readonly Person[]) =>
      new Set((declared.get(projectId) ?? []).flatMap((identity) => personAmong(people, identity) ?? [])),
  };
}

/**
 * Finds a person by id or name. An account with another id is another account, even if it has the
 * former name.
 */
function personAmong<Person extends LivePerson>(
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
