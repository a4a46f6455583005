/** Reads one member: for a refresh by all recorded identities, for an import by one name or ID; and lists all. */

import type { Identity, Membership } from "../../access/person";
import { formatNotice } from "../../text/notices";
import { importedParts } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import { textIn } from "../contract/declared";
import type { ListedObject } from "../contract/listing";
import type { Context, CreateResult, ReadRequest, ReadResult } from "../contract/resource";
import type { Properties } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { allMemberships, findMembership } from "../people/memberships";
import { announceExpiry, peopleSubjects } from "../people/place";
import type { PeopleLists } from "../reads/project-people";
import type { MemberInputs, MemberKind, MemberPlace, MemberState, Presence } from "./port";
import {
  asMemberState,
  declaredIdentity,
  findRecorded,
  memberId,
  observe,
  placeIdOf,
  toMemberState,
  withoutAccess,
  withoutRecordedTeamRoles,
  withRecordedInvitation,
} from "./record";

export async function read(kind: MemberKind, request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs, context, isEnd = false } = request;
  if (state === undefined || oldInputs === undefined) return importMember(kind, id, context);
  const recorded = asMemberState(kind, state, id);
  const inputs = checkedAs<MemberInputs>(oldInputs);
  const place = kind.place(placeIdOf(kind, state, id), context);
  observe(kind, id, recorded.origin, inputs, context);
  const lists = await place.lists("shared");
  const declared = declaredIdentity(inputs);
  const { people, who } = await findRecorded(kind, recorded, declared, lists, place, isEnd);
  const retained = { id, state: toProperties(recorded), inputs: oldInputs, isRetained: true };
  if (who === "unknown") {
    warnOfUnreadAccount(recorded, place);
    return retained;
  }
  const presence = await presenceOf(kind, recorded, who, people, place);
  if (presence === "deleted") {
    if (!isEnd) announceExpiry(recorded, place, context);
    return undefined;
  }
  if (presence instanceof Refusal) {
    warnOfUnread(peopleSubjects[place.kind], place.id, presence.error, context);
    return retained;
  }
  if (presence === "unverified")
    return { ...retained, state: toProperties({ ...recorded, status: presence }) };
  const found = await withoutRecordedTeamRoles(presence, recorded, place);
  const facts = await place.facts(recorded);
  const current = toMemberState(kind, place.id, found, inputs, recorded.origin, facts);
  const live = withRecordedInvitation(current, recorded, people, place);
  observe(kind, id, recorded.origin, inputs, context, live);
  const roles = [...(live.roles ?? [])];
  return { id, state: toProperties(live), inputs: withForms(oldInputs, { roles: () => roles }) };
}

function warnOfUnreadAccount(
  { userId }: MemberState,
  { kind, id, text, context: { log } }: MemberPlace,
): void {
  log.warn(
    formatNotice(
      { code: "unreadable", subject: peopleSubjects[kind], placeId: id },
      `User ${userId} cannot be read with these credentials, so the provider cannot tell whether an invitation to ${text} is theirs. The state keeps the last known values. These credentials need the role Project User Admin in a project of this account.`,
    ),
  );
}

async function presenceOf(
  kind: MemberKind,
  recorded: MemberState,
  who: Identity,
  people: PeopleLists,
  place: MemberPlace,
): Promise<Presence> {
  const membership = findMembership(people, who);
  const isUnlisted = people.members instanceof Refusal;
  if (membership && !isUnlisted) return membership;
  if (kind.unlisted && (isUnlisted || people.invitations instanceof Refusal))
    return kind.unlisted.read(recorded, people, place);
  const refusal = isUnlisted
    ? people.members
    : place.unknownInvitations(people, recorded.invitationId !== undefined);
  return refusal instanceof Refusal ? refusal : "deleted";
}

/** What a person has who never got it through this resource. Neither the person nor the access need exist. */
export async function findEnded(
  kind: MemberKind,
  given: Properties,
  preview: boolean,
  context: Context,
): Promise<CreateResult> {
  const inputs = checkedAs<MemberInputs>(given);
  const declared = declaredIdentity(inputs);
  const placeId = textIn(given, kind.placeProperty) ?? "";
  const place = kind.place(placeId, context);
  const id = memberId(placeId, declared);
  const recorded: MemberState = {
    ...asMemberState(kind, toProperties({ ...declared, [kind.placeProperty]: placeId }), id),
    status: "unverified",
    origin: "created",
    onDestroy: kind.onDestroy.effective(inputs),
  };
  return place.sharingReads(async () => {
    const lists = await place.lists(preview ? "shared" : "gathered");
    const { people, who } = await findRecorded(kind, recorded, declared, lists, place, true);
    // Without a list, the removal itself decides.
    if (people.members instanceof Refusal || who === "unknown") return { id, state: toProperties(recorded) };
    const membership = findMembership(people, who);
    const unread = membership ? undefined : place.unknownInvitations(people, false);
    if (unread !== undefined) throw unread.error;
    const facts = preview ? {} : await place.facts();
    if (membership === undefined)
      return { id, state: withoutAccess(toProperties({ ...recorded, ...facts })) };
    return { id, state: toProperties(toMemberState(kind, placeId, membership, inputs, "adopted", facts)) };
  });
}

/** Imports by exact name, then by ID. */
async function importMember(kind: MemberKind, id: string, context: Context): Promise<ReadResult | undefined> {
  const { placeProperty, importedBy } = kind;
  const forms = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    importedBy.map((property) => `<${placeProperty}>/<${property}>`),
  );
  const { placeId, name } = importedParts(id, `a person: ${kind.name} is imported by ${forms}.`);
  const place = kind.place(placeId, context);
  const imported = await findImported(kind, name, place);
  if (imported === undefined) return undefined;
  const { membership, by } = imported;
  const state = toMemberState(kind, placeId, membership, {}, "imported", await place.facts());
  const roles = by.username === undefined ? {} : { roles: state.roles };
  return {
    id: memberId(placeId, by),
    state: toProperties(state),
    inputs: toProperties({ [placeProperty]: placeId, ...by, ...roles }),
  };
}

async function findImported(
  kind: MemberKind,
  name: string,
  place: MemberPlace,
): Promise<{ readonly membership: Membership; readonly by: Identity } | undefined> {
  const people = await place.lists("shared");
  const isUnread = people.members instanceof Refusal || people.invitations instanceof Refusal;
  const unlisted = isUnread ? await kind.unlisted?.import(name, people, place) : "search";
  if (kind.unlisted && unlisted !== "search") return unlisted;
  if (people.members instanceof Refusal) throw people.members.error;
  const [membership] = kind.importedBy.flatMap(
    (property) =>
      findMembership(people, { [property]: property === "username" ? name : name.toLowerCase() }) ?? [],
  );
  const refusal = membership ? undefined : place.unknownInvitations(people, false);
  if (refusal !== undefined) throw refusal.error;
  return membership && { membership, by: { username: membership.username } };
}

/**
 * Members and pending invitations, each person once.
 *
 * @param unknown the response because of which it is not known who is invited
 */
export function listedMembers(
  placeId: string,
  people: PeopleLists,
  unknown: Refusal | undefined,
): ListedObject[] {
  const refusal = people.members instanceof Refusal ? people.members : unknown;
  if (refusal !== undefined) throw refusal.error;
  return allMemberships(people).map(({ username }) => ({
    id: memberId(placeId, { username }),
    name: username,
  }));
}
