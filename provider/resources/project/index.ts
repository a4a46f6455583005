/**
 * One project, created by this stack or adopted by its ID, with its name, tags and LDAP mappings.
 *
 * Each operation reads the live object and writes only the difference.
 */

import { RefusedError } from "../../errors";
import type { Difference } from "../difference";
import { ignoresProperty } from "../property-path";
import type { DiffRequest, Resource } from "../resource";
import type { Properties } from "../values";
import { create } from "./create";
import { remove } from "./delete";
import { projectDifferences } from "./diff";
import { asProjectInputs, checkProject, projectInputs } from "./inputs";
import { read } from "./read";
import { asProjectState, observationOf, projectOutputs } from "./state";
import { update } from "./update";

export const project: Resource<"Project"> = {
  name: "Project",
  description: `A project of Ops Manager or Cloud Manager (the API says group): its name, tags and LDAP group mappings.

The resource owns what is declared: each \`preview\` shows a difference, and the next \`up\` corrects it. What is left out is not managed, and taking a line away only stops managing it; \`[]\` clears.

Give \`orgId\` and \`name\` to create a project, or \`projectId\` to adopt one. Destroying deletes a created project and releases an adopted or imported one, unless \`onDestroy\` says otherwise.`,
  importId: "id of the project, 24 hexadecimal digits",
  idOutput: "projectId",
  inputs: projectInputs,
  outputs: projectOutputs,
  check: checkProject,
  diff,
  create,
  read,
  update,
  delete: remove,
  restoredBy,
};

/** A project that this stack created is created again. One that it only adopted cannot be. */
function restoredBy({ origin, projectId, name }: Properties): { readonly replacing: string } {
  if (origin === "created") return { replacing: "projectId" };
  throw new RefusedError(
    `Project ${String(projectId)} ("${String(name)}") was deleted, and this stack did not create it. Run pulumi refresh, or remove it from the program.`,
  );
}

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectState(state, id);
  const declared = asProjectInputs(oldInputs);
  context.session.observations.record(context.urn, observationOf(declared, recorded));
  return projectDifferences(recorded, asProjectInputs(inputs), declared, ignoresProperty(ignoreChanges));
}
