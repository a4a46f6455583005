/** The methods of a resource that every kind of members has; among them, how it checks and compares what a program declares. */

import { sameName } from "../../access/person";
import { checkedAs } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { textIn } from "../contract/declared";
import { changeKind, type Difference, setDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { CheckRequest, CheckResult, DiffRequest, Resource } from "../contract/resource";
import { hasUnknown, known, type Properties } from "../contract/values";
import { roleFailures, warnOfUnknownRoles } from "../people/inputs";
import { remove } from "./delete";
import type { MemberInputs, MemberPort, MemberState } from "./port";
import { read } from "./read";
import { asMemberState, declaredIdentity, observe, placeIdOf } from "./record";
import { create, update } from "./write";

export function memberMethods(port: MemberPort) {
  return {
    inputs: port.inputs,
    check: (request) => check(port, request),
    diff: (request) => diff(port, request),
    create: (request) => create(port, request),
    read: (request) => read(port, request),
    update: (request) => update(port, request),
    delete: (request) => remove(port, request),
    // The person is added or invited again.
    restoredBy: () => "update",
    changesByItself: ({ status }) => status === "pending",
  } satisfies Partial<Resource>;
}

function check(port: MemberPort, request: CheckRequest): CheckResult {
  const { context } = request;
  const forms = { [port.placeProperty]: lowerId, userId: lowerId, invitationId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(port.inputs, forms, request, (given) => [
    ...port.failuresIn(given),
    ...roleFailures(given.roles, ["roles"], port.roles),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, context.log, port.roles);
  const placeId = textIn(checked.inputs, port.placeProperty);
  if (placeId === undefined) return checked;
  const rival = port.claim(declaredIdentity(checkedAs<MemberInputs>(checked.inputs)), placeId, context);
  return rival === undefined ? checked : { ...checked, failures: [rival] };
}

function diff(port: MemberPort, request: DiffRequest): Difference[] {
  const { id, state, inputs, ignoreChanges, context } = request;
  const recorded = asMemberState(port, state, id);
  const declared = checkedAs<MemberInputs>(inputs);
  const before = checkedAs<MemberInputs>(request.oldInputs);
  observe(port, id, recorded.origin, before, context, recorded);
  const placeId = placeIdOf(port, state, id);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...placeDifferences(port, placeId, inputs),
    ...identityDifferences(recorded, declared, before),
    ...roleDifferences(recorded, declared, before),
    ...port.onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const subject: readonly string[] = [port.placeProperty, ...IDENTITY];
  const isSame = !differences.some(({ path }) => subject.includes(String(path[0])));
  if (isSame) port.claimRecorded(recorded, declaredIdentity(declared), placeId, context);
  return differences;
}

/** Another place replaces the resource. */
function placeDifferences({ placeProperty }: MemberPort, placeId: string, inputs: Properties): Difference[] {
  const declared = inputs[placeProperty];
  if (declared === placeId) return [];
  return [{ path: [placeProperty], kind: "update", replace: !hasUnknown(declared), byProgram: true }];
}

const IDENTITY = ["userId", "username", "invitationId"] as const;

/**
 * Another person replaces this one; the same one, however the program names them, is no change. An
 * invitation that was accepted, and an account that was renamed, still are who the program named
 * before.
 */
function identityDifferences(
  state: MemberState,
  inputs: MemberInputs,
  oldInputs: MemberInputs,
): Difference[] {
  const declared = IDENTITY.filter((property) => inputs[property] !== undefined);
  const kindOf = (property: (typeof IDENTITY)[number]) => changeKind(oldInputs[property], inputs[property]);
  const unknown = declared.find((property) => hasUnknown(inputs[property]));
  if (unknown) return [{ path: [unknown], kind: kindOf(unknown) }];
  const isRecorded = (property: (typeof IDENTITY)[number]) =>
    [state[property], known(oldInputs[property])].some((recorded) =>
      property === "username" ? sameName(recorded, known(inputs.username)) : recorded === inputs[property],
    );
  const unmatched = declared.filter((property) => !isRecorded(property));
  const [firstUnmatched] = unmatched;
  if (firstUnmatched === undefined) return [];
  // One matching identity is enough for an update, which verifies the others and reports a
  // conflict.
  return [
    { path: [firstUnmatched], kind: kindOf(firstUnmatched), replace: unmatched.length === declared.length },
  ];
}

function roleDifferences(state: MemberState, { roles }: MemberInputs, oldInputs: MemberInputs): Difference[] {
  if (roles === undefined) {
    return oldInputs.roles === undefined ? [] : [{ path: ["roles"], kind: "delete", inputDiff: true }];
  }
  if (hasUnknown(roles)) return [{ path: ["roles"], kind: changeKind(oldInputs.roles, roles) }];
  if (state.roles === undefined) return [{ path: ["roles"], kind: "add" }];
  const differences = setDifferences(["roles"], state.roles, checkedAs<readonly string[]>(roles));
  return oldInputs.roles === undefined && differences.length > 0
    ? [{ path: ["roles"], kind: "add" }]
    : differences;
}
