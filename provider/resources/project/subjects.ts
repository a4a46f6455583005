/** Projects as claims know them. */

import { existing, type Subject } from "../session/claims";
import type { ProjectName } from "../session/observations";

export function projectOf(projectId: string): Subject {
  return [["project", projectId]];
}

/** Check does not know the ID of a project that the program declares by organization and name. */
export function projectNamed({ orgId, name }: ProjectName): Subject {
  return [["project name", orgId, name]];
}

/** The name of a project that is new, or gets this name. */
export function nameGiven({ orgId, name }: ProjectName): Subject {
  return [["given project name", orgId, name]];
}

/** A project whose ID only the program may know, and one that it declares by organization and name. */
export function anyProject(projectId: string, named: ProjectName): Subject {
  return [...existing(projectId, projectId), ...projectOf(projectId), ...projectNamed(named)];
}
