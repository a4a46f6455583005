/** Addresses of the service and of a proxy. Pure. */
import { isIP } from "node:net";
import { attempt } from "../attempt";
import { isSet } from "./inputs";

/** Path of the API below the service's address (API document, "Base address"). */
export const API_PATH = "/api/public/v1.0";

export interface Location {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/api/public/v1.0`; empty for most. */
  readonly pathPrefix: string;
}

export function locate(
  address: string | undefined,
  insecureAllowed: boolean,
  faults: string[],
): Location | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    faults.push("baseUrl is not an address such as https://ops-manager.example.com:8443.");
    return undefined;
  }
  if (url.username || url.password) {
    faults.push("baseUrl contains credentials. Set publicKey and privateKey instead.");
  }
  if (url.search || url.hash) faults.push("baseUrl must not have a query or a fragment.");
  if (url.protocol === "http:" && !insecureAllowed && !isLoopback(url.hostname)) {
    faults.push(
      `baseUrl uses http:// to ${url.hostname}, which is not encrypted. Use https://, or set allowInsecureHttp to true to accept that.`,
    );
  }
  const path = withoutSlashes(url.pathname);
  const prefix = path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path;
  return { origin: url.origin, pathPrefix: withoutSlashes(prefix) };
}

function withoutSlashes(path: string): string {
  return path.replace(/\/+$/, "");
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether two addresses mean the same service, in whatever notation. */
export function sameAddress(one: unknown, other: unknown): boolean {
  if (!isSet(one) || !isSet(other)) return isSet(one) === isSet(other);
  const canonical = (value: unknown) => {
    const location = locate(String(value), true, []);
    return location ? location.origin + location.pathPrefix : String(value);
  };
  return canonical(one) === canonical(other);
}

/**
 * Whether an address is one of an HTTP proxy. Messages do not show it, because it may hold a
 * password.
 */
export function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && attempt(() => decodeURIComponent(username + password)) !== undefined;
}
