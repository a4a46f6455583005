/** What has to be true of teams and of their roles in projects after each command. */

import { type Declaration, type Recorded, unwrapped } from "../engine-model";
import { accessIn } from "./access";
import { type Holds, isOutcomeUnknown, type Situation } from "./command";
import { candidatesOf, type Identities } from "./oracle";
import {
  daysOverIn,
  ignores,
  isDeletedFirst,
  isEndedIn,
  isEndRecorded,
  isRecordOf,
  mayBeReplaced,
  peopleIn,
  textsIn,
} from "./records";
import { fold, type ProjectView, type ServiceView, sameSet, type TeamView } from "./service-view";
import type { World } from "./world";

const objectKinds = ["Team", "ProjectTeam", "AgentApiKey", "ApiKey", "ProjectApiKey", "OrganizationMember"];

/** Neither a project nor a person. */
export const isTeamOrKey = (type: string): boolean =>
  objectKinds.includes(type) && type !== "OrganizationMember";

/** What the resource manages, by each of its names; none for people of projects, and for projects. */
export function objectsOf({ type, outputs }: Recorded): readonly string[] {
  const { teamId, projectId, keyId, userId, username, invitationId } = outputs;
  if (!objectKinds.includes(type)) return [];
  switch (type) {
    case "Team":
      return [`team ${teamId}`];
    case "ProjectTeam":
      return [`${projectId} ${teamId}`];
    case "ProjectApiKey":
      return [`${projectId} key ${keyId}`];
    case "OrganizationMember":
      // Another account may have the name of an invited one that was renamed.
      return [`person ${userId ?? username}`, `person ${fold(String(username))}`].concat(
        invitationId === undefined ? [] : [`invitation ${invitationId}`],
      );
    default:
      return [`key ${keyId}`];
  }
}

export function exists(
  { type, outputs }: Recorded,
  { teams, projects, apiKeys, organization }: ServiceView,
): boolean {
  const { teamId, projectId, keyId } = outputs as Record<string, string>;
  if (type === "Team") return teams.has(teamId ?? "");
  if (type === "OrganizationMember") {
    const { userId, username } = outputs;
    return [...organization.values()].some(({ account, name }) =>
      userId === undefined ? name === fold(String(username)) : account === userId,
    );
  }
  if (type === "ApiKey") return apiKeys.has(keyId ?? "");
  if (type === "ProjectApiKey") return apiKeys.get(keyId ?? "")?.projectRoles.has(projectId ?? "") ?? false;
  const project = projects.get(projectId ?? "");
  if (type === "ProjectTeam") return project?.teams.has(teamId ?? "") ?? false;
  return project?.agentKeys.has(keyId ?? "") ?? false;
}

/** Whether the object may stay when this run replaces or deletes its resource. */
export function isRetained(
  resource: Recorded,
  program: readonly Declaration[],
  provider: World["provider"],
): boolean {
  const declaration = program.find((one) => isRecordOf(one, resource));
  // Without URNs, the dynamic provider takes the name in the program for the one of another resource.
  const isTakenForAnother =
    provider === "dynamic" &&
    declaration !== undefined &&
    (isDeletedFirst(declaration) || ignores(declaration, "name"));
  // A team that the program gives by its id cannot be created again, so it stays if its resource is deleted first.
  const isGivenById = resource.type === "Team" && declaration?.inputs.teamId === resource.outputs.teamId;
  return isTakenForAnother || isGivenById || resource.retainOnDelete === true;
}

export class TeamInvariants {
  /** Declared accounts by resource and team after the last successful `up`, as long as no one else has changed a team or an account. */
  readonly #declaredPeople = new Map<string, readonly string[]>();

  constructor(private readonly holds: Holds) {}

  /** Others have changed a team or an account, or the program has lost a Team. */
  forgetPeople(): void {
    this.#declaredPeople.clear();
  }

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    this.#checkRoles(situation);
    this.#checkTaken(situation);
    this.#checkTeams(situation);
    for (const [id, before] of situation.before.projects) {
      const after = situation.after.projects.get(id);
      if (after !== undefined) this.#checkProject(before, after, situation);
    }
    this.#checkVanished(situation);
  }

  /** A person gets a role in a project from the program or from others, and never by the way. */
  #checkRoles(situation: Situation): void {
    const { before, after, entries, identities } = situation;
    const had = grantsOf(before);
    for (const [key, { projectId, account, role }] of grantsOf(after)) {
      if (had.has(key) || !before.projects.has(projectId)) continue;
      const isDirect = entries.some(
        (entry) =>
          entry.projectId === projectId &&
          (entry.roles?.includes(role) ?? true) &&
          candidatesOf(entry, after, identities).accounts.has(account),
      );
      this.holds(
        "no person has a role that neither the program nor an outside change gave",
        isDirect || this.#isGivenByTeam(projectId, account, role, situation),
        () => `${after.names.get(account)} has ${role} in ${after.projects.get(projectId)?.name}`,
      );
    }
  }

  #isGivenByTeam(projectId: string, account: string, role: string, situation: Situation): boolean {
    const { before, after, program, result } = situation;
    const teamIds = [...(after.projects.get(projectId)?.teams ?? [])]
      .filter(([id, roles]) => roles.includes(role) && after.teams.get(id)?.userIds.includes(account))
      .map(([id]) => id);
    const lists = (team: Declaration) => this.#lists(team, account, situation);
    return teamIds.some((teamId) => {
      const wasIn = before.teams.get(teamId)?.userIds.includes(account) ?? false;
      const givers = program.filter((declaration) => {
        const recorded = [...situation.stateBefore, ...result.state].filter(
          (resource) => resource.type === "ProjectTeam" && isRecordOf(declaration, resource),
        );
        return (
          declaration.type === "ProjectTeam" &&
          (recorded.some(({ outputs }) => outputs.teamId === teamId) ||
            isOfTeam(declaration, teamId, situation) ||
            declaration.inputs.teamName === after.teams.get(teamId)?.name)
        );
      });
      const hadTeam = before.projects.get(projectId)?.teams.get(teamId)?.includes(role) ?? false;
      const holders = program.filter((declaration) => this.#mayFill(declaration, teamId, situation));
      // Others gave the team its role, and the program lists the person, or the other way round.
      if (givers.length === 0) return hadTeam && holders.some(lists);
      return givers.some((giver) => {
        const team = program.find(({ name }) => name === giver.references.teamId?.resource);
        const isListed = wasIn || holders.some(lists) || (team !== undefined && lists(team));
        const given = valuesOf("roles", giver, situation).flat();
        return isListed && (hadTeam || given.includes(role));
      });
    });
  }

  /** Whether the declaration is the one of this team. What a resource of the stack holds is no other resource's. */
  #means(
    declaration: Declaration,
    teamId: string,
    { before, after, stateBefore, program }: Situation,
  ): boolean {
    if (declaration.type !== "Team") return false;
    const { name, teamId: adopted } = declaration.inputs;
    // The declaration adopts another team in place of the recorded one.
    if (adopted !== undefined && adopted !== teamId) return false;
    // An ignored name leads the resource to no other team than the recorded one.
    const isElsewhere = stateBefore.some(
      (resource) =>
        isRecordOf(declaration, resource) && !resource.pendingDelete && resource.outputs.teamId !== teamId,
    );
    if (adopted === undefined && isElsewhere && ignores(declaration, "name")) return false;
    const recorded = stateBefore.filter(({ type, outputs }) => type === "Team" && outputs.teamId === teamId);
    const holder = program.find((other) => recorded.some((resource) => isRecordOf(other, resource)));
    if (holder !== undefined) return holder === declaration;
    return adopted === teamId || [before, after].some(({ teams }) => teams.get(teamId)?.name === name);
  }

  /**
   * Whether the declaration may add people to this team. An id adopts it, also while another resource holds it. In the dynamic provider,
   * two resources may have adopted one team, because it does not detect that (docs/providers.md). Both hold the team after its id leaves
   * the program: an update writes to the recorded team, and an ignored name does not lead it to another one.
   */
  #mayFill(declaration: Declaration, teamId: string, situation: Situation): boolean {
    if (this.#means(declaration, teamId, situation)) return true;
    if (declaration.type !== "Team") return false;
    const { teamId: adopted } = declaration.inputs;
    const isHolder = situation.stateBefore.some(
      (resource) =>
        resource.type === "Team" &&
        resource.outputs.teamId === teamId &&
        !resource.pendingDelete &&
        isRecordOf(declaration, resource),
    );
    const isDynamic = situation.world.provider === "dynamic";
    return adopted === teamId || (isDynamic && adopted === undefined && isHolder);
  }

  /** Whether the Team lists the account, by any name that it ever had. */
  #lists(declaration: Declaration, account: string, situation: Situation): boolean {
    const names = situation.identities.namesOf(account);
    return valuesOf("usernames", declaration, situation)
      .flat()
      .some((name) => names.has(fold(name)));
  }

  #checkTaken({ result, stateBefore, program }: Situation): void {
    for (const { type, name, outputs, inputs, pendingDelete } of result.state) {
      if (type !== "Team" || pendingDelete || inputs.teamId !== undefined) continue;
      const { aliases = [] } = program.find((declaration) => declaration.name === name) ?? {};
      const holders = stateBefore.filter((one) => one.type === type && one.outputs.teamId === outputs.teamId);
      const isOwn = holders.some((one) => isRecordOf({ name, aliases }, one));
      this.holds(
        "no resource takes over what another resource of the stack holds",
        isOwn || holders.length === 0,
        () => `${name} has team "${outputs.name}" of ${holders[0]?.name}`,
      );
    }
  }

  #checkTeams(situation: Situation): void {
    const { before, after, stateBefore, program, result } = situation;
    for (const team of before.teams.values()) {
      const now = after.teams.get(team.id);
      const recorded = stateBefore.filter(
        ({ type, outputs }) => type === "Team" && outputs.teamId === team.id,
      );
      const declared = program.find((declaration) => this.#means(declaration, team.id, situation));
      if (now === undefined) {
        const isReplaced = declared !== undefined && mayBeReplaced(declared);
        const mayGo =
          recorded.some(({ outputs, pendingDelete }) => outputs.onDestroy === "delete" || pendingDelete) &&
          (declared === undefined || isReplaced || recorded.some(({ pendingDelete }) => pendingDelete));
        this.holds("only a team that leaves the program is deleted", mayGo, () => team.name);
        continue;
      }
      if (now.name !== team.name) {
        this.holds("only a declared team is renamed", declared !== undefined, () => team.name);
      }
      for (const id of team.userIds.filter((userId) => !now.userIds.includes(userId))) {
        this.#checkRemoved(id, team, declared, recorded, situation);
      }
      for (const id of now.userIds.filter((userId) => !team.userIds.includes(userId))) {
        const isListed = program.some(
          (declaration) =>
            this.#mayFill(declaration, team.id, situation) && this.#lists(declaration, id, situation),
        );
        this.holds(
          "only listed people are added to a team",
          isListed,
          () => `${after.names.get(id)} to ${team.name}`,
        );
      }
    }
    for (const team of after.teams.values()) {
      if (before.teams.has(team.id)) continue;
      const isRecorded = result.state.some(({ outputs }) => outputs.teamId === team.id);
      const isKept = isRecorded || isOutcomeUnknown(result);
      this.holds("what was created is recorded", isKept, () => `team ${team.name}`);
    }
  }

  #checkRemoved(
    userId: string,
    team: TeamView,
    declared: Declaration | undefined,
    recorded: readonly Recorded[],
    situation: Situation,
  ): void {
    const { world, program, after } = situation;
    if (hasLeft(userId, situation)) return;
    const name = after.names.get(userId) ?? "";
    const listsName = ({ inputs }: Pick<Declaration, "inputs">) =>
      textsIn(inputs, "usernames").some((one) => fold(one) === name);
    // The dynamic provider does not detect that two resources declare one team, and each undoes the
    // other's changes. None of them has a reason to remove a person whose present name they all list.
    const fillers = program.filter((declaration) => this.#mayFill(declaration, team.id, situation));
    const isContested = fillers.some((declaration) => !listsName(declaration));
    if (world.provider === "dynamic" && fillers.length > 1 && isContested) return;
    const isListed = declared !== undefined && listsName(declared);
    this.holds(
      "a person whose present name is listed stays in the team",
      !isListed,
      () => `${name} was removed from ${team.name}`,
    );
    const wasDeclared = recorded
      .flatMap(peopleIn)
      .some((person) => person.userId === userId && person.declared);
    const names = situation.identities.namesOf(userId);
    const mayGo =
      isEndedIn(recorded, situation.whole, { id: userId, names }) ||
      (declared !== undefined &&
        (wasDeclared ||
          daysOverIn(declared.inputs).some(([, person = ""]) => names.has(fold(person))) ||
          (recorded.length > 0 && declared.inputs.removeUnlisted === true)));
    this.holds(
      "only people who left the program are removed from a team",
      mayGo,
      () => `${name} from ${team.name}`,
    );
  }

  #checkProject(before: ProjectView, after: ProjectView, situation: Situation): void {
    const { stateBefore, program } = situation;
    for (const teamId of new Set([...before.teams.keys(), ...after.teams.keys()])) {
      const [was, is] = [before.teams.get(teamId), after.teams.get(teamId)];
      if (sameSet(was ?? [], is ?? [])) continue;
      const name = (situation.after.teams.get(teamId) ?? situation.before.teams.get(teamId))?.name;
      const recorded = [...stateBefore, ...situation.result.state].filter(
        ({ type, outputs }) =>
          type === "ProjectTeam" && outputs.teamId === teamId && outputs.projectId === after.id,
      );
      const declared = program.filter(
        (declaration) =>
          declaration.type === "ProjectTeam" &&
          situation.projectIdOf(declaration) === after.id &&
          (declaration.inputs.teamName === name ||
            isOfTeam(declaration, teamId, situation) ||
            recorded.some((resource) => isRecordOf(declaration, resource))),
      );
      const isReplaced = declared.some(mayBeReplaced);
      // A run that fails before it comes to the other declaration of an access that is over does not know it.
      const isUnknown =
        recorded.some((record) => isEndRecorded(record, undefined)) &&
        !declared.some((one) => recorded.some((record) => isRecordOf(one, record)));
      // Also of a team that is deleted: a project that has it prevents the deletion.
      const isWanted =
        is === undefined
          ? isUnknown ||
            ((declared.length === 0 || isReplaced || isMoved(teamId, after.id, situation)) &&
              recorded.some(({ outputs }) => outputs.onDestroy === "remove"))
          : declared.some((one) => valuesOf("roles", one, situation).some((roles) => sameSet(roles, is)));
      this.holds(
        "a team in a project changes only as declared",
        isWanted,
        () => `${name} in ${after.name}: ${was ?? "nothing"} became ${is ?? "nothing"}`,
      );
    }
  }

  /** What leaves the state is deleted, released, or held by another resource. */
  #checkVanished({ world, stateBefore, result, before, after, program, texts }: Situation): void {
    const held = new Set(result.state.flatMap(objectsOf));
    for (const resource of stateBefore) {
      const objects = objectsOf(resource);
      const [object] = objects;
      if (object === undefined || objects.some((one) => held.has(one)) || !exists(resource, after)) continue;
      const { name, inputs, outputs, deletedWith } = resource;
      const isReleased = [inputs, outputs].some(({ onDestroy }) => onDestroy === "release");
      const isRead = result.steps.some((step) => step.name === name && step.kind === "read-deleted");
      // A resource of the same run has made it again: whoever is added to a project joins the organization.
      if (isRead && !exists(resource, before)) continue;
      const isWithProject =
        deletedWith !== undefined && !program.some((declaration) => declaration.name === deletedWith);
      // An end that the service does not offer stays, and the run says so.
      const isSaid =
        inputs.until !== undefined &&
        texts.some((text) => text.includes(`${outputs.username} was not removed`));
      this.holds("nothing that exists leaves the state", !isRead, () => `${name}: ${object}`);
      this.holds(
        "what leaves the state is deleted or released",
        isReleased || isSaid || isRetained(resource, program, world.provider) || isWithProject,
        () => `${name}: ${object}`,
      );
    }
  }

  /** @param isNew whether this `up` created or adopted the object, which removes no one from a team */
  checkTrue(
    declaration: Declaration,
    recorded: Recorded | undefined,
    service: ServiceView,
    identities: Identities,
    isNew: boolean,
  ): void {
    const { name, type, inputs } = declaration;
    const outputs = unwrapped(recorded?.outputs ?? {}) as Record<string, string>;
    const project = service.projects.get(outputs.projectId ?? "");
    const team = service.teams.get(outputs.teamId ?? "");
    const usernames = textsIn(inputs, "usernames");
    const isIn = (username: string) =>
      team?.userIds.some((id) => identities.namesOf(id).has(fold(username))) ?? false;
    const isTrue =
      type === "Team"
        ? team !== undefined &&
          (ignores(declaration, "name") || team.name === inputs.name) &&
          (ignores(declaration, "usernames") || usernames.every(isIn))
        : // The Team left the program, and this up deleted it last.
          team === undefined ||
          ignores(declaration, "roles") ||
          sameSet(project?.teams.get(team.id) ?? [], textsIn(inputs, "roles"));
    this.holds("a successful up makes everything true", isTrue, () => `${name}: ${JSON.stringify(outputs)}`);
    if (type !== "Team" || team === undefined || ignores(declaration, "usernames")) return;
    // The name of an account may have changed in the program only.
    const over = daysOverIn(inputs).map(([, person = ""]) => person);
    const isListed = (id: string) =>
      [...usernames, ...over].some((one) => identities.namesOf(id).has(fold(one)));
    const key = `${name} ${team.id}`;
    const former = this.#declaredPeople.get(key) ?? [];
    const left = team.userIds.filter((id) => !isListed(id) && former.includes(id));
    this.holds(
      "people who left the program have left the team",
      // A run that failed after its deletion leaves no record of them.
      left.length === 0 || isNew,
      () => `${left.map((id) => service.names.get(id)).join()} in ${name}`,
    );
    // Of two accounts that have had one name, only one is declared.
    const had = (username: string) => team.userIds.filter((id) => identities.namesOf(id).has(fold(username)));
    const declared = usernames.map(had).filter((accounts) => accounts.length === 1);
    this.#declaredPeople.set(key, declared.flat());
  }
}

/** Whether the account has left the organization in this command, and its teams and projects with it. */
export function hasLeft(
  account: string | undefined,
  { before, after }: { readonly before: ServiceView; readonly after: ServiceView },
): boolean {
  if (account === undefined) return false;
  const isIn = ({ organization }: ServiceView) => organization.get(account)?.status === "active";
  return isIn(before) && !isIn(after);
}

/** Whether the ProjectTeam refers to the Team of the program that has this team. An interrupted creation is recorded only there. */
function isOfTeam({ references }: Declaration, teamId: string, { stateBefore, result }: Situation): boolean {
  return [...stateBefore, ...result.state].some(
    ({ type, name, outputs }) =>
      type === "Team" && name === references.teamId?.resource && outputs.teamId === teamId,
  );
}

/**
 * What the run may take for the list that the program declares. What is ignored keeps the recorded value, unless the resource is made
 * again. If it failed, it may have been an update or a replacement.
 */
function valuesOf(
  property: "usernames" | "roles",
  declaration: Declaration,
  { stateBefore, result }: Situation,
): readonly (readonly string[])[] {
  const { name, type, inputs } = declaration;
  const recorded = ignores(declaration, property)
    ? stateBefore.find((resource) => resource.type === type && isRecordOf(declaration, resource))
    : undefined;
  const isMade = result.steps.some((step) => step.name === name && /^(create|replace)$/.test(step.kind));
  const isFailed = result.failures.some((failure) => failure.name === name);
  const sources =
    recorded === undefined || isMade ? [inputs] : isFailed ? [inputs, recorded.inputs] : [recorded.inputs];
  return sources.map((values) => textsIn(values, property));
}

/** Another resource declares the team in another project now. */
function isMoved(teamId: string, projectId: string, { stateBefore, result }: Situation): boolean {
  const recorded = stateBefore.filter(
    ({ type, outputs }) =>
      type === "ProjectTeam" && outputs.teamId === teamId && outputs.projectId === projectId,
  );
  return recorded.every(({ name }) =>
    result.state.some(
      (resource) =>
        resource.type === "ProjectTeam" &&
        resource.name === name &&
        (resource.outputs.teamId !== teamId || resource.outputs.projectId !== projectId),
    ),
  );
}

interface Grant {
  readonly projectId: string;
  readonly account: string;
  readonly role: string;
}

/** Every role that a person has in a project, directly or through a team. */
function grantsOf(service: ServiceView): ReadonlyMap<string, Grant> {
  const inProjects = accessIn(service).filter(
    ({ place, isPending }) => place.kind === "project" && !isPending,
  );
  const grants = inProjects.flatMap(({ place, holder: { kind, id }, roles }) => {
    const team = kind === "team" ? (service.teams.get(id)?.userIds ?? []) : [];
    const accounts = kind === "person" ? [id] : team;
    return accounts.flatMap((account) =>
      roles.map((role): Grant => ({ projectId: place.id, account, role })),
    );
  });
  return new Map(grants.map((grant) => [`${grant.projectId} ${grant.account} ${grant.role}`, grant]));
}

/** The members of projects to whom their teams brought a role that the service shows as one of theirs, between the two moments. */
export function gainedThroughTeams(
  before: ServiceView,
  after: ServiceView,
): readonly { readonly projectId: string; readonly account: string }[] {
  return [...after.projects.values()].flatMap(({ id: projectId, shownOfTeams }) =>
    [...shownOfTeams].flatMap(([account, roles]) => {
      const had = before.projects.get(projectId)?.shownOfTeams.get(account) ?? [];
      return roles.every((role) => had.includes(role)) ? [] : [{ projectId, account }];
    }),
  );
}
