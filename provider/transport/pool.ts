/** The innermost layer: undici's connection pool, its failures sorted by what is known about the outcome. */
import { Agent, type Dispatcher, errors, ProxyAgent, request as undiciRequest } from "undici";
import { type Send, WireFault, type WireFaultKind, type WireRequest, type WireResponse } from "./wire";

export interface PoolSettings {
  /** Origin of the service: scheme, host and port. */
  readonly origin: string;
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly skipTlsVerification: boolean;
  /** Seconds until an exchange without a complete answer is given up. */
  readonly requestTimeoutSeconds: number;
  readonly maxConcurrentRequests: number;
}

/** An answer longer than this is not read on: 32 MiB hold far more than 500 users with all their roles. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Below the 5 seconds after which Node servers close an idle connection, so that we close first. */
const KEEP_ALIVE_MILLISECONDS = 4_000;

/** Codes of Node and undici for failures before anything of the request can have been sent. */
const UNSENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_TLS_HANDSHAKE_TIMEOUT",
]);
/** Codes of Node's TLS for a chain or a name it does not accept. */
const UNTRUSTED = /CERT|ERR_TLS|ERR_SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/;

export interface Pool {
  readonly send: Send;
  close(): Promise<void>;
}

export function createPool(settings: PoolSettings): Pool {
  const dispatcher = createDispatcher(settings);
  return {
    send: (request) => exchange(dispatcher, settings, request),
    close: () => dispatcher.destroy(),
  };
}

function createDispatcher(settings: PoolSettings): Dispatcher {
  const tls = {
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: !settings.skipTlsVerification,
    ...(settings.caCert === undefined ? {} : { ca: withSystemStore(settings.caCert) }),
    ...(settings.clientCert === undefined ? {} : { cert: settings.clientCert }),
    ...(settings.clientKey === undefined ? {} : { key: settings.clientKey }),
  };
  const shared = { connections: settings.maxConcurrentRequests, keepAliveTimeout: KEEP_ALIVE_MILLISECONDS };
  return settings.proxyUrl === undefined
    ? new Agent({ ...shared, connect: tls })
    : new ProxyAgent({ ...shared, uri: settings.proxyUrl, requestTls: tls });
}

/** A private CA comes beside the public ones, not instead of them: the same program may reach Cloud Manager. */
function withSystemStore(caCert: string): string[] {
  const { rootCertificates } = require("node:tls") as typeof import("node:tls");
  return [...rootCertificates, caCert];
}

async function exchange(
  dispatcher: Dispatcher,
  settings: PoolSettings,
  request: WireRequest,
): Promise<WireResponse> {
  const timeout = AbortSignal.timeout(settings.requestTimeoutSeconds * 1000);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await undiciRequest(settings.origin + request.target, {
      dispatcher,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const body = await readBody(response.body, response.statusCode);
    return { status: response.statusCode, headers: response.headers, body };
  } catch (error) {
    if (error instanceof WireFault) throw error;
    throw faultOf(error, request.signal?.aborted ? "cancelled" : timeout.aborted ? "timeout" : undefined);
  }
}

async function readBody(body: Dispatcher.ResponseData["body"], status: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) {
      throw new WireFault("oversize", `the answer (status ${status}) is longer than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function faultOf(error: unknown, known: WireFaultKind | undefined): WireFault {
  const causes = chainOf(error);
  const codes = causes.map((cause) => ("code" in cause ? String(cause.code) : "")).filter(Boolean);
  const kind = known ?? kindOf(codes, error);
  const text = causes.map((cause) => cause.message).find(Boolean) ?? String(error);
  return new WireFault(kind, codes[0] && !text.includes(codes[0]) ? `${text} (${codes[0]})` : text, {
    cause: error,
  });
}

function kindOf(codes: readonly string[], error: unknown): WireFaultKind {
  if (codes.some((code) => UNSENT.has(code))) return "unsent";
  if (codes.some((code) => UNTRUSTED.test(code))) return "untrusted";
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
    ? "timeout"
    : "lost";
}

/** The error, its causes, and what an AggregateError of several addresses holds. */
function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(chainOf) : [];
  return [error, ...inner, ...chainOf(error.cause)];
}
