/** Digest authentication: the challenge, the forms of credentials, and the life of a nonce. */
import {
  chooseChallenge,
  headerValues,
  Nonce,
  parseChallenges,
  parseParameters,
  refusalOf,
  WireFault,
  type WireRequest,
  type WireResponse,
} from "../../../provider/transport";
import { agesOf, waitUntil } from "../ages";
import { requestOf } from "../service";
import type { Trial } from "../trial";
import { Undetermined } from "../undetermined";
import type { Points, PointValue } from "./point";

/** Sends a request without the transport's own authentication and retries. */
async function sendRaw(trial: Trial, request: WireRequest): Promise<WireResponse> {
  trial.throwIfStopped();
  try {
    const response = await trial.connection.pool.send(request);
    // A response of a proxy or a limiter shows nothing about the authentication.
    if (response.status < 500 && response.status !== 429) return response;
    throw new Undetermined(`The response was ${response.status}.`);
  } catch (error) {
    trial.throwIfStopped();
    if (error instanceof WireFault) throw new Undetermined(`No response came (${error.kind}).`);
    throw error;
  }
}

/** A list that every key may read, one entry of it. */
function plainRequest(trial: Trial): WireRequest {
  const query = { itemsPerPage: 1 };
  return requestOf(trial.connection.settings, { method: "GET", path: ["groups"], query }, trial.stop);
}

async function challenged(trial: Trial) {
  const response = await sendRaw(trial, plainRequest(trial));
  const headers = headerValues(response, "www-authenticate");
  const challenge = chooseChallenge(headers);
  if (response.status !== 401 || challenge === undefined) {
    throw new Undetermined("A request without credentials is not answered with a Digest challenge.");
  }
  const digests = headers.flatMap(parseChallenges).filter(({ scheme }) => scheme === "digest");
  /** Every Digest challenge of the response, as its parameters. */
  return { challenge, offered: digests.map(({ parameters }) => parameters) };
}

interface ApiKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The API key of the settings.
 *
 * @throws Undetermined for a service account, which has no API key
 */
export function requireApiKey({ connection: { settings } }: Trial): ApiKeyPair {
  if (!settings.serviceAccount) return settings;
  throw new Undetermined(
    "The provider authenticates as a service account, but the point requires an API key.",
  );
}

async function freshNonce(trial: Trial): Promise<Nonce> {
  const key = requireApiKey(trial);
  const { challenge } = await challenged(trial);
  return new Nonce(challenge, key);
}

/** Signs as the challenge demands: with qop=auth, or in the RFC 2069 form. */
type Form = "qop" | "rfc2069";

function signRequest(trial: Trial, nonce: Nonce, form: Form): ReturnType<Nonce["sign"]> {
  return nonce.sign(plainRequest(trial), form === "qop");
}

async function sendSigned(trial: Trial, signed: ReturnType<Nonce["sign"]>) {
  const response = await sendRaw(trial, signed.request);
  const refusal = refusalOf(response);
  return {
    accepted: refusal === undefined,
    /** The rejection concerns the nonce, not the key. */
    stale: refusal === "nonce",
    response,
    info: signed.infoOf(response),
  };
}

async function acceptedForms(trial: Trial): Promise<readonly Form[]> {
  const { challenge } = await trial.run(challenged);
  if (!challenge.opOnly) return [challenge.qopAuth ? "qop" : "rfc2069"];
  const forms: Form[] = [];
  for (const form of ["qop", "rfc2069"] as const) {
    const { accepted } = await sendSigned(trial, signRequest(trial, await freshNonce(trial), form));
    if (accepted) forms.push(form);
  }
  if (forms.length === 0) throw new Undetermined("The service accepts neither form of credentials.");
  return forms;
}

/** With qop if the service accepts it: only this form counts the uses of a nonce. */
async function bestForm(trial: Trial): Promise<Form> {
  return (await trial.run(acceptedForms)).includes("qop") ? "qop" : "rfc2069";
}

async function qopForm(trial: Trial): Promise<Form> {
  if ((await bestForm(trial)) === "qop") return "qop";
  throw new Undetermined("The service does not offer qop, which this point requires.");
}

/** A request in the best form, which the service has accepted. */
async function acceptedOnce(trial: Trial) {
  const nonce = await freshNonce(trial);
  const signed = await sendSigned(trial, signRequest(trial, nonce, await bestForm(trial)));
  if (!signed.accepted) throw new Undetermined("The service rejected a fresh nonce.");
  return { nonce, signed };
}

/** The algorithms of RFC 7616. */
const ALGORITHMS = ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"];

function algorithm({ offered }: ChallengeFacts): string {
  const names = offered.map((parameters) => (parameters.get("algorithm") ?? "MD5").toLowerCase());
  const known = ALGORITHMS.filter((name) => names.includes(name.toLowerCase()));
  const [only] = known;
  if (only !== undefined && names.every((name) => name === only.toLowerCase())) return only;
  if (known.length === ALGORITHMS.length) return "all";
  throw new Undetermined(`Of the known algorithms the challenge offers ${known.join(", ") || "none"}.`);
}

async function authenticationInfo(trial: Trial): Promise<string> {
  await qopForm(trial);
  const { info, response } = (await trial.run(acceptedOnce)).signed;
  const header = headerValues(response, "authentication-info").join(", ");
  const hasProof = parseParameters(header).has("rspauth");
  if (info?.isWrong) return "wrong-rspauth";
  if (hasProof) return info?.nextNonce === undefined ? "rspauth" : "both";
  return info?.nextNonce === undefined ? "none" : "nextnonce";
}

async function nonceReuse(trial: Trial): Promise<string> {
  const { nonce } = await trial.run(acceptedOnce);
  const second = await sendSigned(trial, signRequest(trial, nonce, await bestForm(trial)));
  if (second.accepted) return "allow";
  return second.stale ? "refuse" : "refuse-silently";
}

async function nonceCount(trial: Trial): Promise<string> {
  const form = await qopForm(trial);
  if ((await trial.run(nonceReuse)) !== "allow") {
    throw new Undetermined("A nonce is valid for one request, so its count never reaches two.");
  }
  const nonce = await freshNonce(trial);
  const [first, second] = [signRequest(trial, nonce, form), signRequest(trial, nonce, form)];
  const ahead = await sendSigned(trial, second);
  if (!ahead.accepted) throw new Undetermined("The service rejected a nonce whose count begins at two.");
  return (await sendSigned(trial, first)).accepted ? "unique" : "rising";
}

/** Takes one nonce for each age at the beginning, so that the run waits once. */
async function nonceLifetime(trial: Trial): Promise<number> {
  const form = await bestForm(trial);
  const nonces: { readonly age: number; readonly since: number; readonly nonce: Nonce }[] = [];
  for (const age of agesOf(trial)) {
    nonces.push({ age, nonce: await freshNonce(trial), since: trial.clock.now() });
  }
  for (const { age, nonce, since } of nonces) {
    await waitUntil(trial, since, age);
    const { accepted } = await sendSigned(trial, signRequest(trial, nonce, form));
    if (!accepted) return age;
  }
  const longest = nonces.at(-1)?.age;
  if (longest === undefined) throw new Undetermined("It requires --wait 1 or more.");
  throw new Undetermined(`A nonce of ${longest} s is still accepted. Increase --wait.`);
}

type ChallengeFacts = Awaited<ReturnType<typeof challenged>>;

/** A point whose value is in the response to a request without credentials. */
function fromChallenge(value: (found: ChallengeFacts) => PointValue): Points[string] {
  return ["GET /groups without credentials", async (trial) => value(await trial.run(challenged))];
}

export const digestPoints: Points = {
  challenge: fromChallenge(({ challenge }) => {
    if (challenge.qopAuth) return "qop";
    return challenge.opOnly ? "op" : "none";
  }),
  opAccepts: [
    "GET /groups signed with qop and in the form of RFC 2069",
    async (trial) => {
      const { challenge } = await trial.run(challenged);
      if (!challenge.opOnly) throw new Undetermined("It applies only if the challenge has op.");
      const forms = await trial.run(acceptedForms);
      return forms.length === 2 ? "both" : (forms[0] ?? "both");
    },
  ],
  opaque: fromChallenge(({ challenge }) => challenge.opaque !== undefined),
  digestAlgorithm: fromChallenge(algorithm),
  userNames: fromChallenge(({ challenge }) => {
    if (challenge.userhash) return "userhash";
    return challenge.utf8 ? "utf-8" : "plain";
  }),
  authenticationInfo: ["GET /groups, and the Authentication-Info of its response", authenticationInfo],
  nonceReuse: ["GET /groups twice with one nonce", nonceReuse],
  nonceCount: ["GET /groups with nc=2, then with nc=1 of the same nonce", nonceCount],
  nonceLifetimeSeconds: [
    "GET /groups with nonces of rising age; the value is the first age that is refused",
    nonceLifetime,
  ],
};
