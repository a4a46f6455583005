/** Reads of single objects through undici with a Digest of the plain kind: what a provider does that shares no reads. */
import { createHash, randomBytes } from "node:crypto";
import { Agent, request } from "undici";
import type { PlainReads } from "./empty-provider";

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  uses: number;
}

/** @returns reads the object of a resource by the id of the resource */
export function plainReader({ baseUrl, publicKey, privateKey, requestsPerRead }: PlainReads) {
  const dispatcher = new Agent();
  let known: Promise<Challenge> | undefined;

  async function send(path: string, challenge?: Challenge) {
    const headers = challenge === undefined ? {} : { authorization: signature(path, challenge) };
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${baseUrl}${path}`, { dispatcher, headers });
    const text = await body.text();
    return { statusCode, text, challenge: challengeOf(String(answered["www-authenticate"] ?? "")) };
  }

  function signature(uri: string, challenge: Challenge): string {
    const { realm, nonce } = challenge;
    challenge.uses += 1;
    const nc = challenge.uses.toString(16).padStart(8, "0");
    const cnonce = randomBytes(8).toString("hex");
    const secrets = [md5(`${publicKey}:${realm}:${privateKey}`), md5(`GET:${uri}`)];
    const response = md5(`${secrets[0]}:${nonce}:${nc}:${cnonce}:auth:${secrets[1]}`);
    return `Digest username="${publicKey}", realm="${realm}", nonce="${nonce}", uri="${uri}", qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}"`;
  }

  async function requestChallenge(path: string): Promise<Challenge> {
    const { challenge } = await send(path);
    if (challenge === undefined) throw new Error(`${path} requires no credentials.`);
    return challenge;
  }

  return async (id: string): Promise<void> => {
    const path = pathOf(id);
    for (let attempt = 1; ; attempt++) {
      if (requestsPerRead === 2) known = requestChallenge(path);
      known ??= requestChallenge(path);
      const used = known;
      const { statusCode, text, challenge } = await send(path, await used);
      if (statusCode === 200) return void JSON.parse(text);
      // A nonce lasts a minute. The first request that gets the new one keeps it for the others.
      if (statusCode !== 401 || challenge === undefined || attempt === 3)
        throw new Error(`GET ${path} was answered with ${statusCode}: ${text}`);
      if (known === used) known = Promise.resolve(challenge);
    }
  };
}

/** A Project has its project's id, a ProjectMember `projectId/username`. */
function pathOf(id: string): string {
  const [projectId = "", username] = id.split("/");
  return username === undefined
    ? `/api/public/v1.0/groups/${projectId}`
    : `/api/public/v1.0/users/byName/${encodeURIComponent(username)}`;
}

function challengeOf(header: string): Challenge | undefined {
  const [realm, nonce] = ["realm", "nonce"].map(
    (name) => new RegExp(`\\b${name}="([^"]*)"`).exec(header)?.[1],
  );
  return realm === undefined || nonce === undefined ? undefined : { realm, nonce, uses: 0 };
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("hex");
}
