/** What a stack declares of one access, as `access` and `offboard` show it. Pure. */

import { type Identity, sameName } from "../../../provider/access/person";
import { type Access, teamAt } from "../../../provider/access/places";
import { toProperties } from "../../../provider/resources/contract/border";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { recordsIn, textIn } from "../../../provider/resources/contract/declared";
import { withoutAddedRole } from "../../../provider/resources/contract/roles";
import { inOrder, isRecord } from "../../../provider/resources/contract/values";
import { overdueOf } from "../last-day";
import type { StateResource } from "../stack-export";
import type { Declarations } from "./declared";
import { ownerOf } from "./judge";
import type { LiveAccess } from "./live";
import type { AccessEntry } from "./report";

/** The resources of a state; `undefined` if it was not read. */
export type OfState = Declarations<StateResource> | undefined;

type Declaration = Pick<
  AccessEntry,
  | "declaredBy"
  | "declaredRoles"
  | "areDeclaredRolesUnknown"
  | "until"
  | "endedAt"
  | "overdueSince"
  | "overdueReason"
>;

/** @param ofTeams roles that teams give: some versions show them among the roles of a person */
export function declarationOf(
  declared: OfState,
  { place, team, holder, roles: live }: LiveAccess,
  ofTeams: readonly string[],
): Declaration {
  if (declared === undefined) return {};
  const owner = ownerOf(place);
  if (holder.kind === "group")
    return { declaredBy: declared.declaringMappings(owner, holder.property).map(({ urn }) => urn) };
  const own = declared.of(owner, team ? teamAt(team) : holder);
  const person = team === undefined && holder.kind === "person" ? holder : undefined;
  // A secret list may declare the person.
  if (own.length === 0 && person && declared.hidesPeople(owner)) return {};
  const roles = own.flatMap((each) =>
    each.status !== "lasting" || each.roles === undefined ? [] : [each.roles],
  );
  const known = roles.find((each) => each !== "unknown");
  return {
    declaredBy: own.map(({ resource }) => resource.urn),
    declaredRoles: known && differ(live, ofTeams, known) ? [...known].sort(inOrder) : undefined,
    ...own.map(({ resource }) => endOf(resource, person)).find(({ until }) => until !== undefined),
    areDeclaredRolesUnknown: known === undefined && roles.length > 0 ? true : undefined,
  };
}

function endOf(resource: StateResource, person: Identity | undefined): Declaration {
  const { until, endedAt, record } = recordedEnd(resource, person);
  if (until === undefined) return {};
  return { until, ...(endedAt === undefined ? overdueOf(until, record) : { endedAt }) };
}

/** The last day of a resource, or of one person in its list, and what is recorded of it. */
function recordedEnd({ inputs = {}, outputs = {} }: StateResource, person: Identity | undefined) {
  const [given, recorded] = [toProperties(inputs), toProperties(outputs)];
  const { until: days } = given;
  if (!isRecord(days))
    return { until: textIn(given, "until"), endedAt: textIn(recorded, "endedAt"), record: recorded };
  const [name = "", until] = Object.entries(days).find(([each]) => sameName(each, person?.username)) ?? [];
  const record = recordsIn(recorded.ends).find(({ username }) => username === name) ?? {};
  return { until: knownTexts([until])[0], endedAt: textIn(record, "endedAt"), record };
}

/** An access that ended, by the record of the resource. */
export interface EndedAccess extends Required<Pick<AccessEntry, "until" | "endedAt">> {
  readonly urn: string;
  readonly access: Access;
  /** Of a project or a team. */
  readonly orgId: string | undefined;
}

/** What ended, whether or not somebody has brought it back. */
export function endedIn(declared: OfState): EndedAccess[] {
  return (declared?.ends() ?? []).flatMap(({ resource, access }) => {
    const { holder } = access;
    const { until, endedAt } = recordedEnd(resource, holder.kind === "person" ? holder : undefined);
    if (until === undefined || endedAt === undefined) return [];
    const orgId = textIn(toProperties(resource.outputs ?? {}), "orgId");
    return { urn: resource.urn, access, orgId, until, endedAt };
  });
}

function differ(shown: readonly string[], ofTeams: readonly string[], declared: readonly string[]): boolean {
  const live = withoutAddedRole(shown, declared);
  const isMissing = declared.some((role) => !live.includes(role));
  return isMissing || live.some((role) => !declared.includes(role) && !ofTeams.includes(role));
}
