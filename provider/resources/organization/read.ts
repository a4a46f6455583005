import { getOrganization } from "../../api/organizations";
import { RefusedError } from "../../text/errors";
import { formatNotice } from "../../text/notices";
import { OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { warnOfUnread } from "../evidence/unread-warning";
import { mappingLists } from "../managed/group-mappings";
import { asOrganizationState, type LiveOrganization, managed, toLive, toState } from "./inputs";

export async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asOrganizationState(state, id);
  const found = await readExisting(recorded.orgId, context).catch((error: unknown) => {
    const meaning = meaningOf(error);
    if (meaning !== "unreadable" && meaning !== "missing-operation") throw error;
    warnOfUnread("organization itself", recorded.orgId, error, context);
    return undefined;
  });
  if (found === undefined) return { id, state: toProperties(recorded), inputs: oldInputs };
  tellHidden(found, recorded, oldInputs, context);
  const live = toState(withHidden(found, recorded), recorded.origin);
  return { id, state: toProperties(live), inputs: managed.liveInputs(oldInputs, live) };
}

async function readForImport(id: string, context: Context): Promise<ReadResult> {
  const orgId = id.toLowerCase();
  if (!OBJECT_ID.test(orgId)) {
    throw new RefusedError(
      `"${id}" is not the id of an organization: an Organization is imported by its orgId, 24 hexadecimal digits.`,
    );
  }
  const live = await readExisting(orgId, context);
  // Whoever renames the organization should not meet a program that happens to have its name.
  const { name: _, ...inputs } = managed.imported(live);
  return {
    id: orgId,
    state: toProperties(toState(live, "imported")),
    inputs: toProperties({ orgId, ...inputs }),
  };
}

/**
 * An organization that must exist.
 *
 * @throws RefusedError if it was deleted, which only some keys are shown
 */
export async function readExisting(orgId: string, { session, signal }: Context): Promise<LiveOrganization> {
  const response = await getOrganization(session.client, orgId, signal);
  if (response.isDeleted !== true) return toLive(response);
  throw new RefusedError(
    `Organization ${orgId} was deleted. Remove its resources from the state with pulumi state delete.`,
  );
}

/**
 * The live organization with the recorded mappings that a response lacks. The pages of the API name the mappings in the
 * response to a PATCH only, so a response without them does not prove that there are none.
 *
 * @param sent by the PATCH of the response: what it had before is no longer true
 */
export function withHidden(
  found: LiveOrganization,
  recorded: LiveOrganization,
  sent: Partial<LiveOrganization> = {},
): LiveOrganization {
  const kept = hiddenLists(found, recorded)
    .filter((list) => sent[list] === undefined)
    .map((list) => [list, recorded[list]]);
  return { ...found, ...Object.fromEntries(kept) };
}

function hiddenLists(found: LiveOrganization, recorded: LiveOrganization) {
  return mappingLists.filter((list) => found[list] === undefined && recorded[list] !== undefined);
}

function tellHidden(
  found: LiveOrganization,
  recorded: LiveOrganization,
  declared: Properties,
  { log }: Context,
): void {
  for (const list of hiddenLists(found, recorded)) {
    if (known(declared[list]) === undefined) continue;
    log.warn(
      formatNotice(
        { code: "unreadable", subject: "organization itself", placeId: found.orgId },
        `The service does not show ${list} of organization ${found.orgId}, so the state keeps the last known ones and drift is not detected.`,
      ),
    );
  }
}
