/** What ProjectMembers says of its plan: who leaves, who is changed, and who stays. */

import { type Membership, OWNER_ROLE } from "../../access/person";
import { owningRoles, unknownRights } from "../../access/rights";
import { RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { countOf, type ListedPlace, namesOf } from "../lists/plan";
import type { PossiblePlan } from "./group-mappings";
import { ownersWithoutSuccessor } from "./plan";

/** A plan, and the memberships for which it was made. */
type PlannedMembers = PossiblePlan & { readonly memberships: readonly Membership[] };

export function listedProject(projectId: string): ListedPlace {
  return { text: `project ${projectId}`, subject: "people", placeId: projectId };
}

/** A message about the people who are not listed and not removed, with their rights to own the project. */
export function unlistedInProject(
  projectId: string,
  staying: readonly { readonly username: string; readonly roles: readonly string[] }[],
): string | undefined {
  if (staying.length === 0) return undefined;
  const names = staying.map(({ username, roles }) => {
    const rights = [...owningRoles(roles), ...unknownRights(roles)];
    return rights.length > 0 ? `${username} (${rights.join(", ")})` : username;
  });
  return `${countOf(staying)} in project ${projectId} ${staying.length === 1 ? "is" : "are"} not listed and not changed: ${names.join(", ")}. To manage them, list them in members. To exclude them, add them to ignoreUsers. To remove them, set removeUnlisted to true.`;
}

/**
 * Names each person who would be removed or changed.
 *
 * @param refusal why the planned removals must not happen, if they must not
 * @throws RefusedError if the real run would certainly fail
 */
export function announce(
  planned: PlannedMembers,
  refusal: string | undefined,
  context: ProjectContext,
): void {
  if (refusal !== undefined) throw new RefusedError(refusal);
  const { leaving, endOf, raises, otherChanges, contradicted } = planned;
  const { log, projectId } = context;
  // The update does the rest before it fails.
  if (contradicted !== undefined) log.warn(contradicted);
  for (const { membership, roles } of [...raises, ...otherChanges]) {
    log.info(
      `${membership.username} in project ${projectId}: roles ${membership.roles.join(", ")} become ${roles.join(", ")}.`,
    );
  }
  // Of ends, the comparison has told.
  for (const membership of leaving.filter((one) => endOf(one) === undefined)) {
    log.info(
      membership.status === "active"
        ? `${membership.username} (${membership.roles.join(", ")}) will be removed from project ${projectId}.`
        : `The invitation of ${membership.username} to project ${projectId} will be deleted.`,
    );
  }
  announceLastOwner(planned, context);
}

/** @throws RefusedError if no direct owner would be left for certain, and the program takes the ownership */
function announceLastOwner(
  { leaving, endOf, raises, otherChanges, additions, memberships }: PlannedMembers,
  { log, projectId }: ProjectContext,
): void {
  const owners = ownersWithoutSuccessor(memberships, leaving, [...raises, ...otherChanges]);
  if (owners.length === 0) return;
  const sentence = `Project ${projectId} would have no direct owner: ${namesOf(owners)} would be removed or lose GROUP_OWNER.`;
  const invited = additions.filter(({ roles }) => roles.includes(OWNER_ROLE)).map(({ username }) => username);
  if (invited.length === 0) {
    const advice = "Give GROUP_OWNER to another member; an invited person counts only after accepting.";
    // What else is over ends in spite of the last owner, and drift compares only a preview that succeeds.
    if (owners.every((owner) => endOf(owner) === undefined))
      throw new RefusedError(`${sentence} ${advice} Nothing was written.`);
    log.warn(`${sentence} The last one stays, and the update fails after everything else. ${advice}`);
    return;
  }
  log.warn(
    `${sentence} If the service invites ${invited.join(", ")} instead of adding them at once, the last direct owner stays until they accept.`,
  );
}
