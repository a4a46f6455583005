/**
 * One project: created by this stack or adopted by its id; its name, tags and LDAP mappings kept as declared.
 *
 * Every verb looks at the live object, decides, and writes only the difference. Whatever happens after the first
 * successful write of a create ends with the project's id in state.
 */
import { listProjectsOfOrganization } from "../api/organizations";
import {
  createProject,
  deleteProject,
  getProject,
  type NewProject,
  type ProjectAnswer,
  type ProjectPatch,
  updateProject,
} from "../api/projects";
import { ApiError, hasCode, messageOf, OutcomeUnknownError, PartialFailure, RefusedError } from "../errors";
import { absenceOfProject, meaningOf } from "./absence";
import { ignoresProperty } from "./ignore-changes";
import { matchesAny } from "./pattern";
import {
  asProjectInputs,
  checkProject,
  MAX_TAGS,
  type ProjectInputs,
  projectInputs,
  projectKey,
} from "./project-inputs";
import {
  asProjectState,
  changedCreateOnly,
  effectiveOnDestroy,
  type LiveProject,
  lacksSent,
  noLongerManaged,
  type Origin,
  overwrites,
  type ProjectState,
  projectDifferences,
  projectOutputs,
  storedOtherwise,
  tagsHidden,
  toLive,
  toPatch,
  toState,
  withHiddenTags,
} from "./project-state";
import type {
  Context,
  CreateRequest,
  CreateResult,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "./resource";
import { hasUnknown, known, type Properties, UNKNOWN, withoutUndefined } from "./values";

/** An outcome that is not known is looked into even after the operation was cancelled; the engine allows 30 seconds. */
const LOOK_AFTER_CANCEL_MILLISECONDS = 10_000;

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

function diff({ id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest) {
  const recorded = asProjectState(state, id);
  context.session.sighted(context.urn, { ...recorded, id });
  return projectDifferences(
    recorded,
    asProjectInputs(inputs),
    asProjectInputs(oldInputs),
    ignoresProperty(ignoreChanges),
  );
}

// ---------------------------------------------------------------------------------------------------------- create

async function create(request: CreateRequest): Promise<CreateResult> {
  const inputs = asProjectInputs(request.inputs);
  if (hasUnknown(inputs.projectId) || hasUnknown(inputs.orgId) || hasUnknown(inputs.name)) {
    request.context.log.warn(
      "projectId, orgId or name is not known yet, so this preview could not look at the service; the real run looks before it writes.",
    );
    return { id: "", state: previewState(inputs, undefined) };
  }
  const projectId = known(inputs.projectId);
  if (projectId !== undefined) return adopt(projectId as string, inputs, request);
  const orgId = inputs.orgId as string;
  const name = inputs.name as string;
  return request.context.session.oneAtATime(`${orgId}/${name}`, () =>
    createByName({ orgId, name }, inputs, request),
  );
}

async function adopt(
  projectId: string,
  inputs: ProjectInputs,
  request: CreateRequest,
): Promise<CreateResult> {
  const { context, preview } = request;
  const other = context.session.claim(projectKey(projectId), context.urn);
  const live = await observe(projectId, context);
  if (live) assertOrganization(inputs, live);
  const plan = planFor({ live, inputs, oldInputs: {}, isIgnored: () => false });
  if (live) announce(`Adopting project ${projectId} ("${live.name}")`, plan.patch, live, context);
  const seen = context.session.lastSighting(context.urn);
  // A replacement (--replace) meets the object that it replaces: how that one came here stays true.
  const origin = seen?.id === projectId && other === undefined ? (seen.origin as Origin) : "adopted";
  if (preview)
    return {
      id: projectId,
      state: previewState(inputs, live && toState(live, inputs, { origin, tagsVisible: true })),
    };
  const state = await converge({ projectId, live, inputs, origin, patch: plan.patch, context });
  return { id: projectId, state: asProperties(state) };
}

async function createByName(
  wanted: { orgId: string; name: string },
  inputs: ProjectInputs,
  request: CreateRequest,
): Promise<CreateResult> {
  const { context, preview } = request;
  const existing = await findByName(wanted, context, context.signal);
  const seen = context.session.lastSighting(context.urn);
  if (existing.length === 1 && existing[0]?.id === seen?.id && seen) {
    // A replacement meets the very project that it replaces: it goes on as the same one.
    return adopt(seen.id, inputs, request);
  }
  if (existing.length > 0) throw nameIsTaken(wanted, existing, context.urn);
  if (preview) return { id: "", state: previewState(inputs, undefined) };
  const created = toLive(await post(wanted, inputs, context));
  context.session.claim(projectKey(created.projectId), context.urn);
  return finishCreation(created, inputs, context);
}

/** From here on the project exists: whatever fails, its id goes into the state. */
async function finishCreation(
  created: LiveProject,
  inputs: ProjectInputs,
  context: Context,
): Promise<CreateResult> {
  const { projectId } = created;
  const origin = "created";
  try {
    const { patch } = planFor({ live: created, inputs, oldInputs: {}, isIgnored: () => false });
    const state = await converge({ projectId, live: created, inputs, origin, patch, context });
    return { id: projectId, state: asProperties(state) };
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    const state = toState(created, inputs, { origin, tagsVisible: true });
    throw new PartialFailure(
      projectId,
      state as unknown as Properties,
      [`Project ${projectId} was created, but is not yet as declared: ${messageOf(error)}`],
      { cause: error },
    );
  }
}

async function post(
  wanted: { orgId: string; name: string },
  inputs: ProjectInputs,
  context: Context,
): Promise<ProjectAnswer> {
  const { client } = context.session;
  const body: NewProject = withoutUndefined({
    ...wanted,
    withDefaultAlertsSettings: known(inputs.withDefaultAlertsSettings),
    projectOwnerId: known(inputs.projectOwnerId),
  });
  try {
    return await createProject(client, body, context.signal);
  } catch (error) {
    if (hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) return lookAfterLostAnswer(wanted, error, context);
    if (error instanceof ApiError && error.errorCode === "GROUP_ALREADY_EXISTS") {
      const existing = await findByName(wanted, context, context.signal);
      if (existing.length > 0) throw nameIsTaken(wanted, existing, context.urn);
    }
    throw error;
  }
}

/** The look before saw no project of this name, so one that is there now is ours. */
async function lookAfterLostAnswer(
  wanted: { orgId: string; name: string },
  lost: unknown,
  context: Context,
): Promise<ProjectAnswer> {
  const signal = AbortSignal.timeout(LOOK_AFTER_CANCEL_MILLISECONDS);
  const existing = await findByName(wanted, context, signal).catch(() => []);
  if (existing.length === 1 && existing[0]) return existing[0];
  throw new OutcomeUnknownError(
    `${messageOf(lost)} A look afterwards found no project named "${wanted.name}". Run pulumi up again; if the project turns up by then, adopt it by its projectId.`,
    { cause: lost },
  );
}

async function findByName(
  { orgId, name }: { orgId: string; name: string },
  context: Context,
  signal: AbortSignal,
): Promise<ProjectAnswer[]> {
  try {
    const candidates = await listProjectsOfOrganization(context.session.client, orgId, name, signal);
    return candidates.filter((candidate) => candidate.name === name && candidate.orgId === orgId);
  } catch (error) {
    if (error instanceof ApiError && error.errorCode === "GROUP_NAME_NOT_FOUND") return [];
    if (meaningOf(error) !== "missing-operation") throw error;
    throw new RefusedError(
      `Project "${name}" cannot be created: this service does not offer listing the projects of an organization (GET /orgs/${orgId}/groups), so nobody can tell whether it exists already. Give projectId to manage an existing project.`,
      { cause: error },
    );
  }
}

function nameIsTaken(
  { orgId, name }: { orgId: string; name: string },
  existing: readonly ProjectAnswer[],
  urn: string,
): RefusedError {
  const ids = existing.map(({ id }) => id);
  const one = ids.length === 1;
  return new RefusedError(
    [
      `Organization ${orgId} already has ${one ? "a project" : `${ids.length} projects`} named "${name}": ${ids.join(", ")}. Nothing was written.`,
      "If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }].",
      `To take an existing project over, set projectId: ${one ? `"${ids[0]}"` : "<one of these>"},`,
      `or import it: pulumi import opsmanager:index:Project ${urn.split("::").at(-1)} ${one ? ids[0] : "<id>"}.`,
    ].join(" "),
  );
}

// ---------------------------------------------------------------------------------------------------------- read

async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asProjectState(state, id);
  const inputs = asProjectInputs(oldInputs);
  const live = await observeRecorded(recorded, context);
  if (live === "gone") return undefined;
  if (live === "unknown") return { id, state: asProperties(recorded), inputs: oldInputs };
  const { tagsVisible, ...visible } = withHiddenTags(live, recorded);
  const current = toState(visible, inputs, { origin: recorded.origin, tagsVisible });
  context.session.sighted(context.urn, { ...current, id });
  return { id, state: asProperties(current), inputs: liveInputs(oldInputs, current) };
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

async function readForImport(id: string, context: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!/^[0-9a-f]{24}$/.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const answer = await getProject(context.session.client, projectId, context.signal).catch(
    (error: unknown) => {
      if (meaningOf(error) === "gone") return undefined;
      throw error;
    },
  );
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
        ? `[unreadable] Project ${projectId} cannot be read with this API key, so its last known state is kept: ${messageOf(error)}`
        : `[missing operation] This service does not offer reading a project (GET /groups/{id}), so the last known state is kept and drift cannot be seen.`,
    );
    return "unknown";
  }
}

/** A project that has to be there: its live form, or `undefined` where the service has no operation to look. */
async function observe(projectId: string, context: Context): Promise<LiveProject | undefined> {
  try {
    return toLive(await getProject(context.session.client, projectId, context.signal));
  } catch (error) {
    if (meaningOf(error) === "missing-operation") return undefined;
    throw error;
  }
}

// ---------------------------------------------------------------------------------------------------------- update

async function update(request: UpdateRequest): Promise<Properties> {
  const { id, context, preview } = request;
  const inputs = asProjectInputs(request.inputs);
  const oldInputs = asProjectInputs(request.oldInputs);
  const recorded = asProjectState(request.state, id);
  context.session.claim(projectKey(id), context.urn);
  const found = await observe(id, context);
  const { tagsVisible, ...live } = found
    ? withHiddenTags(found, recorded)
    : { tagsVisible: recorded.tagsVisible };
  const visible = found ? (live as LiveProject) : undefined;
  if (visible) assertOrganization(inputs, visible);
  announceUnsent(inputs, oldInputs, context);
  const { patch } = planFor({
    live: visible,
    inputs,
    oldInputs,
    isIgnored: ignoresProperty(request.ignoreChanges),
  });
  if (preview) {
    if (visible) announceUnrecorded(patch, visible, recorded, context);
    return previewState(inputs, { ...recorded, onDestroy: effectiveOnDestroy(inputs, recorded.origin) });
  }
  const state = await converge({
    projectId: id,
    live: visible,
    inputs,
    origin: recorded.origin,
    recorded: { ...recorded, tagsVisible },
    patch,
    context,
  });
  return asProperties(state);
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
  live: LiveProject,
  recorded: ProjectState,
  context: Context,
): void {
  const foreseen = new Set(overwrites(patch, recorded));
  const surprises = overwrites(patch, live).filter((sentence) => !foreseen.has(sentence));
  if (surprises.length > 0)
    context.log.info(`Changed in the service since it was recorded: ${surprises.join("; ")}.`);
}

// ---------------------------------------------------------------------------------------------------------- delete

async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asProjectState(state, id);
  const owner = context.session.ownerOf(projectKey(id));
  if (owner !== undefined) {
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
    await deleteProject(context.session.client, id, context.signal);
  } catch (error) {
    if ((await absenceOfProject(error, recorded, context)) !== "gone") throw error;
  }
}

// ---------------------------------------------------------------------------------------------------------- shared

interface PlanRequest {
  readonly live: LiveProject | undefined;
  readonly inputs: ProjectInputs;
  readonly oldInputs: ProjectInputs;
  readonly isIgnored: (property: string) => boolean;
}

/** The PATCH to send, after the rules that only the live object can decide. Reads nothing, writes nothing. */
function planFor({ live, inputs, oldInputs, isIgnored }: PlanRequest): { patch: ProjectPatch } {
  const patterns = [...(known(inputs.ignoreTags) ?? []), ...(known(oldInputs.ignoreTags) ?? [])];
  const managesTags = inputs.tags !== undefined && !isIgnored("tags");
  if (managesTags && patterns.length > 0 && live?.tags === undefined) {
    throw new RefusedError(
      "ignoreTags cannot be honoured: the service shows no tags to this API key, so writing tags would remove those of others. Use a key with a global role (Global Owner), or take tags or ignoreTags out.",
    );
  }
  const foreignTags = (live?.tags ?? []).filter((tag) => matchesAny(patterns, tag));
  const declared = known(inputs.tags) as readonly string[] | undefined;
  const total = new Set([...(declared ?? []), ...foreignTags]).size;
  if (managesTags && declared && total > MAX_TAGS) {
    throw new RefusedError(
      `A project has at most ${MAX_TAGS} tags; declared are ${declared.join(", ")}, and ignoreTags keeps ${foreignTags.join(", ")}: ${total} together.`,
    );
  }
  return { patch: toPatch(live, inputs, { isIgnored, foreignTags }) };
}

function assertOrganization(inputs: ProjectInputs, live: LiveProject): void {
  const orgId = known(inputs.orgId);
  if (orgId === undefined || orgId === live.orgId) return;
  throw new RefusedError(
    `Project ${live.projectId} ("${live.name}") lives in organization ${live.orgId}, not in ${orgId}: the API cannot move a project. Set orgId to "${live.orgId}", or move the project back by hand.`,
  );
}

function announce(action: string, patch: ProjectPatch, live: LiveProject, { log }: Context): void {
  const sentences = overwrites(patch, live);
  if (sentences.length > 0) log.info(`${action}: ${sentences.join("; ")}.`);
}

interface Convergence {
  readonly projectId: string;
  readonly live: LiveProject | undefined;
  readonly inputs: ProjectInputs;
  readonly origin: Origin;
  readonly recorded?: ProjectState | undefined;
  readonly patch: ProjectPatch;
  readonly context: Context;
}

/** Sends the difference and records what the service answers, or says what it stored otherwise. */
async function converge({
  projectId,
  live,
  inputs,
  origin,
  recorded,
  patch,
  context,
}: Convergence): Promise<ProjectState> {
  if (Object.keys(patch).length === 0) {
    if (live) return toState(live, inputs, { origin, tagsVisible: recorded?.tagsVisible ?? true });
    if (recorded)
      return { ...recorded, ...toState(recorded, inputs, { origin, tagsVisible: recorded.tagsVisible }) };
    throw new RefusedError(
      `Project ${projectId} cannot be adopted with nothing declared: this service offers no way to read a project, so give at least one of name, tags and ldapGroupMappings.`,
    );
  }
  const answer = await answerTo(projectId, patch, context);
  const { seen, tagsVisible } = settleTags(answer, patch, live, recorded, context);
  const state = toState(seen, inputs, { origin, tagsVisible });
  const reasons = storedOtherwise(patch, seen, tagsVisible);
  if (reasons.length > 0) throw new PartialFailure(projectId, state as unknown as Properties, reasons);
  return state;
}

/** The PATCH's answer is the new state; one look more where it does not hold what was sent. */
async function answerTo(projectId: string, patch: ProjectPatch, context: Context): Promise<LiveProject> {
  const answer = toLive(await updateProject(context.session.client, projectId, patch, context.signal));
  if (!lacksSent(patch, answer)) return answer;
  const again = await observe(projectId, context).catch(() => undefined);
  return again ?? answer;
}

/** Decides whether the key can see tags, and which tags to record where it cannot. */
function settleTags(
  answer: LiveProject,
  patch: ProjectPatch,
  live: LiveProject | undefined,
  recorded: ProjectState | undefined,
  { log }: Context,
): { seen: LiveProject; tagsVisible: boolean } {
  if (patch.tags === undefined) {
    const tagsVisible = recorded?.tagsVisible ?? true;
    return {
      seen: tagsVisible && answer.tags ? answer : { ...answer, tags: live?.tags ?? recorded?.tags },
      tagsVisible,
    };
  }
  if (!tagsHidden(patch.tags, answer)) return { seen: answer, tagsVisible: true };
  log.warn(
    "The service took the tags but shows none to this API key: they are recorded as declared, and drift of tags cannot be seen. Seeing tags needs a global role (Global Owner or Global Read Only).",
  );
  return { seen: { ...answer, tags: patch.tags }, tagsVisible: false };
}

/** What a preview can promise: what is recorded or live stays, declared values come over it, the rest is unknown. */
function previewState(inputs: ProjectInputs, recorded: ProjectState | undefined): Properties {
  const { orgId: _asserted, projectId: _identity, ...declared } = inputs;
  const base = recorded ?? {
    projectId: inputs.projectId ?? UNKNOWN,
    orgId: inputs.orgId ?? UNKNOWN,
    name: UNKNOWN,
    origin: inputs.projectId === undefined ? "created" : "adopted",
    onDestroy: effectiveOnDestroy(inputs, inputs.projectId === undefined ? "created" : "adopted"),
    tagsVisible: UNKNOWN,
  };
  return withoutUndefined({ ...base, ...declared }) as unknown as Properties;
}

function asProperties(state: ProjectState): Properties {
  return withoutUndefined(state) as unknown as Properties;
}
