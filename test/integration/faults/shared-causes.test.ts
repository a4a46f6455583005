/** Causes for which every call fails, by the commands that meet them: each is explained once, and nothing leaves the state. */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectedFault, Sandbox } from "../../../sandbox";
import { bothProviders, errorsOf, messagesOf } from "../../engine/support/project-program";
import { connection } from "../../engine/support/stack-setup";
import { keepDefault, type Program, type ProviderKind, secret, succeeded } from "../../support";
import { runCommand } from "../../support/command";
import { DocumentService } from "../../support/document-service";
import { type Stack, setUpStack, tearDownStacks } from "../../support/model-stack";
import { sandboxes } from "../sandbox/with-sandbox";

const startOther = sandboxes();
const servers: (Server | DocumentService)[] = [];
beforeEach(() => keepDefault("refreshBeforeUpdate", "each command has to read"));
afterEach(async () => {
  await tearDownStacks();
  for (const server of servers.splice(0)) {
    if (server instanceof DocumentService) await server.close();
    else {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
});

/** One resource of each kind. */
function program({ orgId }: Sandbox): Program {
  const project = { projectId: "${payments.projectId}" };
  const roles = ["GROUP_READ_ONLY"];
  return {
    resources: {
      payments: { type: "Project", properties: { orgId, name: "payments" } },
      billing: { type: "Project", properties: { orgId, name: "billing" } },
      people: { type: "ProjectMembers", properties: { ...project, members: { "ada@example.com": roles } } },
      bob: {
        type: "ProjectMember",
        properties: { projectId: "${billing.projectId}", username: "bob@example.com", roles },
      },
      team: { type: "Team", properties: { orgId, name: "operators", usernames: ["owner@example.com"] } },
      teamInProject: { type: "ProjectTeam", properties: { ...project, teamId: "${team.teamId}", roles } },
      agents: { type: "AgentApiKey", properties: { ...project, description: "agents" } },
      key: { type: "ApiKey", properties: { orgId, description: "ci", roles: ["ORG_READ_ONLY"] } },
      keyInProject: { type: "ProjectApiKey", properties: { ...project, keyId: "${key.keyId}", roles } },
      member: {
        type: "OrganizationMember",
        properties: { orgId, username: "cleo@example.com", roles: ["ORG_READ_ONLY"] },
      },
    },
  };
}

/** The stack of each provider after its first `up`, and what the service holds then. */
const beginnings = new Map<ProviderKind, ReturnType<typeof begin>>();

async function begin(provider: ProviderKind) {
  const config = { "opsmanager:maxRetries": 0 };
  const setup = await setUpStack({ provider, sandbox: { orgUserChanges: "offered" }, config, program });
  await succeeded(setup.stack.up());
  return { seed: setup.sandbox.state, stack: setup.stack };
}

/** Each cause meets a copy of the same beginning. */
async function setUp(provider: ProviderKind = "plugin") {
  const beginning = beginnings.get(provider) ?? begin(provider);
  beginnings.set(provider, beginning);
  const { seed, stack } = await beginning;
  const sandbox = await startOther({ orgUserChanges: "offered", seed });
  return { sandbox, stack: await stack.copy({ baseUrl: sandbox.baseUrl }) };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

async function addressOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Response {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The stack's address is one of another server, which responds to every request alike. */
const otherServer =
  ({ status, body = "", headers = {} }: Response, path = "") =>
  async ({ stack }: Setup) => {
    const isText = typeof body === "string";
    const address = await addressOf((request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
      response.end(isText ? body : JSON.stringify(body));
    });
    await stack.setConfig({ "opsmanager:baseUrl": `${address}${path}` });
  };

const everyRequest =
  (fault: InjectedFault) =>
  async ({ sandbox }: Setup) =>
    sandbox.addFault({ times: 0, fault });

const page = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
const html = { "content-type": "text/html" };
const error = (status: number, errorCode: string, detail: string) => ({
  status,
  body: { error: status, errorCode, detail, reason: "Refused", parameters: [] },
});
const notFound = error(404, "RESOURCE_NOT_FOUND", "Cannot find resource.");

interface Cause {
  readonly title: string;
  readonly begin: (setup: Setup) => Promise<void>;
  readonly name: string;
  /** In the explanation. */
  readonly found: RegExp;
}

const cause = (title: string, begin: Cause["begin"], name: string, found: RegExp): Cause => ({
  title,
  begin,
  name,
  found,
});

/** The stack has a service account, whose tokens come from this address. */
const tokensFrom = (addressOf: (sandbox: Sandbox) => string) => (setup: Setup) =>
  setup.stack.setConfig({
    "opsmanager:publicKey": undefined,
    "opsmanager:privateKey": undefined,
    "opsmanager:clientId": "mdb_sa_id_5f0000000000000000000001",
    "opsmanager:clientSecret": secret("not-the-secret"),
    "opsmanager:tokenUrl": addressOf(setup.sandbox),
  });

const anotherServer = (title: string, response: Response, found: RegExp, path = "") =>
  cause(title, otherServer(response, path), "Not this API", found);

const causes: readonly Cause[] = [
  cause(
    "a wrong key",
    ({ stack }) => stack.setConfig({ "opsmanager:privateKey": secret("not-the-key") }),
    "Key refused",
    /refused API key/,
  ),
  cause(
    "an address that is not on the access list",
    everyRequest(error(403, "IP_ADDRESS_NOT_ON_ACCESS_LIST", "IP address 192.0.2.7 is not allowed.")),
    "Address not on the access list",
    /192\.0\.2\.7.*Add the address above to the access list/,
  ),
  cause(
    "a key that needs an access list",
    everyRequest(error(403, "ORG_REQUIRES_ACCESS_LIST", "The organization requires an access list.")),
    "Access list required",
    /Add this machine's address, as http.* sees it, to the access list/,
  ),
  cause(
    "a token endpoint that refuses the service account",
    tokensFrom(({ baseUrl }) => `${baseUrl}/api/oauth/token`),
    "Service account refused",
    /401 invalid_client.*refused service account/,
  ),
  cause(
    "a token endpoint that cannot be reached",
    tokensFrom(() => "http://127.0.0.1:9/token"),
    "Unreachable",
    /No access token for .*the token endpoint http:\/\/127\.0\.0\.1:9\/token/,
  ),
  cause(
    "a token endpoint that is none",
    tokensFrom(({ baseUrl }) => `${baseUrl}/token`),
    "No access token",
    /\/token returned no access token.*Check tokenUrl/,
  ),
  cause(
    "a service that is stopped",
    // Another test may get the port of a sandbox that was stopped; nothing listens on this one.
    ({ stack }) => stack.setConfig({ "opsmanager:baseUrl": "http://127.0.0.1:9" }),
    "Unreachable",
    /cannot be reached/,
  ),
  cause(
    "a gateway without a service behind it",
    otherServer({ status: 503, body: page("Maintenance"), headers: html }),
    "Service not available",
    /status 503.*Run the command again later/,
  ),
  cause(
    "a proxy that requires a login",
    otherServer({ status: 401, headers: { "www-authenticate": 'Basic realm="proxy"' } }),
    "Login not supported",
    /requires a login/,
  ),
  cause(
    "a redirect",
    otherServer({ status: 302, headers: { location: "https://login.example.com/" } }),
    "Redirected",
    /redirects to https:\/\/login\.example\.com/,
  ),
  cause(
    "a limit of requests that lasts",
    everyRequest({ status: 429, headers: { "retry-after": "0" } }),
    "Too many requests",
    /429/,
  ),
  cause(
    "another Ops Manager",
    async ({ stack }) => {
      await stack.setConfig(connection(await startOther()));
    },
    "Organization \\w+ not found",
    /ORG_NOT_FOUND.*the address of/,
  ),
  cause(
    "a wrong path of the service",
    ({ sandbox, stack }) => stack.setConfig({ "opsmanager:baseUrl": `${sandbox.baseUrl}/wrong` }),
    "Not this API",
    /path \/wrong in baseUrl is wrong/,
  ),
  anotherServer("a web server", { status: 404, body: page("404"), headers: html }, /404 with a web page/),
  anotherServer("a login page", { status: 200, body: page("Sign in"), headers: html }, /200 with a web page/),
  anotherServer(
    "another API",
    { status: 404, body: { message: "Not Found" }, headers: { server: "example/1.0" } },
    /404 \(Server: example\/1\.0\)\. No operation of Ops Manager's API responds at http:.*Check baseUrl/,
  ),
  anotherServer(
    "another API with error codes",
    { status: 404, body: { type: "about:blank", title: "Not Found", errorCode: "GROUP_NOT_FOUND" } },
    /404 GROUP_NOT_FOUND\. No operation/,
  ),
  anotherServer("a server that has JSON for everything", { status: 200, body: { ok: true } }, /No operation/),
  anotherServer(
    "Atlas",
    notFound,
    /404 RESOURCE_NOT_FOUND\..*its path \/api\/atlas\/v2 may be wrong/,
    "/api/atlas/v2",
  ),
];

/** The errors of a run, without those that refer to another one. */
function explanations(run: Awaited<ReturnType<Stack["up"]>>, name: string) {
  const errors = messagesOf(run, "error").split("\n");
  const references = errors.filter((line) => new RegExp(`^${name}: see [^ ]+( [^ ]+)?\\.$`).test(line));
  return { explained: errors.filter((line) => !references.includes(line)), references };
}

/** The adapter of the dynamic provider does the same for each cause. */
const causesOf: Readonly<Record<ProviderKind, readonly Cause[]>> = {
  plugin: causes,
  dynamic: causes.filter(({ title }) => ["a wrong key", "another API"].includes(title)),
};

describe.each(bothProviders)("with the provider %s", (provider) => {
  it.each(causesOf[provider])(
    "$title is one explanation, and nothing leaves the state",
    async ({ begin, name, found }) => {
      const setup = await setUp(provider);
      const { stack } = setup;
      const before = await stack.state();
      await begin(setup);
      for (const command of ["preview", "refresh", "up", "destroy"] as const) {
        const run = await stack[command]({ continueOnError: true });
        expect(run.exitCode).toBe(1);
        const { explained, references } = explanations(run, name);
        expect(explained).toEqual([expect.stringMatching(found)]);
        // The dynamic provider ends the other commands at the first error.
        if (command === "refresh") expect(references.length).toBeGreaterThan(1);
      }
      expect((await stack.state()).resources.map(({ id }) => id)).toEqual(
        before.resources.map(({ id }) => id),
      );
    },
  );
});

const elsewhere = { projectId: "f".repeat(24) };

/** Of each resource a changed property, and what makes it another object. */
const changes: Readonly<Record<string, readonly [changed: object, another: object]>> = {
  payments: [{ tags: ["PROD"] }, { name: "ledger" }],
  people: [{ members: { "ada@example.com": ["GROUP_OWNER"] } }, elsewhere],
  bob: [{ roles: ["GROUP_OWNER"] }, { username: "dan@example.com" }],
  team: [{ usernames: ["owner@example.com", "ada@example.com"] }, { name: "developers" }],
  teamInProject: [{ roles: ["GROUP_OWNER"] }, elsewhere],
  agents: [{ description: "new agents" }, { description: "other agents" }],
  key: [{ description: "new ci" }, { description: "other ci" }],
  keyInProject: [{ roles: ["GROUP_OWNER"] }, elsewhere],
  member: [{ roles: ["ORG_OWNER"] }, { username: "dan@example.com" }],
};

describe.each(bothProviders)(
  "a wrong path that demands a signature and has no error codes (%s)",
  (provider) => {
    /** The stack of the sandbox, at that path of another service with the same key. */
    async function atWrongPath({ sandbox, stack }: Setup) {
      const { publicKey, privateKey } = sandbox;
      const service = await DocumentService.start({ body: "empty", publicKey, privateKey });
      servers.push(service);
      await stack.setConfig({ "opsmanager:baseUrl": `${service.connection.baseUrl}/wrong` });
      const { resources = {} } = program(sandbox);
      const before = await stack.state();
      const refuses = async (declared: NonNullable<Program["resources"]>) => {
        await stack.setProgram({ resources: declared });
        expect(await errorsOf(stack.up())).toContain("heck baseUrl");
        expect((await stack.state()).resources.map(({ id }) => id)).toEqual(
          before.resources.map(({ id }) => id),
        );
      };
      return { service, stack, resources, before, refuses };
    }

    it("warns of what it does not offer, names baseUrl, and drops nothing from the state without a write", async () => {
      const { service, stack, before } = await atWrongPath(await setUp(provider));
      for (const command of ["preview", "refresh", "up"] as const) {
        const run = await succeeded(stack[command]());
        for (const line of messagesOf(run, "warning").split("\n"))
          expect(line).toMatch(/heck baseUrl|: see /);
        expect(await stack.state()).toEqual(before);
      }
      expect(service.takeWrites()).toEqual([]);
    });

    it("fails each create, update and delete of each kind, and drops nothing", async () => {
      const names = ["payments", "team", "key"];
      const roots = await setUpStack({
        provider,
        program: (sandbox) => {
          const { resources = {} } = program(sandbox);
          return { resources: Object.fromEntries(names.map((name) => [name, resources[name]])) } as Program;
        },
      });
      await succeeded(roots.stack.up());
      const withoutHolders = await atWrongPath(roots);
      for (const name of names) {
        const { [name]: _, ...others } = withoutHolders.resources;
        const left = Object.entries(others).filter(([other]) => names.includes(other));
        await withoutHolders.refuses(Object.fromEntries(left));
      }

      const { stack, resources, refuses } = await atWrongPath(await setUp(provider));
      for (const [name, [changed, another]] of Object.entries(changes)) {
        const { type = "", properties = {} } = resources[name] ?? {};
        await refuses({ ...resources, [name]: { type, properties: { ...properties, ...changed } } });
        await refuses({ ...resources, another: { type, properties: { ...properties, ...another } } });
        const { [name]: _, ...others } = resources;
        const isReleased = (await stack.resource(name))?.outputs?.onDestroy === "release";
        if (!isReleased && !JSON.stringify(others).includes(`{${name}.`)) await refuses(others);
      }
    });
  },
);

describe("the commands without an engine", () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "opsmanager-causes-"));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  /** The adapter of the commands does the same for each cause. */
  const some = ["a wrong key", "a service that is stopped", "a redirect", "a web server", "another API"];

  it.each(causes.filter(({ title }) => some.includes(title)))(
    "end with $title as their only error",
    async ({ begin, found, name }) => {
      const { sandbox, stack } = await setUp();
      const settings = { baseUrl: sandbox.baseUrl, privateKey: sandbox.privateKey };
      // The cause is one of a stack: the commands get the same settings.
      const setConfig: Stack["setConfig"] = async (config) => {
        for (const [key, value] of Object.entries(config)) {
          const text = typeof value === "object" && "plaintext" in value ? value.plaintext : value;
          Object.assign(settings, { [key.replace("opsmanager:", "")]: text });
        }
      };
      await begin({ sandbox, stack: Object.assign(stack, { setConfig }) });
      const env = {
        OPSMANAGER_BASE_URL: settings.baseUrl,
        OPSMANAGER_PUBLIC_KEY: sandbox.publicKey,
        OPSMANAGER_PRIVATE_KEY: settings.privateKey,
        OPSMANAGER_MAX_RETRIES: "0",
      };
      for (const argv of [
        ["access", "ada@example.com", "--org", sandbox.orgId],
        ["adopt", "--members", "--teams", "--keys"],
      ]) {
        const { exitCode, stdout, stderr } = await runCommand(argv, { cwd, env });
        expect([exitCode, stdout]).toEqual([1, ""]);
        expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(found)]);
      }
      if (name !== "Not this API") return;
      const { exitCode } = await runCommand(["doctor"], { cwd, env });
      expect(exitCode).toBe(1);
    },
  );
});

describe("an operation that is missing or refused, on a service that shows itself otherwise,", () => {
  it.each([
    ["not offered", { status: 404, body: { error: 404, reason: "Not Found" } }, "People not offered"],
    ["refused", { status: 403, body: { error: 403, reason: "Forbidden" } }, "People not readable"],
  ])("is a warning, explained once: %s", async (_, fault, name) => {
    const projects = ["billing", "payments", "search"];
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => ({
        resources: Object.fromEntries(
          projects.flatMap((project) => [
            [project, { type: "Project", properties: { orgId, name: project } }],
            [
              `people-${project}`,
              {
                type: "ProjectMembers",
                properties: {
                  projectId: `\${${project}.projectId}`,
                  members: { "ada@example.com": ["GROUP_READ_ONLY"] },
                },
              },
            ],
          ]),
        ),
      }),
    });
    await succeeded(stack.up());
    sandbox.addFault({ pathPattern: "/users", times: 0, fault });
    const run = await succeeded(stack.refresh());
    const warnings = messagesOf(run, "warning").split("\n");
    const references = warnings.filter((line) => line.includes(`] ${name}: see people-`));
    expect([warnings.length, references.length]).toEqual([3, 2]);
    expect(new Set(warnings.map((line) => /\[people (\w+)\]/.exec(line)?.[1])).size).toBe(3);
  });
});
