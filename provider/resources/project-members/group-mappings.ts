/** What the groups of LDAP or of an identity provider decide in a project, whatever the program lists. */

import { getProject } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { namesOf } from "../lists/plan";
import type { MemberPlan } from "./plan";

/** A plan without what group mappings contradict. */
export interface PossiblePlan extends MemberPlan {
  /** What it leaves out because of that, in one sentence; `undefined` if nothing. */
  readonly contradicted: string | undefined;
}

export interface GroupMappings {
  /** The project's organization, if the service shows it. */
  readonly orgId?: string;
  /** Why some of the list cannot be true, as sentences; absent if all of it can. */
  readonly contradiction?: string;
}

/**
 * Warns where the groups of LDAP or of an identity provider decide who is in the project.
 *
 * @param isNew no resource has declared the people of the project before
 * @throws RefusedError if a new list contradicts them
 */
export async function checkGroupMappings(
  ignoreUsers: readonly string[] | undefined,
  isNew: boolean,
  { session, signal, log, projectId }: ProjectContext,
): Promise<GroupMappings> {
  const project = await getProject(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) !== "missing-operation") throw error;
    return undefined;
  });
  if (project === undefined) return {};
  const { orgId } = project;
  const ldap = project.ldapGroupMappings?.filter(({ ldapGroups }) => ldapGroups?.length) ?? [];
  const idp = project.idpGroupMappings?.filter(({ idpGroups }) => idpGroups?.length) ?? [];
  const rolesOf = (mappings: readonly { readonly roleName: string }[]) =>
    mappings.map(({ roleName }) => roleName).join(", ");
  const contradiction = `Project ${projectId} has LDAP group mappings (${rolesOf(ldap)}): each login adds people who are not listed, so this list would never be correct. Set ignoreUsers to patterns of the people who are added through LDAP, or use ProjectMember.`;
  const isContradicted = ldap.length > 0 && !ignoreUsers?.length;
  if (isContradicted && isNew) throw new RefusedError(`${contradiction} Nothing was written.`);
  if (ldap.length > 0 || idp.length > 0) {
    const mapped =
      ldap.length > 0
        ? `LDAP group mappings (${rolesOf(ldap)})`
        : `mappings of an identity provider's groups (${rolesOf(idp)})`;
    log.warn(
      `Project ${projectId} has ${mapped}: the groups of a person decide at each login, so a login can add people who are not listed and undo roles that this list gives.`,
    );
  }
  return isContradicted ? { orgId, contradiction } : { orgId };
}

/**
 * The plan without what group mappings contradict: a login undoes what this list gives, and adds unlisted people again.
 * Removals and reductions of people whom the program names go ahead, so a mapping that someone else added keeps no one in the project.
 */
export function withoutContradicted(plan: MemberPlan, { contradiction }: GroupMappings): PossiblePlan {
  if (contradiction === undefined) return { ...plan, contradicted: undefined };
  const { isNamed } = plan;
  const undone = [
    ["adding", plan.additions],
    ["giving more roles to", plan.raises.map(({ membership }) => membership)],
    ["removing, although never declared,", plan.leaving.filter((membership) => !isNamed(membership))],
  ] as const;
  const parts = undone.flatMap(([what, who]) => (who.length === 0 ? [] : [`${what} ${namesOf(who)}`]));
  if (parts.length === 0) return { ...plan, contradicted: undefined };
  const leaving = plan.leaving.filter(isNamed);
  const contradicted = `${contradiction} Not done because of that: ${parts.join("; ")}.`;
  return { ...plan, additions: [], raises: [], leaving, contradicted };
}

/** @throws RefusedError if group mappings contradict all of the plan */
export function refuseContradicted({ contradicted, leaving, otherChanges }: PossiblePlan): void {
  if (contradicted === undefined || leaving.length + otherChanges.length > 0) return;
  throw new RefusedError(`${contradicted} Nothing was written.`);
}
