/** How a project comes into a stack: adopted by its id, or created by organization and name. */
import { findProjectsByName } from "../../api/organizations";
import { createProject, type NewProject, type ProjectAnswer } from "../../api/projects";
import {
  ApiError,
  hasCode,
  messageOf,
  OutcomeUnknownError,
  PartialFailure,
  RefusedError,
} from "../../errors";
import { lateLook } from "../late-look";
import { meaningOf } from "../meaning";
import type { Context, CreateRequest, CreateResult } from "../resource";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, known, withoutUndefined } from "../values";
import { asProjectInputs, type ProjectInputs, projectKey } from "./project-inputs";
import { overwrites } from "./project-patch";
import { type LiveProject, type Origin, toLive, toState } from "./project-state";
import { applyPlan, asProperties, observe, planPatch, previewState } from "./project-sync";

interface Wanted {
  readonly orgId: string;
  readonly name: string;
}

const nothingIgnored = () => false;

export async function create(request: CreateRequest): Promise<CreateResult> {
  const inputs = asProjectInputs(request.inputs);
  const { context, preview } = request;
  const { session, urn } = context;
  const { projectId, orgId, name } = inputs;
  if (hasUnknown(inputs)) warnOfUnknowns(context);
  if (typeof projectId === "string") return adopt(projectId, inputs, request);
  if (projectId !== undefined || hasUnknown(orgId) || hasUnknown(name)) {
    return { id: "", state: previewState(inputs, undefined) };
  }
  const wanted = { orgId, name } as Wanted;
  return session.oneAtATime(`${wanted.orgId}/${wanted.name}`, async () => {
    // A replacement meets the very project that it replaces: it goes on as the same one.
    const replaced = session.sightingUnder(urn, orgId, name);
    if (replaced) return adopt(replaced.id, inputs, request);
    const existing = await findByName(wanted, context, context.signal);
    if (existing.length > 0) throw nameIsTaken(wanted, existing, context);
    if (preview) return { id: "", state: previewState(inputs, undefined) };
    return finish(toLive(await post(wanted, inputs, context)), inputs, context);
  });
}

async function adopt(
  projectId: string,
  inputs: ProjectInputs,
  request: CreateRequest,
): Promise<CreateResult> {
  const { context, preview } = request;
  context.session.claim(projectKey(projectId), context.urn);
  const live = await observe(projectId, context);
  const observed = { live, tagsVisible: true, tagsShown: live?.tags !== undefined };
  const patch = planPatch(observed, inputs, {}, nothingIgnored);
  const overwritten = live ? overwrites(patch, live) : [];
  if (overwritten.length > 0) {
    context.log.info(`Adopting project ${projectId} ("${live?.name}"): ${overwritten.join("; ")}.`);
  }
  // Where this replaces a resource that held the same project, how the project came here stays true.
  const seen = context.session.lastSighting(context.urn);
  const origin = seen?.id === projectId ? (seen.origin as Origin) : "adopted";
  if (preview) {
    const state = live && toState(live, inputs, { origin, tagsVisible: true });
    return { id: projectId, state: previewState(inputs, state) };
  }
  const state = await applyPlan({ projectId, ...observed, inputs, origin, patch }, context);
  return { id: projectId, state: asProperties(state) };
}

/** From here on the project exists: whatever fails, its id goes into the state. */
async function finish(live: LiveProject, inputs: ProjectInputs, context: Context): Promise<CreateResult> {
  const { projectId } = live;
  // A project that has just been made has no tags of others to keep, seen or unseen.
  const observed = { live, tagsVisible: true, tagsShown: true };
  const origin = "created";
  context.session.claim(projectKey(projectId), context.urn);
  try {
    const patch = planPatch(observed, inputs, {}, nothingIgnored);
    const state = await applyPlan({ projectId, ...observed, inputs, origin, patch }, context);
    return { id: projectId, state: asProperties(state) };
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    const state = toState(live, inputs, { origin, tagsVisible: true });
    const reason = `Project ${projectId} was created, but is not yet as declared: ${messageOf(error)}`;
    throw new PartialFailure(projectId, { ...state }, [reason], { cause: error });
  }
}

async function post(wanted: Wanted, inputs: ProjectInputs, context: Context): Promise<ProjectAnswer> {
  const body: NewProject = withoutUndefined({
    ...wanted,
    withDefaultAlertsSettings: known(inputs.withDefaultAlertsSettings),
    projectOwnerId: known(inputs.projectOwnerId),
  });
  try {
    return await createProject(context.session.client, body, context.signal);
  } catch (error) {
    if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) return lookAfterLostAnswer(wanted, error, context);
    if (error instanceof ApiError && error.errorCode === "GROUP_ALREADY_EXISTS") {
      const existing = await findByName(wanted, context, context.signal);
      if (existing.length > 0) throw nameIsTaken(wanted, existing, context);
    }
    throw error;
  }
}

/** The look before saw no project of this name, so one that is there now is ours. */
async function lookAfterLostAnswer(wanted: Wanted, lost: unknown, context: Context): Promise<ProjectAnswer> {
  const found = await lateLook((signal) => findByName(wanted, context, signal)).catch((error: unknown) =>
    messageOf(error),
  );
  if (typeof found !== "string" && found.length === 1 && found[0]) return found[0];
  const look =
    typeof found === "string"
      ? `The look afterwards failed as well: ${found}`
      : `A look afterwards found ${found.length === 0 ? "no project" : `${found.length} projects`} named "${wanted.name}".`;
  throw new OutcomeUnknownError(
    `${messageOf(lost)} ${look} Run pulumi up again; if the project is there by then, adopt it by its projectId.`,
    { cause: lost },
  );
}

async function findByName(wanted: Wanted, context: Context, signal: AbortSignal): Promise<ProjectAnswer[]> {
  try {
    return await findProjectsByName(context.session.client, wanted, signal);
  } catch (error) {
    if (meaningOf(error) !== "missing-operation") throw error;
    throw new RefusedError(
      `Project "${wanted.name}" cannot be created: this service does not offer listing the projects of an organization (GET /orgs/${wanted.orgId}/groups), so nobody can tell whether it exists already. Give projectId to manage an existing project.`,
      { cause: error },
    );
  }
}

function nameIsTaken(
  { orgId, name }: Wanted,
  existing: readonly ProjectAnswer[],
  { urn, session }: Context,
): RefusedError {
  const ids = existing.map(({ id }) => id);
  const one = ids.length === 1;
  const taken = `Organization ${orgId} already has ${one ? "a project" : `${ids.length} projects`} named "${name}": ${ids.join(", ")}. Nothing was written.`;
  const holder = ids.flatMap((id) => session.otherHolderOf(id, urn) ?? []).at(0);
  if (holder !== undefined) return new RefusedError(`${taken} ${wayBackTo(holder, urn)}`);
  // The dynamic door's host gives no URN, and cannot import.
  const resourceName = urn.startsWith("urn:") ? urn.split("::").at(-1) : undefined;
  const importing = `, or import it: pulumi import opsmanager:index:Project ${resourceName} ${one ? ids[0] : "<id>"}`;
  return new RefusedError(
    [
      taken,
      "If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>.",
      `To take an existing project over, set projectId: ${one ? `"${ids[0]}"` : "<one of these>"}${resourceName === undefined ? "" : importing}.`,
    ].join(" "),
  );
}

/** The dynamic door's host gives no URN, so there this stack's own projects cannot be told from others. */
function wayBackTo(holder: string, urn: string): string {
  const [oldName, newName] = [holder, urn].map((name) => name.split("::").slice(3).join("::"));
  const inFile =
    oldName === newName
      ? "for a project file by transforms of its ProjectFolder"
      : `in a project file by key: ${oldName}`;
  return `This stack holds it as ${holder}. If that is this resource under its old name or parent, say so: in the program by aliases: ["${holder}"], ${inFile}. If both are meant to exist, give this project another name.`;
}
