/** What the tester knows while a world is played: the program, the state, and for whom the declared names stand. */
import type { Sandbox } from "../../../sandbox";
import type { Declaration, OperationResult, Recorded, Values } from "../engine-model";
import type { CommandOutcome } from "./command";
import { isOver } from "./days";
import { candidatesOf, type Entry, Identities, isPresent, isUnlinked } from "./oracle";
import { entriesOf, type Program } from "./program";
import { ignores, isRecordOf, lasting, peopleIn, teamRolesIn } from "./records";
import { accountNamed, fold, type ServiceView, viewService } from "./service-view";
import { isTeamOrKey } from "./teams";
import type { World } from "./world";

export class Knowledge {
  readonly identities = new Identities();
  state: readonly Recorded[] = [];
  /** Whom the resources of the state may have been declared to be, since the last success. */
  attempted: Entry[] = [];
  /** Whom each resource declared when an `up` had it last. */
  readonly lastDeclared = new Map<string, readonly Entry[]>();
  /** The same, with those who were absent at a read since. */
  readonly lastNamed = new Map<string, readonly Entry[]>();
  /** The state after the last success. */
  settled: readonly Recorded[] = [];

  constructor(
    readonly world: World,
    readonly sandbox: Sandbox,
    readonly program: Program,
    /** Whether an account has another name than at first. */
    readonly isRenamed: () => boolean,
  ) {
    // The service refuses to show such a key most accounts that are only invited.
    this.identities.readsAccounts = world.keyRoles !== "organization";
    this.identities.observe(this.view());
  }

  /** The key may not read the name of the account, so nothing shows that an invitation is for it. */
  isNameless({ username }: Entry): boolean {
    return !this.identities.readsAccounts && username === undefined;
  }

  /** Id of the project that the declaration is about, if it has one. */
  projectIdBy({ type, name, inputs, references }: Declaration): string | undefined {
    const { projectId } = inputs;
    if (typeof projectId === "string") return projectId;
    const project = type === "Project" ? name : references.projectId?.resource;
    const recorded = this.state.find(
      (resource) => resource.type === "Project" && resource.name === project && !resource.pendingDelete,
    );
    const id = recorded?.outputs.projectId;
    return typeof id === "string" ? id : undefined;
  }

  /** What the program declares whose last day is not over by this machine's clock. The rest is as if it had left the program. */
  get declarations(): readonly Declaration[] {
    return this.program.declarations
      .filter(({ inputs }) => !isOver(inputs.until, Date.now()))
      .map((one) => ({ ...one, inputs: lasting(one.inputs) }));
  }

  /** The same of people in projects, as far as the projects exist. */
  entries(): Entry[] {
    return this.entriesOf(this.program.declarations).filter(({ until }) => !isOver(until, Date.now()));
  }

  /** Everyone in projects whom these declare, also those whose last day is over. */
  entriesOf(declarations: readonly Declaration[]): Entry[] {
    return declarations.flatMap((declaration) => {
      const projectId = this.projectIdBy(declaration);
      return projectId === undefined
        ? []
        : entriesOf(declaration.name, declaration.type, this.#effectiveInputs(declaration), projectId).map(
            (entry) => (ignoresRoles(declaration) ? { ...entry, roles: undefined } : entry),
          );
    });
  }

  /** An ignored property has the recorded value once the resource exists. */
  #effectiveInputs(declaration: Declaration): Values {
    const { type, inputs, options } = declaration;
    const recorded = this.state.find(
      (resource) => resource.type === type && isRecordOf(declaration, resource),
    );
    const ignored = options?.ignoreChanges ?? [];
    if (recorded === undefined || ignored.length === 0) return inputs;
    const entries = Object.entries(inputs).filter(([property]) => !ignored.includes(property));
    const kept = Object.entries(recorded.inputs).filter(([property]) => ignored.includes(property));
    return Object.fromEntries([...entries, ...kept]);
  }

  /** @returns the roles of an account in the project that the state has as those of teams */
  teamRolesIn(projectId: string): (account: string) => readonly string[] {
    const records = this.state.filter(({ outputs }) => outputs.projectId === projectId);
    return (account) => records.flatMap((record) => teamRolesIn(record, account));
  }

  meanTheSame(one: Entry, other: Entry, service: ServiceView): boolean {
    const [left, right] = [one, other].map((entry) => candidatesOf(entry, service, this.identities));
    return (
      [...(left?.accounts ?? [])].some((id) => right?.accounts.has(id)) ||
      [...(left?.names ?? [])].some((name) => right?.names.has(name))
    );
  }

  /**
   * The records of a declared name that a new resource may lack. The dynamic provider has the
   * record of another resource only if the same command has used it before. A member who left and
   * came back is in a record, but not declared.
   */
  doubtUnknown({ projects }: ServiceView): void {
    for (const entry of this.entries()) {
      const { aliases = [] } = this.program.declarations.find(({ name }) => name === entry.resource) ?? {};
      const isNew = !this.state.some(({ name }) => name === entry.resource || aliases.includes(name));
      const account = this.identities.heldBy(entry);
      const isObservedOnly =
        account !== undefined &&
        projects.get(entry.projectId)?.members.has(account) === true &&
        !this.identities.isStillDeclared(entry.projectId, account);
      if (isNew && (this.world.provider === "dynamic" || isObservedOnly)) this.identities.doubt(entry);
    }
  }

  /** A refresh accepts that a member has left. Only an `up` with the resource in the program declares them again. */
  forgetAbsent({ steps }: OperationResult, service: ServiceView): void {
    for (const { name, kind } of steps) {
      const declared = this.lastDeclared.get(name);
      if (declared === undefined || (kind !== "read" && kind !== "read-deleted")) continue;
      const present =
        kind === "read-deleted" ? [] : declared.filter((entry) => isPresent(entry, service, this.identities));
      for (const entry of declared) if (!present.includes(entry)) this.identities.release(entry);
      // A ProjectMembers records another account that has the name, but a read does not declare it.
      const isWhole = this.state.some((one) => one.name === name && one.type === "ProjectMembers");
      const same = present.filter((entry) => !this.#releaseAbsent(entry, service) || !isWhole);
      this.lastDeclared.set(name, same);
      // A returned member is recorded under the name, though not declared.
      const named = kind === "read-deleted" ? [] : (this.lastNamed.get(name) ?? []);
      for (const entry of named) this.#hold(entry, service);
    }
  }

  /** Whether the program declares the person in the project, and a refresh has taken that from the state. */
  hasForgotten(projectId: string, name: string): boolean {
    const service = this.view();
    const account = accountNamed(service, name);
    return this.entries()
      .filter((entry) => entry.projectId === projectId)
      .filter(({ resource, username, userId }) => {
        const known = this.lastDeclared.get(resource) ?? [];
        return !known.some((entry) => entry.username === username && entry.userId === userId);
      })
      .some((entry) => {
        const { accounts, names } = candidatesOf(entry, service, this.identities);
        return names.has(name) || (account !== undefined && accounts.has(account));
      });
  }

  /**
   * A read or write that finds only another account under the name records that account alone. From then on the account that
   * had the name before is like any other user whom the program does not name.
   *
   * @returns whether the name stood for an account that is absent
   */
  #releaseAbsent(entry: Entry, service: ServiceView): boolean {
    const { projectId, username, userId } = entry;
    const project = service.projects.get(projectId);
    if (userId !== undefined || username === undefined || project === undefined) return false;
    const named = accountNamed(service, username);
    const isTaken =
      (named !== undefined && project.members.has(named)) ||
      project.invitations.some(({ name }) => name === fold(username));
    if (!isTaken) return false;
    const isInvited = (account: string) => project.invitations.some((one) => one.account === account);
    return this.identities.releaseAccounts(
      entry,
      (account) => !project.members.has(account) && !isInvited(account),
    );
  }

  /** Accounts that the resources have recorded by now as those whom their names mean. */
  recordMembers({ steps }: OperationResult, before: ServiceView, after: ServiceView): void {
    const recording = ["create", "update", "read", ...(this.world.provider === "plugin" ? ["same"] : [])];
    for (const [name, entries] of this.lastDeclared) {
      if (!steps.some((step) => step.name === name && recording.includes(step.kind))) continue;
      for (const entry of entries) {
        const { projectId } = entry;
        const account = this.identities.heldBy(entry);
        const isMember = account !== undefined && after.projects.get(projectId)?.members.has(account);
        if (!isMember) continue;
        const project = before.projects.get(projectId);
        if (isUnlinked(entry, account, project, after, this.identities)) continue;
        this.identities.recordMember(projectId, account);
      }
    }
  }

  /** From now on a declared name stands for the account that has it and is in the project or invited to it. */
  holdAll(service: ServiceView): void {
    for (const entry of this.entries()) this.#hold(entry, service);
  }

  #hold(entry: Entry, service: ServiceView): void {
    const { projectId, resource, userId } = entry;
    const project = service.projects.get(projectId);
    const isRecorded = this.state.some(({ name }) => name === resource);
    const username = entry.username ?? (userId === undefined ? undefined : service.names.get(userId));
    if (project === undefined || !isRecorded || username === undefined) return;
    const byName = { resource, projectId, username };
    const held = this.identities.heldBy(byName);
    const isHeldInvited = project.invitations.some(
      ({ account, name }) =>
        account !== undefined &&
        account === held &&
        (this.identities.readsAccounts || name === fold(username)),
    );
    if (held !== undefined && project.members.has(held)) return;
    const named = userId ?? accountNamed(service, username);
    // An update of ProjectMember records a member who has the name, also if it recorded an invited account before.
    const isNamedRecorded = this.state.some(
      ({ type, name, outputs }) =>
        type === "ProjectMember" && name === resource && named !== undefined && outputs.userId === named,
    );
    // Without its account, an invitation counts as accepted once the account that has the name is a member.
    const isAccepted = !this.identities.readsAccounts && named !== undefined && project.members.has(named);
    if (isHeldInvited && !isNamedRecorded && !isAccepted) return;
    const isInvited = project.invitations.some(({ name }) => name === fold(username));
    if (named !== undefined && (project.members.has(named) || isInvited)) {
      this.identities.hold(byName, named, entry.username !== undefined);
    }
  }

  /**
   * Whether a declared account gets the name under which another declared account is invited to the project. The API shows
   * only the name of an invitation, so docs/reliability.md leaves open which of the two resources then records it.
   */
  takesInvitedName(id: string, username: string): boolean {
    const entries = this.entries();
    const isDeclared = (account: string | undefined, projectId: string) =>
      account !== undefined &&
      entries.some(
        (entry) => entry.projectId === projectId && this.identities.everHeldBy(entry).includes(account),
      );
    return [...this.view().projects.values()].some(({ id: projectId, invitations }) =>
      invitations.some(
        ({ name, account }) =>
          name === fold(username) &&
          account !== id &&
          isDeclared(account, projectId) &&
          isDeclared(id, projectId),
      ),
    );
  }

  declaresTwice(service: ServiceView): boolean {
    // The dynamic provider ends what the run declares after it.
    const isDynamic = this.world.provider === "dynamic";
    const { declarations } = isDynamic ? this.program : this;
    const entries = isDynamic ? this.entriesOf(declarations) : this.entries();
    const recorded = this.state.filter(
      ({ type, name }) => isTeamOrKey(type) && declarations.some((one) => one.name === name),
    );
    // A resource whose creation failed halfway has no record, and may have told whom it found.
    const unrecorded = declarations
      .filter(({ type, name }) => type === "Team" && !recorded.some((one) => one.name === name))
      .flatMap(({ inputs }) => [...service.teams.values()].filter(({ name }) => name === inputs.name));
    const teams = [
      ...recorded.map(({ type, id }) => `${type} ${id}`),
      ...unrecorded.map(({ orgId, id }) => `Team ${orgId}/${id}`),
    ];
    if (isDynamic && new Set(teams).size < teams.length) return true;
    return entries.some((one, index) =>
      entries
        .slice(index + 1)
        .some((other) => one.projectId === other.projectId && this.meanTheSame(one, other, service)),
    );
  }

  /** Settings apply to the plugin; the host of dynamic providers never reads before an update. */
  get isWithoutRefresh(): boolean {
    return this.world.provider === "plugin" && this.world.settings?.refreshBeforeUpdate === false;
  }

  view(): ServiceView {
    return viewService(this.sandbox);
  }

  /** An `up` had these resources, and may have declared whom they name. */
  declare(outcome: CommandOutcome): void {
    const { result, after } = outcome;
    const entries = this.entries();
    const ended = this.entriesOf(this.program.declarations).filter(({ until }) => isOver(until, Date.now()));
    const isUnchanged = (entry: Entry) =>
      this.lastDeclared.has(entry.resource) && changedNothing(entry, outcome);
    const changed = entries.filter((entry) => !isUnchanged(entry));
    this.attempted.push(...changed, ...ended);
    for (const { resource } of changed) this.#declareLast(resource, entries);
    const written = result.steps.filter(({ kind }) => kind === "create" || kind === "update");
    for (const entry of result.ok ? entries : []) {
      if (written.some(({ name }) => name === entry.resource)) this.#releaseAbsent(entry, after);
    }
    this.holdAll(after);
  }

  /** The program has the resource by an import. */
  declareImported(resource: string, { result, before, after }: CommandOutcome): void {
    const entries = this.entries();
    this.attempted.push(...entries.filter((entry) => entry.resource === resource));
    this.#declareLast(resource, entries);
    this.holdAll(after);
    this.recordMembers(result, before, after);
  }

  #declareLast(resource: string, entries: readonly Entry[]): void {
    const own = entries.filter((entry) => entry.resource === resource);
    this.lastDeclared.set(resource, own);
    this.lastNamed.set(resource, own);
  }
}

const ignoresRoles = (declaration: Declaration): boolean =>
  ignores(declaration, "roles") || ignores(declaration, "members");

/**
 * Whether the operation failed before it added or changed anyone, or recorded another user as declared. The old resource may have been
 * deleted before that.
 */
function changedNothing(
  { resource, projectId }: Entry,
  { result, stateBefore, requests }: CommandOutcome,
): boolean {
  const declaredIn = (state: readonly Recorded[]) => {
    const people = state
      .filter(({ name }) => name === resource)
      .slice(0, 1)
      .flatMap(peopleIn);
    return people.filter(({ declared }) => declared).map(({ userId, username }) => userId ?? fold(username));
  };
  const before = declaredIn(stateBefore);
  const isKnown = declaredIn(result.state).every((person) => before.includes(person));
  const hasFailed = result.failures.some(({ name }) => name === resource);
  const writes = requests.filter(({ method }) => method !== "GET" && method !== "DELETE");
  const wasWritten = writes.some(({ path }) => /\/(users|invites)/.test(path) && path.includes(projectId));
  return hasFailed && isKnown && !wasWritten;
}
