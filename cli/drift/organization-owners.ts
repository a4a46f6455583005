/** Who owns an organization. A file that lists its owners completely makes every other one a difference. */

import type { Membership } from "../../provider/access/person";
import { canOwn, owningRoles, type RoleAbove, unknownRights } from "../../provider/access/rights";
import { ORGANIZATION_FILE_TYPE } from "../../provider/component";
import { pathText } from "../../provider/resources/contract/property-path";
import { orReason } from "../lib/access/reading";
import { type LiveKey, readKeysOfOrganization, readPeopleOfOrganization } from "../lib/organization";
import { logicalName } from "../lib/own-resources";
import type { StackState } from "../lib/stacks";
import type { Search } from "./find-undeclared";
import type { Finding, Undetermined, UnmanagedRow } from "./report/model";
import type { Declared } from "./undeclared";

/** An organization whose owners a file lists completely. */
export interface CompleteOrganization {
  /** The component of the file. */
  readonly urn: string;
  readonly stack: string;
  readonly orgId: string;
}

/** As the components of the state record them. */
export function completeOrganizations({ stack, components }: StackState): CompleteOrganization[] {
  return components.flatMap(({ urn, type, outputs: { orgId, complete } = {} }) =>
    type === ORGANIZATION_FILE_TYPE && complete !== undefined && typeof orgId === "string"
      ? [{ urn, stack, orgId: orgId.toLowerCase() }]
      : [],
  );
}

/** The roles that own an organization, make owners, or may do so for all that this version knows. */
function rightsAmong(roles: readonly string[]): string[] {
  return [...owningRoles(roles), ...unknownRights(roles)];
}

/** Those that count in all organizations. */
function rolesOfService(rolesAbove: readonly RoleAbove[] = []): string[] {
  return rolesAbove.filter(({ orgId }) => orgId === undefined).map(({ role }) => role);
}

/** Such roles of a person of the organization, of it or of the whole service, also those that are offered. */
export function rightsOfPerson({ roles, invitations, ...person }: Membership): string[] {
  const above = person.status === "active" ? (person.rolesAbove ?? []) : [];
  const offered = invitations.flatMap((invitation) => invitation.roles);
  return rightsAmong([...new Set([...roles, ...offered, ...rolesOfService(above)])]);
}

/** Such roles of an API key of the organization. */
export function rightsOfKey({ roles, rolesAbove }: LiveKey): string[] {
  return rightsAmong([...roles, ...rolesOfService(rolesAbove)]);
}

interface Found {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
}

/** Reads the people and API keys of each organization and finds the owners whom nothing declares. */
export async function findOtherOwners(
  search: Search,
  organizations: readonly CompleteOrganization[],
): Promise<Found> {
  const found: Found[] = [];
  for (const organization of organizations) found.push(await ofOrganization(search, organization));
  return {
    findings: found.flatMap(({ findings }) => findings),
    undetermined: found.flatMap(({ undetermined }) => undetermined),
  };
}

async function ofOrganization(search: Search, organization: CompleteOrganization): Promise<Found> {
  const { client, signal, declared, ownKeys } = search;
  const { urn: what, stack, orgId } = organization;
  const undetermined: Undetermined[] = [];
  const holders = async () => ({
    people: await readPeopleOfOrganization(client, orgId, { signal }),
    keys: await readKeysOfOrganization(client, orgId, { signal }),
  });
  const read = (await orReason(holders(), signal)).take((why) => {
    const reason = `The owners of organization ${orgId} cannot be read, so undeclared ones would not be found: ${why}`;
    undetermined.push({ what, reason, stack });
  });
  if (read === undefined) return { findings: [], undetermined };
  const keys = read.keys.filter(({ publicKey }) => !ownKeys.has(publicKey));
  return otherOwners(declared, organization, { people: read.people, keys });
}

interface Holder {
  readonly property: "members" | "apiKeys";
  readonly object: Pick<NonNullable<Finding["object"]>, "what" | "name" | "status">;
  readonly rights: readonly string[];
}

/** Pure. */
export function otherOwners(
  { owners, planned, comparison }: Declared,
  { urn, stack, orgId }: CompleteOrganization,
  { people, keys }: { readonly people: readonly Membership[]; readonly keys: readonly LiveKey[] },
): Found {
  const declaredPeople = [owners, planned].map((each) => each.among(orgId, people));
  const holders: Holder[] = [
    ...people
      .filter((person) => !declaredPeople.some((set) => set.has(person)))
      .map((person): Holder => {
        const { username: name, status } = person;
        return {
          property: "members",
          object: { what: "person", name, status },
          rights: rightsOfPerson(person),
        };
      }),
    ...keys
      .filter((key) => !owners.declares(orgId, { ...key, kind: "API key" }))
      .map((key): Holder => {
        return {
          property: "apiKeys",
          object: { what: "key", name: key.publicKey },
          rights: rightsOfKey(key),
        };
      }),
  ];
  const facts = { stack, urn, type: ORGANIZATION_FILE_TYPE, name: logicalName(urn), comparison };
  const place = { in: "organization", containerId: orgId, containerName: orgId } as const;
  const doubtful = holders.filter(({ rights }) => rights.length > 0 && !canOwn(rights));
  return {
    findings: holders
      .filter(({ rights }) => canOwn(rights))
      .map(({ property, object, rights }) => ({
        ...{ ...facts, cause: "outside", kind: "undeclared" },
        property: pathText([property, object.name]),
        live: rights,
        object: { ...object, ...place },
      })),
    undetermined: [...new Set(doubtful.flatMap(({ rights }) => rights))].map((role) => ({
      what: `role ${role} in organization ${orgId}`,
      reason: `This version does not know whether ${role} owns the organization or makes owners. It has holders who are not declared. Declare them, or accept the role with an ignore rule of the kind unreadable.`,
      stack,
    })),
  };
}

/** The unmanaged objects that are no difference already. */
export function withoutOwnersFound(
  rows: readonly UnmanagedRow[],
  findings: readonly Finding[],
): UnmanagedRow[] {
  const identity = (orgId: string | undefined, id: string) => `${orgId} ${id.toLowerCase()}`;
  const found = new Set(
    findings.flatMap(({ object }) =>
      object?.in === "organization" ? [identity(object.containerId, object.name)] : [],
    ),
  );
  return rows.filter(
    ({ kind, orgId, holder }) =>
      (kind !== "owners" && kind !== "ownerKeys") || !found.has(identity(orgId, holder.id)),
  );
}
