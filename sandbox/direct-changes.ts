import type { AccountChange, ProjectChange, TeamChange } from "./facts";
import { newId } from "./ids";
import { acceptInvitation, renameInvitee, sendInvitation } from "./invitations";
import { syncLdapPeople } from "./ldap-people";
import {
  type AccountFacts,
  type AgentKeyFacts,
  defined,
  type KeyFacts,
  newAccount,
  newAgentKey,
  newClientSecret,
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
import type {
  Account,
  AgentKey,
  ApiKey,
  Invitation,
  Org,
  Project,
  ProjectTeam,
  ServiceAccount,
  State,
  Team,
} from "./model";
import { dropProject, dropTeam, leaveOrg, setOrgRoles, setProjectRoles } from "./people";
import type { Table, World } from "./store";

/** Thrown when a change names an object that the sandbox does not have. */
export class NoSuchObject extends Error {
  constructor(kind: string, id: string) {
    super(`There is no ${kind} ${id} in the sandbox.`);
    this.name = "NoSuchObject";
  }
}

/** A person, by one of two names. */
export type Person = { readonly username: string } | { readonly id: string };

/** A person who makes direct changes, such as in the web pages. */
export interface DirectActor {
  readonly username: string;
  /** Left out: `192.0.2.1`. */
  readonly remoteAddress?: string | undefined;
}

/** Properties of an invitation that is added directly; default inviter: `owner@example.com`. */
export interface InvitationFacts {
  readonly username: string;
  readonly roles: readonly string[];
  readonly teamIds?: readonly string[] | undefined;
  readonly inviterUsername?: string | undefined;
}

/**
 * Direct changes: what a user does in the web pages of Ops Manager, without the API. No limit is checked, no key is
 * needed and nothing is logged as a request.
 */
export class DirectChanges {
  /** `changed` is called after every change. */
  constructor(
    protected readonly world: World,
    private readonly changed: () => void,
  ) {
    this.actAs({ username: "owner@example.com" });
  }

  /** Everything the sandbox knows, secrets included. */
  get state(): State {
    return this.world.store.snapshot();
  }

  /** The project as it is stored; undefined when it no longer exists. */
  project(id: string): Project | undefined {
    return this.world.store.projects.get(id);
  }

  /** The person's account as it is stored. */
  user(person: Person): Account | undefined {
    const { store } = this.world;
    return "id" in person ? store.users.get(person.id) : store.userByName(person.username);
  }

  /**
   * Later direct changes are those of this person in events; initially `owner@example.com`. A username without an
   * account gets an ID of its own.
   */
  actAs({ username, remoteAddress = "192.0.2.1" }: DirectActor): void {
    const userId = this.user({ username })?.id ?? newId();
    this.world.events.actAs({ userId, username, remoteAddress });
  }

  addOrg(facts: OrgFacts = {}): Org {
    return this.put(this.world.store.orgs, newOrg(facts));
  }

  /** Changes the given fields; `isDeleted: true` deletes it, as the service's own pages do. */
  changeOrg(id: string, change: OrgFacts): Org {
    const { orgs } = this.world.store;
    return this.put(orgs, { ...found(orgs, "organization", id), ...defined(change), id });
  }

  /** Gives the person exactly these roles in the organization. A username without an account gets one. */
  setOrgMember(orgId: string, person: Person, roles: readonly string[]): Account {
    const { store } = this.world;
    found(store.orgs, "organization", orgId);
    const member = setOrgRoles(store, this.accountOf(person), orgId, roles);
    this.changed();
    return member;
  }

  /** Removes the person from the organization, its projects and teams, last owner or not. */
  removeOrgMember(orgId: string, person: Person): void {
    found(this.world.store.orgs, "organization", orgId);
    leaveOrg(this.world, this.existingAccount(person), orgId);
    this.changed();
  }

  /** Default organization: the first. */
  addProject(facts: Omit<ProjectFacts, "orgId"> & { orgId?: string | undefined }): Project {
    const { store, clock } = this.world;
    return this.put(
      store.projects,
      newProject({ ...facts, orgId: this.existingOrgId(facts.orgId) }, clock.iso()),
    );
  }

  /** Changes the given fields; another `orgId` moves the project. */
  changeProject(id: string, change: ProjectChange): Project {
    const { projects } = this.world.store;
    const project = found(projects, "project", id);
    return this.put(projects, {
      ...project,
      ...defined(change),
      id,
      orgId: this.existingOrgId(change.orgId ?? project.orgId),
    });
  }

  removeProject(id: string): void {
    found(this.world.store.projects, "project", id);
    dropProject(this.world, id);
    this.changed();
  }

  /** Makes an account that is in no project. Throws where another account has the username. */
  addUser(facts: AccountFacts): Account {
    this.checkUsername(facts.username);
    return this.put(this.world.store.users, newAccount(facts));
  }

  /** Changes the given fields. Another `username` renames; it throws where another account has that name. */
  changeUser(id: string, change: AccountChange): Account {
    const { users } = this.world.store;
    const account = found(users, "user", id);
    if (change.username !== undefined) {
      this.checkUsername(change.username, id);
      renameInvitee(this.world, account, change.username);
    }
    return this.put(users, { ...account, ...defined(change), id });
  }

  /** Gives people the roles of their LDAP groups now, as the service does every hour while `ldapPeople` is on. */
  syncLdapPeople(): void {
    syncLdapPeople(this.world);
    this.changed();
  }

  /** Gives the person exactly these roles in the project. A username without an account gets one. */
  setMember(projectId: string, person: Person, roles: readonly string[]): Account {
    const { store } = this.world;
    found(store.projects, "project", projectId);
    const member = setProjectRoles(store, this.accountOf(person), projectId, roles);
    this.changed();
    return member;
  }

  /** Takes the person out of the project, last owner or not. */
  removeMember(projectId: string, person: Person): void {
    this.setMember(projectId, { id: this.existingAccount(person).id }, []);
  }

  addInvitation(projectId: string, facts: InvitationFacts): Invitation {
    found(this.world.store.projects, "project", projectId);
    const { inviterUsername = "owner@example.com" } = facts;
    const invitation = sendInvitation(this.world, {
      ...facts,
      target: { groupId: projectId },
      inviterUsername,
    });
    this.changed();
    return invitation;
  }

  addOrgInvitation(orgId: string, facts: InvitationFacts): Invitation {
    found(this.world.store.orgs, "organization", orgId);
    const { inviterUsername = "owner@example.com" } = facts;
    const invitation = sendInvitation(this.world, { ...facts, target: { orgId }, inviterUsername });
    this.changed();
    return invitation;
  }

  /** The invited person accepts, and becomes a member with an account of that name. */
  acceptInvitation(id: string): Account {
    const account = acceptInvitation(this.world, found(this.world.store.invitations, "invitation", id));
    this.changed();
    return account;
  }

  /** Lets the invitation's time run out now. */
  expireInvitation(id: string): Invitation {
    const { store, clock } = this.world;
    const invitation = found(store.invitations, "invitation", id);
    return this.put(store.invitations, { ...invitation, expiresAt: clock.iso(-1000) });
  }

  removeInvitation(id: string): void {
    this.delete(this.world.store.invitations, "invitation", id);
  }

  /** Default organization: the first. */
  addTeam(facts: Omit<TeamFacts, "orgId"> & { orgId?: string | undefined } = {}): Team {
    return this.put(this.world.store.teams, newTeam({ ...facts, orgId: this.existingOrgId(facts.orgId) }));
  }

  changeTeam(id: string, change: TeamChange): Team {
    const { teams } = this.world.store;
    return this.put(teams, { ...found(teams, "team", id), ...defined(change), id });
  }

  /** Deletes the team; the projects lose it. */
  removeTeam(id: string): void {
    found(this.world.store.teams, "team", id);
    dropTeam(this.world, id);
    this.changed();
  }

  /** Gives a team these roles in the project; without roles the team is removed. */
  setProjectTeam(projectId: string, { teamId, roleNames }: ProjectTeam): Project {
    const { projects, teams } = this.world.store;
    const project = found(projects, "project", projectId);
    found(teams, "team", teamId);
    const others = project.teams.filter((team) => team.teamId !== teamId);
    const changed = roleNames.length === 0 ? others : [...others, { teamId, roleNames }];
    return this.put(projects, { ...project, teams: changed });
  }

  /** Makes an agent key of the project. */
  addAgentKey(projectId: string, facts: AgentKeyFacts = {}): AgentKey {
    const { projects } = this.world.store;
    const project = found(projects, "project", projectId);
    const key = newAgentKey(facts);
    this.put(projects, { ...project, agentKeys: [...project.agentKeys, key] });
    return key;
  }

  removeAgentKey(projectId: string, id: string): void {
    const { projects } = this.world.store;
    const project = found(projects, "project", projectId);
    const others = project.agentKeys.filter((key) => key.id !== id);
    if (others.length === project.agentKeys.length) throw new NoSuchObject("agent key", id);
    this.put(projects, { ...project, agentKeys: others });
  }

  /** Makes an API key. Without `roles` it may sign in and see nothing. */
  addKey(facts: KeyFacts = {}): ApiKey {
    return this.put(this.world.store.keys, newKey(facts));
  }

  /** Changes a key: `privateKey` rotates it, `ipAllowed: false` shuts it out, `publicKey` is not changed. */
  changeKey(publicKey: string, change: KeyFacts): ApiKey {
    const { keys } = this.world.store;
    return this.put(keys, { ...found(keys, "key", publicKey), ...defined(change), publicKey });
  }

  removeKey(publicKey: string): void {
    this.delete(this.world.store.keys, "key", publicKey);
  }

  /** Makes a service account. Without `roles` it may sign in and see nothing. */
  addServiceAccount(facts: ServiceAccountFacts = {}): ServiceAccount {
    const { store, clock } = this.world;
    return this.put(store.serviceAccounts, newServiceAccount(facts, clock.now()));
  }

  /** Changes a service account: `clientSecret` rotates it, `ipAllowed: false` shuts it out, `clientId` is not changed. */
  changeServiceAccount(clientId: string, change: ServiceAccountFacts): ServiceAccount {
    const { serviceAccounts } = this.world.store;
    const account = found(serviceAccounts, "service account", clientId);
    const rotated =
      change.clientSecret === undefined ? {} : { secrets: [newClientSecret(this.world.clock.now())] };
    return this.put(serviceAccounts, { ...account, ...rotated, ...defined(change), clientId });
  }

  removeServiceAccount(clientId: string): void {
    this.delete(this.world.store.serviceAccounts, "service account", clientId);
  }

  private existingAccount(person: Person): Account {
    const account = this.user(person);
    if (account === undefined) throw new NoSuchObject("user", "id" in person ? person.id : person.username);
    return account;
  }

  /** The person's account, or a new one for a username without an account. */
  private accountOf(person: Person): Account {
    if ("id" in person) return this.existingAccount(person);
    return this.user(person) ?? newAccount({ username: person.username });
  }

  /** The organization's id, checked; undefined stands for the first one. */
  private existingOrgId(given: string | undefined): string {
    const { orgs } = this.world.store;
    return found(orgs, "organization", given ?? orgs.all()[0]?.id ?? "").id;
  }

  private checkUsername(username: string, ownId?: string): void {
    const other = this.world.store.userByName(username);
    if (other !== undefined && other.id !== ownId)
      throw new Error(`Another account has the username ${username}.`);
  }

  private put<T>(table: Table<T>, row: T): T {
    table.put(row);
    this.changed();
    return row;
  }

  private delete<T>(table: Table<T>, kind: string, id: string): void {
    if (!table.delete(id)) throw new NoSuchObject(kind, id);
    this.changed();
  }
}

function found<T>(table: Table<T>, kind: string, id: string): T {
  const row = table.get(id);
  if (row === undefined) throw new NoSuchObject(kind, id);
  return row;
}
