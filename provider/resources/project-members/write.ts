/** Creates and updates the list of people of one project. */

import { isOwnerAbove } from "../../access/owners-above";
import { PartialFailure } from "../../text/errors";
import { checkedAs, toProperties } from "../contract/border";
import { ignoresProperty } from "../contract/property-path";
import { effectiveRemovals } from "../contract/removal-settings";
import type {
  Context,
  CreateRequest,
  CreateResult,
  ProjectContext,
  UpdateRequest,
} from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, UNKNOWN } from "../contract/values";
import type { MemberDetail } from "../people/outputs";
import { refusalOf } from "../people/protect";
import { recordedIdentity } from "../people/resolve";
import { ObservationLog } from "../session/observations";
import { purposeOf } from "../session/shared-reads";
import { applyPlan } from "./apply-plan";
import {
  announce,
  type CurrentPeople,
  readCurrentPeople,
  type Target,
  unlistedInProject,
} from "./current-people";
import {
  asMemberListInputs,
  type KnownMemberListInputs,
  type MemberListInputs,
  onDestroySetting,
} from "./inputs";
import { limitsOfUpdate } from "./limits";
import { asMemberListState, type MemberListState, stateAfterRead, stateAfterWrite } from "./state";

export async function create({ preview, ...request }: CreateRequest): Promise<CreateResult> {
  const inputs = asMemberListInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(inputs, undefined) };
  }
  const known = checkedAs<KnownMemberListInputs>(inputs);
  const { projectId } = known;
  const context = { ...request.context, projectId };
  const seen = context.session.of(ObservationLog).last(context.urn);
  const replaced = seen?.kind === "ProjectMembers" && seen.id === projectId ? seen : undefined;
  const recorded = replaced?.recorded ?? takenOver(known, context);
  const target = { inputs: known, recorded, oldPatterns: [], isNew: replaced === undefined };
  const current = await readCurrentPeople(target, purposeOf(preview), context);
  const refusal = refusalOf(current.plan.removals, limitsOfUpdate(known, context));
  const staying = current.plan.staying.filter((membership) => !isOwnerAbove(membership, current.orgId));
  const unlisted = unlistedInProject(projectId, staying);
  if (unlisted !== undefined) context.log.warn(unlisted);
  if (preview) {
    announce(current, refusal, context);
    return { id: projectId, state: previewState(inputs, undefined) };
  }
  const origin = replaced?.origin === "imported" ? "imported" : "created";
  return { id: projectId, state: toProperties(await carryOut(target, current, refusal, origin, context)) };
}

/**
 * The accounts that other resources have recorded under these names. Their names may have changed
 * since.
 */
function takenOver({ projectId, members }: KnownMemberListInputs, { session }: Context): MemberDetail[] {
  return Object.keys(members).flatMap((name): MemberDetail[] => {
    const person = recordedIdentity(session.of(ObservationLog), projectId, { username: name });
    if (person === undefined) return [];
    const { username = name, ...ids } = person;
    return [
      { ...ids, username, declaredAs: name, status: "active", roles: [], declared: false, ignored: false },
    ];
  });
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const recorded = asMemberListState(request.state, request.id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const inputs = asMemberListInputs(request.inputs);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const target: Target = {
    inputs: checkedAs<KnownMemberListInputs>(inputs),
    recorded: recorded.memberDetails,
    oldPatterns: recorded.ignoreUsers,
    peopleAreIgnored: isIgnored("members"),
  };
  const current = await readCurrentPeople(target, purposeOf(request.preview), context);
  const refusal = refusalOf(current.plan.removals, limitsOfUpdate(target.inputs, context));
  if (request.preview) {
    announce(current, refusal, context);
    return previewState(inputs, recorded);
  }
  return toProperties(await carryOut(target, current, refusal, recorded.origin, context));
}

async function carryOut(
  { inputs, peopleAreIgnored }: Target,
  { plan, memberships, recorded, accounts, orgId, contradicted }: CurrentPeople,
  refusal: string | undefined,
  origin: MemberListState["origin"],
  context: ProjectContext,
): Promise<MemberListState> {
  const { projectId } = context;
  const allowed = refusal === undefined ? plan : { ...plan, removals: [] };
  const outcome = await applyPlan(allowed, { memberships, recorded, accounts }, context);
  // The engine puts all current people into ignored inputs, which does not declare them.
  const stateOf = peopleAreIgnored ? stateAfterRead : stateAfterWrite;
  const state = stateOf({
    projectId,
    memberships: outcome.memberships,
    names: Object.keys(inputs.members),
    recorded,
    unread: outcome.unread,
    inputs,
    orgId,
    origin,
  });
  const notDone = [contradicted, refusal].filter((reason) => reason !== undefined);
  const reasons = [...outcome.reasons, ...notDone];
  if (reasons.length > 0) throw new PartialFailure(projectId, toProperties(state), reasons);
  return state;
}

/** The predictable outputs of a preview. The details of people are known only after the update. */
function previewState(inputs: MemberListInputs, recorded: MemberListState | undefined): Properties {
  return toProperties({
    orgId: recorded?.orgId ?? UNKNOWN,
    origin: recorded?.origin ?? "created",
    ignoreUsers: [],
    ...effectiveRemovals({}),
    ...inputs,
    memberDetails: UNKNOWN,
    onDestroy: onDestroySetting.inPreview(inputs),
  });
}
