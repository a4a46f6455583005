import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string;
  /** How many connections there were so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A server below HTTP: `response` gets what came in one piece, and writes arbitrary bytes. */
export async function startRawServer(
  response: (socket: Socket, request: string, connection: number) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket.on("error", () => socket.destroy()));
    socket.on("data", (data) => response(socket, data.toString("latin1"), connection));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
