/** What the resources of a state own, of either provider. Pure. */

import { type Identity, sameName } from "../../resources/membership/membership";
import { splitId } from "../../resources/project-member/state";
import type { LivePerson } from "../organization";
import { kindOf, type RecordedValues, treatmentOf } from "../own-resources";

/** A resource as `pulumi stack export` writes it. */
export interface OwnedResource {
  readonly type: string;
  readonly id?: string | undefined;
  readonly inputs?: RecordedValues | undefined;
  readonly outputs?: RecordedValues | undefined;
  /** Replaced, and still to be deleted: another one owns it by now. */
  readonly delete?: boolean | undefined;
  /** Only looked up by its id, and owned elsewhere. */
  readonly external?: boolean | undefined;
}

interface Ownership {
  /** Organizations that owned things live in, as recorded. */
  readonly orgIds: ReadonlySet<string>;
  ownsProject(projectId: string): boolean;
  /** Projects with a ProjectMembers whose members are secret, so that the state does not show whom it declares. */
  readonly secretProjects: ReadonlySet<string>;
  /** Those of the people in a project, or invited to it, whom a resource declares. */
  peopleOwned<Person extends LivePerson>(projectId: string, people: readonly Person[]): ReadonlySet<Person>;
}

export function ownership(resources: readonly OwnedResource[]): Ownership {
  const orgIds = new Set<string>();
  const projects = new Set<string>();
  const secretProjects = new Set<string>();
  /** By project. */
  const declared = new Map<string, Identity[]>();
  for (const { type, id = "", inputs = {}, outputs = {}, delete: isReplaced, external } of resources) {
    if (kindOf(type) === undefined || isReplaced || external || id === "") continue;
    if (typeof outputs.orgId === "string") orgIds.add(outputs.orgId.toLowerCase());
    const { projectId } = splitId(id);
    const { project, people = [], peopleAreSecret } = treatmentOf(type)?.owned(id, inputs, outputs) ?? {};
    if (project) projects.add(projectId);
    if (peopleAreSecret) secretProjects.add(projectId);
    declared.set(projectId, [...(declared.get(projectId) ?? []), ...people]);
  }
  return {
    orgIds,
    ownsProject: (projectId) => projects.has(projectId.toLowerCase()),
    secretProjects,
    peopleOwned: (projectId, people) =>
      new Set((declared.get(projectId) ?? []).flatMap((who) => personAmong(people, who) ?? [])),
  };
}

/** An account that is known by its id is no other account, although that one may have its former name. */
function personAmong<Person extends LivePerson>(
  people: readonly Person[],
  who: Identity,
): Person | undefined {
  const direct = people.filter(({ status }) => status !== "indirect");
  return (
    direct.find(({ userId }) => userId !== undefined && userId === who.userId) ??
    direct.find(({ invitationId }) => invitationId !== undefined && invitationId === who.invitationId) ??
    direct.find(
      ({ userId, username }) =>
        sameName(username, who.username) && (userId === undefined || who.userId === undefined),
    )
  );
}
