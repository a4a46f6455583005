/**
 * A service with the least possible cost, so that the figures are those of the clients. The
 * sandbox takes as long for a request as the clients themselves. Its challenge and its
 * nonces are those of the sandbox: MD5 and `qop="auth"`. A repeated count is a replay.
 * Only a right response to an old nonce gets `stale=true`.
 *
 * The same project is there without credentials below `/open`: what a client costs that signs nothing. A client may also
 * have the access token that `/token` returns to everyone.
 */
import { hash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Endpoint, type Manner, responseLines } from "./protocol";

const realm = "MMS Public API";
const publicKey = "abcdefgh";
const privateKey = "00000000-0000-0000-0000-000000000000";
const projectId = "5f0000000000000000000001";
const project = JSON.stringify({
  id: projectId,
  orgId: "5f00000000000000000000a1",
  name: "payments",
  tags: ["PROD", "TEAM_PAYMENTS"],
  activeAgentCount: 0,
  replicaSetCount: 0,
  shardCount: 0,
  lastActiveAgent: "2026-01-01T00:00:00Z",
  publicApiEnabled: true,
  ldapGroupMappings: [{ roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=developers,dc=example,dc=com"] }],
  hostCounts: { arbiter: 0, config: 0, primary: 0, secondary: 0, mongos: 0, master: 0, slave: 0 },
  links: [{ rel: "self", href: `http://localhost/api/public/v1.0/groups/${projectId}` }],
});

const token = randomBytes(24).toString("base64url");
const tokenResponse = JSON.stringify({ access_token: token, expires_in: 3600, token_type: "Bearer" });

const md5 = (text: string) => hash("md5", text, "hex");
const key = md5(`${publicKey}:${realm}:${privateKey}`);

/** The counts that were seen with a nonce. */
let counts = new Map<string, Set<string>>();
let manner = { usesOfNonce: Number.POSITIVE_INFINITY, namesNext: false, milliseconds: 0 };
let requests = 0;
let refused = 0;

function issue(): string {
  const nonce = randomBytes(24).toString("base64");
  counts.set(nonce, new Set());
  return nonce;
}

/** A parameter's value; found without regular expressions, which would take longer than the hashes. */
function parameter(authorization: string, name: string): string {
  for (let at = authorization.indexOf(`${name}=`); at > 0; at = authorization.indexOf(`${name}=`, at + 1)) {
    if (!/[ ,]/.test(authorization.charAt(at - 1))) continue;
    const from = at + name.length + 1;
    const isQuoted = authorization[from] === '"';
    const end = authorization.indexOf(isQuoted ? '"' : ",", from + 1);
    return authorization.slice(isQuoted ? from + 1 : from, end < 0 ? undefined : end);
  }
  return "";
}

/** What the response is to be: the project, or a challenge. */
function judge({ method, url = "", headers }: IncomingMessage): "right" | "stale" | "wrong" {
  const { authorization } = headers;
  if (authorization === undefined) return "wrong";
  if (authorization === `Bearer ${token}`) return "right";
  const [nonce, count] = [parameter(authorization, "nonce"), parameter(authorization, "nc")];
  const counted = `${nonce}:${count}:${parameter(authorization, "cnonce")}`;
  const proof = md5(`${key}:${counted}:auth:${md5(`${method}:${url}`)}`);
  if (parameter(authorization, "uri") !== url) return "wrong";
  if (parameter(authorization, "response") !== proof) return "wrong";
  const seen = counts.get(nonce);
  if (!seen || seen.has(count) || seen.size >= manner.usesOfNonce) return "stale";
  seen.add(count);
  return "right";
}

const responseHead = ["Content-Type", "application/json", "Content-Length", String(project.length)];

function handle(request: IncomingMessage, response: ServerResponse): void {
  requests += 1;
  if (manner.milliseconds === 0) respond(request, response);
  else setTimeout(respond, manner.milliseconds, request, response);
}

function respond(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/token") {
    response.writeHead(200, ["Content-Type", "application/json"]).end(tokenResponse);
    return;
  }
  const verdict = request.url?.startsWith("/open/") ? "right" : judge(request);
  if (verdict === "right") {
    const info = manner.namesNext ? ["Authentication-Info", `nextnonce="${issue()}"`] : [];
    response.writeHead(200, [...responseHead, ...info]).end(project);
    return;
  }
  refused += 1;
  const challenge = `Digest realm="${realm}", domain="", nonce="${issue()}", algorithm=MD5, qop="auth", stale=${verdict === "stale"}`;
  response.writeHead(401, ["WWW-Authenticate", challenge, "Content-Length", "0"]).end();
}

const server = createServer(handle);
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const endpoint: Endpoint = { origin: `http://127.0.0.1:${port}`, publicKey, privateKey, projectId };
  responseLines({
    endpoint: () => endpoint,
    begin: ({ usesOfNonce = Number.POSITIVE_INFINITY, namesNext = false, milliseconds = 0 }: Manner) => {
      manner = { usesOfNonce, namesNext, milliseconds };
      counts = new Map();
      return {};
    },
    count: () => {
      const counted = { requests, refused };
      requests = 0;
      refused = 0;
      return counted;
    },
  });
});
