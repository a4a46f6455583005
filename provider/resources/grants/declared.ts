/** What programs declare and states record of a grant. Nothing here sends a request. */

import { z } from "zod";
import type { Access } from "../../access/places";
import { capitalized } from "../../text/capitalized";
import { RefusedError } from "../../text/errors";
import { NO_ID, splitId } from "../../text/object-id";
import { own } from "../../text/own";
import { checkedAs, recordedAs, toProperties } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import type { CheckFailure } from "../contract/check";
import { checkedInputs } from "../contract/checked-inputs";
import { accessOf, projectIn, textIn } from "../contract/declared";
import { changeKind, type Difference, placeDifferences, unsureSetDifferences } from "../contract/difference";
import type { EndOfAccess, Origin } from "../contract/on-destroy";
import { roleFailures, warnOfUnknownRoles } from "../contract/people-inputs";
import { recordedOrgId } from "../contract/people-outputs";
import { ignoresProperty } from "../contract/property-path";
import type { CheckRequest, CheckResult, DiffRequest } from "../contract/resource";
import { endOutputs } from "../contract/until";
import { hasUnknown, type Properties, UNKNOWN, type Unsure } from "../contract/values";
import type { FoundHolder, GrantDeclaration, GrantKind, HolderIdentity, RecordedHolder } from "./port";

/** The inputs that all grants have. */
export interface KnownGrantInputs {
  readonly projectId: string;
  readonly roles: readonly string[];
  readonly onDestroy?: EndOfAccess;
}

export type GrantInputs = { [Name in keyof KnownGrantInputs]: Unsure<KnownGrantInputs[Name]> };

export interface RecordedGrant extends Required<KnownGrantInputs>, RecordedHolder {
  readonly origin: Origin;
}

/** The outputs that all grants have. @param origin what the origins mean */
export function grantOutputs(onDestroy: GrantDeclaration["onDestroy"], origin: string) {
  return {
    orgId: recordedOrgId,
    origin: z.enum(["created", "adopted", "imported"]).meta({ description: origin }),
    onDestroy: onDestroy.output,
    ...endOutputs,
  };
}

type Identity = GrantDeclaration["identity"];

/** The holder in inputs or a state, as far as it is known. */
export function identityIn([id, name]: Identity, values: Properties | undefined): HolderIdentity {
  const known = { id: textIn(values, id), name: textIn(values, name) };
  return isNamedAlone(known) ? { name: known.name } : known;
}

/** Whether a record has no ID of its holder, which did not exist or had no roles when its access ended. */
export function isNamedAlone({ id, name }: HolderIdentity): boolean {
  return id === NO_ID && name !== undefined;
}

/** The holder as the beginning of a sentence: `Team platform`. */
export function textOf({ noun }: GrantKind, { id, name }: HolderIdentity): string {
  return `${capitalized(noun)} ${name ?? id}`;
}

export function check(kind: GrantKind, request: CheckRequest): CheckResult {
  const { identity } = kind;
  const forms = { projectId: lowerId, [identity[0]]: lowerId, roles: sortedTexts };
  const checked = checkedInputs(kind.inputs, forms, request, (given) => [
    ...exactlyOneFailures(kind, given),
    ...roleFailures(given.roles, ["roles"]),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, request.context.log);
  const { projectId } = checked.inputs;
  if (typeof projectId !== "string" || request.isEnd) return checked;
  const holder = identityIn(identity, checked.inputs);
  const rival = kind.claim(holder, undefined, { ...request.context, projectId });
  if (rival === undefined) return checked;
  return { ...checked, failures: [{ property: "", reason: conflict(kind, holder, projectId, rival) }] };
}

/** The failure of two inputs that identify the same object, unless exactly one of them is set. */
function exactlyOneFailures({ noun, identity: [one, other] }: GrantKind, inputs: Properties): CheckFailure[] {
  if ((own(inputs, one) === undefined) !== (own(inputs, other) === undefined)) return [];
  const reason =
    own(inputs, one) === undefined
      ? `The ${noun} is missing: set ${one} or ${other}.`
      : `${one} and ${other} are both set. Remove one of them.`;
  return [{ property: "", reason }];
}

export function declares(kind: GrantKind, inputs: Properties, state?: Properties): readonly Access[] {
  const { identity, toHolder } = kind;
  const [given, recorded] = [identityIn(identity, inputs), identityIn(identity, state)];
  const [id, name] = [given.id ?? recorded.id, given.name ?? recorded.name];
  const holder = id === undefined && name === undefined ? undefined : toHolder({ id, name });
  return accessOf(holder, projectIn(inputs, state), inputs.roles);
}

/** The differences because of which the program means another project or holder. */
export function subjectDifferences(
  kind: GrantKind,
  { id, state, inputs, oldInputs, context }: DiffRequest,
): Difference[] {
  const { identity } = kind;
  const recorded = recordedGrant(identity, state, id);
  const newName = kind.newName(recorded, context.session);
  return [
    ...placeDifferences("projectId", recorded.projectId, inputs.projectId),
    ...holderDifferences(identity, [recorded.id, recorded.name, newName], inputs, oldInputs),
  ];
}

export function diff(kind: GrantKind, request: DiffRequest): Difference[] {
  const { id, state, inputs, oldInputs, ignoreChanges, context } = request;
  const { identity, onDestroy } = kind;
  const recorded = recordedGrant(identity, state, id);
  const { projectId } = recorded;
  const newName = kind.newName(recorded, context.session);
  const [declared, before] = [checkedAs<GrantInputs>(inputs), checkedAs<GrantInputs>(oldInputs)];
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...subjectDifferences(kind, request),
    ...unsureSetDifferences("roles", recorded.roles, declared.roles),
    ...onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const isOther = differences.some(({ path }) => ["projectId", ...identity].includes(String(path[0])));
  if (!isOther && !isNamedAlone(recorded))
    claimFound(kind, identityIn(identity, inputs), recorded, { ...context, projectId });
  // The Delete that follows would be refused, in this run and in each later one.
  if (differences.some(({ replace }) => replace) && onDestroy.effective(before) === "remove") {
    kind.refuseLoss(recorded, withoutRoles(projectId), context);
  }
  if (isOther || newName === undefined || isIgnored(identity[1])) return differences;
  // Without an update, the output would have the old name until the next read.
  return [...differences, { path: [identity[1]], kind: "update" }];
}

/** The same holder, by its ID or by a name that it has, gets in this run or was declared by, is no change. */
function holderDifferences(
  [id, name]: Identity,
  [recorded, ...names]: readonly (string | undefined)[],
  inputs: Properties,
  old: Properties,
) {
  const byName = own(inputs, id) === undefined;
  const property = byName ? name : id;
  const [before, declared] = [own(old, property), own(inputs, property)];
  const same = byName ? [before, ...names] : [recorded];
  if (same.some((value) => value === declared)) return [];
  return [{ path: [property], kind: changeKind(before, declared), replace: !hasUnknown(declared) }];
}

/** Claims what was found or recorded of a holder. @throws RefusedError if another resource has claimed it */
export function claimFound(
  kind: GrantKind,
  declared: HolderIdentity,
  found: FoundHolder,
  context: Parameters<GrantKind["claim"]>[2],
): void {
  const rival = kind.claim(declared, found, context);
  if (rival !== undefined) throw new RefusedError(conflict(kind, found, context.projectId, rival));
}

/** Two resources of one holder would overwrite each other's roles. */
function conflict(kind: GrantKind, holder: HolderIdentity, projectId: string, rival: string): string {
  return `${textOf(kind, holder)} in project ${projectId} is already declared by ${rival}: each would overwrite the other's roles. Remove one of them from the program.`;
}

/** What is refused, as the predicate of a sentence. */
export function withoutRoles(projectId: string): string {
  return `keeps its roles in project ${projectId}`;
}

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function recordedGrant(identity: Identity, state: Properties, id: string): RecordedGrant {
  const recorded = recordedAs<RecordedGrant>(state);
  const [idProperty, nameProperty] = identity;
  const parts = splitId(id);
  return {
    projectId: recorded.projectId ?? parts.placeId,
    id: textIn(state, idProperty) ?? parts.name,
    name: textIn(state, nameProperty),
    roles: recorded.roles ?? [],
    orgId: recorded.orgId,
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export function toState([idProperty, nameProperty]: Identity, grant: RecordedGrant): Properties {
  const { id, name, ...recorded } = grant;
  return toProperties({ ...recorded, [idProperty]: id, [nameProperty]: name });
}

/** The predictable outputs of a preview. */
export function previewState(
  { identity, keepsName, onDestroy }: GrantKind,
  inputs: Properties & GrantInputs,
  holder?: FoundHolder,
  recorded?: RecordedGrant,
): Properties {
  const [idProperty, nameProperty] = identity;
  const [id, name] = [own(inputs, idProperty), own(inputs, nameProperty)];
  const namedAs = keepsName ? (name ?? holder?.name) : ((recorded && holder?.name) ?? name);
  return toProperties({
    orgId: UNKNOWN,
    origin: UNKNOWN,
    ...(recorded && toState(identity, recorded)),
    ...inputs,
    [idProperty]: hasUnknown([id, name]) ? UNKNOWN : (holder?.id ?? id ?? UNKNOWN),
    [nameProperty]: namedAs ?? UNKNOWN,
    onDestroy: onDestroy.inPreview(inputs),
  });
}
