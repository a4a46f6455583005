/** The people of a place are this list: what ProjectMembers and Team do alike. */

import { stopsAll } from "../../text/errors";
import type { EndedPerson } from "../contract/until";
import type { Properties } from "../contract/values";
import { type Limits, refusalOf } from "../people/protect";
import { type Change, type ChangedPlace, type Changes, carryOut, type Outcome } from "./changes";

/** What is to be done, with the people who leave by it. */
interface Plan<Person> {
  readonly leaving: readonly Person[];
  readonly endOf: (person: Person) => EndedPerson | undefined;
}

/** A place that is ready for changes of its people. */
export interface Ready<Person, Sent extends Change<Person>> {
  readonly place: ChangedPlace<Person, Sent>;
  /** Who is in it before the changes. */
  readonly people: readonly Person[];
  readonly changes: Changes<Sent>;
}

/** What an operation has led to. */
export interface Result<Person, Planned, Sent extends Change<Person>, Prepared> {
  readonly planned: Planned;
  readonly ready: Prepared;
  readonly outcome: Outcome<Person, Sent>;
  /** Why no one was removed; `undefined` if that was allowed. */
  readonly refusal: string | undefined;
  /** Why nothing was written but planned ends; absent if the rest was, too. */
  readonly failure?: unknown;
}

/** A list of people, as one operation brings it about. */
export interface PeopleList<
  Read,
  Person,
  Planned extends Plan<Person>,
  Sent extends Change<Person>,
  Prepared extends Ready<Person, Sent> = Ready<Person, Sent>,
> {
  /** Whether the operation ends before the first write. */
  readonly preview: boolean;
  /** Who is in the place now, with what is recorded of them, and the accounts that the names may mean. */
  read(): Promise<Read>;
  /** Whom the names mean, whom to add, whom to change, and who leaves. Changes nothing, and says nothing. */
  plan(read: Read): Planned;
  /**
   * Claims whom the names mean, and says who is kept because of others.
   *
   * @throws RefusedError if it is not clear whom a name means, or if nothing of the plan can be done
   */
  accept(planned: Planned): void;
  /** How many may leave. */
  limits(planned: Planned): Limits<Person>;
  /**
   * Says what will be done, and who stays without being listed.
   *
   * @param refusal why no one may leave; `undefined` if they may
   * @throws RefusedError if nothing must be written, or if a preview shows that the update will fail
   */
  announce(planned: Planned, refusal: string | undefined): void;
  /** Makes the place itself ready, as by creating the team, and turns the plan into changes. */
  prepare(planned: Planned): Promise<Prepared>;
  /** The place as it is, with the removals of those whose last day is over; `undefined` if it does not exist. */
  asItIs(planned: Planned): Prepared | undefined;
  /** The state to record. @throws PartialFailure with that, if something is not as planned */
  record(result: Result<Person, Planned, Sent, Prepared>): Properties;
}

/** @returns the state to record; `undefined` in a preview */
export async function bringAbout<
  Read,
  Person,
  Planned extends Plan<Person>,
  Sent extends Change<Person>,
  Prepared extends Ready<Person, Sent>,
>(
  list: PeopleList<Read, Person, Planned, Sent, Prepared>,
  signal: AbortSignal,
): Promise<Properties | undefined> {
  const planned = list.plan(await list.read());
  let ready: Prepared;
  let refusal: string | undefined;
  try {
    list.accept(planned);
    // Allowed removals are reserved here, before the first write.
    refusal = refusalOf(planned.leaving, list.limits(planned));
    list.announce(planned, refusal);
    if (list.preview) return undefined;
    ready = await list.prepare(planned);
  } catch (failure) {
    return endDespite(failure, list, planned, signal);
  }
  const changes = refusal === undefined ? ready.changes : { ...ready.changes, ...plannedEnds(ready.changes) };
  const outcome = await carryOut(changes, ready.people, ready.place, signal);
  return list.record({ planned, ready, outcome, refusal });
}

/**
 * What is refused keeps nobody whose last day has passed as planned.
 *
 * @throws the failure if there is nobody, or with what was recorded
 */
async function endDespite<
  Read,
  Person,
  Planned extends Plan<Person>,
  Sent extends Change<Person>,
  Prepared extends Ready<Person, Sent>,
>(
  failure: unknown,
  list: PeopleList<Read, Person, Planned, Sent, Prepared>,
  planned: Planned,
  signal: AbortSignal,
): Promise<Properties> {
  const ready = list.preview || stopsAll(failure) || signal.aborted ? undefined : list.asItIs(planned);
  if (ready === undefined) throw failure;
  const changes = { additions: [], others: [], ...plannedEnds(ready.changes) };
  if (changes.ends.length === 0) throw failure;
  const outcome = await carryOut(changes, ready.people, ready.place, signal);
  return list.record({ planned, ready, outcome, refusal: undefined, failure });
}

function plannedEnds<Sent extends Change<unknown>>({ ends }: Changes<Sent>) {
  return { removals: [], ends: ends.filter(({ end }) => end?.isPlanned) };
}
