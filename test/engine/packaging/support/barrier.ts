import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that refuses all connections to the internet and records their targets. */
export interface Barrier {
  /** `host:port` of each connection that was requested. */
  readonly attempts: readonly string[];
  /** Sends a process here; loopback addresses stay open. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startBarrier(): Promise<Barrier> {
  const attempts: string[] = [];
  const server = createServer((request, response) => {
    attempts.push(request.url ?? "");
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    attempts.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    attempts,
    env: { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: "127.0.0.1,localhost" },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
