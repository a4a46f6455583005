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
import { type DoctorResult, failed, ok, skipped } from "./results";

/**
 * Time limit of a step: as long as the provider waits for a connection, or less if the settings
 * require it.
 */
const LONGEST_STEP_SECONDS = 10;

/** @returns the results, and whether a request can be sent */
export async function checkConnection(settings: Settings, stop: AbortSignal) {
  const route = new Route(settings, stop);
  try {
    const socket = await connectToService(route, settings);
    if (socket && settings.origin.startsWith("https:")) await completeHandshake(route, settings, socket);
    else if (socket)
      route.results.push(skipped("connection.tls", "Not checked, because an http:// address has no TLS."));
  } finally {
    for (const socket of route.open) socket.destroy();
  }
  stop.throwIfAborted();
  const { results } = route;
  return { results, isUsable: results.every(({ outcome }) => outcome !== "failed") };
}

/** The steps to the service: their results, and the sockets that they opened. */
class Route {
  readonly results: DoctorResult[] = [];
  readonly open = new Set<Socket>();

  constructor(
    readonly settings: Settings,
    readonly stop: AbortSignal,
  ) {}

  /**
   * Runs one step and records the result of its check.
   *
   * @returns what the step opened or read; `undefined` on failure
   */
  async step<T>(
    check: string,
    run: (signal: AbortSignal) => Promise<readonly [text: string, value: T]>,
  ): Promise<T | undefined> {
    const most = Math.min(LONGEST_STEP_SECONDS, this.settings.requestTimeoutSeconds);
    const signal = AbortSignal.any([this.stop, AbortSignal.timeout(Math.ceil(most * 1000))]);
    try {
      const [text, value] = await run(signal);
      this.results.push(ok(check, text));
      return value;
    } catch (error) {
      const isLate = isNativeError(error) && error.name === "AbortError";
      const fault = isLate ? new WireFault("timeout", false, `no response within ${most} s`) : error;
      this.results.push(faultResult(this.settings, check, fault));
      return undefined;
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

/** Opens a connection to the service itself, including the proxy's tunnel. */
async function connectToService(route: Route, { origin, proxyUrl }: Settings): Promise<Socket | undefined> {
  const next = new URL(proxyUrl ?? origin);
  const [check, what] = proxyUrl === undefined ? ["connection", ""] : ["connection.proxy", "proxy "];
  if (proxyUrl !== undefined) {
    const name = hostOf(new URL(origin));
    route.results.push(skipped("connection.name", `${name} is resolved by the proxy, not by this machine.`));
  }
  const isFound = await route.step(`${check}.name`, async () => [await nameText(next, what), true]);
  if (!isFound) return undefined;
  const socket = await route.step(`${check}.port`, async (signal) => {
    const start = performance.now();
    const made = connect({ host: hostOf(next), port: portOf(next) });
    await route.opened(made, "connect", signal);
    const took = `${Math.round(performance.now() - start)} ms`;
    return [`${what}${next.hostname}:${portOf(next)} accepts connections (${took})`, made];
  });
  if (!socket || proxyUrl === undefined) return socket;
  return route.step(`${check}.tunnel`, (signal) => tunnel(route, next, signal));
}

export function faultResult(settings: Settings, check: string, error: unknown): DoctorResult {
  const fault =
    error instanceof WireFault
      ? error
      : connectionFault(isNativeError(error) ? error : new Error(messageOf(error)), false, routeOf(settings));
  return failed(
    check,
    `${inOneLine(fault.message).replace(/\.$/, "")}.`,
    fault.advice ?? adviceOn(fault.message),
  );
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

async function nameText(address: URL, what: string): Promise<string> {
  const host = hostOf(address);
  if (isIP(host)) return `${what}${host} is an address, so no name is resolved`;
  const found = await lookup(host, { all: true });
  return `${what}${host} is ${found.map((one) => one.address).join(", ")}`;
}

/** Requests a tunnel from the proxy, as the provider does for each connection. */
async function tunnel(
  { settings, open }: Route,
  proxy: URL,
  signal: AbortSignal,
): Promise<readonly [string, Socket]> {
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
    if (socket && response.statusCode === 200) return [`the proxy opened a tunnel to ${path}`, socket];
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
async function completeHandshake(route: Route, settings: Settings, below: Socket): Promise<void> {
  const host = hostOf(new URL(settings.origin));
  const socket = await route.step("connection.tls", async (signal) => {
    const made = connectTls({
      socket: below,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      ...trustInService(settings),
      rejectUnauthorized: false,
    });
    // Only the outer socket is ended: Node 24.21 crashes if the socket below is destroyed before
    // its TLS socket.
    route.open.delete(below);
    await route.opened(made, "secureConnect", signal);
    return [`${made.getProtocol()}, ${made.getCipher().standardName}`, made];
  });
  if (socket) route.results.push(...judgeCertificate(settings, socket));
}

function judgeCertificate(settings: Settings, socket: TLSSocket): DoctorResult[] {
  const chain = describeChain(socket.getPeerCertificate(true), settings.caCert);
  if (settings.skipTlsVerification) {
    return [...chain, skipped("connection.trust", "Not checked, because skipTlsVerification is on.")];
  }
  if (socket.authorized)
    return [...chain, ok("connection.trust", "The certificate is trusted, and names the host")];
  const reason: unknown = socket.authorizationError;
  const code = isNativeError(reason) ? reason.message : String(reason);
  const error = Object.assign(new Error(code), { code });
  const { text, advice } = faultResult(settings, "connection.trust", error);
  return [...chain, failed("connection.trust", `The certificate is not trusted: ${text}`, advice)];
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
