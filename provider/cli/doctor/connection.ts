/**
 * Checks the connection route to the service below HTTP: name, connection, proxy, TLS. Each step
 * is done as the provider does it, and reported.
 */
import { lookup } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isNativeError } from "node:util/types";
import type { Settings } from "../../config";
import { messageOf } from "../../errors";
import { connectionFault, routeOf, trustInProxy, trustInService, WireFault } from "../../transport";
import { inOneLine } from "../../visible-text";
import { describeChain } from "./certificates";
import { type Finding, failed, ok, skipped } from "./finding";

interface ConnectionCheck {
  readonly findings: readonly Finding[];
  /** Whether a request can be sent. */
  readonly isUsable: boolean;
}

/**
 * Time limit of a step: as long as the provider waits for a connection, or less if the settings
 * require it.
 */
const LONGEST_STEP_SECONDS = 10;

export async function checkConnection(settings: Settings, stop: AbortSignal): Promise<ConnectionCheck> {
  const findings: Finding[] = [];
  const open: Socket[] = [];
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  stop.addEventListener("abort", end, { once: true });
  try {
    const socket = await reach(settings, findings, open);
    if (socket && isHttps(settings.origin)) await shake(settings, socket, findings, open);
    else if (socket) findings.push(skipped("connection.tls", "The address is http://: there is no TLS."));
  } finally {
    stop.removeEventListener("abort", end);
    end();
  }
  stop.throwIfAborted();
  return { findings, isUsable: findings.every(({ outcome }) => outcome !== "failed") };
}

/** Opens a connection to the service itself, including the proxy's tunnel. */
async function reach(settings: Settings, findings: Finding[], open: Socket[]): Promise<Socket | undefined> {
  const { origin, proxyUrl } = settings;
  const next = new URL(proxyUrl ?? origin);
  const what = proxyUrl === undefined ? "" : "proxy ";
  if (proxyUrl !== undefined) {
    findings.push(
      skipped("connection.name", `${hostOf(new URL(origin))} is looked up by the proxy, not from here.`),
    );
  }
  const check = proxyUrl === undefined ? "connection" : "connection.proxy";
  const isFound = await step(settings, findings, `${check}.name`, async () => nameOf(next, what));
  if (!isFound) return undefined;
  const socket = await step(settings, findings, `${check}.port`, async () => {
    const start = performance.now();
    const made = connect({ host: hostOf(next), port: portOf(next) });
    open.push(made);
    await once(settings, made, "connect");
    return [`${what}${next.hostname}:${portOf(next)} takes connections (${since(start)})`, made];
  });
  if (!socket || proxyUrl === undefined) return socket;
  return step(settings, findings, `${check}.tunnel`, async () => tunnel(settings, new URL(proxyUrl), open));
}

/**
 * Runs one step, and converts its result into a finding. @returns the result, `undefined` on
 * failure
 */
async function step<T>(
  settings: Settings,
  findings: Finding[],
  check: string,
  run: () => Promise<readonly [string, T]>,
): Promise<T | undefined> {
  try {
    const [says, made] = await run();
    findings.push(ok(check, says));
    return made;
  } catch (error) {
    findings.push(faultFinding(settings, check, error));
    return undefined;
  }
}

export function faultFinding(settings: Settings, check: string, error: unknown): Finding {
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
    return "Nothing listens there: check host and port of baseUrl, and that the service is up.";
  }
  if (/ECONNRESET|socket hang up|before secure/.test(message)) {
    return "Something ended the connection: check that baseUrl names the right port, and firewalls on the way.";
  }
  return "Check baseUrl, the network, firewalls and proxyUrl.";
}

async function nameOf(address: URL, what: string): Promise<readonly [string, true]> {
  const host = hostOf(address);
  if (isIP(host)) return [`${what}${host} is an address: no name to look up`, true];
  const found = await lookup(host, { all: true });
  return [`${what}${host} is ${found.map((one) => one.address).join(", ")}`, true];
}

/** Requests a tunnel from the proxy, as the provider does for each connection. */
async function tunnel(settings: Settings, proxy: URL, open: Socket[]): Promise<readonly [string, Socket]> {
  const service = new URL(settings.origin);
  const path = `${service.hostname}:${portOf(service)}`;
  const isTls = proxy.protocol === "https:";
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const headers = {
    host: path,
    ...(proxy.username === ""
      ? {}
      : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` }),
  };
  const request = (isTls ? requestHttps : requestHttp)({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: "CONNECT",
    path,
    headers,
    agent: false,
    ...(isTls ? trustInProxy(settings) : {}),
  });
  return inTime(
    settings,
    new Promise((resolve, reject) => {
      request.once("error", reject);
      request.once("response", (response) => {
        response.resume();
        reject(refusedByProxy(response.statusCode));
      });
      request.once("connect", (response, socket) => {
        open.push(socket);
        if (response.statusCode === 200) resolve([`the proxy leads to ${path}`, socket]);
        else reject(refusedByProxy(response.statusCode));
      });
      request.end();
    }),
    () => request.destroy(),
  );
}

/** The error in undici's wording, which the transport interprets. */
function refusedByProxy(status = 0): Error {
  return new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`);
}

/**
 * Completes the handshake even if the certificate is not trusted: the certificate shows the
 * reason.
 */
async function shake(settings: Settings, below: Socket, findings: Finding[], open: Socket[]): Promise<void> {
  const host = hostOf(new URL(settings.origin));
  const socket = await step(settings, findings, "connection.tls", async () => {
    const made = connectTls({
      socket: below,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      ...trustInService(settings),
      rejectUnauthorized: false,
    });
    // Only the outer socket is ended: Node 24.21 crashes if the socket below is destroyed before
    // its TLS socket.
    open.splice(open.indexOf(below), 1, made);
    await once(settings, made, "secureConnect");
    return [`${made.getProtocol()}, ${made.getCipher().standardName}`, made] as const;
  });
  if (socket) findings.push(...judgeCertificate(settings, socket));
}

function judgeCertificate(settings: Settings, socket: TLSSocket): Finding[] {
  const chain = describeChain(socket.getPeerCertificate(true), settings.caCert);
  if (settings.skipTlsVerification) {
    return [...chain, skipped("connection.trust", "Not checked, as skipTlsVerification is on.")];
  }
  if (socket.authorized)
    return [...chain, ok("connection.trust", "The certificate is trusted, and names the host")];
  const reason: unknown = socket.authorizationError;
  const code = isNativeError(reason) ? reason.message : String(reason);
  const error = Object.assign(new Error(code), { code });
  const { says, advice } = faultFinding(settings, "connection.trust", error);
  return [...chain, failed("connection.trust", `The certificate is not trusted: ${says}`, advice)];
}

function once(settings: Settings, socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return inTime(
    settings,
    new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(new Error(`the connection ended before ${event}`)));
      socket.once(event, () => resolve());
    }),
    () => socket.destroy(),
  );
}

async function inTime<T>({ requestTimeoutSeconds }: Settings, work: Promise<T>, end: () => void): Promise<T> {
  const most = Math.min(LONGEST_STEP_SECONDS, requestTimeoutSeconds);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new WireFault("timeout", false, `no answer within ${most} s`)),
      most * 1000,
    );
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function isHttps(address: string): boolean {
  return address.startsWith("https:");
}

function since(start: number): string {
  return `${Math.round(performance.now() - start)} ms`;
}
