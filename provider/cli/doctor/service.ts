/** Checks what the service answers without a key, and whether it accepts this key. */
import { bodyOf, refuseErrors } from "../../api/answer";
import { API_PATH, type Settings } from "../../config";
import { hasCode, messageOf, OpsManagerError } from "../../errors";
import {
  chooseChallenge,
  createPool,
  createTransport,
  type DigestChallenge,
  headerValues,
  type Send,
  type WireResponse,
} from "../../transport";
import { type Clocks, judgeClock } from "./clock";
import { faultFinding } from "./connection";
import { type Finding, failed, ok, skipped, warning } from "./finding";

interface ServiceCheck {
  readonly findings: readonly Finding[];
  /** The service has accepted the key. */
  readonly isAccepted: boolean;
}

/** Requests one entry of a list that every key may read. */
function requestOneEntry(settings: Settings, send: Send, signal: AbortSignal): Promise<WireResponse> {
  return send({
    method: "GET",
    target: `${settings.pathPrefix}${API_PATH}/groups?pageNum=1&itemsPerPage=1`,
    headers: { accept: "application/json", "user-agent": "pulumi-opsmanager" },
    signal,
  });
}

export async function checkService(
  settings: Settings,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<ServiceCheck> {
  const stranger = await asStranger(settings, stop);
  if (!stranger.isApi) return { findings: stranger.findings, isAccepted: false };
  const holder = await asHolder(settings, print, stop);
  const version = versionIn([holder.response, stranger.response]);
  return {
    findings: [
      ...stranger.findings,
      version === undefined && !isGood(holder.response) ? unknownVersion : judgeVersion(version),
      ...holder.findings,
    ],
    isAccepted: holder.isAccepted,
  };
}

interface StrangerCheck {
  readonly findings: readonly Finding[];
  readonly response?: WireResponse;
  /** This API has answered, as far as the answer shows. */
  readonly isApi: boolean;
}

/** Sends two requests on one connection, so the second one's time does not include connecting. */
async function asStranger(settings: Settings, stop: AbortSignal): Promise<StrangerCheck> {
  const pool = createPool(settings);
  try {
    await requestOneEntry(settings, pool.send, stop);
    const sent = Date.now();
    const start = performance.now();
    const response = await requestOneEntry(settings, pool.send, stop);
    const roundTrip = performance.now() - start;
    const clocks = { sent, roundTrip, date: headerValues(response, "date")[0] };
    return judgeStranger(settings, response, clocks);
  } catch (error) {
    stop.throwIfAborted();
    return { findings: [faultFinding(settings, "service.answer", error)], isApi: false };
  } finally {
    await pool.close();
  }
}

function judgeStranger(settings: Settings, response: WireResponse, clocks: Clocks): StrangerCheck {
  const answered = `status ${response.status} in ${Math.round(clocks.roundTrip)} ms`;
  const challenge = chooseChallenge(headerValues(response, "www-authenticate"));
  if (response.status === 401 && challenge) {
    const findings = [
      ok("service.answer", `It asks for a key: ${answered}`),
      ok("service.digest", dialectOf(challenge)),
      judgeClock(clocks),
    ];
    return { findings, response, isApi: true };
  }
  const fault = faultOf(settings, response, "Asking without a key");
  if (fault) {
    const findings = [failed("service.answer", messageOf(fault)), skippedDigest, judgeClock(clocks)];
    return { findings, response, isApi: false };
  }
  const findings = [
    warning(
      "service.answer",
      `It answers without asking for a key: ${answered}.`,
      "A proxy may sign in for everybody; this API always asks.",
    ),
    skippedDigest,
    judgeClock(clocks),
  ];
  return { findings, response, isApi: true };
}

const skippedDigest = skipped("service.digest", "It has sent no challenge that can be answered.");

/**
 * The dialect of Digest. The API's documentation has `op` where RFC 7616 has `qop`; all observed
 * answers of the real service have `qop`.
 */
function dialectOf({ algorithmText, algorithm, qopAuth, opOnly }: DigestChallenge): string {
  const named = algorithmText ?? `${algorithm.toUpperCase()}, as none is named`;
  if (qopAuth) return `Digest, algorithm ${named}, qop=auth (RFC 7616)`;
  return opOnly
    ? `Digest, algorithm ${named}, op=auth instead of qop, as the API's documentation prints it`
    : `Digest, algorithm ${named}, neither qop nor op (RFC 2069)`;
}

interface HolderCheck {
  readonly findings: readonly Finding[];
  readonly response: WireResponse | undefined;
  readonly isAccepted: boolean;
}

async function asHolder(
  settings: Settings,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<HolderCheck> {
  const transport = createTransport(settings, (line, severity) => {
    if (severity !== "debug") print(line);
  });
  try {
    const response = await requestOneEntry(settings, transport.send, stop);
    const fault = faultOf(settings, response, "Asking with the key");
    // Other errors about the list are for the checks below. Here it matters only whether the key
    // is accepted.
    const isRefused =
      fault !== undefined && (hasCode(fault, "OPSMANAGER_KEY_REFUSED") || !isOfService(fault));
    const finding = isRefused
      ? failed("key.accepted", messageOf(fault))
      : ok("key.accepted", `The service knows API key ${settings.publicKey}, from ${settings.keySource}`);
    return { findings: [finding], response, isAccepted: !isRefused };
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    return { findings: [failed("key.accepted", messageOf(error))], response: undefined, isAccepted: false };
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

/** The error that the provider would throw for this answer. */
function faultOf(settings: Settings, response: WireResponse, action: string): OpsManagerError | undefined {
  const context = { ...settings, action, method: "GET" };
  try {
    refuseErrors(response, context);
    bodyOf(response, context);
    return undefined;
  } catch (error) {
    if (error instanceof OpsManagerError) return error;
    throw error;
  }
}

function versionIn(responses: readonly (WireResponse | undefined)[]): string | undefined {
  const headers = responses.flatMap((one) => (one ? headerValues(one, "x-mongodb-service-version") : []));
  return headers
    .map((header) => /versionString=([^\s;]+)/.exec(header)?.[1])
    .find((version) => version !== undefined);
}

/** Whether an answer is successful: answers with an error need not have the header. */
function isGood(response: WireResponse | undefined): boolean {
  return response !== undefined && response.status < 300;
}

const unknownVersion = skipped(
  "service.version",
  "Not told, as there was no good answer that could name it.",
);

/** The first Ops Manager with invitations (release notes of 5.0). */
const LEAST_MAJOR = 5;

/** @param version `8.0.0.100.20260101T0000Z` of Ops Manager, `v20260101` of Cloud Manager */
export function judgeVersion(version: string | undefined): Finding {
  const check = "service.version";
  if (version === undefined) {
    return warning(
      check,
      "No answer names the service's version (X-MongoDB-Service-Version).",
      "Very old versions do not, and a proxy may take the header away; the operations below tell what is offered.",
    );
  }
  if (version.startsWith("v")) return ok(check, `Cloud Manager ${version}`);
  const [major, minor, patch] = version.split(".");
  const name = `Ops Manager ${[major, minor, patch].filter(Boolean).join(".")} (${version})`;
  return Number(major) < LEAST_MAJOR
    ? warning(
        check,
        `${name} has no invitations.`,
        `People can only be managed from ${LEAST_MAJOR}.0 on; projects can.`,
      )
    : ok(check, name);
}
