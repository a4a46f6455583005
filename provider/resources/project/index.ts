/**
 * One project, created by this stack or adopted by its ID, with its name, tags and LDAP mappings.
 *
 * Each operation reads the live object and writes only the difference.
 */

import { z } from "zod";
import type { ApiClient } from "../../api/client";
import { listProjectsOfOrganization } from "../../api/organizations";
import { listProjects, type ProjectResponse } from "../../api/projects";
import { RefusedError } from "../../text/errors";
import { textIn } from "../contract/declared";
import { objectId } from "../contract/fields";
import { defineListing } from "../contract/listing";
import type { Resource } from "../contract/resource";
import type { Properties } from "../contract/values";
import { create } from "./create";
import { remove } from "./delete";
import { diff } from "./diff";
import { check, declares, projectInputs } from "./inputs";
import { read } from "./read";
import { projectOutputs } from "./state";
import { update } from "./update";

const listing = defineListing(
  z.strictObject({
    orgId: objectId("the id of an organization").optional().meta({
      description:
        "Only projects of this organization, 24 hexadecimal digits. If omitted, all projects that the API key can see.",
    }),
  }),
  async ({ orgId }, { session, signal }) => {
    const projects = await visibleProjects(orgId, session.client, signal);
    return projects.map(({ id, name }) => ({ id, name }));
  },
);

/** The projects that the API key can see, of one organization or of all. */
export async function visibleProjects(
  orgId: string | undefined,
  client: ApiClient,
  signal: AbortSignal,
): Promise<readonly ProjectResponse[]> {
  return orgId === undefined
    ? listProjects(client, signal)
    : listProjectsOfOrganization(client, orgId, undefined, signal);
}

export const project: Resource<"Project"> = {
  name: "Project",
  description: `A project of Ops Manager or Cloud Manager (the API calls it a group): its name, tags, and LDAP or identity provider group mappings.

Only declared properties are managed: a \`preview\` shows what differs from them, and \`up\` corrects it. If you leave a property out or remove it, the service keeps its value; \`[]\` clears it.

Give \`orgId\` and \`name\` to create a project, or \`projectId\` to adopt one. Destroying deletes a created project and releases an adopted or imported one, unless \`onDestroy\` is set.`,
  inputs: projectInputs,
  listing,
  outputs: projectOutputs,
  // The patterns protect tags.
  lasting: ["ignoreTags"],
  check,
  diff,
  declares,
  deletes: (state) => {
    const id = textIn(state, "projectId");
    return id === undefined ? undefined : { of: "project", id };
  },
  create,
  read,
  update,
  delete: remove,
  duties: {
    whenRemoved:
      "A created project is deleted, with the access of its people, teams and keys. An adopted or imported one stays, with everyone in it. `onDestroy` overrides either.",
    counted: "nothing",
    whenDeletedFirst:
      "A created one is deleted and created again, with another ID. An adopted or imported one is released and found again. One given by `projectId` is retained.",
    withFourOperations:
      "Works with `projectId`. Each update sends every declared property, and drift is not detected.",
    identifiedBy: ["projectId"],
  },
  subject: ({ projectId, orgId, name }) =>
    typeof projectId === "string" ? projectId : `${JSON.stringify(name)} in ${String(orgId)}`,
  restoredBy,
};

/** A project that this stack created is created again. One that it only adopted cannot be. */
function restoredBy({ origin, projectId, name }: Properties): { readonly replacing: string } {
  if (origin === "created") return { replacing: "projectId" };
  throw new RefusedError(
    `Project ${String(projectId)} ("${String(name)}") was deleted, and this stack did not create it. Run pulumi refresh, or remove it from the program.`,
  );
}
