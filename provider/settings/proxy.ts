/**
 * The proxy that the environment configures: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Names in
 * lower case have precedence, as in curl and Node.
 */
import { BlockList, isIP } from "node:net";
import { own } from "../text/own";
import { isLoopback, isProxyAddress } from "./address";
import { isSet } from "./inputs";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the proxy from the environment by the rules of Go programs (the engine, MongoDB's own
 * tools). Loopback addresses never use a proxy of the environment, and an address without a scheme
 * means `http://`.
 *
 * @param origin of the service
 * @returns `undefined` for a direct connection
 */
export function proxyFromEnvironment(env: Environment, origin: string, faults: string[]): string | undefined {
  const name = proxyVariable(env, origin);
  if (name === undefined) return undefined;
  const text = String(own(env, name)).trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (isProxyAddress(address)) return address;
  faults.push(
    `${name} of the environment is not the address of an HTTP proxy, such as http://user:password@proxy.example.com:3128. Set proxyUrl instead, or name ${hostOf(origin)} in NO_PROXY to connect without a proxy.`,
  );
  return undefined;
}

/**
 * Name of the environment variable with the proxy for this service; `undefined` for a direct
 * connection.
 */
export function proxyVariable(env: Environment, origin: string): string | undefined {
  const { protocol, port } = new URL(origin);
  const host = hostOf(origin);
  const scheme = protocol.slice(0, -1);
  const name = spellingIn(env, `${scheme}_proxy`);
  if (name === undefined || isLoopback(host)) return undefined;
  const exceptions = own(env, spellingIn(env, "no_proxy") ?? "") ?? "";
  return isException(exceptions, host, port || (scheme === "https" ? "443" : "80")) ? undefined : name;
}

function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function spellingIn(env: Environment, name: string): string | undefined {
  return [name, name.toUpperCase()].find((spelling) => isSet(own(env, spelling)));
}

/**
 * Whether NO_PROXY covers a host. Entries are separated by commas or spaces:
 * - `*`
 * - a host with all its subdomains, also written `.example.com`
 * - `*.example.com` for the subdomains only
 * - an IP address
 * - a network such as `10.0.0.0/8`
 *
 * An entry with `:port` covers that port only.
 */
function isException(list: string, host: string, port: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => covers(entry, host.toLowerCase(), port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (isIP(entry) !== 0) return isInNetwork(host, entry);
  const [, named = entry, entryPort = port] = /^(.*):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== port) return false;
  const pattern = named.replace(/^\[|\]$/g, "").replace(/(?<=.)\.$/, "");
  if (pattern === "*") return true;
  if (isInNetwork(host, pattern)) return true;
  const below = pattern.replace(/^\*?\./, "");
  return host.endsWith(`.${below}`) || (host === below && !pattern.startsWith("*"));
}

function isInNetwork(host: string, network: string): boolean {
  const [address = "", prefix] = network.split("/");
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family) return false;
  const longest = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? longest : Number(prefix);
  if (!Number.isInteger(bits) || bits < 0 || bits > longest) return false;
  const kind = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, bits, kind);
  return list.check(host, kind);
}
