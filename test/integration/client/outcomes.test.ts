/** What is known of the outcome decides what happens next. `faults/matrix.test.ts` has more, with every operation. */
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import type { ApiClient } from "../../../provider/api/client";
import { listOrganizations } from "../../../provider/api/organizations";
import { createProject, getProject, updateProject } from "../../../provider/api/projects";
import { CanceledError } from "../../../provider/text/errors";
import type { Sandbox } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const keys = { publicKey: "public", privateKey: "private-part" };
const elsewhere = { name: "orders", orgId: "5f00000000000000000000b1" };

beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
const servers: Server[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** The address of a server below HTTP. */
async function listening(connected: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => connected(socket.on("error", () => socket.destroy())));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const posts = (sandbox: Sandbox) =>
  sandbox.requests.filter(({ authorized, method }) => authorized && method === "POST");

/** A client whose key has proven itself, of a service with one project. */
async function connected(settings: Readonly<Record<string, unknown>> = {}) {
  const connection = await start.sandbox({}, { maxRetries: 4, ...settings });
  const { id } = connection.sandbox.addProject({ name: "payments" });
  await getProject(connection.client, id);
  connection.sandbox.clearRequests();
  return { ...connection, id };
}

test("a POST whose first half, the challenge, was reset is not repeated either: it carried the body", async () => {
  const { sandbox, client } = await start.sandbox({}, { maxRetries: 2 });
  sandbox.addFault({ method: "POST", meets: "all", fault: "reset-before-write" });
  const error = await failureOf(createProject(client, { ...elsewhere, orgId: sandbox.orgId }));
  expect(error).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
  expect(sandbox.state.projects).toEqual([]);
});

test("a GET that is too slow at every attempt costs twice the time of one, whatever maxRetries is", async () => {
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  const { sandbox, client, id, lines } = await connected({ requestTimeoutSeconds: 1, maxRetries: 9 });
  sandbox.addFault({ times: 0, fault: { delayMs: 60_000 } });
  const error = await failureOf(getProject(client, id));
  expect(error).toMatchObject({ code: "OPSMANAGER_TIMEOUT" });
  expect(error.message).toContain("within 2 s, the limit for all attempts of a call");
  expect(lines.filter((line) => /attempt \d+ of 10/.test(line))).toHaveLength(1);
});

test("a name that cannot be resolved is tried again, also for a POST", async () => {
  // A label of more than 63 letters is refused by the resolver itself: no question leaves this machine.
  const baseUrl = `https://${"a".repeat(64)}.example.com`;
  const { client, lines } = start.client({ ...keys, baseUrl, maxRetries: 2 });
  const error = await failureOf(createProject(client, elsewhere));
  expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
  expect(error.message).toMatch(/cannot be reached: getaddrinfo E\w+/);
  expect(lines.filter((line) => line.includes("attempt"))).toHaveLength(2);
});

test("a TLS handshake that breaks off is tried again, also for a POST, which arrives once", async () => {
  const { sandbox } = await start.sandbox({ tls: true });
  const { publicKey, privateKey, caCert, orgId } = sandbox;
  const { port } = new URL(sandbox.baseUrl);
  let connections = 0;
  const address = await listening((socket) => {
    connections += 1;
    if (connections <= 2) return void socket.once("data", () => socket.resetAndDestroy());
    const service = connectTcp(Number(port), "127.0.0.1").on("error", () => socket.destroy());
    socket.pipe(service).pipe(socket);
  });
  const baseUrl = `https://${address}`;
  const { client, lines } = start.client({ baseUrl, publicKey, privateKey, caCert, maxRetries: 2 });
  await createProject(client, { name: "orders", orgId });
  await client.close();
  expect(lines.filter((line) => line.includes("attempt"))).toHaveLength(2);
  expect(posts(sandbox)).toHaveLength(1);
});

describe("an operation that is ended here", () => {
  type Call = (client: ApiClient, signal: AbortSignal) => Promise<unknown>;
  const create: Call = (client, signal) => createProject(client, elsewhere, signal);

  test("before it was sent is canceled, and the service hears nothing of it", async () => {
    const { sandbox, client } = await connected();
    const error = await failureOf(create(client, AbortSignal.abort()));
    expect(error).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(error.message).toContain('Creating project "orders"');
    expect(sandbox.requests).toEqual([]);
  });

  test.each<{ when: string; call: Call; code: string }>([
    {
      when: "during a POST leaves the outcome unknown",
      call: create,
      code: "OPSMANAGER_OUTCOME_UNKNOWN",
    },
    {
      when: "during a PATCH is canceled: doing it again changes nothing",
      call: (client, signal) => updateProject(client, "1", { name: "n" }, signal),
      code: "OPSMANAGER_CANCELLED",
    },
  ])("$when", async ({ call, code }) => {
    const cancel = new AbortController();
    const { client } = await start.server(() => cancel.abort());
    expect(await failureOf(call(client, cancel.signal))).toMatchObject({ code });
  });

  test("while it is being connected ends at once, and is not sent once there is a connection", async () => {
    const { sandbox } = await start.sandbox({ tls: true });
    const cancel = new AbortController();
    const address = await listening((socket) => {
      socket.once("data", (hello) => {
        cancel.abort();
        const service = connectTcp(Number(new URL(sandbox.baseUrl).port), "127.0.0.1");
        service.on("error", () => socket.destroy()).write(hello);
        socket.pipe(service).pipe(socket);
      });
    });
    const { publicKey, privateKey, caCert } = sandbox;
    const settings = { publicKey, privateKey, caCert, maxConcurrentRequests: 1 };
    const { client } = start.client({ baseUrl: `https://${address}`, ...settings });
    expect(await failureOf(create(client, cancel.signal))).toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    await listOrganizations(client);
    await client.close();
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  // The message of the one reason grew with each call: "Reading project 2 failed: Reading project 1 failed: ...".
  test("with others for one reason reports its own action, and nothing else", async () => {
    const { client } = await start.server(() => undefined);
    const canceled = new AbortController();
    const failures = ["1", "2"].map((id) => failureOf(getProject(client, id, canceled.signal)));
    const reason = new CanceledError("The operation was canceled.");
    canceled.abort(reason);
    expect(await Promise.all(failures)).toMatchObject(
      ["1", "2"].map((id) => ({
        message: `Reading project ${id} failed: The operation was canceled.`,
        name: "CanceledError",
        code: "OPSMANAGER_CANCELLED",
        cause: reason,
      })),
    );
    expect(reason.message).toBe("The operation was canceled.");
  });
});
