/**
 * The changes of the people of a project, one for each person. The last direct owner is never removed:
 * invited owners and owners of the organization do not replace a direct owner.
 */

import { foldName, type Identity, isOwner, type Membership, memberName, sameName } from "../../access/person";
import { hasCode, messageOf, RefusedError } from "../../text/errors";
import type { MemberDetail } from "../contract/people-outputs";
import type { ProjectContext } from "../contract/resource";
import type { EndedPerson } from "../contract/until";
import { sameSet } from "../contract/values";
import { removeAtEnd } from "../evidence/not-offered";
import type { Answer, Change, ChangedPlace, Progress } from "../lists/changes";
import { type Account, accountByName } from "../people/accounts";
import { projectPlace } from "../people/place";
import { removePerson } from "../people/removal";
import { rolesBeside } from "../people/team-roles";
import { type Accepted, addOrInvite, giveRoles } from "../people/write";
import { decisiveRefusal, ProjectPeopleCache } from "../reads/project-people";
import { Underway } from "../session/underway";
import { type Addition, endsOwnership, type RoleChange } from "./plan";
import { type AccountLookups, directMemberships } from "./read";

/** What changes one person of a project. */
export interface MemberChange extends Change<Membership> {
  /** The roles that are sent; absent for a removal. */
  readonly roles?: readonly string[];
}

type MemberProgress = Progress<Membership, MemberChange>;

export class ChangedProject implements ChangedPlace<Membership, MemberChange> {
  /**
   * Listed people whose account is not known and who could not be invited: each may be a member
   * under another name.
   */
  readonly #unresolved: string[] = [];

  /** @param accounts of the people to add, as far as they were looked up */
  constructor(
    private readonly recorded: readonly MemberDetail[],
    private readonly accounts: AccountLookups,
    private readonly context: ProjectContext,
  ) {}

  addition({ username, roles }: Addition): MemberChange {
    return {
      username,
      roles,
      send: (progress) => this.#add(username, roles, progress),
      contradiction: (people) => this.#otherRoles(username, roles, people),
    };
  }

  roleChange(change: RoleChange): MemberChange {
    const { membership, roles } = change;
    const { username } = membership;
    const refusal = lastOwner(this.context.projectId, username, "keeps the role GROUP_OWNER");
    return {
      username,
      roles,
      endsOwnership: endsOwnership(change) ? { owner: membership, refusal } : undefined,
      send: async () => {
        const accepted = await giveRoles(membership, roles, projectPlace(this.context));
        return { shown: accepted.membership };
      },
      contradiction: (people) => this.#otherRoles(username, roles, people),
    };
  }

  /** @param end the last day, if that is why the person leaves */
  removal(leaver: Membership, end?: EndedPerson): MemberChange {
    const { username } = leaver;
    const context = { ...this.context, end };
    const { projectId } = context;
    const refusal = lastOwner(projectId, username, "was not removed");
    return {
      username,
      leaver,
      end,
      endsOwnership: isOwner(leaver) ? { owner: leaver, refusal } : undefined,
      send: async () => {
        await removeAtEnd(() => removePerson(leaver, projectPlace(context)), context);
        return {};
      },
      contradiction: (people) =>
        people.some((person) => isStill(leaver, person))
          ? `The service accepted the removal of ${username} from project ${projectId}, but still lists this person in it.`
          : undefined,
      lastOwner: () => refusal,
    };
  }

  async #add(
    username: string,
    roles: readonly string[],
    progress: Pick<MemberProgress, "people">,
  ): Promise<Answer<Membership>> {
    const account = await this.#accountOf(username);
    const twin = membershipOf(account, progress.people);
    if (twin) {
      throw new RefusedError(
        `${username} was not added: another entry of members means this account, which is ${twin.username} now. List it once.`,
      );
    }
    const identity: Identity = typeof account === "string" ? { username } : account;
    const { membership, who } = await this.#addOrGive(identity, roles).catch((error: unknown) => {
      const isLost = hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN");
      if (account === "unknown" && !isLost) this.#unresolved.push(username);
      throw error;
    });
    return { shown: membership, who };
  }

  /** Gives the roles to a person whom another program has added since the list was read. */
  async #addOrGive(identity: Identity, roles: readonly string[]): Promise<Accepted> {
    const added = await addOrInvite(identity, roles, this.context);
    if (!("found" in added)) return added;
    const { found } = added;
    if (sameSet(found.roles, roles)) return { membership: found, who: found };
    return giveRoles(found, roles, projectPlace(this.context));
  }

  isSame(one: Membership, other: Membership): boolean {
    if (one.status === "active" && other.status === "active") return one.userId === other.userId;
    return sameName(one.username, other.username);
  }

  isOwner(membership: Membership): boolean {
    return isOwner(membership);
  }

  /** A listed name may mean one of the people who are to leave. */
  unfinished(): readonly string[] {
    return this.#unresolved;
  }

  postponed(staying: readonly string[], unfinished: readonly string[]): readonly string[] {
    return [
      `${staying.join(", ")} stay in project ${this.context.projectId} for now: it is not known which account ${unfinished.join(", ")} means, and it may be one of them. Run pulumi up again when the other failure is corrected.`,
    ];
  }

  unreadable(error: unknown): string {
    return `The result could not be read: ${messageOf(error)}`;
  }

  othersSettled(): Promise<void> {
    return this.context.session.of(Underway).othersSettled(this.context.urn);
  }

  async list({ people, accepted }: MemberProgress, signal: AbortSignal): Promise<readonly Membership[]> {
    const { session, projectId } = this.context;
    const lists = await session.of(ProjectPeopleCache).fresh(projectId, signal);
    const isInvited = people.some(({ invitations }) => invitations.length > 0);
    const refusal = decisiveRefusal(projectId, lists, isInvited);
    if (refusal !== undefined) throw refusal.error;
    const sent = [...accepted.keys()].filter(({ roles }) => roles !== undefined);
    const rolesByName = new Map(sent.map(({ username, roles }) => [foldName(username), roles]));
    const memberships = await directMemberships(lists, this.recorded, this.context, (membership) => {
      const roles = rolesByName.get(foldName(membership.username));
      return roles && rolesBeside(roles, membership);
    });
    const added = addedAccounts(accepted.values());
    // An invitation does not show its account.
    return memberships.map((membership) =>
      membership.status === "pending" && membership.userId === undefined
        ? { ...membership, userId: added.get(foldName(membership.username)) }
        : membership,
    );
  }

  /** The service may have stored other roles than were sent. */
  #otherRoles(username: string, sent: readonly string[], people: readonly Membership[]): string | undefined {
    // A member and the invitation of another account may have one name.
    const named = people.filter((candidate) => sameName(candidate.username, username));
    if (named.some((candidate) => sameSet(candidate.roles, sent))) return undefined;
    const [membership] = named;
    return membership
      ? `The service stored the roles of ${username} in project ${this.context.projectId} as ${membership.roles.join(", ")} instead of ${sent.join(", ")}.`
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
}

/** An active membership of the account, which then has another name than the listed one. */
function membershipOf(
  account: Account | "none" | "unknown",
  people: readonly Membership[],
): Membership | undefined {
  if (typeof account === "string") return undefined;
  return people.find(({ status, userId }) => status === "active" && userId === account.userId);
}

/** Accounts that were added or invited, by name. */
function addedAccounts(answers: Iterable<Answer<Membership>>): ReadonlyMap<string, string> {
  return new Map(
    [...answers].flatMap(({ who }): [string, string][] =>
      who?.userId === undefined ? [] : [[foldName(memberName(who)), who.userId]],
    ),
  );
}

/** Whether a read shows the membership, or one of its invitations. */
function isStill(former: Membership, now: Membership): boolean {
  if (former.status === "active" && now.status === "active" && now.userId === former.userId) return true;
  return now.invitations.some((one) =>
    former.invitations.some(({ invitationId }) => one.invitationId === invitationId),
  );
}

export function lastOwner(projectId: string, username: string, consequence: string): string {
  return `${username} is the last direct owner of project ${projectId} and ${consequence}: give GROUP_OWNER to another member first. An invited owner counts once the invitation is accepted. An owner through a team does not count.`;
}
