/** The methods of a resource that every kind of members has; among them Check, Diff and Delete. */

import { type Identity, memberName, sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { checkedAs } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { textIn } from "../contract/declared";
import { changeKind, type Difference, placeDifferences, setDifferences } from "../contract/difference";
import { roleFailures, warnOfUnknownRoles } from "../contract/people-inputs";
import { ignoresProperty } from "../contract/property-path";
import type { CheckRequest, CheckResult, DeleteRequest, DiffRequest, Resource } from "../contract/resource";
import { hasUnknown, known } from "../contract/values";
import { isOperationNotOffered } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { leaverFrom } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { Claims } from "../session/claims";
import type { MemberInputs, MemberPlace, MemberPort, MemberState } from "./port";
import { read } from "./read";
import {
  asMemberState,
  declaredIdentity,
  findRecorded,
  notRemoved,
  observe,
  placeIdOf,
  withoutMembers,
} from "./record";
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
    ...placeDifferences(port.placeProperty, placeId, inputs[port.placeProperty]),
    ...identityDifferences(recorded, declared, before),
    ...roleDifferences(recorded, declared, before),
    ...port.onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const subject: readonly string[] = [port.placeProperty, ...IDENTITY];
  const isSame = !differences.some(({ path }) => subject.includes(String(path[0])));
  if (isSame) port.claimRecorded(recorded, declaredIdentity(declared), placeId, context);
  return differences;
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

async function remove(port: MemberPort, request: DeleteRequest): Promise<void> {
  const { id, state, oldInputs, context } = request;
  const recorded = asMemberState(port, state, id);
  const inputs = checkedAs<MemberInputs>(oldInputs);
  const place = port.place(placeIdOf(port, state, id), context);
  const name = memberName(recorded);
  const { session, log, urn } = context;
  const declared = declaredIdentity(inputs);
  const protectorOf = (seen: readonly Identity[], deleted?: string) =>
    session.of(Claims).declarerOf(leaverFrom(place.id, recorded, declared, ...seen), deleted);
  // A replacement that deletes first creates next, and then finds this person if they stay.
  const observeOwn = (...seen: readonly Identity[]): void => {
    if (protectorOf(seen) === urn) observe(port, id, recorded.origin, inputs, context, recorded);
  };
  observeOwn();
  if (port.onDestroy.effective(inputs) === "release") {
    log.info(`${name} was released and is not changed in ${place.text}.`);
    return;
  }
  /** Another resource may declare a renamed account by its previous name. */
  const isKept = (...seen: readonly Identity[]): boolean => {
    observeOwn(...seen);
    const declarer = protectorOf(seen, urn);
    if (declarer === undefined) return false;
    log.info(`${name} in ${place.text} was kept because ${declarer} declares this person.`);
    return true;
  };
  if (isKept()) return;
  await removeRecorded(port, recorded, declared, isKept, place).catch((error: unknown) => {
    const isNotOffered = error instanceof RefusedError && isOperationNotOffered(error.cause);
    if (!isNotOffered || port.onDestroy.effective(inputs) !== "removeIfOffered") throw error;
    log.warn(
      `${name} stays in ${place.text}: the service offers no operation to remove people. The resource leaves the stack. Remove the person in the service's web interface.`,
    );
  });
}

async function removeRecorded(
  port: MemberPort,
  recorded: MemberState,
  declared: Identity,
  isKept: (...seen: readonly Identity[]) => boolean,
  place: MemberPlace,
): Promise<void> {
  const lists = await place.lists("gathered");
  const { people, who } = await findRecorded(port, recorded, declared, lists, place);
  if (people.members instanceof Refusal) {
    return withoutMembers(port, people.members).remove(people.members, recorded, place, isKept);
  }
  if (who === "unknown") {
    throw new RefusedError(
      `${notRemoved(recorded, place)}: these credentials may not read the account, so the provider cannot tell whether an invitation is theirs. These credentials need the role Project User Admin in a project of this account. Or set onDestroy to "release" and run pulumi up.`,
    );
  }
  const { invitationId } = recorded;
  const isInvited = invitationId !== undefined;
  // The invitation of a member who has left is still this resource's own.
  const membership =
    findMembership(people, who) ?? (isInvited ? findMembership(people, { invitationId }) : undefined);
  // A member may still have the recorded invitation. If that cannot be read, it cannot be deleted,
  // and its record would be lost.
  const isRecorded = isInvited || who.invitationId !== undefined;
  const unread = isInvited || !membership ? place.unknownInvitations(people, isRecorded) : undefined;
  if (unread !== undefined) throw unread.error;
  // Checked again: a resource that was created during the read may have claimed the person.
  if (membership && !isKept(membership)) await port.remove(membership, recorded, declared, place);
}
