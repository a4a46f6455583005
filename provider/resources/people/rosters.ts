/** Everybody in a project: who is a member, who is invited; looked up once for many resources where that is safe. */
import type { ApiClient } from "../../api/client";
import { type InvitationAnswer, listInvitations } from "../../api/invitations";
import { listUsersOfProject, type UserAnswer } from "../../api/users";
import { meaningOf } from "../meaning";
import { inOrder } from "../values";
import type { Invitation, Member } from "./person";

/** A list, or the answer that refused it: gone, not readable with this key, or not offered. */
export type Listing<T> = readonly T[] | Refusal;

export class Refusal {
  constructor(readonly error: unknown) {}
}

export interface Roster {
  readonly members: Listing<Member>;
  readonly invitations: Listing<Invitation>;
}

export function isRefused<T>(listing: Listing<T>): listing is Refusal {
  return listing instanceof Refusal;
}

export function entriesOf<T>(listing: Listing<T>): readonly T[] {
  return isRefused(listing) ? [] : listing;
}

/** The answers that refused a list. */
export function refusalsOf({ members, invitations }: Roster): unknown[] {
  return [members, invitations].flatMap((listing) => (listing instanceof Refusal ? [listing.error] : []));
}

/** The answer for which nobody can say who is in the project. A version without invitations has none that are pending. */
export function decisiveRefusal({ members, invitations }: Roster): unknown {
  if (members instanceof Refusal) return members.error;
  if (!(invitations instanceof Refusal)) return undefined;
  return meaningOf(invitations.error) === "missing-operation" ? undefined : invitations.error;
}

/** Only roles in the project itself make a member: whoever is in through a team or the organization is not one. */
export function toMembers(projectId: string, answers: readonly UserAnswer[]): Member[] {
  return answers.flatMap(({ id, username, roles }) => {
    const own = (roles ?? []).filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
    return own.length === 0 ? [] : [{ userId: id, username, roles: [...new Set(own)].sort(inOrder) }];
  });
}

export function toInvitation(answer: InvitationAnswer): Invitation {
  const { id, username, roles, createdAt, expiresAt, inviterUsername, groupName } = answer;
  return {
    invitationId: id,
    username,
    roles: [...new Set(roles)].sort(inOrder),
    createdAt,
    expiresAt,
    inviterUsername,
    groupName,
  };
}

/** Nobody can accept it any more. Documented lists hold none of these; a service that did would keep people waiting for ever. */
export function hasExpired({ expiresAt }: Pick<Invitation, "expiresAt">): boolean {
  return Date.parse(expiresAt) <= Date.now();
}

interface Look {
  /** Milliseconds of the process's clock. */
  readonly begun: number;
  readonly roster: Promise<Roster>;
}

/**
 * The people of each project, as this operation has seen them.
 *
 * A refresh of hundreds of resources shares one look. What is about to write looks anew; of those who ask while a look is under
 * way, all share the one after it, which has begun after each of them asked.
 */
export class Rosters {
  readonly #last = new Map<string, Look>();
  readonly #running = new Map<string, Promise<Roster>>();
  readonly #queued = new Map<string, Promise<Roster>>();

  /** @param maxAgeSeconds how old an answer may be that `shared` gives; 0: only one that is under way */
  constructor(
    private readonly client: ApiClient,
    private readonly maxAgeSeconds: number,
  ) {}

  /** For reading: at most `maxAgeSeconds` old, never older than this process's last write to the project. */
  async shared(projectId: string, signal: AbortSignal): Promise<Roster> {
    const last = this.#last.get(projectId);
    if (last && (this.#running.has(projectId) || this.#ageOf(last) <= this.maxAgeSeconds)) {
      try {
        return await last.roster;
      } catch (error) {
        // Whoever asked may have been interrupted; that is not this caller's answer.
        if (signal.aborted) throw error;
      }
    }
    return this.#look(projectId, signal);
  }

  /** For writing: begun after this call. */
  async fresh(projectId: string, signal: AbortSignal): Promise<Roster> {
    const running = this.#running.get(projectId);
    if (!running) return this.#look(projectId, signal);
    let next = this.#queued.get(projectId);
    if (!next) {
      next = running.then(ignore, ignore).then(() => {
        this.#queued.delete(projectId);
        return this.#look(projectId, signal);
      });
      this.#queued.set(projectId, next);
    }
    try {
      return await next;
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#look(projectId, signal);
    }
  }

  /** What was seen of the project before is no longer true. */
  written(projectId: string): void {
    this.#last.delete(projectId);
  }

  forget(): void {
    this.#last.clear();
  }

  #ageOf({ begun }: Look): number {
    return (performance.now() - begun) / 1000;
  }

  #look(projectId: string, signal: AbortSignal): Promise<Roster> {
    const look: Look = { begun: performance.now(), roster: lookUp(this.client, projectId, signal) };
    this.#last.set(projectId, look);
    this.#running.set(projectId, look.roster);
    const ended = () => {
      if (this.#running.get(projectId) === look.roster) this.#running.delete(projectId);
    };
    look.roster.then(ended, () => {
      ended();
      // A failed look proves nothing and must not be remembered.
      if (this.#last.get(projectId) === look) this.#last.delete(projectId);
    });
    return look.roster;
  }
}

function ignore(): void {}

async function lookUp(client: ApiClient, projectId: string, signal: AbortSignal): Promise<Roster> {
  const [members, invitations] = await Promise.all([
    orRefusal(listUsersOfProject(client, projectId, signal).then((users) => toMembers(projectId, users))),
    orRefusal(
      listInvitations(client, projectId, undefined, signal).then((answers) =>
        answers.map(toInvitation).filter((invitation) => !hasExpired(invitation)),
      ),
    ),
  ]);
  return { members, invitations };
}

async function orRefusal<T>(listing: Promise<readonly T[]>): Promise<Listing<T>> {
  try {
    return await listing;
  } catch (error) {
    if (meaningOf(error) === "failure") throw error;
    return new Refusal(error);
  }
}
