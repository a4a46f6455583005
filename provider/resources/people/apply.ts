/**
 * Sends changes to the people of a project or team, and finds out what became of each.
 *
 * A failure for one person does not stop the others. A read at the end decides: the service may
 * store other values than were sent, a response may be lost, and another program may have made a
 * change that the service refused.
 */

import { type FailureCode, hasCode, messageOf, sharedCauseOf } from "../../text/errors";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { rereadAfterWrite, stillUnknown } from "../evidence/reread";

/** A project or team. */
export interface Place<Person> {
  /** The people of the place, by a read that starts after this call. */
  list(signal: AbortSignal): Promise<readonly Person[]>;
  isSame(one: Person, other: Person): boolean;
  /** One sentence: the people could not be read after the changes. */
  unreadable(error: unknown): string;
}

/** An addition, a removal, or new roles. */
export interface Change<Person> {
  /** For messages. */
  readonly username: string;
  /** The person who leaves, if this is a removal. */
  readonly leaver?: Person;
  /** @returns the person as the response shows them; `undefined` if it shows no one */
  send(): Promise<Person | undefined>;
  /**
   * One sentence: the service accepted the change, and these people do not show it; `undefined` if
   * they do.
   */
  contradiction(people: readonly Person[]): string | undefined;
  /** One sentence: the person stays as the last owner of a project. Absent where that cannot be. */
  lastOwner?(refusal: Error): string;
}

interface Outcome<Person, Sent> {
  /** The people of the place now; as the responses show them if they could not be read. */
  readonly people: readonly Person[];
  readonly isRead: boolean;
  /** One sentence for each thing that is not as planned. */
  readonly reasons: readonly string[];
  /** One sentence for each person who stays as the last owner. */
  readonly lastOwners: readonly string[];
  /** Changes that the service accepted and that neither a response nor a read shows. */
  readonly unread: readonly Sent[];
}

/** Codes of failures that stop this operation: they do not concern the person of the change. */
const CODES_OF_OPERATION: readonly FailureCode[] = [
  "OPSMANAGER_KEY_REFUSED",
  "OPSMANAGER_TIMEOUT",
  "OPSMANAGER_CANCELLED",
];

/** The changes that one operation sends to one place. */
export class Execution<Person, Sent extends Change<Person>> {
  /** The error of each change that was sent; `undefined` if the service accepted it. */
  readonly #errors = new Map<Sent, unknown>();
  readonly #lastOwners: string[] = [];
  /** Failures that do not concern a single person, with the names of all affected people. */
  readonly #shared = new Map<string, { readonly message: string; readonly names: string[] }>();
  #people: readonly Person[];
  #isSent = false;

  /** @param people when the changes were planned */
  constructor(
    people: readonly Person[],
    private readonly place: Place<Person>,
    private readonly signal: AbortSignal,
  ) {
    this.#people = people;
  }

  /** The people of the place, as reads and responses have shown them. */
  get people(): readonly Person[] {
    return this.#people;
  }

  /** Sends all at once, as far as the client's limits allow. */
  async send(...changes: readonly Sent[]): Promise<void> {
    // Entered before the first response, so the messages have the order of the plan.
    for (const change of changes) this.#errors.set(change, undefined);
    this.#isSent ||= changes.length > 0;
    await Promise.all(changes.map((change) => this.#send(change)));
  }

  async #send(change: Sent): Promise<void> {
    try {
      const shown = await change.send();
      const replaced = [change.leaver, shown].filter((person) => person !== undefined);
      const others = this.#people.filter((one) => !replaced.some((other) => this.place.isSame(one, other)));
      this.#people = shown === undefined ? others : [...others, shown];
    } catch (error) {
      if (change.lastOwner && isLastOwnerRefusal(error)) {
        this.#errors.delete(change);
        this.#lastOwners.push(change.lastOwner(error));
      } else this.#errors.set(change, error);
    }
  }

  /** Reads the people again. If that fails, those of the responses remain. */
  async reread(): Promise<void> {
    this.#people = await rereadAfterWrite((signal) => this.place.list(signal), this.signal);
  }

  /** Names of people whose changes failed and are not shown. */
  unfinished(): string[] {
    return [...this.#errors]
      .filter(([change, error]) => error !== undefined && change.contradiction(this.#people) !== undefined)
      .map(([{ username }]) => username);
  }

  /** Reports a change that was not sent because of this error. */
  omit({ username }: Sent, error: unknown): void {
    this.#share(causeOf(error), messageOf(error), username);
  }

  /** Reads the people, unless nothing was sent, and compares them with what was sent. */
  async outcome(): Promise<Outcome<Person, Sent>> {
    const reasons: string[] = [];
    const unread: Sent[] = [];
    const failure = this.#isSent ? await this.#rereadFailure() : undefined;
    for (const [change, error] of this.#errors) {
      const contradiction = change.contradiction(this.#people);
      if (contradiction === undefined) continue;
      if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) {
        this.#share("lost", messageOf(stillUnknown(error)), change.username);
      } else if (sharedName(error) !== undefined) this.omit(change, error);
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
    return { people: this.#people, isRead, reasons, lastOwners: this.#lastOwners, unread };
  }

  async #rereadFailure(): Promise<{ readonly error: unknown } | undefined> {
    return this.reread().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
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
