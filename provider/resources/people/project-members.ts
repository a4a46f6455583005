/** Everybody in one project, and nobody else: who is not declared is removed, within limits that protect people. */
import { getProject } from "../../api/projects";
import { messageOf, PartialFailure, RefusedError } from "../../errors";
import { absenceOfProject } from "../absence";
import type { Difference } from "../difference";
import { OBJECT_ID } from "../fields";
import { ignoresProperty } from "../ignore-changes";
import { meaningOf } from "../meaning";
import type {
  Context,
  CreateRequest,
  CreateResult,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "../resource";
import type { Sighting } from "../session";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, type Properties, UNKNOWN, withoutUndefined } from "../values";
import { claimEverybody, claimPerson, declarerOf, declarerOfEverybody } from "./claims";
import { isOwner, nameOf, OWNER_ROLE, type Place, rolesOf, sameName, usernameOf } from "./person";
import { identityOf, isLastOwnerRefusal, vacateUnseen } from "./places";
import { factsOf } from "./project-facts";
import { applyPlan, removeAll } from "./project-members-apply";
import { membersDifferences } from "./project-members-difference";
import {
  asMembersInputs,
  checkProjectMembers,
  DEFAULT_MAX_REMOVALS,
  type MembersInputs,
  projectMembersInputs,
} from "./project-members-inputs";
import { endsOwnership, type PeoplePlan, planPeople, unlisted } from "./project-members-plan";
import {
  asMembersState,
  asProperties,
  assign,
  effectiveOnDestroy,
  everybodyIn,
  type MemberDetail,
  type MembersState,
  projectMembersOutputs,
  toMembersState,
} from "./project-members-state";
import { decisiveRefusal, isRefused, type Roster } from "./rosters";
import { warnOfUnread } from "./unread";

export const projectMembers: Resource = {
  name: "ProjectMembers",
  description: `Everybody in one project, and nobody else: members and pending invitations, with their roles.

Creating lets the declared people in or invites them, and removes nobody, unless \`removeUnlistedOnCreate\` is set; those who are not listed show as removals in the next preview. Updating lets people in and raises them first and removes last, never more than \`maxRemovals\` and never the last owner. People whom \`ignoreUsers\` matches, and those who are in only through a team or the organization, are left alone. Destroying leaves everybody in, unless \`onDestroy\` is \`remove\`.

Use \`ProjectMember\` instead to manage some people beside others whom the program does not know; never both for one project.`,
  inputs: projectMembersInputs,
  outputs: projectMembersOutputs,
  repeats: { memberDetails: "members" },
  maps: ["members"],
  check: checkProjectMembers,
  diff,
  create,
  read,
  update,
  delete: remove,
  changesByItself: (state) =>
    asMembersState(state, "").memberDetails.some(({ status, ignored }) => status === "pending" && !ignored),
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMembersState(state, id);
  context.session.sighted(context.urn, sightingOf(recorded));
  const { projectId, members } = asMembersInputs(inputs);
  if (projectId === recorded.projectId && typeof members === "object") {
    claimRecorded(recorded, Object.keys(members), context);
  }
  return membersDifferences(
    recorded,
    asMembersInputs(inputs),
    asMembersInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
}

/**
 * Check knows people by what the program says only; another resource of the same person may be recorded otherwise. A refresh
 * asks for differences too, before any Check: that declares nobody.
 */
function claimRecorded(
  { projectId, memberDetails }: MembersState,
  names: readonly string[],
  { session }: DiffRequest["context"],
): void {
  const holder = declarerOfEverybody(session, projectId);
  if (holder === undefined) return;
  for (const detail of memberDetails) {
    const { username, declaredAs } = detail;
    const isNamed = names.some((name) => sameName(name, username) || sameName(name, declaredAs));
    if (isNamed) claimPerson({ session, urn: holder }, projectId, detail);
  }
}

/** The project's own id stands for the Project. */
function sightingId(projectId: string): string {
  return `everybody in ${projectId}`;
}

function sightingOf(state: MembersState): Sighting {
  const { projectId, origin } = state;
  return { id: sightingId(projectId), origin, orgIds: [], names: [], recorded: asProperties(state) };
}

/** Where this replaces a resource of the same project: what it recorded. */
function replacedState(projectId: string, { session, urn }: Context): MembersState | undefined {
  const seen = session.lastSighting(urn);
  return seen?.recorded && seen.id === sightingId(projectId)
    ? asMembersState(seen.recorded, projectId)
    : undefined;
}

async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asMembersInputs(properties);
  if (hasUnknown(properties)) {
    warnOfUnknowns(context);
    return { id: "", state: previewState(inputs, undefined) };
  }
  const { projectId } = inputs as Known;
  const removeUnlisted = inputs.removeUnlistedOnCreate === true;
  const replaced = replacedState(projectId, context);
  const recorded = replaced?.memberDetails ?? [];
  const target = { projectId, inputs: inputs as Known, recorded, oldPatterns: [], removeUnlisted };
  const scene = await survey(target, preview, context);
  if (!removeUnlisted) warnOfUnlisted(target, scene, context);
  if (preview) {
    announce(target, scene, context);
    return { id: projectId, state: previewState(inputs, undefined) };
  }
  const origin = replaced?.origin === "imported" ? "imported" : "created";
  return { id: projectId, state: asProperties(await carryOut(target, scene, origin, context)) };
}

async function update(request: UpdateRequest): Promise<Properties> {
  const { id, preview, context } = request;
  const recorded = asMembersState(request.state, id);
  const inputs = asMembersInputs(request.inputs);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const target: Target = {
    projectId: recorded.projectId,
    inputs: inputs as Known,
    recorded: recorded.memberDetails,
    oldPatterns: recorded.ignoreUsers ?? [],
    removeUnlisted: true,
    peopleAreIgnored: isIgnored("members"),
  };
  const scene = await survey(target, preview, context);
  if (preview) {
    announce(target, scene, context);
    return previewState(inputs, recorded);
  }
  return asProperties(await carryOut(target, scene, recorded.origin, context));
}

/** Inputs of which nothing is unknown. */
interface Known extends Partial<MembersInputs> {
  readonly projectId: string;
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly ignoreUsers?: readonly string[];
  readonly maxRemovals?: number;
}

interface Target {
  readonly projectId: string;
  readonly inputs: Known;
  readonly recorded: readonly MemberDetail[];
  /** Whom the last operation left alone stays once more, so that changing the patterns removes nobody unseen. */
  readonly oldPatterns: readonly string[];
  readonly removeUnlisted: boolean;
  /** `ignoreChanges` names `members`: nothing is written. */
  readonly peopleAreIgnored?: boolean;
}

/** What is there, and what has to be done about it. */
interface Scene {
  readonly places: readonly Place[];
  readonly plan: PeoplePlan;
  readonly orgId: string | undefined;
  /** Why the planned removals must not happen, if they must not. */
  readonly tooMany: string | undefined;
}

async function survey(target: Target, preview: boolean, context: Context): Promise<Scene> {
  const { projectId, inputs, recorded } = target;
  const rival = claimEverybody(context, projectId);
  if (rival) throw new RefusedError(rival.reason);
  const orgId = await refuseLdap(target, context);
  const { rosters } = context.session;
  const roster = await (preview
    ? rosters.shared(projectId, context.signal)
    : rosters.fresh(projectId, context.signal));
  refuseUnlistable(projectId, roster);
  const places = everybodyIn(roster);
  const complete = planPeople({
    declared: inputs.members,
    places,
    recorded,
    ignoreUsers: patternsOf(target),
    removeUnlisted: target.removeUnlisted,
  });
  refuseTwice(projectId, complete);
  for (const [username, place] of complete.named) {
    claimPerson(context, projectId, identityOf(place));
    claimPerson(context, projectId, { username });
  }
  const plan = target.peopleAreIgnored ? nothingOf(complete) : complete;
  return { places, plan, orgId, tooMany: tooMany(target, plan) };
}

/** Roles given under one name would be taken under the other, for ever. */
function refuseTwice(projectId: string, { twice, named }: PeoplePlan): void {
  const sentences = twice.map(([one, other]) => {
    const place = named.get(one);
    const now = place ? usernameOf(place) : one;
    return `members names one person of project ${projectId} twice: "${one}" and "${other}" are both ${now}. Take one of the names out.`;
  });
  if (sentences.length > 0) throw new RefusedError(`${sentences.join(" ")} Nothing was written.`);
}

function nothingOf({ named }: PeoplePlan): PeoplePlan {
  return { named, twice: [], admissions: [], raises: [], otherChanges: [], removals: [] };
}

function patternsOf({ inputs, oldPatterns }: Target): string[] {
  return [...(inputs.ignoreUsers ?? []), ...oldPatterns];
}

/** @returns the project's organization, where the service tells */
async function refuseLdap({ projectId, inputs }: Target, context: Context): Promise<string | undefined> {
  const { session, signal } = context;
  const project = await getProject(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) !== "missing-operation") throw error;
    return undefined;
  });
  const mappings = (project?.ldapGroupMappings ?? []).filter(({ ldapGroups }) => ldapGroups?.length);
  if (mappings.length === 0 || inputs.ignoreUsers?.length) return project?.orgId;
  throw new RefusedError(
    `Project ${projectId} has LDAP group mappings (${mappings.map(({ roleName }) => roleName).join(", ")}): each login adds people back who are not listed, so this list could never be kept. Set ignoreUsers to patterns of the people who come through LDAP, or use ProjectMember. Nothing was written.`,
  );
}

function refuseUnlistable(projectId: string, roster: Roster): void {
  const error = decisiveRefusal(roster);
  if (error === undefined) return;
  if (meaningOf(error) !== "missing-operation") throw error;
  throw new RefusedError(
    `ProjectMembers of project ${projectId} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so nobody can tell who is in it. Use ProjectMember with userId or invitationId.`,
    { cause: error },
  );
}

function tooMany({ projectId, inputs }: Target, { removals }: PeoplePlan): string | undefined {
  const most = inputs.maxRemovals ?? DEFAULT_MAX_REMOVALS;
  if (removals.length <= most) return undefined;
  return `${people(removals)} would be removed from project ${projectId}, more than maxRemovals (${most}), so nobody is removed: ${namesOf(removals)}. Set maxRemovals to ${removals.length} if that is meant, or put them into members or ignoreUsers.`;
}

function people({ length }: readonly unknown[]): string {
  return length === 1 ? "1 person" : `${length} people`;
}

function namesOf(places: readonly Place[]): string {
  return places.map(usernameOf).join(", ");
}

function warnOfUnlisted({ projectId, inputs, recorded }: Target, { places }: Scene, { log }: Context): void {
  const { others } = assign(Object.keys(inputs.members), places, recorded);
  const strangers = unlisted(others, inputs.ignoreUsers ?? []);
  if (strangers.length === 0) return;
  log.warn(
    `Left in project ${projectId} for now, though not listed (${people(strangers)}): ${namesOf(strangers)}. The next preview shows them as removals: list them, put them into ignoreUsers, or let the next up remove them.`,
  );
}

/**
 * Names each person who would be removed or changed.
 *
 * @throws RefusedError where the real run would end with an error for certain
 */
function announce({ projectId }: Target, { plan, places, tooMany: over }: Scene, { log }: Context): void {
  const { removals, raises, otherChanges, admissions } = plan;
  if (over !== undefined) throw new RefusedError(over);
  for (const { place, roles } of [...raises, ...otherChanges]) {
    log.info(
      `${usernameOf(place)} in project ${projectId}: roles ${rolesOf(place).join(", ")} become ${roles.join(", ")}.`,
    );
  }
  for (const place of removals) {
    log.info(
      place.status === "active"
        ? `${usernameOf(place)} (${rolesOf(place).join(", ")}) will be removed from project ${projectId}.`
        : `The invitation of ${usernameOf(place)} to project ${projectId} will be taken back.`,
    );
  }
  const leaving = new Set([...otherChanges.filter(endsOwnership).map(({ place }) => place), ...removals]);
  const owners = places.filter(isOwner);
  if (owners.length === 0 || owners.some((owner) => !leaving.has(owner))) return;
  const raised = raises
    .concat(otherChanges)
    .some(({ place, roles }) => place.status === "active" && roles.includes(OWNER_ROLE));
  if (raised) return;
  const sentence = `No owner would be left in project ${projectId}: ${namesOf(owners)} would go or lose GROUP_OWNER.`;
  const invited = admissions
    .filter(({ roles }) => roles.includes(OWNER_ROLE))
    .map(({ username }) => username);
  if (invited.length === 0) {
    throw new RefusedError(
      `${sentence} Give GROUP_OWNER to somebody who is in the project. Nothing was written.`,
    );
  }
  log.warn(
    `${sentence} ${invited.join(", ")} will be owner only where the service adds them at once; where it invites them, the last owner stays until they accept.`,
  );
}

async function carryOut(
  { projectId, inputs, recorded }: Target,
  { plan, places, orgId, tooMany: over }: Scene,
  origin: MembersState["origin"],
  context: Context,
): Promise<MembersState> {
  const allowed = over === undefined ? plan : { ...plan, removals: [] };
  const outcome = await applyPlan(projectId, allowed, places, context);
  const state = toMembersState({
    projectId,
    places: outcome.places,
    names: Object.keys(inputs.members),
    recorded,
    declares: "names",
    inputs,
    orgId,
    origin,
  });
  const reasons = [...outcome.reasons, ...(over === undefined ? [] : [over])];
  if (reasons.length > 0) throw new PartialFailure(projectId, asProperties(state), reasons);
  return state;
}

/** What a preview can promise: whoever is recorded stays known by id, everything else follows from the program. */
function previewState(inputs: MembersInputs, recorded: MembersState | undefined): Properties {
  return withoutUndefined({
    orgId: recorded?.orgId ?? UNKNOWN,
    origin: recorded?.origin ?? "created",
    ...inputs,
    memberDetails: UNKNOWN,
    onDestroy: hasUnknown(inputs.onDestroy) ? UNKNOWN : effectiveOnDestroy(inputs),
  }) as unknown as Properties;
}

async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asMembersState(state, id);
  const { projectId, origin } = recorded;
  context.session.sighted(context.urn, sightingOf(recorded));
  const roster = await context.session.rosters.shared(projectId, context.signal);
  const error = decisiveRefusal(roster);
  if (error !== undefined) {
    const absence = await absenceOfProject(error, recorded, context);
    if (absence === "gone") return undefined;
    warnOfUnread(absence, projectId, error, context);
    return { id, state: asProperties(recorded), inputs: oldInputs };
  }
  const inputs = asMembersInputs(oldInputs);
  const { orgId } = await factsOf(projectId, context, recorded);
  const live = toMembersState({
    projectId,
    places: everybodyIn(roster),
    names: Object.keys(inputs.members),
    recorded: recorded.memberDetails,
    declares: "as recorded",
    inputs,
    orgId,
    origin,
  });
  return { id, state: asProperties(live), inputs: { ...oldInputs, members: live.members } };
}

async function readForImport(id: string, context: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const roster = await context.session.rosters.shared(projectId, context.signal);
  if (meaningOf(decisiveRefusal(roster)) === "gone") return undefined;
  refuseUnlistable(projectId, roster);
  const { orgId } = await factsOf(projectId, context);
  const state = toMembersState({
    projectId,
    places: everybodyIn(roster),
    names: [],
    recorded: [],
    declares: "as recorded",
    inputs: {},
    orgId,
    origin: "imported",
  });
  return { id: projectId, state: asProperties(state), inputs: { projectId, members: state.members } };
}

async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asMembersState(state, id);
  const inputs = asMembersInputs(oldInputs);
  const { projectId } = recorded;
  const { session, log, signal } = context;
  const other = declarerOfEverybody(session, projectId);
  if (other !== undefined) {
    // A replacement that deletes first creates next, and then meets these very people.
    if (other === context.urn) session.sighted(other, sightingOf(recorded));
    log.info(`The people of project ${projectId} are kept: declared by ${other}.`);
    return;
  }
  if (effectiveOnDestroy(inputs) === "release") {
    log.info(`The people of project ${projectId} were released: they stay in it as they are.`);
    return;
  }
  const leaving = recorded.memberDetails.filter(
    (detail) => detail.declared && !keptElsewhere(projectId, detail, context),
  );
  const roster = await session.rosters.fresh(projectId, signal);
  if (isRefused(roster.members)) {
    const absence = await absenceOfProject(roster.members.error, recorded, context);
    if (absence === "gone") return;
    if (absence === "unreadable") throw roster.members.error;
    refuseTooMany(projectId, inputs, leaving.map(nameOf));
    await removeUnseen(projectId, leaving, context);
    return;
  }
  const places = everybodyIn(roster);
  const { found } = assign(leaving.map(nameOf), places, recorded.memberDetails);
  const removals = [...found.values()];
  refuseTooMany(projectId, inputs, removals.map(usernameOf));
  const outcome = await removeAll(projectId, removals, places, context);
  for (const sentence of outcome.lastOwners) log.warn(sentence);
  if (outcome.reasons.length > 0) throw new RefusedError(outcome.reasons.join(" "));
}

function refuseTooMany(
  projectId: string,
  { maxRemovals }: Partial<MembersInputs>,
  names: readonly string[],
): void {
  const most = (maxRemovals as number | undefined) ?? DEFAULT_MAX_REMOVALS;
  if (names.length <= most) return;
  throw new RefusedError(
    `${people(names)} would be removed from project ${projectId}, more than maxRemovals (${most}), so nobody is removed: ${names.join(", ")}. Set maxRemovals to ${names.length}, or onDestroy to "release", run pulumi up, and destroy again.`,
  );
}

/** By what is recorded, on a service that lists nobody; it is the service that keeps the last owner then. */
async function removeUnseen(
  projectId: string,
  leaving: readonly MemberDetail[],
  context: Context,
): Promise<void> {
  const reasons: string[] = [];
  for (const detail of leaving) {
    try {
      await vacateUnseen(projectId, detail, context);
    } catch (error) {
      if (isLastOwnerRefusal(error)) {
        context.log.warn(`${detail.username} is the last owner of project ${projectId} and was not removed.`);
      } else reasons.push(messageOf(error));
    }
  }
  if (reasons.length > 0) throw new RefusedError(reasons.join(" "));
}

function keptElsewhere(projectId: string, detail: MemberDetail, { session, log }: Context): boolean {
  const owner = declarerOf(session, projectId, detail);
  if (owner !== undefined)
    log.info(`${detail.username} in project ${projectId} is kept: declared by ${owner}.`);
  return owner !== undefined;
}
