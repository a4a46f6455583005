/** Creates and updates the list of people of one project. */

import { checkedAs, toProperties } from "../contract/border";
import type { MemberDetail } from "../contract/people-outputs";
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
import { bringAbout } from "../lists/engine";
import { claimAll, refuseConflict } from "../people/member-claims";
import { ObservationLog } from "../session/observations";
import {
  asMemberListInputs,
  type KnownMemberListInputs,
  type MemberListInputs,
  onDestroySetting,
} from "./inputs";
import { ProjectPeopleList, type Target } from "./people-list";
import { asMemberListState, type MemberListState } from "./state";

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
  const target: Target = {
    inputs: known,
    recorded: replaced?.recorded ?? takenOver(known, context),
    ends: replaced?.ends ?? [],
    origin: replaced?.origin === "imported" ? "imported" : "created",
    oldPatterns: [],
    operation: "create",
    isNew: replaced === undefined,
    peopleAreIgnored: false,
    preview,
  };
  const state = await bringAboutMembers(target, context);
  return { id: projectId, state: state ?? previewState(inputs, undefined) };
}

/** @throws RefusedError if another resource declares people of the project */
async function bringAboutMembers(target: Target, context: ProjectContext): Promise<Properties | undefined> {
  refuseConflict(claimAll(context));
  return bringAbout(new ProjectPeopleList(target, context), context.signal);
}

/**
 * The accounts that other resources have recorded under these names. Their names may have changed
 * since.
 */
function takenOver({ projectId, members }: KnownMemberListInputs, { session }: Context): MemberDetail[] {
  return Object.keys(members).flatMap((name): MemberDetail[] => {
    const person = session.of(ObservationLog).identityOf(projectId, { username: name });
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
    ends: recorded.ends ?? [],
    origin: recorded.origin,
    oldPatterns: recorded.ignoreUsers,
    operation: "update",
    isNew: false,
    peopleAreIgnored: isIgnored("members"),
    preview: request.preview,
  };
  const state = await bringAboutMembers(target, context);
  return state ?? previewState(inputs, recorded);
}

/** The predictable outputs of a preview. The details of people are known only after the update. */
function previewState(
  { ended, ...inputs }: MemberListInputs,
  recorded: MemberListState | undefined,
): Properties {
  return toProperties({
    orgId: recorded?.orgId ?? UNKNOWN,
    origin: recorded?.origin ?? "created",
    ignoreUsers: [],
    ...effectiveRemovals({}),
    ...inputs,
    memberDetails: UNKNOWN,
    ...(ended.length > 0 && { ends: UNKNOWN }),
    onDestroy: onDestroySetting.inPreview(inputs),
  });
}
