/** Connections: how many there are, and those that end early, while they are idle, or continue after their end. */
import type { Socket } from "node:net";
import { createProject, deleteProject, getProject } from "../../../provider/api/projects";
import { type RawServer, startRawServer } from "./raw-server";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const text = JSON.stringify(project);
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const whole = `Content-Length: ${text.length}\r\n\r\n${text}`;
const good = head + whole;
const wanted = { name: "orders", orgId: "1" };

const raws: RawServer[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const server of raws.splice(0)) await server.close();
});

/** A client of a server that writes arbitrary bytes. */
async function raw(response: Parameters<typeof startRawServer>[0], settings = {}) {
  const server = await startRawServer(response);
  raws.push(server);
  const keys = { publicKey: "public", privateKey: "private-part" };
  const { client, lines } = start.client({ baseUrl: server.baseUrl, ...keys, ...settings });
  const attempts = () => lines.filter((line) => line.includes("attempt"));
  return { client, attempts, connections: server.connections };
}

test.each([
  {
    ends: "before the length it announced",
    bytes: `${head}Content-Length: ${text.length + 5}\r\n\r\n${text}`,
  },
  {
    ends: "before its last chunk",
    bytes: `${head}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n`,
  },
  { ends: "in its header", bytes: "HTTP/1.1 200 OK\r\nContent-Le" },
  { ends: "before it begins", bytes: "" },
])(
  "a response that ends $ends is none, even if it is valid: GET is repeated, POST is not",
  async ({ bytes }) => {
    jest.spyOn(Math, "random").mockReturnValue(0);
    const once = await raw((socket, _, connection) => socket.end(connection === 1 ? bytes : good), {
      maxRetries: 1,
    });
    expect((await getProject(once.client, id)).name).toBe("payments");
    expect(once.connections()).toBe(2);
    const always = await raw((socket) => socket.end(bytes), { maxRetries: 1 });
    const error = await failureOf(createProject(always.client, wanted));
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(always.connections()).toBe(1);
  },
);

test.each([
  { bytes: `${head}\r\n${text.slice(0, -9)}`, code: "OPSMANAGER_UNEXPECTED_RESPONSE" },
  { bytes: "SSH-2.0-OpenSSH_9.6\r\n", code: "OPSMANAGER_UNREACHABLE" },
  { bytes: `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}`, code: "OPSMANAGER_UNREACHABLE" },
])("of bytes that are no whole response the error is $code", async ({ bytes, code }) => {
  const { client } = await raw((socket) => socket.end(bytes));
  expect(await failureOf(getProject(client, id))).toMatchObject({ code });
});

// undici does not reuse a connection on which a 204 announced a body. It cannot foresee an unannounced body.
test("a 204 with a body, which HTTP does not allow, harms nothing: a POST comes next, and its outcome is known", async () => {
  const posts: string[] = [];
  const delayed = new WeakSet<Socket>();
  const { client } = await raw(
    (socket, request) => {
      if (request.startsWith("DELETE")) {
        delayed.add(socket);
        return void socket.write(
          "HTTP/1.1 204 No Content\r\nX-MongoDB-Service-Version: gitHash=0; versionString=1\r\nContent-Length: 2\r\n\r\n",
        );
      }
      posts.push(request);
      // The body arrives after the next request was sent. It must not be taken for the response to that request.
      socket.write(delayed.has(socket) ? `{}${good}` : good);
    },
    { maxConcurrentRequests: 1 },
  );
  for (const _ of "abc") {
    await deleteProject(client, id);
    expect((await createProject(client, wanted)).id).toBe(id);
  }
  expect(posts).toHaveLength(3);
});

/**
 * undici reads an idle connection for one turn of the event loop before it writes on it, so that whatever has arrived by
 * then, the end of the connection too, is seen first. Only an end that crosses a request on its way is left: that is a
 * reset before a response.
 */
test.each<{ ends: string; afterResponse: (socket: Socket) => void }>([
  { ends: "ends a moment later", afterResponse: (socket) => void setImmediate(() => socket.end()) },
  { ends: "is reset", afterResponse: (socket) => void setImmediate(() => socket.resetAndDestroy()) },
])("an idle connection that $ends costs no attempt, and no POST is sent twice", async ({ afterResponse }) => {
  const requests: string[] = [];
  const { client, attempts } = await raw(
    (socket, request) => {
      requests.push(request);
      socket.write(good);
      afterResponse(socket);
    },
    { maxRetries: 4 },
  );
  const names = Array.from({ length: 25 }, (_, round) => `orders-${round}`);
  for (const name of names) {
    await createProject(client, { ...wanted, name });
    await getProject(client, id);
  }
  expect(attempts()).toEqual([]);
  const posts = requests.filter((request) => request.startsWith("POST"));
  expect(posts.map((request) => /orders-\d+/.exec(request)?.[0])).toEqual(names);
  expect(requests).toHaveLength(2 * names.length);
});

test.each([
  { service: "keeps it for a second only", header: "Keep-Alive: timeout=1\r\n" },
  { service: "closes it after a response", header: "Connection: close\r\n" },
])("a connection of a service that $service is not used again", async ({ header }) => {
  const { client, attempts, connections } = await raw((socket) => socket.write(head + header + whole));
  for (const _ of "abc") await getProject(client, id);
  expect(connections()).toBe(3);
  expect(attempts()).toEqual([]);
});
