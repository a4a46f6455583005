import { createHash } from "node:crypto";
import type { Sandbox } from "../../../sandbox";

/**
 * A small client for the sandbox's own tests. It can answer a challenge wrongly on purpose, which neither curl nor the
 * provider's client does.
 */

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined without one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape and would fail on a wrong one
  readonly json: any;
}

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Fields that a test may set against the RFC. */
export interface DigestParts extends KeyPair {
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  /** Left out: the RFC 2069 form. */
  readonly nc?: string;
  readonly opaque?: string;
}

export function authorization({
  publicKey,
  privateKey,
  method,
  uri,
  nonce,
  nc,
  opaque,
}: DigestParts): string {
  const cnonce = "0a4f113b";
  const middle = nc === undefined ? nonce : `${nonce}:${nc}:${cnonce}:auth`;
  const response = md5(
    `${md5(`${publicKey}:MMS Public API:${privateKey}`)}:${middle}:${md5(`${method}:${uri}`)}`,
  );
  const quality = nc === undefined ? "" : `, qop=auth, nc=${nc}, cnonce="${cnonce}"`;
  const echo = opaque === undefined ? "" : `, opaque="${opaque}"`;
  return `Digest username="${publicKey}", realm="MMS Public API", nonce="${nonce}", uri="${uri}", response="${response}"${quality}${echo}`;
}

export const apiPath = (path: string): string => `/api/public/v1.0${path}`;

/** One request as it is, below the API's address. */
export async function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<SandboxResponse> {
  const sent = typeof body === "string" ? body : body === undefined ? null : JSON.stringify(body);
  const json = sent === null ? {} : { "Content-Type": "application/json" };
  const response = await fetch(sandbox.baseUrl + apiPath(path), {
    method,
    headers: { ...json, ...headers },
    body: sent,
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Status and error code of a response. */
export const outcome = ({ status, json }: SandboxResponse): string =>
  [status, json?.errorCode].filter(Boolean).join(" ");

export const challengeOf = (response: SandboxResponse): string =>
  response.headers.get("www-authenticate") ?? "";

const parameterOf = (challenge: string, name: string): string | undefined =>
  new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1];

/** A fresh nonce. */
export async function nonceOf(sandbox: Sandbox): Promise<string> {
  return parameterOf(challengeOf(await send(sandbox, "GET", "/groups")), "nonce") ?? "";
}

/** One authenticated call: takes a challenge and answers it. */
export async function call(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  key: KeyPair = sandbox,
): Promise<SandboxResponse> {
  const challenge = challengeOf(await send(sandbox, "GET", "/groups"));
  const nonce = parameterOf(challenge, "nonce") ?? "";
  const opaque = parameterOf(challenge, "opaque");
  const header = authorization({
    publicKey: key.publicKey,
    privateKey: key.privateKey,
    method,
    uri: apiPath(path),
    nonce,
    ...(challenge.includes('qop="auth"') ? { nc: "00000001" } : {}),
    ...(opaque === undefined ? {} : { opaque }),
  });
  return send(sandbox, method, path, { Authorization: header }, body);
}
