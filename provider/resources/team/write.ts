/** Creates, adopts, renames and fills a team of an organization. */

import type { TeamResponse } from "../../api/teams";
import { RefusedError } from "../../text/errors";
import { joinId, splitId } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import { ignoresProperty } from "../contract/property-path";
import { effectiveRemovals } from "../contract/removal-settings";
import type { Context, CreateRequest, CreateResult, UpdateRequest } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, UNKNOWN } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { bringAbout } from "../lists/engine";
import { ObservationLog } from "../session/observations";
import { purposeOf } from "../session/shared-reads";
import { heldByOther, nameIsTaken } from "../session/taken-name";
import { claimTeamId } from "../session/team-claims";
import {
  asTeamInputs,
  type KnownTeamInputs,
  onDestroySetting,
  type TeamInputs,
  teamConflict,
} from "./inputs";
import { claimFound, existingTeam } from "./object";
import { type Target, TeamPeopleList } from "./people-list";
import { findTeam } from "./read";
import { asTeamState, type TeamState } from "./state";

export async function create({ preview, inputs: given, context }: CreateRequest): Promise<CreateResult> {
  const inputs = asTeamInputs(given);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context, inputs.orgId);
    return { id: "", state: previewState(inputs) };
  }
  const known = checkedAs<KnownTeamInputs>(inputs);
  const { orgId } = known;
  const team = await existingTeam(known, context, preview);
  const id = team ? joinId(orgId, team.id) : "";
  const seen = context.session.of(ObservationLog).last(context.urn);
  const former = seen?.kind === "Team" ? seen : undefined;
  // A replacement finds the team that it replaces.
  const replaced = former?.id === id ? former : undefined;
  if (team) takeOver(known, team, replaced !== undefined, context);
  const target: Target = {
    inputs: known,
    team,
    origin: replaced?.origin ?? "adopted",
    operation: team === undefined ? "creation" : replaced === undefined ? "adoption" : "replacement",
    recorded: replaced?.recorded ?? [],
    ends: replaced?.ends ?? [],
    former: former && splitId(former.id).placeId === orgId ? former.recorded : [],
    // An adoption removes no one. A replacement removes people who are no longer listed.
    removeUnlisted: false,
    peopleAreIgnored: false,
    preview,
  };
  const state = await bringAbout(new TeamPeopleList(target, context), context.signal);
  if (state === undefined) return { id, state: previewState(inputs, team && { teamId: team.id }) };
  return { id: joinId(orgId, String(state.teamId)), state };
}

/** @throws RefusedError if the team belongs to someone else */
function takeOver(
  { orgId, teamId, name }: KnownTeamInputs,
  team: TeamResponse,
  isReplaced: boolean,
  context: Context,
): void {
  if (teamId === undefined && !isReplaced)
    throw nameIsTaken({ kind: "Team", orgId, name, ids: [team.id] }, context);
  const held = heldByOther(orgId, team.id, context);
  if (held !== undefined) throw held;
  claimFound(orgId, team, context);
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const { context, preview } = request;
  const recorded = asTeamState(request.state, request.id);
  const inputs = asTeamInputs(request.inputs);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, recorded);
  }
  const known = checkedAs<KnownTeamInputs>(inputs);
  const { orgId, teamId, origin } = recorded;
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const team = await findTeam(orgId, teamId, recorded.name, context, purposeOf(preview));
  if (team instanceof Refusal) throw team.error;
  if (team === undefined) {
    throw new RefusedError(
      `Team "${recorded.name}" (${teamId}) was deleted since it was recorded. To create it again, run: pulumi up --refresh.`,
    );
  }
  const rival = claimTeamId(orgId, { teamName: known.name }, teamId, context.session);
  if (rival !== undefined) throw new RefusedError(teamConflict({ teamName: team.name }, rival).reason);
  const peopleAreIgnored = isIgnored("usernames");
  const target: Target = {
    inputs: { ...known, orgId, name: isIgnored("name") ? team.name : known.name },
    team,
    origin,
    operation: "update",
    recorded: recorded.people,
    ends: recorded.ends ?? [],
    former: [],
    removeUnlisted: !peopleAreIgnored && effectiveRemovals(known).removeUnlisted,
    peopleAreIgnored,
    preview,
  };
  const state = await bringAbout(new TeamPeopleList(target, context), context.signal);
  return state ?? previewState(inputs, recorded);
}

/** The predictable outputs of a preview. */
function previewState({ ended, ...inputs }: TeamInputs, recorded: Partial<TeamState> = {}): Properties {
  const { origin } = recorded;
  return toProperties({
    ...inputs,
    ...effectiveRemovals(inputs),
    teamId: recorded.teamId ?? inputs.teamId ?? UNKNOWN,
    people: UNKNOWN,
    ...(ended.length > 0 && { ends: UNKNOWN }),
    origin: origin ?? UNKNOWN,
    onDestroy:
      inputs.onDestroy ?? (origin === undefined ? UNKNOWN : onDestroySetting.effective(inputs, origin)),
  });
}
