/** Reads everything that can be read without a change, each thing once. */
import type { ApiClient } from "../../api/client";
import { getInvitation, type InvitationAnswer, listInvitations } from "../../api/invitations";
import {
  type ApiKeyAnswer,
  listApiKeys,
  listOrganizations,
  listProjectsOfOrganization,
  type OrganizationAnswer,
} from "../../api/organizations";
import { getProject, listProjects, type ProjectAnswer } from "../../api/projects";
import { getUser, getUserByName, listUsersOfProject, type UserAnswer } from "../../api/users";
import { ApiError, hasCode, messageOf, OpsManagerError } from "../../errors";
import { isOperationNotOffered } from "../../resources/meaning";

export interface ServiceState {
  readonly projects: ReadResult<readonly ProjectAnswer[]>;
  readonly organizations: ReadResult<readonly OrganizationAnswer[]>;
  /**
   * The organization and the project whose details were read; `undefined` if the key sees none.
   */
  readonly orgId: string | undefined;
  readonly projectId: string | undefined;
  readonly organizationProjects: ReadResult<readonly ProjectAnswer[]>;
  readonly apiKeys: ReadResult<readonly ApiKeyAnswer[]>;
  readonly project: ReadResult<ProjectAnswer>;
  readonly people: ReadResult<readonly UserAnswer[]>;
  readonly invitations: ReadResult<readonly InvitationAnswer[]>;
  readonly invitation: ReadResult<InvitationAnswer>;
  readonly account: ReadResult<UserAnswer>;
  readonly accountByName: ReadResult<UserAnswer>;
}

export type ReadResult<T> =
  | { readonly kind: "found"; readonly value: T }
  /** The operation exists, but this object does not, or not for this key. */
  | { readonly kind: "refused"; readonly error: ApiError }
  /** The service has no such operation. */
  | { readonly kind: "missing" }
  /** The result is unknown: no answer, or an answer that cannot be read. */
  | { readonly kind: "unclear"; readonly why: string };

/** The id of no object: an existing operation answers that it finds no such object. */
const NO_ID = "0".repeat(24);
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
  projects: readonly ProjectAnswer[],
  organizations: readonly OrganizationAnswer[],
): ProjectAnswer | undefined {
  const living = new Set(organizations.map(({ id }) => id));
  return projects.find(({ orgId }) => living.has(orgId)) ?? projects[0];
}

/** @param requested the named organization and project; default: the first ones that the key sees */
export async function readServiceState(
  client: ApiClient,
  requested: ObjectIds,
  signal: AbortSignal,
): Promise<ServiceState> {
  const [projects, organizations] = await Promise.all([
    tryRead(listProjects(client, signal)),
    tryRead(listOrganizations(client, signal)),
  ]);
  const projectId =
    requested.projectId ?? firstOf(foundValue(projects) ?? [], foundValue(organizations) ?? [])?.id;
  const known = foundValue(projects)?.find(({ id }) => id === projectId);
  const orgId = requested.orgId ?? known?.orgId ?? foundValue(organizations)?.[0]?.id;
  const [orgOrNone, projectOrNone] = [orgId ?? NO_ID, projectId ?? NO_ID];
  const [organizationProjects, apiKeys, project, people, invitations, invitation, account, accountByName] =
    await Promise.all([
      tryRead(listProjectsOfOrganization(client, orgOrNone, undefined, signal)),
      tryRead(listApiKeys(client, orgOrNone, signal)),
      tryRead(getProject(client, projectOrNone, signal)),
      tryRead(listUsersOfProject(client, projectOrNone, signal)),
      tryRead(listInvitations(client, projectOrNone, undefined, signal)),
      tryRead(getInvitation(client, projectOrNone, NO_ID, signal)),
      tryRead(getUser(client, NO_ID, signal)),
      tryRead(getUserByName(client, NO_USERNAME, signal)),
    ]);
  return {
    ...{ projects, organizations, orgId, projectId, organizationProjects, apiKeys, project },
    ...{ people, invitations, invitation, account, accountByName },
  };
}

/** @throws errors that do not concern the service, such as a cancellation */
async function tryRead<T>(call: Promise<T>): Promise<ReadResult<T>> {
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
export function foundValue<T>(result: ReadResult<T> | undefined): T | undefined {
  return result?.kind === "found" ? result.value : undefined;
}
