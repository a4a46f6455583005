/** The projects that a key can see: of one or all organizations, with certain or any tags. */
import { z } from "zod";
import { ROLE_TO_SEE_TAGS } from "../api/hints";
import type { ProjectResponse } from "../api/projects";
import { nameText, objectId } from "../resources/contract/fields";
import { inOrder } from "../resources/contract/values";
import { visibleProjects } from "../resources/project";
import { toLive } from "../resources/project/state";
import { RefusedError } from "../text/errors";
import { defineLookup, type LookupRequest } from "./lookup";
import { type ProjectOutput, projectFields, readSingly } from "./project-fields";

const projectSummary = z
  .object(projectFields)
  .meta({ typeName: "ProjectSummary", description: "A project that the API key can see." });

export const getProjects = defineLookup({
  name: "getProjects",
  description:
    "Looks up the projects that the API key can see, of one organization or of all; none is an empty list. With `tags`, only projects that have all of them.",
  inputs: z.strictObject({
    orgId: objectId("the id of an organization").optional().meta({
      defaultText: "the setting `orgId`; without it, all organizations",
      description: "Only projects of this organization, 24 hexadecimal digits.",
    }),
    tags: z.array(nameText(), "must be a list").optional().meta({
      description:
        "Only projects with all of these tags, a set, compared exactly. Needs an API key that may see tags: the role Project Read Only, in older versions Global Owner or Global Read Only.",
    }),
  }),
  outputs: z.object({
    projects: z.array(projectSummary).meta({ description: "The projects, sorted by name, then by id." }),
  }),
  invoke: async (request) => ({ projects: await lookUpProjects(request) }),
});

interface Filter {
  readonly orgId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

export async function lookUpProjects(request: LookupRequest<Filter>): Promise<ProjectOutput[]> {
  const wanted = request.args.tags ?? [];
  const { session, signal } = request.context;
  const listed = await visibleProjects(request.args.orgId, session.client, signal);
  const whole = wanted.length === 0 ? listed : await withTags(listed, request);
  const projects = whole.map(toLive);
  const chosen = projects.filter(({ tags = [] }) => wanted.every((tag) => tags.includes(tag)));
  chosen.sort((one, other) => inOrder(one.name, other.name) || inOrder(one.projectId, other.projectId));
  return chosen;
}

/**
 * Reads each project whose tags are not in the list.
 *
 * @throws RefusedError if the tags of one remain unknown
 */
async function withTags(
  listed: readonly ProjectResponse[],
  { context }: Pick<LookupRequest, "context">,
): Promise<ProjectResponse[]> {
  const { client } = context.session;
  const complete = await Promise.all(
    listed.map(async (entry) =>
      entry.tags ? entry : ((await readSingly(client, entry.id, context.signal)) ?? entry),
    ),
  );
  const hidden = complete.filter(({ tags }) => !tags);
  if (hidden.length === 0) return complete;
  throw new RefusedError(
    `Projects cannot be filtered by tags: the service does not show these credentials the tags of ${hidden.length} of ${complete.length} projects. Use credentials with ${ROLE_TO_SEE_TAGS}, or omit tags.`,
  );
}
