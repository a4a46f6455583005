/** A resource of one person in one place: what every kind of members does, including Check, Diff and Delete. */

import { type Identity, memberName, OWNER_ROLE, sameName } from "../../access/person";
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
import { howToKeep } from "../contract/until";
import { hasUnknown, known } from "../contract/values";
import { removeAtEnd } from "../evidence/not-offered";
import { Refusal } from "../evidence/refusal";
import { leaverFrom, refuseConflict } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { ORGANIZATION_OWNER } from "../reads/organization-people";
import { entriesOf } from "../reads/project-people";
import { Claims } from "../session/claims";
import type {
  MemberDeclaration,
  MemberInputs,
  MemberKind,
  MemberPlace,
  MemberPort,
  MemberState,
} from "./port";
import { findEnded, read } from "./read";
import {
  asMemberState,
  declaredIdentity,
  ENDED,
  findRecorded,
  notRemoved,
  observe,
  placeIdOf,
  withoutAccess,
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
    ending: {
      subjectDifferences: (request) => subjectDifferences(kind, request),
      isThere: ({ status }) => status !== ENDED,
      loss: (state, id) => {
        const recorded = asMemberState(kind, state, id);
        const { roles = [], status } = recorded;
        const access = status === "pending" ? "the invitation" : roles.join(", ") || "the membership";
        return `${memberName(recorded)} loses ${access} in ${PLACES[kind.placeProperty]} ${placeIdOf(kind, state, id)}`;
      },
      without: withoutAccess,
      find: (inputs, preview, context) => findEnded(kind, inputs, preview, context),
      isLastOwner: ({ id, state, context }) => {
        const place = kind.place(placeIdOf(kind, state, id), context);
        return isLastOwner(asMemberState(kind, state, id), place, OWNER_ROLES[kind.placeProperty]);
      },
      refuse: async ({ id, state, oldInputs, context }) => {
        const place = kind.place(placeIdOf(kind, state, id), context);
        const declared = declaredIdentity(checkedAs<MemberInputs>(oldInputs));
        await kind.refuseEnd?.(asMemberState(kind, state, id), declared, place);
      },
      take: (request) => takeAway(kind, request),
    },
    // The person is added or invited again.
    restoredBy: () => "update",
    changesByItself: ({ status }) => status === "pending",
    subject: (inputs) => plannedId(parts.duties, inputs),
  };
}

const OWNER_ROLES = { projectId: OWNER_ROLE, orgId: ORGANIZATION_OWNER } as const;

async function isLastOwner(
  { status, roles }: MemberState,
  place: MemberPlace,
  ownerRole: string,
): Promise<boolean> {
  if (status !== "active" || !roles?.includes(ownerRole)) return false;
  const { members } = await place.lists("shared");
  return entriesOf(members).filter((member) => member.roles.includes(ownerRole)).length === 1;
}

/** What messages call the place. */
const PLACES = { projectId: "project", orgId: "organization" } as const;

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
  if (placeId === undefined || request.isEnd) return checked;
  const rival = kind.claim(declaredIdentity(checkedAs<MemberInputs>(checked.inputs)), placeId, context);
  return rival === undefined ? checked : { ...checked, failures: [rival] };
}

function diff(kind: MemberKind, request: DiffRequest): Difference[] {
  const { id, state, ignoreChanges, context } = request;
  const recorded = asMemberState(kind, state, id);
  const declared = checkedAs<MemberInputs>(request.inputs);
  const before = checkedAs<MemberInputs>(request.oldInputs);
  observe(kind, id, recorded.origin, before, context, recorded);
  const placeId = placeIdOf(kind, state, id);
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...subjectDifferences(kind, request),
    ...roleDifferences(recorded, declared, before),
    ...kind.onDestroy.differences(declared, before),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  const subject: readonly string[] = [kind.placeProperty, ...IDENTITY];
  const isSame = !differences.some(({ path }) => subject.includes(String(path[0])));
  if (isSame) refuseConflict(kind.claimRecorded(recorded, declaredIdentity(declared), placeId, context));
  return differences;
}

/** The differences because of which the program means another place or person. */
function subjectDifferences(
  kind: MemberKind,
  { id, state, inputs, oldInputs }: Omit<DiffRequest, "ignoreChanges" | "context">,
): Difference[] {
  const recorded = asMemberState(kind, state, id);
  return [
    ...placeDifferences(kind.placeProperty, placeIdOf(kind, state, id), inputs[kind.placeProperty]),
    ...identityDifferences(recorded, checkedAs<MemberInputs>(inputs), checkedAs<MemberInputs>(oldInputs)),
  ];
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
  if (kind.onDestroy.effective(inputs) !== "release") return void (await takeAway(kind, request));
  const { place, observeOwn } = leaving(kind, request);
  observeOwn();
  context.log.info(`${memberName(recorded)} was released and is not changed in ${place.text}.`);
}

/** Removes the person, unless another resource declares them. */
async function takeAway(kind: MemberKind, request: DeleteRequest): Promise<"gone" | "kept"> {
  const { id, state, context } = request;
  const recorded = asMemberState(kind, state, id);
  const { place, declared, protectorOf, observeOwn } = leaving(kind, request);
  observeOwn();
  let isStaying = false;
  /** Another resource may declare a renamed account by its previous name. */
  const isKept = (...seen: readonly Identity[]): boolean => {
    observeOwn(...seen);
    const declarer = protectorOf(seen, context.urn);
    if (declarer === undefined) return false;
    isStaying = true;
    const name = memberName(recorded);
    context.log.info(`${name} in ${place.text} was kept because ${declarer} declares this person.`);
    return true;
  };
  if (isKept()) return "kept";
  await place
    .sharingReads(() => removeRecorded(kind, recorded, declared, isKept, place))
    .catch((error: unknown) => kind.removalFailed(error, recorded, place));
  return isStaying ? "kept" : "gone";
}

/** Whom a removal concerns, and what protects them. */
function leaving(kind: MemberKind, { id, state, oldInputs, context }: DeleteRequest) {
  const recorded = asMemberState(kind, state, id);
  const inputs = checkedAs<MemberInputs>(oldInputs);
  const { session, urn } = context;
  const place = kind.place(placeIdOf(kind, state, id), context);
  const declared = declaredIdentity(inputs);
  const protectorOf = (seen: readonly Identity[], deleted?: string) =>
    session.of(Claims).declarerOf(leaverFrom(place.id, recorded, declared, ...seen), deleted);
  // A replacement that deletes first creates next, and then finds this person if they stay.
  const observeOwn = (...seen: readonly Identity[]): void => {
    if (protectorOf(seen) === urn) observe(kind, id, recorded.origin, inputs, context, recorded);
  };
  return { place, declared, protectorOf, observeOwn };
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
      `${notRemoved(recorded, place)}: these credentials may not read the account, so the provider cannot tell whether an invitation is theirs. These credentials need the role Project User Admin in a project of this account. ${howToKeep(place.context.end, 'Or set onDestroy to "release" and run pulumi up.')}`,
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
  if (membership && !isKept(membership))
    await removeAtEnd(() => kind.remove(membership, recorded, declared, place), place.context);
}
