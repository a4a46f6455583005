/** A resource of the roles that one holder has in one project. How holders differ is in `port.ts`. */

import { importedParts, joinId } from "../../text/object-id";
import { checkedAs } from "../contract/border";
import { withForms } from "../contract/canonical";
import { noticeOfAdoption, type Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type { Context, ProjectContext, ReadResult, Resource } from "../contract/resource";
import { roleChange } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { storedRoles } from "../evidence/stored-roles";
import { warnOfUnread } from "../evidence/unread-warning";
import { explainOnlyOwner } from "../people/only-owner";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { RemovalBudget } from "../session/removal-budget";
import { type Purpose, purposeOf } from "../session/shared-reads";
import {
  check,
  claimFound,
  declares,
  diff,
  type GrantInputs,
  identityIn,
  type KnownGrantInputs,
  nameToRecord,
  previewState,
  type RecordedGrant,
  recordedGrant,
  textOf,
  toState,
  withoutRoles,
} from "./declared";
import type { FoundHolder, Grant, GrantDeclaration, GrantKind, GrantPort, RolesWrite } from "./port";

export function grantResource<Name extends string>(
  { identity, onDestroy, ...parts }: GrantDeclaration<Name>,
  port: GrantPort,
): Resource<Name> {
  const kind: GrantKind = { identity, onDestroy, ...parts, ...port };
  return {
    ...parts,
    check: check(kind),
    diff: diff(kind),
    declares: declares(kind),
    create: create(kind),
    read: read(kind),
    update: update(kind),
    delete: remove(kind),
    subject: ({ projectId }) => String(projectId),
    // The holder gets its roles again.
    restoredBy: () => "update",
  };
}

/** One operation on a grant of the project. */
interface GrantContext extends ProjectContext {
  readonly kind: GrantKind;
}

/** The grants of the project. @throws the error of the read */
async function grantsOf(purpose: Purpose, context: GrantContext): Promise<readonly Grant[]> {
  const grants = await context.kind.grants(purpose, context);
  if (grants instanceof Refusal) throw grants.error;
  return grants;
}

function grantOf(grants: readonly Grant[], { id }: FoundHolder): Grant | undefined {
  return grants.find((grant) => grant.id === id);
}

const create =
  (kind: GrantKind): Resource["create"] =>
  async ({ preview, ...request }) => {
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
    let reading: Promise<readonly Grant[]> | undefined;
    const grants = async () => {
      reading ??= grantsOf(purpose, context);
      return reading;
    };
    const located = await kind.find(declared, grants, purpose, context);
    if (located === undefined) return { id: "", state: previewState(kind, inputs) };
    const { holder } = located;
    claimFound(kind, projectId, declared, holder, context);
    const grant = grantOf(await grants(), holder);
    if (grant) {
      refuseDemotion(grant, roles, context);
      announceAdoption(holder, grant, known, context);
    }
    const id = joinId(projectId, holder.id);
    if (preview) return { id: grant ? id : "", state: previewState(kind, inputs, holder) };
    const origin = grant ? "adopted" : "created";
    return { id, state: await settle({ ...located, grant, roles, origin, inputs: known }, context) };
  };

const update =
  (kind: GrantKind): Resource["update"] =>
  async ({ id, state, preview, ignoreChanges, ...request }) => {
    const inputs = checkedAs<Properties & GrantInputs>(request.inputs);
    const recorded = recordedGrant(kind.identity, state, id);
    const { projectId } = recorded;
    const context = { ...request.context, projectId, kind };
    if (hasUnknown(inputs)) {
      warnOfUnknowns(context);
      return previewState(kind, inputs, recorded, recorded);
    }
    const known = checkedAs<KnownGrantInputs>(inputs);
    const declared = identityIn(kind.identity, inputs);
    const listed = grantOf(await grantsOf("writing", context), recorded);
    const holder = listed
      ? { id: recorded.id, name: nameToRecord(kind, recorded.name, listed.name) }
      : await kind.holderThatLeft(recorded, declared, purposeOf(preview), context);
    claimFound(kind, projectId, declared, holder, context);
    const isSame = holder.id === recorded.id;
    const grant = isSame ? listed : grantOf(await grantsOf("writing", context), holder);
    const isIgnored = ignoresProperty(ignoreChanges)("roles");
    const roles = isIgnored && grant ? grant.roles : known.roles;
    if (grant) refuseDemotion({ ...grant, ...holder }, roles, context);
    if (preview) return previewState(kind, inputs, holder, recorded);
    const { orgId } = await factsOf(context, recorded);
    const origin = grant ? recorded.origin : "created";
    return settle({ holder, orgId, grant, roles, origin, inputs: known }, context);
  };

function refuseDemotion(grant: Grant, roles: readonly string[], context: GrantContext): void {
  const { kind, session, projectId } = context;
  const lost = grant.roles.filter((role) => !roles.includes(role));
  if (lost.length === 0) return;
  kind.refuseLoss(grant, `did not lose ${lost.join(", ")} in project ${projectId}`, session);
}

function announceAdoption(
  holder: FoundHolder,
  grant: Grant,
  wanted: Pick<KnownGrantInputs, "roles" | "onDestroy">,
  { kind, log, projectId }: GrantContext,
): void {
  const place = { kind: "project", id: projectId } as const;
  log.found?.([{ holder: kind.toHolder(holder), place, roles: grant.roles }]);
  const end = noticeOfAdoption(wanted, `the roles of the ${kind.noun} in this project`, "takes them away");
  const change = roleChange(grant.roles, wanted.roles);
  log.info(`${textOf(kind, holder)} has roles in project ${projectId} already${change}.${end}`);
}

interface Change extends Omit<RolesWrite, "goal" | "adopt"> {
  readonly origin: Origin;
  readonly inputs: KnownGrantInputs;
}

/** Gives the holder the roles, and returns what to record. */
async function settle({ origin, inputs, ...change }: Change, context: GrantContext): Promise<Properties> {
  const { holder, grant, roles, orgId } = change;
  const { kind, projectId } = context;
  const onDestroy = kind.onDestroy.effective(inputs);
  const stateOf = (now: Grant, cameBy = origin) => {
    const live = { id: holder.id, name: nameToRecord(kind, holder.name, now.name), roles: now.roles };
    return toState(kind.identity, { projectId, orgId, onDestroy, origin: cameBy, ...live });
  };
  if (grant && sameSet(grant.roles, roles)) return stateOf(grant);
  const read = async (signal: AbortSignal) =>
    grantOf(await grantsOf("writing", { ...context, signal }), holder);
  const isReached = (now: Grant | undefined) => now !== undefined && sameSet(now.roles, roles);
  const adopt = (found: Grant) => announceAdoption(holder, found, { ...inputs, roles }, context);
  const outcome = await kind.write({ ...change, goal: { read, isReached }, adopt }, context);
  const cameBy = outcome === "found" ? "adopted" : origin;
  const accepted = { noun: kind.noun, holder, roles, read };
  return storedRoles({ ...accepted, stateOf: (now) => stateOf(now, cameBy) }, context);
}

const read =
  (kind: GrantKind): Resource["read"] =>
  async ({ id, state, oldInputs, ...request }) => {
    if (state === undefined || oldInputs === undefined) return importGrant(kind, id, request.context);
    const recorded = recordedGrant(kind.identity, state, id);
    const { projectId } = recorded;
    const context = { ...request.context, projectId, kind };
    const grants = await kind.grants("reading", context);
    if (grants instanceof Refusal) {
      if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return undefined;
      warnOfUnread(kind.unread, projectId, grants.error, context);
      return { id, state: toState(kind.identity, recorded), inputs: oldInputs };
    }
    const grant = grantOf(grants, recorded);
    if (grant === undefined) return undefined;
    const onDestroy = kind.onDestroy.effective(checkedAs<GrantInputs>(oldInputs));
    const live = await liveState(grant, { ...recorded, onDestroy }, context);
    return { id, state: live, inputs: withForms(oldInputs, { roles: () => grant.roles }) };
  };

/** Imports by the ID of the holder, then by its exact name. */
async function importGrant(kind: GrantKind, id: string, operation: Context): Promise<ReadResult | undefined> {
  const [idProperty, nameProperty] = kind.identity;
  const forms = `<projectId>/<${idProperty}> or <projectId>/<${nameProperty}>`;
  const object = `the roles of one ${kind.noun} in a project: a ${kind.name} is imported by ${forms}.`;
  const { ownerId: projectId, name } = importedParts(id, object);
  const context = { ...operation, projectId, kind };
  const grants = await kind.grants("reading", context);
  if (grants instanceof Refusal) {
    if (meaningOf(grants.error) === "deleted") return undefined;
    throw grants.error;
  }
  const byId = grantOf(grants, { id: name.toLowerCase() });
  const grant = byId ?? (await kind.grantNamed(name, grants, context));
  if (grant === undefined) return undefined;
  const { id: holderId, roles } = grant;
  const facts = { origin: "imported", onDestroy: kind.onDestroy.effective({}) } as const;
  const state = await liveState(grant, facts, context);
  return { id: joinId(projectId, holderId), state, inputs: { projectId, [idProperty]: holderId, roles } };
}

type Facts = Pick<RecordedGrant, "origin" | "onDestroy"> & Partial<Pick<RecordedGrant, "orgId" | "name">>;

/** What to record of a grant that was read. */
async function liveState(grant: Grant, facts: Facts, context: GrantContext): Promise<Properties> {
  const { kind, projectId } = context;
  const { origin, onDestroy } = facts;
  const { orgId } = await factsOf(context, facts);
  const name = nameToRecord(kind, facts.name, await kind.nameOf(grant, orgId, context));
  const { id, roles } = grant;
  return toState(kind.identity, { projectId, id, name, roles, orgId, origin, onDestroy });
}

const remove =
  (kind: GrantKind): Resource["delete"] =>
  async ({ id, state, oldInputs, ...request }) => {
    const recorded = recordedGrant(kind.identity, state, id);
    const { projectId, orgId } = recorded;
    const context = { ...request.context, projectId, kind };
    if (kind.onDestroy.effective(checkedAs<GrantInputs>(oldInputs)) === "release") {
      const text = `${textOf(kind, recorded)} was released and keeps its roles`;
      return context.log.info(`${text} in project ${projectId}.`);
    }
    const grants = await kind.grants("writing", context);
    if (grants instanceof Refusal) {
      if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return;
      throw grants.error;
    }
    const listed = grantOf(grants, recorded);
    if (listed === undefined) return;
    // Another resource may declare the holder by the name that it has now.
    const name = nameToRecord(kind, recorded.name, await kind.nameOf(listed, orgId, context));
    const holder = { ...listed, name };
    if (!mayRemove(holder, context)) return;
    const read = (signal: AbortSignal) => kind.grants("writing", { ...context, signal });
    const isReached = (now: readonly Grant[] | Refusal) => !(now instanceof Refusal) && !grantOf(now, holder);
    await kind.remove({ holder, orgId, goal: { read, isReached } }, context).catch(async (error: unknown) => {
      if (await isProjectDeleted(error, recorded, context)) return;
      throw explainOnlyOwner(textOf(kind, holder), context, error);
    });
  };

/**
 * Whether no other resource declares the holder.
 *
 * @throws RefusedError if the holder must keep its roles, or this run would remove too many holders
 */
function mayRemove(holder: Grant, context: GrantContext): boolean {
  const { kind, session, projectId } = context;
  const text = textOf(kind, holder);
  const owner = kind.declarerOf(projectId, holder, context);
  if (owner !== undefined) {
    context.log.info(`${text} keeps its roles in project ${projectId} because ${owner} declares it.`);
    return false;
  }
  kind.refuseLoss(holder, withoutRoles(projectId), session);
  const removals = kind.isReplaced(holder, context) ? [] : [{ placeId: projectId, holder: holder.id }];
  session.of(RemovalBudget).require(removals, `${text} ${withoutRoles(projectId)}`);
  return true;
}
