/** THE list of resources; both doors and the package schema go through it. */
import { project } from "./project/project";
import type { Resource } from "./resource";

export const resources: readonly Resource[] = [project];
