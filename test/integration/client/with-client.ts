import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import { type ApiClient, createClient } from "../../../provider/api/client";
import { resolveSettings } from "../../../provider/settings/config";
import { NO_ID } from "../../../provider/text/object-id";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

type Settings = Readonly<Record<string, unknown>>;

export interface Connection {
  readonly client: ApiClient;
  /** Debug lines, in order. */
  readonly lines: string[];
  readonly warnings: string[];
  /** Messages to the user during slow calls. */
  readonly messages: string[];
  readonly settings: ReturnType<typeof resolveSettings>;
}

export interface SandboxConnection extends Connection {
  readonly sandbox: Sandbox;
}

export interface ClientFactory {
  /** A client of the sandbox. */
  sandbox(options?: SandboxOptions, settings?: Settings): Promise<SandboxConnection>;
  /**
   * A client of a server that responds as the test specifies, except that it shows to be the API where the client
   * checks that. It requires no credentials. Over TLS where that is given.
   */
  server(
    listener: RequestListener,
    settings?: Settings,
    tls?: TlsOptions,
  ): Promise<Connection & { readonly server: Server }>;
  /** One more client, of any address. */
  client(settings: Settings, env?: Readonly<Record<string, string>>): Connection;
}

/** Starts clients and what they speak to for one test, and ends all of it after the test. */
export function clientFactory(): ClientFactory {
  const endings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  const client: ClientFactory["client"] = (settings, env = {}) => {
    const logged = { debug: [] as string[], info: [] as string[], warn: [] as string[] };
    const args = { maxRetries: 0, ...settings };
    const resolved = resolveSettings({ args, env, isDefaultProvider: false, directory: __dirname });
    const made = createClient(resolved, (line, severity) => logged[severity].push(line));
    endings.push(() => made.close());
    return {
      client: made,
      lines: logged.debug,
      messages: logged.info,
      warnings: logged.warn,
      settings: resolved,
    };
  };
  return {
    client,
    async sandbox(options, settings = {}) {
      const sandbox = await startSandbox(options);
      endings.push(() => sandbox.close());
      const { baseUrl, publicKey, privateKey } = sandbox;
      return { sandbox, ...client({ baseUrl, publicKey, privateKey, ...settings }) };
    },
    async server(respond, settings = {}, tls) {
      const listener: RequestListener = (request, response) => {
        if (request.url?.includes(NO_ID)) always(404, notFound)(request, response);
        else respond(request, response);
      };
      const server = tls ? createTlsServer(tls, listener) : createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      endings.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      const { port } = server.address() as AddressInfo;
      const keys = { publicKey: "public", privateKey: "private-part" };
      const scheme = tls ? "https" : "http";
      return { server, ...client({ baseUrl: `${scheme}://127.0.0.1:${port}`, ...keys, ...settings }) };
    },
  };
}

const notFound = { error: 404, errorCode: "GROUP_NOT_FOUND", reason: "Not Found", parameters: [] };

/** Responses every request alike. */
export function always(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
): RequestListener {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Challenges a request without credentials, and leaves the others to the listener. */
export function challenging(signed: RequestListener): RequestListener {
  const header = { "www-authenticate": 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5' };
  return (request, response) =>
    (request.headers.authorization === undefined ? always(401, "", header) : signed)(request, response);
}

export function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? "/", "http://localhost").searchParams;
}

/** What a call that has to fail failed with. */
export async function failureOf(call: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("The call was expected to fail.");
}
