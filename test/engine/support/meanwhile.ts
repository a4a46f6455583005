/**
 * A service that is changed outside Pulumi when a certain request arrives, such as between the read
 * and the write of an operation. No test waits for a time.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { forward, relay } from "./held-responses";

export interface Meanwhile {
  /** Stands in front of the service. */
  readonly baseUrl: string;
  /** Does something once, before the next request of this method and path continues to the service. */
  before(method: string, path: RegExp, act: () => void): void;
  close(): Promise<void>;
}

export async function meanwhileAt(service: string): Promise<Meanwhile> {
  let next: { method: string; path: RegExp; act: () => void } | undefined;
  const server = createServer((incoming, outgoing) => {
    if (next && incoming.method === next.method && next.path.test(incoming.url ?? "")) {
      const { act } = next;
      next = undefined;
      act();
    }
    forward(
      service,
      incoming,
      (response) => relay(response, outgoing),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    before: (method, path, act) => {
      next = { method, path, act };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
