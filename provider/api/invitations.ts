/**
 * Calls below `/groups/{id}/invites` and `/orgs/{id}/invites`. Accepted, expired and deleted
 * invitations no longer exist in the API.
 */
import { z } from "zod";
import { operation, UNREAD_BODY } from "./client";
import { uniqueById } from "./pages";

const invitationFields = z.object({
  id: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  inviterUsername: z.string(),
  roles: z.array(z.string()),
  username: z.string(),
  /** The teams that the invited person joins by accepting. Clients send some to projects, too. */
  teamIds: z.array(z.string()).nullish(),
});

const projectInvitation = invitationFields.extend({ groupId: z.string(), groupName: z.string() });

export type InvitationResponse = z.output<typeof projectInvitation>;

/** An invitation, as the lists of both kinds of place show it. */
export type OrganizationInvitationResponse = z.output<typeof invitationFields>;

export interface NewInvitation {
  readonly username: string;
  readonly roles: readonly string[];
}

/** One pending invitation, by its id; the name is for messages only. */
interface InvitationReference {
  readonly invitationId: string;
  readonly username: string;
  /** The teams that the invited person joins by accepting. */
  readonly teamIds?: readonly string[] | undefined;
}

/**
 * The calls about the invitations of one kind of place. Each takes the ID of the place.
 *
 * @param what the place, for messages
 * @param collection the first part of the path
 */
function invitationCalls<Invitation extends OrganizationInvitationResponse>(
  what: "project" | "organization",
  collection: "groups" | "orgs",
  shape: z.ZodType<Invitation>,
) {
  return {
    get: operation((placeId: string, invitationId: string) => ({
      action: `Reading invitation ${invitationId} to ${what} ${placeId}`,
      method: "GET",
      path: [collection, placeId, "invites", invitationId],
      shape,
    })),

    /**
     * Lists the pending invitations, each once. The response is a bare array without pages.
     *
     * @param username only those sent to this address
     */
    list: operation((placeId: string, username?: string) => ({
      action: `Listing the pending invitations to ${what} ${placeId}`,
      method: "GET",
      path: [collection, placeId, "invites"],
      query: { username },
      shape: z.array(shape).transform(uniqueById),
    })),

    /**
     * Invites a user by name.
     *
     * @returns the invitation; `undefined` if the response holds none: in bypass mode the service
     * adds an existing account at once
     */
    send: operation((placeId: string, { username, roles }: NewInvitation) => ({
      action: `Inviting ${username} to ${what} ${placeId}`,
      method: "POST",
      path: [collection, placeId, "invites"],
      body: { username, roles },
      shape: shape.optional().catch(undefined),
      invites: true,
    })),

    /**
     * Gives a pending invitation exactly these roles. The teams of one to an organization are sent again, so that none is
     * dropped. The page for projects has no such field, and a service rejects fields that it does not know.
     */
    update: operation(
      (
        placeId: string,
        { invitationId, username, teamIds }: InvitationReference,
        roles: readonly string[],
      ) => ({
        action: `Giving the invitation of ${username} to ${what} ${placeId} ${roles.join(", ")}`,
        method: "PATCH",
        path: [collection, placeId, "invites", invitationId],
        body: { roles, ...(what === "organization" && teamIds?.length && { teamIds }) },
        shape,
      }),
    ),

    /**
     * Deletes a pending invitation. The service rejects this for one that was accepted, has expired
     * or was deleted.
     */
    delete: operation((placeId: string, { invitationId, username }: InvitationReference) => ({
      action: `Taking back the invitation of ${username} to ${what} ${placeId}`,
      method: "DELETE",
      path: [collection, placeId, "invites", invitationId],
      shape: UNREAD_BODY,
    })),
  };
}

export const {
  get: getInvitation,
  list: listInvitations,
  send: sendInvitation,
  update: updateInvitation,
  delete: deleteInvitation,
} = invitationCalls("project", "groups", projectInvitation);

/** Documented for Cloud Manager and Ops Manager since 5.0, with the role Organization Owner. */
export const organizationInvitations = invitationCalls("organization", "orgs", invitationFields);
