/**
 * Whether the server at `baseUrl` is the API. Until a response has shown that, one that would mean
 * "not offered" or "not readable" may as well come from another server, or from a wrong path.
 *
 * The API shows itself by a result of the right shape, by its version header, by an error code of its
 * own, or by a Digest challenge that the key has answered. The first response of a run nearly always has
 * one of these. Only if none had, operations are requested that every service offers.
 *
 * A challenge alone proves less: another server doesn't know the key, but a service may demand a signature for
 * every path and have no error codes. Then a wrong path looks like one where operations are missing: reads keep
 * what is recorded and warn, and only a write tells the two apart.
 */
import { attempt } from "../attempt";
import {
  ApiError,
  messageOf,
  NotThisApiError,
  sharedCauseOf,
  stopsAll,
  UnexpectedResponseError,
} from "../text/errors";
import { NO_ID } from "../text/object-id";
import { inOneLine } from "../text/visible-text";
import { headerValues, serviceVersionOf, type WireResponse } from "../transport";
import { UNKNOWN_PATH } from "./hints";

interface Address {
  readonly origin: string;
  readonly pathPrefix: string;
}

interface Probe {
  readonly action: string;
  readonly method: "GET";
  readonly path: readonly string[];
}

/** A response, and what it means if it comes from the API. */
interface Judged {
  readonly response: WireResponse;
  /** `undefined` for a success. */
  readonly error: unknown;
}

/** Where the API has no object, so it responds with an error code of its own. */
const PROBES: readonly Probe[] = [
  ["orgs", NO_ID],
  ["groups", NO_ID],
  ["groups", NO_ID, "invites", NO_ID],
].map((path) => ({ action: "Checking baseUrl", method: "GET", path }));

/** A server's name for itself is truncated to this length. */
const MAX_SERVER = 60;

/** What has shown the API so far, from the weakest to the strongest. */
const PROOFS = ["nothing", "challenge", "content"] as const;
type Proof = (typeof PROOFS)[number];

export class ApiProof {
  #proof: Proof = "nothing";
  /** The requests under way, or their result: the first response. */
  #probing: Promise<Judged | undefined> | undefined;

  /** @param send sends one request and interprets the response */
  constructor(
    private readonly address: Address,
    private readonly send: (probe: Probe) => Promise<Judged>,
  ) {}

  /** A result had the right shape. */
  show(): void {
    this.#proof = "content";
  }

  /**
   * Checks that the server is the API.
   *
   * @throws NotThisApiError
   */
  async confirm(action: string): Promise<void> {
    const other = await this.#probed("challenge");
    if (other !== undefined) throw this.#notThisApi(action, other);
  }

  /**
   * Checks that a success comes from the API which any server may give: its body is not read, or is an empty list.
   *
   * @throws NotThisApiError
   */
  async confirmSuccess(action: string, response: WireResponse): Promise<void> {
    const own = { response, error: undefined };
    this.#learn(own);
    if ((await this.#probed("content")) !== undefined) throw this.#notThisApi(action, own);
  }

  /**
   * The error for a response: what it means if it comes from the API, or that nothing shows the API.
   *
   * @param action of the call
   */
  async judge(action: string, { response, error }: Judged): Promise<unknown> {
    if (!isDoubtful(error)) return error;
    this.#learn({ response, error });
    const other = await this.#probed("challenge");
    return other === undefined ? error : this.#notThisApi(action, { response, error });
  }

  #learn({ response, error }: Judged): void {
    // An error with the header may be the service's own response to a wrong path.
    const isOfApi = response.status < 300 ? hasVersion(response) : hasFormOfApi(error, response);
    if (isOfApi) this.#proof = "content";
    else if (!this.#shows("challenge") && hasAnsweredChallenge(response, error)) this.#proof = "challenge";
  }

  #shows(least: Proof): boolean {
    return PROOFS.indexOf(this.#proof) >= PROOFS.indexOf(least);
  }

  /**
   * @returns a response of the other server; `undefined` if the API has shown itself
   * @throws the error if no call can succeed for its cause
   */
  async #probed(least: Proof): Promise<Judged | undefined> {
    if (this.#shows(least)) return undefined;
    this.#probing ??= this.#probe().catch((error: unknown) => {
      this.#probing = undefined;
      throw error;
    });
    const other = await this.#probing;
    return this.#shows(least) ? undefined : other;
  }

  async #probe(): Promise<Judged | undefined> {
    let first: Judged | undefined;
    for (const probe of PROBES) {
      const judged = await this.send(probe);
      first ??= judged;
      this.#learn(judged);
      if (this.#shows("content")) break;
      if (stopsAll(judged.error) && !(judged.error instanceof NotThisApiError)) throw judged.error;
    }
    return first;
  }

  #notThisApi(action: string, { response, error }: Judged): NotThisApiError {
    const { origin, pathPrefix } = this.address;
    const [server] = headerValues(response, "server");
    const from = server ? ` (Server: ${inOneLine(server.slice(0, MAX_SERVER))})` : "";
    return new NotThisApiError(
      action,
      `${foundText(response, error)}${from}`,
      [
        `No operation of Ops Manager's API responds at ${origin}${pathPrefix}.`,
        pathPrefix !== "" && hasVersion(response)
          ? `The server is Ops Manager or Cloud Manager, so the path ${pathPrefix} in baseUrl is wrong.`
          : `Check baseUrl: ${pathPrefix === "" ? "a path may be missing" : `its path ${pathPrefix} may be wrong`}, or it may be the address of another server.`,
        "If a stack has recorded it, correct it and run: pulumi up --refresh --run-program.",
      ].join(" "),
    );
  }
}

/** What a response of another server is, without a full stop. */
function foundText({ status }: WireResponse, error: unknown): string {
  if (error === undefined) return `status ${status} without the version header of this API`;
  const text =
    error instanceof ApiError
      ? [status, error.errorCode ?? error.detail ?? error.reason].filter(Boolean).join(" ")
      : messageOf(error)
          .replace(sharedCauseOf(error)?.explanation ?? "", "")
          .replace(/^.*? failed: /, "");
  return text.trim().replace(/\.$/, "");
}

/** Whether the error may come from another server as well. */
function isDoubtful(error: unknown): error is ApiError | UnexpectedResponseError {
  if (sharedCauseOf(error) !== undefined) return false;
  if (error instanceof ApiError)
    return error.code === "OPSMANAGER_API" && (error.status < 500 || error.status === 501);
  return error instanceof UnexpectedResponseError;
}

/** A service that says itself that it has no such path is at a wrong one, and another shape is another API's. */
function hasAnsweredChallenge({ challengeAnswered }: WireResponse, error: unknown): boolean {
  if (challengeAnswered !== true) return false;
  return error === undefined || (error instanceof ApiError && error.errorCode !== UNKNOWN_PATH);
}

/**
 * Whether an error is that of an operation: `{detail, error, errorCode, parameters, reason}` (API document,
 * "Errors"). Other APIs have error codes too. The code for an unknown path is no operation's.
 */
function hasFormOfApi(error: unknown, response: WireResponse): boolean {
  if (!(error instanceof ApiError)) return false;
  const { errorCode, reason } = error;
  if (errorCode === undefined || errorCode === UNKNOWN_PATH || !/^[A-Z][A-Z0-9_]*$/.test(errorCode))
    return false;
  const body: unknown = attempt(() => JSON.parse(response.body));
  const repeatsStatus =
    typeof body === "object" && body !== null && "error" in body && body.error === response.status;
  return repeatsStatus || reason !== undefined || hasVersion(response);
}

function hasVersion(response: WireResponse): boolean {
  return serviceVersionOf(response) !== undefined;
}
