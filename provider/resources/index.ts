/** THE list of resources; both doors and the package schema go through it. */

import { project } from "./project";
import { projectMember } from "./project-member";
import { projectMembers } from "./project-members";
import { withReadMarker } from "./read-marker";
import type { Resource } from "./resource";

export const resources: readonly Resource[] = [project, projectMember, projectMembers].map(withReadMarker);
