import type { ApiKey, ServiceAccount } from "./model";
import type { RateLimits } from "./rate-limit";
import type { World } from "./store";

/** One authenticated call of the API, as a route sees it. */
export interface Call {
  readonly world: World;
  readonly limits: RateLimits;
  readonly key: ApiKey | ServiceAccount;
  readonly query: URLSearchParams;
  /** The parsed body; undefined when the request had none. */
  readonly body: unknown;
  /** Address of the API (`http://.../api/public/v1.0`), for links. */
  readonly apiUrl: string;
  /** The address from which the request comes. */
  readonly ip: string;
  /** Path below the API's address, for links. */
  readonly path: string;
  /** A path parameter by its name in the route's pattern. */
  param(name: string): string;
}

/** A route's response. */
export interface Reply {
  readonly status: number;
  /** Left out: no body. */
  readonly body?: unknown;
  /** Sends the body with a 204 too, although HTTP does not allow it (RFC 9110, 15.3.5). */
  readonly bodyWith204?: boolean;
  /** A paged list: an envelope only adds `status` to it. */
  readonly isList?: boolean;
}

/** Where a route is to be found. */
export interface Address {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Such as `/groups/{groupId}/invites`. */
  readonly pattern: string;
}

export interface Route extends Address {
  /** One of the four operations of the API document. */
  readonly documented?: boolean;
  readonly handle: (call: Call) => Reply;
}

export type Match<R extends Address> =
  | { readonly found: "route"; readonly route: R; readonly params: ReadonlyMap<string, string> }
  | { readonly found: "path" }
  | { readonly found: "nothing" };

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function matchPattern(pattern: string, path: string): Map<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === "") return undefined;
    params.set(part.slice(1, -1), value);
  }
  return params;
}

/** Finds the route for a request; the first pattern that fits wins, so `byName` is before `{id}`. */
export function findRoute<R extends Address>(routes: readonly R[], method: string, path: string): Match<R> {
  let pathIsKnown = false;
  for (const route of routes) {
    const params = matchPattern(route.pattern, path);
    if (params === undefined) continue;
    if (route.method === method) return { found: "route", route, params };
    pathIsKnown = true;
  }
  return { found: pathIsKnown ? "path" : "nothing" };
}
