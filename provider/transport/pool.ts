/** The innermost layer: undici's connection pool with its TLS and proxy. */
import type { buildConnector, Dispatcher } from "undici";
import type { ConnectionRoute } from "./connection-fault";
import { type ExchangeSettings, exchange } from "./exchange";
import { type TrustSettings, trustInProxy, trustInService } from "./trust";
import type { SendRequest } from "./wire";

export interface PoolSettings extends TrustSettings, Omit<ExchangeSettings, "route"> {
  readonly proxyUrl?: string | undefined;
  readonly maxConcurrentRequests: number;
}

/**
 * Less than the 5 seconds after which Node servers close an idle connection, so this side closes
 * first.
 */
const KEEP_ALIVE_MILLISECONDS = 4_000;
const LONGEST_CONNECT_MILLISECONDS = 10_000;

export interface Pool {
  readonly send: SendRequest;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

export function createPool(settings: PoolSettings): Pool {
  const { origin, requestTimeoutSeconds } = settings;
  const exchangeSettings = { origin, requestTimeoutSeconds, route: routeOf(settings) };
  let dispatcher: Dispatcher | undefined;
  const sendFirst: SendRequest = async (request) => {
    dispatcher ??= createDispatcher(settings);
    return exchange(dispatcher, exchangeSettings, request);
  };
  return {
    send: (request) => (dispatcher ? exchange(dispatcher, exchangeSettings, request) : sendFirst(request)),
    close: async () => dispatcher?.destroy(),
  };
}

function createDispatcher(settings: PoolSettings): Dispatcher {
  const { origin, proxyUrl, maxConcurrentRequests, requestTimeoutSeconds } = settings;
  // Loaded with the first request. Processes that only check settings or print the schema save its
  // 9 MB and 60 ms.
  const { Pool, ProxyAgent, buildConnector } = require("undici") as typeof import("undici");
  const timeout = Math.min(LONGEST_CONNECT_MILLISECONDS, requestTimeoutSeconds * 1000);
  const connect = isHttps(origin) ? { timeout, ...trustInService(settings) } : { timeout };
  const shared = {
    connections: maxConcurrentRequests,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    // One request at a time on a connection, so a failure of the connection affects that request
    // alone.
    allowH2: false,
  };
  if (proxyUrl === undefined) {
    const connector = buildConnector({ ...connect, allowH2: false });
    // Pool instead of Agent: there is one origin, and Agent would search the origin's pool for
    // each request.
    return new Pool(origin, { ...shared, connect: keepingFirstError(connector) });
  }
  return new ProxyAgent({
    ...shared,
    uri: proxyUrl,
    // Also for http://: a proxy does not read or cache what passes through a tunnel.
    proxyTunnel: true,
    connectTimeout: timeout,
    requestTls: connect,
    ...(isHttps(proxyUrl) ? { proxyTls: trustInProxy(settings) } : {}),
    factory: (target, options: { connect?: buildConnector.connector }) =>
      new Pool(
        target,
        options.connect ? { ...options, connect: keepingFirstError(options.connect) } : options,
      ),
  });
}

/**
 * Reports a TLS alert as the error of its socket. An alert after the handshake, such as
 * "certificate required", is an error of the socket, followed by its end. undici would report the
 * end, which does not show that the request was not read. A socket destroyed with the alert
 * reports the alert.
 */
function keepingFirstError(connector: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connector(options, (...result) => {
      const [, socket] = result;
      socket?.once("error", (error) => socket.destroy(error));
      callback(...result);
    });
}

export function routeOf({ proxyUrl, caCert, clientCert }: PoolSettings): ConnectionRoute {
  const proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  return {
    proxy: proxy && { host: proxy.host, hasCredentials: proxy.username !== "" },
    hasCaCert: caCert !== undefined,
    hasClientCert: clientCert !== undefined,
  };
}

function isHttps(address: string): boolean {
  return /^https:/i.test(address);
}
