/** The teams of a project with their names, which the service shows only in the organization. */
import { listTeamsOfProject } from "../../api/teams";
import type { Context } from "../contract/resource";
import { inOrder } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { type ProjectTeamEntry, TeamCache, toEntries } from "./teams";

interface NamedTeam extends ProjectTeamEntry {
  /** Absent if the service does not show it to the API key. */
  readonly name?: string | undefined;
}

/**
 * The teams of a project, sorted by name, then by ID. Their names come from the list of the
 * organization, if the API key can read it.
 */
export async function namedTeamsOfProject(
  { projectId, orgId }: { readonly projectId: string; readonly orgId: string | undefined },
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<NamedTeam[]> {
  const [entries, names] = await Promise.all([
    listTeamsOfProject(session.client, projectId, signal).then(toEntries),
    orgId === undefined ? [] : session.of(TeamCache).ofOrganization.shared(orgId, signal),
  ]);
  const byId = new Map(names instanceof Refusal ? [] : names.map(({ id, name }) => [id, name]));
  return entries
    .map(({ teamId, roles }): NamedTeam => ({ teamId, name: byId.get(teamId), roles }))
    .sort((one, other) => inOrder(one.name ?? "", other.name ?? "") || inOrder(one.teamId, other.teamId));
}
