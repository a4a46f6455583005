/** Who changed what a run changes back, and who let those in whom nobody declares. A summary is complete without it. */

import { messageOf } from "../../provider/text/errors";
import { type FoundEvents, findLastEvents } from "../lib/find-events";
import type { Terminal } from "../lib/terminal";
import type { Summary } from "./changes";
import { soughtEvents } from "./outside";

/** The summary of a run must not wait long for what is beside it. */
export const LONGEST_SECONDS = 60;

/** The last events of what is in the summary. What cannot be read is said, and fails nothing. */
export async function findEvents(
  terminal: Terminal,
  summary: Summary,
  { stack, startedAt }: { readonly stack: string; readonly startedAt: Date },
): Promise<FoundEvents> {
  const timeout = AbortSignal.timeout(LONGEST_SECONDS * 1000);
  const mayBeNew = summary.undeclared.filter(({ isNew }) => isNew !== false);
  const sought = soughtEvents(summary.outside, mayBeNew, stack);
  if (sought.length === 0 || terminal.stop.aborted) return { of: new Map(), unread: [] };
  const stop = AbortSignal.any([terminal.stop, timeout]);
  // The history of the stack has whole seconds, so the update itself seems to begin up to a second earlier.
  const times = summary.isDone
    ? { now: new Date(startedAt.getTime() - 1000), until: startedAt }
    : { now: startedAt };
  return findLastEvents({ ...terminal, stop }, sought, times).catch((error: unknown) => {
    const reason = timeout.aborted
      ? `They could not be read within ${LONGEST_SECONDS} seconds.`
      : messageOf(error);
    return { of: new Map(), unread: [{ what: `stack ${stack}`, reason }] };
  });
}
