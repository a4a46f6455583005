/** Who of those whom a preview lets in is new to their organization, by its people. A summary is complete without it. */

import { type Holder, isSameHolder } from "../../provider/access/places";
import { messageOf } from "../../provider/text/errors";
import { withClient } from "../lib/connection";
import { readPeopleOfOrganization } from "../lib/organization";
import { sentence } from "../lib/sentence";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import type { GainedHolder } from "./access";
import type { Summary } from "./changes";
import { type Newcomers, NO_NEWCOMERS } from "./words";

/** The summary of a run must not wait long for what is beside it. */
const LONGEST_SECONDS = 60;

/** After an update, the organization knows whoever has come. What cannot be read is said, and fails nothing. */
export async function findNewcomers(
  terminal: Terminal,
  { command, groups }: Summary,
  stack: string,
): Promise<Newcomers> {
  const unknown = groups.flatMap(({ gained }) => gained.filter(({ newTo }) => newTo !== undefined));
  if (command !== "preview" || unknown.length === 0 || terminal.stop.aborted) return NO_NEWCOMERS;
  const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(LONGEST_SECONDS * 1000)]);
  const holders = new Set<GainedHolder>();
  try {
    const { settings } = await readCommandSettings(terminal, stack);
    await withClient(settings, terminal, async (client) => {
      for (const [orgId = "", candidates] of Map.groupBy(unknown, ({ newTo }) => newTo)) {
        const people = await readPeopleOfOrganization(client, orgId, { signal });
        const isKnown = (holder: Holder) =>
          people.some(({ userId, invitationId, username }) =>
            isSameHolder(holder, { kind: "person", userId, invitationId, username }),
          );
        for (const each of candidates) if (!each.holders.some(isKnown)) holders.add(each);
      }
    });
    return { holders, notes: [] };
  } catch (error) {
    const note = sentence`Who is new to an organization is missing, because its people could not be read: ${messageOf(error)}`;
    return { holders, notes: [note] };
  }
}
