/** A resource of one person in one place: what every kind of members does, including Check, Diff and Delete. */

import { type Identity, memberName, sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { checkedAs } from "../contract/border";
import { lowerId, sortedTexts } from "../contract/canonical";
import { checkedInputs } from "../contract/checked-inputs";
import { textIn } from "../contract/declared";
import { changeKind, type Difference, placeDifferences, setDifferences } from "../contract/difference";
import { roleFailures, warnOfUnknownRoles } from "../contract/people-inputs";
import { ignoresProperty } from "../contract/property-path";
import {
  type CheckRequest,
  type CheckResult,
  type DeleteRequest,
  type DiffRequest,
  plannedId,
  type Resource,
} from "../contract/resource";
import { hasUnknown, known } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { leaverFrom, refuseConflict } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { Claims } from "../session/claims";
import type {
  MemberDeclaration,
  MemberInputs,
  MemberKind,
  MemberPlace,
  MemberPort,
  MemberState,
} from "./port";
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

export function memberResource<Name extends MemberKind["name"]>(
  { placeProperty, importedBy, roles, onDestroy, ...parts }: MemberDeclaration<Name>,
  port: MemberPort,
): Resource<Name> {
  const kind: MemberKind = { placeProperty, importedBy, roles, onDestroy, ...parts, ...port };
  return {
    ...parts,
    check: (request) => check(kind, request),
    diff: (request) => diff(kind, request),
    create: (request) => create(kind, request),
    read: (request) => read(kind, request),
    update: (request) => update(kind, request),
    delete: (request) => remove(kind, request),
    // The person is added or invited again.
    restoredBy: () => "update",
    changesByItself: ({ status }) => status === "pending",
    subject: (inputs) => plannedId(parts.duties, inputs),
  };
}

function check(kind: MemberKind, request: CheckRequest): CheckResult {
  const { context } = request;
  const forms = { [kind.placeProperty]: lowerId, userId: lowerId, invitationId: lowerId, roles: sortedTexts };
  const checked = checkedInputs(kind.inputs, forms, request, (given) => [
    ...kind.failuresIn(given),
    ...roleFailures(given.roles, ["roles"], kind.roles),
  ]);
  if (checked.failures.length > 0) return checked;
  warnOfUnknownRoles(checked.inputs.roles, context.log, kind.roles);
  const placeId = textIn(checked.inputs, kind.placeProperty);
  if (placeId === undefined) return checked;
  const rival = kind.claim(declaredIdentity(checkedAs<MemberInputs>(checked.inputs)), placeId, context);
  return rival === undefined ? checked : { ...checked, failures: [rival] };
}

function diff(kind: MemberKind, request: DiffRequest): Difference[] {
  const { id, state, inputs, ignoreChanges, context } = request;
  const recorded = asMemberState(kind, state, id);
  const declared = checkedAs<MemberInputs>(inputs);
  const before = checkedAs<MemberInputs>(request.oldInputs);
  observe(kind, id, recorded.origin, before, context, recorded);
  const placeId = placeIdOf(kind, state, id);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...placeDifferences(kind.placeProperty, placeId, inputs[kind.placeProperty]),
    ...identityDifferences(recorded, declared, before),
    ...roleDifferences(recorded, declared, before),
    ...kind.onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const subject: readonly string[] = [kind.placeProperty, ...IDENTITY];
  const isSame = !differences.some(({ path }) => subject.includes(String(path[0])));
  if (isSame) refuseConflict(kind.claimRecorded(recorded, declaredIdentity(declared), placeId, context));
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

async function remove(kind: MemberKind, request: DeleteRequest): Promise<void> {
  const { id, state, oldInputs, context } = request;
  const recorded = asMemberState(kind, state, id);
  const inputs = checkedAs<MemberInputs>(oldInputs);
  const place = kind.place(placeIdOf(kind, state, id), context);
  const name = memberName(recorded);
  const { session, log, urn } = context;
  const declared = declaredIdentity(inputs);
  const protectorOf = (seen: readonly Identity[], deleted?: string) =>
    session.of(Claims).declarerOf(leaverFrom(place.id, recorded, declared, ...seen), deleted);
  // A replacement that deletes first creates next, and then finds this person if they stay.
  const observeOwn = (...seen: readonly Identity[]): void => {
    if (protectorOf(seen) === urn) observe(kind, id, recorded.origin, inputs, context, recorded);
  };
  observeOwn();
  const onDestroy = kind.onDestroy.effective(inputs);
  if (onDestroy === "release") {
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
  await place
    .sharingReads(() => removeRecorded(kind, recorded, declared, isKept, place))
    .catch((error: unknown) => kind.removalFailed(error, recorded, onDestroy, place));
}

async function removeRecorded(
  kind: MemberKind,
  recorded: MemberState,
  declared: Identity,
  isKept: (...seen: readonly Identity[]) => boolean,
  place: MemberPlace,
): Promise<void> {
  const lists = await place.lists("gathered");
  const { people, who } = await findRecorded(kind, recorded, declared, lists, place);
  if (people.members instanceof Refusal) {
    return withoutMembers(kind, people.members).remove(people.members, recorded, place, isKept);
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
  if (membership && !isKept(membership)) await kind.remove(membership, recorded, declared, place);
}
