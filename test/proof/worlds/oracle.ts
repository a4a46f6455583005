/**
 * What has to be true after each command, written from the rules of docs/reliability.md and without any code of the provider.
 *
 * A name may mean two accounts after a rename: the account that was in the project under this name, and the account that has
 * the name now. Where the page leaves that open, both responses are accepted. An id never means another account.
 */
import type { Values } from "../engine-model";
import {
  accountNamed,
  fold,
  type InvitationView,
  mappingsText,
  type ProjectView,
  type ServiceView,
  sameSet,
} from "./service-view";

/** Public key of the API key that the provider uses. */
export const API_KEY = "worldkey";

/** One person whom a resource of the program declares. */
export interface Entry {
  readonly resource: string;
  readonly projectId: string;
  readonly userId?: string | undefined;
  readonly username?: string | undefined;
  /** Left out: not managed. */
  readonly roles?: readonly string[] | undefined;
  readonly until?: string | undefined;
}

/** What the tester has seen of accounts: which of them a declared name stood for, and under which names they were invited. */
export class Identities {
  /** Accounts by project and declared name, the latest last. */
  readonly #held = new Map<string, readonly string[]>();
  /** Accounts by project and declared name for which the name may still stand. */
  readonly #possible = new Map<string, readonly string[]>();
  /** Names under which an account was ever known, by account. */
  readonly #names = new Map<string, Set<string>>();
  /** Names and accounts that the program gave by their ids alone. */
  readonly #unnamed = new Set<string>();
  /** Accounts by project that were recorded as declared members, and have not left since. */
  readonly #present = new Map<string, Set<string>>();
  /** Projects and the accounts that were recorded as their members. */
  readonly #members = new Set<string>();

  /** Whether every look-up of an account was answered: otherwise the account of an invitation may not be recorded. */
  readsAccounts = true;

  /** The provider looks up the account of an invitation that it sends. Of another invitation the API shows only the name. */
  recordsAccount({ inviter }: InvitationView): boolean {
    return this.readsAccounts && inviter === API_KEY;
  }

  observe({ names, projects }: ServiceView): void {
    for (const [projectId, accounts] of this.#present) {
      const members = projects.get(projectId)?.members;
      for (const account of [...accounts]) if (!members?.has(account)) accounts.delete(account);
    }
    for (const [id, name] of names) this.#names.set(id, (this.#names.get(id) ?? new Set()).add(name));
  }

  /** @param isNamed whether the program gives the name, or only the id of the account that has it */
  hold(entry: Entry, account: string, isNamed: boolean): void {
    const held = this.#held.get(keyOf(entry)) ?? [];
    const key = `${keyOf(entry)} ${account}`;
    if (isNamed) this.#unnamed.delete(key);
    else if (!held.includes(account)) this.#unnamed.add(key);
    this.#held.set(keyOf(entry), [...held.filter((other) => other !== account), account]);
  }

  /** Whether the name stood for the account only because the program gave the account's id while it had the name. */
  isUnnamed(entry: Entry, account: string): boolean {
    return this.#unnamed.has(`${keyOf(entry)} ${account}`);
  }

  /** As they are now: what follows does not change the copy. */
  copy(): Identities {
    const copy = new Identities();
    copy.readsAccounts = this.readsAccounts;
    for (const [key, accounts] of this.#held) copy.#held.set(key, accounts);
    for (const [key, accounts] of this.#possible) copy.#possible.set(key, accounts);
    for (const [account, names] of this.#names) copy.#names.set(account, new Set(names));
    for (const key of this.#members) copy.#members.add(key);
    for (const key of this.#unnamed) copy.#unnamed.add(key);
    for (const [projectId, accounts] of this.#present) copy.#present.set(projectId, new Set(accounts));
    return copy;
  }

  /** A successful command has recorded the account as a member of the project. */
  recordMember(projectId: string, account: string): void {
    this.#members.add(`${projectId} ${account}`);
    this.#present.set(projectId, (this.#present.get(projectId) ?? new Set()).add(account));
  }

  /** Whether the account was recorded as a declared member and has not left the project since. */
  isStillDeclared(projectId: string, account: string): boolean {
    return this.#present.get(projectId)?.has(account) ?? false;
  }

  isRecordedMember(projectId: string, account: string): boolean {
    return this.#members.has(`${projectId} ${account}`);
  }

  /**
   * From now on the name does not stand for these accounts. An account that was only invited is recorded by its invitation, and
   * afterwards by the invited name: it is left out.
   *
   * @returns whether the name stood for one of them last
   */
  releaseAccounts(entry: Entry, isAbsent: (account: string) => boolean): boolean {
    const isReleased = (account: string) =>
      isAbsent(account) && this.isRecordedMember(entry.projectId, account);
    const last = this.#held.get(keyOf(entry))?.at(-1);
    for (const accounts of [this.#held, this.#possible]) {
      const known = accounts.get(keyOf(entry)) ?? [];
      accounts.set(
        keyOf(entry),
        known.filter((account) => !isReleased(account)),
      );
    }
    return last !== undefined && isReleased(last);
  }

  /** The user has left, so the name means the account that has it when it is declared again. */
  release(entry: Entry): void {
    for (const key of keysOf(entry)) {
      this.#held.delete(key);
      this.#possible.delete(key);
    }
  }

  /** The name means the account that has it, or still the accounts that it meant before. */
  doubt(entry: Entry): void {
    if (entry.userId !== undefined) return;
    this.#possible.set(keyOf(entry), this.everHeldBy(entry));
    this.#held.delete(keyOf(entry));
  }

  /** What is no longer declared and no longer in the state means nothing any more. */
  holdOnly(entries: readonly Entry[]): void {
    const known = new Set(entries.flatMap(keysOf));
    for (const accounts of [this.#held, this.#possible]) {
      for (const key of [...accounts.keys()]) if (!known.has(key)) accounts.delete(key);
    }
  }

  heldBy(entry: Entry): string | undefined {
    return entry.userId ?? this.#held.get(keyOf(entry))?.at(-1);
  }

  /** All accounts for which the name stood since it is declared, or may have stood. */
  everHeldBy(entry: Entry): readonly string[] {
    const [possible, held] = [this.#possible, this.#held].map((accounts) => accounts.get(keyOf(entry)) ?? []);
    return [...new Set([...(possible ?? []), ...(held ?? [])])];
  }

  namesOf(account: string): ReadonlySet<string> {
    return this.#names.get(account) ?? new Set();
  }
}

const keyOf = ({ projectId, username, userId }: Entry): string =>
  `${projectId} ${userId ?? fold(username ?? "")}`;

/** An entry with an id and a name may have only the name later. */
const keysOf = (entry: Entry): readonly string[] => [keyOf(entry), keyOf({ ...entry, userId: undefined })];

export interface Candidates {
  /** Accounts that the entry may mean. */
  readonly accounts: ReadonlySet<string>;
  /** Names of invitations that may be meant. */
  readonly names: ReadonlySet<string>;
  /** docs/reliability.md does not define which of several accounts is meant. */
  readonly ambiguous: boolean;
}

export function candidatesOf(entry: Entry, service: ServiceView, identities: Identities): Candidates {
  const held = identities.heldBy(entry);
  const named = entry.username === undefined ? undefined : accountNamed(service, entry.username);
  // An id decides alone.
  const ever = entry.userId === undefined ? identities.everHeldBy(entry) : [];
  const accounts = entry.userId === undefined ? [...ever, named] : [entry.userId];
  const known = accounts.filter((account) => account !== undefined);
  const names = [
    ...(entry.username === undefined ? [] : [fold(entry.username)]),
    ...(held === undefined ? [] : identities.namesOf(held)),
    ...ever.flatMap((account) => [...identities.namesOf(account)]),
    ...known.map((account) => service.names.get(account) ?? ""),
  ];
  const renamed = [held, ...ever].some(
    (account) => account !== undefined && identities.namesOf(account).size > 1,
  );
  return {
    accounts: new Set(known),
    names: new Set(names),
    ambiguous: new Set(known).size > 1 || renamed,
  };
}

/** Whether the invitation is for the account that the entry means. The service stores the account that it invited. */
function isFor(
  invitation: InvitationView,
  entry: Entry,
  { accounts, names }: Pick<Candidates, "accounts" | "names">,
): boolean {
  const { account, name } = invitation;
  if (account === undefined || accounts.has(account)) return names.has(name);
  return entry.userId === undefined && entry.username !== undefined && name === fold(entry.username);
}

/** Whether an account that the entry means is a member of the project or invited to it. */
export function isPresent(entry: Entry, service: ServiceView, identities: Identities): boolean {
  const project = service.projects.get(entry.projectId);
  const candidates = candidatesOf(entry, service, identities);
  const isMember = [...candidates.accounts].some((account) => project?.members.has(account));
  return isMember || (project?.invitations.some((one) => isFor(one, entry, candidates)) ?? false);
}

/**
 * Whether the person has the declared roles in the project, as a member or by an invitation.
 *
 * @param recorded the roles of an account that the state has as those of teams: while a team gives one, nothing shows whether the person
 * has it too (docs/resources/teams.md)
 */
export function isTrue(
  entry: Entry,
  service: ServiceView,
  identities: Identities,
  recorded: (account: string) => readonly string[],
): boolean {
  const project = service.projects.get(entry.projectId);
  if (project === undefined) return false;
  const { accounts, names, ambiguous } = candidatesOf(entry, service, identities);
  const fits = (roles: readonly string[]) => entry.roles === undefined || sameSet(roles, entry.roles);
  const memberRoles = [...accounts].flatMap((id) => {
    const roles = project.members.get(id);
    if (roles === undefined) return [];
    // No read tells the declared roles that the service shows because of a team from those of the person.
    const ofTeams = project.shownOfTeams.get(id) ?? [];
    const isDeclared = (role: string) => entry.roles?.includes(role) ?? true;
    const hidden = recorded(id).filter((role) => ofTeams.includes(role) && !isDeclared(role));
    const own = roles.filter((role) => !hidden.includes(role));
    return [[...new Set([...own, ...ofTeams.filter(isDeclared)])]];
  });
  if (memberRoles.some(fits)) return true;
  if (memberRoles.length > 0 && !ambiguous) return false;
  return project.invitations.some(({ name, roles }) => names.has(name) && fits(roles));
}

/**
 * Whether the provider cannot find this account by the declared name, because the account has
 * another name now. Before the command, it was neither invited nor recorded as a member. The API
 * does not show for which account an invitation is, so a look-up has to find it. The same is true
 * if the program gave the account's id before, and gives a name now that the account does not have
 * any more.
 *
 * @param before the project before the command
 */
export function isUnlinked(
  entry: Entry,
  account: string,
  before: ProjectView | undefined,
  { names }: ServiceView,
  identities: Identities,
): boolean {
  if (entry.userId !== undefined || names.get(account) === fold(entry.username ?? "")) return false;
  const isInvited = before?.invitations.some(
    (one) => one.account === account && (identities.recordsAccount(one) || one.name === names.get(account)),
  );
  return (
    identities.isUnnamed(entry, account) ||
    (!isInvited && !identities.isRecordedMember(entry.projectId, account))
  );
}

/** Whether an account that the entry means is still in the project. @returns who, or `undefined` */
export function remainsOf(
  entry: Entry,
  { before, project }: { readonly before: ProjectView | undefined; readonly project: ProjectView },
  service: ServiceView,
  identities: Identities,
): { readonly text: string; readonly account?: string } | undefined {
  // docs/reliability.md does not define which of the accounts that had the name is meant.
  const held = identities.heldBy(entry);
  const account = held ?? (entry.username === undefined ? undefined : accountNamed(service, entry.username));
  const isOpen = identities.everHeldBy(entry).some((other) => other !== account);
  if (entry.userId === undefined && isOpen) return undefined;
  // The name may have meant the invitation of another account that has been renamed since it was invited.
  const meantOther = before?.invitations.some(
    ({ id, name, account: invited }) =>
      name === fold(entry.username ?? "") &&
      invited !== account &&
      !project.invitations.some((one) => one.id === id),
  );
  if (meantOther) return undefined;
  if (account !== undefined && project.members.has(account)) {
    if (isUnlinked(entry, account, before, service, identities)) return undefined;
    return { text: `account ${service.names.get(account)}`, account };
  }
  const names = new Set([
    ...(entry.userId === undefined && entry.username !== undefined ? [fold(entry.username)] : []),
    ...(account === undefined ? [] : [service.names.get(account) ?? ""]),
  ]);
  const allNames = new Set([...names, ...(account === undefined ? [] : identities.namesOf(account))]);
  const accounts = new Set(account === undefined ? [] : [account]);
  // Another account that has the name today, and is invited, is not the recorded one.
  const isOther = (one: InvitationView) =>
    held !== undefined && one.account !== undefined && one.account !== held;
  const invitations = (view: ProjectView | undefined) =>
    view?.invitations.filter((one) => isFor(one, entry, { accounts, names: allNames }) && !isOther(one)) ??
    [];
  const left = new Set(invitations(project).map(({ id }) => id));
  // One of them was taken back. The account may have another from others, under a name that the program does not have.
  const isTakenBack = invitations(before).some(({ id }) => !left.has(id));
  const invitation = invitations(project).find(
    ({ name }) => names.has(name) && !(isTakenBack && name !== fold(entry.username ?? "")),
  );
  return invitation && { text: `the invitation of ${invitation.name}` };
}

/** How a project differs from what is declared. @returns property names */
export function projectDifferences(inputs: Values, project: ProjectView): readonly string[] {
  const differences: string[] = [];
  if (typeof inputs.name === "string" && inputs.name !== project.name) differences.push("name");
  if (Array.isArray(inputs.tags)) {
    const patterns = (inputs.ignoreTags as readonly string[] | undefined) ?? [];
    const declared = inputs.tags as readonly string[];
    const own = project.tags.filter((tag) => declared.includes(tag) || !matches(patterns, tag));
    if (!sameSet(own, declared)) differences.push("tags");
  }
  if (Array.isArray(inputs.ldapGroupMappings)) {
    const declared = inputs.ldapGroupMappings as unknown as Parameters<typeof mappingsText>[0];
    if (mappingsText(declared) !== project.ldapGroupMappings) differences.push("ldapGroupMappings");
  }
  if (Array.isArray(inputs.idpGroupMappings)) {
    const declared = inputs.idpGroupMappings as unknown as Parameters<typeof mappingsText>[0];
    if (mappingsText(declared) !== project.idpGroupMappings) differences.push("idpGroupMappings");
  }
  return differences;
}

/** `*` stands for any characters and `?` for one. */
export function matches(patterns: readonly string[], text: string): boolean {
  const expression = (pattern: string) =>
    new RegExp(
      `^${pattern
        .replace(/[.+^${}()|[\]\\]/g, "\\$&")
        .replaceAll("*", ".*")
        .replaceAll("?", ".")}$`,
      "i",
    );
  return patterns.some((pattern) => expression(pattern).test(text));
}
