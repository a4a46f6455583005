/** A stand-in for the API of GitHub and GitLab: the entries of its lists, and each write that it received. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ForgeApi {
  readonly url: string;
  /** Method, path and body of each request that was not a GET. */
  readonly writes: readonly (readonly [string, string, unknown])[];
  /** Value of the header that carries the token, of each request. */
  readonly tokens: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface ForgeResponses {
  /** Entries of each list, or an object, by the path without its query. */
  readonly lists?: Readonly<Record<string, unknown>>;
  /** Status of a write, by `POST /path`; default: 200. */
  readonly statuses?: Readonly<Record<string, number>>;
}

export async function startForgeApi({ lists = {}, statuses = {} }: ForgeResponses): Promise<ForgeApi> {
  const writes: [string, string, unknown][] = [];
  const tokens = new Set<string>();
  const server = createServer(async (request, response) => {
    tokens.add(String(request.headers.authorization ?? request.headers["private-token"]));
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "" } = request;
    if (method !== "GET") writes.push([method, pathname, JSON.parse(text)]);
    const entries = lists[pathname];
    const size = Number(searchParams.get("per_page"));
    const start = (Number(searchParams.get("page")) - 1) * size;
    const body = Array.isArray(entries) ? entries.slice(start, start + size) : entries;
    const status = statuses[`${method} ${pathname}`] ?? (method === "GET" && body === undefined ? 404 : 200);
    response.writeHead(status, { "Content-Type": "application/json" });
    // A response that repeats the token, as a proxy with debug output may.
    response.end(JSON.stringify(status < 400 ? (body ?? {}) : { message: [...tokens].join() }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    tokens,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
