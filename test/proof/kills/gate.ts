/** A proxy in front of the sandbox that counts requests and stops at one of them, before or after it is handled. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { forward, relay } from "../../engine/support/held-responses";

export type Moment = "before it is handled" | "after it is handled";

export interface Boundary {
  /** Counts from 1. */
  readonly request: number;
  readonly moment: Moment;
}

export interface Gate {
  readonly baseUrl: string;
  /** Where requests go. Set it before the first request arrives. */
  service: string;
  /** Requests since the last call of `startCounting`, such as `PATCH /groups/5f…`. */
  readonly requests: readonly string[];
  startCounting(): void;
  /**
   * Holds this request and drops every later one. The held request is not forwarded, or its response is not returned. Resolves when the
   * request is held.
   */
  stopAt(boundary: Boundary): Promise<void>;
  /** Drops what is held and forwards new requests. */
  open(): void;
  close(): Promise<void>;
}

export async function openGate(): Promise<Gate> {
  let requests: string[] = [];
  let stop: (Boundary & { readonly reached: () => void }) | undefined;
  const held = new Set<ServerResponse>();

  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    requests.push(`${incoming.method} ${incoming.url?.replace("/api/public/v1.0", "")}`);
    const isStop = stop?.request === requests.length;
    if (stop !== undefined && requests.length > stop.request) outgoing.destroy();
    else if (isStop && stop?.moment === "before it is handled") hold(outgoing);
    else {
      forward(
        gate.service,
        incoming,
        (response) => {
          if (isStop) response.resume().once("end", () => hold(outgoing));
          else relay(response, outgoing);
        },
        () => outgoing.destroy(),
      );
    }
  };
  const hold = (outgoing: ServerResponse): void => {
    held.add(outgoing);
    stop?.reached();
  };

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const gate: Gate = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    service: "",
    get requests() {
      return requests;
    },
    startCounting: () => {
      requests = [];
    },
    stopAt: (boundary) =>
      new Promise((reached) => {
        stop = { ...boundary, reached };
      }),
    open: () => {
      stop = undefined;
      for (const outgoing of held) outgoing.destroy();
      held.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}
