/** How long to wait before the next attempt: what the service asks for, or full jitter. Pure but for the random number. */
import { errorCodeOf, headerValues, type WireResponse } from "./wire";

/** The ceiling of the first wait and that of all waits, in milliseconds. */
interface Ceilings {
  readonly first: number;
  readonly longest: number;
}

const SHORT: Ceilings = { first: 500, longest: 10_000 };
/** Limits are counted per minute (service's error list) and upgrades take minutes: short waits would all fall into them. */
const LONG: Ceilings = { first: 15_000, longest: 60_000 };

/**
 * @param attempt how many attempts were made before this answer
 * @param answer `undefined` where none came
 * @returns milliseconds
 */
export function waitBefore(attempt: number, answer: WireResponse | undefined): number {
  const asked = answer && retryAfter(answer);
  const { first, longest } = asked === undefined && answer && isBusyForLonger(answer) ? LONG : SHORT;
  return (asked ?? 0) + Math.random() * Math.min(longest, first * 2 ** attempt);
}

function isBusyForLonger(answer: WireResponse): boolean {
  return answer.status === 429 || errorCodeOf(answer) === "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES";
}

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3), in milliseconds from now. */
function retryAfter(answer: WireResponse): number | undefined {
  const value = headerValues(answer, "retry-after")[0]?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - serversNow(answer));
}

/** By the clock that the date was made with, where the answer tells: this machine's may be minutes off. */
function serversNow(answer: WireResponse): number {
  const date = Date.parse(headerValues(answer, "date")[0] ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}
