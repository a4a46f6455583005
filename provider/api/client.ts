/**
 * The HTTP side of the provider: calls of the service's public API v1.0 with checked answers and telling errors.
 * (The provider serves nothing over HTTP itself.)
 */
import { z } from "zod";
import { API_PATH } from "../config";
import { OpsManagerError, OutcomeUnknownError, RefusedError, UnexpectedResponseError } from "../errors";
import {
  createTransport,
  type Log,
  type Transport,
  type TransportSettings,
  type WireRequest,
  type WireResponse,
} from "../transport";
import { bodyOf, checked, refuseErrors } from "./answer";
import { allPages } from "./pages";

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
  /** It may send an invitation, of which the service takes only so many a minute. */
  readonly invites?: boolean;
}

export interface ApiClient {
  call<Answer>(call: Call<Answer> & { readonly answer: z.ZodType<Answer> }): Promise<Answer>;
  call(call: Call<never> & { readonly answer?: undefined }): Promise<void>;
  /** All entries of a paged list. */
  list<Entry>(call: Call<Entry> & { readonly answer: z.ZodType<Entry> }): Promise<Entry[]>;
  /** Address of the service, for messages. */
  readonly origin: string;
  /** Milliseconds since 1970 by the service's clock; by this machine's while no answer had a date. */
  now(): number;
  close(): Promise<void>;
}

const USER_AGENT = "pulumi-opsmanager";

/**
 * @param settings address and keys of one provider
 * @param log takes debug lines, remarks while a call takes its time, and warnings; they are free of secrets
 */
export function createClient(settings: ClientSettings, log: Log): ApiClient {
  const transport = createTransport(settings, log);
  const exchange = async <Answer>(call: Call<Answer>): Promise<Answer | undefined> => {
    const response = await sendCall(transport, settings, call);
    const context = { ...settings, action: call.action, method: call.method };
    try {
      if (!call.answer) return void refuseErrors(response, context);
      return checked(bodyOf(response, context), call.answer, call.action);
    } catch (error) {
      throw call.method === "POST" && response.status < 300 ? asUnknownOutcome(error) : error;
    }
  };
  return {
    origin: settings.origin,
    now: () => transport.now(),
    close: () => transport.close(),
    // The two overloads differ in the answer only; without one there is nothing to check.
    call: async (call: Call<unknown>) => (await exchange(call)) as never,
    async list(call) {
      const page = z.unknown();
      const entries = await allPages(call.action, (query) =>
        exchange({ ...call, query: { ...call.query, ...query }, answer: page }),
      );
      return entries.map((entry) => checked(entry, call.answer, call.action));
    },
  };
}

/** A good answer to a POST that cannot be used does not say what was made: the handler has to look. */
function asUnknownOutcome(error: unknown): unknown {
  return error instanceof UnexpectedResponseError
    ? new OutcomeUnknownError(`${error.message} So it is not known whether the service did what was asked.`, {
        cause: error,
      })
    : error;
}

async function sendCall(
  transport: Transport,
  settings: ClientSettings,
  call: Call<unknown>,
): Promise<WireResponse> {
  const request = wireRequestOf(settings, call);
  try {
    return await transport.send(request);
  } catch (error) {
    throw error instanceof OpsManagerError ? describedAs(call.action, error) : error;
  }
}

/**
 * The request of a call, without credentials.
 *
 * @throws RefusedError if a path segment would address another object
 */
export function wireRequestOf(
  { pathPrefix }: Pick<ClientSettings, "pathPrefix">,
  call: Omit<Call<unknown>, "answer">,
): WireRequest {
  return {
    method: call.method,
    target: `${pathPrefix}${API_PATH}/${pathOf(call)}${queryString(call.query)}`,
    headers: {
      accept: "application/json",
      "user-agent": USER_AGENT,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    signal: call.signal,
    line: lineOf(call),
    invites: call.invites,
  };
}

/**
 * Returns an error of the same kind whose message begins with the action. The original stays unchanged, because several calls may
 * share it: canceling an operation ends all of its calls with one error.
 */
function describedAs(action: string, error: OpsManagerError): OpsManagerError {
  // Every error of the transport has the constructor of the base class.
  const Kind = error.constructor as new (message: string, options: ErrorOptions) => OpsManagerError;
  return new Kind(`${action} failed: ${error.message}`, { cause: error });
}

/** The object that a call is about: `groups/5f…a1`. */
function lineOf({ path }: Pick<Call<unknown>, "path">): string {
  return path.slice(0, 2).join("/");
}

/** An empty segment or dots would make another address of it: `DELETE /groups/` instead of one project's. */
function pathOf({ action, path }: Pick<Call<unknown>, "action" | "path">): string {
  const stray = path.find((segment) => /^\.{0,2}$/.test(segment));
  if (stray !== undefined) {
    throw new RefusedError(
      `${action} failed: "${stray}" is not a name or an id that the API can be asked for.`,
    );
  }
  return path.map((segment) => encodeURIComponent(segment)).join("/");
}

function queryString(query: Query | undefined): string {
  if (query === undefined) return "";
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text ? `?${text}` : "";
}
