/** Creates and updates the list of people of one project. */
import type { CreateRequest, CreateResult, Context, UpdateRequest } from "../resource";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, type Properties, UNKNOWN, withoutUndefined } from "../values";
import { asMembersInputs, DEFAULT_MAX_REMOVALS, type MembersInputs } from "./inputs";
import { replacedState, asProperties, type MemberDetail, asMembersState, type MembersState, toMembersState, effectiveOnDestroy } from "./state";
import { announce, type KnownInputs, reportUnlisted, survey, type Target, type Scene } from "./current-people";
import { recordedUnder } from "../membership/recorded-identity";
import { ignoresProperty } from "../ignore-changes";
import { PartialFailure } from "../../errors";
import { applyPlan } from "./apply-plan";

export async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asMembersInputs(properties);
  if (hasUnknown(properties)) {
    warnOfUnknowns(context);
    return { id: "", state: previewState(inputs, undefined) };
  }
  const { projectId } = inputs as KnownInputs;
  const replaced = replacedState(projectId, context);
  const recorded = replaced?.memberDetails ?? takenOver(inputs as KnownInputs, context);
  const target = { projectId, inputs: inputs as KnownInputs, recorded, oldPatterns: [] };
  const scene = await survey(target, preview, context);
  reportUnlisted(projectId, scene, context.log.warn);
  if (preview) {
    announce(target, scene, context);
    return { id: projectId, state: previewState(inputs, undefined) };
  }
  const origin = replaced?.origin === "imported" ? "imported" : "created";
  return { id: projectId, state: asProperties(await carryOut(target, scene, origin, context)) };
}

/** The accounts that other resources have recorded under these names. Their names may have changed since. */
function takenOver({ projectId, members }: KnownInputs, { session }: Context): MemberDetail[] {
  return Object.keys(members).flatMap((name): MemberDetail[] => {
    const known = recordedUnder(session, projectId, { username: name });
    if (known === undefined) return [];
    const { userId, username = name } = known;
    return [
      { userId, username, declaredAs: name, status: "active", roles: [], declared: false, ignored: false },
    ];
  });
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { id, preview, context } = request;
  const recorded = asMembersState(request.state, id);
  const inputs = asMembersInputs(request.inputs);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const target: Target = {
    projectId: recorded.projectId,
    inputs: inputs as KnownInputs,
    recorded: recorded.memberDetails,
    oldPatterns: recorded.ignoreUsers,
    peopleAreIgnored: isIgnored("members"),
  };
  const scene = await survey(target, preview, context);
  reportUnlisted(target.projectId, scene, context.log.info);
  if (preview) {
    announce(target, scene, context);
    return previewState(inputs, recorded);
  }
  return asProperties(await carryOut(target, scene, recorded.origin, context));
}

async function carryOut(
  { projectId, inputs, peopleAreIgnored }: Target,
  { plan, places, recorded, accounts, orgId, tooMany: over }: Scene,
  origin: MembersState["origin"],
  context: Context,
): Promise<MembersState> {
  const allowed = over === undefined ? plan : { ...plan, removals: [] };
  const outcome = await applyPlan(projectId, allowed, { places, recorded, accounts }, context);
  const state = toMembersState({
    projectId,
    places: outcome.places,
    names: Object.keys(inputs.members),
    recorded,
    // The engine puts whoever is there into ignored inputs: that declares nobody.
    declares: peopleAreIgnored ? "as recorded" : "names",
    unread: outcome.unread,
    inputs,
    orgId,
    origin,
  });
  const reasons = [...outcome.reasons, ...(over === undefined ? [] : [over])];
  if (reasons.length > 0) throw new PartialFailure(projectId, asProperties(state), reasons);
  return state;
}

/** What a preview can promise: where the people are is known, who they are follows from the program and the service. */
function previewState(inputs: MembersInputs, recorded: MembersState | undefined): Properties {
  return withoutUndefined({
    orgId: recorded?.orgId ?? UNKNOWN,
    origin: recorded?.origin ?? "created",
    ignoreUsers: [],
    maxRemovals: DEFAULT_MAX_REMOVALS,
    removeUnlisted: false,
    ...inputs,
    memberDetails: UNKNOWN,
    onDestroy: hasUnknown(inputs.onDestroy) ? UNKNOWN : effectiveOnDestroy(inputs),
  }) as unknown as Properties;
}
