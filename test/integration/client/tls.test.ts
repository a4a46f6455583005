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

/** A service with a certificate of the authority, or the given one, and with the certificates behind it. */
function service(
  wish: Partial<CertificateWish>,
  settings: Readonly<Record<string, unknown>>,
  tls: TlsOptions = {},
  chain = "",
) {
  const own = makeCertificate({ subject: "Service", names, issuer: authority, ...wish });
  const options = { cert: own.certificate + chain, key: own.privateKey, ...tls };
  return start.server(always(200, project), settings, options);
}

test.each<{ when: string; wish: Partial<CertificateWish>; settings: object; chain?: string; host?: string }>([
  {
    when: "it sends the certificates between it and the authority",
    wish: { issuer: between },
    settings: { caCert },
    chain: between.certificate,
  },
  {
    when: "skipTlsVerification is set, whatever its certificate is",
    wish: { names: ["elsewhere.example.com"], validFrom: new Date(0), validTo: new Date(0) },
    settings: { skipTlsVerification: true },
  },
  {
    when: "its certificate has the name in baseUrl",
    wish: { names: ["localhost"] },
    settings: { caCert },
    host: "localhost",
  },
])("a service is trusted when $when", async ({ wish, settings, chain = "", host = "127.0.0.1" }) => {
  const { server } = await service(wish, {}, {}, chain);
  const keys = { publicKey: "public", privateKey: "private-part" };
  const baseUrl = `https://${host}:${(server.address() as AddressInfo).port}`;
  const { client } = start.client({ baseUrl, ...keys, ...settings });
  expect((await getProject(client, id)).name).toBe("payments");
});

const mutual = { requestCert: true, rejectUnauthorized: true, ca: caCert };
const ofClient = makeCertificate({ subject: "Client", issuer: authority });
const ofItself = makeCertificate({ subject: "Service", names });
const tls12 = { maxVersion: "TLSv1.2" } as const;
const tls13 = { minVersion: "TLSv1.3" } as const;

test.each<{
  what: string;
  wish?: Partial<CertificateWish>;
  settings?: object;
  tls?: TlsOptions;
  advice: RegExp;
}>([
  {
    what: "a certificate that it signed itself",
    settings: { caCert: undefined },
    tls: { cert: ofItself.certificate, key: ofItself.privateKey },
    advice: /self-signed certificate.*Set caCert to the certificate of the authority that signed it\.$/,
  },
  {
    what: "no certificates between it and the authority",
    wish: { issuer: between },
    advice: /or the service does not send its intermediate certificates. Add them to caCert/,
  },
  {
    what: "a certificate of another name",
    wish: { names: ["ops-manager.example.com"] },
    advice: /127\.0\.0\.1.*Use a host name in baseUrl that the certificate contains\.$/,
  },
  {
    what: "a certificate of the future",
    wish: { validFrom: new Date("2090-01-01"), validTo: new Date("2091-01-01") },
    advice: /Check this machine's clock/,
  },
  ...(["TLSv1", "TLSv1.1"] as const).map((maxVersion) => ({
    what: `${maxVersion} as the newest`,
    tls: { minVersion: "TLSv1", maxVersion, ciphers: "DEFAULT@SECLEVEL=0" } as const,
    advice: /Enable TLS 1\.2 or newer\.$/,
  })),
  // In TLS 1.3 the client learns of it after it has sent its request.
  ...[tls12, tls13].map((version) => ({
    what: `a wish for a client certificate, ${JSON.stringify(version)}`,
    tls: { ...mutual, ...version },
    advice: /set clientCert and clientKey/i,
  })),
])(
  "a service with $what is no trusted one, and nothing is done, POST or not",
  async ({ wish, settings, tls, advice }) => {
    const { client, lines } = await service(wish ?? {}, { maxRetries: 2, caCert, ...settings }, tls);
    const error = await failureOf(getProject(client, id));
    expect(error).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(error.message).toContain(
      `Reading project ${id} failed: No trusted connection to ${client.origin}: `,
    );
    expect(error.message).toMatch(advice);
    const write = await failureOf(createProject(client, { name: "orders", orgId: "1" }));
    expect(write).toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(lines.filter((line) => line.includes("attempt"))).toEqual([]);
  },
);

test.each([tls12, tls13])("%j is spoken, with a client certificate", async (version) => {
  const settings = { caCert, clientCert: ofClient.certificate, clientKey: ofClient.privateKey };
  const { client } = await service({}, settings, { ...mutual, ...version });
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

  const other = () => makeCertificate({ subject: "Other authority", isAuthority: true }).certificate;

  // SSL_CERT_FILE names the store of OpenSSL; macOS and Windows have stores of their own.
  itIf(process.platform === "linux", "Linux")(
    "in the system's store is trusted, without any setting and besides that in caCert",
    async () => {
      expect(await outputWith({}, { SSL_CERT_FILE: file })).toBe("payments");
      expect(await outputWith({ caCert: other() }, { SSL_CERT_FILE: file })).toBe("payments");
    },
  );

  it("in NODE_EXTRA_CA_CERTS is trusted besides that in caCert, and in neither it is not", async () => {
    expect(await outputWith({ caCert: other() }, { NODE_EXTRA_CA_CERTS: file })).toBe("payments");
    expect(await outputWith({}, {})).toContain("Set caCert");
  });
});
