/** The innermost layer: undici's connection pool with its TLS and proxy. */
import { getCACertificates, rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import { type ExchangeSettings, exchange } from "./exchange";
import type { Send } from "./wire";

export interface PoolSettings extends ExchangeSettings {
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly skipTlsVerification: boolean;
  readonly maxConcurrentRequests: number;
}

/** Below the 5 seconds after which Node servers close an idle connection, so that we close first. */
const KEEP_ALIVE_MILLISECONDS = 4_000;
const LONGEST_CONNECT_MILLISECONDS = 10_000;

export interface Pool {
  readonly send: Send;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

export function createPool(settings: PoolSettings): Pool {
  let dispatcher: Dispatcher | undefined;
  return {
    send: (request) => {
      dispatcher ??= createDispatcher(settings);
      return exchange(dispatcher, settings, request);
    },
    close: async () => dispatcher?.destroy(),
  };
}

function createDispatcher(settings: PoolSettings): Dispatcher {
  // Loaded with the first request: processes that only check or read the schema do without its 9 MB and 60 ms.
  const { Agent, ProxyAgent } = require("undici") as typeof import("undici");
  const connect = {
    timeout: Math.min(LONGEST_CONNECT_MILLISECONDS, settings.requestTimeoutSeconds * 1000),
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: !settings.skipTlsVerification,
    ...(settings.caCert === undefined ? {} : { ca: besidePublicOnes(settings.caCert) }),
    ...(settings.clientCert === undefined ? {} : { cert: settings.clientCert }),
    ...(settings.clientKey === undefined ? {} : { key: settings.clientKey }),
  };
  const shared = { connections: settings.maxConcurrentRequests, keepAliveTimeout: KEEP_ALIVE_MILLISECONDS };
  return settings.proxyUrl === undefined
    ? new Agent({ ...shared, connect })
    : new ProxyAgent({ ...shared, uri: settings.proxyUrl, requestTls: connect });
}

/** A private CA comes beside the public ones, not instead of them: a proxy on the way may have one of those. */
function besidePublicOnes(caCert: string): string[] {
  // The defaults include NODE_EXTRA_CA_CERTS; Node 22 before 22.15 cannot list them.
  const standard = typeof getCACertificates === "function" ? getCACertificates("default") : rootCertificates;
  return [...standard, caCert];
}
