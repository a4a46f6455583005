/** A resource of the roles that one holder has in one project. How holders differ is in `port.ts`. */

import { RefusedError } from "../../text/errors";
import { importedParts, joinId, NO_ID } from "../../text/object-id";
import { checkedAs } from "../contract/border";
import { withForms } from "../contract/canonical";
import { nothingElse, rolesIn } from "../contract/declared";
import { noticeOfAdoption, type Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type {
  Context,
  CreateRequest,
  CreateResult,
  DeleteRequest,
  ProjectContext,
  ReadRequest,
  ReadResult,
  Resource,
  UpdateRequest,
} from "../contract/resource";
import { announceOverwritten, roleChange } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet, withoutUndefined } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { removeAtEnd } from "../evidence/not-offered";
import { Refusal } from "../evidence/refusal";
import { storedRoles } from "../evidence/stored-roles";
import { warnOfUnread } from "../evidence/unread-warning";
import { explainOnlyOwner } from "../people/only-owner";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { requireRemovals } from "../session/removal-budget";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  check,
  claimFound,
  declares,
  diff,
  type GrantInputs,
  identityIn,
  isNamedAlone,
  type KnownGrantInputs,
  previewState,
  type RecordedGrant,
  recordedGrant,
  subjectDifferences,
  textOf,
  toState,
  withoutRoles,
} from "./declared";
import type {
  FoundHolder,
  Grant,
  GrantDeclaration,
  GrantKind,
  GrantPort,
  HolderIdentity,
  RolesWrite,
} from "./port";

export function grantResource<Name extends string>(
  { identity, onDestroy, ...parts }: GrantDeclaration<Name>,
  port: GrantPort,
): Resource<Name> {
  const kind: GrantKind = { identity, onDestroy, ...parts, ...port };
  return {
    ...parts,
    check: (request) => check(kind, request),
    diff: (request) => diff(kind, request),
    declares: (inputs, state) => declares(kind, inputs, state),
    deletes: nothingElse,
    create: (request) => create(kind, request),
    read: (request) => read(kind, request),
    update: (request) => update(kind, request),
    delete: (request) => remove(kind, request),
    ending: {
      subjectDifferences: (request) => subjectDifferences(kind, request),
      isThere: ({ roles }) => (rolesIn(roles)?.length ?? 0) > 0,
      loss: (state, id) => {
        const { projectId, ...recorded } = recordedGrant(identity, state, id);
        return `${kind.noun} ${recorded.name ?? recorded.id} loses ${recorded.roles.join(", ")} in project ${projectId}`;
      },
      without: (state) => ({ ...state, roles: [] }),
      find: (inputs, preview, context) => findEnded(kind, inputs, preview, context),
      take: (request) => takeAway(kind, request),
    },
    subject: ({ projectId }) => String(projectId),
    // The holder gets its roles again.
    restoredBy: () => "update",
  };
}

interface GrantContext extends ProjectContext {
  readonly kind: GrantKind;
}

/** The grants of the project. @throws the error of the read */
async function grantsOf(purpose: Purpose, context: GrantContext): Promise<readonly Grant[]> {
  const grants = await context.kind.grants(purpose, context);
  if (grants instanceof Refusal) throw grants.error;
  return grants;
}

function isHolder({ id, name }: HolderIdentity): (grant: Grant) => boolean {
  return (grant) => (id === undefined ? grant.name === name : grant.id === id);
}

/** @throws RefusedError if the project's organization has no such holder */
async function declaredHolder(
  declared: HolderIdentity,
  orgId: string | undefined,
  purpose: Purpose,
  context: GrantContext,
): Promise<FoundHolder> {
  const { kind, projectId } = context;
  const { identity, noun } = kind;
  // A project that does not exist is the cause, not that its organization is unknown.
  if (orgId === undefined) await grantsOf(purpose, context);
  const found = await kind.find(declared, orgId, purpose, context);
  if (found !== undefined) return found;
  throw new RefusedError(
    orgId === undefined
      ? `${textOf(kind, declared)} cannot be found: these credentials cannot read project ${projectId}, so its organization is not known. Nothing was written.`
      : `Organization ${orgId} has no ${noun} ${declared.name === undefined ? declared.id : `"${declared.name}"`} that these credentials can see. Check ${identity[declared.id === undefined ? 1 : 0]}, or create the ${noun} first; one of another organization cannot have roles in project ${projectId}. Nothing was written.`,
  );
}

async function create(kind: GrantKind, request: CreateRequest): Promise<CreateResult> {
  const { preview } = request;
  const inputs = checkedAs<Properties & GrantInputs>(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(kind, inputs) };
  }
  const known = checkedAs<KnownGrantInputs>(inputs);
  const { projectId, roles } = known;
  const context = { ...request.context, projectId, kind };
  const purpose = purposeOf(preview);
  const declared = identityIn(kind.identity, inputs);
  const { orgId } = await factsOf(context);
  if (preview && (await kind.isPlanned(declared, orgId, context))) {
    return { id: "", state: previewState(kind, inputs) };
  }
  const named = kind.keepsName ? await grantsOf(purpose, context) : undefined;
  const present = named?.find(isHolder(declared));
  const holder = present ?? (await declaredHolder(declared, orgId, purpose, context));
  claimFound(kind, declared, holder, context);
  const grant = (named ?? (await grantsOf(purpose, context))).find(isHolder(holder));
  if (grant) {
    refuseDemotion(grant, roles, context);
    announceAdoption(holder, grant, known, context);
  }
  const id = joinId(projectId, holder.id);
  if (preview) return { id: grant ? id : "", state: previewState(kind, inputs, holder) };
  const origin = grant ? "adopted" : "created";
  return { id, state: await settle({ holder, orgId, grant, origin, wanted: known }, context) };
}

async function update(kind: GrantKind, request: UpdateRequest): Promise<Properties> {
  const { preview } = request;
  const inputs = checkedAs<Properties & GrantInputs>(request.inputs);
  const recorded = recordedGrant(kind.identity, request.state, request.id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId, kind };
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    return previewState(kind, inputs, recorded, recorded);
  }
  const known = checkedAs<KnownGrantInputs>(inputs);
  const declared = identityIn(kind.identity, inputs);
  const purpose = purposeOf(preview);
  const listed = await grantOf(recorded, await grantsOf(purpose, context), purpose, context);
  // A holder that left the project may have been deleted, and another one may have its name now.
  const isSure = listed !== undefined || (kind.keepsName && !isNamedAlone(recorded));
  const holder = isSure
    ? { id: listed?.id ?? recorded.id, name: await nameToWrite(recorded, listed, preview, context) }
    : await declaredHolder(declared, (await factsOf(context, recorded)).orgId, purpose, context);
  claimFound(kind, declared, holder, context);
  const isSame = holder.id === recorded.id;
  const grant = isSame ? listed : (await grantsOf("writing", context)).find(isHolder(holder));
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const roles = isIgnored && grant ? grant.roles : known.roles;
  if (grant) refuseDemotion({ ...grant, ...holder }, roles, context);
  if (grant && isSame) {
    const { roles: shown } = grant;
    const name = `${kind.noun} ${holder.name ?? holder.id}`;
    announceOverwritten(name, { recorded: recorded.roles, wanted: roles, shown: () => shown }, context.log);
  } else if (grant) announceAdoption(holder, grant, { ...known, roles }, context);
  if (preview) return previewState(kind, inputs, holder, recorded);
  const { orgId } = await factsOf(context, recorded);
  const present = isSame ? recorded.origin : "adopted";
  const origin = grant ? present : "created";
  return settle({ holder, orgId, grant, origin, wanted: { ...known, roles } }, context);
}

/** What a holder has that never got its roles through this resource. Neither the holder nor its roles need exist. */
async function findEnded(
  kind: GrantKind,
  given: Properties,
  preview: boolean,
  operation: Context,
): Promise<CreateResult> {
  const inputs = checkedAs<KnownGrantInputs>(given);
  const { projectId } = inputs;
  const context = { ...operation, projectId, kind };
  const purpose = purposeOf(preview);
  const declared = identityIn(kind.identity, given);
  const grants = await grantsOf(purpose, context);
  const { orgId } = await factsOf(context);
  const isListed = declared.id !== undefined || kind.keepsName;
  const found = isListed ? declared : await kind.find(declared, orgId, purpose, context);
  const grant = found && grants.find(isHolder(found));
  const holder = { ...declared, ...withoutUndefined(found ?? {}), ...withoutUndefined(grant ?? {}) };
  const id = joinId(projectId, holder.id ?? holder.name ?? "");
  const recorded: RecordedGrant = {
    ...{ projectId, orgId, id: holder.id ?? NO_ID, name: holder.name, roles: grant?.roles ?? [] },
    ...{ origin: grant ? "adopted" : "created", onDestroy: kind.onDestroy.effective(inputs) },
  };
  return { id, state: toState(kind.identity, recorded) };
}

function refuseDemotion(grant: Grant, roles: readonly string[], context: GrantContext): void {
  const { kind, projectId } = context;
  const lost = grant.roles.filter((role) => !roles.includes(role));
  if (lost.length === 0) return;
  kind.refuseLoss(grant, `keeps ${lost.join(", ")} in project ${projectId}`, context);
}

function announceAdoption(
  holder: FoundHolder,
  grant: Grant,
  wanted: Change["wanted"],
  { kind, log, projectId }: GrantContext,
): void {
  const place = { kind: "project", id: projectId } as const;
  log.tell?.([{ fate: "stays", holder: kind.toHolder(holder), place, roles: grant.roles }]);
  const end = noticeOfAdoption(wanted, `the roles of the ${kind.noun} in this project`, "takes them away");
  const change = roleChange(grant.roles, wanted.roles);
  log.info(`${textOf(kind, holder)} has roles in project ${projectId} already${change}.${end}`);
}

interface Change extends Pick<RolesWrite, "holder" | "orgId" | "grant"> {
  readonly origin: Origin;
  readonly wanted: Pick<KnownGrantInputs, "roles" | "onDestroy">;
}

/** Gives the holder the roles, and returns what to record. */
async function settle(change: Change, context: GrantContext): Promise<Properties> {
  const { holder, orgId, grant, wanted } = change;
  const { roles } = wanted;
  const { kind, projectId } = context;
  const onDestroy = kind.onDestroy.effective(wanted);
  const stateOf = (now: Grant, origin = change.origin) => {
    const name = kind.nameToRecord(holder.name, now.name);
    const live = { id: holder.id, name, roles: now.roles };
    return toState(kind.identity, { projectId, orgId, onDestroy, origin, ...live });
  };
  if (grant && sameSet(grant.roles, roles)) return stateOf(grant);
  const read = async (signal: AbortSignal) =>
    (await grantsOf("writing", { ...context, signal })).find(isHolder(holder));
  const isReached = (now: Grant | undefined) => now !== undefined && sameSet(now.roles, roles);
  const adopt = (found: Grant) => announceAdoption(holder, found, wanted, context);
  const goal = { read, isReached };
  const outcome = await kind.write({ holder, orgId, grant, roles, goal, adopt }, context);
  const origin = outcome === "found" ? "adopted" : change.origin;
  const accepted = { noun: kind.noun, holder, roles, read };
  return storedRoles({ ...accepted, stateOf: (now) => stateOf(now, origin) }, context);
}

async function read(kind: GrantKind, request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return importGrant(kind, id, request.context);
  const recorded = recordedGrant(kind.identity, state, id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId, kind };
  const retained = { id, state: toState(kind.identity, recorded), inputs: oldInputs, isRetained: true };
  const grants = await kind.grants("reading", context);
  if (grants instanceof Refusal) {
    if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return undefined;
    warnOfUnread(kind.unread, projectId, grants.error, context);
    return retained;
  }
  const grant = await grantOf(recorded, grants, "reading", context).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    context.log.warn(error.message);
    return "unread" as const;
  });
  if (grant === undefined) return undefined;
  if (grant === "unread") return retained;
  const onDestroy = kind.onDestroy.effective(checkedAs<GrantInputs>(oldInputs));
  const live = await liveState({ ...recorded, onDestroy }, grant, context);
  return { id, state: live, inputs: withForms(oldInputs, { roles: () => grant.roles }) };
}

/**
 * Imports by the ID of the holder, then by its exact name. The inputs name it as the import does: then they are those of the
 * program, and the engine does not write the state again for them.
 */
async function importGrant(kind: GrantKind, id: string, operation: Context): Promise<ReadResult | undefined> {
  const [idProperty, nameProperty] = kind.identity;
  const forms = `<projectId>/<${idProperty}> or <projectId>/<${nameProperty}>`;
  const object = `the roles of one ${kind.noun} in a project: a ${kind.name} is imported by ${forms}.`;
  const { placeId: projectId, name } = importedParts(id, object);
  const context = { ...operation, projectId, kind };
  const grants = await kind.grants("reading", context);
  if (grants instanceof Refusal) {
    if (meaningOf(grants.error) === "deleted") return undefined;
    throw grants.error;
  }
  const byId = grants.find(isHolder({ id: name.toLowerCase() }));
  const grant = byId ?? (await grantNamed(name, grants, "reading", context));
  if (grant === undefined) return undefined;
  const { id: holderId, roles } = grant;
  const given = byId === undefined ? { [nameProperty]: name } : { [idProperty]: holderId };
  const facts = { projectId, orgId: undefined, origin: "imported" } as const;
  const onDestroy = kind.onDestroy.effective({});
  const state = await liveState({ ...facts, ...grant, onDestroy }, grant, context);
  return { id: joinId(projectId, holderId), state, inputs: { projectId, ...given, roles } };
}

async function grantNamed(
  name: string,
  grants: readonly Grant[],
  purpose: Purpose,
  context: GrantContext,
): Promise<Grant | undefined> {
  const { kind } = context;
  if (kind.keepsName) return grants.find(isHolder({ name }));
  if (grants.length === 0) return undefined;
  const { orgId } = await factsOf(context);
  const holder = await kind.find({ name }, orgId, purpose, context);
  return holder && grants.find(isHolder(holder));
}

/** The recorded holder among the grants of the project. */
async function grantOf(
  recorded: RecordedGrant,
  grants: readonly Grant[],
  purpose: Purpose,
  context: GrantContext,
): Promise<Grant | undefined> {
  const { name = "" } = recorded;
  return isNamedAlone(recorded)
    ? grantNamed(name, grants, purpose, context)
    : grants.find(isHolder(recorded));
}

/** What to record of a grant that was read. */
async function liveState(recorded: RecordedGrant, grant: Grant, context: GrantContext): Promise<Properties> {
  const { orgId } = await factsOf(context, recorded);
  const live = { ...recorded, id: grant.id, orgId, roles: grant.roles };
  return toState(context.kind.identity, { ...live, name: await nameNow(live, grant, context) });
}

async function nameNow({ name, orgId }: RecordedGrant, grant: Grant, context: GrantContext) {
  const { kind } = context;
  const shown = grant.name ?? (await kind.find({ id: grant.id }, orgId, "reading", context))?.name;
  return kind.nameToRecord(name, shown);
}

/** A preview does not rename a team, so the service still shows the old name. */
async function nameToWrite(
  recorded: RecordedGrant,
  listed: Grant | undefined,
  preview: boolean,
  context: GrantContext,
): Promise<string | undefined> {
  const { kind, session } = context;
  const given = preview ? kind.newName(recorded, session) : undefined;
  if (given !== undefined || listed === undefined) return given ?? recorded.name;
  return nameNow(recorded, listed, context);
}

async function remove(kind: GrantKind, request: DeleteRequest): Promise<void> {
  const recorded = recordedGrant(kind.identity, request.state, request.id);
  const { projectId } = recorded;
  if (kind.onDestroy.effective(checkedAs<GrantInputs>(request.oldInputs)) === "release") {
    const released = `${textOf(kind, recorded)} was released and keeps its roles in project ${projectId}.`;
    return request.context.log.info(released);
  }
  await takeAway(kind, request);
}

/** Takes all roles in the project from the holder, unless another resource declares it. */
async function takeAway(kind: GrantKind, request: DeleteRequest): Promise<"gone" | "kept"> {
  const recorded = recordedGrant(kind.identity, request.state, request.id);
  const { projectId, orgId } = recorded;
  const context = { ...request.context, projectId, kind };
  const grants = await kind.grants("writing", context);
  if (grants instanceof Refusal) {
    if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return "gone";
    throw grants.error;
  }
  const listed = await grantOf(recorded, grants, "writing", context);
  if (listed === undefined) return "gone";
  // Another resource may declare the holder by the name that it has now.
  const holder = { ...listed, name: await nameNow(recorded, listed, context) };
  if (!mayRemove(holder, context)) return "kept";
  const read = (signal: AbortSignal) => kind.grants("writing", { ...context, signal });
  const isReached = (now: readonly Grant[] | Refusal) =>
    !(now instanceof Refusal) && !now.some(isHolder(holder));
  const removal = () => kind.remove({ holder, orgId, goal: { read, isReached } }, context);
  await removeAtEnd(removal, context).catch(async (error: unknown) => {
    if (await isProjectDeleted(error, recorded, context)) return;
    throw explainOnlyOwner(textOf(kind, holder), context, error);
  });
  return "gone";
}

/**
 * Whether no other resource declares the holder.
 *
 * @throws RefusedError if the holder must keep its roles, or this run would remove too many holders
 */
function mayRemove(holder: Grant, context: GrantContext): boolean {
  const { kind, projectId } = context;
  const text = textOf(kind, holder);
  const declarer = kind.declarerOf(holder, context);
  if (declarer !== undefined) {
    context.log.info(`${text} keeps its roles in project ${projectId} because ${declarer} declares it.`);
    return false;
  }
  kind.refuseLoss(holder, withoutRoles(projectId), context);
  const removals = kind.isReplaced(holder, context) ? [] : [{ placeId: projectId, holder: holder.id }];
  requireRemovals(context, removals, `${text} ${withoutRoles(projectId)}`);
  return true;
}
