/**
 * Every error that this provider throws on purpose, with one base class and a stable `code`.
 *
 * Callers match on `code` and `errorCode`, never on text. Two copies of the package can be loaded in
 * one program, so callers in other packages do not use `instanceof`.
 */
import { visibleLines, visibleText } from "./visible-text";

/** The stable codes, one for each kind of failure. */
export type FailureCode =
  | "OPSMANAGER_CONFIGURATION"
  | "OPSMANAGER_API"
  | "OPSMANAGER_KEY_REFUSED"
  | "OPSMANAGER_UNREACHABLE"
  | "OPSMANAGER_TIMEOUT"
  | "OPSMANAGER_CANCELLED"
  | "OPSMANAGER_UNEXPECTED_RESPONSE"
  | "OPSMANAGER_OUTCOME_UNKNOWN"
  | "OPSMANAGER_REFUSED"
  | "OPSMANAGER_PROJECT_FILES"
  | "OPSMANAGER_PARTIAL"
  | "OPSMANAGER_INTERNAL";

/**
 * Why calls fail that have no object in common: an error with it is explained once, whatever it
 * stopped.
 */
export interface SharedCause {
  /** A few words, which begin the line of everything else that fails for it: `Key refused`. */
  readonly name: string;
  /** The sentences about the cause, without the call that failed. */
  readonly explanation: string;
  /** Another call may succeed, so a command that reads many lists goes on. */
  readonly mayPass?: boolean | undefined;
}

export interface FailureOptions extends ErrorOptions {
  readonly sharedCause?: SharedCause | undefined;
}

export abstract class OpsManagerError extends Error {
  abstract readonly code: FailureCode;
  readonly sharedCause: SharedCause | undefined;

  /**
   * @param message one or more sentences; each entry of a list gets a line of its own. It may
   * contain text from outside: hidden characters are made visible.
   */
  constructor(message: string | readonly string[], { sharedCause, ...options }: FailureOptions = {}) {
    super([message].flat().map(visibleText).join("\n"), options);
    this.name = new.target.name;
    this.sharedCause = sharedCause && { ...sharedCause, explanation: visibleText(sharedCause.explanation) };
  }
}

/**
 * The settings are incomplete or contradict each other; the message names every fault and how to
 * set each one.
 */
export class ConfigurationError extends OpsManagerError {
  readonly code = "OPSMANAGER_CONFIGURATION";
}

/**
 * A rule of this provider forbids the operation; nothing was written. The message names what to
 * change.
 */
export class RefusedError extends OpsManagerError {
  readonly code = "OPSMANAGER_REFUSED";
}

/** The service does not offer the operation, which a second response has confirmed; nothing was written. */
export class NotOfferedError extends RefusedError {}

/** No connection, or one that broke before the service could have taken a write. */
export class UnreachableError extends OpsManagerError {
  readonly code = "OPSMANAGER_UNREACHABLE";

  constructor(message: string, options?: FailureOptions) {
    super(message, { sharedCause: { name: "Unreachable", explanation: message }, ...options });
  }
}

/** `requestTimeoutSeconds` or the resource's custom timeout expired. */
export class RequestTimeoutError extends OpsManagerError {
  readonly code = "OPSMANAGER_TIMEOUT";
}

/** The engine canceled the operation (Ctrl-C). */
export class CanceledError extends OpsManagerError {
  readonly code = "OPSMANAGER_CANCELLED";
}

/**
 * The response is not one of this API: HTML instead of JSON, a truncated body, a missing field. Not
 * an HTTP failure. The message names the path, never the values: they may hold an `agentApiKey`.
 */
export class UnexpectedResponseError extends OpsManagerError {
  readonly code = "OPSMANAGER_UNEXPECTED_RESPONSE";
}

/** The address is one of something else: a web page, a proxy's login, another API, a wrong path. */
export class NotThisApiError extends UnexpectedResponseError {
  /**
   * @param found what this call found, without a full stop
   * @param explanation the sentences that are the same for all calls
   */
  constructor(action: string, found: string, explanation: string) {
    super(`${action} failed: ${found}. ${explanation}`, {
      sharedCause: { name: "Not this API", explanation },
    });
  }
}

/**
 * A write was sent and no usable response came: the service may or may not have performed it. The resource has to
 * read the state; a POST must not be repeated.
 */
export class OutcomeUnknownError extends OpsManagerError {
  readonly code = "OPSMANAGER_OUTCOME_UNKNOWN";
}

/** A fault of this provider. */
export class InternalError extends OpsManagerError {
  readonly code = "OPSMANAGER_INTERNAL";

  constructor(message: string, options?: ErrorOptions) {
    super(
      `${message} This is a fault of the provider: please report it at https://github.com/pulumi-opsmanager/pulumi-opsmanager/issues.`,
      options,
    );
  }
}

/** The content of an error response (ops-manager API, "Errors"); every part may be missing. */
export interface ApiFault {
  /** HTTP status code. */
  readonly status: number;
  /** The service's stable code, such as `GROUP_NOT_FOUND`. A rejected key has none. */
  readonly errorCode?: string | undefined;
  /** HTTP reason phrase, repeated in the body. */
  readonly reason?: string | undefined;
  /** The service's sentence for the user. */
  readonly detail?: string | undefined;
  /** Values in the sentence; numbers and objects were observed besides text. */
  readonly parameters?: readonly unknown[] | undefined;
  /** The server demanded the key's signature for this call, so the response comes from no gateway in front of it. */
  readonly challengeAnswered?: boolean | undefined;
}

/** The service responded with an error status. */
export class ApiError extends OpsManagerError implements ApiFault {
  readonly code: FailureCode = "OPSMANAGER_API";
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly parameters: readonly unknown[] | undefined;
  readonly challengeAnswered: boolean | undefined;

  /**
   * @param message the whole sentence: verb, resource, id, cause, next step
   * @param fault the content of the response
   */
  constructor(message: string, fault: ApiFault, options?: FailureOptions) {
    super(message, options);
    this.status = fault.status;
    this.errorCode = fault.errorCode;
    this.reason = fault.reason;
    this.detail = fault.detail;
    this.parameters = fault.parameters;
    this.challengeAnswered = fault.challengeAnswered;
  }
}

/**
 * A 401 without `errorCode`, an address that is not on the access list, or a token endpoint that
 * denies a token. It has no shared cause if the credentials were accepted before and may be again:
 * some versions respond with a 401 for one project that does not exist.
 */
export class KeyRefusedError extends ApiError {
  override readonly code = "OPSMANAGER_KEY_REFUSED";
}

/**
 * The object exists, but an operation on it did not finish. The engine keeps the object in state,
 * and the next `up` continues from there.
 */
export class PartialFailure extends OpsManagerError {
  readonly code = "OPSMANAGER_PARTIAL";
  /** One sentence per difference from the declaration. */
  readonly reasons: readonly string[];

  constructor(
    readonly id: string,
    /** The complete current state of the object. */
    readonly state: Readonly<Record<string, unknown>>,
    reasons: readonly string[],
    options?: ErrorOptions,
  ) {
    super(reasons.join(" "), options);
    this.reasons = reasons.map(visibleText);
  }
}

/** The text of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The text of an error for the user. If the provider itself is at fault, the text includes the
 * stack.
 */
export function errorReport(error: unknown): string {
  if (error instanceof OpsManagerError) return visibleLines(error.message);
  return [
    visibleText(messageOf(error)),
    "This is a fault of the provider, please report it with these lines:",
    stackOf(error),
  ].join("\n");
}

/** Name and message of an error in the first line, and the stack in the lines below. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return visibleText(String(error));
  const calls = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${error.message}`, ...calls].map(visibleText).join("\n");
}

/** The cause that an error, or one that it wraps, has in common with other calls. */
export function sharedCauseOf(error: unknown): SharedCause | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = error instanceof OpsManagerError ? error.sharedCause : undefined;
  return own ?? sharedCauseOf(error.cause);
}

/** Whether no other call can succeed either, so a command that reads many lists ends. */
export function stopsAll(error: unknown): boolean {
  const cause = sharedCauseOf(error);
  return cause !== undefined && cause.mayPass !== true;
}

/** Whether an error of this package has `code`, whichever copy of the package created it. */
export function hasCode(error: unknown, code: FailureCode): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
