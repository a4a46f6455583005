/** A client that authenticates as a service account, over real connections. */
import type { TLSSocket } from "node:tls";
import { getProject } from "../../../provider/api/projects";
import { listServiceAccounts, listServiceAccountsOfProject } from "../../../provider/api/service-accounts";
import { isOperationNotOffered } from "../../../provider/resources/evidence/meaning";
import { identityOf } from "../../../provider/settings/config";
import { sharedCauseOf } from "../../../provider/text/errors";
import type { SandboxOptions } from "../../../sandbox";
import { makeCertificate } from "../../../sandbox/certificate";
import { always, clientFactory, failureOf } from "./with-client";

const start = clientFactory();

const orgId = "5f00000000000000000000b1";
const clientId = "mdb_sa_id_5f0000000000000000000001";
const clientSecret = "mdb_sa_sk_not-to-be-seen";
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

const timesOf = ({ createdAt = "", expiresAt = "" } = {}) => ({ createdAt, expiresAt });

const pathsOf = (requests: readonly { path: string }[]) =>
  requests.map(({ path }) => (path === tokenPath ? "token" : "call"));

beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test("many first calls at once cost one token and one request each, and later calls one request", async () => {
  const { sandbox, read, client } = await connect();
  const projects = await Promise.all(Array.from({ length: 50 }, read));
  expect(projects.every(({ name }) => name === "payments")).toBe(true);
  await read();
  expect(pathsOf(sandbox.requests).filter((path) => path === "token")).toHaveLength(1);
  expect(sandbox.requests).toHaveLength(52);
  expect(client.publicKey).toBeUndefined();
});

test("the lists of service accounts say where each role counts, have the own account by its identity, and no secret", async () => {
  const { sandbox, client, settings } = await connect({
    serviceAccountLists: "offered",
    orgAccountsInProject: true,
  });
  const projectId = "5f00000000000000000000a1";
  const [owner, reader] = [
    { roleName: "ORG_OWNER", orgId },
    { roleName: "GROUP_READ_ONLY", groupId: projectId },
  ];
  const made = sandbox.addServiceAccount({ name: "deploy", desc: "for releases", roles: [owner, reader] });
  const inProject = { roleName: "GROUP_READ_ONLY", projectId };
  const rolesIn = (accounts: Awaited<ReturnType<typeof listServiceAccounts>>) =>
    accounts.map(({ clientId, roles }) => [clientId, roles]);

  const all = await listServiceAccounts(client, orgId);
  const secret = { secretId: made.secrets[0]?.id, ...timesOf(made.secrets[0]), lastUsedAt: undefined };
  expect(all).toMatchObject([
    { clientId: identityOf(settings), roles: [owner], secrets: [{ lastUsedAt: expect.any(String) }] },
    { clientId: made.clientId, name: "deploy", description: "for releases", createdAt: made.createdAt },
  ]);
  expect(all[1]?.secrets).toEqual([secret]);
  expect(JSON.stringify(all)).not.toContain(made.clientSecret.slice(-4));
  // A text does not say of which organization it is a role.
  expect(rolesIn(await listServiceAccountsOfProject(client, projectId))).toEqual([
    [clientId, [{ roleName: "ORG_OWNER" }]],
    [made.clientId, [inProject]],
  ]);

  sandbox.setSwitches({ serviceAccountRoles: "objects" });
  expect(rolesIn(await listServiceAccounts(client, orgId))).toEqual([
    [clientId, [owner]],
    [made.clientId, [owner, inProject]],
  ]);
  expect(rolesIn(await listServiceAccountsOfProject(client, projectId))).toEqual([
    [clientId, [owner]],
    [made.clientId, [inProject]],
  ]);

  const bare = [{ clientId: made.clientId, roles: [{ roleName: "ORG_OWNER" }, { roleName: "GROUP_OWNER" }] }];
  const fault = { status: 200, body: { results: bare, totalCount: 1 } };
  sandbox.addFault({ pathPattern: "/serviceAccounts", times: 2, fault });
  expect(rolesIn(await listServiceAccounts(client, orgId))).toEqual([
    [made.clientId, [owner, { roleName: "GROUP_OWNER" }]],
  ]);
  expect(rolesIn(await listServiceAccountsOfProject(client, projectId))).toEqual([
    [made.clientId, [{ roleName: "ORG_OWNER" }, { roleName: "GROUP_OWNER", projectId }]],
  ]);

  sandbox.setSwitches({ serviceAccountLists: "not-offered" });
  for (const list of [listServiceAccounts(client, orgId), listServiceAccountsOfProject(client, projectId)]) {
    expect(isOperationNotOffered(await failureOf(list))).toBe(true);
  }
});

test("a service account that the token endpoint refuses has one explanation, and later calls send nothing", async () => {
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

test("with two hosts, the secret and the token each go to one alone, the client certificate to the service, and redirects are not followed", async () => {
  const authority = makeCertificate({ subject: "Example authority", isAuthority: true });
  const own = makeCertificate({ subject: "Service", names: ["127.0.0.1"], issuer: authority });
  const identity = makeCertificate({ subject: "Client", issuer: authority });
  const caCert = authority.certificate;
  const tls = {
    cert: own.certificate,
    key: own.privateKey,
    ca: caCert,
    requestCert: true,
    rejectUnauthorized: false,
  };
  const heard: unknown[] = [];
  const host = (name: string, ...answer: Parameters<typeof always>) =>
    start.server(
      (request, response) => {
        const { authorization } = request.headers;
        const socket = request.socket as TLSSocket;
        heard.push({ name, authorization, certificate: socket.getPeerCertificate().subject?.CN });
        always(...answer)(request, response);
      },
      { caCert },
      tls,
    );
  const elsewhere = await host("elsewhere", 200, {});
  const token = { access_token: "a-token", expires_in: 60, token_type: "bearer" };
  const endpoint = await host("token", 200, token);
  const location = `${elsewhere.settings.origin}/api/public/v1.0/groups/1`;
  const service = await host("service", 302, "", { location });
  const { client } = start.client({
    baseUrl: service.settings.origin,
    clientId,
    clientSecret,
    tokenUrl: `${endpoint.settings.origin}/oauth/token`,
    caCert,
    clientCert: identity.certificate,
    clientKey: identity.privateKey,
  });
  const error = await failureOf(getProject(client, "5f00000000000000000000a1"));
  expect(error.message).toContain("It redirects to");
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  expect(heard).toEqual([
    { name: "token", authorization: `Basic ${basic}`, certificate: undefined },
    { name: "service", authorization: "Bearer a-token", certificate: "Client" },
  ]);
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
