/** A client that authenticates as a service account, over real connections. */
import type { TLSSocket } from "node:tls";
import { getProject } from "../../../provider/api/projects";
import { sharedCauseOf } from "../../../provider/text/errors";
import type { SandboxOptions } from "../../../sandbox";
import { makeCertificate } from "../../../sandbox/certificate";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();

const orgId = "5f00000000000000000000b1";
const clientId = "mdb_sa_id_5f0000000000000000000001";
const clientSecret = "mdb_sa_sk_not-to-be-seen";
const noKey = { publicKey: undefined, privateKey: undefined };
const tokenPath = "/api/oauth/token";

function seed(): NonNullable<SandboxOptions["seed"]> {
  const roles = [{ roleName: "ORG_OWNER", orgId }];
  return {
    orgs: [{ id: orgId, name: "Example Org" }],
    serviceAccounts: [{ clientId, clientSecret, roles }],
    projects: [{ id: "5f00000000000000000000a1", name: "payments" }],
  };
}

/** A client of the sandbox, which also has the token endpoint. */
async function connect(options: SandboxOptions = {}, settings: Readonly<Record<string, unknown>> = {}) {
  const { sandbox } = await start.sandbox({ seed: seed(), ...options });
  const { baseUrl } = sandbox;
  const account = { clientId, clientSecret, tokenUrl: `${baseUrl}${tokenPath}` };
  const connection = start.client({ baseUrl, ...account, ...settings });
  const read = () => getProject(connection.client, "5f00000000000000000000a1");
  return { sandbox, read, ...connection };
}

const pathsOf = (requests: readonly { path: string }[]) =>
  requests.map(({ path }) => (path === tokenPath ? "token" : "call"));

beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test("200 first calls at once cost one token and one request each, and later calls one request", async () => {
  const { sandbox, read, client } = await connect({}, { maxConcurrentRequests: 200 });
  const projects = await Promise.all(Array.from({ length: 200 }, read));
  expect(projects.every(({ name }) => name === "payments")).toBe(true);
  await read();
  expect(pathsOf(sandbox.requests).filter((path) => path === "token")).toHaveLength(1);
  expect(sandbox.requests).toHaveLength(202);
  expect(client.publicKey).toBeUndefined();
});

describe("a service account that is refused", () => {
  test("by the token endpoint has one explanation, and later calls send nothing", async () => {
    const { sandbox, read, settings } = await connect({}, { clientSecret: "mdb_sa_sk_wrong", maxRetries: 4 });
    const errors = [await failureOf(read()), await failureOf(read())];
    for (const error of errors) {
      expect(error).toMatchObject({ code: "OPSMANAGER_KEY_REFUSED", status: 401 });
      expect(sharedCauseOf(error)?.name).toBe("Service account refused");
    }
    expect(errors[0]?.message).toBe(
      `Reading project 5f00000000000000000000a1 failed: 401 invalid_client The client ID or the client secret is not valid. The token endpoint ${settings.origin}/api/oauth/token refused service account ${clientId} from the provider's arguments. Possible causes: clientId or clientSecret is wrong; the secret has expired, or the service account was deleted; it has an access list without this machine's address. Create a new secret in the organization's Access Manager if necessary. After a rotation with an explicit provider, run: pulumi up --refresh --run-program.`,
    );
    expect(pathsOf(sandbox.requests)).toEqual(["token"]);
  });

  test("because of its access list is told so, and by its name", async () => {
    const { sandbox, read } = await connect();
    await read();
    sandbox.changeServiceAccount(clientId, { ipAllowed: false });
    const error = await failureOf(read());
    expect(error).toMatchObject({
      code: "OPSMANAGER_KEY_REFUSED",
      errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST",
    });
    expect(error.message).toContain(`to the access list of service account ${clientId};`);
  });
});

test.each<[string, Parameters<typeof always>]>([
  ["a web page", [200, "<html>Sign in</html>", { "content-type": "text/html" }]],
  ["a path that does not exist", [404, { error: 404, detail: "Cannot find resource." }]],
])("tokenUrl that leads to %s is named", async (_, response) => {
  const { server, settings } = await start.server(always(...response));
  const { sandbox } = await start.sandbox({ seed: seed() });
  const tokenUrl = `${settings.origin}/token`;
  const { client } = start.client({ baseUrl: sandbox.baseUrl, clientId, clientSecret, tokenUrl });
  const error = await failureOf(getProject(client, "5f00000000000000000000a1"));
  expect(server.listening).toBe(true);
  expect(error).toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
  expect(error.message).toContain(`${tokenUrl} returned no access token`);
  expect(sharedCauseOf(error)?.name).toBe("No access token");
  expect(sandbox.requests).toEqual([]);
});

describe("two hosts:", () => {
  test("the secret goes to the token endpoint alone, the token to the service alone, and redirects are not followed", async () => {
    const heard: Record<"token" | "service" | "elsewhere", (string | undefined)[]> = {
      token: [],
      service: [],
      elsewhere: [],
    };
    const elsewhere = await start.server((request, response) => {
      heard.elsewhere.push(request.headers.authorization);
      response.end();
    });
    const endpoint = await start.server((request, response) => {
      heard.token.push(request.headers.authorization);
      always(200, { access_token: "a-token", expires_in: 60, token_type: "bearer" })(request, response);
    });
    const location = `${elsewhere.settings.origin}/api/public/v1.0/groups/1`;
    const service = await start.server((request, response) => {
      heard.service.push(request.headers.authorization);
      always(302, "", { location })(request, response);
    });
    const { client } = start.client({
      ...noKey,
      baseUrl: service.settings.origin,
      clientId,
      clientSecret,
      tokenUrl: `${endpoint.settings.origin}/oauth/token`,
    });
    const error = await failureOf(getProject(client, "5f00000000000000000000a1"));
    expect(error.message).toContain("It redirects to");
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    expect(heard).toEqual({ token: [`Basic ${basic}`], service: ["Bearer a-token"], elsewhere: [] });
  });

  test("the client certificate goes to the service, and to no token endpoint at another origin", async () => {
    const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
    const own = makeCertificate({ subject: "Service", names: ["127.0.0.1"], issuer: authority });
    const client = makeCertificate({ subject: "Client", issuer: authority });
    const tls = {
      cert: own.certificate,
      key: own.privateKey,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const subjects: unknown[] = [];
    const responding = (body: unknown) =>
      start.server(
        (request, response) => {
          subjects.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
          always(200, body)(request, response);
        },
        { caCert: authority.certificate },
        tls,
      );
    const endpoint = await responding({ access_token: "a-token", token_type: "Bearer" });
    const service = await responding({ id: "5f00000000000000000000a1", name: "payments", orgId });
    const connection = start.client({
      baseUrl: service.settings.origin,
      clientId,
      clientSecret,
      tokenUrl: `${endpoint.settings.origin}/oauth/token`,
      caCert: authority.certificate,
      clientCert: client.certificate,
      clientKey: client.privateKey,
    });
    await getProject(connection.client, "5f00000000000000000000a1");
    expect(subjects).toEqual([undefined, "Client"]);
  });
});

test("logs name the request for a token, and hold neither secret, credentials nor tokens, also if a service echoes them", async () => {
  let token = "";
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const echo = () => `${clientSecret} ${basic} ${token} ${token.slice(0, 20)}…`;
  const { settings } = await start.server((request, response) => {
    if (request.url === "/token") {
      token = "opaque-token-0123456789-not-a-json-web-token";
      always(200, { access_token: token, token_type: "Bearer" })(request, response);
    } else always(400, { errorCode: "X", detail: echo() })(request, response);
  });
  const { client, lines } = start.client({
    baseUrl: settings.origin,
    clientId,
    clientSecret,
    tokenUrl: `${settings.origin}/token`,
  });
  const error = await failureOf(getProject(client, "5f00000000000000000000a1"));
  const printed = [client.redact(error.message), ...lines].join("\n");
  expect(printed).toMatch(/POST \/token: 200 in \d+ ms/);
  expect(printed).toContain("400 X [secret] [secret] [secret] [secret]…");
  for (const secret of [clientSecret, basic, "opaque-token"]) expect(printed).not.toContain(secret);
});
