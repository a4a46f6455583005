/** The accepted forms of a service's address, and the resulting requests. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { createProject, getProject } from "../../../provider/api/projects";
import { makeCertificate } from "../../../sandbox/certificate";
import { itIf } from "../../support/skip";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };
const keys = { publicKey: "public", privateKey: "private-part" };
const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);
const itWithIpv6 = itIf(hasIpv6, "an IPv6 loopback address");

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Listens on `::1` and leads to the service of the test. */
async function onIpv6(seen: IncomingMessage[]): Promise<number> {
  const server = createServer((request, response) => {
    seen.push(request);
    always(200, project)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

describe("an IPv6 address", () => {
  itWithIpv6("in brackets is connected to, and named with its port in the Host header", async () => {
    const seen: IncomingMessage[] = [];
    const port = await onIpv6(seen);
    const { client } = start.client({ ...keys, baseUrl: `http://[::1]:${port}/` });
    expect((await getProject(client, id)).name).toBe("payments");
    expect(seen[0]?.headers.host).toBe(`[::1]:${port}`);
    expect(client.origin).toBe(`http://[::1]:${port}`);
  });

  itWithIpv6("in its long form is the same address", async () => {
    const port = await onIpv6([]);
    const { client } = start.client({ ...keys, baseUrl: `http://[0:0:0:0:0:0:0:1]:${port}` });
    expect((await getProject(client, id)).name).toBe("payments");
    expect(client.origin).toBe(`http://[::1]:${port}`);
  });

  itWithIpv6("without a listener is named in the message", async () => {
    const port = await onIpv6([]);
    await ends.pop()?.();
    const { client } = start.client({ ...keys, baseUrl: `http://[::1]:${port}` });
    const { message } = await failureOf(getProject(client, id));
    expect(message).toContain(`http://[::1]:${port} cannot be reached: connect ECONNREFUSED ::1:${port}`);
  });
});

describe("the Host header", () => {
  test("is the address with its port", async () => {
    const hosts: unknown[] = [];
    const { server } = await start.server((request, response) => {
      hosts.push(request.headers.host);
      always(200, project)(request, response);
    });
    const { port } = server.address() as AddressInfo;
    const { client } = start.client({ ...keys, baseUrl: `http://LOCALHOST:${port}/ops/` });
    await getProject(client, id);
    expect(hosts).toEqual([`localhost:${port}`]);
  });
});

describe("a path before the API", () => {
  test.each([
    ["", ""],
    ["/", ""],
    ["/api/public/v1.0", ""],
    ["/ops-manager", "/ops-manager"],
    ["/ops-manager/", "/ops-manager"],
    ["/ops-manager/api/public/v1.0", "/ops-manager"],
    ["/ops-manager//api/public/v1.0///", "/ops-manager"],
  ])("written %j is part of what is signed", async (path, prefix) => {
    const seen: (readonly [string, string])[] = [];
    const { server } = await start.server((request, response) => {
      const { authorization } = request.headers;
      if (authorization === undefined) {
        const challenge = 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5';
        return always(401, "", { "www-authenticate": challenge })(request, response);
      }
      seen.push([request.url ?? "", /uri="([^"]*)"/.exec(authorization)?.[1] ?? ""]);
      return always(200, project)(request, response);
    });
    const { port } = server.address() as AddressInfo;
    const { client } = start.client({ ...keys, baseUrl: `http://127.0.0.1:${port}${path}` });
    await getProject(client, id);
    const target = `${prefix}/api/public/v1.0/groups/${id}`;
    expect(seen).toEqual([[target, target]]);
  });
});

describe("a redirect of a signed request", () => {
  const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
  const own = makeCertificate({ subject: "Service", names: ["127.0.0.1"], issuer: authority });
  const tls = { cert: own.certificate, key: own.privateKey };
  const caCert = authority.certificate;

  test.each([
    ["another host", 301, "https://localhost"],
    ["another host", 302, "https://localhost"],
    ["http:// on the same host", 303, "http://127.0.0.1"],
    ["http:// on the same host", 308, "http://127.0.0.1"],
    ["the same service", 307, ""],
  ])("to %s (%i) is not followed, neither by GET nor by POST", async (_, status, target) => {
    const reached: string[] = [];
    const elsewhere = await start.server((request) => reached.push(String(request.headers.authorization)));
    const { port } = elsewhere.server.address() as AddressInfo;
    const location = `${target && `${target}:${port}`}/api/public/v1.0/groups/elsewhere`;
    const { client } = await start.server(
      (request, response) => {
        if (request.url?.endsWith("elsewhere")) reached.push(String(request.headers.authorization));
        if (request.headers.authorization !== undefined) {
          return always(status, "", { location })(request, response);
        }
        const challenge = 'Digest realm="r", nonce="n", qop="auth"';
        return always(401, "", { "www-authenticate": challenge })(request, response);
      },
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
