/** The people of a project, as a create or an update brings them about. */

import { isOwnerAbove } from "../../access/owners-above";
import { foldName, type Identity, listedName, type Membership, sameName } from "../../access/person";
import { messageOf, PartialFailure } from "../../text/errors";
import { toProperties } from "../contract/border";
import type { MemberDetail } from "../contract/people-outputs";
import type { ProjectContext } from "../contract/resource";
import type { Properties } from "../contract/values";
import { onlyRemovals } from "../lists/changes";
import { type EndOfPerson, leavingNow, warnOfEarlyEnds } from "../lists/ends";
import type { PeopleList, Ready, Result } from "../lists/engine";
import { announceEnds, limitsOf, refuseUnclearNames, toldOf, warnOfNamesakes } from "../lists/plan";
import { leaverFrom, membersOf } from "../people/member-claims";
import type { Limits } from "../people/protect";
import { resolve } from "../people/resolve";
import { Claims } from "../session/claims";
import { purposeOf } from "../session/shared-reads";
import { ChangedProject, type MemberChange } from "./changes";
import {
  checkGroupMappings,
  type GroupMappings,
  type PossiblePlan,
  refuseContradicted,
  withoutContradicted,
} from "./group-mappings";
import { ignoredUsers, type KnownMemberListInputs } from "./inputs";
import { announce, listedProject, unlistedInProject } from "./messages";
import { accessIn, foreseeLastOwner, type MemberPlan, planMemberChanges } from "./plan";
import {
  type AccountLookups,
  accountsOf,
  directMemberships,
  listedOtherwise,
  readProjectPeople,
  requireMemberList,
} from "./read";
import { type MemberListState, recordsInvitation, stateAfterRead, stateAfterWrite } from "./state";

export interface Target {
  readonly inputs: KnownMemberListInputs;
  readonly recorded: readonly MemberDetail[];
  readonly ends: readonly EndOfPerson[];
  readonly origin: MemberListState["origin"];
  /**
   * Patterns of the last operation. They apply once more, so a changed pattern removes no one
   * silently.
   */
  readonly oldPatterns: readonly string[];
  readonly operation: "create" | "update";
  /** Whether no resource has declared the people of the project before. */
  readonly isNew: boolean;
  /** Whether `ignoreChanges` names `members`. If so, nothing is written but ends. */
  readonly peopleAreIgnored: boolean;
  readonly preview: boolean;
}

/** What a plan is made of. */
interface Gathered {
  readonly memberships: readonly Membership[];
  /** What is recorded, with the accounts that listed names turned out to mean. */
  readonly recorded: readonly MemberDetail[];
  /** The accounts of listed people who are not in the project, as far as they were looked up. */
  readonly accounts: AccountLookups;
  readonly mappings: GroupMappings;
}

interface Planned extends PossiblePlan, Gathered {
  /** The plan with what group mappings contradict, and with what `ignoreChanges` leaves out. */
  readonly whole: MemberPlan;
}

export class ProjectPeopleList implements PeopleList<Gathered, Membership, Planned, MemberChange> {
  readonly preview: boolean;

  constructor(
    private readonly target: Target,
    private readonly context: ProjectContext,
  ) {
    this.preview = target.preview;
  }

  async read(): Promise<Gathered> {
    const { recorded, inputs, isNew } = this.target;
    const mappings = await checkGroupMappings(inputs.ignoreUsers, isNew, this.context);
    const people = await readProjectPeople(recorded, purposeOf(this.preview), this.context);
    requireMemberList(this.context.projectId, people, recordsInvitation(recorded));
    const memberships = await directMemberships(people, recorded, this.context);
    return { memberships, mappings, ...(await this.#identify(memberships)) };
  }

  /** Listed people who are there under another spelling count as recorded. Others may have to be looked up. */
  async #identify(memberships: readonly Membership[]): Promise<Pick<Gathered, "recorded" | "accounts">> {
    const { inputs, recorded } = this.target;
    const { missing, others } = resolve(Object.keys(inputs.members), memberships, recorded);
    const isIgnored = ignoredUsers(this.#ignoreUsers());
    const members = others.flatMap((membership) =>
      membership.status === "active" && !isIgnored(membership) ? [membership] : [],
    );
    const accounts = members.length === 0 ? new Map() : await accountsOf(missing, this.context);
    return { accounts, recorded: [...recorded, ...listedOtherwise(members, accounts)] };
  }

  #ignoreUsers(): readonly string[] {
    return [...(this.target.inputs.ignoreUsers ?? []), ...this.target.oldPatterns];
  }

  plan(gathered: Gathered): Planned {
    const { memberships, recorded, mappings } = gathered;
    const { inputs, ends, peopleAreIgnored } = this.target;
    const planned = planMemberChanges(
      inputs.members,
      { ended: inputs.ended, ends, people: memberships, recorded },
      {
        ignoreUsers: this.#ignoreUsers(),
        removeUnlisted: inputs.removeUnlisted === true,
        declarerOf: this.#declarerOf(),
      },
    );
    const whole = { ...planned, leaving: leavingNow(planned, this.context.session) };
    const possible = peopleAreIgnored
      ? { ...onlyEnded(whole), contradicted: undefined }
      : withoutContradicted(whole, mappings);
    return { ...possible, ...gathered, whole };
  }

  accept(planned: Planned): void {
    const { whole } = planned;
    const place = `project ${this.context.projectId}`;
    warnOfEarlyEnds(this.target.inputs.ended, place, this.context);
    this.#reportKept(whole);
    refuseUnclearNames("members", place, whole);
    warnOfOtherAccounts(this.target.recorded, whole, this.context);
    warnOfNamesakes(listedProject(this.context.projectId), whole, this.context.log);
    this.#claim(whole);
    this.#tell(planned);
    refuseContradicted(planned);
  }

  #declarerOf() {
    const { session, projectId } = this.context;
    return (membership: Membership, named: MemberPlan["found"]) =>
      session.of(Claims).declarerOf(leaverFrom(projectId, ownIdentity(membership, named)));
  }

  #reportKept({ found, keptBy }: MemberPlan): void {
    const { log, projectId } = this.context;
    const declarerOf = this.#declarerOf();
    for (const membership of keptBy("declared elsewhere")) {
      const declarer = declarerOf(membership, found);
      log.info(
        `${membership.username} in project ${projectId} was kept because ${declarer} declares this person.`,
      );
    }
  }

  #claim({ found }: MemberPlan): void {
    const { session, projectId, urn } = this.context;
    for (const [username, membership] of found) {
      session.of(Claims).claim(membersOf(projectId, membership, { username }), urn);
    }
  }

  #tell({ whole, memberships, mappings: { orgId } }: Planned): void {
    const place = { kind: "project", id: this.context.projectId, orgId } as const;
    const isAbove = (person: Membership) => isOwnerAbove(person, orgId);
    const foresee = (leaving: readonly Membership[]) =>
      foreseeLastOwner(memberships, whole, this.target.inputs.members, leaving);
    this.context.log.tell?.(toldOf(whole, (people) => accessIn(place, people), { isAbove, foresee }));
  }

  limits({ endOf }: Planned): Limits<Membership> {
    const { session, projectId } = this.context;
    const { members, ended, ...settings } = this.target.inputs;
    return limitsOf(
      {
        placeId: projectId,
        place: `project ${projectId}`,
        settings,
        list: ["members", [...Object.keys(members), ...ended.map(({ name }) => name)]],
        isPlannedEnd: (membership) => endOf(membership)?.isPlanned === true,
        consequence: "Nobody was removed from",
        advice: (count) =>
          `Set maxRemovals to ${count} if that is intended, or add them to members or ignoreUsers.`,
      },
      session,
    );
  }

  announce(planned: Planned, refusal: string | undefined): void {
    const { keptBy, mappings } = planned;
    const staying = keptBy("undeclared").filter((one) => !isOwnerAbove(one, mappings.orgId));
    // An update says so in its comparison.
    if (this.target.operation === "create")
      announceEnds(`project ${this.context.projectId}`, planned, this.context.log);
    const unlisted = this.target.operation === "create" && unlistedInProject(this.context.projectId, staying);
    if (unlisted) this.context.log.warn(unlisted);
    // An update that may remove no one does the rest before it fails.
    if (this.preview) announce(planned, refusal, this.context);
  }

  async prepare(planned: Planned): Promise<Ready<Membership, MemberChange>> {
    const { additions, raises, otherChanges } = planned;
    const { project, ...ready } = this.#ready(planned);
    return {
      ...ready,
      changes: {
        ...ready.changes,
        additions: [
          ...additions.map((addition) => project.addition(addition)),
          ...raises.map((raise) => project.roleChange(raise)),
        ],
        others: otherChanges.map((change) => project.roleChange(change)),
      },
    };
  }

  asItIs(planned: Planned): Ready<Membership, MemberChange> {
    return this.#ready(planned);
  }

  #ready({ leaving, endOf, memberships, recorded, accounts }: Planned) {
    const project = new ChangedProject(recorded, accounts, this.context);
    const removals = leaving.map((membership) => project.removal(membership, endOf(membership)));
    return {
      ...{ project, place: project, people: memberships },
      changes: onlyRemovals(removals),
    };
  }

  record({ planned, outcome, ...result }: Result<Membership, Planned, MemberChange, unknown>): Properties {
    const { recorded, contradicted, mappings, ending } = planned;
    const { inputs, peopleAreIgnored, origin, ends } = this.target;
    const { session, log, projectId } = this.context;
    const sent = outcome.unread.flatMap(({ username, roles }) => (roles ? [{ username, roles }] : []));
    // The engine puts all current people into ignored inputs, which does not declare them.
    const stateOf = peopleAreIgnored || "failure" in result ? stateAfterRead : stateAfterWrite;
    const properties = toProperties(
      stateOf({
        projectId,
        memberships: outcome.people,
        names: Object.keys(inputs.members),
        recorded,
        unread: sent.filter(
          ({ username }) => !outcome.people.some((person) => sameName(person.username, username)),
        ),
        inputs,
        orgId: mappings.orgId,
        origin,
        ends: { before: ends, ending, vain: outcome.vain, session },
      }),
    );
    const unread = sent.map(
      ({ username, roles }) =>
        `The service accepted ${username} with ${roles.join(", ")} for project ${projectId}, but the result could not be read.`,
    );
    for (const { message } of outcome.notOffered) log.warn(message);
    const { failure } = result;
    const notDone = failure === undefined ? [contradicted, result.refusal] : [messageOf(failure)];
    const { postponed, lastOwners } = outcome;
    const reasons = [...postponed, ...outcome.reasons, ...unread, ...lastOwners, ...notDone];
    const given = reasons.filter((reason) => reason !== undefined);
    if (given.length > 0) throw new PartialFailure(projectId, properties, given, { cause: failure });
    return properties;
  }
}

/** Of a list that the program ignores: only the access of those ends whose last day is over. */
function onlyEnded(plan: MemberPlan): MemberPlan {
  const leaving = plan.leaving.filter((membership) => plan.endOf(membership) !== undefined);
  return { ...plan, additions: [], raises: [], otherChanges: [], leaving, keptBy: () => [] };
}

/**
 * Without the name if this resource declares another account of the same name: only the IDs differ.
 * Without the account if this resource declares it by another membership: an invitation that keeps
 * the former name of the account is not the declared one.
 */
function ownIdentity(membership: Membership, named: MemberPlan["found"]): Identity {
  const { userId, invitationId, username, status } = membership;
  const others = [...named];
  if (status === "pending" && userId !== undefined && others.some(([, other]) => other.userId === userId))
    return { invitationId, username };
  const isNamesake = others.some(
    ([name, other]) =>
      [name, other.username].some((one) => sameName(one, username)) &&
      userId !== undefined &&
      other.userId !== undefined &&
      other.userId !== userId,
  );
  return isNamesake ? { userId, invitationId } : { userId, invitationId, username };
}

/** Warns of a listed name that belongs to another account since it was recorded. */
function warnOfOtherAccounts(
  recorded: Target["recorded"],
  { found }: MemberPlan,
  { log, projectId }: ProjectContext,
): void {
  // An undeclared account may have taken the name of the declared one, which comes last and is decisive.
  const details = [
    ...recorded.filter(({ declared }) => !declared),
    ...recorded.filter(({ declared }) => declared),
  ];
  const accounts = new Map(
    details.flatMap((detail) =>
      detail.userId === undefined ? [] : [[foldName(listedName(detail)), detail.userId] as const],
    ),
  );
  for (const [name, membership] of found) {
    const before = accounts.get(foldName(name));
    const { userId } = membership;
    if (before === undefined || userId === undefined || before === userId) continue;
    log.warn(
      `${name} in project ${projectId} is a different account than before: user ${userId}, was user ${before}. From now on this resource declares the new one.`,
    );
  }
}
