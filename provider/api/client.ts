/**
 * The HTTP side of the provider: calls of the service's public API v1.0 with checked answers and telling errors.
 * (The provider serves nothing over HTTP itself.)
 */
import type { z } from "zod";
import {
  ApiError,
  type ApiFault,
  CancelledError,
  hasCode,
  KeyRefusedError,
  OutcomeUnknownError,
  UnexpectedResponseError,
} from "../errors";
import {
  createTransport,
  headerValues,
  type Transport,
  type TransportSettings,
  type WireRequest,
  type WireResponse,
} from "../transport";
import { hintFor } from "./hints";

export interface ClientSettings extends TransportSettings {
  readonly pathPrefix: string;
  readonly keySource: string;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call<Answer> {
  /** Verb, resource and id, as the beginning of a sentence: `Reading project 5f…a1`. */
  readonly action: string;
  readonly method: WireRequest["method"];
  /** Path below `/api/public/v1.0`, one entry for each segment, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** Shape of the answer; left out where the answer's body says nothing. */
  readonly answer?: z.ZodType<Answer>;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiClient {
  call<Answer>(call: Call<Answer> & { readonly answer: z.ZodType<Answer> }): Promise<Answer>;
  call(call: Call<never> & { readonly answer?: undefined }): Promise<void>;
  /** All entries of a paged list. */
  list<Entry>(call: Call<Entry> & { readonly answer: z.ZodType<Entry> }): Promise<Entry[]>;
  /** Address of the service, for messages. */
  readonly origin: string;
  close(): Promise<void>;
}

const API_PATH = "/api/public/v1.0";
/** The service's largest page (API reference, "Lists"). */
const ITEMS_PER_PAGE = 500;
const USER_AGENT = "pulumi-opsmanager";

/**
 * @param settings address and keys of one provider
 * @param log takes debug lines; they are free of secrets
 */
export function createClient(settings: ClientSettings, log: (message: string) => void): ApiClient {
  const transport = createTransport(settings, log);
  const exchange = async (call: Call<unknown>): Promise<unknown> => {
    const response = await sendCall(transport, settings, call);
    if (response.status < 200 || response.status > 299) throw apiError(settings, call, response);
    if (!call.answer || response.status === 204) return undefined;
    return unwrapEnvelope(parseJson(settings, call, response));
  };
  return {
    origin: settings.origin,
    close: () => transport.close(),
    // The two overloads differ in the answer only; without one there is nothing to check.
    async call(call: Call<unknown>): Promise<never> {
      const body = await exchange(call);
      return (call.answer ? checked(call, call.answer, body) : undefined) as never;
    },
    list: (call) => allPages(exchange, call),
  };
}

async function sendCall(
  transport: Transport,
  settings: ClientSettings,
  call: Call<unknown>,
): Promise<WireResponse> {
  const path = call.path.map((segment) => encodeURIComponent(segment)).join("/");
  try {
    return await transport.send({
      method: call.method,
      target: `${settings.pathPrefix}${API_PATH}/${path}${queryString(call.query)}`,
      headers: {
        accept: "application/json",
        "user-agent": USER_AGENT,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: call.signal,
    });
  } catch (error) {
    throw withAction(error, call.action);
  }
}

/** Keeps the kind of the error and puts what was being done in front of it. */
function withAction(error: unknown, action: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = `${action} failed: ${error.message}`;
  if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) return new OutcomeUnknownError(message, { cause: error });
  if (hasCode(error, "OPSMANAGER_CANCELLED")) return new CancelledError(message, { cause: error });
  error.message = message;
  return error;
}

function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}

async function allPages<Entry>(
  exchange: (call: Call<unknown>) => Promise<unknown>,
  call: Call<Entry> & { readonly answer: z.ZodType<Entry> },
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let pageNum = 1; ; pageNum += 1) {
    const query = { ...call.query, pageNum, itemsPerPage: ITEMS_PER_PAGE };
    const page = await exchange({ ...call, query });
    const { results, totalCount } = listOf(call, page);
    for (const entry of results) entries.push(checked(call, call.answer, entry));
    // A short page alone would cost one more call whenever the last page is full; `totalCount` may be missing.
    const complete =
      totalCount === undefined ? results.length < ITEMS_PER_PAGE : entries.length >= totalCount;
    if (complete || results.length === 0) return entries;
  }
}

function listOf(call: Call<unknown>, page: unknown): { results: unknown[]; totalCount: number | undefined } {
  if (typeof page === "object" && page !== null && "results" in page && Array.isArray(page.results)) {
    const totalCount =
      "totalCount" in page && typeof page.totalCount === "number" ? page.totalCount : undefined;
    return { results: page.results, totalCount };
  }
  throw new UnexpectedResponseError(`${call.action} failed: the answer is not a list with "results".`);
}

function checked<Answer>(call: Call<unknown>, answer: z.ZodType<Answer>, body: unknown): Answer {
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "the whole answer"} (${issue.code})`,
  );
  throw new UnexpectedResponseError(
    `${call.action} failed: the answer has another shape than this API's: ${places.join(", ")}.`,
  );
}

/** A proxy may add the envelope that we never ask for: `{status, content}` around one entity. */
function unwrapEnvelope(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("status" in body) || !("content" in body)) return body;
  return body.content;
}

function parseJson(settings: ClientSettings, call: Call<unknown>, response: WireResponse): unknown {
  const body = jsonOf(response);
  if (body !== undefined) return body;
  const contentType = headerValues(response, "content-type")[0] ?? "no content type";
  throw new UnexpectedResponseError(
    `${call.action} failed: ${settings.origin} answered status ${response.status} with ${contentType} instead of JSON. ${notThisApi(settings)}`,
  );
}

function notThisApi(settings: ClientSettings): string {
  return `Check baseUrl (${settings.origin}${settings.pathPrefix}): it may lead to a web page, a proxy's login or another service.`;
}

function jsonOf(response: WireResponse): unknown {
  try {
    return JSON.parse(response.body);
  } catch {
    return undefined;
  }
}

function apiError(settings: ClientSettings, call: Call<unknown>, response: WireResponse): Error {
  const body = jsonOf(response);
  if (isHtml(response)) {
    return new UnexpectedResponseError(
      `${call.action} failed: ${settings.origin} answered status ${response.status} with a web page. ${notThisApi(settings)}`,
    );
  }
  const fault = faultOf(response.status, body);
  const cause = [fault.status, fault.errorCode, fault.detail ?? fault.reason].filter(Boolean).join(" ");
  const redirect =
    response.status >= 300 && response.status < 400 ? headerValues(response, "location")[0] : undefined;
  const hint =
    redirect === undefined
      ? hintFor(fault, call.method, settings)
      : `It redirects to ${redirect}, and credentials follow no redirect: set baseUrl to the final address.`;
  const message = `${call.action} failed: ${cause.replace(/\.$/, "")}.${hint ? ` ${hint}` : ""}`;
  return isKeyRefusal(fault) ? new KeyRefusedError(message, fault) : new ApiError(message, fault);
}

function isHtml(response: WireResponse): boolean {
  const contentType = headerValues(response, "content-type")[0] ?? "";
  return /html/i.test(contentType) || /^\s*<(!doctype|html)/i.test(response.body);
}

/** A refused key has no `errorCode`; an address off the access list has one of a family of codes (5.0 renamed it). */
function isKeyRefusal(fault: ApiFault): boolean {
  if (fault.status === 401) return fault.errorCode === undefined;
  return fault.status === 403 && /(ACCESS_LIST|WHITELIST)/.test(fault.errorCode ?? "");
}

function faultOf(status: number, body: unknown): ApiFault {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) =>
    typeof value[name] === "string" && value[name] !== "" ? value[name] : undefined;
  return {
    status,
    errorCode: text("errorCode"),
    reason: text("reason"),
    detail: text("detail") ?? text("error_description"),
    parameters: Array.isArray(value.parameters) ? value.parameters : undefined,
  };
}
