/** All people of one project, members and invitations. */
import { z } from "zod";
import { foldName, type Invitation, type Member, type Membership } from "../access/person";
import { listUsersOfProject, type UserResponse } from "../api/users";
import type { Frozen } from "../resources/contract/border";
import { optionalText, projectIdInput, requiredText, roleTexts } from "../resources/contract/fields";
import { memberOutputFields } from "../resources/contract/people-outputs";
import { inOrder } from "../resources/contract/values";
import { allMemberships } from "../resources/people/memberships";
import {
  entriesOf,
  invitationsRefusal,
  type ListResult,
  ProjectPeopleCache,
  toMembers,
} from "../resources/reads/project-people";
import { defineLookup, type LookupRequest } from "./lookup";

const person = z
  .object({
    username: requiredText("Name of the person as the service spells it."),
    status: z.enum(["active", "pending", "indirect"]).meta({
      description:
        "`active`: a member. `pending`: invited, not yet accepted. `indirect`: in only through a team or the organization.",
    }),
    roles: roleTexts(
      "Roles in the project itself, sorted; those that an invitation gives; none while `indirect`.",
    ),
    ...memberOutputFields,
    inviterUsername: optionalText("User or API key that sent the pending invitation."),
  })
  .meta({ typeName: "ProjectPerson", description: "A person who is in a project or invited to it." });

/** A member, an invited person, or a person who is in the project only indirectly. */
export type ProjectPerson = Frozen<z.output<typeof person>>;

export const getProjectMembers = defineLookup({
  name: "getProjectMembers",
  description:
    "Looks up all people in a project: members, pending invitations and, with `includeIndirect`, those who are in only through a team or the organization. Needs an API key with the role Project User Admin.",
  inputs: z.strictObject({
    projectId: projectIdInput,
    includeIndirect: z.boolean("must be true or false").optional().meta({
      defaultText: "false",
      description: "Whether to list people who are in only through a team or the organization.",
    }),
  }),
  outputs: z.object({
    projectId: requiredText("ID of the project, 24 hexadecimal digits."),
    members: z.array(person).meta({ description: "All people, sorted by username." }),
  }),
  invoke: async (request) => (await lookUpProjectMembers(request)).result,
});

interface ProjectMembersLookup {
  readonly result: { readonly projectId: string; readonly members: readonly ProjectPerson[] };
  /** A refusal here means that the service does not offer invitations. */
  readonly invitations: ListResult<Invitation>;
  /** By the ID of the account, what the service shows of each member beside the project. */
  readonly beside: ReadonlyMap<string, Pick<Member, "teamIds" | "rolesAbove">>;
}

/** Looks up the result of `getProjectMembers`, and the result of reading the invitations. */
export async function lookUpProjectMembers({
  args,
  context,
}: LookupRequest<{
  readonly projectId: string;
  readonly includeIndirect?: boolean | undefined;
}>): Promise<ProjectMembersLookup> {
  const { projectId, includeIndirect } = args;
  const { client } = context.session;
  const filter = includeIndirect ? { flattenTeams: true, includeOrgUsers: true } : {};
  const [users, invitations] = await Promise.all([
    listUsersOfProject(client, projectId, filter, context.signal),
    pendingIn(projectId, context),
  ]);
  const shown = toMembers(projectId, users);
  // An account may show the roles of its teams as its own. Only the list without teams tells who is in the project itself.
  const isDoubtful = includeIndirect && shown.some(({ teamIds }) => teamIds?.length !== 0);
  const members = isDoubtful
    ? toMembers(projectId, await listUsersOfProject(client, projectId, {}, context.signal))
    : shown;
  const memberships = allMemberships({ members, invitations: entriesOf(invitations) });
  const indirect = includeIndirect ? indirectUsers(users, memberships).map(toIndirect) : [];
  const everyone = [...memberships.map(toPersonOutput), ...indirect];
  everyone.sort((one, other) => inOrder(one.username, other.username));
  const beside = new Map(members.map((member) => [member.userId, member]));
  return { result: { projectId, members: everyone }, invitations, beside };
}

async function pendingIn(
  projectId: string,
  { session, signal }: LookupRequest["context"],
): Promise<ListResult<Invitation>> {
  const invitations = await session.of(ProjectPeopleCache).invitations(projectId, signal);
  const refusal = invitationsRefusal(projectId, { invitations }, false);
  if (refusal !== undefined) throw refusal.error;
  return invitations;
}

/**
 * Users who have access only through a team or the organization, each once. A user who is also
 * invited has an entry of their own: `pending`.
 */
function indirectUsers(users: readonly UserResponse[], memberships: readonly Membership[]): UserResponse[] {
  const named = new Set(memberships.map((membership) => foldName(membership.username)));
  const others = users.filter(({ username }) => !named.has(foldName(username)));
  return [...new Map(others.map((user) => [user.id, user])).values()];
}

function toIndirect({ id, username }: UserResponse): ProjectPerson {
  return { username, status: "indirect", roles: [], userId: id };
}

/** A member or an invited person, as outputs of functions show them. */
export function toPersonOutput({ username, status, roles, userId, invitationId, invitations }: Membership) {
  const { createdAt, expiresAt, inviterUsername }: Partial<Invitation> = invitations[0] ?? {};
  return { username, status, roles, userId, invitationId, createdAt, expiresAt, inviterUsername };
}
