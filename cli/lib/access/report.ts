/** The result of `opsmanager access`, as the JSON format has it. */
import type { Access, GroupSource, Holder, Place } from "../../../provider/access/places";
import type { LastEvent } from "../last-event";
import type { Unread } from "./reading";

/** `own role`, `team` and `group mapping` are of the place of the access itself. */
export type Way =
  | "own role"
  | "team"
  | "group mapping"
  | "invitation"
  | "organization role"
  | "group mapping of the organization"
  | "invitation to the organization"
  | "global role";

/** `ending`: it has a last day. `unknown`: no stack was read, or it keeps that secret. */
export type DeclarationStatus = "declared" | "ending" | "ended" | "undeclared" | "unknown";

/** One way in which somebody or something has access, or will have it. */
export interface AccessEntry {
  /** `service`: global roles, which count everywhere. `team`: who is in it. */
  readonly in: "service" | "organization" | "team" | "project";
  /** `pending`: an invitation that was not accepted yet. `ended`: only the record of its last day is left. */
  readonly status: "active" | "pending" | "ended";
  /** Absent for global roles, and for a project of an unknown organization. */
  readonly orgId?: string | undefined;
  readonly orgName?: string | undefined;
  readonly projectId?: string | undefined;
  readonly projectName?: string | undefined;
  /** The team; in a project, the team through which the roles come. */
  readonly teamId?: string | undefined;
  readonly teamName?: string | undefined;
  /** Sorted; empty for a team, and for a membership without roles. */
  readonly roles: readonly string[];
  /** When the invitation expires: ISO 8601, UTC. */
  readonly expiresAt?: string | undefined;
  /** URNs of the resources that declare it or its end, empty if none does; absent if that is unknown. */
  readonly declaredBy?: readonly string[] | undefined;
  /** The roles that these resources declare, sorted; present only if they differ from `roles`. */
  readonly declaredRoles?: readonly string[] | undefined;
  /** A refresh has replaced the declared roles in the state with the live ones, or they are secret. */
  readonly areDeclaredRolesUnknown?: true | undefined;
  /** The last day that the stack declares: `2026-12-31`, UTC. Absent if there is none. */
  readonly until?: string | undefined;
  /** When it ended: ISO 8601, UTC. With another status than `ended`, somebody has brought it back since. */
  readonly endedAt?: string | undefined;
  /** Since when it should have ended, and is there: ISO 8601, UTC. */
  readonly overdueSince?: string | undefined;
  /** Why it is there, as a sentence. */
  readonly overdueReason?: string | undefined;
  /** By which way it comes; likewise `declaration` and the next two, only in a report. */
  readonly way?: Way | undefined;
  readonly declaration?: DeclarationStatus | undefined;
  /** Those of the roles of an organization or of the service that count in each project below; absent if none does. */
  readonly inEachProject?: readonly string[] | undefined;
  /** Those of which it is unknown whether they count there. */
  readonly perhapsInEachProject?: readonly string[] | undefined;
  /** Only the roles of the holder show it: nothing was read there. */
  readonly isOutside?: true | undefined;
  /**
   * The latest event that gave it, or took away what has ended, with `--since`, and without a name in general; absent if none is
   * documented for it, but doesn't prove it.
   */
  readonly lastEvent?: LastEvent | undefined;
}

/** A person, of whom an account or an invitation has the name. */
export interface FoundPerson {
  readonly kind: "person";
  /** As an account or an invitation has it. */
  readonly name: string;
  /** None for a person who is only invited. Letter case may distinguish several accounts. */
  readonly accounts: readonly { readonly userId: string; readonly username: string }[];
  readonly access: readonly AccessEntry[];
}

/** With what a program signs in. */
interface FoundCredentials {
  /** Those of the settings, with which the command has signed in. */
  readonly isOwn?: true | undefined;
}

export interface FoundKey extends FoundCredentials {
  readonly kind: "key";
  readonly keyId: string;
  readonly publicKey: string;
  readonly description?: string | undefined;
  /** How many addresses and blocks its access list has; absent if that is unknown. */
  readonly accessListEntries?: number | undefined;
  readonly access: readonly AccessEntry[];
}

/** A service account of Cloud Manager. */
export interface FoundServiceAccount extends FoundCredentials {
  readonly kind: "service account";
  readonly clientId: string;
  /** Several may have the same. */
  readonly name?: string | undefined;
  readonly access: readonly AccessEntry[];
}

/** A group of LDAP or of an identity provider. The API does not show who is in it. */
export interface FoundGroup {
  readonly kind: "group";
  readonly name: string;
  readonly property: GroupSource;
  readonly access: readonly AccessEntry[];
}

export type Found = FoundPerson | FoundKey | FoundServiceAccount | FoundGroup;

/** What each kind of holder is called. The reports have the kinds in this order. */
export const nounsOfHolders: Readonly<Record<Found["kind"], readonly [one: string, many: string]>> = {
  person: ["person", "people"],
  key: ["API key", "API keys"],
  "service account": ["service account", "service accounts"],
  group: ["group", "groups"],
};

/** What was read of an organization. A list that could not be read has no count. */
export interface Searched {
  readonly orgId: string;
  readonly orgName?: string | undefined;
  readonly projects: number;
  readonly people?: number | undefined;
  readonly teams: number;
  readonly keys?: number | undefined;
  readonly serviceAccounts?: number | undefined;
}

/** A project of the organizations that were searched. */
export interface ReportedProject {
  readonly projectId: string;
  readonly projectName: string;
  readonly orgId: string;
  readonly orgName?: string | undefined;
  /** Lists that could not be read, so that somebody who reaches the project may be missing. */
  readonly unread: readonly string[];
}

/** Somebody who was removed from an organization or a project and is not there now, by the events since `eventsSince`. */
export interface RemovedAccess extends Pick<AccessEntry, "orgId" | "orgName" | "projectId" | "projectName"> {
  readonly in: "organization" | "project";
  readonly username: string;
  /** The latest such event: when, and who acted. */
  readonly lastEvent: LastEvent;
}

export interface AccessReport {
  /** Increased when a field changes its meaning or is removed. New fields may be added at any time. */
  readonly schemaVersion: 1;
  /** As given on the command line; absent in a report on everyone and everything. */
  readonly name?: string | undefined;
  /** Whether everything could be read. */
  readonly isComplete: boolean;
  /** With a name usually one. Without one, the people, the API keys, the service accounts and the groups, each sorted by name. */
  readonly found: readonly Found[];
  /** Stack whose state shows what is declared; absent if none is selected. */
  readonly stack?: string | undefined;
  readonly searched: readonly Searched[];
  /** All projects of these. Whoever has `inEachProject` in an organization or the service reaches those below it. */
  readonly projects: readonly ReportedProject[];
  /** How many of them give roles to groups of LDAP or of an identity provider. */
  readonly withGroupMappings: { readonly organizations: number; readonly projects: number };
  /** What may give access and stands in no list. `isComplete` does not depend on it. */
  readonly notListed: readonly string[];
  /** What the service does not offer, so no one has access through it. */
  readonly notOffered: readonly string[];
  readonly unknown: readonly Unread[];
  /** The latest first; absent if no events were looked up. With a name, only of that person. */
  readonly removed?: readonly RemovedAccess[] | undefined;
  /** Events before this time were not looked up: ISO 8601, UTC. Absent if none were. */
  readonly eventsSince?: string | undefined;
  /** Lists of events that could not be read completely. `isComplete` does not depend on them. */
  readonly eventsUnread?: readonly Unread[] | undefined;
}

function holderOf(found: Found): Holder {
  if (found.kind === "key") return { ...found, kind: "API key" };
  if (found.kind === "group" || found.kind === "service account") return found;
  return { kind: "person", ...(found.accounts[0] ?? { username: found.name }) };
}

/** The access of an entry; a person has that of a team. `undefined` for global roles. */
export function accessOf(found: Found, entry: AccessEntry): Access | undefined {
  const { in: kind, orgId = "", projectId = "", teamId, teamName: name, roles } = entry;
  const own = holderOf(found);
  const inPlace = (place: Place, holder = own) => ({ holder, place, roles });
  if (kind === "organization") return inPlace({ kind, id: orgId });
  if (kind === "team") return inPlace({ kind, id: teamId, name, orgId });
  if (kind === "service") return undefined;
  const team = teamId === undefined ? own : ({ kind: "team", teamId, teamName: name } as const);
  return inPlace({ kind, id: projectId, orgId: entry.orgId }, team);
}
