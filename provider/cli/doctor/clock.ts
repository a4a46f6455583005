/** Compares the service's clock with this machine's. Pure. */
import { type Finding, ok, skipped, warning } from "./finding";

export interface Clocks {
  /** When the request was sent, by this machine's clock: milliseconds since 1970. */
  readonly sent: number;
  /** Milliseconds until the answer arrived. */
  readonly roundTrip: number;
  /** The answer's `Date` header. */
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
 * Compares the clocks. The answer was made at some moment of the round trip, so half of it is the
 * error. Half a second is added for the header.
 */
export function judgeClock({ sent, roundTrip, date }: Clocks): Finding {
  const check = "service.clock";
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return skipped(check, "The answer has no Date header to compare clocks by.");
  const skew = there + HALF_SECOND - (sent + roundTrip / 2);
  const error = roundTrip / 2 + HALF_SECOND;
  const by = `${seconds(Math.abs(skew))} s ± ${seconds(error)} s`;
  if (Math.abs(skew) <= error) return ok(check, `The clocks agree (± ${seconds(error)} s)`);
  const says = `The service's clock is ${skew > 0 ? "ahead of" : "behind"} this machine's by ${by}`;
  if (Math.abs(skew) - error <= MOST_SKEW_MILLISECONDS) return ok(check, says);
  return warning(
    check,
    `${says}.`,
    "Set both by a time server: certificates and invitations end at other times than you read.",
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
