/** Updates a project: read, plan, write, and report the result. */

import { ROLE_TO_SEE_TAGS } from "../../api/hints";
import { getProject, type ProjectPatch, updateProject } from "../../api/projects";
import { PartialFailure, RefusedError } from "../../text/errors";
import { toProperties } from "../contract/border";
import type { Origin } from "../contract/on-destroy";
import { matchesAny } from "../contract/pattern";
import { ignoresProperty } from "../contract/property-path";
import type { Context, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, known, type Properties, UNKNOWN } from "../contract/values";
import { CHECK_BASE_URL, meaningOf } from "../evidence/meaning";
import { written } from "../managed/write";
import { ProjectCache } from "../reads/projects";
import { Claims } from "../session/claims";
import { projectOf } from "./claims";
import { changedCreateOnly } from "./diff";
import { asProjectInputs, MAX_TAGS, onDestroySetting, type ProjectInputs } from "./inputs";
import { managed, toPatch } from "./managed";
import { underName } from "./name-release";
import {
  asProjectState,
  type LiveProject,
  type ProjectState,
  toLive,
  toState,
  withHiddenTags,
} from "./state";

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context, preview } = request;
  const inputs = asProjectInputs(request.inputs);
  const oldInputs = asProjectInputs(request.oldInputs);
  const recorded = asProjectState(request.state, id);
  context.session.of(Claims).take(projectOf(id), context.urn);
  const found = await readExisting(id, context);
  const observed: ObservedProject = found
    ? withHiddenTags(found, recorded)
    : { live: undefined, tagsVisible: recorded.tagsVisible, tagsShown: false };
  const patch = planPatch(observed, inputs, oldInputs, ignoresProperty(request.ignoreChanges));
  announceUnsent(inputs, oldInputs, context);
  const { origin } = recorded;
  if (preview) {
    if (hasUnknown(inputs)) warnOfUnknowns(context);
    if (observed.live) managed.tellUnrecorded(patch, observed.live, recorded, context.log);
    return previewState(inputs, { ...recorded, onDestroy: onDestroySetting.effective(inputs, origin) });
  }
  return applyPatch({ projectId: id, ...observed, inputs, origin, patch, recorded }, context);
}

function announceUnsent(inputs: ProjectInputs, oldInputs: ProjectInputs, { log }: Context): void {
  managed.tellUnmanaged(inputs, oldInputs, log);
  for (const property of changedCreateOnly(inputs, oldInputs)) {
    log.info(`${property} is used only when a project is created; nothing was sent.`);
  }
}

/** The result of reading the project. */
interface ObservedProject {
  /** `undefined` if the service does not offer reading a project. */
  readonly live: LiveProject | undefined;
  /** Whether the key may see tags, by the responses so far. */
  readonly tagsVisible: boolean;
  /** Whether the tags in `live` are what the service shows now, and not what was recorded. */
  readonly tagsShown: boolean;
}

/** Reads a project that must exist. */
export async function readExisting(projectId: string, context: Context): Promise<LiveProject | undefined> {
  try {
    return toLive(await getProject(context.session.client, projectId, context.signal));
  } catch (error) {
    if (meaningOf(error) === "missing-operation") return undefined;
    throw error;
  }
}

interface PatchPlan extends ObservedProject {
  readonly projectId: string;
  readonly inputs: ProjectInputs;
  readonly origin: Origin;
  readonly patch: ProjectPatch;
  readonly recorded?: ProjectState | undefined;
}

/**
 * The PATCH to send, after the rules that only the live object can decide. Reads nothing, writes
 * nothing.
 *
 * @throws RefusedError when the declared values cannot all be applied
 */
export function planPatch(
  { live, tagsVisible, tagsShown }: ObservedProject,
  inputs: ProjectInputs,
  oldInputs: ProjectInputs = {},
  isIgnored: (property: string) => boolean = () => false,
): ProjectPatch {
  const conflict = live && !isIgnored("orgId") && otherOrganization(inputs, live);
  if (conflict) throw new RefusedError(conflict);
  // The old patterns apply once more, so changing the patterns never removes a tag silently.
  const patterns = known(inputs.ignoreTags) ?? [];
  const kept = [...patterns, ...(known(oldInputs.ignoreTags) ?? [])];
  const foreignTags = (tagsShown && live?.tags ? live.tags : []).filter((tag) => matchesAny(kept, tag));
  const patch = toPatch(live, inputs, { isIgnored, foreignTags });
  const wouldWriteBlindly = patch.tags !== undefined && kept.length > 0 && !tagsShown;
  const cannotKeep = patterns.length > 0 && !tagsVisible && inputs.tags !== undefined && !isIgnored("tags");
  if (wouldWriteBlindly || cannotKeep) throw blindToTags(live !== undefined);
  const declared = patch.tags === undefined ? [] : (known(inputs.tags) ?? []);
  const total = new Set([...declared, ...foreignTags]).size;
  if (declared.length > 0 && total > MAX_TAGS) {
    throw new RefusedError(
      `The project would have ${total} tags, more than the ${MAX_TAGS} that the service allows: the program declares ${declared.join(", ")}, and ignoreTags keeps ${foreignTags.join(", ")}.`,
    );
  }
  return patch;
}

function blindToTags(canRead: boolean): RefusedError {
  const reason = canRead
    ? `the service shows no tags to these credentials, so writing tags would remove those of others. Use credentials with ${ROLE_TO_SEE_TAGS}, or remove tags from the program.`
    : `this service does not offer reading a project (GET /groups/{id}), so writing tags would remove those of others. Remove tags or ignoreTags from the program. ${CHECK_BASE_URL}`;
  return new RefusedError(`ignoreTags cannot be applied: ${reason}`);
}

/** The conflict if the project is in another organization than `orgId` requires. */
function otherOrganization(inputs: ProjectInputs, live: LiveProject): string | undefined {
  const orgId = known(inputs.orgId);
  if (orgId === undefined || orgId === live.orgId) return undefined;
  return `Project ${live.projectId} ("${live.name}") belongs to organization ${live.orgId}, not to ${orgId}: the API cannot move a project. Set orgId to "${live.orgId}", or move the project back outside Pulumi.`;
}

/**
 * Sends the difference and gives back what the service returns.
 *
 * @throws PartialFailure when the service stored something else than it was sent
 */
export async function applyPatch(plan: PatchPlan, context: Context): Promise<Properties> {
  const { projectId, inputs, origin, patch } = plan;
  if (Object.keys(patch).length === 0) return toProperties(unchanged(plan));
  const response = await responseTo(plan, context);
  const { live, tagsVisible } = settleTags(response, plan, context);
  const state = toState(live, inputs, { origin, tagsVisible });
  const reasons = managed.storedOtherwise(patch, live, tagsVisible);
  // If the project could not be read before, only the response shows its organization.
  const conflict = plan.live ? undefined : otherOrganization(inputs, live);
  if (conflict) reasons.push(conflict);
  if (reasons.length > 0) throw new PartialFailure(projectId, { ...state }, reasons);
  return toProperties(state);
}

function unchanged({ projectId, live, inputs, origin, recorded, tagsVisible }: PatchPlan): ProjectState {
  const current = live ?? recorded;
  if (current) return toState(current, inputs, { origin, tagsVisible });
  throw new RefusedError(
    `Project ${projectId} cannot be adopted with nothing declared: this service offers no way to read a project, so give at least one of name, tags, ldapGroupMappings and idpGroupMappings.`,
  );
}

async function responseTo({ projectId, live, patch }: PatchPlan, context: Context): Promise<LiveProject> {
  const { session, signal } = context;
  const object = {
    write: async () => toLive(await updateProject(session.client, projectId, patch, signal)),
    read: async (by: AbortSignal) => toLive(await getProject(session.client, projectId, by)),
  };
  const send = () =>
    written(managed, patch, object, signal).finally(() => session.of(ProjectCache).projectChanged(projectId));
  return patch.name === undefined || live === undefined
    ? send()
    : underName({ projectId, orgId: live.orgId, name: patch.name }, send, context);
}

/** Decides whether the key can see tags, and which tags to record where it cannot. */
function settleTags(
  response: LiveProject,
  plan: PatchPlan,
  { log }: Context,
): { readonly live: LiveProject; readonly tagsVisible: boolean } {
  const { patch, live, recorded, tagsVisible } = plan;
  if (patch.tags === undefined) {
    const shown = tagsVisible && response.tags !== undefined;
    return { live: shown ? response : { ...response, tags: live?.tags ?? recorded?.tags }, tagsVisible };
  }
  if (!managed.table.tags.isHidden(patch.tags, response.tags)) return { live: response, tagsVisible: true };
  log.warn(
    `The service accepted the tags but shows none to these credentials: the declared tags are recorded, and drift of tags is not detected. Seeing tags requires ${ROLE_TO_SEE_TAGS}.`,
  );
  return { live: { ...response, tags: patch.tags }, tagsVisible: false };
}

/**
 * The predictable outputs of a preview: declared values over recorded or live ones, the rest
 * unknown.
 */
export function previewState(inputs: ProjectInputs, recorded: ProjectState | undefined): Properties {
  const { orgId: _asserted, projectId: _identity, ...declared } = inputs;
  const base = recorded ? { ...recorded, ...NO_ECHOES } : newlyMade(inputs);
  return toProperties({ ...base, ...declared });
}

/** Outputs that only repeat an input are absent without it. */
const NO_ECHOES = { ignoreTags: undefined, withDefaultAlertsSettings: undefined, projectOwnerId: undefined };

function newlyMade(inputs: ProjectInputs) {
  const origin = inputs.projectId === undefined ? "created" : "adopted";
  return {
    projectId: inputs.projectId ?? UNKNOWN,
    orgId: inputs.orgId ?? UNKNOWN,
    name: UNKNOWN,
    origin,
    onDestroy: onDestroySetting.effective(inputs, origin),
    tagsVisible: UNKNOWN,
  };
}
