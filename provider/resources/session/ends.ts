/**
 * Access that has a last day. Check marks what is over (`contract/until.ts`). With the mark, a resource declares and claims
 * nothing, its record stays whatever becomes of the object, and updates are planned until the access is gone.
 *
 * `endedAt` says that it is gone. A read that shows the access again removes it, so an access that was brought back is a
 * difference like any other.
 */

import { type Access, type Deletion, endsWith, isSameHolder } from "../../access/places";
import { ApiError, messageOf, NotOfferedError, PartialFailure, RefusedError } from "../../text/errors";
import { own } from "../../text/own";
import { MARK } from "../../text/sentinels";
import { toProperties } from "../contract/border";
import { rolesIn, textIn } from "../contract/declared";
import { type Difference, UPDATE_WITHOUT_PATH } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type {
  Context,
  CreateRequest,
  CreateResult,
  DeleteRequest,
  DiffRequest,
  Ending,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "../contract/resource";
import type { Session } from "../contract/session";
import {
  type EndRecord,
  endOutputs,
  isEnded,
  isOver,
  isOverdue,
  isOverToday,
  isPlannedEnd,
  untilDifferences,
  withMarks,
  withMarksOf,
  withoutMark,
  withoutOldMark,
} from "../contract/until";
import { hasUnknown, inOrder, type Properties, UNKNOWN, type Value } from "../contract/values";
import { Claims, isUrn } from "./claims";
import { Declarations } from "./declarations";
import { Holdings } from "./holdings";
import { RemovalLimitError } from "./removal-budget";
import { Underway } from "./underway";

/** The end of an access is for a later run. */
export class PutOffError extends RefusedError {
  /** @param reason for the record, as a sentence without names, which may be secret */
  constructor(
    message: string,
    readonly reason: string,
  ) {
    super(message);
  }
}

/** The last days of what takes access in other places along. */
class LastDays {
  readonly #byUrn = new Map<string, { readonly until: string; readonly deletion: Deletion }>();

  record(urn: string, until: string | undefined, deletion: Deletion | undefined): void {
    if (until === undefined || deletion === undefined) this.#byUrn.delete(urn);
    else this.#byUrn.set(urn, { until, deletion });
  }

  endingWith(access: Access, urn: string): string[] {
    return [...this.#byUrn].flatMap(([by, { until, deletion }]) =>
      by !== urn && endsWith(access, deletion) === true ? [until] : [],
    );
  }
}

/** The same resource, whose access ends after its last day. */
export function withEnd<Name extends string>(resource: Resource<Name>): Resource<Name> {
  if (!("until" in resource.inputs.shape)) return withHoldings(resource);
  const marked = withHoldings(withMarkedInputs(resource));
  // A list ends the access of its people one by one (`lists/ends.ts`).
  const endable = resource.ending === undefined ? marked : new Endable(marked, resource.ending).resource();
  return {
    ...endable,
    async delete(request) {
      await readBeforeEnd(resource, request);
      return endable.delete(request);
    },
  };
}

/** Only a response shows the service's clock, and a destruction may have had none before. */
async function readBeforeEnd({ read }: Pick<Resource, "read">, request: DeleteRequest): Promise<void> {
  const { oldInputs, state } = request;
  if (own(oldInputs, MARK) === undefined && state.ends === undefined && !isOverdue(state)) return;
  const held = isEnded(oldInputs) ? withoutMark(oldInputs) : oldInputs;
  await read({ ...request, state: withoutOutputs(state), oldInputs: held, isEnd: true });
}

function withMarkedInputs<Name extends string>(resource: Resource<Name>): Resource<Name> {
  return {
    ...resource,
    check: ({ oldInputs = {}, ...request }) => {
      const { session } = request.context;
      const inputs = withoutOldMark(request.inputs, oldInputs);
      const isEnd = isOverToday(inputs.until, session);
      const result = resource.check({ ...request, inputs, oldInputs: withoutMark(oldInputs), isEnd });
      if (result.failures.length > 0) return result;
      return { ...result, inputs: withMarks(result.inputs, oldInputs, session) };
    },
  };
}

/** Leaves for ends what this run writes, and what it has read and not checked yet. */
function withHoldings<Name extends string>(resource: Resource<Name>): Resource<Name> {
  const during = <T>(
    { preview, context }: { preview: boolean; context: Context },
    write: () => Promise<T>,
  ) => (preview ? write() : context.session.of(Underway).during(context.urn, write()));
  return {
    ...resource,
    check(request) {
      const { session, urn } = request.context;
      session.of(Holdings).checked(urn);
      return resource.check(request);
    },
    create: (request) => during(request, () => resource.create(request)),
    update: (request) => during(request, () => resource.update(request)),
    async read(request) {
      const { oldInputs = {}, isEnd = false, context } = request;
      const { session, urn } = context;
      const isDue = isEnd || isOverToday(oldInputs.until, session);
      const held = withMarks(oldInputs, oldInputs, session);
      const result = await resource.read(request);
      const isHeld = result !== undefined && !isDue;
      session.of(Holdings).read(urn, isHeld ? resource.declares(held, result.state) : []);
      return result;
    },
  };
}

/** A try to end an access. */
interface Tried {
  readonly id: string;
  /** As a read has shown it, if it has. */
  readonly state: Properties;
  /** What was recorded of the end before. */
  readonly before: EndRecord;
  readonly inputs: Properties;
  readonly context: Context;
}

/** What Update and Create have in common. */
interface Step extends Tried {
  readonly preview: boolean;
  readonly isPlanned: boolean;
}

class Endable<Name extends string> {
  constructor(
    private readonly inner: Resource<Name>,
    private readonly ending: Ending,
  ) {}

  resource(): Resource<Name> {
    const { inner } = this;
    return {
      ...inner,
      declares: (inputs, state) => (isEnded(inputs) ? [] : inner.declares(inputs, state)),
      diff: (request) => (isEnded(request.inputs) ? this.#diffOfEnd(request) : this.#diff(request)),
      remark: (request, log) => {
        const own = this.#remark(request);
        if (own === undefined) inner.remark?.(request, log);
        else log.info(own);
      },
      foresee: async (request) => {
        const { id, state, inputs: marked, context } = request;
        if (!isEnded(marked) || this.#isDone(request) || !this.ending.isThere(state)) return;
        const [inputs, isPlanned] = [withoutMark(marked), isPlannedEnd(marked)];
        const step = { id, state, inputs, isPlanned, before: {}, preview: true, context };
        // What fails here may not fail in the update.
        await this.#foresee(step).catch(() => this.#tell(step, "may stay"));
      },
      create: (request) => (isEnded(request.inputs) ? this.#createEnded(request) : this.#create(request)),
      read: (request) => this.#read(request),
      update: (request) => (isEnded(request.inputs) ? this.#updateEnded(request) : this.#update(request)),
      delete: (request) => this.#delete(request),
    };
  }

  // ------------------------------------------------------------------------------------- while it lasts

  #diff(request: DiffRequest): readonly Difference[] {
    const { inputs, oldInputs, state, ignoreChanges, context } = request;
    context.session.of(LastDays).record(context.urn, textIn(inputs, "until"), this.inner.deletes(state));
    const isIgnored = ignoresProperty(ignoreChanges);
    const ofDay = untilDifferences(inputs, oldInputs).filter(() => !isIgnored("until"));
    const differences = [...this.inner.diff(withoutEnd(request)), ...ofDay];
    const { endedAt, overdueSince } = endRecordOf(state);
    const wasOver = isEnded(oldInputs) || endedAt !== undefined || overdueSince !== undefined;
    if (!wasOver || differences.some(({ replace }) => replace)) return differences;
    // What cannot be given again is made anew.
    if (endedAt !== undefined && this.inner.restoredBy(state) !== "update")
      return [...differences, { path: ["until"], kind: "update", replace: true, byProgram: true }];
    return differences.length > 0 ? differences : [UPDATE_WITHOUT_PATH];
  }

  async #create(request: CreateRequest): Promise<CreateResult> {
    const { inputs } = request;
    const result = await this.#recordingDay(inputs, () => this.inner.create(request));
    return { ...result, state: withDay(result.state, inputs) };
  }

  async #update(request: UpdateRequest): Promise<Properties> {
    const { inputs } = request;
    const state = await this.#recordingDay(inputs, () => this.inner.update(withoutEnd(request)));
    return withDay(state, inputs);
  }

  async #recordingDay<T>(inputs: Properties, write: () => Promise<T>): Promise<T> {
    return write().catch((error: unknown) => {
      if (!(error instanceof PartialFailure)) throw error;
      const state = withDay(error.state as Properties, inputs);
      throw new PartialFailure(error.id, state, error.reasons, { cause: error });
    });
  }

  // ------------------------------------------------------------------------------------- once it is over

  #diffOfEnd(request: DiffRequest): readonly Difference[] {
    const { inputs, oldInputs, ignoreChanges } = request;
    const isIgnored = ignoresProperty(ignoreChanges);
    const heeded = ({ path }: Difference) => !isIgnored(String(path[0]));
    const subject = this.ending.subjectDifferences(withoutEnd(request)).filter(heeded);
    if (subject.some(({ replace }) => replace)) return subject;
    if (!this.#isDone(request)) return [UPDATE_WITHOUT_PATH];
    return [
      ...untilDifferences(inputs, oldInputs),
      ...(own(inputs, "onDestroy") === own(oldInputs, "onDestroy")
        ? []
        : [{ path: ["onDestroy"], kind: "update" } as const]),
    ].filter(heeded);
  }

  /** Whether nothing is left to do: the access is gone, or an update has left it to the resource that declares it. */
  #isDone(request: Omit<DiffRequest, "ignoreChanges">): boolean {
    const { state, oldInputs } = request;
    return this.ending.isThere(state)
      ? isEnded(oldInputs) && this.#isDeclaredElsewhere(request)
      : textIn(state, "endedAt") !== undefined;
  }

  #isDeclaredElsewhere(request: Pick<DiffRequest, "state" | "inputs" | "context">): boolean {
    const { session, urn } = request.context;
    return this.#isAmong([...session.of(Declarations).all(), ...session.of(Holdings).others(urn)], request);
  }

  #isAmong(others: readonly Access[], { state, inputs }: Pick<DiffRequest, "state" | "inputs">): boolean {
    const isSame = (one: Access) => (other: Access) =>
      one.place.kind === other.place.kind &&
      one.place.id === other.place.id &&
      isSameHolder(one.holder, other.holder);
    return this.inner.declares(withoutMark(inputs), state).some((access) => others.some(isSame(access)));
  }

  #remark(request: DiffRequest): string | undefined {
    const { id, inputs, state, context } = request;
    // A refresh compares before it is known what the program declares.
    const isOfProgram = !isUrn(context.urn) || context.session.of(Claims).isDeclared(context.urn);
    if (!isOfProgram) return undefined;
    if (!isEnded(inputs)) return this.#endsEarlier(request);
    if (this.#isDone(request)) return undefined;
    return this.ending.isThere(state) ? this.#announcement(inputs, state, id) : undefined;
  }

  /** What the program declares for longer than that with which it ends. */
  #endsEarlier({ inputs, state, context }: DiffRequest): string | undefined {
    const own = this.inner.declares(inputs, state);
    const days = own.flatMap((access) => context.session.of(LastDays).endingWith(access, context.urn));
    const first = days.sort(inOrder).at(0);
    const until = textIn(inputs, "until");
    if (first === undefined || (until !== undefined && until <= first)) return undefined;
    return `This access ends after ${first}, the last day of the access in the organization that it depends on. From then on, the update fails. Give it the same last day.`;
  }

  #announcement(inputs: Properties, state: Properties, id: string): string {
    return `The last day, ${textIn(inputs, "until")}, is over: ${this.ending.loss(state, id)}.`;
  }

  async #createEnded({ inputs: marked, preview, context }: CreateRequest): Promise<CreateResult> {
    const inputs = withoutMark(marked);
    if (hasUnknown(inputs)) return this.inner.create({ inputs, preview, context });
    const { id, state } = await this.ending.find(inputs, preview, context);
    const isThere = this.ending.isThere(state);
    if (!isThere && preview) return { id: "", state: planned(state, inputs) };
    const step = { id, state, before: {}, inputs, preview, isPlanned: isPlannedEnd(marked), context };
    if (!isThere) return { id, state: this.#gone(step) };
    context.log.info(this.#announcement(inputs, state, id));
    return { id, state: await this.#end(step) };
  }

  async #updateEnded(request: UpdateRequest): Promise<Properties> {
    const { id, preview, context } = request;
    const inputs = withoutMark(request.inputs);
    const before = endRecordOf(request.state);
    const recorded = withoutOutputs(request.state);
    // Such as the roles: what is recorded is still the same object.
    if (hasUnknown(inputs)) return planned(this.ending.without(recorded), inputs);
    const read = { id, state: recorded, oldInputs: inputs, context, isEnd: true };
    // The response also has the date of the service.
    const seen = await this.inner.read(read).catch((error: unknown) => {
      throw preview ? error : failure({ id, state: recorded, before, inputs, context }, error);
    });
    if (seen === undefined) {
      const state = this.ending.without(recorded);
      return preview ? planned(state, inputs) : this.#gone({ id, state, before, inputs, context });
    }
    const isPlanned = isPlannedEnd(request.inputs);
    return this.#end({ id, state: seen.state, before, inputs, preview, isPlanned, context });
  }

  /** What to record of an access that is not there. */
  #gone(step: Tried): Properties {
    const { id, state, inputs, before, context } = step;
    try {
      refuseBeforeDay(textIn(inputs, "until") ?? "", this.ending.loss(state, id), context.session);
    } catch (error) {
      if (!(error instanceof TooEarlyError)) throw error;
      context.log.warn(error.message);
      return putOff(step, error);
    }
    return done(state, inputs, before, context);
  }

  /** @returns what to record */
  async #end(step: Step): Promise<Properties> {
    const { id, state, inputs, preview, isPlanned, context } = step;
    const { session, log } = context;
    const until = textIn(inputs, "until") ?? "";
    if (preview) {
      await this.#foresee(step);
      return planned(this.ending.without(state), inputs);
    }
    this.#tell(step);
    const loss = this.ending.loss(state, id);
    const request = requestOf(step);
    try {
      // An owner leaves after the next one has come.
      await session.of(Underway).settled();
      refuseBeforeDay(until, loss, session);
      // The program may come to it yet. `take` asks what it has come to.
      if (this.#isAmong(session.of(Holdings).others(context.urn), step)) {
        log.info(
          `The access stays after its last day, ${until}, because another resource of this stack declares it.`,
        );
        return recordOf(state, inputs, {});
      }
      // The next owner may have begun to come meanwhile.
      const outcome = await this.ending.take(request).catch(async (error: unknown) => {
        const others = session.of(Underway);
        if (!isPlanned || !others.isBusy) throw error;
        await others.settled();
        return this.ending.take(request);
      });
      return outcome === "kept"
        ? recordOf(state, inputs, {})
        : done(this.ending.without(state), inputs, {}, context);
    } catch (error) {
      if (error instanceof TooEarlyError) {
        log.warn(error.message);
        return putOff(step, error);
      }
      if (error instanceof PutOffError && isPlanned) {
        log.warn(error.message);
        return overdue(step, error.reason);
      }
      if (error instanceof NotOfferedError) {
        log.warn(error.message);
        return overdue(step, reasonOf(error));
      }
      throw failure(step, error);
    }
  }

  /** Tells what an end takes, and whether it may stay after all, as far as this run shows it. */
  async #foresee(step: Step): Promise<void> {
    const { id, state, inputs, context } = step;
    const request = requestOf(step);
    this.#tell(step, (await this.ending.isLastOwner?.(request)) ? "may stay" : undefined);
    try {
      refuseBeforeDay(textIn(inputs, "until") ?? "", this.ending.loss(state, id), context.session);
      await this.ending.refuse?.(request);
    } catch (error) {
      if (!(error instanceof PutOffError)) throw error;
      context.log.warn(error.message);
      this.#tell(step, "may stay");
    }
  }

  #tell({ inputs, state, context }: Step, foreseen?: "may stay"): void {
    const present = this.#present(inputs, state);
    context.log.tell?.(present.map((access) => ({ ...access, fate: "leaves", foreseen })));
  }

  /** The access as it is there. */
  #present(inputs: Properties, state: Properties) {
    const isPending = state.status === "pending" || undefined;
    return this.inner
      .declares(inputs, state)
      .map((access) => ({ ...access, roles: rolesIn(state.roles), isPending }));
  }

  async #read(request: ReadRequest): Promise<ReadResult | undefined> {
    const { id, state, oldInputs, context } = request;
    if (state === undefined || oldInputs === undefined) return this.inner.read(request);
    const isEnd = isEndOf(state, oldInputs);
    const recorded = withoutOutputs(state);
    const inputs = withDay(withoutMark(oldInputs), state);
    // Whoever is gone on the day is not added again, so the record stays for the update that is to come.
    const isDue = isEnd || isOverToday(inputs.until, context.session);
    const result = await this.inner.read({ ...request, state: recorded, oldInputs: inputs, isEnd: isDue });
    const before = endRecordOf(state);
    const { endedAt: _, ...others } = before;
    if (result === undefined && isDue && !isEnd)
      return { id, state: recordOf(this.ending.without(recorded), inputs, others), inputs: oldInputs };
    if (!isEnd)
      return (
        result && {
          ...result,
          state: recordOf(result.state, inputs, others),
          inputs: withMarksOf(oldInputs, withDay(result.inputs, oldInputs)),
        }
      );
    if (result === undefined) {
      const gone = done(this.ending.without(recorded), inputs, before, context);
      return { id, state: gone, inputs: oldInputs };
    }
    if (result.isRetained) return { id, state, inputs: oldInputs };
    return { id, state: recordOf(result.state, inputs, others), inputs: oldInputs };
  }

  async #delete(request: DeleteRequest): Promise<void> {
    const { oldInputs, state, context } = request;
    const clean = { ...request, state: withoutOutputs(state), oldInputs: withoutMark(oldInputs) };
    const until = textIn(state, "until") ?? "";
    // An end that was put off has not come: then what destroying does counts.
    const isEnd = endsOnDestroy(state, oldInputs) && isOver(until, context.session.client.now());
    if (!isEnd) return this.inner.delete(clean);
    const isPlanned = isEndOf(state, oldInputs) && isPlannedEnd(oldInputs);
    const end = { until, isPlanned, isDestroyed: true } as const;
    const taking = { ...clean, oldInputs: withoutOnDestroy(clean.oldInputs), context: { ...context, end } };
    await this.ending.take(taking).catch((error: unknown) => {
      if (!(error instanceof NotOfferedError)) throw error;
      context.log.warn(error.message);
      const staying = this.#present(clean.oldInputs, clean.state);
      context.log.tell?.(staying.map((access) => ({ ...access, fate: "kept", why: "not offered" })));
    });
  }
}

export const PUT_OFF_BY_CLOCK = "Put off: by the service's clock, the last day is not over.";

/** By the service's clock, the day is not over. */
class TooEarlyError extends PutOffError {}

function refuseBeforeDay(until: string, loss: string, session: Session): void {
  const error = tooEarly(until, loss, session);
  if (error !== undefined) throw error;
}

/**
 * The reason to put an end off, if by the service's clock the day is not over.
 *
 * @param loss what is lost, as a clause
 */
export function tooEarly(until: string, loss: string, { client }: Session): PutOffError | undefined {
  const now = client.now();
  if (isOver(until, now)) return undefined;
  const date = new Date(now).toISOString();
  return new TooEarlyError(
    `By the service's clock it is ${date}, so the last day, ${until}, is not over: ${loss} with the first update after that day. Check this machine's clock.`,
    PUT_OFF_BY_CLOCK,
  );
}

function requestOf({ id, state, inputs, isPlanned, context }: Step): DeleteRequest {
  const until = textIn(inputs, "until") ?? "";
  return {
    id,
    state,
    oldInputs: withoutOnDestroy(inputs),
    context: { ...context, end: { until, isPlanned } },
  };
}

/** The failure of a try, with its record. */
function failure(step: Tried, error: unknown): unknown {
  // Nothing was tried, and the next run counts it again.
  const isUntried = error instanceof RemovalLimitError || error instanceof PutOffError;
  if (isUntried || step.context.signal.aborted) return error;
  return new PartialFailure(step.id, overdue(step, reasonOf(error)), [messageOf(error)], { cause: error });
}

/** Why a try failed, without names: those of a program may be secret, and the message has them. */
export function reasonOf(error: unknown): string {
  if (error instanceof NotOfferedError) return "The service does not offer the removal.";
  if (error instanceof ApiError) {
    return `The removal failed: ${[error.status, error.errorCode].filter(Boolean).join(" ")}.`;
  }
  if (error instanceof Error && error.cause instanceof ApiError) return reasonOf(error.cause);
  return error instanceof RefusedError
    ? "The provider refused the removal: the message of the update says why."
    : "The removal failed: the message of the update says why.";
}

// ------------------------------------------------------------------------------------------- records

/**
 * Whether recorded inputs are of an end. After a failed update, the engine keeps those before it, and the state alone has
 * the later day.
 */
function isEndOf(state: Properties, oldInputs: Properties): boolean {
  return isEnded(oldInputs) && textIn(state, "until") === textIn(oldInputs, "until");
}

/**
 * Whether destroying takes the access away whatever `onDestroy` says, because its last day is over. After a failed update,
 * the engine keeps the inputs before it, which lack the mark.
 */
export function endsOnDestroy(state: Properties, oldInputs: Properties): boolean {
  return isEndOf(state, oldInputs) || textIn(state, "overdueSince") !== undefined;
}

/** The request as the kind knows it. */
function withoutEnd<Request extends { state: Properties; inputs: Properties; oldInputs: Properties }>(
  request: Request,
): Request {
  return {
    ...request,
    state: withoutOutputs(request.state),
    inputs: withoutMark(request.inputs),
    oldInputs: withoutMark(request.oldInputs),
  };
}

/** `until` counts more than what destroying does. */
function withoutOnDestroy({ onDestroy: _, ...inputs }: Properties): Properties {
  return inputs;
}

function withoutOutputs(state: Properties): Properties {
  const isOfEnd = (name: string) => name === "until" || Object.hasOwn(endOutputs, name);
  return Object.fromEntries(Object.entries(state).filter(([name]) => !isOfEnd(name)));
}

function endRecordOf(state: Properties): EndRecord {
  return {
    endedAt: textIn(state, "endedAt"),
    overdueSince: textIn(state, "overdueSince"),
    overdueReason: textIn(state, "overdueReason"),
  };
}

function recordOf(
  state: Properties,
  { until }: Properties,
  record: { readonly [name: string]: Value | undefined },
) {
  return toProperties({ ...state, until, ...record });
}

function withDay(state: Properties, inputs: Properties): Properties {
  return recordOf(state, inputs, {});
}

function planned(state: Properties, inputs: Properties): Properties {
  return recordOf(state, inputs, { endedAt: UNKNOWN });
}

function done(state: Properties, inputs: Properties, { endedAt }: EndRecord, context: Context): Properties {
  return recordOf(state, inputs, { endedAt: endedAt ?? timeOf(context) });
}

function overdue({ state, inputs, before, context }: Tried, overdueReason: string): Properties {
  return recordOf(state, inputs, { overdueSince: before.overdueSince ?? timeOf(context), overdueReason });
}

/** What has not come yet is not overdue. */
function putOff({ state, inputs }: Tried, { reason }: TooEarlyError): Properties {
  return recordOf(state, inputs, { overdueReason: reason });
}

function timeOf({ session }: Context): string {
  return new Date(session.client.now()).toISOString();
}
