/** When an access is overdue whose last day is over. */
import { textIn } from "../../provider/resources/contract/declared";
import { isOver } from "../../provider/resources/contract/until";
import type { Properties } from "../../provider/resources/contract/values";
import { DAY_MILLISECONDS } from "./connection";

export interface Overdue {
  /** ISO 8601, UTC. */
  readonly overdueSince: string;
  readonly overdueReason?: string | undefined;
}

/**
 * Since when and why an access that is there should not be there. For a day, the next update is just to come.
 *
 * @param recorded what is recorded of the end
 */
export function overdueOf(until: string, recorded: Properties): Overdue | undefined {
  const overdueSince = textIn(recorded, "overdueSince");
  const overdueReason = textIn(recorded, "overdueReason") ?? "No update has ended it.";
  if (overdueSince !== undefined) return { overdueSince, overdueReason };
  if (!isOver(until, Date.now() - DAY_MILLISECONDS)) return undefined;
  const since = Date.parse(`${until}T00:00:00Z`) + 2 * DAY_MILLISECONDS;
  return { overdueSince: new Date(since).toISOString(), overdueReason };
}
