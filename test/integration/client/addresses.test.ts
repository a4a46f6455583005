/** The accepted forms of a service's address, and the resulting requests. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { createProject, getProject } from "../../../provider/api/projects";
import { makeCertificate } from "../../../sandbox/certificate";
import { itIf } from "../../support/skip";
import { always, challenging, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const keys = { publicKey: "public", privateKey: "private-part" };
const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);

itIf(hasIpv6, "an IPv6 loopback address")(
  "an IPv6 address in brackets, in any form, is connected to and named",
  async () => {
    const hosts: unknown[] = [];
    const server = createServer((request, response) => {
      hosts.push(request.headers.host);
      always(200, project)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    const { port } = server.address() as AddressInfo;
    const address = `[::1]:${port}`;
    const clients = ["[::1]", "[0:0:0:0:0:0:0:1]"].map(
      (host) => start.client({ ...keys, baseUrl: `http://${host}:${port}/` }).client,
    );
    for (const client of clients) {
      expect((await getProject(client, id)).name).toBe("payments");
      expect(client.origin).toBe(`http://${address}`);
    }
    expect(new Set(hosts)).toEqual(new Set([address]));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { client } = start.client({ ...keys, baseUrl: `http://${address}` });
    expect((await failureOf(getProject(client, id))).message).toContain(
      `http://${address} cannot be reached: connect ECONNREFUSED ::1:${port}`,
    );
  },
);

test.each([
  { path: "/", prefix: "" },
  { path: "/ops-manager", prefix: "/ops-manager" },
  { path: "/ops-manager//api/public/v1.0///", prefix: "/ops-manager" },
])("of the path $path before the API, $prefix is part of what is signed", async ({ path, prefix }) => {
  const seen: unknown[] = [];
  const { server } = await start.server(
    challenging((request, response) => {
      const { host, authorization = "" } = request.headers;
      seen.push({ host, url: request.url, signed: /uri="([^"]*)"/.exec(authorization)?.[1] });
      always(200, project)(request, response);
    }),
  );
  const { port } = server.address() as AddressInfo;
  const { client } = start.client({ ...keys, baseUrl: `http://LOCALHOST:${port}${path}` });
  await getProject(client, id);
  const url = `${prefix}/api/public/v1.0/groups/${id}`;
  expect(seen).toEqual([{ host: `localhost:${port}`, url, signed: url }]);
});

describe("a redirect of a signed request", () => {
  const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
  const own = makeCertificate({ subject: "Service", names: ["127.0.0.1"], issuer: authority });
  const tls = { cert: own.certificate, key: own.privateKey };
  const caCert = authority.certificate;

  test.each([
    { to: "another host", status: 301, target: "https://localhost" },
    { to: "http:// on the same host", status: 308, target: "http://127.0.0.1" },
  ])("to $to ($status) is not followed, neither by GET nor by POST", async ({ status, target }) => {
    const reached: string[] = [];
    const elsewhere = await start.server((request) => reached.push(String(request.headers.authorization)));
    const { port } = elsewhere.server.address() as AddressInfo;
    const location = `${target}:${port}/api/public/v1.0/groups/elsewhere`;
    const { client } = await start.server(
      challenging((request, response) => {
        if (request.url?.endsWith("elsewhere")) reached.push(String(request.headers.authorization));
        always(status, "", { location })(request, response);
      }),
      { caCert },
      tls,
    );
    for (const call of [getProject(client, id), createProject(client, { name: "n", orgId: "o" })]) {
      expect((await failureOf(call)).message).toContain(
        `It redirects to ${location}. Credentials are not sent to a redirect's target`,
      );
    }
    expect(reached).toEqual([]);
  });
});
