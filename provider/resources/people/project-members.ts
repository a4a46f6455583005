/** The people of one project: the declared ones and, if the program requires it, no others. Limits protect people from removal. */
import { PartialFailure } from "../../errors";
import type { Difference } from "../difference";
import { ignoresProperty } from "../ignore-changes";
import type { Context, CreateRequest, CreateResult, DiffRequest, Resource, UpdateRequest } from "../resource";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, type Properties, UNKNOWN, withoutUndefined } from "../values";
import { claimPerson, declarerOfEverybody } from "./claims";
import { sameName } from "./person";
import { applyPlan } from "./project-members-apply";
import { destroyMembers } from "./project-members-destroy";
import { membersDifferences } from "./project-members-difference";
import {
  asMembersInputs,
  checkProjectMembers,
  DEFAULT_MAX_REMOVALS,
  type MembersInputs,
  projectMembersInputs,
} from "./project-members-inputs";
import { readMembers } from "./project-members-read";
import { replacedState, sightingOf } from "./project-members-sighting";
import {
  asMembersState,
  asProperties,
  effectiveOnDestroy,
  type MemberDetail,
  type MembersState,
  projectMembersOutputs,
  toMembersState,
} from "./project-members-state";
import {
  announce,
  type KnownInputs,
  reportUnlisted,
  type Scene,
  survey,
  type Target,
} from "./project-members-survey";
import { recordedUnder } from "./recorded-under";

export const projectMembers: Resource = {
  name: "ProjectMembers",
  description: `The people of one project: members and pending invitations, with their roles.

Creating and updating add or invite the declared people. A person who was declared and leaves \`members\` is removed. People whom this resource never declared stay, unless \`removeUnlisted\` is \`true\`: then they are removed, and show as drift. Additions come first and removals last, never more than \`maxRemovals\` and never the last owner. People whom \`ignoreUsers\` matches, and those who are members only through a team or the organization, are not changed. Destroying leaves everybody in, unless \`onDestroy\` is \`remove\`.

Use \`ProjectMember\` instead to manage some people beside others whom the program does not know; never both for one project.`,
  inputs: projectMembersInputs,
  outputs: projectMembersOutputs,
  repeats: { memberDetails: "members" },
  maps: ["members"],
  check: checkProjectMembers,
  diff,
  create,
  read: readMembers,
  update,
  delete: destroyMembers,
  changesByItself: (state) =>
    asMembersState(state, "").memberDetails.some(({ status, ignored }) => status === "pending" && !ignored),
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asMembersState(state, id);
  context.session.sighted(context.urn, sightingOf(recorded));
  const { projectId, members } = asMembersInputs(inputs);
  if (projectId === recorded.projectId && typeof members === "object") {
    claimRecorded(recorded, Object.keys(members), context);
  }
  return membersDifferences(
    recorded,
    asMembersInputs(inputs),
    asMembersInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
}

/**
 * Check knows people by what the program says only; another resource of the same person may be recorded otherwise. A refresh
 * asks for differences too, before any Check: that declares nobody.
 */
function claimRecorded(
  { projectId, memberDetails }: MembersState,
  names: readonly string[],
  { session }: DiffRequest["context"],
): void {
  const holder = declarerOfEverybody(session, projectId);
  if (holder === undefined) return;
  for (const detail of memberDetails) {
    const { username, declaredAs } = detail;
    const isNamed = names.some((name) => sameName(name, username) || sameName(name, declaredAs));
    if (isNamed) claimPerson({ session, urn: holder }, projectId, detail);
  }
}

async function create({ inputs: properties, preview, context }: CreateRequest): Promise<CreateResult> {
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
    const { username = name, ...ids } = known;
    return [
      { ...ids, username, declaredAs: name, status: "active", roles: [], declared: false, ignored: false },
    ];
  });
}

async function update(request: UpdateRequest): Promise<Properties> {
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
