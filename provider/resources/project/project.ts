/**
 * One project: created by this stack or adopted by its id; its name, tags and LDAP mappings kept as declared.
 *
 * Every verb looks at the live object, decides, and writes only the difference.
 */

import { ROLE_TO_SEE_TAGS } from "../../api/hints";
import { deleteProject, getProject, type ProjectPatch } from "../../api/projects";
import { messageOf, RefusedError } from "../../errors";
import { formatNotice } from "../../notices";
import { type Absence, absenceOfProject } from "../absence";
import type { Difference } from "../difference";
import { OBJECT_ID } from "../fields";
import { ignoresProperty } from "../ignore-changes";
import { meaningOf } from "../meaning";
import { pauseUnlessCanceled } from "../pause";
import type {
  Context,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "../resource";
import type { Sighting } from "../session";
import { warnOfUnknowns } from "../unknowns";
import { hasUnknown, type Properties, withoutUndefined } from "../values";
import { create } from "./project-create";
import { changedCreateOnly, noLongerManaged, projectDifferences } from "./project-difference";
import {
  asProjectInputs,
  checkProject,
  type ProjectInputs,
  projectInputs,
  projectKey,
  projectNameKey,
} from "./project-inputs";
import { overwrites } from "./project-patch";
import {
  asProjectState,
  effectiveOnDestroy,
  type LiveProject,
  type ProjectState,
  projectOutputs,
  toLive,
  toState,
  withHiddenTags,
} from "./project-state";
import { applyPlan, asProperties, type Observed, observe, planPatch, previewState } from "./project-sync";

export const project: Resource = {
  name: "Project",
  description: `A project of Ops Manager or Cloud Manager (the API says group): its name, tags and LDAP group mappings.

What is declared is owned: a difference shows in every plain \`preview\` and heals with the next \`up\`. What is left out is not managed, and taking a line away only stops managing it; \`[]\` clears.

Give \`orgId\` and \`name\` to create a project, or \`projectId\` to adopt one. Destroying deletes a created project and releases an adopted or imported one, unless \`onDestroy\` says otherwise.`,
  inputs: projectInputs,
  outputs: projectOutputs,
  check: checkProject,
  diff,
  create,
  read,
  update,
  delete: remove,
};

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest): Difference[] {
  const recorded = asProjectState(state, id);
  const declared = asProjectInputs(oldInputs);
  context.session.sighted(context.urn, sightingOf(declared, recorded));
  return projectDifferences(recorded, asProjectInputs(inputs), declared, ignoresProperty(ignoreChanges));
}

async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asProjectState(state, id);
  const found = await observeRecorded(recorded, context);
  if (found === "gone") return undefined;
  if (found === "unknown") return { id, state: asProperties(recorded), inputs: oldInputs };
  const declared = asProjectInputs(oldInputs);
  const { live, tagsVisible, tagsShown } = withHiddenTags(found, recorded);
  // Where `tagsVisible: false` is recorded, it was said when they were written.
  if (!tagsShown && tagsVisible && declared.tags !== undefined) {
    context.log.warn(
      formatNotice(
        { code: "unreadable", subject: "tags", projectId: recorded.projectId },
        `The tags of project ${recorded.projectId} cannot be seen with this API key any more, so the last known ones are kept: seeing tags needs ${ROLE_TO_SEE_TAGS}.`,
      ),
    );
  }
  const current = toState(live, declared, { origin: recorded.origin, tagsVisible });
  context.session.sighted(context.urn, sightingOf(declared, recorded, current));
  return { id, state: asProperties(current), inputs: liveInputs(oldInputs, current) };
}

/** The project under everything that it was declared or found as. */
function sightingOf(declared: ProjectInputs, recorded: ProjectState, current = recorded): Sighting {
  const texts = (property: "orgId" | "name") =>
    [declared, recorded, current]
      .map((values) => values[property])
      .filter((value) => typeof value === "string");
  return {
    id: recorded.projectId,
    origin: recorded.origin,
    orgIds: texts("orgId"),
    names: texts("name"),
  };
}

/** The keys of the old inputs, with what the service says now. The recorded organization stays: Diff needs both. */
function liveInputs(oldInputs: Properties, current: ProjectState): Properties {
  const live: Record<string, unknown> = {
    name: current.name,
    tags: current.tags ?? [],
    ldapGroupMappings: current.ldapGroupMappings ?? [],
  };
  const entries = Object.entries(oldInputs).map(([key, value]) => [key, key in live ? live[key] : value]);
  return Object.fromEntries(entries) as Properties;
}

async function readForImport(id: string, { session, signal }: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const answer = await getProject(session.client, projectId, signal).catch((error: unknown) => {
    if (meaningOf(error) === "gone") return undefined;
    throw error;
  });
  if (!answer) return undefined;
  const live = toLive(answer);
  const inputs = withoutUndefined({
    orgId: live.orgId,
    name: live.name,
    // An import with a key that sees no tags must not let the next up clear them.
    tags: live.tags?.length ? live.tags : undefined,
    ldapGroupMappings: live.ldapGroupMappings?.length ? live.ldapGroupMappings : undefined,
  });
  const state = toState(live, {}, { origin: "imported", tagsVisible: true });
  return { id: projectId, state: asProperties(state), inputs: inputs as Properties };
}

/** A recorded project: its live form, or what its absence means. */
async function observeRecorded(
  recorded: ProjectState,
  context: Context,
): Promise<LiveProject | "gone" | "unknown"> {
  const { projectId } = recorded;
  try {
    return toLive(await getProject(context.session.client, projectId, context.signal));
  } catch (error) {
    const absence = await absenceOfProject(error, recorded, context);
    if (absence === "gone") return "gone";
    context.log.warn(
      absence === "unreadable"
        ? formatNotice(
            { code: "unreadable", subject: "project", projectId },
            `Project ${projectId} cannot be read with this API key, so its last known state is kept: ${messageOf(error)}`,
          )
        : formatNotice(
            { code: "missing operation", subject: "project" },
            "This service does not offer reading a project (GET /groups/{id}), so the last known state is kept and drift cannot be seen. If it is a complete Ops Manager or Cloud Manager, check baseUrl.",
          ),
    );
    return "unknown";
  }
}

async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context, preview } = request;
  const inputs = asProjectInputs(request.inputs);
  const oldInputs = asProjectInputs(request.oldInputs);
  const recorded = asProjectState(request.state, id);
  context.session.claim(projectKey(id), context.urn);
  const found = await observe(id, context);
  const observed: Observed = found
    ? withHiddenTags(found, recorded)
    : { live: undefined, tagsVisible: recorded.tagsVisible, tagsShown: false };
  const patch = planPatch(observed, inputs, oldInputs, ignoresProperty(request.ignoreChanges));
  announceUnsent(inputs, oldInputs, context);
  const { origin } = recorded;
  if (preview) {
    if (hasUnknown(inputs)) warnOfUnknowns(context);
    announceUnrecorded(patch, observed, recorded, context);
    return previewState(inputs, { ...recorded, onDestroy: effectiveOnDestroy(inputs, origin) });
  }
  return asProperties(
    await applyPlan({ projectId: id, ...observed, inputs, origin, patch, recorded }, context),
  );
}

function announceUnsent(inputs: ProjectInputs, oldInputs: ProjectInputs, { log }: Context): void {
  for (const property of noLongerManaged(inputs, oldInputs)) {
    log.info(
      `${property} is no longer managed; nothing was sent.${property === "name" ? "" : " Use [] to clear."}`,
    );
  }
  for (const property of changedCreateOnly(inputs, oldInputs)) {
    log.info(`${property} is used only when a project is created; nothing was sent.`);
  }
}

/** What the diff cannot show: values that changed after they were recorded and would be overwritten now. */
function announceUnrecorded(
  patch: ProjectPatch,
  { live }: Observed,
  recorded: ProjectState,
  { log }: Context,
): void {
  if (!live) return;
  const foreseen = new Set(overwrites(patch, recorded));
  const surprises = overwrites(patch, live).filter((sentence) => !foreseen.has(sentence));
  if (surprises.length > 0)
    log.info(`Changed in the service since it was recorded: ${surprises.join("; ")}.`);
}

async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asProjectState(state, id);
  const { session } = context;
  const owner = session.ownerOf(projectKey(id)) ?? session.ownerOf(projectNameKey(recorded));
  if (owner !== undefined) {
    // A replacement that deletes first creates next, and then meets this very project.
    session.sighted(owner, sightingOf(asProjectInputs(oldInputs), recorded));
    context.log.info(`Project ${id} is kept: declared by ${owner}.`);
    return;
  }
  if (effectiveOnDestroy(asProjectInputs(oldInputs), recorded.origin) === "release") {
    context.log.info(
      `Project ${id} ("${recorded.name}", ${recorded.origin}) was released: it stays in the service, with the people in it.`,
    );
    return;
  }
  try {
    // Also where it fails: that may be the answer to a repeated request, whose predecessor has deleted the project.
    await deleteProject(session.client, id, context.signal).finally(() =>
      session.projectDeleted(recorded.orgId),
    );
    session.deletionAccepted(id);
  } catch (error) {
    const absence = await absenceAfterDeletion(error, recorded, context);
    if (absence === "gone") return;
    if (absence !== "missing-operation") throw error;
    throw new RefusedError(
      `Deleting project ${id} failed: this service does not offer it (DELETE /groups/{id}). Set onDestroy: "release", run pulumi up, and destroy again: then the project stays in the service.`,
      { cause: error },
    );
  }
}

/** Milliseconds before each further look at the organization's list. */
const WAITS_FOR_LIST = [500, 1000, 2000];

/**
 * What a refused deletion means. If the answer to an earlier deletion was lost, the service may answer that the project does not
 * exist, and still list it until the deletion is finished.
 */
async function absenceAfterDeletion(
  error: unknown,
  recorded: ProjectState,
  context: Context,
): Promise<Absence> {
  let absence = await absenceOfProject(error, recorded, context);
  for (const milliseconds of meaningOf(error) === "gone" ? WAITS_FOR_LIST : []) {
    if (absence !== "unreadable") break;
    await pauseUnlessCanceled(milliseconds, context.signal);
    context.session.projectDeleted(recorded.orgId);
    absence = await absenceOfProject(error, recorded, context);
  }
  return absence;
}
