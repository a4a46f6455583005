/**
 * Calls the service's public API v1.0, checks the responses and describes the errors. (The provider
 * serves nothing over HTTP itself.)
 */
import { z } from "zod";
import { API_PATH } from "../settings/config";
import {
  type FailureOptions,
  OpsManagerError,
  OutcomeUnknownError,
  RefusedError,
  UnexpectedResponseError,
} from "../text/errors";
import { OBJECT_ID } from "../text/object-id";
import {
  createTransport,
  type LogSink,
  type Redact,
  type Transport,
  type TransportSettings,
  USER_AGENT,
  type WireRequest,
  type WireResponse,
} from "../transport";
import { ObjectNames } from "./names";
import { allPages, listResponse, mayHaveNext, type PageQuery, readPage } from "./pages";
import { ApiProof } from "./proof";
import { bodyOf, checked, refuseErrors } from "./response";

type ClientSettings = TransportSettings & {
  readonly pathPrefix: string;
  readonly keySource: string;
};

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Call<Result> {
  /** Verb, resource and id, as the beginning of a sentence: `Reading project 5f…a1`. */
  readonly action: string;
  readonly method: WireRequest["method"];
  /** Path below `/api/public/v1.0`, one entry for each segment, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** Shape of the response; `UNREAD_BODY` if it is not needed. */
  readonly shape: z.ZodType<Result>;
  readonly signal?: AbortSignal | undefined;
  /** The least role that the documents name for the call: `Project Read Only`. */
  readonly leastRole?: string;
  /**
   * The call may send an invitation. The service accepts only a limited number of them per minute.
   */
  readonly invites?: boolean;
  /** The error shows whether the service has demanded the key's signature for this call (`challengeAnswered`). */
  readonly asksForChallenge?: boolean;
}

/** The shape of a response whose body is not read. */
export const UNREAD_BODY = z.void();

export interface ApiClient {
  call<Result>(call: Call<Result>): Promise<Result>;
  /** Returns all entries of a paged list. */
  list<Entry>(call: Call<Entry>): Promise<Entry[]>;
  /** Returns the entries of one page of a list, and whether there may be further pages. */
  page<Entry>(
    call: Call<Entry>,
    pageNum: number,
  ): Promise<{ readonly entries: readonly Entry[]; readonly hasNext: boolean }>;
  /**
   * Checks that the server is this API, unless a response has shown it.
   *
   * @throws NotThisApiError
   */
  confirm(action: string): Promise<void>;
  /**
   * Whether a call about an object has succeeded, or one under way does. That shows that the path in `baseUrl` is
   * right, and that the key can see the object.
   *
   * @param path of the object: `["groups", "5f…a1"]`
   */
  hasSucceeded(path: readonly [string, string]): Promise<boolean>;
  /**
   * Whether the service may lack the operation of a failed write: it has succeeded for no other object in this run.
   *
   * @param error of the call; `false` for that of a read
   */
  mayLackWrite(error: unknown): boolean;
  /** Names of the objects that responses contained. */
  readonly names: ObjectNames;
  /**
   * The public key with which the client authenticates. `undefined` for a service account, which has
   * no API key.
   */
  readonly publicKey: string | undefined;
  /** Masks the secrets of the settings, and the access tokens so far. */
  readonly redact: Redact;
  /** Address of the service, for messages. */
  readonly origin: string;
  /**
   * Milliseconds since 1970 by the service's clock; by this machine's clock until a response has a
   * date.
   */
  now(): number;
  close(): Promise<void>;
}

type ApiOperation<Args extends readonly unknown[], Result> = (
  client: ApiClient,
  ...args: [...Args, signal?: AbortSignal | undefined]
) => Promise<Result>;

/**
 * Declares an operation of the API: a function of a client, what the call is about, and a signal
 * that cancels it.
 */
export function operation<Args extends readonly unknown[], Result>(
  describe: (...args: Args) => Call<Result>,
): ApiOperation<Args, Result> {
  return (client, ...args) => client.call(withSignal(describe, args));
}

/** Declares an operation that responds with a paged list, as `operation` does. */
export function listOperation<Args extends readonly unknown[], Entry>(
  describe: (...args: Args) => Call<Entry>,
): ApiOperation<Args, Entry[]> {
  return (client, ...args) => client.list(withSignal(describe, args));
}

/** @param args those of `describe`, then the signal, which `describe` ignores */
function withSignal<Args extends readonly unknown[], AnyCall>(
  describe: (...args: Args) => AnyCall,
  args: readonly unknown[],
): AnyCall & Pick<Call<unknown>, "signal"> {
  return { ...describe(...(args as Args)), signal: args.find((arg) => arg instanceof AbortSignal) };
}

/**
 * @param settings address and credentials of one provider
 * @param log receives debug lines, remarks if a call takes long, and warnings, all without secrets
 */
export function createClient(settings: ClientSettings, log: LogSink): ApiClient {
  const transport = createTransport(settings, log);
  const names = new ObjectNames();
  const known = <Result>(call: Call<Result>, body: unknown): Result => {
    const result = checked(body, call.shape, call.action);
    for (const entry of [result].flat()) names.learn(entry);
    return result;
  };
  const proof = new ApiProof(settings, async (probe) => {
    const response = await sendCall(transport, settings, { ...probe, asksForChallenge: true });
    return { response, error: thrownBy(() => refuseErrors(response, { ...settings, ...probe })) };
  });
  /** Objects about which a call has succeeded, and operations that have. */
  const succeeded = new Set<string>();
  const failedIn = new WeakMap<Error, string>();
  const underway = new Set<Promise<unknown>>();
  const exchange = async <Result>(call: Call<Result>): Promise<Result> => {
    const response = await sendCall(transport, settings, call);
    const { action, method, leastRole } = call;
    const wasThere = names.has(call.path[1] ?? "");
    const context = { ...settings, action, method, leastRole, wasThere };
    try {
      const isUnread = call.shape instanceof z.ZodVoid;
      const result = known(call, isUnread ? refuseErrors(response, context) : bodyOf(response, context));
      refuseOther(call, result);
      if (isUnread || isEmptyList(result)) await proof.confirmSuccess(action, response);
      else proof.show();
      succeeded.add(queueKeyOf(call)).add(operationOf(call));
      return result;
    } catch (error) {
      const judged = await proof.judge(action, { response, error });
      if (judged instanceof Error) failedIn.set(judged, operationOf(call));
      throw method === "POST" && response.status < 300 ? asUnknownOutcome(judged) : judged;
    }
  };
  const tracked = <Result>(call: Call<Result>): Promise<Result> => {
    const result = exchange(call);
    const settled = result.catch(() => undefined).finally(() => underway.delete(settled));
    underway.add(settled);
    return result;
  };
  const fetchPageOf = (call: Call<unknown>) => (query: PageQuery) =>
    tracked({ ...call, query: { ...call.query, ...query }, shape: listResponse });
  return {
    names,
    publicKey: settings.publicKey,
    redact: transport.redact,
    origin: settings.origin,
    now: () => transport.now(),
    close: () => transport.close(),
    confirm: (action) => proof.confirm(action),
    async hasSucceeded(path) {
      const key = queueKeyOf({ path });
      while (!succeeded.has(key) && underway.size > 0) await Promise.race(underway);
      return succeeded.has(key);
    },
    mayLackWrite(error) {
      const operation = (error instanceof Error && failedIn.get(error)) || "";
      return !operation.startsWith("GET ") && !succeeded.has(operation);
    },
    call: tracked,
    async list(call) {
      return known(listOf(call), await allPages(call.action, fetchPageOf(call)));
    },
    async page(call, pageNum) {
      const page = await readPage(call.action, pageNum, fetchPageOf(call));
      return { entries: known(listOf(call), page.entries), hasNext: mayHaveNext(page, pageNum) };
    },
  };
}

/**
 * Converts the error for an unusable successful response to a POST. The response does not show what
 * was created, so the resource has to read the state.
 */
function asUnknownOutcome(error: unknown): unknown {
  return error instanceof UnexpectedResponseError
    ? new OutcomeUnknownError(`${error.message} The service may or may not have performed the request.`, {
        cause: error,
      })
    : error;
}

/** The call as one that responds with all entries: what is wrong is named by entry. */
function listOf<Entry>(call: Call<Entry>): Call<Entry[]> {
  return { ...call, shape: z.array(call.shape) };
}

async function sendCall(
  transport: Transport,
  settings: ClientSettings,
  call: Omit<Call<unknown>, "shape">,
): Promise<WireResponse> {
  const request = wireRequestOf(settings, call);
  try {
    return await transport.send(request);
  } catch (error) {
    throw error instanceof OpsManagerError ? describedAs(call.action, error) : error;
  }
}

/**
 * Builds the request of a call, without credentials.
 *
 * @throws RefusedError if a path segment would address another object
 */
export function wireRequestOf(
  { pathPrefix }: { readonly pathPrefix: string },
  call: Omit<Call<unknown>, "shape">,
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
    queueKey: queueKeyOf(call),
    invites: call.invites,
    asksForChallenge: call.asksForChallenge,
  };
}

/** The client with which every call asks for a challenge. */
export function challenged(client: ApiClient): ApiClient {
  return { ...client, call: (call) => client.call({ ...call, asksForChallenge: true }) };
}

/** @throws UnexpectedResponseError if the result is another object than the one at the path: a gateway mixed them up */
function refuseOther({ action, path }: Call<unknown>, result: unknown): void {
  const wanted = path.at(-1)?.toLowerCase() ?? "";
  const id = typeof result === "object" && result !== null && "id" in result ? result.id : undefined;
  if (!OBJECT_ID.test(wanted) || typeof id !== "string" || id.toLowerCase() === wanted) return;
  throw new UnexpectedResponseError(
    `${action} failed: the response is about ${id}. Check the proxies and gateways in front of the service.`,
  );
}

/** A list without entries, paged or not: any server may respond so. */
function isEmptyList(result: unknown): boolean {
  const isPage = typeof result === "object" && result !== null && "results" in result;
  const entries = isPage ? result.results : result;
  return Array.isArray(entries) && entries.length === 0;
}

function thrownBy(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Returns an error of the same kind whose message begins with the action. The original stays
 * unchanged, because several calls may share it: canceling an operation ends all of its calls with
 * one error.
 */
function describedAs(action: string, error: OpsManagerError): OpsManagerError {
  // Every error of the transport has the constructor of the base class.
  const Kind = error.constructor as new (message: string, options: FailureOptions) => OpsManagerError;
  return new Kind(`${action} failed: ${error.message}`, { cause: error, sharedCause: error.sharedCause });
}

/** Key of the object that a call is about: `groups/5f…a1`. */
function queueKeyOf({ path }: Pick<Call<unknown>, "path">): string {
  return path.slice(0, 2).join("/");
}

/**
 * Builds the path. An empty segment or dots would change the address: `DELETE /groups/` instead of
 * one project's.
 */
function pathOf({ action, path }: Pick<Call<unknown>, "action" | "path">): string {
  const unusable = path.find((segment) => /^\.{0,2}$/.test(segment));
  if (unusable !== undefined) {
    throw new RefusedError(`${action} failed: "${unusable}" is not a valid name or id.`);
  }
  return path.map((segment) => encodeURIComponent(segment)).join("/");
}

/** The method and the path without the IDs and names in it: `DELETE orgs/{}/users/{}`. */
function operationOf({ method, path }: Pick<Call<unknown>, "method" | "path">): string {
  return `${method} ${path.map((segment, index) => (index % 2 === 0 ? segment : "{}")).join("/")}`;
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
