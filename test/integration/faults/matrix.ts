/** The fault matrix: the result of each fault of the network, by the kind of request. Data only. */
import type { InjectedFault } from "../../../sandbox";

/** What an operation came to, and how often its request reached the service. */
export interface Cell {
  /** What the error contains after its beginning, as a regular expression; left out: the operation is done. */
  readonly error?: string;
  readonly requests: number;
  /** What the error of the next run contains, for an object that this one did not record. */
  readonly nextError?: string;
}

export interface FaultRow {
  readonly name: string;
  readonly fault: InjectedFault;
  /** The request takes effect in spite of the fault. */
  readonly takesEffect: boolean;
  /** GET, PATCH and DELETE: repeating them changes nothing. */
  readonly repeatable: Cell;
  readonly post: Cell;
  /** Settings of the run that meets the fault, in place of `maxRetries` 1. */
  readonly settings?: Readonly<Record<string, number>> | undefined;
}

export const uncertain = "may or may not have performed the request\\.";

const good = (requests: number): Cell => ({ requests });
const bad = (error: string, requests = 1): Cell => ({ error, requests });

/** A POST that took effect is found by the read; one that did not is called unknown. */
const repeated = good(2);
const found = good(1);
const unknown = (cause: string, requests = 1) =>
  bad(`returned no usable response \\(.*(${cause}).*\\).*${uncertain}`, requests);
const lost = "ECONNRESET|other side closed";

/** No test waits for it: a client that gives up ends the connection, and a waiting request has no effect before the test ends. */
const anHour = 3_600_000;
const page = { body: "<html>Bad gateway</html>", contentType: "text/html" };
/** A gateway responds so while the service behind it is replaced: the path seems not to exist. */
const bare = { body: "", contentType: "text/plain" };
const webPage = "returned status 200 with a web page\\. Check baseUrl ";
const now = { "Retry-After": "0" };
const upgrade = { error: 405, errorCode: "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES" };

const row = (
  name: string,
  fault: InjectedFault,
  takesEffect: boolean,
  repeatable: Cell,
  post = repeatable,
  settings?: FaultRow["settings"],
): FaultRow => ({
  name,
  fault,
  takesEffect,
  repeatable,
  post,
  settings,
});

/** No healthy response takes two seconds on a busy machine. */
export const impatient = { requestTimeoutSeconds: 2 };
/** Requests that run at once may all be refused during the outage. The service does not count these attempts. */
const untilItListens = { maxRetries: 20 };

/** A refusal of something that is done, such as by another program: a read decides. Reads take no effect. */
export const refusedAfterwards = row(
  "400, after the write",
  { status: 400, afterWrite: true },
  true,
  good(1),
);

/** Each applies to one request. */
export const faults: readonly FaultRow[] = [
  row("reset before the write", "reset-before-write", false, repeated, unknown(lost)),
  row("reset after the write", "reset-after-write", true, repeated, found),
  row("half of the response", "truncate", true, repeated, found),
  row("an idle connection closed", "close-after-answer", true, good(1)),
  row("a stale nonce", "stale-nonce", false, good(2)),
  row("a restart", { outageMs: 1 }, false, repeated, unknown(lost), untilItListens),
  // The first request is still in the service when they are counted.
  row(
    "no response in time, before the write",
    { delayMs: anHour },
    false,
    good(1),
    unknown("no complete response within \\d s", 0),
    impatient,
  ),
  row(
    "no response in time, after the write",
    { delayMs: anHour, afterWrite: true },
    true,
    repeated,
    found,
    impatient,
  ),
  row("429", { status: 429 }, false, good(2)),
  row("429 with Retry-After", { status: 429, headers: now }, false, good(2)),
  row("503 with Retry-After", { status: 503, headers: now }, false, good(2)),
  row("bare 503, before the write", { status: 503 }, false, repeated, unknown("status 503")),
  row("bare 503, after the write", { status: 503, afterWrite: true }, true, repeated, found),
  row("405 during an upgrade", { status: 405, body: upgrade }, false, good(2)),
  row("500, before the write", { status: 500 }, false, repeated, unknown("status 500 UNEXPECTED_ERROR")),
  row("500, after the write", { status: 500, afterWrite: true }, true, repeated, found),
  row(
    "a proxy's 502 page, before the write",
    { status: 502, ...page },
    false,
    repeated,
    unknown("status 502"),
  ),
  row(
    "a proxy's 502 page, after the write",
    { status: 502, ...page, afterWrite: true },
    true,
    repeated,
    found,
  ),
  row("504, after the write", { status: 504, afterWrite: true }, true, repeated, found),
  row(
    "a proxy's page with 200",
    { status: 200, ...page },
    false,
    bad(webPage),
    bad(`${webPage}.*${uncertain}`),
  ),
  row("400", { status: 400 }, false, bad("400 Injected by the test\\.")),
  row(
    "403",
    { status: 403 },
    false,
    bad("403 Injected by the test\\. The API key \\w+ lacks a role for this\\."),
  ),
];

const gatewayStatuses = [404, 405, 501];
const gatewayCells = (cellOf: (status: number) => Cell) =>
  Object.fromEntries(gatewayStatuses.map((status) => [`a gateway's bare ${status}`, cellOf(status)]));

/** As a story: test/integration/people/responses-lists.test.ts. */
export const gatewayFaults = gatewayStatuses.map((status) => {
  const refused = bad(`${status}\\. The service has no such operation or no such object\\.`);
  return row(`a gateway's bare ${status}`, { status, ...bare }, false, refused);
});

/** The sandbox responds to deletions with no body at all, so that half of it is the whole. */
export const halfIsWhole = { "half of the response": good(1) };
/** An object that this key may not read still exists: the state is retained, and a warning reports it. */
export const staysRecorded = { "403": good(1), ...gatewayCells(() => good(1)) };
/** A key is in the response to its creation alone: no read finds it, and the next run creates another one. */
export const isLost = Object.fromEntries(
  faults
    .filter(({ post }) => post === found)
    .map(({ name }) => [name, bad(`${uncertain} New (agent )?API keys of .* Delete each of them`)]),
);
/** What a refused creation finds may be another program's: it is taken over by its ID alone. */
export const isNotTakenOver = {
  [refusedAfterwards.name]: {
    ...bad("400 Injected by the test\\."),
    nextError: "already has a (project|team) named",
  },
};
/** No read could find the private key of a new key. A refused deletion of a project is reported as it is. */
export const isReported = { [refusedAfterwards.name]: bad("400 Injected by the test\\.") };
/** A service that does not offer the operation: the error reports it. */
export const isRefused = gatewayCells(() => bad("this service does not offer it"));
/** One response that the list of invitations does not exist is requested again. */
export const isConfirmed = gatewayCells(() => good(2));
