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
import { look, type Sight, seen } from "./sight";

export interface Survey {
  readonly projects: Sight<readonly ProjectAnswer[]>;
  readonly organizations: Sight<readonly OrganizationAnswer[]>;
  /**
   * The organization and the project whose details were read; `undefined` if the key sees none.
   */
  readonly orgId: string | undefined;
  readonly projectId: string | undefined;
  readonly organizationProjects: Sight<readonly ProjectAnswer[]>;
  readonly apiKeys: Sight<readonly ApiKeyAnswer[]>;
  readonly project: Sight<ProjectAnswer>;
  readonly people: Sight<readonly UserAnswer[]>;
  readonly invitations: Sight<readonly InvitationAnswer[]>;
  readonly invitation: Sight<InvitationAnswer>;
  readonly account: Sight<UserAnswer>;
  readonly accountByName: Sight<UserAnswer>;
}

/** The id of no object: an existing operation answers that it finds no such object. */
const NO_ID = "0".repeat(24);
const NOBODY = "nobody@example.com";

export interface Places {
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

/** @param wanted the named organization and project; default: the first ones that the key sees */
export async function survey(client: ApiClient, wanted: Places, signal: AbortSignal): Promise<Survey> {
  const [projects, organizations] = await Promise.all([
    look(listProjects(client, signal)),
    look(listOrganizations(client, signal)),
  ]);
  const projectId = wanted.projectId ?? firstOf(seen(projects) ?? [], seen(organizations) ?? [])?.id;
  const known = seen(projects)?.find(({ id }) => id === projectId);
  const orgId = wanted.orgId ?? known?.orgId ?? seen(organizations)?.[0]?.id;
  const [org, place] = [orgId ?? NO_ID, projectId ?? NO_ID];
  const [organizationProjects, apiKeys, project, people, invitations, invitation, account, accountByName] =
    await Promise.all([
      look(listProjectsOfOrganization(client, org, undefined, signal)),
      look(listApiKeys(client, org, signal)),
      look(getProject(client, place, signal)),
      look(listUsersOfProject(client, place, signal)),
      look(listInvitations(client, place, undefined, signal)),
      look(getInvitation(client, place, NO_ID, signal)),
      look(getUser(client, NO_ID, signal)),
      look(getUserByName(client, NOBODY, signal)),
    ]);
  return {
    ...{ projects, organizations, orgId, projectId, organizationProjects, apiKeys, project },
    ...{ people, invitations, invitation, account, accountByName },
  };
}
