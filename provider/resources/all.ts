/** All resources, for the package schema. An operation loads its own kind only, with `resourceNamed`. */
import { resourceNamed } from ".";
import type { Resource } from "./contract/resource";
import { resourceKinds } from "./kinds";

export const resources: readonly Resource[] = resourceKinds.map(resourceNamed);
