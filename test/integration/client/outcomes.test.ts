/** What is known of the outcome decides what happens next: the faults of a network, one by one. */
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from "node:net";
import { createProject, getProject, updateProject } from "../../../provider/api/projects";
import type { Sandbox } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();

beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const signed = (sandbox: Sandbox, method: string) =>
  sandbox.requests.filter((request) => request.authorized && request.method === method);
const projectsNamed = (sandbox: Sandbox, name: string) =>
  sandbox.state.projects.filter((project) => project.name === name);

/** A client whose key has proven itself, of a service with one project. */
async function connected(settings: Readonly<Record<string, unknown>> = { maxRetries: 2 }) {
  const connection = await start.sandbox({}, settings);
  const project = connection.sandbox.addProject({ name: "payments", tags: ["OLD"] });
  await getProject(connection.client, project.id);
  connection.sandbox.clearRequests();
  const wanted = { name: "orders", orgId: connection.sandbox.orgId };
  return { ...connection, id: project.id, wanted };
}

test("a POST whose first half, the challenge, was reset is not repeated either: it carried the body", async () => {
  const { sandbox, client } = await start.sandbox({}, { maxRetries: 2 });
  sandbox.addFault({ method: "POST", meets: "all", fault: "reset-before-write" });
  const wanted = { name: "orders", orgId: sandbox.orgId };
  expect(await failureOf(createProject(client, wanted))).toMatchObject({
    code: "OPSMANAGER_OUTCOME_UNKNOWN",
  });
  expect(projectsNamed(sandbox, "orders")).toEqual([]);
});

test("a name that cannot be resolved is tried again, also for a POST", async () => {
  // A label of more than 63 letters is refused by the resolver itself: no question leaves this machine.
  const baseUrl = `https://${"a".repeat(64)}.example.com`;
  const { client, lines } = start.client({
    baseUrl,
    publicKey: "public",
    privateKey: "private",
    maxRetries: 2,
  });
  const error = await failureOf(createProject(client, { name: "orders", orgId: "5f00000000000000000000b1" }));
  expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
  expect(error.message).toMatch(/cannot be reached: getaddrinfo E\w+/);
  expect(lines.filter((line) => line.includes("attempt"))).toHaveLength(2);
});

test("a TLS handshake that breaks off is tried again, also for a POST, which arrives once", async () => {
  const { sandbox } = await start.sandbox({ tls: true });
  const { publicKey, privateKey, caCert, orgId } = sandbox;
  let connections = 0;
  const { port } = new URL(sandbox.baseUrl);
  const breaking = createTcpServer((socket) => {
    connections += 1;
    socket.on("error", () => socket.destroy());
    if (connections <= 2) return void socket.once("data", () => socket.resetAndDestroy());
    socket
      .pipe(connectTcp(Number(port), "127.0.0.1"))
      .on("error", () => socket.destroy())
      .pipe(socket);
  });
  await new Promise<void>((resolve) => breaking.listen(0, "127.0.0.1", resolve));
  const baseUrl = `https://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
  const { client, lines } = start.client({ baseUrl, publicKey, privateKey, caCert, maxRetries: 2 });
  await createProject(client, { name: "orders", orgId });
  await client.close();
  await new Promise((resolve) => breaking.close(resolve));
  expect(lines.filter((line) => line.includes("attempt"))).toHaveLength(2);
  expect(signed(sandbox, "POST")).toHaveLength(1);
});

describe("an operation that is ended here", () => {
  test("before it was sent is canceled, and the service hears nothing of it", async () => {
    const { sandbox, client, wanted } = await connected();
    const error = await failureOf(createProject(client, wanted, AbortSignal.abort()));
    expect(error).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(error.message).toContain('Creating project "orders"');
    expect(sandbox.requests).toEqual([]);
  });

  test("during a POST leaves the outcome unknown", async () => {
    const cancel = new AbortController();
    const { client } = await start.server((request) => {
      if (request.method === "POST") cancel.abort();
    });
    const error = await failureOf(createProject(client, { name: "orders", orgId: "1" }, cancel.signal));
    expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
  });

  test("during a PATCH is canceled: doing it again changes nothing", async () => {
    const cancel = new AbortController();
    const { client } = await start.server(() => cancel.abort());
    const error = await failureOf(updateProject(client, "1", { name: "n" }, cancel.signal));
    expect(error).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  });

  test("while the response is being read is canceled", async () => {
    const cancel = new AbortController();
    const { client } = await start.server((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"id":', () => cancel.abort());
    });
    const error = await failureOf(getProject(client, "1", cancel.signal));
    expect(error).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  });

  test("while it is being connected ends at once, and nothing was sent, POST or not", async () => {
    const cancel = new AbortController();
    const sockets: Socket[] = [];
    // Takes the connection and never answers the TLS handshake.
    const silent = createTcpServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      socket.once("data", () => cancel.abort());
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const keys = { publicKey: "public", privateKey: "private-part" };
    const { client } = start.client({ baseUrl: `https://127.0.0.1:${port}`, ...keys });
    const error = await failureOf(createProject(client, { name: "orders", orgId: "1" }, cancel.signal));
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    expect(error).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  });
});
