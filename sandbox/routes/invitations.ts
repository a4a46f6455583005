import { administeredProject } from "../access";
import { refuse } from "../errors";
import type { Fields } from "../fields";
import { isId } from "../ids";
import { dropInvitations, isExpired, pendingInvitations, sendInvitation } from "../invitations";
import { newAccount } from "../make";
import type { Account, Invitation, Project } from "../model";
import { isMember, setProjectRoles } from "../people";
import type { Call, Reply, Route } from "../router";
import type { World } from "../store";
import { invitationView } from "../views";
import { checkProjectRoles, readBody } from "./body";
import { deletionReply } from "./deletion";

const requestedProject = (call: Call): Project =>
  administeredProject(call.world, call.key, call.param("groupId"));

/** The invitation the path names, if it is pending. An unknown, accepted, deleted or expired one is all the same. */
function requestedInvitation(call: Call, project: Project, notFoundStatus: 400 | 404): Invitation {
  const id = call.param("invitationId");
  const invitation = isId(id) ? call.world.store.invitations.get(id.toLowerCase()) : undefined;
  const isMissing =
    invitation === undefined || invitation.groupId !== project.id || isExpired(call.world, invitation);
  if (isMissing) throw refuse.invalidInvitation(notFoundStatus, id);
  return invitation;
}

function listInvitations(call: Call): Reply {
  const project = requestedProject(call);
  const username = call.query.get("username") ?? undefined;
  const pending = pendingInvitations(call.world, project.id, username);
  return { status: 200, body: pending.map((invitation) => invitationView(call, invitation)) };
}

function getInvitation(call: Call): Reply {
  const project = requestedProject(call);
  const stored = call.world.store.invitations.get(call.param("invitationId").toLowerCase());
  const showExpired = call.world.switches.expiredInvitation === "shown" && stored?.groupId === project.id;
  const invitation = showExpired ? stored : requestedInvitation(call, project, 404);
  return { status: 200, body: invitationView(call, invitation) };
}

function deleteInvitation(call: Call): Reply {
  const { switches } = call.world;
  const notFoundStatus = switches.deleteGoneInvitation === "400" ? 400 : 404;
  const invitation = requestedInvitation(call, requestedProject(call), notFoundStatus);
  call.world.store.invitations.delete(invitation.id);
  return deletionReply(switches.deleteInvitationStatus, switches);
}

interface InvitationBody {
  readonly username: string;
  readonly roles: string[];
  readonly teamIds: string[] | undefined;
}

const readOnlyInvitationFields = ["id", "groupId", "groupName", "createdAt", "expiresAt", "inviterUsername"];

function readRoles(fields: Fields): string[] {
  const roles = fields.required("roles", fields.texts("roles"));
  checkProjectRoles(roles);
  return roles;
}

function readInvitation(call: Call): InvitationBody {
  const body = readBody(call.body, readOnlyInvitationFields, (fields) => ({
    username: fields.required("username", fields.text("username")),
    roles: readRoles(fields),
    teamIds: fields.texts("teamIds"),
  }));
  if (!/^[^\s@]+@[^\s@]+$/.test(body.username)) throw refuse.invalidUsername(body.username);
  for (const id of body.teamIds ?? [])
    if (call.world.store.teams.get(id) === undefined) throw refuse.teamNotFound(id);
  return body;
}

/**
 * Invites, or returns a second invitation of the same person as the switch `reinvite` specifies. Also used by
 * POST /groups/{id}/users, which invites people who are not in the project yet.
 */
export function invite(call: Call, project: Project, body: InvitationBody): Invitation {
  const { world, key } = call;
  if (world.switches.ldapPeople) throw refuse.invitationOnlyOrLdap();
  call.limits.checkInvitation();
  const [pending] = pendingInvitations(world, project.id, body.username);
  if (pending !== undefined) {
    switch (world.switches.reinvite) {
      case "same":
        return world.store.invitations.put({
          ...pending,
          roles: body.roles,
          teamIds: body.teamIds ?? pending.teamIds,
        });
      case "refuse":
        throw refuse.cannotInvite(body.username);
      case "replace":
        dropInvitations(world, project.id, body.username);
    }
  }
  return sendInvitation(world, { ...body, groupId: project.id, inviterUsername: key.publicKey });
}

function createInvitation(call: Call): Reply {
  const { store, switches } = call.world;
  const project = requestedProject(call);
  const body = readInvitation(call);
  const account = store.userByName(body.username);
  const member = account !== undefined && isMember(account, project.id);
  if (member && switches.inviteMember === "refuse") throw refuse.cannotInvite(body.username);
  const bypassing = member ? undefined : accountWithoutInvitation(call.world, body.username);
  if (bypassing !== undefined) {
    dropInvitations(call.world, project.id, bypassing.username);
    setProjectRoles(store, bypassing, project.id, body.roles);
    // "Adds the user at once and returns no invitation": what it returns instead is not documented.
    return { status: 201, body: {} };
  }
  return { status: 201, body: invitationView(call, invite(call, project, body)) };
}

/**
 * The account that is added at once, if the service sends this user no invitation. Whether the service makes the
 * account of a new name is not documented.
 */
function accountWithoutInvitation({ store, switches }: World, username: string): Account | undefined {
  const account = store.userByName(username);
  const { bypassInvitations, bypassNewUsers, ldapPeople } = switches;
  if (account !== undefined) return bypassInvitations || bypassNewUsers ? account : undefined;
  return bypassNewUsers && !ldapPeople ? store.users.put(newAccount({ username })) : undefined;
}

function setRoles(call: Call, invitation: Invitation, roles: string[]): Reply {
  return {
    status: 200,
    body: invitationView(call, call.world.store.invitations.put({ ...invitation, roles })),
  };
}

function updateInvitationById(call: Call): Reply {
  const invitation = requestedInvitation(call, requestedProject(call), 404);
  const roles = readBody(call.body, readOnlyInvitationFields, (fields) => {
    // An official client sends the name as well; the path decides.
    fields.text("username");
    return readRoles(fields);
  });
  return setRoles(call, invitation, roles);
}

function updateInvitationByName(call: Call): Reply {
  const project = requestedProject(call);
  const { username, roles } = readInvitation(call);
  const [invitation] = pendingInvitations(call.world, project.id, username);
  if (invitation === undefined) throw refuse.invalidInvitation(404, username);
  return setRoles(call, invitation, roles);
}

const one = "/groups/{groupId}/invites/{invitationId}";
const all = "/groups/{groupId}/invites";

export const invitationRoutes: readonly Route[] = [
  { method: "GET", pattern: all, handle: listInvitations },
  { method: "POST", pattern: all, handle: createInvitation },
  { method: "PATCH", pattern: all, handle: updateInvitationByName },
  { method: "GET", pattern: one, documented: true, handle: getInvitation },
  { method: "PATCH", pattern: one, handle: updateInvitationById },
  { method: "DELETE", pattern: one, documented: true, handle: deleteInvitation },
];
