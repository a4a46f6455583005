/** A resource of the roles that one holder has in one project. What the kinds of holders differ in is in `port.ts`. */

import type { Access } from "../../access/places";
import { importedParts, joinId } from "../../text/object-id";
import { checkedAs } from "../contract/border";
import { lowerId, sortedTexts, withForms } from "../contract/canonical";
import { checkedInputs, exactlyOneFailures } from "../contract/checked-inputs";
import { accessOf, projectIn } from "../contract/declared";
import {
  changeKind,
  type Difference,
  projectIdDifferences,
  unsureSetDifferences,
} from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type {
  CheckRequest,
  CheckResult,
  Context,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  ReadResult,
  Resource,
} from "../contract/resource";
import { hasUnknown, type Properties } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { roleFailures, warnOfUnknownRoles } from "../people/inputs";
import { explainOnlyOwner } from "../people/only-owner";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { RemovalBudget } from "../session/removal-budget";
import type { FoundHolder, Grant, GrantDeclaration, GrantKind, GrantPort } from "./port";
import {
  type GrantInputs,
  identityIn,
  nameToRecord,
  type RecordedGrant,
  recordedGrant,
  textOf,
  toState,
} from "./record";
import { claimFound, conflict, create, grantOf, update } from "./write";

export function grantResource<Name extends string>(
  declaration: GrantDeclaration<Name>,
  port: GrantPort,
): Resource<Name> {
  const { identity, onDestroy, ...parts } = declaration;
  const kind: GrantKind = { ...declaration, ...port };
  return {
    ...parts,
    check: (request) => check(kind, request),
    diff: (request) => diff(kind, request),
    declares: (inputs, state) => declares(kind, inputs, state),
    create: (request) => create(kind, request),
    read: (request) => read(kind, request),
    update: (request) => update(kind, request),
    delete: (request) => remove(kind, request),
    subject: ({ projectId }) => String(projectId),
    // The holder gets its roles again.
    restoredBy: () => "update",
  };
}

function check(kind: GrantKind, request: CheckRequest): CheckResult {
  const [idProperty] = kind.identity;
  const forms = { projectId: lowerId, [idProperty]: lowerId, roles: sortedTexts };
  const checked = checkedInputs(kind.inputs, forms, request, (given) => [
    ...exactlyOneFailures(given, kind.noun, kind.identity),
    ...roleFailures(given.roles, ["roles"]),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, request.context.log);
  const { projectId } = checked.inputs;
  if (typeof projectId !== "string") return checked;
  const holder = identityIn(kind, checked.inputs);
  const rival = kind.claim(projectId, holder, undefined, request.context);
  if (rival === undefined) return checked;
  return { ...checked, failures: [{ property: "", reason: conflict(kind, projectId, holder, rival) }] };
}

function declares(kind: GrantKind, inputs: Properties, state?: Properties): readonly Access[] {
  const [given, recorded] = [identityIn(kind, inputs), identityIn(kind, state)];
  const [id, name] = [given.id ?? recorded.id, given.name ?? recorded.name];
  const holder = id === undefined && name === undefined ? undefined : kind.toHolder({ id, name });
  return accessOf(holder, projectIn(inputs, state), inputs.roles);
}

function diff(kind: GrantKind, request: DiffRequest): Difference[] {
  const { inputs, oldInputs, context } = request;
  const recorded = recordedGrant(kind, request.state, request.id);
  const { projectId } = recorded;
  const [declared, before] = [checkedAs<GrantInputs>(inputs), checkedAs<GrantInputs>(oldInputs)];
  const isIgnored = ignoresProperty(request.ignoreChanges);
  const differences = [
    ...projectIdDifferences(projectId, declared.projectId),
    ...holderDifferences(kind, recorded, inputs, oldInputs),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...kind.onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const isOther = differences.some(({ path }) => ["projectId", ...kind.identity].includes(String(path[0])));
  if (!isOther) claimFound(kind, projectId, identityIn(kind, inputs), recorded, context);
  // The Delete that follows would be refused, in this run and in each later one.
  const isRemoved = kind.onDestroy.effective(before) === "remove";
  if (isRemoved && differences.some(({ replace }) => replace)) {
    kind.refuseLoss(recorded, notRemoved(recorded), context.session);
  }
  return differences;
}

/** The same holder, by its ID or by a name that it has or was declared by, is no change. */
function holderDifferences(
  { identity: [idProperty, nameProperty] }: GrantKind,
  recorded: RecordedGrant,
  inputs: Properties,
  before: Properties,
): Difference[] {
  const byName = inputs[idProperty] === undefined;
  const property = byName ? nameProperty : idProperty;
  const declared = inputs[property];
  const same = byName ? [before[nameProperty], recorded.name] : [recorded.id];
  if (same.some((value) => value === declared)) return [];
  return [{ path: [property], kind: changeKind(before[property], declared), replace: !hasUnknown(declared) }];
}

async function read(kind: GrantKind, request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return importGrant(kind, id, request.context);
  const recorded = recordedGrant(kind, state, id);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const grants = await kind.grants("reading", context);
  if (grants instanceof Refusal) {
    if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return undefined;
    warnOfUnread(kind.unread, projectId, grants.error, context);
    return { id, state: toState(kind, recorded), inputs: oldInputs };
  }
  const grant = grantOf(grants, recorded);
  if (grant === undefined) return undefined;
  const { orgId } = await factsOf(context, recorded);
  const onDestroy = kind.onDestroy.effective(checkedAs<GrantInputs>(oldInputs));
  const { roles } = grant;
  const live = { ...(await namedNow(kind, recorded, grant, orgId, context)), orgId, roles, onDestroy };
  return { id, state: toState(kind, live), inputs: withForms(oldInputs, { roles: () => roles }) };
}

/** Imports by the ID of the holder, then by its exact name. */
async function importGrant(kind: GrantKind, id: string, operation: Context): Promise<ReadResult | undefined> {
  const [idProperty, nameProperty] = kind.identity;
  const { ownerId: projectId, name } = importedParts(
    id,
    `the roles of one ${kind.noun} in a project: a ${kind.name} is imported by <projectId>/<${idProperty}> or <projectId>/<${nameProperty}>.`,
  );
  const context = { ...operation, projectId };
  const grants = await kind.grants("reading", context);
  if (grants instanceof Refusal) {
    if (meaningOf(grants.error) === "deleted") return undefined;
    throw grants.error;
  }
  const grant = grantOf(grants, { id: name.toLowerCase() }) ?? (await kind.grantNamed(name, grants, context));
  if (grant === undefined) return undefined;
  const { orgId } = await factsOf(context);
  const holder = await namedNow(kind, { id: grant.id }, grant, orgId, context);
  const facts = { projectId, orgId, origin: "imported", onDestroy: kind.onDestroy.effective({}) } as const;
  const { roles } = grant;
  return {
    id: joinId(projectId, grant.id),
    state: toState(kind, { ...holder, ...facts, roles }),
    inputs: { projectId, [idProperty]: grant.id, roles },
  };
}

/** What is recorded, with the present name of the holder. */
async function namedNow<Recorded extends FoundHolder>(
  kind: GrantKind,
  recorded: Recorded,
  grant: Grant,
  orgId: string | undefined,
  context: Context,
): Promise<Recorded> {
  const shown = await kind.nameOf(grant, orgId, context);
  return { ...recorded, name: nameToRecord(kind, recorded.name, shown) };
}

async function remove(kind: GrantKind, request: DeleteRequest): Promise<void> {
  const recorded = recordedGrant(kind, request.state, request.id);
  const { projectId, orgId } = recorded;
  const context = { ...request.context, projectId };
  const { session, log } = context;
  if (kind.onDestroy.effective(checkedAs<GrantInputs>(request.oldInputs)) === "release") {
    log.info(`${textOf(kind, recorded)} was released and keeps its roles in project ${projectId}.`);
    return;
  }
  const grants = await kind.grants("writing", context);
  if (grants instanceof Refusal) {
    if ((await absenceOfProject(grants.error, recorded, context)) === "deleted") return;
    throw grants.error;
  }
  const listed = grantOf(grants, recorded);
  if (listed === undefined) return;
  // Another resource may declare the holder by the name that it has now.
  const holder = await namedNow(kind, { ...recorded, roles: listed.roles }, listed, orgId, context);
  const text = textOf(kind, holder);
  const owner = kind.declarerOf(projectId, holder, context);
  if (owner !== undefined) {
    log.info(`${text} keeps its roles in project ${projectId} because ${owner} declares it.`);
    return;
  }
  kind.refuseLoss(holder, notRemoved(recorded), session);
  const removals = kind.isReplaced(holder, context) ? [] : [{ placeId: projectId, holder: holder.id }];
  session.of(RemovalBudget).require(removals, `${text} ${notRemoved(recorded)}`);
  const goal = {
    read: (signal: AbortSignal) => kind.grants("writing", { ...context, signal }),
    isReached: (now: readonly Grant[] | Refusal) => !(now instanceof Refusal) && !grantOf(now, holder),
  };
  await kind.remove({ holder, orgId, goal }, context).catch(async (error: unknown) => {
    if (await isProjectDeleted(error, recorded, context)) return;
    throw explainOnlyOwner(text, context, error);
  });
}

function notRemoved({ projectId }: RecordedGrant): string {
  return `did not lose its roles in project ${projectId}`;
}
