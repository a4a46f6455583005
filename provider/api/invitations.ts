/**
 * Calls below `/groups/{id}/invites`. Accepted, expired and deleted invitations no longer exist in
 * the API.
 */
import { z } from "zod";
import { operation, UNREAD_BODY } from "./client";
import { uniqueById } from "./pages";

const invitationResponse = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  inviterUsername: z.string(),
  roles: z.array(z.string()),
  username: z.string(),
});

export type InvitationResponse = z.output<typeof invitationResponse>;

export const getInvitation = operation((projectId: string, invitationId: string) => ({
  action: `Reading invitation ${invitationId} to project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "invites", invitationId],
  shape: invitationResponse,
}));

/**
 * Lists the pending invitations of a project, each once. The response is a bare array without pages.
 *
 * @param username only those sent to this address
 */
export const listInvitations = operation((projectId: string, username?: string) => ({
  action: `Listing the pending invitations to project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "invites"],
  query: { username },
  shape: z.array(invitationResponse).transform(uniqueById),
}));

export interface NewInvitation {
  readonly username: string;
  readonly roles: readonly string[];
}

/**
 * Invites a user by name.
 *
 * @returns the invitation; `undefined` if the response holds none: in bypass mode the service adds
 * an existing account at once
 */
export const sendInvitation = operation((projectId: string, { username, roles }: NewInvitation) => ({
  action: `Inviting ${username} to project ${projectId}`,
  method: "POST",
  path: ["groups", projectId, "invites"],
  body: { username, roles },
  shape: invitationResponse.optional().catch(undefined),
  invites: true,
}));

/** One pending invitation, by its id; the name is for messages only. */
interface InvitationReference {
  readonly invitationId: string;
  readonly username: string;
}

/** Gives a pending invitation exactly these roles. */
export const updateInvitation = operation(
  (projectId: string, { invitationId, username }: InvitationReference, roles: readonly string[]) => ({
    action: `Giving the invitation of ${username} to project ${projectId} ${roles.join(", ")}`,
    method: "PATCH",
    path: ["groups", projectId, "invites", invitationId],
    body: { roles },
    shape: invitationResponse,
  }),
);

/**
 * Deletes a pending invitation. The service rejects this for one that was accepted, has expired or
 * was deleted.
 */
export const deleteInvitation = operation(
  (projectId: string, { invitationId, username }: InvitationReference) => ({
    action: `Taking back the invitation of ${username} to project ${projectId}`,
    method: "DELETE",
    path: ["groups", projectId, "invites", invitationId],
    shape: UNREAD_BODY,
  }),
);
