/** One project with all its properties in the API, counters included. */
import { z } from "zod";
import { findProjectsByName } from "../api/organizations";
import { getProject as fetchProject, type ProjectResponse } from "../api/projects";
import type { KnownOf } from "../resources/contract/border";
import { nameText, objectId, optionalText } from "../resources/contract/fields";
import { toLive } from "../resources/project/state";
import { RefusedError } from "../text/errors";
import { defineLookup, type LookupRequest } from "./lookup";
import { projectFields, readSingly } from "./project-fields";

const count = (what: string) => z.int().optional().meta({ description: what });

const inputs = z.strictObject({
  projectId: objectId("the id of a project")
    .optional()
    .meta({ description: "ID of the project, 24 hexadecimal digits." }),
  orgId: objectId("the id of an organization").optional().meta({
    defaultText: "the setting `orgId`, without `projectId`",
    description: "ID of the organization to search, 24 hexadecimal digits, together with `name`.",
  }),
  name: nameText().optional().meta({ description: "Exact name of the project, together with `orgId`." }),
});

const outputs = z.object({
  ...projectFields,
  hostCounts: z
    .record(z.string(), z.int())
    .optional()
    .meta({ description: "Number of hosts by type, such as `primary`." }),
  activeAgentCount: count(
    "Number of agents that send regular pings; the service refreshes it about every 24 hours.",
  ),
  replicaSetCount: count("Number of replica sets."),
  shardCount: count("Number of shards."),
  lastActiveAgent: optionalText(
    "When the agents' information was last updated: text as the service writes it, whose form is not documented. Absent for a project without agents.",
  ),
  publicApiEnabled: z
    .boolean()
    .optional()
    .meta({ description: "Whether the public API is on for the project." }),
});

export const getProject = defineLookup({
  name: "getProject",
  description:
    "Looks up one project: by `projectId`, or by `orgId` and the exact `name`. Fails if there is no such project, or more than one with that name.",
  inputs,
  outputs,
  check(args) {
    const byName = args.orgId !== undefined && args.name !== undefined;
    if (args.projectId !== undefined && args.orgId === undefined && args.name === undefined) return [];
    if (args.projectId === undefined && byName) return [];
    return [{ property: "", reason: "Give either projectId alone, or orgId and name together." }];
  },
  invoke: async (request) => toResult(await findProject(request)),
});

async function findProject({
  args,
  context,
}: LookupRequest<KnownOf<typeof inputs>>): Promise<ProjectResponse> {
  const { client } = context.session;
  if (args.projectId !== undefined) return fetchProject(client, args.projectId, context.signal);
  const { orgId = "", name = "" } = args;
  const found = await findProjectsByName(client, { orgId, name }, context.signal);
  if (found.length === 1 && found[0]) return wholeProject(found[0], context);
  const others = found.map(({ id }) => id).join(", ");
  throw new RefusedError(
    found.length === 0
      ? `Organization ${orgId} has no project named "${name}" that these credentials can see.`
      : `Organization ${orgId} has ${found.length} projects named "${name}": ${others}. Look it up by projectId.`,
  );
}

async function wholeProject(
  entry: ProjectResponse,
  { session, signal }: LookupRequest["context"],
): Promise<ProjectResponse> {
  if (entry.tags && entry.ldapGroupMappings) return entry;
  return (await readSingly(session.client, entry.id, signal)) ?? entry;
}

function toResult(response: ProjectResponse): KnownOf<typeof outputs> {
  return {
    ...toLive(response),
    hostCounts: response.hostCounts ?? undefined,
    activeAgentCount: response.activeAgentCount ?? undefined,
    replicaSetCount: response.replicaSetCount ?? undefined,
    shardCount: response.shardCount ?? undefined,
    lastActiveAgent: response.lastActiveAgent ?? undefined,
    publicApiEnabled: response.publicApiEnabled ?? undefined,
  };
}
