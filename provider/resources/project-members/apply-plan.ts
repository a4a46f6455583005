/**
 * Carries out a plan for the people of a project.
 *
 * Additions and new roles come first and removals last, so the project never has fewer people than
 * before and after. A failure for one person does not stop the others. The last direct owner is
 * never removed: invited owners and owners of the organization do not replace a direct owner.
 */

import { type FailureCode, hasCode, messageOf, RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { sameSet } from "../contract/values";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { rereadAfterWrite } from "../evidence/reread";
import type { MemberDetail } from "../people/outputs";
import {
  foldName,
  type Identity,
  isOwner,
  type Membership,
  memberName,
  sameName,
  usernamesOf,
} from "../people/person";
import { decisiveRefusal, ProjectPeopleCache } from "../people/project-people-cache";
import { protect } from "../people/protect";
import { rolesBeside } from "../people/team-roles";
import { type Account, accountByName, addOrInvite, giveRoles, removeFromProject } from "../people/write";
import { type AccountLookups, directMemberships } from "./current-people";
import { type Addition, endsOwnership, type MemberPlan, type RoleChange } from "./plan";

interface PlanOutcome {
  /** All memberships of the project now. */
  readonly memberships: readonly Membership[];
  /** One sentence for each thing that is not as planned. */
  readonly reasons: readonly string[];
  /** One sentence for each owner who was not removed because there is no other owner. */
  readonly lastOwners: readonly string[];
  /**
   * People whom the service accepted, but whose membership or invitation could not be read
   * afterwards.
   */
  readonly unread: readonly Addition[];
}

/**
 * The change of one person. It returns the membership; `undefined` if the response does not show it.
 */
interface Step extends Omit<SentChange, "lost"> {
  run(): Promise<Membership | undefined>;
}

/** A change that was sent and not refused. */
interface SentChange {
  readonly username: string;
  readonly wanted: readonly string[];
  /** Why it is not known whether it was done. */
  readonly lost?: string;
}

/** Codes of failures that do not concern the person of the change. */
const SHARED_FAILURE_CODES: readonly FailureCode[] = [
  "OPSMANAGER_KEY_REFUSED",
  "OPSMANAGER_UNREACHABLE",
  "OPSMANAGER_TIMEOUT",
  "OPSMANAGER_CANCELLED",
];

interface PeopleFound {
  /** All memberships when the plan was made. */
  readonly memberships: readonly Membership[];
  readonly recorded: readonly MemberDetail[];
}

/** @param accounts of the people to add, as far as they were looked up */
export async function applyPlan(
  plan: MemberPlan,
  { accounts, ...found }: PeopleFound & { readonly accounts: AccountLookups },
  context: ProjectContext,
): Promise<PlanOutcome> {
  const execution = new PlanExecution(found, context, accounts);
  const change = (roles: RoleChange) => execution.changeOf(roles);
  const demotions = plan.otherChanges.filter(endsOwnership);
  const others = plan.otherChanges.filter((roles) => !endsOwnership(roles));
  await execution.allOf([
    ...plan.additions.map((addition) => execution.additionOf(addition)),
    ...plan.raises.map(change),
  ]);
  await execution.allOf(others.map(change));
  await execution.ownersLast(demotions, plan.removals);
  const outcome = await execution.outcome();
  return { ...outcome, reasons: [...outcome.reasons, ...outcome.lastOwners] };
}

/** Removes these people, owners last and never the last of them. */
export async function removeAll(
  removals: readonly Membership[],
  found: PeopleFound,
  context: ProjectContext,
): Promise<PlanOutcome> {
  const execution = new PlanExecution(found, context);
  await execution.ownersLast([], removals);
  return execution.outcome();
}

class PlanExecution {
  readonly #reasons: string[] = [];
  readonly #lastOwners: string[] = [];
  readonly #sent: SentChange[] = [];
  /**
   * Listed people whose account is not known and who could not be invited: each may be a member
   * under another name.
   */
  readonly #unresolved: string[] = [];
  readonly #unread: Addition[] = [];
  /** Failures that do not concern a single person, with the names of all affected people. */
  readonly #sharedFailures = new Map<string, { readonly message: string; readonly names: string[] }>();
  /** Accounts that were added or invited, by name: an invitation does not show its account. */
  readonly #addedAccounts = new Map<string, string>();
  #memberships: readonly Membership[];
  #written = false;

  constructor(
    private readonly found: PeopleFound,
    private readonly context: ProjectContext,
    private readonly accounts: AccountLookups = new Map(),
  ) {
    this.#memberships = found.memberships;
  }

  additionOf({ username, roles }: Addition): Step {
    return {
      username,
      wanted: roles,
      run: async () => {
        const account = await this.#accountOf(username);
        const twin = this.#membershipOfAccount(account);
        if (twin) throw oneAccount(username, twin.username);
        const who: Identity = typeof account === "string" ? { username } : account;
        const accepted = await addOrInvite(who, roles, this.context).catch((error: unknown) => {
          const isLost = hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN");
          if (account === "unknown" && !isLost) this.#unresolved.push(username);
          throw error;
        });
        const { userId } = accepted.who;
        if (userId !== undefined) this.#addedAccounts.set(foldName(memberName(accepted.who)), userId);
        return accepted.membership;
      },
    };
  }

  async #accountOf(username: string): Promise<Account | "none" | "unknown"> {
    const known = this.accounts.get(username);
    if (known !== undefined) return known;
    return accountByName(username, this.context).catch((error: unknown) => {
      this.#unresolved.push(username);
      throw error;
    });
  }

  changeOf({ membership, roles }: RoleChange): Step {
    return {
      username: membership.username,
      wanted: roles,
      run: async () => (await giveRoles(membership, roles, this.context)).membership,
    };
  }

  /** All at once, as far as the client's limits allow. */
  async allOf(steps: readonly Step[]): Promise<void> {
    await Promise.all(steps.map((step) => this.#attempt(step)));
  }

  /** Removes owners one after the other, and reads the remaining owners before each. */
  async ownersLast(demotions: readonly RoleChange[], planned: readonly Membership[]): Promise<void> {
    const { leaving: removals, keptBy } = protect(planned, { unfinished: this.#unresolved });
    this.#reportPostponed(keptBy("unfinished"));
    await Promise.all(
      removals.filter((membership) => !isOwner(membership)).map((membership) => this.#remove(membership)),
    );
    for (const change of demotions) {
      const attempt = () => this.#attempt(this.changeOf(change));
      await this.#giveUpOwner(change.membership, "keeps the role GROUP_OWNER", attempt);
    }
    for (const membership of removals.filter(isOwner)) {
      await this.#giveUpOwner(membership, "was not removed", () => this.#remove(membership));
    }
  }

  /** A listed name may mean one of these people. */
  #reportPostponed(people: readonly Membership[]): void {
    if (people.length === 0) return;
    this.#reasons.push(
      `${usernamesOf(people).join(", ")} stay in project ${this.context.projectId} for now: it is not known which account ${this.#unresolved.join(", ")} means, and it may be one of them. Run pulumi up again when the other failure is corrected.`,
    );
  }

  async outcome(): Promise<PlanOutcome> {
    let isRead = true;
    if (this.#written) {
      await this.#reread().catch((error: unknown) => {
        isRead = false;
        if (this.#sharedFailures.has(causeOf(error))) return;
        this.#reasons.push(`The result could not be read: ${messageOf(error)}`);
      });
    }
    for (const sent of this.#sent) this.#compare(sent, isRead);
    for (const { message, names } of this.#sharedFailures.values()) {
      this.#reasons.push(`${message} This concerns ${names.join(", ")}.`);
    }
    return {
      memberships: this.#memberships,
      reasons: this.#reasons,
      lastOwners: this.#lastOwners,
      unread: this.#unread,
    };
  }

  /**
   * Reads the owners first: an added owner may only be invited, and a response may not show the
   * result of a write.
   */
  async #giveUpOwner(membership: Membership, refusal: string, step: () => Promise<void>): Promise<void> {
    // Canceled: the step sends nothing and reports that. A read for each owner would delay the end.
    if (this.context.signal.aborted) return step();
    try {
      await this.#reread();
    } catch (error) {
      this.#addSharedFailure(causeOf(error), messageOf(error), membership.username);
      return;
    }
    const owners = this.#memberships.filter(isOwner);
    const isLastOwner = (person: Membership) =>
      owners.length > 0 && owners.every((owner) => samePerson(owner, person));
    const { leaving } = protect([membership], { isLastOwner });
    if (leaving.length > 0) await step();
    else this.#lastOwners.push(lastOwner(this.context.projectId, membership.username, refusal));
  }

  async #attempt({ username, wanted, run }: Step): Promise<void> {
    try {
      this.#written = true;
      const membership = await run();
      if (membership) this.#put(membership);
      this.#sent.push({ username, wanted });
    } catch (error) {
      // The read at the end shows whether it was done.
      if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) {
        this.#sent.push({ username, wanted, lost: messageOf(error) });
      } else this.#failed(username, error);
    }
  }

  async #remove(membership: Membership): Promise<void> {
    try {
      this.#written = true;
      await removeFromProject(membership, this.context);
      this.#memberships = this.#memberships.filter((other) => !samePerson(other, membership));
    } catch (error) {
      if (isLastOwnerRefusal(error)) {
        this.#lastOwners.push(lastOwner(this.context.projectId, membership.username, "was not removed"));
      } else this.#failed(membership.username, error);
    }
  }

  /** An active membership of the account, which then has another name than the listed one. */
  #membershipOfAccount(account: Account | "none" | "unknown"): Membership | undefined {
    if (typeof account === "string") return undefined;
    return this.#memberships.find(
      (membership) => membership.status === "active" && membership.userId === account.userId,
    );
  }

  #put(membership: Membership): void {
    this.#memberships = [...this.#memberships.filter((other) => !samePerson(other, membership)), membership];
  }

  #failed(username: string, error: unknown): void {
    if (SHARED_FAILURE_CODES.some((code) => hasCode(error, code)))
      this.#addSharedFailure(causeOf(error), messageOf(error), username);
    else this.#reasons.push(messageOf(error));
  }

  /** A rejected key or a lost connection affects all people and is reported once. */
  #addSharedFailure(cause: string, message: string, username: string): void {
    const failure = this.#sharedFailures.get(cause) ?? { message, names: [] };
    failure.names.push(username);
    this.#sharedFailures.set(cause, failure);
  }

  /** Reports roles that differ from the sent ones: the service may have stored other values. */
  #compare({ username, wanted, lost }: SentChange, isRead: boolean): void {
    // A member and the invitation of another account may have one name.
    const named = this.#memberships.filter((candidate) => sameName(candidate.username, username));
    if (named.some((candidate) => sameSet(candidate.roles, wanted))) return;
    const [membership] = named;
    if (lost !== undefined) {
      const advice =
        "A read afterwards does not show the change. Run pulumi up again: it continues from what exists.";
      this.#addSharedFailure("lost", `${lost} ${advice}`, username);
      return;
    }
    if (!membership && !isRead) {
      this.#unread.push({ username, roles: wanted });
      this.#reasons.push(
        `The service accepted ${username} with ${wanted.join(", ")} for project ${this.context.projectId}, but the result could not be read.`,
      );
      return;
    }
    this.#reasons.push(
      membership
        ? `Roles of ${username} were sent as ${wanted.join(", ")}, but the service stored ${membership.roles.join(", ")}.`
        : `The service accepted ${username} for project ${this.context.projectId}, but shows neither a membership nor an invitation.`,
    );
  }

  /** Reads the memberships again. If that fails, those of the responses remain. */
  async #reread(): Promise<void> {
    const { session, signal } = this.context;
    const read = (by: AbortSignal) => session.of(ProjectPeopleCache).fresh(this.context.projectId, by);
    const projectPeople = await rereadAfterWrite(read, signal);
    const isInvited = this.#memberships.some(({ invitations }) => invitations.length > 0);
    const refusal = decisiveRefusal(this.context.projectId, projectPeople, isInvited);
    if (refusal !== undefined) throw refusal;
    const memberships = await directMemberships(
      projectPeople,
      this.found.recorded,
      this.context,
      (membership) => this.#shownBesideSent(membership),
    );
    this.#memberships = memberships.map((membership) =>
      membership.status === "pending" && membership.userId === undefined
        ? { ...membership, userId: this.#addedAccounts.get(foldName(membership.username)) }
        : membership,
    );
  }

  #shownBesideSent(membership: Membership): readonly string[] | undefined {
    const sent = this.#sent.find(({ username }) => sameName(username, membership.username));
    return sent && sent.lost === undefined ? rolesBeside(sent.wanted, membership) : undefined;
  }
}

function oneAccount(username: string, other: string): RefusedError {
  return new RefusedError(
    `${username} was not added: another entry of members means this account, which is ${other} now. List it once.`,
  );
}

function causeOf(error: unknown): string {
  return SHARED_FAILURE_CODES.find((code) => hasCode(error, code)) ?? messageOf(error);
}

function samePerson(one: Membership, other: Membership): boolean {
  if (one.status === "active" && other.status === "active") return one.userId === other.userId;
  return sameName(one.username, other.username);
}

export function lastOwner(projectId: string, username: string, outcome: string): string {
  return `${username} is the last direct owner of project ${projectId} and ${outcome}: give GROUP_OWNER to another member first. An invited owner counts once the invitation is accepted. An owner through a team does not count.`;
}
