/** One pending invitation by its id. */
import { z } from "zod";
import { getInvitation } from "../api/invitations";
import { objectId, projectIdInput } from "../resources/contract/fields";
import { invitationFields, toInvitationOutput } from "./invitation-fields";
import { defineLookup } from "./lookup";

export const getProjectInvitation = defineLookup({
  name: "getProjectInvitation",
  description:
    "Looks up one pending invitation to a project. Fails if the invitation was accepted, has expired or was deleted, because the service keeps only pending invitations. Needs an API key with the role Project User Admin.",
  inputs: z.strictObject({
    projectId: projectIdInput,
    invitationId: objectId("the id of an invitation").meta({
      description: "ID of the invitation, 24 hexadecimal digits.",
    }),
  }),
  outputs: invitationFields,
  async invoke({ args: { projectId, invitationId }, context }) {
    return toInvitationOutput(
      await getInvitation(context.session.client, projectId, invitationId, context.signal),
    );
  },
});
