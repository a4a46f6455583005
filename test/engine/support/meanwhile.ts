/**
 * A gateway in front of the service. It changes something outside Pulumi when a certain request arrives, such as between the
 * read and the write of an operation, or the responses on their way. No test waits for a time.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { forward, relay } from "./held-responses";

export interface Meanwhile {
  /** Stands in front of the service. */
  readonly baseUrl: string;
  /** Does something once, before the next request of this method and path continues to the service. */
  before(method: string, path: RegExp, act: () => void): void;
  /** Changes the body of each response from now on. */
  rewriteResponses(rewrite: (body: string) => string): void;
  close(): Promise<void>;
}

export async function meanwhileAt(service: string): Promise<Meanwhile> {
  let next: { method: string; path: RegExp; act: () => void } | undefined;
  let rewrite: ((body: string) => string) | undefined;
  const server = createServer((incoming, outgoing) => {
    if (next && incoming.method === next.method && next.path.test(incoming.url ?? "")) {
      const { act } = next;
      next = undefined;
      act();
    }
    forward(
      service,
      incoming,
      (response) => (rewrite ? void relayRewritten(response, outgoing, rewrite) : relay(response, outgoing)),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    before: (method, path, act) => {
      next = { method, path, act };
    },
    rewriteResponses: (change) => {
      rewrite = change;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function relayRewritten(
  response: IncomingMessage,
  outgoing: ServerResponse,
  rewrite: (body: string) => string,
): Promise<void> {
  const body = rewrite(await text(response));
  const { "content-length": _length, "transfer-encoding": _encoding, ...headers } = response.headers;
  outgoing.writeHead(response.statusCode ?? 500, headers).end(body);
}
