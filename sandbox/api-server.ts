import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { TlsOptions } from "node:tls";
import { hasGlobalRole } from "./access";
import type { DigestGate, DigestVerdict } from "./digest-server";
import { ApiFault, refuse } from "./errors";
import type { Actor } from "./event-log";
import { type Incoming, type Listening, listen, type Outgoing, receive, send } from "./http";
import {
  type FaultRules,
  faultName,
  type InjectedFault,
  type OutageFault,
  type StatusFault,
} from "./injected-faults";
import { isAllowedFrom } from "./key-access";
import { syncLdapPeopleWhenDue } from "./ldap-people";
import { type ApiKey, nameOfCaller, type ServiceAccount } from "./model";
import type { RateLimits } from "./rate-limit";
import { renderFault, renderReply, renderWebPage } from "./render";
import { loggedBody, type RequestLog, type RequestRecord } from "./request-log";
import { type Call, findRoute, type Match, type Route } from "./router";
import { routes } from "./routes";
import type { World } from "./store";
import { type TokenGate, type TokenVerdict, tokenPath } from "./token-server";

/** Where the API begins; the address the server is known by does not contain it. */
const apiPrefix = "/api/public/v1.0";

/** What the server works with. All of it may be changed from outside while it runs. */
interface ServerParts {
  readonly world: World;
  readonly gate: DigestGate;
  readonly tokens: TokenGate;
  readonly faults: FaultRules;
  readonly limits: RateLimits;
  readonly log: RequestLog;
  /** Resolves when the present state is safe (at once without a data file). */
  readonly saved: () => Promise<void>;
}

/** Who calls: by a Digest response, by an access token, or by the credentials of a request for a token. */
type Verdict = DigestVerdict | TokenVerdict;

interface Outcome {
  readonly outgoing: Outgoing;
  readonly errorCode?: string | undefined;
  readonly internalError?: string | undefined;
}

/**
 * The simulated API. A request is handled in this order:
 *
 *     receive -> latency -> digest or token -> injected fault -> access list -> rate limit -> route -> save -> log -> send
 *
 * Routes are synchronous, so every request sees and leaves a consistent state, however many run at once.
 */
export class ApiServer {
  private readonly stopping = new AbortController();
  private listening: Listening | undefined;

  constructor(private readonly parts: ServerParts) {}

  get url(): string {
    return this.listening?.url ?? "";
  }

  async start(port: number, tls?: TlsOptions): Promise<void> {
    this.listening = await listen(port, (request, response) => this.exchange(request, response), tls);
  }

  /** Ends waiting responses and all connections at once. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.listening?.close();
  }

  private async exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = await receive(request);
    await this.pause(this.parts.world.switches.latencyMs);
    const verdict = this.authenticate(incoming);
    const fault = this.parts.faults.take(incoming, verdict?.ok === true);
    const delay = typeof fault === "object" && "delayMs" in fault ? fault : undefined;
    if (delay && !delay.afterWrite) await this.pause(delay.delayMs);
    const instead = fault === undefined ? undefined : this.outcomeOfFault(fault, incoming);
    const outcome =
      instead ?? (await this.handleAndSave(incoming, verdict, request.socket.remoteAddress ?? ""));
    const isCut = fault === "reset-before-write" || fault === "reset-after-write" || isOutage(fault);
    this.parts.log.add(this.record(incoming, verdict, fault, isCut ? undefined : outcome));
    if (delay?.afterWrite) await this.pause(delay.delayMs);
    if (isCut) request.socket.resetAndDestroy();
    else if (isStatusFault(fault)) send(response, this.dated(statusResponse(fault)));
    else send(response, this.dated(withInfo(outcome.outgoing, verdict)), fault === "truncate");
    if (fault === "close-after-answer") response.once("finish", () => request.socket.end());
    if (isOutage(fault)) await this.listening?.refuse(fault.outageMs);
  }

  /** Undefined for paths outside of the API, which need no credentials. */
  private authenticate({ method, target, path, authorization }: Incoming): Verdict | undefined {
    const { gate, tokens } = this.parts;
    if (path === tokenPath) return tokens.checkClient(authorization);
    return path === apiPrefix || path.startsWith(`${apiPrefix}/`)
      ? (tokens.checkToken(authorization) ?? gate.check(method, target, authorization))
      : undefined;
  }

  /** The response when the fault keeps the request from taking effect. */
  private outcomeOfFault(fault: InjectedFault, incoming: Incoming): Outcome | undefined {
    if (fault === "reset-before-write" || isOutage(fault)) return { outgoing: { status: 0, headers: {} } };
    if (fault === "stale-nonce") return this.refusalOutcome(this.challenge(true), incoming);
    return isStatusFault(fault) && fault.afterWrite !== true
      ? { outgoing: statusResponse(fault) }
      : undefined;
  }

  private async handleAndSave(
    incoming: Incoming,
    verdict: Verdict | undefined,
    ip: string,
  ): Promise<Outcome> {
    try {
      const outgoing = this.handle(incoming, verdict, ip);
      if (incoming.method !== "GET") await this.parts.saved();
      return { outgoing };
    } catch (error) {
      if (error instanceof ApiFault) return this.refusalOutcome(error, incoming);
      return { ...this.refusalOutcome(refuse.unexpected(), incoming), internalError: String(error) };
    }
  }

  private handle(incoming: Incoming, verdict: Verdict | undefined, ip: string): Outgoing {
    const { world, limits, tokens } = this.parts;
    if (verdict === undefined) throw refuse.noSuchPath(incoming.path);
    if (incoming.path === tokenPath) return tokens.respond(incoming, ip);
    if (!verdict.ok) {
      if (!("stale" in verdict)) throw refuse.badCredentials(wrongToken);
      // RFC 7616, 3.4.6: a uri that is not the request's target should be answered with 400.
      throw verdict.refusal === "wrong-uri" ? refuse.uriMismatch() : this.challenge(verdict.stale);
    }
    if (!isAllowedFrom(world, verdict.key, ip)) throw refuse.ipNotAllowed(ip);
    limits.checkRequest(nameOfCaller(verdict.key));
    syncLdapPeopleWhenDue(world);
    // The documentation writes some paths with a slash at the end. HEAD is a GET without a body (RFC 9110, 9.3.2).
    const path = incoming.path.slice(apiPrefix.length).replace(/\/$/, "") || "/";
    const method = incoming.method === "HEAD" ? "GET" : incoming.method;
    const match = this.match(method, path);
    if (match.found !== "route") return this.withoutRoute(incoming, match.found === "path" ? 405 : 404);
    const call = this.call(incoming, { key: verdict.key, path, ip, params: match.params });
    const actor = callingActor(verdict.key, ip);
    const reply = world.events.during(actor, () => match.route.handle(call));
    return renderReply(reply, incoming.query, world.switches);
  }

  private refusalOutcome(fault: ApiFault, incoming: Incoming): Outcome {
    const outgoing = renderFault(fault, incoming.query, this.parts.world.switches);
    return { outgoing, errorCode: fault.errorCode };
  }

  private challenge(stale: boolean): ApiFault {
    return refuse.badCredentials({
      "WWW-Authenticate": this.parts.gate.challenge(stale),
      "Content-Type": "application/json;charset=ISO-8859-1",
    });
  }

  /** With only the documented operations, the others do not exist: a wrong method of a known path is not distinguished. */
  private match(method: string, path: string): Match<Route> {
    const { onlyDocumented } = this.parts.world.switches;
    if (!onlyDocumented) return findRoute(routes, method, path);
    const documented = routes.filter((route) => route.documented);
    const match = findRoute(documented, method, path);
    return match.found === "path" ? { found: "nothing" } : match;
  }

  /** The response to an operation that does not exist; the shape of a 405 is not documented. */
  private withoutRoute({ method, path }: Incoming, status: 404 | 405): Outgoing {
    const { unknownPath } = this.parts.world.switches;
    if (unknownPath === "web-page") return renderWebPage(status);
    if (status === 405) throw refuse.wrongMethod(method);
    throw unknownPath === "bare" ? refuse.noSuchPath(path) : refuse.resourceNotFound(path);
  }

  private call(
    incoming: Incoming,
    {
      params,
      ...request
    }: Pick<Call, "key" | "path" | "ip"> & { readonly params: ReadonlyMap<string, string> },
  ): Call {
    return {
      ...request,
      world: this.parts.world,
      limits: this.parts.limits,
      query: incoming.query,
      body: parseBody(incoming),
      apiUrl: `${this.url}${apiPrefix}`,
      param: (name) => params.get(name) ?? "",
    };
  }

  private record(
    incoming: Incoming,
    verdict: Verdict | undefined,
    fault: InjectedFault | undefined,
    outcome: Outcome | undefined,
  ): Omit<RequestRecord, "id"> {
    return {
      time: this.parts.world.clock.iso(),
      method: incoming.method,
      path: incoming.path,
      query: incoming.query.toString(),
      authorized: verdict?.ok === true,
      ...callerIn(verdict),
      body: loggedBody(incoming.text),
      status: isStatusFault(fault) ? fault.status : outcome?.outgoing.status,
      errorCode: outcome?.errorCode,
      fault: fault && faultName(fault),
      internalError: outcome?.internalError,
    };
  }

  /** With the time of the sandbox, which tests may move, instead of the machine's. */
  private dated(outgoing: Outgoing): Outgoing {
    const date = new Date(this.parts.world.clock.now()).toUTCString();
    return { ...outgoing, headers: { Date: date, ...outgoing.headers } };
  }

  private async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await wait(milliseconds, undefined, { signal: this.stopping.signal });
  }
}

/** The actor of a call. The documentation describes no fields for service accounts. */
const callingActor = (key: ApiKey | ServiceAccount, remoteAddress: string): Actor => ({
  ...("publicKey" in key ? { apiKeyId: key.id, publicKey: key.publicKey } : {}),
  isGlobalAdmin: hasGlobalRole(key, "GLOBAL_OWNER"),
  remoteAddress,
});

const isStatusFault = (fault: InjectedFault | undefined): fault is StatusFault =>
  typeof fault === "object" && "status" in fault;

const isOutage = (fault: InjectedFault | undefined): fault is OutageFault =>
  typeof fault === "object" && "outageMs" in fault;

/** Codes the service gives with these statuses. */
const usualCodes: Readonly<Record<number, string>> = { 429: "RATE_LIMITED", 500: "UNEXPECTED_ERROR" };

function statusResponse(fault: StatusFault): Outgoing {
  const body =
    fault.body ?? new ApiFault(fault.status, usualCodes[fault.status], "Injected by the test.").body();
  return {
    status: fault.status,
    headers: { "Content-Type": fault.contentType ?? "application/json", ...fault.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

const withInfo = (outgoing: Outgoing, verdict: Verdict | undefined): Outgoing =>
  verdict?.ok && "info" in verdict && verdict.info !== undefined
    ? { ...outgoing, headers: { ...outgoing.headers, "Authentication-Info": verdict.info } }
    : outgoing;

/** RFC 6750, 3.1. How Cloud Manager rejects a token is not documented. */
const wrongToken = { "WWW-Authenticate": 'Bearer error="invalid_token"', "Content-Type": "application/json" };

function callerIn(verdict: Verdict | undefined): Partial<RequestRecord> {
  if (verdict === undefined) return {};
  if (!verdict.ok) {
    const { refusal } = verdict;
    return "stale" in verdict
      ? { publicKey: verdict.publicKey, refusal }
      : { clientId: verdict.clientId, refusal };
  }
  return "form" in verdict
    ? { publicKey: verdict.key.publicKey, digest: digestOf(verdict) }
    : { clientId: verdict.key.clientId };
}

const digestOf = ({ form, nc }: Extract<DigestVerdict, { ok: true }>) => ({
  form,
  ...(nc === undefined ? {} : { nc }),
});

function parseBody({ method, text, contentType }: Incoming): unknown {
  if (text === undefined) throw refuse.bodyTooLarge();
  if (text === "" || ["GET", "HEAD", "DELETE"].includes(method)) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw refuse.notJsonType();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse.invalidJson();
  }
}
