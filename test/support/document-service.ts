/**
 * A service that knows the API document and nothing else: one project, its invitations and its users, four operations, HTTP Digest.
 * Where the document is silent, a test chooses what the service does (`Silence`). Its Digest is written from the document and
 * RFC 2617, and shares no code with the provider or the sandbox.
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the document leaves open. */
export interface Silence {
  /** The parameters of the challenge: `op="auth"` as in the document, with `qop="auth"`, or the latter alone. */
  readonly dialect: "op" | "op and qop" | "qop";
  /** The vendor in the name of the version header. */
  readonly vendor: string;
  /** The body of a refusal. */
  readonly body: "web page" | "empty" | "JSON" | "JSON with errorCode";
  /** The response to what is none of the four operations. `challenged`: only if the signature is right. */
  readonly unknown: { readonly status: number; readonly challenged: boolean };
  /** The status for an invitation that was accepted. */
  readonly accepted: number;
  /** The status of a removal. */
  readonly removed: 200 | 202 | 204;
}

export const quiet: Silence = {
  dialect: "op",
  vendor: "Example",
  body: "JSON",
  unknown: { status: 404, challenged: true },
  accepted: 404,
  removed: 204,
};

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const keyPair: KeyPair = { publicKey: "documentkey", privateKey: "4a6e1f0c-document-9b2d" };

interface Project {
  readonly id: string;
  readonly name: string;
  readonly orgId: string;
  readonly tags: readonly string[];
  readonly ldapGroupMappings?: readonly unknown[];
}

interface Invitation {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
  readonly status: "pending" | "accepted";
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Where the service has codes; the document shows none. */
  readonly errorCode?: string;
}

const base = "/api/public/v1.0";
const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const id = (digit: string) => digit.repeat(24);

export class DocumentService {
  project: Project = { id: id("a"), name: "payments", orgId: id("b"), tags: ["OLD"] };
  readonly users = new Set([id("d"), id("e")]);
  readonly invitations = new Map<string, Invitation>();
  /** What a gateway in front of the service has no route to, and answers itself. */
  lost = /^$/;
  /** Requests with a right signature, and the status of each response. */
  readonly requests: { readonly method: string; readonly path: string; readonly status: number }[] = [];
  readonly #nonces = new Set<string>();
  readonly #server = createServer((request, response) => this.#exchange(request, response));

  constructor(private readonly silence: Silence & KeyPair) {}

  static async start(silence: Partial<Silence & KeyPair> = {}): Promise<DocumentService> {
    const service = new DocumentService({ ...quiet, ...keyPair, ...silence });
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get connection(): KeyPair & { readonly baseUrl: string } {
    const { publicKey, privateKey } = this.silence;
    const { port } = this.#server.address() as AddressInfo;
    return { baseUrl: `http://127.0.0.1:${port}`, publicKey, privateKey };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  invite(username: string): string {
    const invitationId = randomBytes(12).toString("hex");
    const roles = ["GROUP_READ_ONLY"];
    this.invitations.set(invitationId, { id: invitationId, username, roles, status: "pending" });
    return invitationId;
  }

  accept(invitationId: string): void {
    const invitation = this.invitations.get(invitationId);
    if (invitation) this.invitations.set(invitationId, { ...invitation, status: "accepted" });
  }

  /** The writes so far, oldest first; they are forgotten. */
  takeWrites(): string[] {
    const done = this.requests.splice(0).filter(({ method }) => method !== "GET");
    return done.map(({ method, path, status }) => `${method} ${path} ${status}`);
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?");
    const operation = this.#operation(method, path, text);
    const { unknown } = this.silence;
    if (this.lost.test(url)) {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("default backend - 404");
      return;
    }
    const isChallenged = operation !== undefined || unknown.challenged;
    if (isChallenged && !this.#isSigned(request)) return this.#challenge(response);
    const reply = operation?.() ?? { status: unknown.status, errorCode: "RESOURCE_NOT_FOUND" };
    if (isChallenged) this.requests.push({ method, path: path.replace(base, ""), status: reply.status });
    this.#send(response, reply);
  }

  #challenge(response: ServerResponse): void {
    const nonce = randomBytes(16).toString("base64");
    this.#nonces.add(nonce);
    const offered = { op: 'op="auth"', "op and qop": 'op="auth", qop="auth"', qop: 'qop="auth"' };
    const challenge = `Digest realm="Public API", domain="", nonce="${nonce}", algorithm=MD5, ${offered[this.silence.dialect]}, stale=false`;
    response.writeHead(401, { "content-type": "application/json", "www-authenticate": challenge });
    response.end();
  }

  /** RFC 2617 section 3.2.2.1: with a qop if one was offered, otherwise in the older form. */
  #isSigned({ method, url, headers: { authorization = "" } }: IncomingMessage): boolean {
    const fields = new Map(
      [...authorization.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, quoted, bare]) => [
        name,
        quoted ?? bare ?? "",
      ]),
    );
    const field = (name: string) => fields.get(name) ?? "";
    if (!this.#nonces.has(field("nonce")) || field("uri") !== url) return false;
    const hasQop = this.silence.dialect !== "op";
    if (fields.has("qop") !== hasQop) return false;
    const counted = hasQop ? [field("nc"), field("cnonce"), field("qop")] : [];
    const { publicKey, privateKey } = this.silence;
    const secret = md5(`${publicKey}:Public API:${privateKey}`);
    const expected = [secret, field("nonce"), ...counted, md5(`${method}:${url}`)].join(":");
    return field("username") === publicKey && field("response") === md5(expected);
  }

  /** @returns `undefined` if it is none of the four */
  #operation(method: string, path: string, body: string): (() => Reply) | undefined {
    const [groups, groupId = "", kind, objectId = "", ...more] = path.replace(`${base}/`, "").split("/");
    if (!path.startsWith(`${base}/`) || groups !== "groups" || more.length > 0) return undefined;
    const here = (operation: () => Reply) => () =>
      groupId === this.project.id ? operation() : { status: 404, errorCode: "GROUP_NOT_FOUND" };
    if (method === "PATCH" && kind === undefined) return here(() => this.#change(JSON.parse(body)));
    if (method === "GET" && kind === "invites" && objectId) return here(() => this.#read(objectId));
    if (method === "DELETE" && kind === "invites" && objectId) return here(() => this.#revoke(objectId));
    if (method === "DELETE" && kind === "users" && objectId) return here(() => this.#remove(objectId));
    return undefined;
  }

  #change(change: Partial<Project>): Reply {
    const known = ["name", "tags", "ldapGroupMappings"];
    if (!known.some((name) => name in change)) return { status: 400 };
    this.project = { ...this.project, ...change };
    const counts = { activeAgentCount: 0, replicaSetCount: 0, shardCount: 0, hostCounts: {} };
    return { status: 200, body: { ...this.project, ...counts, publicApiEnabled: true, links: [] } };
  }

  #read(invitationId: string): Reply {
    const invitation = this.invitations.get(invitationId);
    if (invitation?.status !== "pending") return { status: 404, errorCode: "INVALID_INVITATION_ID" };
    const { username, roles } = invitation;
    const times = { createdAt: "2026-01-01T00:00:00Z", expiresAt: "2126-01-31T00:00:00Z" };
    const group = { groupId: this.project.id, groupName: this.project.name };
    const shown = { id: invitationId, ...group, ...times, inviterUsername: "owner@example.com" };
    return { status: 200, body: { ...shown, roles, username } };
  }

  #revoke(invitationId: string): Reply {
    const invitation = this.invitations.get(invitationId);
    if (invitation?.status !== "pending") {
      const status = invitation === undefined ? 404 : this.silence.accepted;
      return { status, errorCode: "INVALID_INVITATION_ID" };
    }
    this.invitations.delete(invitationId);
    return { status: 204, body: {} };
  }

  #remove(userId: string): Reply {
    if (this.users.delete(userId)) return { status: this.silence.removed };
    return { status: 404, errorCode: "USER_NOT_IN_GROUP" };
  }

  #send(response: ServerResponse, { status, body, errorCode }: Reply): void {
    const { vendor, body: form } = this.silence;
    if (status < 300) {
      const version = "gitHash=0a1b2c3d; versionString=8.0.0.100";
      const headers = { "strict-transport-security": "max-age=300", vary: "Accept-Encoding" };
      // Some frameworks declare a response without a body as a web page.
      const json = { "content-type": body === undefined ? "text/html" : "application/json" };
      response.writeHead(status, { ...headers, ...json, [`X-${vendor}-Service-Version`]: version });
      response.end(body === undefined ? undefined : JSON.stringify(body));
      return;
    }
    const json = { error: status, detail: "Refused." };
    const bodies = {
      "web page": ["text/html", `<!DOCTYPE html><html><body>HTTP ERROR ${status}</body></html>`],
      empty: ["text/plain", ""],
      JSON: ["application/json", JSON.stringify(json)],
      "JSON with errorCode": ["application/json", JSON.stringify({ ...json, errorCode })],
    } as const;
    const [type, text] = bodies[form];
    response.writeHead(status, { "content-type": type });
    response.end(text);
  }
}
