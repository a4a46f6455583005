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
import { type DoctorResult, failed, ok, skipped, warning } from "./results";

/** Requests one entry of a list that every key may read. */
function requestOneEntry(settings: Settings, send: SendRequest, signal: AbortSignal): Promise<WireResponse> {
  return send({
    method: "GET",
    target: `${settings.pathPrefix}${API_PATH}/groups?pageNum=1&itemsPerPage=1`,
    headers: { accept: "application/json", "user-agent": USER_AGENT },
    signal,
  });
}

/** @returns the results, and whether the service has accepted the key */
export async function checkService(settings: Settings, print: (line: string) => void, stop: AbortSignal) {
  const unsigned = await checkWithoutKey(settings, stop);
  if (unsigned.response === undefined) return { results: unsigned.results, isAccepted: false };
  const signed = await checkWithKey(settings, print, stop);
  const version = [signed, unsigned].map(({ response }) => response && versionOf(response)).find(Boolean);
  // Responses with an error need not name the version.
  const isGood = signed.response !== undefined && signed.response.status < 300;
  return {
    results: [
      ...unsigned.results,
      version === undefined && !isGood ? unknownVersion : judgeVersion(version),
      ...signed.results,
    ],
    isAccepted: signed.results.every(({ outcome }) => outcome === "ok"),
  };
}

interface RequestCheck {
  readonly results: readonly DoctorResult[];
  /**
   * The response of this API, as far as it shows; `undefined` if none came or something else
   * answered.
   */
  readonly response?: WireResponse;
}

/** Sends two requests on one connection, so the second one's time does not include connecting. */
async function checkWithoutKey(settings: Settings, stop: AbortSignal): Promise<RequestCheck> {
  const pool = createPool(settings);
  try {
    await requestOneEntry(settings, pool.send, stop);
    const sent = Date.now();
    const start = performance.now();
    const response = await requestOneEntry(settings, pool.send, stop);
    const roundTrip = performance.now() - start;
    const clocks = { sent, roundTrip, date: headerValues(response, "date")[0] };
    return judgeUnsigned(settings, response, clocks);
  } catch (error) {
    stop.throwIfAborted();
    return { results: [faultResult(settings, "service.answer", error)] };
  } finally {
    await pool.close();
  }
}

function judgeUnsigned(settings: Settings, response: WireResponse, clocks: Clocks): RequestCheck {
  const summary = `status ${response.status} in ${Math.round(clocks.roundTrip)} ms`;
  const challenge = chooseChallenge(headerValues(response, "www-authenticate"));
  const clock = judgeClock(clocks);
  if (response.status === 401 && settings.serviceAccount) {
    const result = ok("service.answer", `The service requires credentials: ${summary}`);
    return { results: [result, noDigestOfAccount, clock], response };
  }
  if (response.status === 401 && challenge) {
    const result = ok("service.answer", `The service requires a key: ${summary}`);
    return { results: [result, ok("service.digest", dialectOf(challenge)), clock], response };
  }
  const noDigest = skipped("service.digest", "The service sent no challenge that the provider can answer.");
  const fault = faultOf(settings, response, "The request without a key");
  if (fault) return { results: [failed("service.answer", messageOf(fault)), noDigest, clock] };
  const result = warning(
    "service.answer",
    `The service responds without a key: ${summary}.`,
    "This API always requires one. Check whether a proxy signs in for its users.",
  );
  return { results: [result, noDigest, clock], response };
}

const noDigestOfAccount = skipped(
  "service.digest",
  "Not checked, because a service account uses access tokens instead of Digest.",
);

/**
 * The dialect of Digest. The API's documentation has `op` where RFC 7616 has `qop`; all observed
 * responses of the real service have `qop`.
 */
function dialectOf({ algorithmText, algorithm, qopAuth, opOnly }: DigestChallenge): string {
  const named = algorithmText ?? `${algorithm.toUpperCase()}, as none is named`;
  if (qopAuth) return `Digest, algorithm ${named}, qop=auth (RFC 7616)`;
  return opOnly
    ? `Digest, algorithm ${named}, op=auth instead of qop, as in the API's documentation`
    : `Digest, algorithm ${named}, neither qop nor op (RFC 2069)`;
}

async function checkWithKey(
  settings: Settings,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<RequestCheck> {
  const transport = createTransport(settings, withoutDebug(print));
  try {
    const response = await requestOneEntry(settings, transport.send, stop);
    const what = settings.serviceAccount ? "an access token" : "the key";
    const fault = faultOf(settings, response, `The request with ${what}`);
    // Other errors about the list are for the checks below. Here it matters only whether the key
    // is accepted.
    if (fault !== undefined && (hasCode(fault, "OPSMANAGER_KEY_REFUSED") || !isOfService(fault))) {
      return { results: [failed("key.accepted", messageOf(fault))], response };
    }
    const accepted = `The service accepts ${callerOf(settings)}, from ${settings.keySource}`;
    return { results: [ok("key.accepted", accepted)], response };
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    return { results: [failed("key.accepted", messageOf(error))] };
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

const unknownVersion = skipped(
  "service.version",
  "Not determined, because no successful response could name it.",
);

/** The first Ops Manager with invitations (release notes of 5.0). */
const LEAST_MAJOR = 5;

/** @param version `8.0.0.100.20260101T0000Z` of Ops Manager, `v20260101` of Cloud Manager */
export function judgeVersion(version: string | undefined): DoctorResult {
  const check = "service.version";
  if (version === undefined) {
    return warning(
      check,
      "No response names the service's version (X-MongoDB-Service-Version).",
      "Very old versions omit it, and a proxy may remove the header. The operations below show what is offered.",
    );
  }
  if (version.startsWith("v")) return ok(check, `Cloud Manager ${version}`);
  const [major, minor, patch] = version.split(".");
  const name = `Ops Manager ${[major, minor, patch].filter(Boolean).join(".")} (${version})`;
  return Number(major) < LEAST_MAJOR
    ? warning(
        check,
        `${name} has no invitations.`,
        `Manage projects only. Managing people requires ${LEAST_MAJOR}.0 or newer.`,
      )
    : ok(check, name);
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
export function judgeClock({ sent, roundTrip, date }: Clocks): DoctorResult {
  const check = "service.clock";
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there))
    return skipped(check, "The clocks cannot be compared, because the response has no Date header.");
  const skew = there + HALF_SECOND - (sent + roundTrip / 2);
  const error = roundTrip / 2 + HALF_SECOND;
  const by = `${seconds(Math.abs(skew))} s ± ${seconds(error)} s`;
  if (Math.abs(skew) <= error) return ok(check, `The clocks agree (± ${seconds(error)} s)`);
  const difference = `The service's clock is ${skew > 0 ? "ahead of" : "behind"} this machine's by ${by}`;
  if (Math.abs(skew) - error <= MOST_SKEW_MILLISECONDS) return ok(check, difference);
  return warning(
    check,
    `${difference}.`,
    "Synchronize both clocks with a time server. Until then, certificates and invitations end at other times than displayed.",
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
