/** What neither a state nor an event shows of an organization: its name, and whom it knows. A summary is complete without it. */

import type { Membership } from "../../provider/access/person";
import { listOrganizations } from "../../provider/api/organizations";
import { messageOf } from "../../provider/text/errors";
import { OBJECT_ID } from "../../provider/text/object-id";
import { withClient } from "../lib/connection";
import { readPeopleOfOrganization } from "../lib/organization";
import { sentence } from "../lib/sentence";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import type { Summary } from "./changes";
import { LONGEST_SECONDS } from "./events";
import { NO_ORGANIZATIONS, type OrganizationFacts } from "./places";

/** What a summary needs that was made without it. What cannot be read is said, and fails nothing. */
export async function readOrganizations(
  terminal: Terminal,
  { command, groups, newOwners }: Summary,
  stack: string,
): Promise<OrganizationFacts> {
  const places = [...groups, ...newOwners.map((owner) => owner.in)];
  const isNameless = places.some(({ what, name }) => what === "organization" && OBJECT_ID.test(name));
  const gained = groups.flatMap((group) => group.gained);
  // After an update, an organization knows whoever has come.
  const wanted = new Set(command === "preview" ? gained.flatMap(({ newTo }) => newTo ?? []) : []);
  if ((!isNameless && wanted.size === 0) || terminal.stop.aborted) return NO_ORGANIZATIONS;
  const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(LONGEST_SECONDS * 1000)]);
  const names = new Map<string, string>();
  const people = new Map<string, readonly Membership[]>();
  try {
    const { settings } = await readCommandSettings(terminal, stack);
    await withClient(settings, terminal, async (client) => {
      // The ID says as much.
      const all = isNameless ? await listOrganizations(client, signal).catch(() => []) : [];
      for (const { id, name } of all) names.set(id, `${name} (${id})`);
      for (const id of wanted) people.set(id, await readPeopleOfOrganization(client, id, { signal }));
    });
    return { names, people, notes: [] };
  } catch (error) {
    const note = sentence`People who are new to an organization are not marked, because its people could not be read: ${messageOf(error)}`;
    return { names, people, notes: wanted.size === 0 ? [] : [note] };
  }
}
