/** The certificates that a connection trusts, and the error for others. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TlsOptions } from "node:tls";
import { promisify } from "node:util";
import { createProject, getProject } from "../../../provider/api/projects";
import { type CertificateWish, makeCertificate } from "../../../sandbox/certificate";
import { itIf } from "../../support/skip";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const id = "5f00000000000000000000a1";
const project = { id, name: "payments", orgId: "5f00000000000000000000b1" };

const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
const between = makeCertificate({ subject: "Between", isAuthority: true, issuer: authority });
const names = ["127.0.0.1"];
const caCert = authority.certificate;

/** A service with a certificate of the authority, or the given one. */
function service(
  wish: Partial<CertificateWish>,
  settings: Readonly<Record<string, unknown>>,
  tls: TlsOptions = {},
) {
  const own = makeCertificate({ subject: "Service", names, issuer: authority, ...wish });
  const options = { cert: own.certificate, key: own.privateKey, ...tls };
  return start.server(always(200, project), settings, options);
}

async function refusalOf(...parts: Parameters<typeof service>): Promise<string> {
  const { client, lines } = await service(parts[0], { maxRetries: 2, ...parts[1] }, parts[2]);
  const error = await failureOf(getProject(client, id));
  expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
  expect(error.message).toContain(
    `Reading project ${id} failed: No trusted connection to ${client.origin}: `,
  );
  expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  return error.message;
}

describe("a service is trusted", () => {
  test("when the authority in caCert signed its certificate", async () => {
    const { client } = await service({}, { caCert });
    expect((await getProject(client, id)).name).toBe("payments");
  });

  test("when it sends the certificates between it and the authority", async () => {
    const own = makeCertificate({ subject: "Service", names, issuer: between });
    const cert = own.certificate + between.certificate;
    const { client } = await service({}, { caCert }, { cert, key: own.privateKey });
    expect((await getProject(client, id)).name).toBe("payments");
  });

  test("by whatever certificate where skipTlsVerification is set", async () => {
    const long = { subject: "Service", names: ["elsewhere.example.com"], validTo: new Date(0) };
    const own = makeCertificate({ ...long, validFrom: new Date(0) });
    const tls = { cert: own.certificate, key: own.privateKey };
    const { client } = await service({}, { skipTlsVerification: true }, tls);
    expect((await getProject(client, id)).name).toBe("payments");
  });

  test("by a name of its certificate, with a port of its own for that name", async () => {
    const { server } = await service({ names: ["localhost"] }, { caCert });
    const { port } = server.address() as AddressInfo;
    const keys = { publicKey: "public", privateKey: "private-part", caCert };
    const { client } = start.client({ baseUrl: `https://localhost:${port}`, ...keys });
    expect((await getProject(client, id)).name).toBe("payments");
  });
});

describe("a service is not trusted", () => {
  test("with a certificate that it signed itself: the message names caCert", async () => {
    const own = makeCertificate({ subject: "Service", names });
    const message = await refusalOf({}, {}, { cert: own.certificate, key: own.privateKey });
    expect(message).toMatch(
      /self-signed certificate.*Set caCert to the certificate of the authority that signed it\.$/,
    );
  });

  test("without the certificates between it and the authority, which the message speaks of", async () => {
    expect(await refusalOf({ issuer: between }, { caCert })).toContain(
      "or the service does not send its intermediate certificates. Add them to caCert",
    );
  });

  test("under a name that its certificate does not hold", async () => {
    const message = await refusalOf({ names: ["ops-manager.example.com"] }, { caCert });
    expect(message).toContain("127.0.0.1");
    expect(message).toMatch(/Use a host name in baseUrl that the certificate contains\.$/);
  });

  test("with a certificate of the future: the clock may be wrong", async () => {
    const future = { validFrom: new Date("2090-01-01"), validTo: new Date("2091-01-01") };
    expect(await refusalOf(future, { caCert })).toContain("Check this machine's clock");
  });

  test.each(["TLSv1", "TLSv1.1"] as const)("when %s is the newest it offers", async (version) => {
    const old = { minVersion: "TLSv1", maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await refusalOf({}, { caCert }, old)).toMatch(/Enable TLS 1\.2 or newer\.$/);
  });
});

test("many calls that wait for the challenge of an untrusted service send one request, and each of them reports why", async () => {
  let connections = 0;
  const { client, server, lines } = await service({}, { maxRetries: 2 });
  server.on("connection", () => {
    connections += 1;
  });
  const calls = Array.from({ length: 10 }, () => failureOf(getProject(client, id)));
  for (const { message } of await Promise.all(calls)) {
    expect(message).toMatch(/No trusted connection to .*Set caCert to the certificate/);
  }
  expect(connections).toBe(1);
  expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
});

test.each(["TLSv1.2", "TLSv1.3"] as const)("%s is spoken", async (version) => {
  const { client } = await service({}, { caCert }, { minVersion: version, maxVersion: version });
  expect((await getProject(client, id)).name).toBe("payments");
});

// One request on a connection at a time: what happens to it reports what happened to the request.
test("HTTP/1.1 is spoken, also where the service offers HTTP/2", async () => {
  const offered: unknown[] = [];
  const { client, server } = await service({}, { caCert }, { ALPNProtocols: ["h2", "http/1.1"] });
  server.on("secureConnection", (socket) => offered.push(socket.alpnProtocol));
  await getProject(client, id);
  expect(offered).toEqual(["http/1.1"]);
});

describe("a client certificate", () => {
  const client = makeCertificate({ subject: "Client", issuer: authority });
  const identity = { clientCert: client.certificate, clientKey: client.privateKey };

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "is sent over %s to a service that requires it",
    async (version) => {
      const tls = { requestCert: true, rejectUnauthorized: true, ca: caCert, maxVersion: version };
      const connection = await service({}, { caCert, ...identity }, tls);
      expect((await getProject(connection.client, id)).name).toBe("payments");
    },
  );

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "that is missing over %s is an error that names the setting",
    async (version) => {
      const tls = { requestCert: true, rejectUnauthorized: true, ca: caCert, maxVersion: version };
      expect(await refusalOf({}, { caCert }, tls)).toMatch(/set clientCert and clientKey/i);
    },
  );

  test("that is missing has changed nothing, so a POST has no unknown outcome", async () => {
    const tls = { requestCert: true, rejectUnauthorized: true, ca: caCert };
    const { client: without } = await service({}, { caCert }, tls);
    const error = await failureOf(createProject(without, { name: "orders", orgId: "1" }));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
  });
});

describe("the sandbox over TLS", () => {
  test.each([[true], ["mutual"]] as const)(
    "accepts a client with the settings that it returns (tls: %p)",
    async (tls) => {
      const { sandbox } = await start.sandbox({ tls });
      const { baseUrl, publicKey, privateKey, caCert: ca, clientCert, clientKey } = sandbox;
      expect(baseUrl).toMatch(/^https:/);
      const { client } = start.client({ baseUrl, publicKey, privateKey, caCert: ca, clientCert, clientKey });
      expect((await createProject(client, { name: "orders", orgId: sandbox.orgId })).name).toBe("orders");
      expect(sandbox.requests.map(({ status }) => status)).toEqual([401, 201]);
    },
  );
});

// The operating system's authorities are read once in a process, so each of these has one of its own.
describe("an authority that an administrator has given the machine", () => {
  const built = resolve(__dirname, "../../../dist/provider");
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-authority-"));
  const file = join(folder, "authority.pem");
  beforeAll(() => writeFileSync(file, caCert));
  afterAll(() => rmSync(folder, { recursive: true }));

  const program = `
    const { resolveSettings } = require("./settings/config.js");
    const { createClient } = require("./api/client.js");
    const { getProject } = require("./api/projects.js");
    const args = { ...JSON.parse(process.argv[1]), publicKey: "public", privateKey: "private-part", maxRetries: 0 };
    const settings = resolveSettings({ args, env: {}, isDefaultProvider: false, directory: "." });
    const client = createClient(settings, () => {});
    getProject(client, "${id}").then(({ name }) => name, (error) => error.message).then(async (result) => {
      console.log(result);
      await client.close();
    });`;

  async function outputWith(args: Readonly<Record<string, unknown>>, env: Record<string, string>) {
    const { client } = await service({}, {});
    const settings = JSON.stringify({ baseUrl: client.origin, ...args });
    const run = promisify(execFile)(process.execPath, ["-e", program, settings], {
      cwd: built,
      env: { PATH: process.env.PATH, ...env },
    });
    return (await run).stdout.trim();
  }

  // SSL_CERT_FILE names the store of OpenSSL; macOS and Windows have stores of their own.
  const itOnLinux = itIf(process.platform === "linux", "Linux");
  itOnLinux("in the system's store is trusted without any setting", async () => {
    expect(await outputWith({}, { SSL_CERT_FILE: file })).toBe("payments");
  });

  itOnLinux("in the system's store is trusted besides that in caCert", async () => {
    const other = makeCertificate({ subject: "Other authority", isAuthority: true }).certificate;
    expect(await outputWith({ caCert: other }, { SSL_CERT_FILE: file })).toBe("payments");
  });

  it("in NODE_EXTRA_CA_CERTS is trusted besides that in caCert", async () => {
    const other = makeCertificate({ subject: "Other authority", isAuthority: true }).certificate;
    expect(await outputWith({ caCert: other }, { NODE_EXTRA_CA_CERTS: file })).toBe("payments");
  });

  it("is not trusted where it is in neither", async () => {
    expect(await outputWith({}, {})).toContain("Set caCert");
  });
});
