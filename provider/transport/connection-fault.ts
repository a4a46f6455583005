/**
 * Classifies the errors of network libraries: whether the request was sent, whether to retry, what
 * to do.
 */
import { isNativeError } from "node:util/types";
import { WireFault } from "./wire";

/** The connection route between this machine and the service, as far as advice depends on it. */
export interface ConnectionRoute {
  readonly proxy?: { readonly host: string; readonly hasCredentials: boolean } | undefined;
  readonly hasCaCert: boolean;
  readonly hasClientCert: boolean;
}

/** @param sent the request was written to a connection */
export function connectionFault(error: Error, sent: boolean, route: ConnectionRoute): WireFault {
  const chain = chainOf(error);
  // undici's message for a proxy's certificate does not name the fault; the next cause does.
  const isOfProxy = chain[0]?.code === "UND_ERR_PRX_TLS";
  const causes = isOfProxy ? chain.slice(1) : chain;
  const text =
    causes
      .map(({ message }) => message)
      .find(Boolean)
      ?.replace(NODE_ADVICE, "")
      .replace(OPENSSL_RECORD, "$1") ?? error.name;
  const codes = causes.flatMap(({ code }) => (code === undefined ? [] : [code]));
  const options = { cause: error };
  const refusal = refusalByProxy(text, route, options);
  if (refusal) return refusal;
  const plain = codes[0] && !text.includes(codes[0]) ? `${text} (${codes[0]})` : text;
  const message = route.proxy && !sent ? `${plain}, by way of the proxy ${route.proxy.host}` : plain;
  // In TLS 1.3 the server checks the client certificate after the client may send data. The server
  // has not read the request by then.
  if (codes.some((code) => CLIENT_CERTIFICATE.test(code))) {
    return new WireFault("untrusted", false, message, { ...options, advice: onClientCertificate(route) });
  }
  if (!sent && codes.some((code) => HANDSHAKE.test(code) && !/TIMEOUT/.test(code))) {
    return new WireFault("untrusted", false, message, {
      ...options,
      advice: isOfProxy
        ? "Use a host name in proxyUrl that the proxy's certificate contains."
        : onTrust(plain, route),
    });
  }
  return new WireFault("broken", sent, message, options);
}

/** Advice that Node adds although the system's authorities are already in use. */
const NODE_ADVICE = /; if the root CA is installed locally.*--use-system-ca/;

/**
 * A record of OpenSSL's error queue: thread, code, library, function, reason, file and line. Only
 * the reason helps.
 */
const OPENSSL_RECORD = /(?:write EPROTO )?[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):[^:]*:\d+:.*/s;

/**
 * Codes of Node's TLS for a failed handshake: an untrusted chain, a wrong name, or no TLS at all.
 */
const HANDSHAKE = /CERT|ERR_TLS|ERR_SSL|ERR_OSSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/;

/** TLS alerts of the server about the client certificate (RFC 8446 section 6.2). */
const CLIENT_CERTIFICATE =
  /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/;

function onClientCertificate({ hasClientCert }: ConnectionRoute): string {
  return hasClientCert
    ? "The service does not accept the certificate in clientCert. It may have expired, or the service does not trust its authority."
    : "The service requires a client certificate. Set clientCert and clientKey.";
}

function onTrust(message: string, route: ConnectionRoute): string {
  if (/ALTNAME/.test(message)) return "Use a host name in baseUrl that the certificate contains.";
  if (/EXPIRED/.test(message)) return "The service's certificate has expired. Renew it.";
  if (/NOT_YET_VALID/.test(message)) return "The certificate is not valid yet. Check this machine's clock.";
  if (/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/i.test(message)) {
    return "The service offers only TLS versions that are no longer safe. Enable TLS 1.2 or newer.";
  }
  if (/ALERT_HANDSHAKE_FAILURE/.test(message)) {
    return `The service may require ${route.hasClientCert ? "another client certificate than the one in clientCert" : "a client certificate (set clientCert and clientKey)"}, or it offers no cipher that is still safe.`;
  }
  if (/EPROTO|ERR_SSL|ERR_TLS/.test(message)) return "Check that baseUrl names an https:// port.";
  return route.hasCaCert
    ? "caCert contains another authority than the one that signed it, or the service does not send its intermediate certificates. Add them to caCert."
    : "Set caCert to the certificate of the authority that signed it.";
}

/**
 * Detects a CONNECT request that the proxy rejected. undici reports it only in its message.
 * Nothing was sent to the service then.
 *
 * @returns `undefined` if the proxy has not rejected it
 */
function refusalByProxy(
  text: string,
  { proxy }: ConnectionRoute,
  options: ErrorOptions,
): WireFault | undefined {
  const status = Number(/^Proxy response \((\d{3})\)/.exec(text)?.[1]);
  if (!proxy || Number.isNaN(status)) return undefined;
  const message = `the proxy ${proxy.host} returned status ${status} instead of connecting`;
  if (status >= 500 || status === 429) return new WireFault("broken", false, message, options);
  return new WireFault("proxyRefused", false, message, { ...options, advice: onProxy(status, proxy) });
}

function onProxy(status: number, { hasCredentials }: NonNullable<ConnectionRoute["proxy"]>): string {
  if (status !== 407) return "Have its administrator allow this address, or use another proxy.";
  return hasCredentials
    ? "It does not accept the user and password in proxyUrl (or in the environment's HTTPS_PROXY), or it does not support Basic authentication."
    : "It requires a user and a password. Put them into proxyUrl (or the environment's HTTPS_PROXY), before the host.";
}

interface Cause {
  readonly message: string;
  readonly code?: string;
}

/** Lists the error, its causes, and the errors inside an AggregateError (one for each address). */
function chainOf(error: unknown): Cause[] {
  if (!isNativeError(error)) return [];
  const inner = "errors" in error && Array.isArray(error.errors) ? error.errors.flatMap(chainOf) : [];
  const code = "code" in error ? { code: String(error.code) } : {};
  return [{ message: error.message, ...code }, ...inner, ...chainOf(error.cause)];
}
