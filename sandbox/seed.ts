import {
  readAccountChange,
  readKey,
  readOrg,
  readProjectChange,
  readServiceAccount,
  readTeamChange,
} from "./facts";
import { type FieldFault, type Fields, readObject } from "./fields";
import { sendInvitation } from "./invitations";
import {
  type AccountFacts,
  fullRoles,
  type KeyFacts,
  newAccount,
  newKey,
  newOrg,
  newProject,
  newServiceAccount,
  newTeam,
  type OrgFacts,
  type ProjectFacts,
  type ServiceAccountFacts,
  type TeamFacts,
} from "./make";
import type { Invitation, RoleGrant, State } from "./model";
import { setProjectRoles } from "./people";
import { Store, type World } from "./store";

/** A project in a seed: its facts, and its people in a short form. Default organization: the first. */
export interface SeedProject extends Omit<ProjectFacts, "orgId"> {
  orgId?: string | undefined;
  /** Roles by username; accounts that are not in `users` are made. */
  members?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Pending invitations, sent when the sandbox starts. */
  invitations?: readonly SeedInvitation[] | undefined;
}

export interface SeedInvitation {
  readonly username: string;
  readonly roles: readonly string[];
  readonly inviterUsername?: string | undefined;
}

/** A team in a seed. Default organization: the first. */
export interface SeedTeam extends Omit<TeamFacts, "orgId"> {
  readonly orgId?: string | undefined;
  /** Members by username; accounts that are not in `users` are made. */
  readonly usernames?: readonly string[] | undefined;
}

/**
 * What a sandbox starts with. Every list may be left out: without `orgs` there is "Example Org", without `keys` a
 * random key with all rights in the first organization, without `users` its owner `owner@example.com`.
 * A data file is a seed with everything written out.
 */
export interface Seed {
  readonly orgs?: readonly OrgFacts[] | undefined;
  readonly keys?: readonly KeyFacts[] | undefined;
  /** Default roles: those of an owner of the first organization. */
  readonly serviceAccounts?: readonly ServiceAccountFacts[] | undefined;
  readonly users?: readonly AccountFacts[] | undefined;
  readonly teams?: readonly SeedTeam[] | undefined;
  readonly projects?: readonly SeedProject[] | undefined;
  /** Pending invitations written out, as in a data file. */
  readonly invitations?: readonly Invitation[] | undefined;
}

const empty: State = {
  orgs: [],
  keys: [],
  serviceAccounts: [],
  users: [],
  teams: [],
  projects: [],
  invitations: [],
};

/** Names the location and what was expected there, such as `seed.json: projects[0].tags must be a list of text`. */
export function faultIn(source: string): FieldFault {
  return (field, problem, expected) => {
    const location = field === "" ? "the whole" : field;
    if (problem === "unknown") return new Error(`${source}: ${location} is not known`);
    return new Error(
      `${source}: ${location} ${problem === "missing" ? "is missing" : `must be ${expected}`}`,
    );
  };
}

function readRoleLists(fields: Fields, name: string): Record<string, string[]> | undefined {
  const record = fields.record(name);
  if (record === undefined) return undefined;
  for (const roles of Object.values(record)) {
    const isList = Array.isArray(roles) && roles.every((role) => typeof role === "string");
    if (!isList) fields.refuse(name, "an object of lists of role names");
  }
  return record as Record<string, string[]>;
}

const readSeedInvitation = (fields: Fields): SeedInvitation => ({
  username: fields.required("username", fields.text("username")),
  roles: fields.required("roles", fields.texts("roles")),
  inviterUsername: fields.text("inviterUsername"),
});

const readSeedProject = (fields: Fields): SeedProject => ({
  ...readProjectChange(fields),
  name: fields.required("name", fields.text("name")),
  members: readRoleLists(fields, "members"),
  invitations: fields.items("invitations", readSeedInvitation),
});

const readSeedTeam = (fields: Fields): SeedTeam => ({
  ...readTeamChange(fields),
  usernames: fields.texts("usernames"),
});

const readSeedUser = (fields: Fields): AccountFacts => ({
  ...readAccountChange(fields),
  username: fields.required("username", fields.text("username")),
});

function readInvitation(fields: Fields): Invitation {
  const text = (name: string): string => fields.required(name, fields.text(name));
  const userId = fields.text("userId");
  const orgId = fields.text("orgId");
  return {
    id: text("id"),
    ...(orgId === undefined ? { groupId: fields.required("groupId", fields.text("groupId")) } : { orgId }),
    username: text("username"),
    ...(userId === undefined ? {} : { userId }),
    roles: fields.required("roles", fields.texts("roles")),
    teamIds: fields.texts("teamIds") ?? [],
    createdAt: text("createdAt"),
    expiresAt: text("expiresAt"),
    inviterUsername: text("inviterUsername"),
  };
}

/** Checks a seed from outside. Throws an Error that names `source`, the location and what is expected there. */
export function readSeed(value: unknown, source: string): Seed {
  return readObject(value, "", faultIn(source), (fields) => ({
    orgs: fields.items("orgs", readOrg),
    keys: fields.items("keys", readKey),
    serviceAccounts: fields.items("serviceAccounts", readServiceAccount),
    users: fields.items("users", readSeedUser),
    teams: fields.items("teams", readSeedTeam),
    projects: fields.items("projects", readSeedProject),
    invitations: fields.items("invitations", readInvitation),
  }));
}

/** The store a sandbox starts with. `world` lends the clock and the switches. */
export function buildStore(seed: Seed, world: Omit<World, "store" | "events">, source: string): Store {
  const store = new Store(empty);
  const orgs = seed.orgs?.length ? seed.orgs : [{}];
  const [firstOrg] = orgs.map((org) => store.orgs.put(newOrg(org)));
  const orgId = firstOrg?.id ?? "";
  const keys = seed.keys?.length ? seed.keys : [{}];
  for (const key of keys) store.keys.put(newKey({ ...key, roles: key.roles ?? fullRoles(orgId) }));
  const ownerRoles = [{ orgId, roleName: "ORG_OWNER" }];
  for (const account of seed.serviceAccounts ?? []) {
    store.serviceAccounts.put(newServiceAccount({ ...account, roles: account.roles ?? ownerRoles }));
  }
  const owner: AccountFacts = { username: "owner@example.com", roles: ownerRoles };
  for (const user of seed.users ?? [owner]) store.users.put(newAccount(user));
  for (const team of seed.teams ?? []) addTeam(store, team, orgId);
  for (const project of seed.projects ?? []) addProject({ ...world, store }, project, orgId);
  for (const invitation of seed.invitations ?? []) store.invitations.put(invitation);
  checkReferences(store, source);
  return store;
}

const accountOf = (store: Store, username: string) =>
  store.userByName(username) ?? store.users.put(newAccount({ username }));

function addTeam(store: Store, { usernames, ...facts }: SeedTeam, orgId: string): void {
  const named = usernames?.map((username) => accountOf(store, username).id) ?? [];
  store.teams.put(
    newTeam({ ...facts, orgId: facts.orgId ?? orgId, userIds: [...(facts.userIds ?? []), ...named] }),
  );
}

function addProject(
  world: Omit<World, "events">,
  { members, invitations, ...facts }: SeedProject,
  orgId: string,
): void {
  const { store, clock } = world;
  const project = store.projects.put(newProject({ ...facts, orgId: facts.orgId ?? orgId }, clock.iso()));
  for (const [username, roles] of Object.entries(members ?? {})) {
    setProjectRoles(store, accountOf(store, username), project.id, roles);
  }
  for (const { username, roles, inviterUsername = "owner@example.com" } of invitations ?? []) {
    sendInvitation(world, { target: { groupId: project.id }, username, roles, inviterUsername });
  }
}

/** Refuses a seed whose objects name others that are not there. */
function checkReferences(store: Store, source: string): void {
  const fail = (what: string, id: string, where: string): never => {
    throw new Error(`${source}: there is no ${what} ${id}, named by ${where}`);
  };
  const checkTarget = ({ orgId, groupId }: Omit<RoleGrant, "roleName">, where: string): void => {
    if (orgId !== undefined && store.orgs.get(orgId) === undefined) fail("organization", orgId, where);
    if (groupId !== undefined && store.projects.get(groupId) === undefined) fail("project", groupId, where);
  };
  const checkGrants = (grants: readonly RoleGrant[], where: string): void => {
    for (const grant of grants) checkTarget(grant, where);
  };
  for (const key of store.keys.all()) checkGrants(key.roles, `key ${key.publicKey}`);
  for (const { clientId, roles } of store.serviceAccounts.all()) {
    checkGrants(roles, `service account ${clientId}`);
  }
  for (const user of store.users.all()) checkGrants(user.roles, `user ${user.username}`);
  for (const { orgId, name, teams } of store.projects.all()) {
    if (store.orgs.get(orgId) === undefined) fail("organization", orgId, `project ${name}`);
    const unknown = teams.find(({ teamId }) => store.teams.get(teamId) === undefined);
    if (unknown !== undefined) fail("team", unknown.teamId, `project ${name}`);
  }
  for (const { id, ...target } of store.invitations.all()) {
    checkTarget(target, `invitation ${id}`);
  }
}
