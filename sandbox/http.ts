import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { TlsOptions } from "node:tls";

/** The plain HTTP that the API and the control address share. */

/** Largest accepted request body. */
const maxBodyBytes = 1024 * 1024;

export interface Incoming {
  readonly method: string;
  /** Path with query, as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly authorization: string | undefined;
  /** The body as text; undefined when it was larger than allowed. */
  readonly text: string | undefined;
}

/** Reads a request to its end (or to the size limit). */
export async function receive(request: IncomingMessage): Promise<Incoming> {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  return {
    method: request.method ?? "GET",
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)),
    contentType: request.headers["content-type"] ?? "",
    authorization: request.headers.authorization,
    text: await readBody(request),
  };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The body is read to its end even if it is too large. Otherwise the connection closes, and the
  // client gets a reset instead of the response.
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size <= maxBodyBytes) chunks.push(bytes);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

/** What goes back; `body` undefined sends none. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The body of a 204 is sent, as some servers do. */
  readonly bodyWith204?: boolean | undefined;
}

/** Statuses that never have a body (RFC 9110, 15.3.5 and 15.4.5). */
const isBodiless = (status: number): boolean => status === 204 || status === 304;

export function send(response: ServerResponse, outgoing: Outgoing, cutShort = false): void {
  const forbiddenBody = isBodiless(outgoing.status) && outgoing.bodyWith204 ? outgoing.body : undefined;
  if (forbiddenBody !== undefined) {
    sendForbiddenBody(response, outgoing, forbiddenBody);
    return;
  }
  const bytes = Buffer.from(isBodiless(outgoing.status) ? "" : (outgoing.body ?? ""), "utf8");
  const length: Record<string, string> = isBodiless(outgoing.status)
    ? {}
    : { "Content-Length": String(bytes.length) };
  response.writeHead(outgoing.status, { ...outgoing.headers, ...length });
  if (!cutShort) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** Node leaves the body of a 204 out, so it goes to the connection itself, behind the header. */
function sendForbiddenBody(response: ServerResponse, { status, headers }: Outgoing, body: string): void {
  response.writeHead(status, { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  const { socket } = response;
  response.end();
  socket?.write(body);
}

/** A started HTTP server. */
export interface Listening {
  /** `http://127.0.0.1:PORT`, or `https://` */
  readonly url: string;
  /** Ends all connections at once, refuses new ones for so many milliseconds, and is there again on the same port. */
  refuse(milliseconds: number): Promise<void>;
  /** Ends all connections at once and frees the port. */
  close(): Promise<void>;
}

/** Starts a server on the loopback address; port 0 takes a free one. */
export async function listen(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  tls?: TlsOptions,
): Promise<Listening> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // The client of an interrupted request is no longer there.
    handle(request, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // Longer than clients keep an idle connection: otherwise a client may reuse one that is just being closed.
  server.keepAliveTimeout = 120_000;
  await listenOn(server, port);
  const address = server.address() as AddressInfo;
  const closing = new AbortController();
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${address.port}`,
    refuse: async (milliseconds) => {
      await closeServer(server);
      await wait(milliseconds, undefined, { signal: closing.signal });
      await listenOn(server, address.port);
    },
    close: async () => {
      closing.abort();
      await closeServer(server);
    },
  };
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
