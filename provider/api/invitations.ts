/** Calls below `/groups/{id}/invites`. Accepted, expired and deleted invitations are all simply gone. */
import { z } from "zod";
import type { ApiClient } from "./client";

const invitationAnswer = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  inviterUsername: z.string(),
  roles: z.array(z.string()),
  username: z.string(),
});

export type InvitationAnswer = z.output<typeof invitationAnswer>;

export async function getInvitation(
  client: ApiClient,
  projectId: string,
  invitationId: string,
  signal?: AbortSignal,
): Promise<InvitationAnswer> {
  return client.call({
    action: `Reading invitation ${invitationId} to project ${projectId}`,
    method: "GET",
    path: ["groups", projectId, "invites", invitationId],
    answer: invitationAnswer,
    signal,
  });
}

/**
 * The pending invitations of a project: a bare array without pages.
 *
 * @param username only those sent to this address
 */
export async function listInvitations(
  client: ApiClient,
  projectId: string,
  username?: string,
  signal?: AbortSignal,
): Promise<InvitationAnswer[]> {
  return client.call({
    action: `Listing the pending invitations to project ${projectId}`,
    method: "GET",
    path: ["groups", projectId, "invites"],
    query: { username },
    answer: z.array(invitationAnswer),
    signal,
  });
}
