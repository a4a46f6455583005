/** What is in a project, what has to be done about its people, and whether that may be done. */
import { getProject } from "../../api/projects";
import { RefusedError } from "../../errors";
import { meaningOf } from "../meaning";
import type { Context } from "../resource";
import { claimEverybody, claimPerson } from "./claims";
import { isOwner, OWNER_ROLE, type Place, rolesOf, usernameOf } from "./person";
import { identityOf } from "./places";
import { DEFAULT_MAX_REMOVALS, type MembersInputs } from "./project-members-inputs";
import { endsOwnership, type PeoplePlan, planPeople, unlisted } from "./project-members-plan";
import { assign, everybodyIn, type MemberDetail } from "./project-members-state";
import { decisiveRefusal, type Roster } from "./rosters";

/** Inputs of which nothing is unknown. */
export interface KnownInputs extends Partial<MembersInputs> {
  readonly projectId: string;
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly ignoreUsers?: readonly string[];
  readonly maxRemovals?: number;
}

export interface Target {
  readonly projectId: string;
  readonly inputs: KnownInputs;
  readonly recorded: readonly MemberDetail[];
  /** Whom the last operation left alone stays once more, so that changing the patterns removes nobody unseen. */
  readonly oldPatterns: readonly string[];
  readonly removeUnlisted: boolean;
  /** `ignoreChanges` names `members`: nothing is written. */
  readonly peopleAreIgnored?: boolean;
}

/** What is there, and what has to be done about it. */
export interface Scene {
  readonly places: readonly Place[];
  readonly plan: PeoplePlan;
  readonly orgId: string | undefined;
  /** Why the planned removals must not happen, if they must not. */
  readonly tooMany: string | undefined;
}

export async function survey(target: Target, preview: boolean, context: Context): Promise<Scene> {
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

export function refuseUnlistable(projectId: string, roster: Roster): void {
  const error = decisiveRefusal(roster);
  if (error === undefined) return;
  if (meaningOf(error) !== "missing-operation") throw error;
  throw new RefusedError(
    `ProjectMembers of project ${projectId} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so nobody can tell who is in it. Use ProjectMember with userId or invitationId.`,
    { cause: error },
  );
}

function tooMany({ projectId, inputs }: Target, { removals }: PeoplePlan): string | undefined {
  const refusal = overMaxRemovals(projectId, inputs, removals.map(usernameOf));
  return refusal && `${refusal} if that is meant, or put them into members or ignoreUsers.`;
}

/** @returns the beginning of a sentence that ends with the other ways out, where these are more than may be removed at once */
export function overMaxRemovals(
  projectId: string,
  { maxRemovals }: Partial<MembersInputs>,
  names: readonly string[],
): string | undefined {
  const most = (maxRemovals as number | undefined) ?? DEFAULT_MAX_REMOVALS;
  if (names.length <= most) return undefined;
  return `${people(names)} would be removed from project ${projectId}, more than maxRemovals (${most}), so nobody is removed: ${names.join(", ")}. Set maxRemovals to ${names.length}`;
}

/** `1 person`, `3 people`. */
function people({ length }: readonly unknown[]): string {
  return length === 1 ? "1 person" : `${length} people`;
}

function namesOf(places: readonly Place[]): string {
  return places.map(usernameOf).join(", ");
}

export function warnOfUnlisted(
  { projectId, inputs, recorded }: Target,
  { places }: Scene,
  { log }: Context,
): void {
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
export function announce(
  { projectId }: Target,
  { plan, places, tooMany: over }: Scene,
  { log }: Context,
): void {
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
