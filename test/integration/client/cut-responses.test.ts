/** Responses that end before they should, and one that continues after its end. */
import type { Socket } from "node:net";
import { createProject, deleteProject, getProject } from "../../../provider/api/projects";
import { type RawServer, startRawServer } from "./raw-server";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const text = JSON.stringify({ id, name: "payments", orgId: "5f00000000000000000000b1" });
const good = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

const raws: RawServer[] = [];
afterEach(async () => {
  for (const server of raws.splice(0)) await server.close();
});

/** A client of a server that writes arbitrary bytes. */
async function raw(response: Parameters<typeof startRawServer>[0], settings = {}) {
  const server = await startRawServer(response);
  raws.push(server);
  const keys = { publicKey: "public", privateKey: "private-part" };
  return {
    ...start.client({ baseUrl: server.baseUrl, ...keys, ...settings }),
    connections: server.connections,
  };
}

describe("a response that stops", () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  test.each([
    ["before the length it announced", `${head}Content-Length: ${text.length + 5}\r\n\r\n${text}`],
    [
      "before its last chunk",
      `${head}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n`,
    ],
    ["in its header", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["before it begins", ""],
  ])("%s is no response, even if it is valid: GET is repeated, POST is not", async (_, stub) => {
    jest.spyOn(Math, "random").mockReturnValue(0);
    const cutOnce = await raw((socket, __, connection) => socket.end(connection === 1 ? stub : good), {
      maxRetries: 1,
    });
    expect((await getProject(cutOnce.client, id)).name).toBe("payments");
    expect(cutOnce.connections()).toBe(2);
    const cut = await raw((socket) => socket.end(stub), { maxRetries: 1 });
    const error = await failureOf(createProject(cut.client, { name: "orders", orgId: "1" }));
    jest.restoreAllMocks();
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(cut.connections()).toBe(1);
  });

  test("without an announced length is recognized by its JSON", async () => {
    const { client } = await raw((socket) => socket.end(`${head}\r\n${text.slice(0, -9)}`));
    expect((await failureOf(getProject(client, id))).message).toContain("is not JSON");
  });

  test.each([
    ["is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["has two lengths", `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["has a header without an end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}`],
  ])("to be HTTP (%s) is a broken connection", async (_, response) => {
    const { client } = await raw((socket) => socket.end(response));
    const error = await failureOf(getProject(client, id));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
  });
});

// undici does not reuse a connection on which a 204 announced a body. It cannot foresee an unannounced body.
describe("a 204 with a body, which HTTP does not allow,", () => {
  const one = { maxConcurrentRequests: 1 };
  const noContent = "HTTP/1.1 204 No Content\r\nX-MongoDB-Service-Version: 1\r\n";

  test("harms nothing: a POST comes next, and its outcome is known", async () => {
    const posts: string[] = [];
    const delayed = new WeakSet<Socket>();
    const { client } = await raw((socket, request) => {
      if (request.startsWith("DELETE")) {
        delayed.add(socket);
        return void socket.write(`${noContent}Content-Length: 2\r\n\r\n`);
      }
      posts.push(request);
      // The body arrives after the next request was sent. It must not be taken for the response to that request.
      socket.write(delayed.has(socket) ? `{}${good}` : good);
    }, one);
    for (const _ of "abc") {
      await deleteProject(client, id);
      expect((await createProject(client, { name: "orders", orgId: "1" })).id).toBe(id);
    }
    expect(posts).toHaveLength(3);
  });

  test("without one keeps the connection", async () => {
    const { client, connections } = await raw((socket) => socket.write(`${noContent}\r\n`), one);
    for (let count = 0; count < 20; count += 1) await deleteProject(client, id);
    expect(connections()).toBe(1);
  });
});
