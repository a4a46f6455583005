/**
 * The contract between a resource and the two providers: the plugin and the dynamic provider.
 *
 * The providers convert values from and to the formats of the engine. A resource knows only the
 * API. Check and Diff send no request; they may record in the session what the program declares and
 * what a resource holds. Create, read, update and delete may be repeated: each reads the live object
 * first.
 */

import type { z } from "zod";
import type { Access, Deletion } from "../../access/places";
import { own } from "../../text/own";
import type { ToldAccess } from "../../text/told-access";
import type { CheckFailure } from "./check";
import type { Difference } from "./difference";
import type { Listing } from "./listing";
import type { Session } from "./session";
import type { Properties } from "./values";

/**
 * Messages for the user: an info is logged once per process and resource, a warning once per
 * process.
 */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  /** Tells programs what the operation does with accesses. Users do not see it. */
  tell?(accesses: readonly ToldAccess[]): void;
}

export interface Context {
  readonly session: Session;
  /**
   * The URN of the resource; a text that replaces it in the dynamic provider, whose host passes
   * none.
   */
  readonly urn: string;
  readonly log: Log;
  /** Cancel by the engine, or the resource's custom timeout. */
  readonly signal: AbortSignal;
  /** The access is taken away because its last day is over. */
  readonly end?: End | undefined;
}

/** Why an access is taken away that the program still declares. */
export interface End {
  /** The last day: `2026-12-31`. */
  readonly until: string;
  /** The day was recorded before it passed, so no limit of removals applies. */
  readonly isPlanned: boolean;
  /** Delete ends it, after the resource has left the program. */
  readonly isDestroyed?: true;
}

/** The context of an operation on the people of one project. */
export interface ProjectContext extends Context {
  readonly projectId: string;
}

export interface CheckRequest {
  /** The inputs of the program; parts may be unknown. */
  readonly inputs: Properties;
  /** The inputs in the state; absent or empty for a resource that is created. */
  readonly oldInputs?: Properties | undefined;
  readonly context: Pick<Context, "session" | "urn" | "log">;
  /** The last day of the access is over, so it is not claimed. */
  readonly isEnd?: boolean;
}

export interface CheckResult {
  /** The same inputs in their one canonical form: sets sorted, ids in lower case. */
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

interface Existing {
  readonly id: string;
  /** Outputs of the last operation. */
  readonly state: Properties;
  /** Checked inputs of the last operation. */
  readonly oldInputs: Properties;
}

export interface DiffRequest extends Existing {
  readonly inputs: Properties;
  /** Property paths as the program wrote them in `ignoreChanges`. */
  readonly ignoreChanges: readonly string[];
  readonly context: Pick<Context, "session" | "urn">;
}

export interface CreateRequest {
  readonly inputs: Properties;
  /**
   * Read, warn and reject as the update would, but write nothing. Parts of the inputs may be
   * unknown.
   */
  readonly preview: boolean;
  readonly context: Context;
}

export interface CreateResult {
  /** Empty in a preview of something that does not exist yet. */
  readonly id: string;
  readonly state: Properties;
}

export interface ReadRequest {
  readonly id: string;
  /** Both absent on import and `.get()`. */
  readonly state?: Properties | undefined;
  readonly oldInputs?: Properties | undefined;
  readonly context: Context;
  /** The last day of the access is over, so nothing follows from its absence. */
  readonly isEnd?: boolean;
}

export interface ReadResult {
  readonly id: string;
  readonly state: Properties;
  /**
   * Live values under exactly the keys of the old inputs; on import, the inputs that a program
   * needs.
   */
  readonly inputs: Properties;
  /** The object could not be read, and the state is the recorded one. */
  readonly isRetained?: boolean;
}

export interface UpdateRequest extends Omit<DiffRequest, "context"> {
  readonly preview: boolean;
  readonly context: Context;
}

export interface DeleteRequest extends Existing {
  readonly context: Context;
}

/** The people of a place whose list a resource has read. */
export interface ReadPeople {
  /** Everyone, whether the resource declares them or not. */
  readonly present: readonly Access[];
  /** Whom destroying the resource removes one by one. */
  readonly leaving: readonly Access[];
}

/**
 * What is known of a kind wherever kinds are treated one by one. The texts are sentences of Markdown, except for the
 * clause `counted`: the tables of `docs/reliability.md` are generated from them, so that the documents know every kind.
 */
export interface Duties {
  /** What is taken from whom when the resource leaves the program, and what stays. */
  readonly whenRemoved: string;
  /** What of that counts towards `maxRemovalsPerRun`. */
  readonly counted: string;
  /** What the provider plugin does with `deleteBeforeReplace`. */
  readonly whenDeletedFirst: string;
  /** What works on a service that offers only the four documented operations. */
  readonly withFourOperations: string;
  /** The inputs that identify the object before it exists: its place, and then the first that is given. */
  readonly identifiedBy: readonly [place: "projectId" | "orgId", ...names: string[]];
}

export interface Resource<Name extends string = string> {
  /** Last part of the type token: `opsmanager:index:<name>`. */
  readonly name: Name;
  /** Markdown for the package schema and the SDKs. */
  readonly description: string;
  readonly inputs: z.ZodObject;
  /** The objects of this kind that exist in the service. */
  readonly listing: Listing;
  /**
   * Outputs beside those that mirror inputs, and the inputs that are always present as outputs. By `origin`, the providers
   * tell a record of their own from what an import or `.get()` passes to Read.
   */
  readonly outputs: z.ZodObject<{ readonly origin: z.ZodType } & Readonly<Record<string, z.ZodType>>>;
  /** Outputs that repeat an input under another name. If the input is secret, so is the output. */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Inputs that are maps. If such an input is secret, its keys are secret too. */
  readonly maps?: readonly string[];
  /** Inputs that count for one more update after the program has left them out. */
  readonly lasting?: readonly string[];
  readonly duties: Duties;
  check(request: CheckRequest): CheckResult;
  diff(request: DiffRequest): readonly Difference[];
  /**
   * Who has access through the resource, and where. A holder or a place that is not known yet is left out.
   *
   * @param state what is recorded of the same object, if there is a record
   */
  declares(inputs: Properties, state?: Properties): readonly Access[];
  /**
   * What its deletion takes away in other places; `undefined` if it takes away only what it declares.
   *
   * @param state what is recorded of the object
   */
  deletes(state: Properties): Deletion | undefined;
  /**
   * The people whom the last read found, for a resource that lists them.
   *
   * @param isDeclaredElsewhere whether another resource declares the person
   */
  readPeople?(state: Properties, isDeclaredElsewhere: (access: Access) => boolean): ReadPeople;
  /**
   * Says what each comparison with a program shows, also if nothing differs: who stays although a list does not declare them,
   * or what is lost because a last day is over.
   */
  remark?(request: DiffRequest, log: Log): void;
  /**
   * Tells whose access the update is to end, and whether it may stay. Only the dynamic provider needs it, because its host
   * asks for no update in a preview.
   */
  foresee?(request: Omit<UpdateRequest, "preview">): Promise<void>;
  /** How an access ends that has a last day; absent if the kind has no `until`. */
  readonly ending?: Ending;
  create(request: CreateRequest): Promise<CreateResult>;
  /** @returns `undefined` if a second read confirmed that the object no longer exists */
  read(request: ReadRequest): Promise<ReadResult | undefined>;
  update(request: UpdateRequest): Promise<Properties>;
  /**
   * Whether an object in this state may change by itself. If so, it is read before each run. The
   * state of a preview is never passed.
   */
  changesByItself?(state: Properties): boolean;
  /**
   * What inputs call the object: an ID or a name, such as `5f0000000000000000000101`. Only the dynamic
   * provider needs it, because its host gives no URN.
   */
  subject(inputs: Properties): string;
  /**
   * How Pulumi restores an object that was deleted outside Pulumi: by an update, or by a
   * replacement because of this input. Only the dynamic provider needs it.
   *
   * @throws RefusedError if neither can restore it
   */
  restoredBy(state: Properties): "update" | { readonly replacing: string };
  /** Succeeds if the object no longer exists. */
  delete(request: DeleteRequest): Promise<void>;
}

/** The ID of an object that is only planned: `<projectId>/<username>`; parts that are not known are left out. */
export function plannedId({ identifiedBy: [place, ...names] }: Duties, inputs: Properties): string {
  const name = names.map((property) => own(inputs, property)).find((value) => typeof value === "string");
  return [inputs[place], name].filter((part) => typeof part === "string").join("/");
}

/**
 * What a kind answers whose access may end (`session/ends.ts`). Inputs come without the mark of Check, and states
 * without the outputs of an end.
 */
export interface Ending {
  /** The differences because of which the program means another object. */
  subjectDifferences(request: DiffRequest): readonly Difference[];
  /** Whether the state shows the access. */
  isThere(state: Properties): boolean;
  /** What is lost, as a clause: `team operators loses GROUP_OWNER in project 5f…a1`. */
  loss(state: Properties, id: string): string;
  /** The state once nobody has the access. */
  without(state: Properties): Properties;
  /** Finds what inputs mean that never got their access. It need not exist. */
  find(inputs: Properties, preview: boolean, context: Context): Promise<CreateResult>;
  /** Whether it is the access of the last owner, which is taken only if another one comes before. Asked in a preview. */
  isLastOwner?(request: DeleteRequest): Promise<boolean>;
  /** Fails in a preview as `take` would, as far as this run shows it. */
  refuse?(request: DeleteRequest): Promise<void>;
  /**
   * Takes the access away. Succeeds if it is gone.
   *
   * @returns `kept` if another resource declares it
   */
  take(request: DeleteRequest): Promise<"gone" | "kept">;
}
