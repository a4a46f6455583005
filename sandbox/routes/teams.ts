import { isGlobal, isOrgOwner, isOwner, isUserAdmin, readableOrg, readableProject } from "../access";
import { refuse } from "../errors";
import { isId } from "../ids";
import { isLdapBacked } from "../ldap-people";
import { newTeam } from "../make";
import type { Account, Org, Project, ProjectTeam, Team } from "../model";
import { page } from "../paging";
import { dropTeam, losesLastOwner } from "../people";
import type { Call, Reply, Route } from "../router";
import { accountView, projectTeamView, teamView } from "../views";
import { checkProjectRoles, readBody, readListBody } from "./body";
import { deletionReply } from "./deletion";

/** Limits of the documentation: teams of an organization, and people of a team. */
const MOST = 250;

const requestedOrg = (call: Call): Org => readableOrg(call.world, call.key, call.param("orgId"));

/** The organization, for a key that may change its teams. */
function ownedOrg(call: Call): Org {
  const org = requestedOrg(call);
  if (!isOrgOwner(call.key, org.id)) throw refuse.notOrgAdmin(org.id);
  return org;
}

/** A key without a role in the organization itself sees the teams of the projects that it can read. */
function visibleTeams({ world, key }: Call, org: Org): Team[] {
  const teams = world.store.teams.filter((team) => team.orgId === org.id);
  if (isGlobal(key) || key.roles.some(({ orgId }) => orgId === org.id)) return teams;
  const isInOwnProject = ({ id }: Team) =>
    world.store.projects
      .filter((project) => key.roles.some(({ groupId }) => groupId === project.id))
      .some(({ teams: inProject }) => inProject.some(({ teamId }) => teamId === id));
  return teams.filter(isInOwnProject);
}

function teamOf(call: Call, org: Org): Team {
  const id = call.param("teamId");
  if (!isId(id)) throw refuse.invalidTeamId(id);
  const team = visibleTeams(call, org).find((one) => one.id === id.toLowerCase());
  if (team === undefined) throw refuse.teamNotFound(id);
  return team;
}

function listTeams(call: Call): Reply {
  return page(call, visibleTeams(call, requestedOrg(call)), ({ id, name }) => ({ id, name }));
}

function getTeam(call: Call): Reply {
  return { status: 200, body: teamView(call, teamOf(call, requestedOrg(call))) };
}

function getTeamByName(call: Call): Reply {
  const name = call.param("name");
  const team = visibleTeams(call, requestedOrg(call)).find((one) => one.name === name);
  if (team === undefined) throw refuse.teamNameNotFound(name);
  return { status: 200, body: teamView(call, team) };
}

function checkTeamName({ world }: Call, org: Org, name: string, ownId?: string): void {
  if (name.trim() === "") throw refuse.invalidTeamName(name);
  const other = world.store.teams.find((team) => team.orgId === org.id && team.name === name);
  if (other !== undefined && other.id !== ownId) throw refuse.teamNameTaken(name);
}

/** An account that has a role in the organization. Others have not accepted an invitation to it. */
function activeIn(org: Org, account: Account): Account {
  if (!account.roles.some(({ orgId }) => orgId === org.id)) throw refuse.pendingUser(account.username);
  return account;
}

/** The people of a team: each one once, and not more than the limit. */
function limited(userIds: readonly string[]): string[] {
  const people = [...new Set(userIds)];
  if (people.length > MOST) throw refuse.tooManyTeamUsers(MOST);
  return people;
}

function createTeam(call: Call): Reply {
  const { store, clock, switches } = call.world;
  const org = ownedOrg(call);
  const { name, usernames } = readBody(call.body, ["id"], (fields) => ({
    name: fields.required("name", fields.text("name")),
    usernames: fields.texts("usernames") ?? [],
  }));
  if (isLdapBacked(call.world)) throw refuse.teamsWithLdap();
  checkTeamName(call, org, name);
  if (store.teams.filter((team) => team.orgId === org.id).length >= MOST) throw refuse.tooManyTeams(MOST);
  if (usernames.length === 0 && switches.emptyTeam === "refuse") throw refuse.emptyTeam();
  const accounts = usernames.map((username) => {
    const account = store.userByName(username);
    if (account === undefined) throw refuse.unexpected();
    return activeIn(org, account);
  });
  const given = limited(accounts.map(({ id }) => id));
  const userIds = switches.usernamesOfNewTeam === "ignore" ? [] : given;
  const team = store.teams.put(newTeam({ orgId: org.id, name, userIds }));
  store.teamsCreated.set(team.id, clock.now());
  return { status: 200, body: teamView(call, team) };
}

function renameTeam(call: Call): Reply {
  const org = ownedOrg(call);
  const team = teamOf(call, org);
  const { name } = readBody(call.body, ["id", "links"], (fields) => ({
    name: fields.required("name", fields.text("name")),
  }));
  checkTeamName(call, org, name, team.id);
  return { status: 200, body: teamView(call, call.world.store.teams.put({ ...team, name })) };
}

/** Protects the projects whose only owner is the team, where these people are left in it. */
function refuseLastOwners({ world }: Call, { id }: Team, userIds: readonly string[]): void {
  const users = new Map([[id, userIds]]);
  if (world.store.projects.all().some((project) => losesLastOwner(world, project.id, { users })))
    throw refuse.lastOwnerLeaves();
}

function deleteTeam(call: Call): Reply {
  const { store, switches } = call.world;
  const team = teamOf(call, ownedOrg(call));
  const isUsed = store.projects.all().some(({ teams }) => teams.some(({ teamId }) => teamId === team.id));
  if (isUsed && switches.usedTeam === "refuse") throw refuse.teamInUse(team.id);
  refuseLastOwners(call, team, []);
  dropTeam(call.world, team.id);
  return deletionReply(switches.deleteTeamStatus, switches);
}

const peopleOf = ({ world }: Call, { userIds }: Team): Account[] =>
  userIds.flatMap((id) => world.store.users.get(id) ?? []);

function listTeamUsers(call: Call): Reply {
  const team = teamOf(call, requestedOrg(call));
  return page(call, peopleOf(call, team), (account) => accountView(call, account));
}

function addTeamUsers(call: Call): Reply {
  const { store } = call.world;
  const org = ownedOrg(call);
  const team = teamOf(call, org);
  const ids = readListBody(call.body, (fields) => fields.required("id", fields.text("id")));
  const added = ids.map((id) => {
    if (!isId(id)) throw refuse.invalidUserId(id);
    const account = store.users.get(id.toLowerCase());
    if (account === undefined) throw refuse.userNotFound(id);
    if (team.userIds.includes(account.id)) throw refuse.userInTeam(account.username);
    return activeIn(org, account).id;
  });
  const changed = store.teams.put({ ...team, userIds: limited([...team.userIds, ...added]) });
  return page(call, peopleOf(call, changed), (account) => accountView(call, account));
}

function removeTeamUser(call: Call): Reply {
  const { store, switches } = call.world;
  const team = teamOf(call, ownedOrg(call));
  const userId = call.param("userId").toLowerCase();
  if (!team.userIds.includes(userId)) throw refuse.userNotFound(userId);
  const userIds = team.userIds.filter((id) => id !== userId);
  if (userIds.length === 0 && switches.lastTeamUser === "keep") throw refuse.lastTeamUser();
  refuseLastOwners(call, team, userIds);
  store.teams.put({ ...team, userIds });
  return deletionReply(switches.deleteTeamStatus, switches);
}

// Teams in projects

const requestedProject = (call: Call): Project =>
  readableProject(call.world, call.key, call.param("groupId"));

function listProjectTeams(call: Call): Reply {
  return page(call, requestedProject(call).teams, (team) => projectTeamView(call, team));
}

function teamIn(project: Project, id: string): ProjectTeam {
  if (!isId(id)) throw refuse.invalidTeamId(id);
  const team = project.teams.find(({ teamId }) => teamId === id.toLowerCase());
  if (team === undefined) throw refuse.teamNotInGroup(id, project.id);
  return team;
}

function getProjectTeam(call: Call): Reply {
  const project = requestedProject(call);
  if (call.world.switches.projectTeam === "not-offered") throw refuse.resourceNotFound(call.path);
  return { status: 200, body: projectTeamView(call, teamIn(project, call.param("teamId"))) };
}

/** The team that is to join the project. A team that was created a moment ago may not be known yet. */
function joining({ world }: Call, project: Project, id: string): Team {
  const { store, clock, switches } = world;
  if (!isId(id)) throw refuse.invalidAttribute("teamId");
  const team = store.teams.get(id.toLowerCase());
  if (team === undefined) throw refuse.teamNotFound(id);
  if (team.orgId !== project.orgId) {
    throw switches.foreignTeam === "TEAM_NOT_IN_ORG" ? refuse.teamNotInOrg(id) : refuse.teamNotFound(id);
  }
  const created = store.teamsCreated.get(team.id) ?? Number.NEGATIVE_INFINITY;
  if (clock.now() < created + switches.newTeamUnknownSeconds * 1000) throw refuse.teamNotFound(id);
  const isIn = project.teams.some(({ teamId }) => teamId === team.id);
  if (isIn && switches.addedTeamAgain === "refuse") throw refuse.teamInGroup(id, project.id);
  return team;
}

function readRoles(roleNames: readonly string[]): string[] {
  if (roleNames.length === 0) throw refuse.noRolesInAssignment();
  checkProjectRoles(roleNames);
  return [...new Set(roleNames)];
}

/** Stores the teams, and responds with all of them or with those that the call changed. */
function storeAndRespond(
  call: Call,
  project: Project,
  teams: readonly ProjectTeam[],
  changed: readonly string[],
): Reply {
  const { store, switches } = call.world;
  store.projects.put({ ...project, teams });
  const shown =
    switches.teamAnswers === "all" ? teams : teams.filter(({ teamId }) => changed.includes(teamId));
  return page(call, shown, (team) => projectTeamView(call, team));
}

function addProjectTeams(call: Call): Reply {
  const project = requestedProject(call);
  if (!isOwner(call.key, project)) throw refuse.unauthorized();
  const entries = readListBody(call.body, (fields) => ({
    teamId: fields.required("teamId", fields.text("teamId")),
    roleNames: fields.required("roleNames", fields.texts("roleNames")),
  }));
  const { store, switches } = call.world;
  if (isLdapBacked(call.world)) throw refuse.teamsWithLdap();
  const most = switches.maxTeamsPerProject;
  let teams = project.teams;
  for (const entry of entries) {
    const { id: teamId } = joining(call, { ...project, teams }, entry.teamId);
    const others = teams.filter((team) => team.teamId !== teamId);
    const changed = [...others, { teamId, roleNames: readRoles(entry.roleNames) }];
    if (most > 0 && changed.length > most) throw refuse.tooManyProjectTeams(most);
    teams = changed;
    if (switches.severalTeams === "one-by-one") store.projects.put({ ...project, teams });
  }
  return storeAndRespond(
    call,
    project,
    teams,
    entries.map(({ teamId }) => teamId.toLowerCase()),
  );
}

function changeProjectTeam(call: Call): Reply {
  const project = requestedProject(call);
  if (!isUserAdmin(call.key, project)) throw refuse.notGroupUserAdmin(project.id);
  const { teamId, roleNames: before } = teamIn(project, call.param("teamId"));
  const given = readBody(call.body, ["teamId", "links"], (fields) =>
    readRoles(fields.required("roleNames", fields.texts("roleNames"))),
  );
  const roleNames =
    call.world.switches.patchTeamRoles === "add" ? [...new Set([...before, ...given])] : given;
  const teams = project.teams.map((team) => (team.teamId === teamId ? { teamId, roleNames } : team));
  if (losesLastOwner(call.world, project.id, { teams })) throw refuse.lastOwnerDemoted();
  return storeAndRespond(call, project, teams, [teamId]);
}

function removeProjectTeam(call: Call): Reply {
  const { store, switches } = call.world;
  const project = requestedProject(call);
  if (!isUserAdmin(call.key, project)) throw refuse.notGroupUserAdmin(project.id);
  const { teamId } = teamIn(project, call.param("teamId"));
  const teams = project.teams.filter((team) => team.teamId !== teamId);
  if (losesLastOwner(call.world, project.id, { teams })) throw refuse.lastOwnerLeaves();
  store.projects.put({ ...project, teams });
  return deletionReply(switches.deleteTeamStatus, switches);
}

const TEAM = "/orgs/{orgId}/teams/{teamId}";

export const teamRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs/{orgId}/teams", handle: listTeams },
  { method: "POST", pattern: "/orgs/{orgId}/teams", handle: createTeam },
  { method: "GET", pattern: "/orgs/{orgId}/teams/byName/{name}", handle: getTeamByName },
  { method: "GET", pattern: TEAM, handle: getTeam },
  { method: "PATCH", pattern: TEAM, handle: renameTeam },
  { method: "DELETE", pattern: TEAM, handle: deleteTeam },
  { method: "GET", pattern: `${TEAM}/users`, handle: listTeamUsers },
  { method: "POST", pattern: `${TEAM}/users`, handle: addTeamUsers },
  { method: "DELETE", pattern: `${TEAM}/users/{userId}`, handle: removeTeamUser },
  { method: "GET", pattern: "/groups/{groupId}/teams", handle: listProjectTeams },
  { method: "POST", pattern: "/groups/{groupId}/teams", handle: addProjectTeams },
  { method: "GET", pattern: "/groups/{groupId}/teams/{teamId}", handle: getProjectTeam },
  { method: "PATCH", pattern: "/groups/{groupId}/teams/{teamId}", handle: changeProjectTeam },
  { method: "DELETE", pattern: "/groups/{groupId}/teams/{teamId}", handle: removeProjectTeam },
];
