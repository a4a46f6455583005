/** Addresses of the service and of a proxy. Pure. */
import { isIP } from "node:net";
import { attempt } from "../attempt";
import { isSet } from "./inputs";

/** Path of the API below the service's address (API document, "Base address"). */
export const API_PATH = "/api/public/v1.0";

/** The token endpoint of Cloud Manager (documentation of Cloud Manager, service accounts). */
const CLOUD_MANAGER_TOKEN_URL = "https://cloud.mongodb.com/api/oauth/token";

export function isCloudManager({ origin }: Pick<Location, "origin">): boolean {
  return origin === new URL(CLOUD_MANAGER_TOKEN_URL).origin;
}

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
  const url = checkedUrl(BASE_URL, address, insecureAllowed, faults);
  if (!url) return undefined;
  const path = withoutSlashes(url.pathname);
  const prefix = path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path;
  return { origin: url.origin, pathPrefix: withoutSlashes(prefix) };
}

/**
 * The token endpoint of a service account: `tokenUrl`, or that of Cloud Manager for its own address.
 *
 * @param origin of the service; `undefined` if baseUrl is wrong, which is a fault of its own
 * @param unusedSource has a tokenUrl that is not used, for the message
 */
export function tokenUrlFor(
  tokenUrl: string | undefined,
  origin: string | undefined,
  insecureAllowed: boolean,
  unusedSource: string | undefined,
  faults: string[],
): string | undefined {
  if (tokenUrl !== undefined) return checkedUrl(TOKEN_URL, tokenUrl, insecureAllowed, faults)?.href;
  if (origin === undefined || isCloudManager({ origin })) {
    return CLOUD_MANAGER_TOKEN_URL;
  }
  const hint = unusedSource
    ? ` The tokenUrl in ${unusedSource} is used only with credentials from there.`
    : "";
  faults.push(
    `clientId is set, and baseUrl (${origin}) is not Cloud Manager. Only Cloud Manager has service accounts. Set publicKey and privateKey instead. If ${origin} leads to Cloud Manager, set tokenUrl, such as ${CLOUD_MANAGER_TOKEN_URL}.${hint}`,
  );
  return undefined;
}

/** A setting that is an address, for messages about it. */
interface AddressSetting {
  readonly name: string;
  readonly example: string;
  /** The settings for credentials, which do not belong in the address. */
  readonly credentials: string;
}

const BASE_URL: AddressSetting = {
  name: "baseUrl",
  example: "https://ops-manager.example.com:8443",
  credentials: "publicKey and privateKey",
};
const TOKEN_URL: AddressSetting = {
  name: "tokenUrl",
  example: CLOUD_MANAGER_TOKEN_URL,
  credentials: "clientId and clientSecret",
};

/** @returns `undefined` for a text that is no address; it is further checked despite other faults */
function checkedUrl(
  { name, example, credentials }: AddressSetting,
  address: string,
  insecureAllowed: boolean,
  faults: string[],
): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    faults.push(`${name} is not an address such as ${example}.`);
    return undefined;
  }
  if (url.username || url.password) {
    faults.push(`${name} contains credentials. Set ${credentials} instead.`);
  }
  if (url.search || url.hash) faults.push(`${name} must not have a query or a fragment.`);
  if (url.protocol === "http:" && !insecureAllowed && !isLoopback(url.hostname)) {
    faults.push(
      `${name} uses http:// to ${url.hostname}, which is not encrypted. Use https://, or set allowInsecureHttp to true to accept that.`,
    );
  }
  return url;
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
