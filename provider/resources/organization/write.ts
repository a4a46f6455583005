/** Adopts and updates an organization: read, plan, write, and report the result. */

import { getOrganization, type OrganizationFields, updateOrganization } from "../../api/organizations";
import { PartialFailure, RefusedError } from "../../text/errors";
import { shortList } from "../../text/list";
import { toProperties } from "../contract/border";
import { ignoresProperty } from "../contract/property-path";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, UNKNOWN } from "../contract/values";
import { groupsWith, mappingLists, tellGroups } from "../managed/group-mappings";
import { written } from "../managed/write";
import { ORGANIZATION_OWNER } from "../reads/organization-people";
import {
  asOrganizationInputs,
  asOrganizationState,
  claim,
  type LiveOrganization,
  managed,
  type OrganizationInputs,
  type OrganizationState,
  toLive,
  toState,
} from "./inputs";
import { readExisting, withHidden } from "./read";

type Patch = Partial<OrganizationFields>;

export async function create({ inputs: given, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asOrganizationInputs(given);
  const { orgId } = inputs;
  if (typeof orgId !== "string") {
    return { id: "", state: previewState(inputs, { ...asOrganizationState({}, ""), orgId, name: UNKNOWN }) };
  }
  if (hasUnknown(inputs)) warnOfUnknowns(context);
  claim(orgId, context);
  const live = await readExisting(orgId, context);
  const patch = managed.patch(live, managed.declared(inputs), () => false);
  refuseLossOfOwners(patch, live);
  tellGroups(live, inputs, { kind: "organization", id: orgId }, context.log);
  const overwritten = managed.overwrites(patch, live);
  if (overwritten.length > 0) {
    context.log.info(`Adopting organization ${orgId} ("${live.name}"): ${overwritten.join("; ")}.`);
  }
  const adopted = toState(live, "adopted");
  return {
    id: orgId,
    state: preview ? previewState(inputs, adopted) : await applyPatch(patch, adopted, context),
  };
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context, preview } = request;
  const [inputs, oldInputs] = [asOrganizationInputs(request.inputs), asOrganizationInputs(request.oldInputs)];
  const recorded = asOrganizationState(request.state, id);
  claim(id, context);
  const live = toState(withHidden(await readExisting(id, context), recorded), recorded.origin);
  const patch = managed.patch(live, managed.declared(inputs), ignoresProperty(request.ignoreChanges));
  refuseLossOfOwners(patch, live);
  managed.tellUnmanaged(inputs, oldInputs, context.log);
  if (!preview) return applyPatch(patch, live, context);
  if (hasUnknown(inputs)) warnOfUnknowns(context);
  managed.tellUnrecorded(patch, live, recorded, context.log);
  return previewState(inputs, recorded);
}

/**
 * A group that is mapped to ORG_OWNER is how people own the organization: their roles come from their groups at each login,
 * so nobody else in the list of its people is certain to remain an owner. Whether anyone is in another group is not shown.
 * API keys and service accounts have roles of their own, so no mapping gives these credentials their access.
 *
 * @param live as the service shows it now, or did last
 * @throws RefusedError unless one of these groups remains
 */
function refuseLossOfOwners(patch: Patch, live: LiveOrganization): void {
  const { orgId } = live;
  for (const list of mappingLists) {
    const sent = patch[list];
    if (sent === undefined) continue;
    const owning = groupsWith(ORGANIZATION_OWNER, sent);
    const before = live[list] && groupsWith(ORGANIZATION_OWNER, live[list]);
    if (
      before === undefined
        ? owning.length > 0
        : before.length === 0 || before.some((group) => owning.includes(group))
    )
      continue;
    const refused = `${list} of organization ${orgId} was not changed: `;
    const release = `To go without, change the mappings in the service's web interface, or remove ${list} from the program.`;
    throw new RefusedError(
      before === undefined
        ? `${refused}the service does not show the present mappings, and one of them may be the last for ${ORGANIZATION_OWNER}. Map ${ORGANIZATION_OWNER} to a group. ${release}`
        : `${refused}none of the groups that own the organization would remain (${shortList(before, 5)}). Groups decide at each login who is an owner, so keep one of these for ${ORGANIZATION_OWNER} until somebody of another group has signed in as an owner. ${release}`,
    );
  }
}

/**
 * Sends the difference and gives back what the service returns.
 *
 * @throws PartialFailure when the service stored something else than it was sent
 */
async function applyPatch(patch: Patch, before: OrganizationState, context: Context): Promise<Properties> {
  if (Object.keys(patch).length === 0) return toProperties(before);
  const { client } = context.session;
  const { orgId } = before;
  const object = {
    write: async () => toLive(await updateOrganization(client, orgId, patch, context.signal)),
    read: async (signal: AbortSignal) => toLive(await getOrganization(client, orgId, signal)),
  };
  const response = await written(managed, patch, object, context.signal);
  const state = toProperties(toState(withHidden(response, before, patch), before.origin));
  const reasons = managed.storedOtherwise(patch, response);
  if (reasons.length > 0) throw new PartialFailure(orgId, state, reasons);
  return state;
}

/** The predictable outputs of a preview: declared values over recorded or live ones. */
function previewState(inputs: OrganizationInputs, known: object): Properties {
  return toProperties({ ...known, ...inputs });
}
