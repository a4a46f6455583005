/**
 * Checks the connection route to the service below HTTP: name, connection, proxy, TLS. Each step
 * is done as the provider does it, and reported.
 */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isNativeError } from "node:util/types";
import type { Settings } from "../../provider/settings/config";
import { messageOf } from "../../provider/text/errors";
import { inOneLine } from "../../provider/text/visible-text";
import { connectionFault, routeOf, trustInProxy, trustInService, WireFault } from "../../provider/transport";
import { describeChain } from "./certificates";
import { type DoctorResult, type Finding, failed, named, ok, skipped } from "./results";
import { type Answer, runSteps, step, unlessFailed } from "./steps";

/**
 * Time limit of a step: as long as the provider waits for a connection, or less if the settings
 * require it.
 */
const LONGEST_STEP_SECONDS = 10;

/** @returns the results, and `connection` if a request can be sent */
export async function checkConnection(settings: Settings, stop: AbortSignal): Promise<Answer> {
  const route = new Route(settings, stop);
  try {
    const { results } = await runSteps(stepsOn(route));
    stop.throwIfAborted();
    return unlessFailed(results, { connection: true });
  } finally {
    for (const socket of route.open) socket.destroy();
  }
}

function stepsOn(route: Route) {
  const { origin, proxyUrl } = route.settings;
  const service = hostOf(new URL(origin));
  const next = new URL(proxyUrl ?? origin);
  const [first, what] = proxyUrl === undefined ? ["connection", ""] : ["connection.proxy", "proxy "];
  const byProxy = () => skipped(`${service} is resolved by the proxy, not by this machine.`);
  return [
    ...(proxyUrl === undefined ? [] : [step("connection.name", [], byProxy)]),
    step(`${first}.name`, [], () => route.attempt(`${first}.name`, () => resolveName(next, what))),
    step(`${first}.port`, ["address"], () =>
      route.attempt(`${first}.port`, (signal) => connectTo(route, next, what, signal)),
    ),
    step("connection.proxy.tunnel", ["proxy"], () =>
      route.attempt("connection.proxy.tunnel", (signal) => tunnel(route, next, signal)),
    ),
    step("connection.tls", ["service"], ({ service }) =>
      origin.startsWith("https:")
        ? route.attempt("connection.tls", (signal) => completeHandshake(route, service, signal))
        : skipped("Not checked, because an http:// address has no TLS."),
    ),
    step("connection.trust", ["tls"], ({ tls }) => ({ results: judgeCertificate(route.settings, tls) })),
  ];
}

/** The text of the result, and what was opened or read. */
type Attempted = readonly [text: string, found: Answer["found"] & {}];

/** Attempts with a time limit, and the sockets that they opened. */
class Route {
  readonly open = new Set<Socket>();

  constructor(
    readonly settings: Settings,
    readonly stop: AbortSignal,
  ) {}

  async attempt(check: string, run: (signal: AbortSignal) => Promise<Attempted>): Promise<Answer> {
    const most = Math.min(LONGEST_STEP_SECONDS, this.settings.requestTimeoutSeconds);
    const signal = AbortSignal.any([this.stop, AbortSignal.timeout(Math.ceil(most * 1000))]);
    try {
      const [text, found] = await run(signal);
      return { results: [named(check, ok(text))], found };
    } catch (error) {
      const isLate = isNativeError(error) && error.name === "AbortError";
      const fault = isLate ? new WireFault("timeout", false, `no response within ${most} s`) : error;
      return { results: [faultResult(this.settings, check, fault)] };
    }
  }

  /** Waits until a socket is connected. The socket is destroyed after the last step. */
  async opened(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
    this.open.add(socket.on("error", ignoreLateError));
    const closed = once(socket, "close", { signal }).then(() => {
      throw new Error(`the connection ended before ${event}`);
    });
    await Promise.race([once(socket, event, { signal }), closed]);
  }
}

/** Without a listener, an error that nothing awaits anymore would end the process. */
function ignoreLateError(): void {}

export function faultResult(settings: Settings, check: string, error: unknown): DoctorResult {
  const fault =
    error instanceof WireFault
      ? error
      : connectionFault(isNativeError(error) ? error : new Error(messageOf(error)), false, routeOf(settings));
  const text = `${inOneLine(fault.message).replace(/\.$/, "")}.`;
  return named(check, failed(text, fault.advice ?? adviceOn(fault.message)));
}

function adviceOn(message: string): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return "Check the name in baseUrl, and this machine's DNS.";
  if (/ECONNREFUSED/.test(message)) {
    return "No process listens there. Check host and port of baseUrl, and whether the service runs.";
  }
  if (/ECONNRESET|socket hang up|before secure/.test(message)) {
    return "The connection was closed. Check the port in baseUrl, and firewalls on the route.";
  }
  return "Check baseUrl, the network, firewalls and proxyUrl.";
}

async function resolveName(url: URL, what: string): Promise<Attempted> {
  const host = hostOf(url);
  const found = { address: true } as const;
  if (isIP(host)) return [`${what}${host} is an address, so no name is resolved`, found];
  const addresses = await lookup(host, { all: true });
  return [`${what}${host} is ${addresses.map(({ address }) => address).join(", ")}`, found];
}

async function connectTo(route: Route, address: URL, what: string, signal: AbortSignal): Promise<Attempted> {
  const start = performance.now();
  const socket = connect({ host: hostOf(address), port: portOf(address) });
  await route.opened(socket, "connect", signal);
  const took = `${Math.round(performance.now() - start)} ms`;
  return [
    `${what}${address.hostname}:${portOf(address)} accepts connections (${took})`,
    route.settings.proxyUrl === undefined ? { service: socket } : { proxy: socket },
  ];
}

/** Requests a tunnel from the proxy, as the provider does for each connection. */
async function tunnel({ settings, open }: Route, proxy: URL, signal: AbortSignal): Promise<Attempted> {
  const service = new URL(settings.origin);
  const path = `${service.hostname}:${portOf(service)}`;
  const isTls = proxy.protocol === "https:";
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  const request = (isTls ? requestHttps : requestHttp)({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: "CONNECT",
    path,
    headers: { host: path, ...(proxy.username && { "proxy-authorization": authorization }) },
    agent: false,
    ...(isTls && trustInProxy(settings)),
  });
  request.on("error", ignoreLateError).end();
  try {
    // A proxy that opens no tunnel may send a usual response instead.
    const responses = [once(request, "connect", { signal }), once(request, "response", { signal })];
    const [response, socket] = (await Promise.race(responses)) as [IncomingMessage, Socket?];
    if (socket) open.add(socket.on("error", ignoreLateError));
    if (socket && response.statusCode === 200)
      return [`the proxy opened a tunnel to ${path}`, { service: socket }];
    // The error in undici's wording, which the transport interprets.
    throw new Error(`Proxy response (${response.statusCode ?? 0}) !== 200 when HTTP Tunneling`);
  } catch (error) {
    request.destroy();
    throw error;
  }
}

/**
 * Completes the handshake even if the certificate is not trusted: the certificate shows the
 * reason.
 */
async function completeHandshake(route: Route, below: Socket, signal: AbortSignal): Promise<Attempted> {
  const host = hostOf(new URL(route.settings.origin));
  const tls = connectTls({
    socket: below,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...trustInService(route.settings),
    rejectUnauthorized: false,
  });
  // Only the outer socket is ended: Node 24.21 crashes if the socket below is destroyed before
  // its TLS socket.
  route.open.delete(below);
  await route.opened(tls, "secureConnect", signal);
  return [`${tls.getProtocol()}, ${tls.getCipher().standardName}`, { tls }];
}

function judgeCertificate(settings: Settings, socket: TLSSocket): DoctorResult[] {
  const chain = describeChain(socket.getPeerCertificate(true), settings.caCert);
  return [...chain, named("connection.trust", judgeTrust(settings, socket))];
}

function judgeTrust(settings: Settings, socket: TLSSocket): Finding {
  if (settings.skipTlsVerification) return skipped("Not checked, because skipTlsVerification is on.");
  if (socket.authorized) return ok("The certificate is trusted, and names the host");
  const reason: unknown = socket.authorizationError;
  const code = isNativeError(reason) ? reason.message : String(reason);
  const error = Object.assign(new Error(code), { code });
  const { text, advice } = faultResult(settings, "connection.trust", error);
  return failed(`The certificate is not trusted: ${text}`, advice);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
