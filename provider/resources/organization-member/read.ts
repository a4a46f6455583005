/** Reads one person of an organization, for a refresh and for an import. */

import { importedParts } from "../../text/object-id";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { known } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { announceExpiry } from "../people/expired-invitations";
import { OrganizationPeopleCache, unknownInvitations } from "../reads/organization-people";
import { entriesOf } from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import { asOrganizationMemberInputs } from "./inputs";
import {
  asOrganizationMemberState,
  observationOf,
  organizationMemberId,
  personIn,
  toOrganizationMemberState,
} from "./state";

export async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return importMember(id, context);
  const recorded = asOrganizationMemberState(state, id);
  const inputs = asOrganizationMemberInputs(oldInputs);
  const { orgId, origin, invitationId } = recorded;
  const { session, signal, urn } = context;
  const declaredAs = known(inputs.username);
  session.of(ObservationLog).record(urn, observationOf(id, origin, declaredAs));
  const { people: reads } = session.of(OrganizationPeopleCache);
  const declaredName = declaredAs ?? recorded.username;
  let people = await reads.shared(orgId, signal);
  let person = personIn(people, declaredName, recorded);
  const refusalIn = () =>
    people.members instanceof Refusal
      ? people.members
      : unknownInvitations(people, invitationId !== undefined);
  if (person === undefined && refusalIn() === undefined) {
    // Who accepts an invitation between the two requests is in neither list.
    people = await reads.fresh(orgId, signal);
    person = personIn(people, declaredName, recorded);
  }
  const refusal = refusalIn();
  if (people.members instanceof Refusal || (person === undefined && refusal !== undefined)) {
    warnOfUnread("organization people", orgId, refusal?.error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  if (person === undefined) {
    announceExpiry(recorded, { orgId }, context);
    return undefined;
  }
  const live = toOrganizationMemberState(orgId, person, inputs, origin);
  session.of(ObservationLog).record(urn, observationOf(id, origin, declaredAs, live));
  return { id, state: toProperties(live), inputs: withForms(oldInputs, { roles: () => live.roles }) };
}

/** Imports by the name of the person, or by the ID of the account. */
async function importMember(id: string, { session, signal }: Context): Promise<ReadResult | undefined> {
  const { ownerId: orgId, name } = importedParts(
    id,
    "a person of an organization: an OrganizationMember is imported by <orgId>/<username> or <orgId>/<user id>.",
  );
  const people = await session.of(OrganizationPeopleCache).people.shared(orgId, signal);
  if (people.members instanceof Refusal) throw people.members.error;
  const byId = entriesOf(people.members).find(({ userId }) => userId === name.toLowerCase());
  const person = personIn(people, byId?.username ?? name);
  if (person === undefined) {
    const refusal = unknownInvitations(people, false);
    if (refusal !== undefined) throw refusal.error;
    return undefined;
  }
  const state = toOrganizationMemberState(orgId, person, {}, "imported");
  const { username, roles } = state;
  return {
    id: organizationMemberId(orgId, username),
    state: toProperties(state),
    inputs: { orgId, username, roles },
  };
}
