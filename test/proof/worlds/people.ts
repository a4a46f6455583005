/** What has to be true of the people of projects after each command. */
import type { Declaration, Recorded } from "../engine-model";
import { ownerName } from "./beginning";
import { type CommandOutcome, type Holds, isOutcomeUnknown, type Situation } from "./command";
import type { Knowledge } from "./knowledge";
import { candidatesOf, type Entry, isPresent, isTrue, isUnlinked, matches, remainsOf } from "./oracle";
import { ignores, isDeletedFirst, isEndedIn, mayBeReplaced, peopleIn, textsIn } from "./records";
import { accountNamed, fold, ownersOf, type ProjectView, type ServiceView, sameSet } from "./service-view";
import { hasLeft, isRetained, isTeamOrKey } from "./teams";

export class PeopleInvariants {
  constructor(
    private readonly knows: Knowledge,
    private readonly holds: Holds,
  ) {}

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    for (const [id, before] of situation.before.projects) {
      const after = situation.after.projects.get(id);
      if (after !== undefined) this.#checkPeople(before, after, situation);
    }
    for (const project of situation.after.projects.values()) this.#checkRecorded(project, situation);
    this.#checkVanished(situation);
    this.#checkKept(situation);
  }

  /** Every change of a person's membership has its reason in the program. */
  #checkPeople(before: ProjectView, after: ProjectView, situation: Situation): void {
    const accounts = new Set([...before.members.keys(), ...after.members.keys()]);
    for (const id of accounts) {
      const [was, is] = [before.members.get(id), after.members.get(id)];
      if (was !== undefined && is !== undefined && sameSet(was, is)) continue;
      if (was === undefined && is === undefined) continue;
      const name = situation.after.names.get(id) ?? id;
      this.#checkTouched(after, { name, id }, was, is, situation);
    }
    const invitations = new Set([...before.invitations, ...after.invitations].map(({ id }) => id));
    for (const id of invitations) {
      const [was, is] = [before, after].map(({ invitations: all }) => all.find((one) => one.id === id));
      if (was !== undefined && is !== undefined && sameSet(was.roles, is.roles)) continue;
      const { name = "", account } = was ?? is ?? {};
      this.#checkTouched(after, { name, account }, was?.roles, is?.roles, situation);
    }
  }

  #checkTouched(
    project: ProjectView,
    /** A member has an `id`; the service stores the `account` of an invitation. */
    who: { readonly name: string; readonly id?: string; readonly account?: string | undefined },
    was: readonly string[] | undefined,
    is: readonly string[] | undefined,
    { before, after, entries, identitiesBefore, stateBefore, whole }: Situation,
  ): void {
    // Who leaves the organization leaves its projects, and no invitation to them is left.
    const member = who.id ?? who.account ?? accountNamed(before, who.name);
    if (is === undefined && hasLeft(member, { before, after })) return;
    const means = (entry: Entry): boolean => {
      const { accounts, names } = candidatesOf(entry, after, this.knows.identities);
      return who.id === undefined ? names.has(who.name) : accounts.has(who.id);
    };
    const about = `${who.id === undefined ? "the invitation of " : ""}${who.name} in ${project.name}: ${was?.join(", ") ?? "nothing"} became ${is?.join(", ") ?? "nothing"}`;
    const declared = entries.filter((entry) => entry.projectId === project.id && means(entry));
    const { id } = who;
    const earlier = before.projects.get(project.id);
    const isStranger =
      is === undefined &&
      id !== undefined &&
      declared.every((entry) => isUnlinked(entry, id, earlier, after, identitiesBefore));
    if (declared.length > 0 && !isStranger) {
      const isWanted =
        is === undefined
          ? this.#areDeletedFirst(declared) ||
            (who.id === undefined && declared.every((entry) => this.knows.isNameless(entry))) ||
            (who.id === undefined && this.#isMemberOrReplaced(project, declared))
          : declared.some(({ roles }) => roles === undefined || sameSet(roles, is));
      this.holds("a declared person gets exactly the declared roles", isWanted, () => about);
      return;
    }
    const attempted = this.knows.attempted.filter(({ projectId }) => projectId === project.id);
    const wasDeclaredById = id !== undefined && attempted.some(({ userId }) => userId === id);
    // A removal that was not allowed, or failed, is tried again.
    const account = id ?? who.account;
    const isStillDeclared = account !== undefined && identitiesBefore.isStillDeclared(project.id, account);
    const recorded = stateBefore.filter(({ outputs }) => outputs.projectId === project.id);
    // An operation that failed has recorded whom the list named, under the name of that time.
    const isRecorded = recorded.flatMap(peopleIn).some((one) => one.declared && one.userId === id);
    if (
      (attempted.some(means) && (declared.length === 0 || wasDeclaredById)) ||
      (declared.length === 0 && (isStillDeclared || (id !== undefined && isRecorded)))
    ) {
      this.holds(
        "a person who leaves the program is removed or stays as they are",
        is === undefined,
        () => about,
      );
      return;
    }
    // Whose access has ended is recorded by the account, which may have another name when somebody brings it back.
    if (id !== undefined && isEndedIn(recorded, whole, { id, names: new Set() })) {
      this.holds("an account whose last day is over is removed", is === undefined, () => about);
      return;
    }
    const list = this.knows.declarations.find(
      (declaration) =>
        declaration.type === "ProjectMembers" && this.knows.projectIdBy(declaration) === project.id,
    );
    const patterns = textsIn(list?.inputs ?? {}, "ignoreUsers");
    // An invitation of a member goes with the member, by whatever name it was sent.
    const isOfMember = who.account !== undefined && earlier?.members.has(who.account) === true;
    const nameOfPerson = (isOfMember && before.names.get(who.account)) || who.name;
    const mayGo =
      list !== undefined &&
      is === undefined &&
      !matches(patterns, nameOfPerson) &&
      list.inputs.removeUnlisted === true;
    this.holds("no other member is touched", mayGo, () => about);
  }

  /** The program has their resources deleted before they are created again. */
  #areDeletedFirst(entries: readonly Entry[]): boolean {
    const service = this.knows.view();
    const deletedFirst = this.knows.declarations.filter(isDeletedFirst);
    return entries.some((entry) =>
      deletedFirst.some((declaration) => {
        if (declaration.name === entry.resource) {
          return mayBeReplaced(declaration) || this.#getsUnreadName(entry);
        }
        // It declares another person now, and was replaced before the engine knew of the resource of the entry.
        return this.knows.attempted.some(
          (former) =>
            former.resource === declaration.name &&
            former.projectId === entry.projectId &&
            this.knows.meanTheSame(former, entry, service),
        );
      }),
    );
  }

  /** Without a refresh, the provider does not know that the account was renamed: another name replaces a ProjectMember. */
  #getsUnreadName({ resource, username }: Entry): boolean {
    // Its creation after the deletion may have failed, so the state may lack it.
    const declared = this.knows.declarations.find(({ name }) => name === resource);
    const names = this.knows.attempted.filter((former) => former.resource === resource);
    return (
      this.knows.isWithoutRefresh &&
      declared?.type === "ProjectMember" &&
      names.some((former) => former.username !== username)
    );
  }

  /** An invitation may go where the person is a member now or is invited by another one. */
  #isMemberOrReplaced(project: ProjectView, declared: readonly Entry[]): boolean {
    const service = this.knows.view();
    return declared.some((entry) => {
      const { accounts, names } = candidatesOf(entry, service, this.knows.identities);
      return (
        [...accounts].some((id) => project.members.has(id)) ||
        project.invitations.some(({ name }) => names.has(name))
      );
    });
  }

  /** Every added or invited user is in the state, so that a later `up` can remove them. */
  #checkRecorded(project: ProjectView, { before, after, result, entries }: Situation): void {
    if (isOutcomeUnknown(result)) return;
    const isThere = (entry: Entry, service: ServiceView) => isPresent(entry, service, this.knows.identities);
    for (const entry of entries.filter(({ projectId }) => projectId === project.id)) {
      // The service adds the owner to a new project.
      const isByService = !before.projects.has(project.id) && entry.username === ownerName;
      const isNew = !isByService && isThere(entry, after) && !isThere(entry, before);
      // Two entries may mean one person. One of them is refused then.
      const meaning = entries.filter(
        (other) => other === entry || this.knows.meanTheSame(other, entry, after),
      );
      const isRecorded = meaning.some(({ resource }) => result.state.some(({ name }) => name === resource));
      // No read after a lost response finds the invitation of an account that has no name for the key.
      const isLost = result.failures.some(
        ({ name, message }) => name === entry.resource && /may or may not have performed/.test(message),
      );
      if (isLost && this.knows.isNameless(entry)) continue;
      this.holds(
        "what was created is recorded",
        !isNew || isRecorded,
        () => `${entry.userId ?? entry.username} in ${project.name}`,
      );
    }
  }

  /** What leaves the state is deleted, released, or declared elsewhere. */
  #checkVanished(situation: Situation): void {
    const { stateBefore, result, before, after, identitiesBefore, texts } = situation;
    const isStill = (resource: Recorded) =>
      result.state.some(
        ({ type, name, id }) => type === resource.type && (id === resource.id || name === resource.name),
      );
    for (const resource of stateBefore) {
      if (isStill(resource) || isTeamOrKey(resource.type)) continue;
      if (isRetained(resource, this.knows.declarations, this.knows.world.provider)) continue;
      const projectId = String(resource.outputs.projectId);
      const project = after.projects.get(projectId);
      if (project === undefined) continue;
      const released = isReleased(resource, stateBefore);
      const isDeleted = result.steps.some(
        ({ name, kind }) => name === resource.name && kind === "read-deleted",
      );
      if (resource.type === "Project") {
        this.holds("nothing that exists leaves the state", !isDeleted && released, () => resource.name);
        continue;
      }
      if (resource.type === "ProjectMembers") {
        this.holds("nothing that exists leaves the state", !isDeleted, () => resource.name);
      }
      const withProject =
        resource.deletedWith !== undefined &&
        !this.knows.declarations.some(({ name }) => name === resource.deletedWith);
      if ((released && !isDeleted) || withProject) continue;
      // Only the people of the last program count as declared.
      const isWhole = resource.type === "ProjectMembers";
      const known = isWhole ? (this.knows.lastDeclared.get(resource.name) ?? []) : this.knows.attempted;
      const declared = known.filter(
        (entry) => entry.resource === resource.name && entry.projectId === projectId,
      );
      // After a failed update, destroying also takes `ignoreUsers` from the inputs of the last success.
      const patterns = [resource.outputs, resource.inputs].flatMap((values) =>
        textsIn(values, "ignoreUsers"),
      );
      for (const entry of declared) {
        if (isWhole && matches(patterns, entry.username ?? "")) continue;
        // The program leaves the list to others: a refresh writes all people into it and declares none of them.
        if (isWhole && entry.roles === undefined) continue;
        // A refresh found that the person had left, and no update has declared the returned person since.
        if (isWhole && !isDeclaredIn(resource, entry)) continue;
        // A resource that is not recorded holds no one, whatever the program declares.
        const isDeclared = situation.entries.some(
          (other) =>
            other.projectId === projectId &&
            this.knows.meanTheSame(other, entry, after) &&
            result.state.some(({ name }) => name === other.resource),
        );
        // The resource gave them to another one that leaves as well.
        const isPassedOn = this.knows.attempted.some(
          (other) =>
            other.resource !== entry.resource &&
            other.projectId === projectId &&
            this.knows.meanTheSame(other, entry, after) &&
            stateBefore.some((one) => one.name === other.resource && isReleased(one, stateBefore)),
        );
        // Or to one that could not be deleted.
        const isHeld = result.state.some(
          (record) => record.outputs.projectId === projectId && this.#isHeldBy(record, entry, after),
        );
        // The name was declared before, and whom it stood for has left.
        const isLatest = (this.knows.lastDeclared.get(resource.name) ?? []).some(
          ({ username, userId }) => username === entry.username && userId === entry.userId,
        );
        if (!isLatest && this.knows.identities.heldBy(entry) === undefined) continue;
        // Only the membership was recorded: the service had another invitation beside it.
        const isBeside = resource.outputs.status === "active" && isDeleted;
        const rest =
          isDeclared || isBeside || isPassedOn || isHeld
            ? undefined
            : remainsOf(entry, { before: before.projects.get(projectId), project }, after, identitiesBefore);
        // An adopted invitation does not show its account, and its name is another's now.
        const isUnknown =
          resource.outputs.origin === "adopted" &&
          resource.outputs.userId === undefined &&
          rest?.account !== undefined &&
          fold(after.names.get(rest.account) ?? "") !== fold(String(resource.outputs.username));
        const owners = ownersOf(project);
        const isLastOwner = owners.length === 1 && owners[0] === rest?.account;
        this.holds(
          "no member who left the state is left behind",
          rest === undefined ||
            isUnknown ||
            isLastOwner ||
            isLastRecordedOwner(resource, rest.account, texts),
          () => `${resource.name} left the state, but ${rest?.text} is still in ${project.name}`,
        );
      }
    }
  }

  #isHeldBy(record: Recorded, entry: Entry, service: ServiceView): boolean {
    const { type, outputs } = record;
    if (type !== "ProjectMember") return type === "ProjectMembers" && isDeclaredIn(record, entry);
    const { accounts, names } = candidatesOf(entry, service, this.knows.identities);
    const { userId, username } = outputs;
    return typeof userId === "string" ? accounts.has(userId) : names.has(fold(String(username)));
  }

  /** A user who is declared before and after keeps the membership in between. */
  #checkKept({ requests, before, after, entries }: Situation): void {
    for (const { method, path, status } of requests) {
      if (method !== "DELETE" || status === undefined || status >= 300) continue;
      const [, projectId = "", kind = "", id = ""] = /groups\/(\w+)\/(users|invites)\/(\w+)/.exec(path) ?? [];
      const project = before.projects.get(projectId);
      if (project === undefined) continue;
      const invitation = project.invitations.find((one) => one.id === id);
      for (const entry of entries.filter((one) => one.projectId === projectId)) {
        const { accounts, names, ambiguous } = candidatesOf(entry, after, this.knows.identities);
        const isActive = [...accounts].some((account) => project.members.has(account));
        const lost =
          kind === "users"
            ? accounts.has(id)
            : invitation !== undefined &&
              names.has(invitation.name) &&
              !isActive &&
              !this.knows.isNameless(entry);
        this.holds(
          "no member who stays declared is removed in between",
          !lost || ambiguous || this.#areDeletedFirst([entry]),
          () => `${entry.userId ?? entry.username} in ${project.name}`,
        );
      }
    }
  }

  onlyLoses(name: string, { stateBefore, before, identitiesBefore }: CommandOutcome): boolean {
    const declaration = this.knows.declarations.find((one) => one.name === name);
    const isKept = stateBefore.some((one) => one.name === name && !one.pendingDelete);
    const isReplaced =
      declaration !== undefined && (mayBeReplaced(declaration) || declaration.inputs.removeUnlisted === true);
    const has = (entry: Entry) => {
      const { accounts, names, ambiguous } = candidatesOf(entry, before, identitiesBefore);
      const project = before.projects.get(entry.projectId);
      const held = [...(project?.members ?? [])].filter(([account]) => accounts.has(account));
      const invited = project?.invitations.filter((one) => names.has(one.name)) ?? [];
      // A member may still be invited, with other roles.
      const live = held.length > 0 ? held.map(([, roles]) => roles) : invited.map(({ roles }) => roles);
      return !ambiguous && live.some((roles) => entry.roles?.every((role) => roles.includes(role)) ?? true);
    };
    return (
      isKept &&
      !isReplaced &&
      this.knows
        .entries()
        .filter(({ resource }) => resource === name)
        .every(has)
    );
  }

  /**
   * After a successful `up`, everyone is in the project as declared.
   *
   * @returns whether the next `up` may have to write: it invites again whom a replaced resource has taken back, and writes a declared
   * role that only a team gave before (docs/resources/teams.md)
   */
  checkTrue(
    declaration: Declaration,
    project: ProjectView,
    { before, after }: Pick<CommandOutcome, "before" | "after">,
  ): boolean {
    // Then nothing is written but ends.
    if (ignores(declaration, "members")) return false;
    const { identities } = this.knows;
    for (const entry of this.knows.entries()) {
      if (entry.resource !== declaration.name) continue;
      const isTrueIn = (service: ServiceView) =>
        isTrue(entry, service, identities, this.knows.teamRolesIn(project.id));
      const isFulfilled = isTrueIn(after);
      if (!isFulfilled && this.knows.isNameless(entry)) return true;
      if (!isFulfilled && isTrueIn(withTeamsOf(before, after, project))) return true;
      const { userId, username, roles } = entry;
      this.holds(
        "a successful up makes everything true",
        isFulfilled,
        () => `${userId ?? username} in ${project.name} is not ${roles?.join(", ") ?? "there"}`,
      );
    }
    return false;
  }
}

/** The people of the project with the roles that their teams gave them before. */
function withTeamsOf(before: ServiceView, after: ServiceView, project: ProjectView): ServiceView {
  const { shownOfTeams } = before.projects.get(project.id) ?? project;
  return { ...after, projects: new Map([...after.projects, [project.id, { ...project, shownOfTeams }]]) };
}

/** Whether the record has the person as declared, under any name that it keeps of them. */
function isDeclaredIn(record: Recorded, { username, userId }: Entry): boolean {
  return peopleIn(record).some(
    (detail) =>
      detail.declared &&
      ((userId !== undefined && detail.userId === userId) ||
        [detail.username, detail.declaredAs].some(
          (name) => name !== undefined && username !== undefined && fold(name) === fold(username),
        )),
  );
}

/**
 * Whether the account is the last owner whom the record lists, and a warning names the person. Without the list of members, the record
 * alone shows the owners, and it may lack those whom others added.
 */
function isLastRecordedOwner(
  record: Recorded,
  account: string | undefined,
  texts: readonly string[],
): boolean {
  if (record.type !== "ProjectMembers") return false;
  const owners = peopleIn(record).filter(
    ({ status, roles }) => status === "active" && roles?.includes("GROUP_OWNER"),
  );
  const owner = owners.find(({ userId }) => userId === account);
  const warning = `${owner?.username} was not removed from project ${record.outputs.projectId}: the state lists no other direct owner`;
  return (
    owner !== undefined &&
    owners.every(({ declared }) => declared) &&
    texts.some((text) => text.includes(warning))
  );
}

/**
 * Whether destroying the resource leaves its people in the project. After a failed update the engine keeps the inputs of the last success,
 * and destroying takes `onDestroy` from them. An old record that still has to be deleted has the name of the new one.
 */
function isReleased({ type, name }: Recorded, state: readonly Recorded[]): boolean {
  return state
    .filter((record) => record.type === type && record.name === name)
    .flatMap(({ outputs, inputs }) => [outputs, inputs])
    .some(({ onDestroy = type === "ProjectMembers" ? "release" : "" }) => onDestroy === "release");
}
