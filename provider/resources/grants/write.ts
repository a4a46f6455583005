/** Gives a holder the declared roles. */

import { RefusedError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { checkedAs } from "../contract/border";
import { noticeOfAdoption, type Origin } from "../contract/on-destroy";
import { ignoresProperty } from "../contract/property-path";
import type {
  Context,
  CreateRequest,
  CreateResult,
  ProjectContext,
  UpdateRequest,
} from "../contract/resource";
import { roleChange } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, sameSet } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { storedRoles } from "../evidence/stored-roles";
import { factsOf } from "../reads/project-facts";
import { type Purpose, purposeOf } from "../session/shared-reads";
import type { FoundHolder, Grant, GrantKind, HolderIdentity, RolesWrite } from "./port";
import {
  type GrantInputs,
  identityIn,
  type KnownGrantInputs,
  nameToRecord,
  previewState,
  recordedGrant,
  textOf,
  toState,
} from "./record";

export async function create(kind: GrantKind, request: CreateRequest): Promise<CreateResult> {
  const inputs = checkedAs<Properties & GrantInputs>(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(request.context, inputs.projectId);
    return { id: "", state: previewState(kind, inputs) };
  }
  const known = checkedAs<KnownGrantInputs>(inputs);
  const { projectId, roles } = known;
  const context = { ...request.context, projectId };
  const purpose = purposeOf(request.preview);
  const declared = identityIn(kind, inputs);
  let read: Promise<readonly Grant[]> | undefined;
  const grants = () => {
    read ??= grantsOf(kind, purpose, context);
    return read;
  };
  const located = await kind.find(declared, grants, purpose, context);
  if (located === undefined) return { id: "", state: previewState(kind, inputs) };
  const { holder } = located;
  claimFound(kind, projectId, declared, holder, context);
  const grant = grantOf(await grants(), holder);
  if (grant) {
    refuseDemotion(kind, grant, roles, context);
    announceAdoption(kind, { holder, grant }, known, context);
  }
  const id = joinId(projectId, holder.id);
  if (request.preview) return { id: grant ? id : "", state: previewState(kind, inputs, holder) };
  const change = { ...located, grant, roles, origin: grant ? "adopted" : "created" } as const;
  return { id, state: await settle(kind, change, inputs, context) };
}

export async function update(kind: GrantKind, request: UpdateRequest): Promise<Properties> {
  const recorded = recordedGrant(kind, request.state, request.id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const inputs = checkedAs<Properties & GrantInputs>(request.inputs);
  if (hasUnknown(inputs)) {
    warnOfUnknowns(context);
    return previewState(kind, inputs, recorded, recorded);
  }
  const declared = identityIn(kind, inputs);
  const listed = grantOf(await grantsOf(kind, "writing", context), recorded);
  const holder = listed
    ? { id: recorded.id, name: nameToRecord(kind, recorded.name, listed.name) }
    : await kind.holderThatLeft(recorded, declared, purposeOf(request.preview), context);
  claimFound(kind, projectId, declared, holder, context);
  const grant =
    holder.id === recorded.id ? listed : grantOf(await grantsOf(kind, "writing", context), holder);
  const isIgnored = ignoresProperty(request.ignoreChanges)("roles");
  const roles = isIgnored && grant ? grant.roles : checkedAs<KnownGrantInputs>(inputs).roles;
  if (grant) refuseDemotion(kind, { ...holder, roles: grant.roles }, roles, context);
  if (request.preview) return previewState(kind, inputs, holder, recorded);
  const { orgId } = await factsOf(context, recorded);
  const change = { holder, orgId, grant, roles, origin: grant ? recorded.origin : "created" } as const;
  return settle(kind, change, inputs, context);
}

/** The grants of the project. @throws the error of the read */
async function grantsOf(
  kind: GrantKind,
  purpose: Purpose,
  context: ProjectContext,
): Promise<readonly Grant[]> {
  const grants = await kind.grants(purpose, context);
  if (grants instanceof Refusal) throw grants.error;
  return grants;
}

export function grantOf(grants: readonly Grant[], holder: FoundHolder): Grant | undefined {
  return grants.find(({ id }) => id === holder.id);
}

/**
 * Claims what was found or recorded of a holder.
 *
 * @throws RefusedError if another resource has claimed it
 */
export function claimFound(
  kind: GrantKind,
  projectId: string,
  declared: HolderIdentity,
  found: FoundHolder,
  context: Pick<Context, "session" | "urn">,
): void {
  const rival = kind.claim(projectId, declared, found, context);
  if (rival !== undefined) throw new RefusedError(conflict(kind, projectId, found, rival));
}

/** Two resources of one holder would overwrite each other's roles. */
export function conflict(kind: GrantKind, projectId: string, holder: HolderIdentity, rival: string): string {
  return `${textOf(kind, holder)} in project ${projectId} is declared by ${rival} already: each would overwrite the other's roles. Remove one of them from the program.`;
}

function refuseDemotion(
  kind: GrantKind,
  grant: Grant,
  roles: readonly string[],
  { session, projectId }: ProjectContext,
): void {
  const lost = grant.roles.filter((role) => !roles.includes(role));
  if (lost.length > 0) {
    kind.refuseLoss(grant, `did not lose ${lost.join(", ")} in project ${projectId}`, session);
  }
}

function announceAdoption(
  kind: GrantKind,
  { holder, grant }: { readonly holder: FoundHolder; readonly grant: Grant },
  inputs: Omit<KnownGrantInputs, "projectId">,
  { log, projectId }: ProjectContext,
): void {
  const place = { kind: "project", id: projectId } as const;
  log.found?.([{ holder: kind.toHolder(holder), place, roles: grant.roles }]);
  const end = noticeOfAdoption(inputs, `the roles of the ${kind.noun} in this project`, "takes them away");
  const change = roleChange(grant.roles, inputs.roles);
  log.info(`${textOf(kind, holder)} has roles in project ${projectId} already${change}.${end}`);
}

/** Gives the holder the roles, and returns what to record. */
async function settle(
  kind: GrantKind,
  { origin, ...change }: Omit<RolesWrite, "goal" | "adopt"> & { readonly origin: Origin },
  inputs: GrantInputs,
  context: ProjectContext,
): Promise<Properties> {
  const { holder, grant, roles, orgId } = change;
  const { projectId } = context;
  const onDestroy = kind.onDestroy.effective(inputs);
  const stateOf = (now: Grant, cameBy: Origin) => {
    const name = nameToRecord(kind, holder.name, now.name);
    const facts = { projectId, orgId, origin: cameBy, onDestroy };
    return toState(kind, { ...facts, id: holder.id, name, roles: now.roles });
  };
  if (grant && sameSet(grant.roles, roles)) return stateOf(grant, origin);
  const goal = {
    read: async (signal: AbortSignal) =>
      grantOf(await grantsOf(kind, "writing", { ...context, signal }), holder),
    isReached: (now: Grant | undefined) => now !== undefined && sameSet(now.roles, roles),
  };
  const wanted = { ...checkedAs<KnownGrantInputs>(inputs), roles };
  const adopt = (present: Grant) => announceAdoption(kind, { holder, grant: present }, wanted, context);
  const outcome = await kind.write({ ...change, goal, adopt }, context);
  const accepted = {
    noun: kind.noun,
    name: holder.name ?? holder.id,
    objectId: holder.id,
    written: { ...holder, roles },
    read: goal.read,
    stateOf: (now: Grant) => stateOf(now, outcome === "found" ? "adopted" : origin),
  };
  return storedRoles(accepted, context);
}
