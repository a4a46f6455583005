/**
 * A service whose responses can be held back: the request takes effect, its response stays away until the test releases it. For
 * what happens to an operation in its middle, without any measuring of time.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HeldResponses {
  /** Stands in front of the service. */
  readonly baseUrl: string;
  /** Holds back the responses to successful requests of this method from now on. Resolves when the first one is held. */
  hold(method: string): Promise<void>;
  /** Resolves when a client no longer waits for a held response to a request of this method. */
  abandoned(method: string): Promise<void>;
  /** Lets the next responses through; those that were held never come. */
  stopHolding(): void;
  close(): Promise<void>;
}

export async function holdResponsesOf(service: string): Promise<HeldResponses> {
  let held: { method: string; arrived: () => void } | undefined;
  const waiting = new Map<string, (() => void)[]>();
  const server = createServer((incoming, outgoing) => {
    forward(
      service,
      incoming,
      (response) => {
        const succeeded = (response.statusCode ?? 500) < 300;
        if (!succeeded || held === undefined || incoming.method !== held.method)
          return relay(response, outgoing);
        response.resume();
        outgoing.once("close", () => {
          for (const resolve of waiting.get(incoming.method ?? "") ?? []) resolve();
        });
        held.arrived();
      },
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (method) =>
      new Promise((arrived) => {
        held = { method, arrived };
      }),
    abandoned: (method) =>
      new Promise((resolve) => {
        waiting.set(method, [...(waiting.get(method) ?? []), resolve]);
      }),
    stopHolding: () => {
      held = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function forward(
  service: string,
  incoming: IncomingMessage,
  answered: (response: IncomingMessage) => void,
  failed: () => void,
): void {
  const { method, headers, url = "/" } = incoming;
  const outgoing = request(new URL(url, service), { method: method ?? "GET", headers }, answered);
  outgoing.on("error", failed);
  incoming.pipe(outgoing);
}

export function relay(response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 500, response.headers);
  response.pipe(outgoing);
}
