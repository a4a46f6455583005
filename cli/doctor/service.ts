/** Checks how the service responds without a key, and whether it accepts this key. */
import { bodyOf } from "../../provider/api/response";
import { API_PATH, callerOf, type Settings } from "../../provider/settings/config";
import { hasCode, messageOf, OpsManagerError } from "../../provider/text/errors";
import {
  chooseChallenge,
  createPool,
  createTransport,
  type DigestChallenge,
  headerValues,
  type SendRequest,
  USER_AGENT,
  type WireResponse,
} from "../../provider/transport";
import { thrownBy, versionOf, withoutDebug } from "../lib/connection";
import { faultResult } from "./connection";
import { type Finding, failed, named, ok, skipped, warning } from "./results";
import { type Answer, unlessFailed } from "./steps";

/** Requests one entry of a list that every key may read. */
function requestOneEntry(settings: Settings, send: SendRequest, signal: AbortSignal): Promise<WireResponse> {
  return send({
    method: "GET",
    target: `${settings.pathPrefix}${API_PATH}/groups?pageNum=1&itemsPerPage=1`,
    headers: { accept: "application/json", "user-agent": USER_AGENT },
    signal,
  });
}

/** Sends two requests on one connection, so the second one's time does not include connecting. */
export async function checkWithoutKey(settings: Settings, stop: AbortSignal): Promise<Answer> {
  const pool = createPool(settings);
  try {
    await requestOneEntry(settings, pool.send, stop);
    const sent = Date.now();
    const start = performance.now();
    const response = await requestOneEntry(settings, pool.send, stop);
    const roundTrip = performance.now() - start;
    const clocks = { sent, roundTrip, date: headerValues(response, "date")[0] };
    const { answer, digest } = judgeUnsigned(settings, response, roundTrip);
    const results = [
      named("service.answer", answer),
      named("service.digest", digest),
      named("service.clock", judgeClock(clocks)),
    ];
    return unlessFailed(results, { unsigned: response });
  } catch (error) {
    stop.throwIfAborted();
    return { results: [faultResult(settings, "service.answer", error)] };
  } finally {
    await pool.close();
  }
}

function judgeUnsigned(settings: Settings, response: WireResponse, roundTrip: number) {
  const summary = `status ${response.status} in ${Math.round(roundTrip)} ms`;
  const challenge = chooseChallenge(headerValues(response, "www-authenticate"));
  if (response.status === 401 && settings.serviceAccount) {
    return { answer: ok(`The service requires credentials: ${summary}`), digest: noDigestOfAccount };
  }
  if (response.status === 401 && challenge) {
    return { answer: ok(`The service requires a key: ${summary}`), digest: ok(dialectOf(challenge)) };
  }
  const digest = skipped("The service sent no challenge that the provider can answer.");
  const fault = faultOf(settings, response, "The request without a key");
  if (fault) return { answer: failed(messageOf(fault)), digest };
  const answer = warning(
    `The service responds without a key: ${summary}.`,
    "This API always requires one. Check whether a proxy signs in for its users.",
  );
  return { answer, digest };
}

const noDigestOfAccount = skipped(
  "Not checked, because a service account uses access tokens instead of Digest.",
);

/**
 * The dialect of Digest. The API's documentation has `op` where RFC 7616 has `qop`; all observed
 * responses of the real service have `qop`.
 */
function dialectOf({ algorithmText, algorithm, qopAuth, opOnly }: DigestChallenge): string {
  const name = algorithmText ?? `${algorithm.toUpperCase()}, as none is named`;
  if (qopAuth) return `Digest, algorithm ${name}, qop=auth (RFC 7616)`;
  return opOnly
    ? `Digest, algorithm ${name}, op=auth instead of qop, as in the API's documentation`
    : `Digest, algorithm ${name}, neither qop nor op (RFC 2069)`;
}

/** @param unsigned the response to the request without a key, which may name the version as well */
export async function checkWithKey(
  settings: Settings,
  unsigned: WireResponse,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<Answer> {
  const { finding, response } = await requestWithKey(settings, print, stop);
  const version = [response, unsigned].map((one) => one && versionOf(one)).find(Boolean);
  // Responses with an error need not name the version.
  const isGood = response !== undefined && response.status < 300;
  const results = [
    named("service.version", version === undefined && !isGood ? unknownVersion : judgeVersion(version)),
    named("key.accepted", finding),
  ];
  return unlessFailed(results, { accepted: true });
}

/** @returns also the response, if one came */
async function requestWithKey(settings: Settings, print: (line: string) => void, stop: AbortSignal) {
  const transport = createTransport(settings, withoutDebug(print));
  try {
    const response = await requestOneEntry(settings, transport.send, stop);
    const what = settings.serviceAccount ? "an access token" : "the key";
    const fault = faultOf(settings, response, `The request with ${what}`);
    // Other errors about the list are for the checks below. Here it matters only whether the key
    // is accepted.
    if (fault !== undefined && (hasCode(fault, "OPSMANAGER_KEY_REFUSED") || !isOfService(fault))) {
      return { finding: failed(messageOf(fault)), response };
    }
    const accepted = `The service accepts ${callerOf(settings)}, from ${settings.keySource}`;
    return { finding: ok(accepted), response };
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    return { finding: failed(messageOf(error)) };
  } finally {
    await transport.close();
  }
}

/**
 * Whether the error is one of the API's own, after it has checked the key: below 500, and not a
 * 429 that comes before.
 */
function isOfService(fault: OpsManagerError): boolean {
  const status = "status" in fault ? Number(fault.status) : 500;
  return status < 500 && status !== 429 && (status !== 401 || ("errorCode" in fault && !!fault.errorCode));
}

/** The error that the provider would throw for this response. */
function faultOf(settings: Settings, response: WireResponse, action: string): OpsManagerError | undefined {
  const context = { ...settings, action, method: "GET" };
  return thrownBy(() => bodyOf(response, context));
}

const unknownVersion = skipped("Not determined, because no successful response could name it.");

/** The first Ops Manager with invitations (release notes of 5.0). */
const LEAST_MAJOR = 5;

/** @param version `8.0.0.100.20260101T0000Z` of Ops Manager, `v20260101` of Cloud Manager */
export function judgeVersion(version: string | undefined): Finding {
  if (version === undefined) {
    return warning(
      "No response names the service's version (X-MongoDB-Service-Version).",
      "Very old versions omit it, and a proxy may remove the header. The operations below show what is offered.",
    );
  }
  if (version.startsWith("v")) return ok(`Cloud Manager ${version}`);
  const [major, minor, patch] = version.split(".");
  const name = `Ops Manager ${[major, minor, patch].filter(Boolean).join(".")} (${version})`;
  return Number(major) < LEAST_MAJOR
    ? warning(
        `${name} has no invitations.`,
        `Manage projects only. Managing people requires ${LEAST_MAJOR}.0 or newer.`,
      )
    : ok(name);
}

interface Clocks {
  /** When the request was sent, by this machine's clock: milliseconds since 1970. */
  readonly sent: number;
  /** Milliseconds until the response arrived. */
  readonly roundTrip: number;
  /** The response's `Date` header. */
  readonly date: string | undefined;
}

/** Beyond this difference, times of invitations and of certificates are misleading. */
const MOST_SKEW_MILLISECONDS = 30_000;
/**
 * `Date` is truncated to whole seconds (RFC 9110 section 5.6.7): on average it is half a second
 * behind.
 */
const HALF_SECOND = 500;

/**
 * Compares the clocks. The response was made at some moment of the round trip, so half of it is the
 * error. Half a second is added for the header.
 */
export function judgeClock({ sent, roundTrip, date }: Clocks): Finding {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there))
    return skipped("The clocks cannot be compared, because the response has no Date header.");
  const skew = there + HALF_SECOND - (sent + roundTrip / 2);
  const error = roundTrip / 2 + HALF_SECOND;
  const by = `${seconds(Math.abs(skew))} s ± ${seconds(error)} s`;
  if (Math.abs(skew) <= error) return ok(`The clocks agree (± ${seconds(error)} s)`);
  const difference = `The service's clock is ${skew > 0 ? "ahead of" : "behind"} this machine's by ${by}`;
  if (Math.abs(skew) - error <= MOST_SKEW_MILLISECONDS) return ok(difference);
  return warning(
    `${difference}.`,
    "Synchronize both clocks with a time server. Until then, certificates and invitations end at other times than displayed.",
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
