/**
 * A connection that the service closed while it was idle costs nothing.
 *
 * undici reads an idle connection for one turn of the event loop before it writes on it, so that whatever has arrived
 * by then, the end of the connection too, is seen first. Only an end that crosses a request on its way is left: that is a
 * reset before a response, with the outcomes of `outcomes.test.ts`.
 */
import type { Socket } from "node:net";
import { createProject, getProject } from "../../../provider/api/projects";
import { type RawServer, startRawServer } from "./raw-server";
import { clientFactory } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const body = JSON.stringify({ id, name: "payments", orgId: "5f00000000000000000000b1" });
const response = (more = "") =>
  `HTTP/1.1 200 OK\r\n${more}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

let server: RawServer | undefined;
afterEach(() => server?.close());

async function serving(afterResponse: (socket: Socket) => void, header?: string) {
  const requests: string[] = [];
  const made = await startRawServer((socket, request) => {
    requests.push(request);
    socket.write(response(header));
    afterResponse(socket);
  });
  server = made;
  const keys = { publicKey: "public", privateKey: "private-part", maxRetries: 4 };
  const { client, lines } = start.client({ baseUrl: made.baseUrl, ...keys });
  const attempts = () => lines.filter((line) => line.includes("attempt"));
  return { client, requests, attempts, connections: made.connections };
}

const ROUNDS = 50;

describe.each<[string, (socket: Socket) => void]>([
  ["ends", (socket) => socket.end()],
  ["ends a moment after the response", (socket) => void setImmediate(() => socket.end())],
  ["is destroyed a moment after the response", (socket) => void setImmediate(() => socket.destroy())],
  ["is reset a moment after the response", (socket) => void setImmediate(() => socket.resetAndDestroy())],
])("a connection that %s", (_, afterResponse) => {
  test("without a word fails no call and costs no attempt, and no POST is sent twice", async () => {
    const { client, requests, attempts } = await serving(afterResponse);
    for (let round = 0; round < ROUNDS; round += 1) {
      await createProject(client, { name: `orders-${round}`, orgId: "1" });
      await getProject(client, id);
    }
    expect(attempts()).toEqual([]);
    const posted = requests
      .filter((request) => request.startsWith("POST"))
      .map((text) => /orders-\d+/.exec(text)?.[0]);
    expect(posted).toEqual(Array.from({ length: ROUNDS }, (__, round) => `orders-${round}`));
    expect(requests).toHaveLength(2 * ROUNDS);
  });
});

test("a connection of a service that keeps it for a second only is not used again", async () => {
  const { client, attempts, connections } = await serving(() => undefined, "Keep-Alive: timeout=1\r\n");
  for (const _ of "abc") await getProject(client, id);
  expect(connections()).toBe(3);
  expect(attempts()).toEqual([]);
});
