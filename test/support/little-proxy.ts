import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";

/** What a proxy does with a CONNECT; by default it connects to the requested address. */
export interface ProxyWishes {
  /** Responses so instead. */
  readonly status?: number | undefined;
  /** Ends the connection instead. */
  readonly hangUp?: boolean | undefined;
  /** Connects there, whatever was requested: names of example.com lead nowhere. */
  readonly port?: number | undefined;
  readonly tls?: TlsOptions | undefined;
}

export interface LittleProxy {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** The CONNECTs, in order. */
  readonly connects: IncomingMessage[];
  /** Requests that were sent to the proxy itself, in absolute form. */
  readonly forwarded: IncomingMessage[];
  close(): Promise<void>;
}

export async function startProxy({ status, hangUp, port, tls }: ProxyWishes = {}): Promise<LittleProxy> {
  const connects: IncomingMessage[] = [];
  const forwarded: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = (request, response) => {
    forwarded.push(request);
    response.writeHead(501).end();
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const keep = (socket: Socket) => {
    sockets.add(socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket)));
  };
  server.on("connection", keep);
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    connects.push(request);
    if (hangUp) return void socket.destroy();
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port: requestedPort } = new URL(`http://${request.url}`);
    const onward = connect(
      port ?? Number(requestedPort),
      port === undefined ? hostname.replace(/[[\]]/g, "") : "127.0.0.1",
    );
    keep(onward);
    onward.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.once("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connects,
    forwarded,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
