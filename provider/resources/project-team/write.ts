/** Adds a team to a project and gives it the declared roles. */

import { addTeamToProject, setRolesOfTeam, type TeamName } from "../../api/teams";
import { hasCode, RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { checkedAs, type KnownOf, toProperties } from "../contract/border";
import { noticeOfAdoption, type Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { CreateRequest, CreateResult, ProjectContext, UpdateRequest } from "../contract/resource";
import { roleChange } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet, UNKNOWN } from "../contract/values";
import { isTeamInProject, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { orReached, reachedAfterLoss, readDespite } from "../evidence/reread";
import { storedRoles } from "../evidence/stored-roles";
import { claimTeam, claimTeamId, declarerOfTeam } from "../people/team-claims";
import { named, nameOfTeam, teamNamed } from "../reads/find-team";
import { factsOf } from "../reads/project-facts";
import { ProjectPeopleCache } from "../reads/project-people";
import { type ProjectTeamEntry, TeamCache } from "../reads/teams";
import { whileRefused } from "../session/pause";
import { ProjectWrites } from "../session/project-writes";
import { type Purpose, purposeOf } from "../session/shared-reads";
import { GivenNames } from "../session/taken-name";
import {
  asProjectTeamInputs,
  declaredTeam,
  onDestroySetting,
  type ProjectTeamInputs,
  projectTeamConflict,
  type projectTeamInputs,
} from "./inputs";
import { asProjectTeamState, type ProjectTeamState, toProjectTeamState } from "./state";

type KnownProjectTeamInputs = KnownOf<typeof projectTeamInputs>;

type DeclaredRoles = Pick<KnownProjectTeamInputs, "roles" | "onDestroy">;

export async function create({ preview, ...request }: CreateRequest): Promise<CreateResult> {
  const inputs = asProjectTeamInputs(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(inputs) };
  }
  const known = checkedAs<KnownProjectTeamInputs>(inputs);
  const { projectId, roles } = known;
  const context = { ...request.context, projectId };
  const { orgId } = await factsOf(context);
  const purpose = purposeOf(preview);
  if (preview && (await isPlanned(known, orgId, context))) return { id: "", state: previewState(inputs) };
  const team = await declaredTeamOf(known, orgId, context, purpose);
  const rival = claimTeam(projectId, { teamId: team.teamId }, context);
  if (rival !== undefined) throw new RefusedError(projectTeamConflict(projectId, team, rival).reason);
  const entry = await readEntry(team.teamId, context, purpose);
  if (entry) announceAdoption(team, entry, known, context);
  if (preview) {
    return { id: entry ? joinId(projectId, team.teamId) : "", state: previewState(inputs, team) };
  }
  const facts = { team, orgId, origin: entry ? "adopted" : "created" } as const;
  return {
    id: joinId(projectId, team.teamId),
    state: await settle({ entry, roles, inputs, facts, context }),
  };
}

export async function update(request: UpdateRequest): Promise<Properties> {
  const recorded = asProjectTeamState(request.state, request.id);
  const { projectId, teamId, origin } = recorded;
  const context = { ...request.context, projectId };
  const inputs = asProjectTeamInputs(request.inputs);
  const before = named(teamId, recorded.teamName);
  if (hasUnknown(request.inputs)) {
    warnOfUnknowns(context);
    return previewState(inputs, before, recorded);
  }
  const listed = await readEntry(teamId, context);
  const { orgId } = await factsOf(context, recorded);
  // A team that left the project may have been deleted, and another one may have its name now.
  const team = listed
    ? before
    : await declaredTeamOf(
        checkedAs<KnownProjectTeamInputs>(inputs),
        orgId,
        context,
        purposeOf(request.preview),
      );
  const rival = claimTeamId(projectId, declaredTeam(inputs), team.teamId, context.session);
  if (rival !== undefined) throw new RefusedError(projectTeamConflict(projectId, team, rival).reason);
  const entry = team.teamId === teamId ? listed : await readEntry(team.teamId, context);
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const roles = isIgnored && entry ? entry.roles : checkedAs<KnownProjectTeamInputs>(inputs).roles;
  if (request.preview) return previewState(inputs, team, recorded);
  const facts = { team, orgId, origin: entry ? origin : "created" } as const;
  return settle({ entry, roles, inputs, facts, context });
}

/** Whether no team has the name yet, or another one that gives it up, and a Team of this program will have it. */
async function isPlanned(
  { teamName }: KnownProjectTeamInputs,
  orgId: string | undefined,
  context: ProjectContext,
): Promise<boolean> {
  if (teamName === undefined || orgId === undefined) return false;
  if (declarerOfTeam(orgId, { teamName }, context.session) === undefined) return false;
  const existing = await teamNamed(teamName, orgId, context);
  return existing === undefined || context.session.of(GivenNames).mayBeGivenUp("Team", orgId, existing);
}

/** @throws RefusedError if no team has the declared name */
async function declaredTeamOf(
  { teamId, teamName }: KnownProjectTeamInputs,
  orgId: string | undefined,
  context: ProjectContext,
  purpose: Purpose,
): Promise<TeamName> {
  if (teamId !== undefined) return named(teamId, await nameOfTeam(teamId, orgId, context));
  const { projectId } = context;
  if (orgId === undefined) {
    throw new RefusedError(
      `Team "${teamName}" cannot be found by its name: these credentials cannot read project ${projectId}, so its organization is not known. Set teamId instead.`,
    );
  }
  const found = await teamNamed(teamName ?? "", orgId, context, purpose);
  if (found && context.session.of(GivenNames).isGivenUp("Team", orgId, found)) {
    throw new RefusedError(
      `Team "${found.name}" (${found.id}) gets another name in this run, so it may not be the team that is meant. Set teamId, or make this resource depend on the Team. Nothing was written.`,
    );
  }
  if (found) return named(found.id, found.name);
  throw new RefusedError(
    `Organization ${orgId} has no team named "${teamName}" that these credentials can see. Check the name, create the team first, or set teamId. Nothing was written.`,
  );
}

/** The team's entry in the complete list of the project's teams. */
async function readEntry(
  teamId: string,
  { session, projectId, signal }: ProjectContext,
  purpose: Purpose = "writing",
): Promise<ProjectTeamEntry | undefined> {
  const teams = await session.of(TeamCache).ofProject.read(projectId, purpose, signal);
  if (teams instanceof Refusal) throw teams.error;
  return teams.find((team) => team.teamId === teamId);
}

function announceAdoption(
  { teamId, teamName }: TeamName,
  entry: ProjectTeamEntry,
  { roles, onDestroy }: DeclaredRoles,
  { log, projectId }: ProjectContext,
): void {
  const holder = { kind: "team", teamId, teamName } as const;
  log.found?.([{ holder, place: { kind: "project", id: projectId }, roles: entry.roles }]);
  const end = noticeOfAdoption(
    { onDestroy },
    "the team in this project",
    "removes the team from the project",
  );
  log.info(`Team ${teamName} is in project ${projectId} already${roleChange(entry.roles, roles)}.${end}`);
}

interface Settlement {
  /** What the project has now. */
  readonly entry: ProjectTeamEntry | undefined;
  readonly roles: readonly string[];
  readonly inputs: ProjectTeamInputs;
  readonly facts: {
    readonly team: TeamName;
    readonly orgId: string | undefined;
    readonly origin: Origin;
  };
  readonly context: ProjectContext;
}

/** Gives the team the declared roles, and returns what to record. */
async function settle({ entry, roles, inputs, facts, context }: Settlement): Promise<Properties> {
  const { projectId } = context;
  const { team, orgId } = facts;
  const { teamId, teamName } = team;
  const stateOf = (settled: ProjectTeamEntry, origin: Origin) =>
    toProperties(
      toProjectTeamState(settled, inputs, {
        projectId,
        teamName: teamName === teamId ? undefined : teamName,
        orgId,
        origin,
      }),
    );
  if (entry && sameSet(entry.roles, roles)) return stateOf(entry, facts.origin);
  const wanted = { ...checkedAs<KnownProjectTeamInputs>(inputs), roles };
  const isFound = (await write(team, entry, wanted, context)) === "found";
  const origin = isFound ? "adopted" : facts.origin;
  return storedRoles(
    {
      name: `team ${teamName}`,
      kind: "team",
      objectId: teamId,
      written: { teamId, roles },
      read: (signal) => readEntry(teamId, { ...context, signal }),
      stateOf: (settled) => stateOf(settled, origin),
    },
    context,
  );
}

/** Milliseconds before each further attempt to add a team that the organization has. */
const WAITS_FOR_TEAM = [250, 500, 1000, 2000];

/**
 * One write, beside no other write of the project's people and teams.
 *
 * @returns `found` if another program added the team since it was read
 */
async function write(
  team: TeamName,
  entry: ProjectTeamEntry | undefined,
  wanted: DeclaredRoles,
  context: ProjectContext,
): Promise<"found" | "written"> {
  const { session, projectId, signal } = context;
  return session.of(ProjectWrites).ofTeam(projectId, async () => {
    try {
      if (entry === undefined) return await add(team, wanted, context);
      const { roles } = wanted;
      const change = setRolesOfTeam(session.client, projectId, { ...team, roles }, signal);
      await orReached(change, rolesOf(team, roles, context), signal);
      return "written";
    } finally {
      discardReads(context);
    }
  });
}

/** The goal of a write: the project lists the team with these roles. */
function rolesOf({ teamId }: TeamName, roles: readonly string[], context: ProjectContext) {
  return {
    read: (signal: AbortSignal) => readEntry(teamId, { ...context, signal }),
    isReached: (now: ProjectTeamEntry | undefined) => now !== undefined && sameSet(now.roles, roles),
  };
}

/** Discards what was read of the project's teams and people before a write. */
export function discardReads({ session, projectId }: ProjectContext): void {
  session.of(TeamCache).ofProject.written(projectId);
  session.of(ProjectPeopleCache).written(projectId);
}

async function add(
  team: TeamName,
  wanted: DeclaredRoles,
  context: ProjectContext,
): Promise<"found" | "written"> {
  const { session, projectId, signal } = context;
  const { client } = session;
  const { roles } = wanted;
  const goal = rolesOf(team, roles, context);
  try {
    await whileRefused(
      () => addTeamToProject(client, projectId, { ...team, roles }, signal),
      async (error, refusals) =>
        (await isOfOrganization(team, error, context)) ? WAITS_FOR_TEAM[refusals] : undefined,
      signal,
    );
    return "written";
  } catch (failure) {
    if (hasCode(failure, "OPSMANAGER_OUTCOME_UNKNOWN")) {
      await reachedAfterLoss(failure, goal);
      return "written";
    }
    const listed = await readDespite(failure, goal.read, signal);
    if (listed === undefined && !isTeamInProject(failure)) throw failure;
    announceAdoption(team, listed ?? { teamId: team.teamId, roles }, wanted, context);
    // POST does not replace roles.
    if (!goal.isReached(listed)) await setRolesOfTeam(client, projectId, { ...team, roles }, signal);
    return "found";
  }
}

/**
 * Whether the service does not know a team yet that its organization lists: one created a moment
 * ago.
 */
async function isOfOrganization(
  { teamId }: TeamName,
  error: unknown,
  context: ProjectContext,
): Promise<boolean> {
  if (meaningOf(error) !== "deleted") return false;
  const { orgId } = await factsOf(context);
  return (await nameOfTeam(teamId, orgId, context)) !== undefined;
}

/** The predictable outputs of a preview. */
function previewState(
  inputs: ProjectTeamInputs,
  team?: TeamName,
  recorded: Partial<ProjectTeamState> = {},
): Properties {
  return toProperties({
    orgId: UNKNOWN,
    origin: UNKNOWN,
    ...recorded,
    ...inputs,
    teamId: hasUnknown([inputs.teamId, inputs.teamName])
      ? UNKNOWN
      : (team?.teamId ?? inputs.teamId ?? UNKNOWN),
    teamName: recorded.teamName ?? (inputs.teamName === undefined ? UNKNOWN : inputs.teamName),
    onDestroy: onDestroySetting.inPreview(inputs),
  });
}
