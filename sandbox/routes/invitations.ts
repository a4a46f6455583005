import { administeredProject, ownedOrg } from "../access";
import { refuse } from "../errors";
import type { Fields } from "../fields";
import { isId } from "../ids";
import {
  dropInvitations,
  type InvitationTarget,
  isExpired,
  joinTeams,
  pendingInvitations,
  sendInvitation,
  targetOf,
} from "../invitations";
import { newAccount } from "../make";
import { type Account, type Invitation, nameOfCaller } from "../model";
import { isInOrganization, isMember, setOrgRoles, setProjectRoles } from "../people";
import type { Call, Reply, Route } from "../router";
import type { World } from "../store";
import { invitationView } from "../views";
import { checkOrgRoles, checkProjectRoles, readBody } from "./body";
import { deletionReply } from "./deletion";

/** What a request invites to: the project or the organization of its path. */
interface Target {
  readonly id: string;
  readonly target: InvitationTarget;
  readonly isOrg: boolean;
  checkRoles(roles: readonly string[]): void;
  isMember(account: Account): boolean;
  /** Adds the account at once, without an invitation. */
  add(account: Account, body: InvitationBody): Account;
}

function requestedProject(call: Call): Target {
  const { id } = administeredProject(call.world, call.key, call.param("groupId"));
  return {
    id,
    target: { groupId: id },
    isOrg: false,
    checkRoles: checkProjectRoles,
    isMember: (account) => isMember(account, id),
    add: (account, { roles }) => setProjectRoles(call.world.store, account, id, roles),
  };
}

function requestedOrg(call: Call): Target {
  const { world, key } = call;
  const { id } = ownedOrg(world, key, call.param("orgId"));
  return {
    id,
    target: { orgId: id },
    isOrg: true,
    checkRoles: checkOrgRoles,
    isMember: (account) => isInOrganization(account, id),
    add: (account, { roles, teamIds = [] }) => {
      joinTeams(world, account, teamIds);
      return setOrgRoles(world.store, account, id, roles);
    },
  };
}

const requestedTarget = (call: Call): Target =>
  call.param("orgId") === "" ? requestedProject(call) : requestedOrg(call);

/** The invitation the path names, if it is pending. An unknown, accepted, deleted or expired one is all the same. */
function requestedInvitation(call: Call, { id: targetId }: Target, notFoundStatus: 400 | 404): Invitation {
  const id = call.param("invitationId");
  const invitation = isId(id) ? call.world.store.invitations.get(id.toLowerCase()) : undefined;
  const isMissing =
    invitation === undefined || targetOf(invitation) !== targetId || isExpired(call.world, invitation);
  if (isMissing) throw refuse.invalidInvitation(notFoundStatus, id);
  return invitation;
}

function listInvitations(call: Call): Reply {
  const { id } = requestedTarget(call);
  const username = call.query.get("username") ?? undefined;
  const pending = pendingInvitations(call.world, id, username);
  return { status: 200, body: pending.map((invitation) => invitationView(call, invitation)) };
}

function getInvitation(call: Call): Reply {
  const target = requestedTarget(call);
  const stored = call.world.store.invitations.get(call.param("invitationId").toLowerCase());
  const isHere = stored !== undefined && targetOf(stored) === target.id;
  const showExpired = call.world.switches.expiredInvitation === "shown" && isHere;
  const invitation = showExpired ? stored : requestedInvitation(call, target, 404);
  return { status: 200, body: invitationView(call, invitation) };
}

function deleteInvitation(call: Call): Reply {
  const { switches } = call.world;
  const notFoundStatus = switches.deleteGoneInvitation === "400" ? 400 : 404;
  const invitation = requestedInvitation(call, requestedTarget(call), notFoundStatus);
  call.world.store.invitations.delete(invitation.id);
  return deletionReply(switches.deleteInvitationStatus, switches);
}

interface InvitationBody {
  readonly username: string;
  readonly roles: string[];
  readonly teamIds: string[] | undefined;
}

const readOnlyInvitationFields = [
  "id",
  "groupId",
  "groupName",
  "orgId",
  "orgName",
  "createdAt",
  "expiresAt",
  "inviterUsername",
];

function readRoles(fields: Fields, target: Target): string[] {
  const roles = fields.required("roles", fields.texts("roles"));
  target.checkRoles(roles);
  return roles;
}

/** Refuses unknown teams, and for an organization those of another one. */
function checkTeams({ world }: Call, { id: targetId, isOrg }: Target, teamIds: readonly string[] = []): void {
  for (const id of teamIds) {
    const team = world.store.teams.get(id);
    if (team === undefined || (isOrg && team.orgId !== targetId)) throw refuse.teamNotFound(id);
  }
}

function readInvitation(call: Call, target: Target): InvitationBody {
  const body = readBody(call.body, readOnlyInvitationFields, (fields) => ({
    username: fields.required("username", fields.text("username")),
    roles: readRoles(fields, target),
    teamIds: fields.texts("teamIds"),
  }));
  if (!/^[^\s@]+@[^\s@]+$/.test(body.username)) throw refuse.invalidUsername(body.username);
  checkTeams(call, target, body.teamIds);
  return body;
}

/**
 * Invites, or returns a second invitation of the same person as the switch `reinvite` specifies. Also used by
 * POST /groups/{id}/users, which invites people who are not in the project yet.
 */
export function invite(call: Call, target: InvitationTarget, body: InvitationBody): Invitation {
  const { world, key } = call;
  const id = "orgId" in target ? target.orgId : target.groupId;
  if (world.switches.ldapPeople) throw refuse.invitationOnlyOrLdap();
  call.limits.checkInvitation();
  const [pending] = pendingInvitations(world, id, body.username);
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
        dropInvitations(world, id, body.username);
    }
  }
  return sendInvitation(world, { ...body, target, inviterUsername: nameOfCaller(key) });
}

function createInvitation(call: Call): Reply {
  const { store, switches } = call.world;
  const target = requestedTarget(call);
  const body = readInvitation(call, target);
  const account = store.userByName(body.username);
  const member = account !== undefined && target.isMember(account);
  if (member && switches.inviteMember === "refuse") throw refuse.cannotInvite(body.username);
  const bypassing = member ? undefined : accountWithoutInvitation(call.world, body.username);
  if (bypassing !== undefined) {
    dropInvitations(call.world, target.id, bypassing.username);
    target.add(bypassing, body);
    // "Adds the user at once and returns no invitation": what it returns instead is not documented.
    return { status: 201, body: {} };
  }
  return { status: 201, body: invitationView(call, invite(call, target.target, body)) };
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

/** Changes the roles and, in an organization, the teams of an invitation. */
function change(
  call: Call,
  invitation: Invitation,
  changes: Partial<Pick<Invitation, "roles" | "teamIds">>,
): Reply {
  const changed = call.world.store.invitations.put({ ...invitation, ...changes });
  return { status: 200, body: invitationView(call, changed) };
}

function updateInvitationById(call: Call): Reply {
  const target = requestedTarget(call);
  const invitation = requestedInvitation(call, target, 404);
  const { roles, teamIds } = readBody(call.body, readOnlyInvitationFields, (fields) => {
    // An official client sends the name as well; the path decides.
    fields.text("username");
    const teamIds = target.isOrg ? fields.texts("teamIds") : undefined;
    return { roles: readRoles(fields, target), teamIds };
  });
  checkTeams(call, target, teamIds);
  return change(call, invitation, { roles, teamIds: teamIds ?? invitation.teamIds });
}

function updateInvitationByName(call: Call): Reply {
  const target = requestedTarget(call);
  const { username, roles, teamIds } = readInvitation(call, target);
  const [invitation] = pendingInvitations(call.world, target.id, username);
  if (invitation === undefined) throw refuse.invalidInvitation(404, username);
  const ofOrg = target.isOrg ? teamIds : undefined;
  return change(call, invitation, { roles, teamIds: ofOrg ?? invitation.teamIds });
}

/** @param documented whether the API document describes GET and DELETE of one invitation */
const routesAt = (all: string, documented: boolean): Route[] => [
  { method: "GET", pattern: all, handle: listInvitations },
  { method: "POST", pattern: all, handle: createInvitation },
  { method: "PATCH", pattern: all, handle: updateInvitationByName },
  { method: "GET", pattern: `${all}/{invitationId}`, documented, handle: getInvitation },
  { method: "PATCH", pattern: `${all}/{invitationId}`, handle: updateInvitationById },
  { method: "DELETE", pattern: `${all}/{invitationId}`, documented, handle: deleteInvitation },
];

export const invitationRoutes: readonly Route[] = [
  ...routesAt("/groups/{groupId}/invites", true),
  ...routesAt("/orgs/{orgId}/invites", false),
];
