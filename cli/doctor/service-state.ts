/** Reads everything that can be read without a change, each thing once. */

import { listAgentKeys } from "../../provider/api/agent-keys";
import { listApiKeys } from "../../provider/api/api-keys";
import type { ApiClient } from "../../provider/api/client";
import { readEvents } from "../../provider/api/events";
import { getInvitation, listInvitations } from "../../provider/api/invitations";
import {
  listOrganizations,
  listProjectsOfOrganization,
  type OrganizationResponse,
} from "../../provider/api/organizations";
import { getProject, listProjects, type ProjectResponse } from "../../provider/api/projects";
import { listServiceAccounts } from "../../provider/api/service-accounts";
import { listTeams, listTeamsOfProject } from "../../provider/api/teams";
import { getUser, getUserByName, listUsersOfProject } from "../../provider/api/users";
import { isOperationNotOffered } from "../../provider/resources/evidence/meaning";
import { ApiError, hasCode, messageOf, OpsManagerError } from "../../provider/text/errors";
import { DAY_MILLISECONDS, NO_ID } from "../lib/connection";

export type ServiceState = Awaited<ReturnType<typeof readServiceState>>;

export type ServiceReading<T> =
  | { readonly kind: "found"; readonly value: T }
  /** The operation exists, but this object does not, or not for this key. */
  | { readonly kind: "refused"; readonly error: ApiError }
  /** The service has no such operation. */
  | { readonly kind: "missing" }
  /** The result is unknown: no response, or a response that cannot be read. */
  | { readonly kind: "unclear"; readonly why: string };

const NO_USERNAME = "no-such-user@example.com";

export interface ObjectIds {
  readonly orgId: string | undefined;
  readonly projectId: string | undefined;
}

/**
 * The first project of an existing organization. Projects of a deleted organization may be listed
 * for some time, and its id is not among the organizations.
 */
function firstOf(
  projects: readonly ProjectResponse[],
  organizations: readonly OrganizationResponse[],
): ProjectResponse | undefined {
  const living = new Set(organizations.map(({ id }) => id));
  return projects.find(({ orgId }) => living.has(orgId)) ?? projects[0];
}

/**
 * @param requested the named organization and project; default: the first ones that the key sees
 */
export async function readServiceState(client: ApiClient, requested: ObjectIds, signal: AbortSignal) {
  const [projects, organizations] = await Promise.all([
    tryRead(listProjects(client, signal)),
    tryRead(listOrganizations(client, signal)),
  ]);
  const projectId =
    requested.projectId ?? firstOf(foundValue(projects) ?? [], foundValue(organizations) ?? [])?.id;
  const known = foundValue(projects)?.find(({ id }) => id === projectId);
  const orgId = requested.orgId ?? known?.orgId ?? foundValue(organizations)?.[0]?.id;
  const [orgOrNone, projectOrNone] = [orgId ?? NO_ID, projectId ?? NO_ID];
  const details = {
    organizationProjects: tryRead(listProjectsOfOrganization(client, orgOrNone, undefined, signal)),
    apiKeys: tryRead(listApiKeys(client, orgOrNone, signal)),
    serviceAccounts: tryRead(listServiceAccounts(client, orgOrNone, signal)),
    project: tryRead(getProject(client, projectOrNone, signal)),
    people: tryRead(listUsersOfProject(client, projectOrNone, {}, signal)),
    invitations: tryRead(listInvitations(client, projectOrNone, undefined, signal)),
    invitation: tryRead(getInvitation(client, projectOrNone, NO_ID, signal)),
    teams: tryRead(listTeams(client, orgOrNone, signal)),
    projectTeams: tryRead(listTeamsOfProject(client, projectOrNone, signal)),
    agentKeys: tryRead(listAgentKeys(client, projectOrNone, signal)),
    events: tryRead(readLatestEvents(client, projectOrNone, signal)),
    account: tryRead(getUser(client, NO_ID, signal)),
    accountByName: tryRead(getUserByName(client, NO_USERNAME, signal)),
  };
  // The organization and the project whose details were read; `undefined` if the key sees none.
  return { projects, organizations, orgId, projectId, ...(await allOf(details)) };
}

/** The events of one day show whether the key can read events. */
async function readLatestEvents(client: ApiClient, projectId: string, signal: AbortSignal) {
  const since = new Date(client.now() - DAY_MILLISECONDS);
  const { events } = await readEvents(client, { projectId }, { since, mostPages: 1, signal });
  return events;
}

/** Waits for all results of an object. */
async function allOf<T extends Readonly<Record<string, Promise<unknown>>>>(
  results: T,
): Promise<{ readonly [Name in keyof T]: Awaited<T[Name]> }> {
  const entries = Object.entries(results).map(async ([name, result]) => [name, await result]);
  return Object.fromEntries(await Promise.all(entries));
}

/** @throws errors that do not concern the service, such as a cancellation */
async function tryRead<T>(call: Promise<T>): Promise<ServiceReading<T>> {
  try {
    return { kind: "found", value: await call };
  } catch (error) {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    if (isOperationNotOffered(error)) return { kind: "missing" };
    if (!(error instanceof ApiError)) return { kind: "unclear", why: messageOf(error) };
    return error.status >= 500 || error.status === 429
      ? { kind: "unclear", why: error.message }
      : { kind: "refused", error };
  }
}

/** The value if it was read. */
export function foundValue<T>(result: ServiceReading<T> | undefined): T | undefined {
  return result?.kind === "found" ? result.value : undefined;
}
