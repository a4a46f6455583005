/**
 * Interprets a response of the service: the body of a successful one, the error that a failed one
 * means.
 */
import type { z } from "zod";
import { attempt } from "../attempt";
import {
  ApiError,
  type ApiFault,
  type FailureOptions,
  KeyRefusedError,
  NotThisApiError,
  UnexpectedResponseError,
} from "../text/errors";
import { shortList } from "../text/list";
import { OBJECT_ID } from "../text/object-id";
import { own } from "../text/own";
import { inOneLine } from "../text/visible-text";
import {
  CUT,
  causeOfStatus,
  headerValues,
  oauthErrorOf,
  refusalOf,
  tokenRefusalOf,
  type WireResponse,
} from "../transport";
import {
  causeFor,
  type HintContext,
  hintFor,
  isAccessListRefusal,
  NOT_OFFERED_STATUSES,
  type RequestContext,
} from "./hints";

/** The request and its addressee, for messages. */
type ResponseContext = RequestContext & {
  /** Verb, resource and id, as the beginning of a sentence. */
  readonly action: string;
  readonly pathPrefix: string;
};

/** A proxy's plain text is truncated to this length. */
const MAX_PLAIN_TEXT = 200;
/** A sentence of the service is truncated to this length. All known ones are much shorter. */
const MAX_DETAIL = 1000;
/** The greatest number of invalid properties that a message names. */
const MAX_PATHS = 5;

/**
 * Returns the JSON of a successful response.
 *
 * @throws the error that the response means
 */
export function bodyOf(response: WireResponse, context: ResponseContext): unknown {
  refuseErrors(response, context);
  const body: unknown = attempt(() => JSON.parse(response.body));
  if (body !== undefined) return unwrapEnvelope(body);
  const contentType = headerValues(response, "content-type")[0] ?? "no content type";
  throw new UnexpectedResponseError(
    `${context.action} failed: the response of ${context.origin} (status ${response.status}, ${contentType}) is not JSON. ${notThisApi(context)}`,
  );
}

/**
 * Checks a response whose body is not needed. A proxy's login page has status 200, also for a
 * DELETE.
 */
export function refuseErrors(response: WireResponse, context: ResponseContext): void {
  if (response.isOfTokenUrl) throw tokenError(response, context);
  if (response.status < 200 || response.status > 299) throw errorFor(response, context);
  if (isHtml(response)) throw webPage(response, context);
}

/**
 * @throws UnexpectedResponseError with the invalid paths and the IDs of the objects that they are in, but without
 * values: they may be secret
 */
export function checked<Result>(body: unknown, shape: z.ZodType<Result>, action: string): Result {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map(({ path, code }) => {
    const id = idAround(body, path);
    const where = id === undefined || action.includes(id) ? "" : ` of entry ${id}`;
    return `${path.join(".") || "the whole response"}${where} (${code})`;
  });
  throw new UnexpectedResponseError(
    `${action} failed: the response does not have the properties of this API: ${shortList(paths, MAX_PATHS)}.`,
  );
}

/** The ID of the innermost object on the path that has one. A bare list stands for its `results`. */
function idAround(body: unknown, path: readonly PropertyKey[]): string | undefined {
  const [step, ...rest] = path;
  if (typeof body !== "object" || body === null) return undefined;
  if (Array.isArray(body) && step === "results") return idAround(body, rest);
  const inner = step === undefined ? undefined : idAround(Reflect.get(body, step), rest);
  return inner ?? ["id", "_id", "teamId"].map((name) => Reflect.get(body, name)).find(isObjectId);
}

function isObjectId(value: unknown): value is string {
  return typeof value === "string" && OBJECT_ID.test(value);
}

/**
 * Unwraps an envelope that a proxy may add although no request requires it: `{status, content}`
 * around one entity, `envelope` in old versions.
 */
function unwrapEnvelope(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("status" in body)) return body;
  if ("content" in body) return body.content;
  return "envelope" in body ? body.envelope : body;
}

function webPage(response: WireResponse, context: ResponseContext): Error {
  const { action, origin } = context;
  const { status } = response;
  const found = `${origin} returned status ${status} with a web page`;
  if (status < 500 && response.keyAccepted !== true) {
    return new NotThisApiError(action, found, notThisApi(context));
  }
  const explanation = `${found}. ${
    status < 500
      ? notThisApi(context)
      : "The service, or a proxy in front of it, is not available. Run the command again later."
  }`;
  const cause = causeOfStatus(status) ?? { name: "A web page", mayPass: true };
  return new UnexpectedResponseError(`${action} failed: ${explanation}`, shared(cause, explanation));
}

function notThisApi({ origin, pathPrefix }: ResponseContext): string {
  return `Check baseUrl (${origin}${pathPrefix}): it may be the address of a web page, a proxy's login or another service.`;
}

function isHtml(response: WireResponse): boolean {
  // Frameworks declare a removal's empty response as HTML.
  if (response.body.trim() === "") return false;
  const contentType = headerValues(response, "content-type")[0] ?? "";
  return /html/i.test(contentType) || /^\s*<(!doctype|html)/i.test(response.body);
}

/**
 * Whether a web page may be the service's own response: some servers (Jetty, gateways) answer an unknown
 * operation with one. `ApiProof` decides whether it is.
 */
function mayBeOwnPage(response: WireResponse): boolean {
  return isHtml(response) && NOT_OFFERED_STATUSES.has(response.status);
}

function errorFor(response: WireResponse, context: ResponseContext): Error {
  const location = response.status < 400 ? headerValues(response, "location")[0] : undefined;
  const requiresSignIn = headerValues(response, "www-authenticate").length > 0;
  const isPage = mayBeOwnPage(response);
  if (isHtml(response) && !isPage && location === undefined && !requiresSignIn) {
    return webPage(response, context);
  }
  const { status, challengeAnswered } = response;
  const fault = {
    ...(isPage ? { status, detail: "with a web page" } : faultOf(response)),
    challengeAnswered,
  };
  const refusal = context.serviceAccount ? tokenRefusalOf(response) : refusalOf(response);
  const cause = [fault.status, fault.errorCode, fault.detail ?? fault.reason].filter(Boolean).join(" ");
  const hint =
    location === undefined
      ? hintFor(fault, { ...context, refusal })
      : `It redirects to ${inOneLine(location)}. Credentials are not sent to a redirect's target. Set baseUrl to the final address.`;
  const explanation = `${cause.replace(/\.$/, "")}.${hint ? ` ${hint}` : ""}`;
  const message = `${context.action} failed: ${explanation}`;
  const named =
    location === undefined
      ? causeFor(fault, { ...context, refusal }, response.keyAccepted === true)
      : { name: "Redirected" };
  const Kind = isKeyRefusal(fault, refusal) ? KeyRefusedError : ApiError;
  return new Kind(message, fault, shared(named, explanation));
}

function shared(cause: ReturnType<typeof causeFor>, explanation: string): FailureOptions {
  return { sharedCause: cause && { ...cause, explanation } };
}

/** The error for a response of the token endpoint that has no token (RFC 6749 section 5.2). */
function tokenError(response: WireResponse, context: ResponseContext): Error {
  const refusal = tokenRefusalOf(response);
  const { status } = response;
  const oauth = oauthErrorOf(response);
  const parts = [status, oauth?.error, oauth?.error_description].filter((part) => part !== undefined);
  const cause = shortened(parts.join(" "), MAX_DETAIL).replace(/\.$/, "");
  const hint = hintFor({ status }, { ...context, refusal });
  const explanation = `${cause}. ${hint}`;
  const message = `${context.action} failed: ${explanation}`;
  const fault = { status, reason: oauth?.error, detail: oauth?.error_description };
  const options = shared(causeFor(fault, { ...context, refusal }, false), explanation);
  return refusal === "account"
    ? new KeyRefusedError(message, fault, options)
    : new UnexpectedResponseError(message, options);
}

/**
 * Whether the service rejected the credentials. A rejected key has no `errorCode`; an address
 * outside the access list has one of several codes.
 */
function isKeyRefusal(fault: ApiFault, refusal: HintContext["refusal"]): boolean {
  if (fault.status === 401) return refusal === "key" || refusal === "token";
  return isAccessListRefusal(fault);
}

function faultOf(response: WireResponse): ApiFault {
  const body: unknown = attempt(() => JSON.parse(response.body));
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) => {
    const part = own(value, name);
    return typeof part === "string" && part !== "" ? shortened(part, MAX_DETAIL) : undefined;
  };
  return {
    status: response.status,
    errorCode: text("errorCode"),
    reason: text("reason"),
    // A proxy in front of the service responds in plain text, which is the best detail there is.
    detail:
      text("detail") ?? text("error_description") ?? (body === undefined ? plainText(response) : undefined),
    parameters: Array.isArray(value.parameters) ? value.parameters : undefined,
  };
}

function plainText({ body }: WireResponse): string | undefined {
  return shortened(body, MAX_PLAIN_TEXT) || undefined;
}

function shortened(text: string, most: number): string {
  return text.length > most ? inOneLine(text.slice(0, most)) + CUT : inOneLine(text);
}
