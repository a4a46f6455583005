/**
 * Sends changes to the people of a project or team, and finds out what became of each.
 *
 * Additions come first and removals last, so the place never has fewer people than before and after. A
 * failure for one person does not stop the others. A read at the end decides: the service may store other
 * values than were sent, a response may be lost, and another program may have made a change that the
 * service refused.
 */

import type { Identity } from "../../access/person";
import {
  type FailureCode,
  hasCode,
  messageOf,
  NotOfferedError,
  RefusedError,
  sharedCauseOf,
} from "../../text/errors";
import type { EndedPerson } from "../contract/until";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { rereadAfterWrite, stillUnknown } from "../evidence/reread";
import { never, protectAtTheEnd } from "../people/protect";

/** What a response shows of a change that the service accepted. */
export interface Answer<Person> {
  /** The person as they are now, if the response shows them. */
  readonly shown?: Person | undefined;
  /** Who was added, by the identities that are known now. */
  readonly who?: Identity;
}

/** An addition, a removal, or new roles. */
export interface Change<Person> {
  /** For messages. */
  readonly username: string;
  /** The person who leaves, if this is a removal. */
  readonly leaver?: Person;
  /** The last day of the person, if this removal is its end. */
  readonly end?: EndedPerson | undefined;
  /** The direct owner of a project whom this makes none, and one sentence for the case that no other is left. */
  readonly endsOwnership?: { readonly owner: Person; readonly refusal: string } | undefined;
  send(progress: Pick<Progress<Person, unknown>, "people">): Promise<Answer<Person>>;
  /**
   * One sentence: the service accepted the change, and these people do not show it; `undefined` if
   * they do.
   */
  contradiction(people: readonly Person[]): string | undefined;
  /** One sentence: the service keeps the person as the last owner of a project. Absent where that cannot be. */
  lastOwner?(refusal: Error): string;
}

/** The changes that one operation sends to one place. */
export interface Changes<Sent> {
  /** Sent first: additions, and whatever takes nothing away. */
  readonly additions: readonly Sent[];
  /** Sent when all additions are answered. */
  readonly others: readonly Sent[];
  /** Sent after those. */
  readonly removals: readonly Sent[];
  /** Removals because a last day is over. Sent last, whatever became of the others. */
  readonly ends: readonly Sent[];
}

/** The removals, those at the end of a last day apart. */
export function onlyRemovals<Sent extends Pick<Change<unknown>, "end">>(
  removals: readonly Sent[],
): Changes<Sent> {
  return {
    ...{ additions: [], others: [] },
    removals: removals.filter(({ end }) => end === undefined),
    ends: removals.filter(({ end }) => end !== undefined),
  };
}

/** What has become of the changes so far. */
export interface Progress<Person, Sent> {
  /** The people of the place, as reads and responses have shown them. */
  readonly people: readonly Person[];
  /** The changes that the service accepted. */
  readonly accepted: ReadonlyMap<Sent, Answer<Person>>;
  /** Names of people whose changes failed and are not shown. */
  failed(): string[];
  /** Reads the people again. If that fails, those of the responses remain. */
  reread(): Promise<void>;
}

/** A project or team whose people change. */
export interface ChangedPlace<Person, Sent> {
  /** The people of the place, by a read that starts after this call. */
  list(progress: Progress<Person, Sent>, signal: AbortSignal): Promise<readonly Person[]>;
  isSame(one: Person, other: Person): boolean;
  /** Whether the person directly owns the project; never in a team. */
  isOwner(person: Person): boolean;
  /** Names of listed people who could not be added, and for whom all others stay: each may be one of them. */
  unfinished(progress: Progress<Person, Sent>): Promise<readonly string[]> | readonly string[];
  /** Sentences about the people who stay, because these listed people are unfinished. */
  postponed(staying: readonly string[], unfinished: readonly string[]): readonly string[];
  /** One sentence: the people could not be read after the changes. */
  unreadable(error: unknown): string;
  /** Waits for what the other resources of the run write: who takes over may be among it. */
  othersSettled(): Promise<void>;
}

/** What became of all changes. */
export interface Outcome<Person, Sent> {
  /** The people of the place now; as the responses show them if they could not be read. */
  readonly people: readonly Person[];
  readonly isRead: boolean;
  /** One sentence for each thing that is not as planned. */
  readonly reasons: readonly string[];
  /** One sentence for each person who stays as the last owner. */
  readonly lastOwners: readonly string[];
  /** Sentences about people who stay because a listed person could not be added. */
  readonly postponed: readonly string[];
  /** Changes that the service accepted and that neither a response nor a read shows. */
  readonly unread: readonly Sent[];
  /** Ends that the service does not offer. */
  readonly notOffered: readonly NotOfferedError[];
  /** Why ends were tried in vain, by the names of their people in `until`. */
  readonly vain: ReadonlyMap<string, unknown>;
}

/**
 * Sends all changes: additions first, removals last, and the removal or demotion of each owner after a
 * read of the owners who are left.
 *
 * @param people when the changes were planned
 */
export async function carryOut<Person, Sent extends Change<Person>>(
  { additions, others, removals, ends }: Changes<Sent>,
  people: readonly Person[],
  place: ChangedPlace<Person, Sent>,
  signal: AbortSignal,
): Promise<Outcome<Person, Sent>> {
  const execution = new Execution(people, place, signal);
  await execution.send(...additions);
  await execution.send(...others.filter((change) => !change.endsOwnership));
  const unfinished = await place.unfinished(execution);
  // Owners leave one by one. Only a read before each shows whether another one is left.
  const { leaving, keptBy } = protectAtTheEnd(removals, { unfinished, isLastOwner: never });
  await execution.send(...leaving.filter((change) => !change.endsOwnership));
  if (ends.length > 0) await place.othersSettled();
  await execution.send(...ends.filter((change) => !change.endsOwnership));
  for (const change of [...others, ...leaving, ...ends]) {
    if (change.endsOwnership) await execution.sendUnlessLast(change, change.endsOwnership);
  }
  const outcome = await execution.outcome();
  const staying = keptBy("unfinished").map(({ username }) => username);
  return { ...outcome, postponed: staying.length === 0 ? [] : place.postponed(staying, unfinished) };
}

/** Codes of failures that stop this operation: they do not concern the person of the change. */
const CODES_OF_OPERATION: readonly FailureCode[] = [
  "OPSMANAGER_KEY_REFUSED",
  "OPSMANAGER_TIMEOUT",
  "OPSMANAGER_CANCELLED",
];

class Execution<Person, Sent extends Change<Person>> implements Progress<Person, Sent> {
  /** The error of each change that was sent; `undefined` if the service accepted it. */
  readonly #errors = new Map<Sent, unknown>();
  readonly accepted = new Map<Sent, Answer<Person>>();
  readonly #lastOwners: string[] = [];
  readonly #notOffered: NotOfferedError[] = [];
  readonly #vain = new Map<string, unknown>();
  /** Failures that do not concern a single person, with the names of all affected people. */
  readonly #shared = new Map<string, { readonly message: string; readonly names: string[] }>();
  #isSent = false;

  constructor(
    public people: readonly Person[],
    private readonly place: ChangedPlace<Person, Sent>,
    private readonly signal: AbortSignal,
  ) {}

  /** Sends all at once, as far as the client's limits allow. */
  async send(...changes: readonly Sent[]): Promise<void> {
    // Entered before the first response, so the messages have the order of the plan.
    for (const change of changes) this.#errors.set(change, undefined);
    this.#isSent ||= changes.length > 0;
    await Promise.all(changes.map((change) => this.#send(change)));
  }

  async #send(change: Sent): Promise<void> {
    try {
      const answer = await change.send(this);
      this.accepted.set(change, answer);
      const { shown } = answer;
      const replaced = [change.leaver, shown].filter((person) => person !== undefined);
      const others = this.people.filter((one) => !replaced.some((other) => this.place.isSame(one, other)));
      this.people = shown === undefined ? others : [...others, shown];
    } catch (error) {
      this.#wasVain(change, error);
      if (change.lastOwner && isLastOwnerRefusal(error)) {
        this.#errors.delete(change);
        this.#lastOwners.push(change.lastOwner(error));
      } else if (error instanceof NotOfferedError) {
        this.#errors.delete(change);
        this.#notOffered.push(error);
      } else this.#errors.set(change, error);
    }
  }

  #wasVain({ end }: Sent, error: unknown): void {
    if (end !== undefined && !this.signal.aborted) this.#vain.set(end.name, error);
  }

  /**
   * Reads the owners first: an added owner may only be invited, and a response may not show the result of a
   * write.
   */
  async sendUnlessLast(
    change: Sent,
    { owner, refusal }: { readonly owner: Person; readonly refusal: string },
  ): Promise<void> {
    // Canceled: the change sends nothing and reports that. A read for each owner would delay the end.
    if (this.signal.aborted) return this.send(change);
    try {
      await this.reread();
    } catch (error) {
      this.#wasVain(change, error);
      this.#omit(change, error);
      return;
    }
    const owners = this.people.filter((person) => this.place.isOwner(person));
    const isLastOwner = () => owners.length > 0 && owners.every((other) => this.place.isSame(other, owner));
    if (protectAtTheEnd([owner], { unfinished: [], isLastOwner }).leaving.length > 0)
      return this.send(change);
    this.#wasVain(change, new RefusedError(refusal));
    this.#lastOwners.push(refusal);
  }

  async reread(): Promise<void> {
    this.people = await rereadAfterWrite((signal) => this.place.list(this, signal), this.signal);
  }

  failed(): string[] {
    return [...this.#errors]
      .filter(([change, error]) => error !== undefined && change.contradiction(this.people) !== undefined)
      .map(([{ username }]) => username);
  }

  /** Reads the people, unless nothing was sent, and compares them with what was sent. */
  async outcome(): Promise<Omit<Outcome<Person, Sent>, "postponed">> {
    const reasons: string[] = [];
    const unread: Sent[] = [];
    const failure = this.#isSent ? await this.#rereadFailure() : undefined;
    for (const [change, error] of this.#errors) {
      const contradiction = change.contradiction(this.people);
      if (contradiction === undefined) continue;
      if (error === undefined && !failure) this.#wasVain(change, new Error(contradiction));
      if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) {
        this.#share("lost", messageOf(stillUnknown(error)), change.username);
      } else if (sharedName(error) !== undefined) this.#omit(change, error);
      else if (error !== undefined) reasons.push(messageOf(error));
      else if (failure) unread.push(change);
      else reasons.push(contradiction);
    }
    if (failure && !this.#shared.has(causeOf(failure.error))) {
      reasons.push(this.place.unreadable(failure.error));
    }
    for (const { message, names } of this.#shared.values()) {
      reasons.push(`${message} This concerns ${names.join(", ")}.`);
    }
    const isRead = failure === undefined;
    const [lastOwners, notOffered, vain] = [this.#lastOwners, this.#notOffered, this.#vain];
    return { people: this.people, isRead, reasons, lastOwners, notOffered, vain, unread };
  }

  async #rereadFailure(): Promise<{ readonly error: unknown } | undefined> {
    return this.reread().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  }

  /** Reports a change that failed, or was not sent, for a reason that does not concern its person. */
  #omit({ username }: Sent, error: unknown): void {
    this.#share(causeOf(error), messageOf(error), username);
  }

  /** A rejected key or a lost connection affects all people and is reported once. */
  #share(cause: string, message: string, username: string): void {
    const failure = this.#shared.get(cause) ?? { message, names: [] };
    failure.names.push(username);
    this.#shared.set(cause, failure);
  }
}

function sharedName(error: unknown): string | undefined {
  return sharedCauseOf(error)?.name ?? CODES_OF_OPERATION.find((code) => hasCode(error, code));
}

function causeOf(error: unknown): string {
  return sharedName(error) ?? messageOf(error);
}
