/** What goes over the wire besides credentials: addresses, headers, connections. */
import type { IncomingMessage } from "node:http";
import { createProject, getProject } from "../../../provider/api/projects";
import { always, clientFactory } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };

async function recording(settings: Readonly<Record<string, unknown>> = {}) {
  const requests: IncomingMessage[] = [];
  const connection = await start.server((request, response) => {
    requests.push(request);
    always(200, project)(request, response);
  }, settings);
  return { ...connection, requests };
}

test("a write sends its body as JSON and its query apart", async () => {
  const bodies: string[] = [];
  const { client } = await start.server(async (request, response) => {
    bodies.push(`${request.url} ${request.headers["content-type"]} ${await text(request)}`);
    always(201, project)(request, response);
  });
  await createProject(client, {
    name: "payments",
    orgId: "b1",
    projectOwnerId: "d1",
    withDefaultAlertsSettings: false,
  });
  expect(bodies).toEqual([
    '/api/public/v1.0/groups?projectOwnerId=d1 application/json {"name":"payments","orgId":"b1","withDefaultAlertsSettings":false}',
  ]);
});

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

describe("connections", () => {
  // Two, because undici gives a connection back one turn of the event loop after its response.
  test("are kept: fifty calls one after another take two at most", async () => {
    const { server, client } = await recording();
    let connections = 0;
    server.on("connection", () => {
      connections += 1;
    });
    for (let count = 0; count < 50; count += 1) await getProject(client, id);
    expect(connections).toBeLessThanOrEqual(2);
  });

  test("are never more than maxConcurrentRequests", async () => {
    const { server, client } = await recording({ maxConcurrentRequests: 3 });
    let connections = 0;
    server.on("connection", () => {
      connections += 1;
    });
    await Promise.all(Array.from({ length: 30 }, () => getProject(client, id)));
    expect(connections).toBeLessThanOrEqual(3);
  });

  test("that the service closes after a response cost no attempt", async () => {
    const { client, lines } = await start.server((request, response) => {
      response.shouldKeepAlive = false;
      always(200, project)(request, response);
    });
    for (const _ of "abc") await getProject(client, id);
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  });
});
