/**
 * Carries out a plan for the people of a project.
 *
 * Additions and new roles come first and removals last, so the project never has fewer people than
 * before and after. The last direct owner is never removed: invited owners and owners of the
 * organization do not replace a direct owner.
 */

import {
  foldName,
  type Identity,
  isOwner,
  type Membership,
  memberName,
  sameName,
  usernamesOf,
} from "../../access/person";
import { hasCode, messageOf, RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { sameSet } from "../contract/values";
import { type Change, Execution } from "../people/apply";
import type { MemberDetail } from "../people/outputs";
import { never, protectAtTheEnd } from "../people/protect";
import { rolesBeside } from "../people/team-roles";
import {
  type Account,
  accountByName,
  addOrInvite,
  giveRoles,
  projectPlace,
  removeFromProject,
} from "../people/write";
import { decisiveRefusal, ProjectPeopleCache } from "../reads/project-people";
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
  const demotions = plan.otherChanges.filter(endsOwnership);
  const others = plan.otherChanges.filter((change) => !endsOwnership(change));
  await execution.raise(plan.additions, plan.raises);
  await execution.change(others);
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

/** What changes one person of a project. */
interface MemberChange extends Change<Membership> {
  /** The roles that were sent; absent for a removal. */
  readonly roles?: readonly string[];
}

class PlanExecution {
  readonly #execution: Execution<Membership, MemberChange>;
  /** What is not as planned although no change failed. */
  readonly #reasons: string[] = [];
  readonly #lastOwners: string[] = [];
  /**
   * Listed people whose account is not known and who could not be invited: each may be a member
   * under another name.
   */
  readonly #unresolved: string[] = [];
  /** Accounts that were added or invited, by name: an invitation does not show its account. */
  readonly #addedAccounts = new Map<string, string>();
  /** The roles that the service accepted, by name. */
  readonly #accepted = new Map<string, readonly string[]>();

  constructor(
    private readonly found: PeopleFound,
    private readonly context: ProjectContext,
    private readonly accounts: AccountLookups = new Map(),
  ) {
    const place = {
      list: (signal: AbortSignal) => this.#list(signal),
      isSame: samePerson,
      unreadable: (error: unknown) => `The result could not be read: ${messageOf(error)}`,
    };
    this.#execution = new Execution(found.memberships, place, context.signal);
  }

  async raise(additions: readonly Addition[], raises: readonly RoleChange[]): Promise<void> {
    const adding = additions.map((addition) => this.#addition(addition));
    await this.#execution.send(...adding, ...raises.map((raise) => this.#roleChange(raise)));
  }

  async change(changes: readonly RoleChange[]): Promise<void> {
    await this.#execution.send(...changes.map((change) => this.#roleChange(change)));
  }

  /** Removes owners one after the other, and reads the remaining owners before each. */
  async ownersLast(demotions: readonly RoleChange[], planned: readonly Membership[]): Promise<void> {
    const { leaving, keptBy } = protectAtTheEnd(planned, {
      unfinished: this.#unresolved,
      // Owners leave one after the other, each after a read.
      isLastOwner: never,
    });
    this.#reportPostponed(keptBy("unfinished"));
    const others = leaving.filter((membership) => !isOwner(membership));
    await this.#execution.send(...others.map((membership) => this.#removal(membership)));
    for (const demotion of demotions) {
      await this.#giveUpOwner(demotion.membership, "keeps the role GROUP_OWNER", this.#roleChange(demotion));
    }
    for (const membership of leaving.filter(isOwner)) {
      await this.#giveUpOwner(membership, "was not removed", this.#removal(membership));
    }
  }

  async outcome(): Promise<PlanOutcome> {
    const { people, reasons, lastOwners, unread } = await this.#execution.outcome();
    const { projectId } = this.context;
    const sent = unread.flatMap(({ username, roles }) => (roles ? [{ username, roles }] : []));
    return {
      memberships: people,
      reasons: [
        ...this.#reasons,
        ...reasons,
        ...sent.map(
          ({ username, roles }) =>
            `The service accepted ${username} with ${roles.join(", ")} for project ${projectId}, but the result could not be read.`,
        ),
      ],
      lastOwners: [...this.#lastOwners, ...lastOwners],
      unread: sent.filter(({ username }) => !people.some((person) => sameName(person.username, username))),
    };
  }

  #addition({ username, roles }: Addition): MemberChange {
    const send = async () => {
      const account = await this.#accountOf(username);
      const twin = this.#membershipOfAccount(account);
      if (twin) throw oneAccount(username, twin.username);
      const who: Identity = typeof account === "string" ? { username } : account;
      const { membership, who: added } = await addOrInvite(who, roles, this.context).catch(
        (error: unknown) => {
          const isLost = hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN");
          if (account === "unknown" && !isLost) this.#unresolved.push(username);
          throw error;
        },
      );
      if (added.userId !== undefined) {
        this.#addedAccounts.set(foldName(memberName(added)), added.userId);
      }
      this.#accepted.set(foldName(username), roles);
      return membership;
    };
    return { username, roles, send, contradiction: (people) => this.#otherRoles(username, roles, people) };
  }

  #roleChange({ membership, roles }: RoleChange): MemberChange {
    const { username } = membership;
    const send = async () => {
      const accepted = await giveRoles(membership, roles, projectPlace(this.context));
      this.#accepted.set(foldName(username), roles);
      return accepted.membership;
    };
    return { username, roles, send, contradiction: (people) => this.#otherRoles(username, roles, people) };
  }

  #removal(leaver: Membership): MemberChange {
    const { username } = leaver;
    const { projectId } = this.context;
    return {
      username,
      leaver,
      send: async () => {
        await removeFromProject(leaver, this.context);
        return undefined;
      },
      contradiction: (people) =>
        people.some((person) => isStill(leaver, person))
          ? `The service accepted the removal of ${username} from project ${projectId}, but still lists this person in it.`
          : undefined,
      lastOwner: () => lastOwner(projectId, username, "was not removed"),
    };
  }

  /** The service may have stored other roles than were sent. */
  #otherRoles(username: string, sent: readonly string[], people: readonly Membership[]): string | undefined {
    // A member and the invitation of another account may have one name.
    const named = people.filter((candidate) => sameName(candidate.username, username));
    if (named.some((candidate) => sameSet(candidate.roles, sent))) return undefined;
    const [membership] = named;
    return membership
      ? `Roles of ${username} were sent as ${sent.join(", ")}, but the service stored ${membership.roles.join(", ")}.`
      : `The service accepted ${username} for project ${this.context.projectId}, but shows neither a membership nor an invitation.`;
  }

  async #accountOf(username: string): Promise<Account | "none" | "unknown"> {
    const known = this.accounts.get(username);
    if (known !== undefined) return known;
    return accountByName(username, this.context).catch((error: unknown) => {
      this.#unresolved.push(username);
      throw error;
    });
  }

  /** An active membership of the account, which then has another name than the listed one. */
  #membershipOfAccount(account: Account | "none" | "unknown"): Membership | undefined {
    if (typeof account === "string") return undefined;
    return this.#execution.people.find(
      (membership) => membership.status === "active" && membership.userId === account.userId,
    );
  }

  /** A listed name may mean one of these people. */
  #reportPostponed(people: readonly Membership[]): void {
    if (people.length === 0) return;
    this.#reasons.push(
      `${usernamesOf(people).join(", ")} stay in project ${this.context.projectId} for now: it is not known which account ${this.#unresolved.join(", ")} means, and it may be one of them. Run pulumi up again when the other failure is corrected.`,
    );
  }

  /**
   * Reads the owners first: an added owner may only be invited, and a response may not show the
   * result of a write.
   */
  async #giveUpOwner(membership: Membership, refusal: string, change: MemberChange): Promise<void> {
    const execution = this.#execution;
    // Canceled: the change sends nothing and reports that. A read for each owner would delay the end.
    if (this.context.signal.aborted) return execution.send(change);
    try {
      await execution.reread();
    } catch (error) {
      execution.omit(change, error);
      return;
    }
    const owners = execution.people.filter(isOwner);
    const isLastOwner = (person: Membership) =>
      owners.length > 0 && owners.every((owner) => samePerson(owner, person));
    const { leaving } = protectAtTheEnd([membership], { unfinished: [], isLastOwner });
    if (leaving.length > 0) await execution.send(change);
    else this.#lastOwners.push(lastOwner(this.context.projectId, membership.username, refusal));
  }

  async #list(signal: AbortSignal): Promise<readonly Membership[]> {
    const { session, projectId } = this.context;
    const projectPeople = await session.of(ProjectPeopleCache).fresh(projectId, signal);
    const isInvited = this.#execution.people.some(({ invitations }) => invitations.length > 0);
    const refusal = decisiveRefusal(projectId, projectPeople, isInvited);
    if (refusal !== undefined) throw refusal.error;
    const memberships = await directMemberships(
      projectPeople,
      this.found.recorded,
      this.context,
      (membership) => {
        const accepted = this.#accepted.get(foldName(membership.username));
        return accepted && rolesBeside(accepted, membership);
      },
    );
    return memberships.map((membership) =>
      membership.status === "pending" && membership.userId === undefined
        ? { ...membership, userId: this.#addedAccounts.get(foldName(membership.username)) }
        : membership,
    );
  }
}

function oneAccount(username: string, other: string): RefusedError {
  return new RefusedError(
    `${username} was not added: another entry of members means this account, which is ${other} now. List it once.`,
  );
}

function samePerson(one: Membership, other: Membership): boolean {
  if (one.status === "active" && other.status === "active") return one.userId === other.userId;
  return sameName(one.username, other.username);
}

/** Whether a read shows the membership, or one of its invitations. */
function isStill(former: Membership, now: Membership): boolean {
  if (former.status === "active" && now.status === "active" && now.userId === former.userId) return true;
  return now.invitations.some((one) =>
    former.invitations.some(({ invitationId }) => one.invitationId === invitationId),
  );
}

export function lastOwner(projectId: string, username: string, outcome: string): string {
  return `${username} is the last direct owner of project ${projectId} and ${outcome}: give GROUP_OWNER to another member first. An invited owner counts once the invitation is accepted. An owner through a team does not count.`;
}
