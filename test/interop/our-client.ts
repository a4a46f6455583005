/** The provider's Digest against a server of others, with every request on the wire counted. */
import { createDigestAuth } from "../../provider/transport/digest-auth";
import { refusalOf } from "../../provider/transport/digest-refusal";
import { createLimit } from "../../provider/transport/limit";
import { createPool } from "../../provider/transport/pool";
import type { SendRequest, WireRequest, WireResponse } from "../../provider/transport/wire";
import type { Finding, Keys } from "./peer";

const CONCURRENCY = 16;

export interface Endpoint {
  readonly origin: string;
  /** Path with query. */
  readonly target: string;
  readonly keys: Keys;
  /** What is special about it, for the table. */
  readonly name?: string;
  /** Requests that a nonce serves; without limit if left out. */
  readonly usesOfNonce?: number;
}

interface Counting {
  readonly send: SendRequest;
  requests: number;
  readonly warnings: string[];
}

async function withClient<T>(
  endpoint: Endpoint,
  keys: Keys,
  use: (client: Counting) => Promise<T>,
): Promise<T> {
  const pool = createPool({
    origin: endpoint.origin,
    requestTimeoutSeconds: 20,
    skipTlsVerification: false,
    maxConcurrentRequests: CONCURRENCY,
  });
  const warnings: string[] = [];
  const counted: SendRequest = (request) => {
    client.requests += 1;
    return pool.send(request);
  };
  const digest = createDigestAuth(keys, (message) => warnings.push(message))(counted);
  const send = createLimit({ maxConcurrentRequests: CONCURRENCY })(digest);
  const client: Counting = { requests: 0, warnings, send };
  try {
    return await use(client);
  } finally {
    await pool.close();
  }
}

/** One call, then many after each other, then many at once, then a wrong key. */
export async function exercise(endpoint: Endpoint): Promise<Finding[]> {
  const request: WireRequest = { method: "GET", target: endpoint.target, headers: {} };
  const label = (what: string) => (endpoint.name === undefined ? what : `${endpoint.name}: ${what}`);
  const mostFor = (calls: number) =>
    endpoint.usesOfNonce === undefined
      ? calls
      : calls + CONCURRENCY * Math.ceil(calls / endpoint.usesOfNonce);
  const good = await withClient(endpoint, endpoint.keys, async (client) => {
    const finding = async (
      what: string,
      calls: number,
      most: number,
      responses: () => Promise<WireResponse[]>,
    ) => {
      client.requests = 0;
      const statuses = (await responses()).map(({ status }) => status);
      const wrong = statuses.filter((status) => status !== 200);
      const requests = `${client.requests} requests for ${calls} call${calls === 1 ? "" : "s"}`;
      const agrees = wrong.length === 0 && client.requests <= most && client.warnings.length === 0;
      return {
        what: label(what),
        outcome: [requests, ...new Set(wrong), ...client.warnings].join(", "),
        agrees,
      };
    };
    const inTurn = async () => {
      const statuses: WireResponse[] = [];
      for (let call = 0; call < 50; call += 1) statuses.push(await client.send(request));
      return statuses;
    };
    return [
      await finding("first call", 1, 2, async () => [await client.send(request)]),
      await finding("one after another", 50, mostFor(50), inTurn),
      await finding(`${CONCURRENCY} at a time`, 400, mostFor(400), () =>
        Promise.all(Array.from({ length: 400 }, () => client.send(request))),
      ),
    ];
  });
  const wrongKeys = { ...endpoint.keys, privateKey: "wrong" };
  const refused = await withClient(endpoint, wrongKeys, async (client) => {
    const refusals = [await client.send(request), await client.send(request)].map(refusalOf);
    const agrees = client.requests === 2 && refusals.every((refusal) => refusal === "key");
    const outcome = `${client.requests} requests, refused: ${refusals.join(", ")}`;
    return { what: label("wrong key, two calls"), outcome, agrees };
  });
  return [...good, refused];
}
