import type { Clock } from "./clock";
import type { EventLog } from "./event-log";
import type {
  Account,
  ApiKey,
  DeletedProject,
  Invitation,
  Org,
  Project,
  ServiceAccount,
  State,
  Team,
} from "./model";
import type { Switches } from "./switches";

/** Objects of one kind, in the order in which they were made. */
export class Table<T> {
  private readonly rows = new Map<string, T>();
  /** Called after a row is made, changed or deleted. The row that is absent is undefined. */
  onChange: ((before: T | undefined, after: T | undefined) => void) | undefined;

  constructor(private readonly idOf: (row: T) => string) {}

  get(id: string): T | undefined {
    return this.rows.get(id);
  }

  all(): T[] {
    return [...this.rows.values()];
  }

  find(matches: (row: T) => boolean): T | undefined {
    for (const row of this.rows.values()) if (matches(row)) return row;
    return undefined;
  }

  filter(matches: (row: T) => boolean): T[] {
    return this.all().filter(matches);
  }

  /** Adds the object, or replaces the one with the same id. Returns it. */
  put(row: T): T {
    const id = this.idOf(row);
    const before = this.rows.get(id);
    this.rows.set(id, row);
    this.onChange?.(before, row);
    return row;
  }

  delete(id: string): boolean {
    const before = this.rows.get(id);
    const isDeleted = this.rows.delete(id);
    if (isDeleted) this.onChange?.(before, undefined);
    return isDeleted;
  }
}

/** The state of one sandbox. The rules of the API are in the routes. */
export class Store {
  readonly orgs = new Table<Org>((org) => org.id);
  readonly keys = new Table<ApiKey>((key) => key.publicKey);
  readonly serviceAccounts = new Table<ServiceAccount>((account) => account.clientId);
  readonly users = new Table<Account>((user) => user.id);
  readonly teams = new Table<Team>((team) => team.id);
  readonly projects = new Table<Project>((project) => project.id);
  readonly invitations = new Table<Invitation>((invitation) => invitation.id);
  /** Not part of the state that is saved: a restart of the sandbox ends these deletions. */
  readonly deletedProjects = new Table<DeletedProject>(({ project }) => project.id);
  /** When teams were created by the API, in milliseconds since 1970 of the sandbox's clock. Not saved either. */
  readonly teamsCreated = new Map<string, number>();

  constructor(state: State) {
    state.orgs.forEach((row) => void this.orgs.put(row));
    state.keys.forEach((row) => void this.keys.put(row));
    state.serviceAccounts.forEach((row) => void this.serviceAccounts.put(row));
    state.users.forEach((row) => void this.users.put(row));
    state.teams.forEach((row) => void this.teams.put(row));
    state.projects.forEach((row) => void this.projects.put(row));
    state.invitations.forEach((row) => void this.invitations.put(row));
  }

  userByName(username: string): Account | undefined {
    const wanted = username.toLowerCase();
    return this.users.find((user) => user.username.toLowerCase() === wanted);
  }

  snapshot(): State {
    return {
      orgs: this.orgs.all(),
      keys: this.keys.all(),
      serviceAccounts: this.serviceAccounts.all(),
      users: this.users.all(),
      teams: this.teams.all(),
      projects: this.projects.all(),
      invitations: this.invitations.all(),
    };
  }
}

/** What every part of the sandbox works on. The switches may be exchanged while it runs. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: EventLog;
  switches: Switches;
  /** When people were last synchronized with LDAP groups, in milliseconds since 1970 of the sandbox's clock. */
  ldapSyncedAt: number;
}
