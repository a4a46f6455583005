/** Which resource declares which project: claims of projects, and of their names. */

import type { CheckFailure } from "../contract/check";
import type { CheckRequest } from "../contract/resource";
import { known, type Properties, type Unsure } from "../contract/values";
import { Claims, existing, isUrn, type Subject } from "../session/claims";
import { ObservationLog, type ProjectName } from "../session/observations";

/** The inputs that say which project a program means. */
interface DeclaredProject {
  readonly projectId?: Unsure<string> | undefined;
  readonly orgId?: Unsure<string> | undefined;
  readonly name?: Unsure<string> | undefined;
}

export function projectOf(projectId: string): Subject {
  return [["project", projectId]];
}

/** Check does not know the ID of a project that the program declares by organization and name. */
function projectNamed({ orgId, name }: ProjectName): Subject {
  return [["project name", orgId, name]];
}

/** The name of a project that is new, or gets this name. */
function nameGiven({ orgId, name }: ProjectName): Subject {
  return [["given project name", orgId, name]];
}

/** A project whose ID only the program may know, and one that it declares by organization and name. */
export function anyProject(projectId: string, named: ProjectName): Subject {
  return [...existing(projectId, projectId), ...projectOf(projectId), ...projectNamed(named)];
}

/**
 * Claims the project by its id, or by organization and name. If this operation has seen the named
 * project under the same URN, its id is claimed too.
 *
 * @returns the conflict with another resource of the same name
 */
export function claimProject(
  { projectId, orgId, name }: DeclaredProject,
  oldInputs: Properties | undefined,
  context: CheckRequest["context"],
): CheckFailure[] {
  const { session, urn, log } = context;
  const named = typeof orgId === "string" && typeof name === "string" ? { orgId, name } : undefined;
  let ownId = known(projectId);
  let rival: string | undefined;
  if (projectId === undefined && named) {
    ownId = session.of(ObservationLog).projectUnder(urn, named);
    const isHeld = ownId !== undefined || (oldInputs?.orgId === orgId && oldInputs?.name === name);
    rival = claimName(named, isHeld, context);
  }
  if (ownId !== undefined) {
    if (ownId === projectId) session.of(Claims).take(existing(ownId, ownId), urn);
    const other = session.of(Claims).take(projectOf(ownId), urn);
    if (other)
      log.warn(`Project ${ownId} is also declared by ${other}: each will revert the other's changes.`);
  }
  if (rival === undefined || named === undefined) return [];
  const reason = `Project "${named.name}" in organization ${named.orgId} is already declared by ${rival}. Rename one of the two, or remove it from the program. To manage two existing projects of one name, give each by its projectId.`;
  return [{ property: "", reason }];
}

/**
 * Claims a name. Some versions of the service have let two projects have one name, so two resources that hold such projects
 * may keep it. A resource that gets the name is refused: it would find the project of the other one.
 *
 * @param isHeld whether the resource had the name before
 * @returns another resource with which the name cannot be shared. The host of dynamic providers passes no URN, so there
 * Create finds the other project
 */
function claimName(
  named: ProjectName,
  isHeld: boolean,
  { session, urn }: Pick<CheckRequest["context"], "session" | "urn">,
): string | undefined {
  const claims = session.of(Claims);
  const other = claims.take(projectNamed(named), urn);
  const newcomer = claims.declarerOf(nameGiven(named));
  if (!isHeld) claims.take(nameGiven(named), urn);
  return isUrn(urn) ? (isHeld ? newcomer : other) : undefined;
}
