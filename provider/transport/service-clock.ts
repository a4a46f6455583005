/**
 * The time of the service: the newest `Date` header (RFC 9110 section 6.6.1) plus the time since
 * it arrived.
 */
import { type Clock, processClock } from "./clock";
import { headerValues, type Layer } from "./wire";

interface ServiceClock {
  /**
   * Milliseconds since 1970 by the service's clock; by this machine's clock until a response has a
   * date.
   */
  now(): number;
  /** Reads the date of each response. */
  readonly layer: Layer;
}

/**
 * @param clock measures the time since a response, so a correction of this machine's clock has no
 * effect
 */
export function createServiceClock(clock: Pick<Clock, "now"> = processClock): ServiceClock {
  /** Milliseconds to add to the process's clock. */
  let offset: number | undefined;
  return {
    now: () => (offset === undefined ? Date.now() : clock.now() + offset),
    layer: (next) => async (request) => {
      const response = await next(request);
      const date = Date.parse(headerValues(response, "date")[0] ?? "");
      if (!Number.isNaN(date)) offset = date - clock.now();
      return response;
    },
  };
}
