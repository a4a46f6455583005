/** How a project comes into a stack: adopted by its id, or created by organization and name. */

import { createProject, type NewProject, type ProjectResponse } from "../../api/projects";
import { hasCode, messageOf, PartialFailure } from "../../text/errors";
import type { Origin } from "../contract/on-destroy";
import type { Context, CreateRequest, CreateResult } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, known, withoutUndefined } from "../contract/values";
import { lacksMappings } from "../evidence/meaning";
import { orStillUnknown, rereadAfterCancel, stillUnknown } from "../evidence/reread";
import { tellGroups } from "../managed/group-mappings";
import { ProjectCache } from "../reads/projects";
import { Claims } from "../session/claims";
import { ObservationLog, type ProjectName } from "../session/observations";
import { Queues } from "../session/queues";
import { GivenNames } from "../session/taken-name";
import { projectOf } from "./claims";
import { asProjectInputs, onDestroySetting, type ProjectInputs } from "./inputs";
import { managed } from "./managed";
import { findByName, nameOfOthers, underName } from "./name-release";
import { type LiveProject, toLive, toState } from "./state";
import { applyPatch, planPatch, previewState, readExisting } from "./update";

/** A project that the service has now. */
interface FoundProject {
  readonly live: LiveProject;
  /** `created` only if the response to the POST named the project. */
  readonly origin: Extract<Origin, "created" | "adopted">;
}

export async function create(request: CreateRequest): Promise<CreateResult> {
  const inputs = asProjectInputs(request.inputs);
  const { context, preview } = request;
  const { session, urn } = context;
  const { projectId, orgId, name } = inputs;
  if (hasUnknown(inputs)) warnOfUnknowns(context);
  if (typeof projectId === "string") return adopt(projectId, inputs, request);
  if (projectId !== undefined || typeof orgId !== "string" || typeof name !== "string") {
    return { id: "", state: previewState(inputs, undefined) };
  }
  const wanted = { orgId, name };
  return session.of(Queues).oneAtATime([wanted.orgId, wanted.name], async () => {
    // A replacement may find the project that it replaces, and adopts it.
    const replaced = session.of(ObservationLog).projectUnder(urn, wanted);
    if (replaced !== undefined && !session.of(ProjectCache).isDeleted(replaced)) {
      return adopt(replaced, inputs, request);
    }
    // The list may be older than a project that another program created. A POST cannot depend on
    // it, because some versions of the service accept a name twice.
    const isFree = preview && (await session.of(ProjectCache).listLacksName(wanted, context.signal));
    const existing = isFree ? [] : (await findByName(wanted, context)).existing;
    const givenUp = (project: ProjectResponse) =>
      preview && session.of(GivenNames).mayBeGivenUp("Project", wanted.orgId, project);
    const holders = existing.filter((project) => !givenUp(project));
    if (holders.length > 0) throw nameOfOthers(wanted, holders, context);
    if (preview) return { id: "", state: previewState(inputs, undefined) };
    return finish(await underName(wanted, () => post(wanted, inputs, context), context), inputs, context);
  });
}

async function adopt(
  projectId: string,
  inputs: ProjectInputs,
  request: CreateRequest,
): Promise<CreateResult> {
  const { context, preview } = request;
  context.session.of(Claims).take(projectOf(projectId), context.urn);
  const live = await readExisting(projectId, context);
  const observed = { live, tagsVisible: true, tagsShown: live?.tags !== undefined };
  const patch = planPatch(observed, inputs);
  if (live) tellGroups(live, inputs, { kind: "project", id: projectId, orgId: live.orgId }, context.log);
  const overwritten = live ? managed.overwrites(patch, live) : [];
  if (overwritten.length > 0) {
    context.log.info(`Adopting project ${projectId} ("${live?.name}"): ${overwritten.join("; ")}.`);
  }
  // A replacement of the same project retains the recorded origin.
  const seen = context.session.of(ObservationLog).last(context.urn);
  const origin = seen?.id === projectId ? seen.origin : "adopted";
  if (preview) {
    const state = live && toState(live, inputs, { origin, tagsVisible: true });
    return { id: projectId, state: previewState(inputs, state) };
  }
  const state = await applyPatch({ projectId, ...observed, inputs, origin, patch }, context);
  return { id: projectId, state };
}

/** The project exists, so the state gets its id also after a failure. */
async function finish(
  { live, origin }: FoundProject,
  inputs: ProjectInputs,
  context: Context,
): Promise<CreateResult> {
  const { projectId } = live;
  // A project that has just been created has no tags of others to keep, seen or unseen.
  const observed = { live, tagsVisible: true, tagsShown: origin === "created" || live.tags !== undefined };
  context.session.of(Claims).take(projectOf(projectId), context.urn);
  if (origin === "created") context.session.of(ProjectCache).projectCreated(projectId);
  try {
    const patch = planPatch(observed, inputs);
    const state = await applyPatch({ projectId, ...observed, inputs, origin, patch }, context);
    return { id: projectId, state };
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    const state = toState(live, inputs, { origin, tagsVisible: true });
    const reason = `Project ${projectId} was ${origin}, but is not yet as declared: ${messageOf(error)}`;
    throw new PartialFailure(projectId, { ...state }, [reason], { cause: error });
  }
}

async function post(wanted: ProjectName, inputs: ProjectInputs, context: Context): Promise<FoundProject> {
  const body: NewProject = withoutUndefined({
    ...wanted,
    withDefaultAlertsSettings: known(inputs.withDefaultAlertsSettings),
    projectOwnerId: known(inputs.projectOwnerId),
  });
  const { client } = context.session;
  const ldapGroupMappings = known(inputs.ldapGroupMappings) as NewProject["ldapGroupMappings"];
  try {
    const response = await createProject(client, body, context.signal).catch((error: unknown) => {
      // Usually mappings follow in a PATCH. Some LDAP-backed services take no project without them.
      if (!lacksMappings(error) || !ldapGroupMappings?.length) throw error;
      return createProject(client, { ...body, ldapGroupMappings }, context.signal);
    });
    return { live: toLive(response), origin: "created" };
  } catch (error) {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    return adoptedAfterLoss(wanted, inputs, error, context);
  }
}

/**
 * Searches for the project after the response to its POST was lost. Another program may have created
 * one of the same name at the same time, so a found project counts as adopted.
 */
async function adoptedAfterLoss(
  wanted: ProjectName,
  inputs: ProjectInputs,
  lost: unknown,
  context: Context,
): Promise<FoundProject> {
  const { orgId, name } = wanted;
  const advice = "Run pulumi up again; if the project exists by then, adopt it by its projectId.";
  const read = rereadAfterCancel(async (signal) => {
    const late = { ...context, signal };
    const [only, ...others] = (await findByName(wanted, late)).existing;
    if (only === undefined) return "no project";
    if (others.length > 0) return `${others.length + 1} projects`;
    // An entry of a list may lack tags and mappings that the project has.
    return (await readExisting(only.id, late).catch(() => undefined)) ?? toLive(only);
  });
  const live = await orStillUnknown(read, lost, advice);
  if (typeof live === "string") {
    throw stillUnknown(lost, `A read afterwards found ${live} named "${name}".`, advice);
  }
  const destroying =
    onDestroySetting.effective(inputs, "adopted") === "delete"
      ? 'Destroying deletes it, because the program declares onDestroy: "delete". If it is not yours, remove that line before you destroy.'
      : 'Destroying leaves it in the service. If it is yours, declare onDestroy: "delete", and destroying deletes it.';
  context.log.warn(
    `Project "${name}" (${live.projectId}) of organization ${orgId} is recorded as adopted: the response to creating it was lost, so another program may have created it. ${destroying}`,
  );
  return { live, origin: "adopted" };
}
