/**
 * Every error this provider raises on purpose, one base class with a stable `code`.
 *
 * Callers match on `code` and `errorCode`, never on text and never with `instanceof` across packages: two copies of
 * the package can be loaded in one program.
 */
import { visibleLines, visibleText } from "./visible-text";

/** The stable codes, one for each way in which an operation can fail. */
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

export abstract class OpsManagerError extends Error {
  abstract readonly code: FailureCode;

  /**
   * @param message one sentence or several; a list where each of them gets a line of its own. Names and sentences of others may
   *   stand in it as they are: hidden characters are shown.
   */
  constructor(message: string | readonly string[], options?: ErrorOptions) {
    super([message].flat().map(visibleText).join("\n"), options);
    this.name = new.target.name;
  }
}

/** The settings are incomplete or contradict each other; the message names every fault and how to set each one. */
export class ConfigurationError extends OpsManagerError {
  readonly code = "OPSMANAGER_CONFIGURATION";
}

/** A rule of this provider forbids the operation; nothing was written. The message says what to change. */
export class RefusedError extends OpsManagerError {
  readonly code = "OPSMANAGER_REFUSED";
}

/** No connection, or one that broke before the service could have taken the request. */
export class UnreachableError extends OpsManagerError {
  readonly code = "OPSMANAGER_UNREACHABLE";
}

/** `requestTimeoutSeconds` or the resource's custom timeout ran out. */
export class RequestTimeoutError extends OpsManagerError {
  readonly code = "OPSMANAGER_TIMEOUT";
}

/** The engine cancelled the operation (Ctrl-C). */
export class CancelledError extends OpsManagerError {
  readonly code = "OPSMANAGER_CANCELLED";
}

/**
 * The answer is not what this API answers: HTML instead of JSON, a truncated body, a missing field. Not an HTTP
 * failure. The message carries the place, never the values: they may hold an `agentApiKey`.
 */
export class UnexpectedResponseError extends OpsManagerError {
  readonly code = "OPSMANAGER_UNEXPECTED_RESPONSE";
}

/** A POST was sent and no answer came: the object may or may not exist. The handler has to look; nobody may repeat it. */
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

/** What an error answer of the service says of itself (ops-manager API, "Errors"); every part may be missing. */
export interface ApiFault {
  /** HTTP status code. */
  readonly status: number;
  /** The service's stable code, such as `GROUP_NOT_FOUND`. A refused key has none. */
  readonly errorCode?: string | undefined;
  /** HTTP reason phrase as the body repeats it. */
  readonly reason?: string | undefined;
  /** The service's sentence for a person. */
  readonly detail?: string | undefined;
  /** Values the sentence was made of; numbers and objects were seen besides text. */
  readonly parameters?: readonly unknown[] | undefined;
}

/** The service answered with an error status. */
export class ApiError extends OpsManagerError implements ApiFault {
  readonly code: FailureCode = "OPSMANAGER_API";
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly parameters: readonly unknown[] | undefined;

  /**
   * @param message the whole sentence: verb, resource, id, cause, next step
   * @param fault what the answer said
   */
  constructor(message: string, fault: ApiFault) {
    super(message);
    this.status = fault.status;
    this.errorCode = fault.errorCode;
    this.reason = fault.reason;
    this.detail = fault.detail;
    this.parameters = fault.parameters;
  }
}

/** A 401 without `errorCode`, or an address that is not on the key's access list: no call with this key can succeed. */
export class KeyRefusedError extends ApiError {
  override readonly code = "OPSMANAGER_KEY_REFUSED";
}

/**
 * The object exists, but an operation on it did not finish: the engine keeps the object in state and the next `up`
 * goes on from there.
 */
export class PartialFailure extends OpsManagerError {
  readonly code = "OPSMANAGER_PARTIAL";
  /** One sentence per thing that is not as declared. */
  readonly reasons: readonly string[];

  constructor(
    readonly id: string,
    /** What is true of the object now, complete. */
    readonly state: Readonly<Record<string, unknown>>,
    reasons: readonly string[],
    options?: ErrorOptions,
  ) {
    super(reasons.join(" "), options);
    this.reasons = reasons.map(visibleText);
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The text that a person reads of an error. If the provider itself is at fault, the text includes the stack. */
export function reportOf(error: unknown): string {
  if (error instanceof OpsManagerError) return visibleLines(error.message);
  return [
    visibleText(messageOf(error)),
    "This is a fault of the provider, please report it with these lines:",
    stackOf(error),
  ].join("\n");
}

/** Name and message of an error in the first line, and where it was thrown in the lines below. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return visibleText(String(error));
  const calls = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${error.message}`, ...calls].map(visibleText).join("\n");
}

/** True for an error of ours that carries `code`, whichever copy of this package made it. */
export function hasCode(error: unknown, code: FailureCode): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
