import { z } from "zod";
import { listInvitations } from "../api/invitations";
import { projectIdInput, requiredText } from "../resources/contract/fields";
import { usernameText } from "../resources/contract/people-inputs";
import { inOrder } from "../resources/contract/values";
import { invitationFields, toInvitationOutput } from "./invitation-fields";
import { defineLookup } from "./lookup";

export const getProjectInvitations = defineLookup({
  name: "getProjectInvitations",
  description:
    "Looks up the pending invitations to a project, of all people or of one `username`; none is an empty list. Needs an API key with the role Project User Admin.",
  inputs: z.strictObject({
    projectId: projectIdInput,
    username: usernameText()
      .optional()
      .meta({ description: "Only invitations sent to this e-mail address." }),
  }),
  outputs: z.object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    invitations: z.array(invitationFields).meta({ description: "Pending invitations, sorted by username." }),
  }),
  async invoke({ args: { projectId, username }, context }) {
    const responses = await listInvitations(context.session.client, projectId, username, context.signal);
    const sorted = [...responses].sort((one, other) => inOrder(one.username, other.username));
    return { projectId, invitations: sorted.map(toInvitationOutput) };
  },
});
